//! Ways up and down a tree, given by the port that is taken at each level.

use std::sync::Arc;

use super::{Hop, Unroutable};
use crate::network::{EndpointId, Needs, Network, Structure, SwitchId, Tree};

/// A tree whose endpoints have one link each.
pub(super) struct Climb {
    pub network: Arc<Network>,
    pub tree: Tree,
}

impl Climb {
    /// The tree of a network, for this part.
    pub fn new(network: &Arc<Network>, part: &'static str) -> Result<Climb, Needs> {
        let structure = "a tree with one link per endpoint";
        match network.structure() {
            Structure::Tree(tree) if tree.up_ports(0) == 1 => {
                Ok(Climb { network: network.clone(), tree: tree.clone() })
            }
            Structure::Tree(_) => {
                Err(Needs { part, structure, found: "several links per endpoint" })
            }
            other => Err(Needs { part, structure, found: other.name() }),
        }
    }

    /// The lowest level at which two endpoints are below one switch.
    pub fn meeting_level(&self, one: EndpointId, other: EndpointId) -> u32 {
        let tree = &self.tree;
        let meet = |level: &u32| tree.subtree(*level, one) == tree.subtree(*level, other);
        (1..=tree.levels()).find(meet).unwrap_or(tree.levels())
    }

    /// The next hop to a destination. `up_port` tells which of its `W·P` links upward a switch of
    /// a level takes: that to parent `q mod W`, of the parallel links the `q ÷ W`-th. On the way
    /// down the parallel link between two levels is that of the way up.
    pub fn hop(
        &self,
        at: SwitchId,
        destination: EndpointId,
        up_port: impl Fn(u32) -> u32,
    ) -> Result<Hop, Unroutable> {
        let tree = &self.tree;
        let level = tree.level(at);
        let number = match tree.is_above(at, destination) {
            true => {
                let link = up_port(level - 1) / tree.parents(level);
                tree.down_port(level, tree.child_digit(level, destination), link)
            }
            false => {
                let chosen = up_port(level);
                let parents = tree.parents(level + 1);
                tree.up_port(level, tree.index(at), chosen % parents, chosen / parents)
            }
        };
        let port = self.network.port(at, number);
        match self.network.peer(port) {
            Some(_) => Ok(Hop { port, vc: 0 }),
            None => Err(Unroutable { at, destination }),
        }
    }
}
