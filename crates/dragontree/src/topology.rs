//! The list of topologies. To add one: write its file, declare it, list it.

use crate::catalog::{Part, Problem};
use crate::network::{Builder, Links, Network, Structure};

mod cabling;
mod dragonfly;
mod fat_tree;
mod imported;
mod k_ary_n_tree;
mod multi_core;
mod pgft;
mod size;
mod subnets;
mod xgft;

#[cfg(test)]
mod tests;

pub use cabling::{Cabling, PortOrder};
pub use dragonfly::{Dragonfly, Wiring};
pub use fat_tree::FatTree;
pub use imported::Imported;
pub use k_ary_n_tree::KAryNTree;
pub use multi_core::{Attach, MultiCore};
pub use subnets::Subnets;
pub use xgft::Xgft;

/// The largest number of switch and endpoint ports that a network may have.
pub const MOST_PORTS: u64 = 4_000_000;

/// A family of networks, one for each choice of its settings.
pub trait Build: Part {
    /// Builds the network.
    ///
    /// # Errors
    /// The settings contradict each other or the network would be too large; every problem
    /// names its setting.
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>>;
}

crate::catalog! {
    /// Any topology.
    pub enum Topology: Build {
        dragonfly::Dragonfly,
        xgft::Xgft,
        imported::Imported,
        k_ary_n_tree::KAryNTree,
        fat_tree::FatTree,
        multi_core::MultiCore,
        subnets::Subnets,
    }
}

/// Refuses a network with too many ports.
fn limit_size(key: &str, given: &str, ports: Option<u64>) -> Result<(), Vec<Problem>> {
    match ports {
        Some(ports) if ports <= MOST_PORTS => Ok(()),
        _ => {
            let count = ports.map_or("far more".to_owned(), |ports| ports.to_string());
            let allowed = format!("this network has {count} ports, allowed: up to {MOST_PORTS}");
            Err(vec![Problem::new(key, given, allowed)])
        }
    }
}

/// Finishes a network whose cabling follows from a formula.
fn finish(builder: Builder, structure: Structure) -> Result<Network, Vec<Problem>> {
    builder.finish(structure).map_err(|miswired| vec![Problem::new("", "", miswired.to_string())])
}
