//! Contiguous placement: rank r on the r-th endpoint.

use super::{Keepers, Order, Place, Unfit};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::network::{Network, PortId};

/// Ranks on endpoints in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contiguous {
    /// In which order.
    pub order: Order,
    /// Whether empty slots have ranks of their own, which stay silent.
    pub keepers: Keepers,
}

impl Settings for Contiguous {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::choice(
                "order",
                "Order",
                "In which order endpoints get their ranks: by index, by local id, or along the fat \
                 tree that is found. Automatic: by index, but shifts are counted along a tree.",
                &mut self.order,
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "keepers",
                "Place keepers",
                "Whether empty slots keep their places: nothing is sent from or to them \
                 (Zahavi 2009, §3.2). Automatic: where shifts are counted along a tree.",
                &mut self.keepers,
            )
            .advanced(),
        );
    }
}

impl Part for Contiguous {
    fn name(&self) -> &'static str {
        "contiguous"
    }
    fn label(&self) -> &'static str {
        "Contiguous"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help("Rank r runs on the r-th endpoint.")
    }
}

impl Place for Contiguous {
    fn places(
        &self,
        network: &Network,
        ports: &[Option<PortId>],
        _seed: u64,
    ) -> Result<Vec<Option<PortId>>, Unfit> {
        Ok(self.order.places(network, ports, self.keepers)?)
    }

    fn is_held(&self) -> bool {
        cfg!(feature = "complete") || self.order != Order::Ftree
    }
}
