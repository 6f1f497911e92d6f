//! The list of placements: which endpoint each rank runs on. To add one: write its file,
//! declare it, list it.

use crate::catalog::Part;
use crate::network::{EndpointId, Needs, Network};

mod contiguous;
mod random;

pub use contiguous::Contiguous;
pub use random::Random;

/// A rule that puts ranks on endpoints.
pub trait Place: Part {
    /// The endpoint of each of `ranks` ranks, all different while there are endpoints left.
    /// `seed` is the run's.
    ///
    /// # Errors
    /// The network lacks the structure that the placement is defined on.
    fn place(&self, network: &Network, ranks: u32, seed: u64) -> Result<Vec<EndpointId>, Needs>;
}

crate::catalog! {
    /// Any placement.
    pub enum Placement: Place {
        contiguous::Contiguous,
        random::Random,
    }
}

/// The endpoints that have a link, in order.
fn live_endpoints(network: &Network) -> Vec<EndpointId> {
    network.endpoints().filter(|endpoint| network.injection(*endpoint).is_some()).collect()
}
