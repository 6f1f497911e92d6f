//! The list of topologies. To add one: write its file, declare it, list it.

#[cfg(not(feature = "complete"))]
use crate::catalog::Elsewhere;
use crate::catalog::{Part, Problem};
use crate::network::{Builder, EndpointId, LinkClass, Links, Network, Node, Structure, SwitchId};

mod cabling;
mod design;
mod dragonfly;
mod fat_tree;
mod field;
mod grid;
mod hyper_x;
mod imported;
mod k_ary_n_tree;
mod mesh;
mod mlfm;
mod multi_core;
mod oft;
mod pgft;
mod size;
mod slim_fly;
mod sspt;
mod stacked;
mod subnets;
mod torus;
mod xgft;

pub use cabling::{Cabling, PortOrder};
pub(crate) use dragonfly::MOST_SWITCHES;
pub use dragonfly::{Dragonfly, LocalLinks, Wiring};
pub use fat_tree::FatTree;
pub use hyper_x::HyperX;
pub use imported::Imported;
pub use k_ary_n_tree::KAryNTree;
pub use mesh::Mesh;
pub use mlfm::Mlfm;
pub use multi_core::{Attach, MultiCore};
pub use oft::Oft;
pub use slim_fly::{Rounding, SlimFly};
pub use sspt::Sspt;
pub use subnets::Subnets;
pub use torus::Torus;
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

    /// Whether this build can do what the settings ask for; with the feature `complete` it can.
    fn is_held(&self) -> bool {
        true
    }
}

crate::catalog! {
    /// Any topology.
    pub enum Topology: Build {
        dragonfly::Dragonfly;
        later:
        xgft::Xgft,
        k_ary_n_tree::KAryNTree,
        fat_tree::FatTree,
        multi_core::MultiCore,
        subnets::Subnets,
        hyper_x::HyperX,
        slim_fly::SlimFly,
        mlfm::Mlfm,
        oft::Oft,
        sspt::Sspt,
        torus::Torus,
        mesh::Mesh,
        imported::Imported,
    }
}

#[cfg(not(feature = "complete"))]
impl Build for Elsewhere {
    fn build(&self, _links: &Links) -> Result<Network, Vec<Problem>> {
        Err(vec![Problem::new("", "", Elsewhere::WORDS)])
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

/// Adds `per_switch` endpoints to each of the first `switches` switches: endpoint
/// `switch · per_switch + n` on port `n`.
fn attach_endpoints(builder: &mut Builder, switches: u32, per_switch: u32) {
    builder.endpoints(switches * per_switch, 1);
    for switch in 0..switches {
        for port in 0..per_switch {
            let endpoint = Node::Endpoint(EndpointId(switch * per_switch + port));
            let switch = Node::Switch(SwitchId(switch));
            builder.link((endpoint, 0), (switch, port), LinkClass::Endpoint);
        }
    }
}

/// Finishes a network whose cabling follows from a formula.
fn finish(builder: Builder, structure: Structure) -> Result<Network, Vec<Problem>> {
    builder.finish(structure).map_err(|miswired| vec![Problem::new("", "", miswired.to_string())])
}

#[cfg(test)]
mod tests;
