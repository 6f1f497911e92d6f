//! The list of placements: which endpoint each rank runs on. To add one: write its file,
//! declare it, list it.

use crate::catalog::Part;
use crate::network::{Needs, Network, PortId};

mod contiguous;
mod order;
mod random;

pub use contiguous::Contiguous;
pub use order::{Keepers, Order};
pub use random::Random;

/// A rule that puts ranks on endpoints.
pub trait Place: Part {
    /// The place of each rank, all different: the port of an endpoint, or none for a place keeper,
    /// which is a rank that neither sends nor is sent to. `ports` has for each endpoint the port by
    /// which it takes part, none where its slot is empty; `seed` is the run's.
    ///
    /// # Errors
    /// The network lacks the structure that the placement is defined on.
    fn places(
        &self,
        network: &Network,
        ports: &[Option<PortId>],
        seed: u64,
    ) -> Result<Vec<Option<PortId>>, Needs>;

    /// Whether ranks that share endpoints are dealt out to them at random, not one after the other.
    fn spreads(&self) -> bool {
        false
    }

    /// Whether this build can do what the settings ask for; with the feature `complete` it can.
    fn is_held(&self) -> bool {
        true
    }
}

crate::catalog! {
    /// Any placement.
    pub enum Placement: Place {
        contiguous::Contiguous,
        random::Random,
    }
}
