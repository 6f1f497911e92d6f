//! Random placement: a uniformly random one-to-one choice of endpoints.

use super::{Place, Unfit};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::network::{Network, PortId};
use crate::random::Stream;

/// Ranks on endpoints in random order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Random {
    /// The placement's own seed; without one it follows the run's.
    pub seed: Option<u64>,
}

impl Settings for Random {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::optional(
                "seed",
                "Placement seed",
                "Seed of the random order; “run” follows the run's seed.",
                &mut self.seed,
                "run",
                0..=u64::MAX,
            )
            .advanced(),
        );
    }
}

impl Part for Random {
    fn name(&self) -> &'static str {
        "random"
    }
    fn label(&self) -> &'static str {
        "Random"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help("Every rank on an endpoint of its own, in uniformly random order.")
    }
}

impl Place for Random {
    fn places(
        &self,
        _network: &Network,
        ports: &[Option<PortId>],
        seed: u64,
    ) -> Result<Vec<Option<PortId>>, Unfit> {
        let mut places: Vec<Option<PortId>> =
            ports.iter().copied().filter(Option::is_some).collect();
        Stream::new(self.seed.unwrap_or(seed), "placement", 0).shuffle(&mut places);
        Ok(places)
    }

    fn spreads(&self) -> bool {
        true
    }
}
