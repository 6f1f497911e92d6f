//! Contiguous placement: rank r on the r-th endpoint.

use super::{Place, live_endpoints};
use crate::catalog::{Form, Part, Settings};
use crate::network::{EndpointId, Needs, Network};

/// Ranks on endpoints in order, empty slots skipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contiguous;

impl Settings for Contiguous {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for Contiguous {
    fn name(&self) -> &'static str {
        "contiguous"
    }
    fn label(&self) -> &'static str {
        "Contiguous"
    }
    fn help(&self) -> &'static str {
        "Rank r runs on the r-th endpoint."
    }
}

impl Place for Contiguous {
    fn place(&self, network: &Network, ranks: u32, _seed: u64) -> Result<Vec<EndpointId>, Needs> {
        let mut endpoints = live_endpoints(network);
        endpoints.truncate(ranks as usize);
        Ok(endpoints)
    }
}
