//! Random placement: a uniformly random one-to-one choice of endpoints.

use super::{Place, live_endpoints};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::network::{EndpointId, Needs, Network};
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
        "Every rank on an endpoint of its own, in uniformly random order."
    }
}

impl Place for Random {
    fn place(&self, network: &Network, ranks: u32, seed: u64) -> Result<Vec<EndpointId>, Needs> {
        let mut endpoints = live_endpoints(network);
        Stream::new(self.seed.unwrap_or(seed), "placement", 0).shuffle(&mut endpoints);
        endpoints.truncate(ranks as usize);
        Ok(endpoints)
    }
}
