//! What lies within what: ranks on endpoints, endpoints on switches, switches in groups or subtrees.

#[cfg(feature = "complete")]
use crate::network::extraction::{NotATree, extract};
use crate::network::{Network, Structure};

/// How many parts each layer of a fabric is made of, the lowest first (Prisacari 2020, §4.4.1): ranks
/// of an endpoint `H_0`, then children of a tree's switches level by level, or endpoints of a switch,
/// switches of a group and groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hierarchy {
    widths: Vec<u32>,
}

impl Hierarchy {
    /// A hierarchy of these widths, none of them 0.
    pub fn new(widths: Vec<u32>) -> Hierarchy {
        Hierarchy { widths }
    }

    /// That of a tree, told or found in the network, or of groups; none of other networks.
    pub fn of(network: &Network, ranks_per_endpoint: u32) -> Option<Hierarchy> {
        let mut widths = vec![ranks_per_endpoint.max(1)];
        match network.structure() {
            Structure::Tree(tree) => {
                widths.extend((1..=tree.levels()).map(|level| tree.children(level)));
            }
            Structure::Groups(groups) => widths.extend([
                groups.endpoints_per_switch,
                groups.switches_per_group,
                groups.group_count,
            ]),
            #[cfg(feature = "complete")]
            Structure::Irregular => widths.extend(found(network)?),
            _ => return None,
        }
        Some(Hierarchy { widths })
    }

    /// The widths, the lowest first.
    pub fn widths(&self) -> &[u32] {
        &self.widths
    }

    /// The number of places: the product of the widths.
    pub fn places(&self) -> u64 {
        self.widths.iter().map(|width| u64::from(*width)).product()
    }
}

/// The children of a switch of each level of the only tree that is found in a network.
#[cfg(feature = "complete")]
fn found(network: &Network) -> Option<Vec<u32>> {
    let mut only = None;
    for fabric in extract(network).fabrics {
        match fabric.found {
            Ok(tree) if only.is_none() => only = Some(tree.children()),
            Err(NotATree::NoEndpoints { .. }) => {}
            _ => return None,
        }
    }
    only
}
