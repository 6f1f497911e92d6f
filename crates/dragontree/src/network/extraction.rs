//! Fat trees found in networks that do not say what they are: a file's, say.
//!
//! ```text
//!   switches and cables      levels        subtrees      blocks         digits
//!   of any order        ──▶  1, 2, …, h ─▶ that share ─▶ all joined ──▶ (m_h … ; w_l …)
//!                            from below    parents       to all
//! ```
//! Every connected part of the switches is looked at by itself: the rails of endpoints with
//! several adapters are separate trees. Levels, subtrees and digits are found by majority, so the
//! tree that is meant shows although some cables are missing, wrong or slow; what deviates from
//! it is listed by name and port. Where too much does there is no tree, and the first reason is
//! told. After Zahavi 2009, Alg. 1 and §3.2, which takes the levels for given and accepts nothing
//! missing but endpoints.
//!
//! ```
//! use dragontree::network::extraction::extract;
//! use dragontree::network::Links;
//! use dragontree::topology::{Build, KAryNTree};
//! use dragontree::units::{Bandwidth, Time};
//!
//! let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
//! let network = KAryNTree::default().build(&links).expect("a valid tree");
//! let extraction = extract(&network);
//! let found = extraction.fabrics[0].found.as_ref().expect("a tree");
//! assert!(found.is_clean());
//! assert_eq!(found.to_string(), "m=4.4.4 w=1.4.4 p=1.1.1");
//! ```

use super::{Network, SwitchId};
use crate::sorting::sort_by_number;

mod assemble;
mod blocks;
mod cluster;
mod component;
mod deviation;
mod fit;
mod found;
mod labels;
mod levels;
mod pods;
mod survey;

#[cfg(test)]
mod tests;

pub use deviation::{Deviation, NotATree};
pub use found::{ExtractedTree, Place};

/// What a network's switches form.
#[derive(Clone, Debug, PartialEq)]
pub struct Extraction {
    /// The trees, and the connected parts that are none, by their lowest switch.
    pub fabrics: Vec<Fabric>,
    /// Switches without any cable, which belong to none.
    pub idle: Vec<SwitchId>,
}

/// A tree, or a connected part of the switches that is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Fabric {
    /// Its switches in the order of their ids.
    pub switches: Vec<SwitchId>,
    /// The tree, or why there is none.
    pub found: Result<ExtractedTree, NotATree>,
}

/// Finds the trees of a network.
///
/// Two trees that are joined by cables that belong to neither, or by the horizontal links of
/// pairs of leaf switches, are two fabrics. Takes time in proportion to the links, but for a
/// factor of the switches' radix when something deviates.
pub fn extract(network: &Network) -> Extraction {
    let (components, idle) = component::components(network);
    let mut fabrics: Vec<Fabric> =
        components.iter().flat_map(|component| fit::fabrics(network, component)).collect();
    sort_by_number(&mut fabrics, |fabric| {
        fabric.switches.first().map_or(0, |switch| u128::from(switch.0) + 1)
    });
    Extraction { fabrics, idle }
}
