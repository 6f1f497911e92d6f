//! The list of faults: what of a network is broken or missing. To add a way to choose: write its
//! file, declare it, list it.

#[cfg(not(feature = "complete"))]
use crate::catalog::Elsewhere;
use crate::catalog::{Part, Problem};
use crate::network::{Failures, Network};

mod intact;
mod list;
mod random;

pub use intact::Intact;
pub use list::{LinkEnds, List, Numbers};
pub use random::Random;

/// A way to choose what is broken.
pub trait Break: Part {
    /// What of the network is broken. `seed` is the run's.
    ///
    /// # Errors
    /// The network does not have what is to be broken.
    fn failures(&self, network: &Network, seed: u64) -> Result<Failures, Problem>;
}

#[cfg(not(feature = "complete"))]
impl Break for Elsewhere {
    fn failures(&self, _network: &Network, _seed: u64) -> Result<Failures, Problem> {
        Err(Problem::new("", "", Elsewhere::WORDS))
    }
}

crate::catalog! {
    /// Any choice of faults.
    pub enum Faults: Break {
        intact::Intact;
        later:
        random::Random,
        list::List,
    }
}
