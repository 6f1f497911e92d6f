//! The one constructor of all fat trees: PGFT(h; m; w; p).

use super::cabling::Cabling;
use super::{finish, limit_size};
use crate::catalog::Problem;
use crate::network::{
    Builder, EndpointId, LinkClass, Links, Network, Node, Structure, SwitchId, Tree,
};

/// Children (m), parents (w) and parallel links (p) per level, from the leaves up.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Widths {
    pub children: Vec<u32>,
    pub parents: Vec<u32>,
    pub parallel: Vec<u32>,
}

impl Widths {
    /// The tree of these lists, which have equal lengths, at least 1, and hold no zero.
    pub(super) fn tree(&self) -> Tree {
        Tree::new(self.children.clone(), self.parents.clone(), self.parallel.clone())
    }

    /// Ports of switches and endpoints together, two per link; none when that is no number of 64
    /// bits.
    pub(super) fn port_count(&self) -> Option<u64> {
        let levels = 0..self.children.len();
        let links = levels.map(|level| self.links(level)).collect::<Option<Vec<u64>>>()?;
        links.into_iter().try_fold(0_u64, u64::checked_add)?.checked_mul(2)
    }

    /// Links between the nodes of a level and their parents.
    fn links(&self, level: usize) -> Option<u64> {
        let (above, below) = (&self.children[level..], &self.parents[..=level]);
        let factors = above.iter().chain(below).chain(&self.parallel[level..=level]);
        factors.map(|factor| u64::from(*factor)).try_fold(1, u64::checked_mul)
    }
}

/// Builds a tree as a network of its own. The switches are numbered level by level from the
/// leaves.
///
/// # Errors
/// The tree would be too large; `size` is the setting that decides that, and its text. Or the
/// cabling asks for more than the tree has.
pub(super) fn build(
    widths: &Widths,
    cabling: &Cabling,
    links: &Links,
    size: (&str, &str),
) -> Result<Network, Vec<Problem>> {
    limit_size(size.0, size.1, widths.port_count())?;
    let tree = widths.tree();
    cabling.check(&tree)?;
    let tree = tree.with_up_ports(cabling.up_ports());
    let mut builder = Builder::new(links);
    let planted = Planted::add_switches(&mut builder, tree, &[]);
    let tree = planted.tree();
    builder.endpoints(tree.width(0), tree.up_ports(0));
    let is_there = |level, index| cabling.is_there(tree, level, index);
    for level in 0..tree.levels() {
        planted.link_upward(&mut builder, level, 1, is_there);
    }
    finish(builder, Structure::Tree(planted.tree.clone()))
}

/// A tree among the other nodes of a network that is being built.
#[derive(Clone, Debug)]
pub(super) struct Planted {
    tree: Tree,
    first: u32,
}

impl Planted {
    /// Adds a tree's switches, level by level; each of level `l` gets `extra[l - 1]` ports more,
    /// after those of the tree.
    pub(super) fn add_switches(builder: &mut Builder, tree: Tree, extra: &[u32]) -> Planted {
        let first = builder.switch_count();
        for level in 1..=tree.levels() {
            let own = tree.down_ports(level) + tree.up_ports(level);
            let extra = extra.get(level as usize - 1).copied().unwrap_or(0);
            builder.switches(tree.width(level), own + extra);
        }
        Planted { tree, first }
    }

    /// The tree by itself.
    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The switch at a place of a level.
    pub(super) fn switch(&self, level: u32, index: u32) -> SwitchId {
        SwitchId(self.first + self.tree.switch(level, index).0)
    }

    /// The switch and the number of its port where a slot's only link leads.
    pub(super) fn slot(&self, index: u32) -> (Node, u32) {
        let above = self.above(0, index);
        let parent = Node::Switch(self.switch(1, above.place(0)));
        (parent, self.tree.down_port(1, above.child, 0))
    }

    /// Links the nodes of a level that are there to their parents that are there. The tree's
    /// leaf switches are on level `lowest` of the whole, its slots are the endpoints.
    pub(super) fn link_upward(
        &self,
        builder: &mut Builder,
        level: u32,
        lowest: u32,
        is_there: impl Fn(u32, u32) -> bool,
    ) {
        let (parents, parallel) = (self.tree.parents(level + 1), self.tree.parallel(level + 1));
        let first_upper = self.switch(level + 1, 0).0;
        for index in (0..self.tree.width(level)).filter(|index| is_there(level, *index)) {
            let (lower, class) = match level {
                0 => (Node::Endpoint(EndpointId(index)), LinkClass::Endpoint),
                _ => (Node::Switch(self.switch(level, index)), LinkClass::Level(level + lowest)),
            };
            let above = self.above(level, index);
            for parent in 0..parents {
                let place = above.place(parent);
                if !is_there(level + 1, place) {
                    continue;
                }
                let upper = Node::Switch(SwitchId(first_upper + place));
                for link in 0..parallel {
                    let own = self.tree.up_port(level, index, parent, link);
                    builder.link((lower, own), (upper, above.child * parallel + link), class);
                }
            }
        }
    }

    /// Where the parents of the node at a place of a level are.
    fn above(&self, level: u32, index: u32) -> Above {
        let tree = &self.tree;
        // A node's index is (m digits above its level) · spread + (w digits).
        let spread: u32 = (1..=level).map(|each| tree.parents(each)).product();
        let (w_digits, m_digits) = (index % spread, index / spread);
        let children = tree.children(level + 1);
        let (child, m_above) = (m_digits % children, m_digits / children);
        let first = w_digits + spread * tree.parents(level + 1) * m_above;
        Above { child, first, spread }
    }
}

/// The parents of a node: its digit among their children, the place of the first on its level, and
/// how far they are apart there.
struct Above {
    child: u32,
    first: u32,
    spread: u32,
}

impl Above {
    /// The place of the parent of this digit.
    fn place(&self, parent: u32) -> u32 {
        self.first + self.spread * parent
    }
}
