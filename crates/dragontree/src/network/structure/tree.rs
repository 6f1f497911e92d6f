//! Fat trees.

use crate::network::{EndpointId, SwitchId};

/// The digits of a parallel-port generalized fat tree PGFT(h; m; w; p) (Zahavi 2009, Def. 2;
/// Prisacari 2020, §3.3.1).
///
/// A switch of level `l` with parent digits `w` and child digits `m` has the index
/// `Σ_{i≤l} w_i·Π_{j<i}W_j + Π_{j≤l}W_j · Σ_{i>l} m_i·Π_{l<j<i}M_j`; endpoints are numbered the
/// same way at level 0. Its ports are the down ports `m_l·P_l + r`, then the up ports in the
/// order of [`UpPorts`].
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    children: Vec<u32>,
    parents: Vec<u32>,
    parallel: Vec<u32>,
    /// `first[l - 1]`: the first switch of level `l`; one past the last switch at the end.
    first: Vec<u32>,
    up_ports: UpPorts,
}

/// The order in which the up ports of a tree's nodes lead to parent `c` by parallel link `r`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UpPorts {
    /// Whether a link to each parent comes before the second link to the first: `r·W + c`
    /// instead of `c·P + r`.
    pub interleaved: bool,
    /// How many leaf switches, from the last, have their up ports in reverse order.
    pub reversed_leaves: u32,
}

impl Tree {
    /// The tree with `children[l-1]` children and `parallel[l-1]` links to each, per switch of
    /// level `l`, and `parents[l-1]` parents per node of level `l-1`. The lists have equal
    /// lengths, at least 1, and hold no zero.
    pub fn new(children: Vec<u32>, parents: Vec<u32>, parallel: Vec<u32>) -> Tree {
        let up_ports = UpPorts::default();
        let mut tree = Tree { children, parents, parallel, first: vec![0], up_ports };
        for level in 1..=tree.levels() {
            let next = tree.first[level as usize - 1] + tree.width(level);
            tree.first.push(next);
        }
        tree
    }

    /// The same tree with its up ports in another order.
    pub fn with_up_ports(self, up_ports: UpPorts) -> Tree {
        Tree { up_ports, ..self }
    }

    /// The number of switch levels.
    pub fn levels(&self) -> u32 {
        self.children.len() as u32
    }

    /// Children of a switch of this level (`M_l`).
    pub fn children(&self, level: u32) -> u32 {
        self.children[level as usize - 1]
    }

    /// Parents that a node of the level below has in this level (`W_l`).
    pub fn parents(&self, level: u32) -> u32 {
        self.parents[level as usize - 1]
    }

    /// Parallel links between a switch of this level and each of its children (`P_l`).
    pub fn parallel(&self, level: u32) -> u32 {
        self.parallel[level as usize - 1]
    }

    /// Links that leave a node of this level upward; 0 at the roots.
    pub fn up_ports(&self, level: u32) -> u32 {
        match level == self.levels() {
            true => 0,
            false => self.parents(level + 1) * self.parallel(level + 1),
        }
    }

    /// Links that leave a switch of this level downward.
    pub fn down_ports(&self, level: u32) -> u32 {
        self.children(level) * self.parallel(level)
    }

    /// The number of the port by which a switch of this level has its child of this digit.
    pub fn down_port(&self, level: u32, child: u32, link: u32) -> u32 {
        child * self.parallel(level) + link
    }

    /// The number of the port by which the node at a place of a level, below the roots, has its
    /// parent of this digit.
    pub fn up_port(&self, level: u32, index: u32, parent: u32, link: u32) -> u32 {
        let (parents, parallel) = (self.parents(level + 1), self.parallel(level + 1));
        let place = match self.up_ports.interleaved {
            true => link * parents + parent,
            false => parent * parallel + link,
        };
        match level {
            0 => place,
            1 if self.is_reversed(index) => self.down_ports(1) + parents * parallel - 1 - place,
            _ => self.down_ports(level) + place,
        }
    }

    fn is_reversed(&self, leaf: u32) -> bool {
        let reversed = self.up_ports.reversed_leaves;
        reversed > 0 && self.width(1).saturating_sub(leaf) <= reversed
    }

    /// Nodes of this level; level 0 are the endpoints.
    pub fn width(&self, level: u32) -> u32 {
        let (below, above) = (&self.parents[..level as usize], &self.children[level as usize..]);
        below.iter().product::<u32>() * above.iter().product::<u32>()
    }

    /// The level of a switch, from 1.
    pub fn level(&self, switch: SwitchId) -> u32 {
        self.first.partition_point(|first| *first <= switch.0) as u32
    }

    /// The place of a switch within its level.
    pub fn index(&self, switch: SwitchId) -> u32 {
        switch.0 - self.first[self.level(switch) as usize - 1]
    }

    /// The switch at a place of a level.
    pub fn switch(&self, level: u32, index: u32) -> SwitchId {
        SwitchId(self.first[level as usize - 1] + index)
    }

    /// Whether the endpoint lies below the switch.
    pub fn is_above(&self, switch: SwitchId, endpoint: EndpointId) -> bool {
        let level = self.level(switch);
        self.subtree_below(level, self.index(switch)) == self.subtree(level, endpoint)
    }

    /// The number of the subtree of endpoints below the switch at a place of a level.
    pub fn subtree_below(&self, level: u32, index: u32) -> u32 {
        index / self.parents[..level as usize].iter().product::<u32>()
    }

    /// The number of the endpoint's subtree when the tree is cut above this level.
    pub fn subtree(&self, level: u32, endpoint: EndpointId) -> u32 {
        endpoint.0 / self.children[..level as usize].iter().product::<u32>()
    }

    /// The endpoint's digit `m_l`: which child of a switch of this level leads to it.
    pub fn child_digit(&self, level: u32, endpoint: EndpointId) -> u32 {
        self.subtree(level - 1, endpoint) % self.children(level)
    }
}
