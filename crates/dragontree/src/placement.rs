//! The list of placements: which endpoint each rank runs on. To add one: write its file,
//! declare it, list it.

#[cfg(not(feature = "complete"))]
use crate::catalog::Elsewhere;
use crate::catalog::{Part, Problem};
use crate::network::{Needs, Network, PortId};

mod blocks;
mod contiguous;
mod order;
mod random;
mod ranks;
mod round_robin;
mod scattered;

pub use blocks::{Blocks, Gathering};
pub use contiguous::Contiguous;
pub use order::{Keepers, Order};
pub use random::Random;
pub use ranks::Ranks;
pub use round_robin::{Over, RoundRobin};
pub use scattered::Scattered;

/// A rule that puts ranks on endpoints.
pub trait Place: Part {
    /// The place of each rank, all different: the port of an endpoint, or none for a place keeper,
    /// which is a rank that neither sends nor is sent to. `ports` has for each endpoint the port by
    /// which it takes part, none where its slot is empty; `seed` is the run's.
    ///
    /// # Errors
    /// The network lacks the structure that the placement is defined on, or a setting does not fit it.
    fn places(
        &self,
        network: &Network,
        ports: &[Option<PortId>],
        seed: u64,
    ) -> Result<Vec<Option<PortId>>, Unfit>;

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
        random::Random;
        later:
        round_robin::RoundRobin,
        blocks::Blocks,
        scattered::Scattered,
        ranks::Ranks,
    }
}

#[cfg(not(feature = "complete"))]
impl Place for Elsewhere {
    fn places(
        &self,
        _network: &Network,
        _ports: &[Option<PortId>],
        _seed: u64,
    ) -> Result<Vec<Option<PortId>>, Unfit> {
        Err(Unfit::Problem(Problem::new("", "", Elsewhere::WORDS)))
    }
}

/// Why a part does not fit a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The network is no such one.
    #[error("{0}")]
    Needs(#[from] Needs),
    /// A setting does not fit; it is named.
    #[error("{0}")]
    Problem(Problem),
}
