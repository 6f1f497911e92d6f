//! Fabrics from foreign files and into them.
//!
//! Every reader makes the same plain table, [`Fabric`], in the order and with the names of the
//! file; [`Fabric::network`] makes the network of it. What is odd in a file but does not stop its
//! reading comes beside the table as notices.

mod fabric;
pub mod ibnetdiscover;
pub mod levels;
pub mod lfts;
mod report;

pub use fabric::{Address, Cable, Delay, Device, Fabric, Kind};
pub use report::{Notice, Place, Source, Unreadable};

/// The largest number of switch and endpoint ports that a file may describe.
pub const MOST_PORTS: u64 = 4_000_000;

/// What a file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The fabric.
    pub fabric: Fabric,
    /// What is odd in the file, or what of it is not taken over.
    pub notices: Vec<Notice>,
}

/// Reads a fabric from one file, or from several of `ibnetdiscover` that each hold a rail.
///
/// # Errors
/// The first line that cannot be read, or that contradicts another.
pub fn read(sources: &[Source<'_>]) -> Result<Reading, Unreadable> {
    ibnetdiscover::read(sources)
}
