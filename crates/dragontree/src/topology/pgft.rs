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
    for _ in 0..tree.width(0) {
        builder.endpoint(tree.up_ports(0));
    }
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
        let mut first = None;
        for level in 1..=tree.levels() {
            let own = tree.down_ports(level) + tree.up_ports(level);
            let extra = extra.get(level as usize - 1).copied().unwrap_or(0);
            for _ in 0..tree.width(level) {
                let switch = builder.switch(own + extra);
                first.get_or_insert(switch.0);
            }
        }
        Planted { tree, first: first.unwrap_or(0) }
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
    pub(super) fn slot(&self, index: u32) -> Option<(Node, u32)> {
        let link = self.upward(0, index).next()?;
        Some((Node::Switch(self.switch(1, link.place)), link.upper))
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
        for index in (0..self.tree.width(level)).filter(|index| is_there(level, *index)) {
            let (lower, class) = match level {
                0 => (Node::Endpoint(EndpointId(index)), LinkClass::Endpoint),
                _ => (Node::Switch(self.switch(level, index)), LinkClass::Level(level + lowest)),
            };
            for link in self.upward(level, index).filter(|link| is_there(level + 1, link.place)) {
                let upper = Node::Switch(self.switch(level + 1, link.place));
                builder.link((lower, link.lower), (upper, link.upper), class);
            }
        }
    }

    /// The up links of the node at a place of a level.
    fn upward(&self, level: u32, index: u32) -> impl Iterator<Item = UpLink> + use<'_> {
        let (tree, above) = (&self.tree, level + 1);
        // A node's index is (m digits above its level) · spread + (w digits).
        let spread: u32 = (1..=level).map(|each| tree.parents(each)).product();
        let (w_digits, m_digits) = (index % spread, index / spread);
        let (child, m_above) = (m_digits % tree.children(above), m_digits / tree.children(above));
        let each_link = move |parent| (0..tree.parallel(above)).map(move |link| (parent, link));
        (0..tree.parents(above)).flat_map(each_link).map(move |(parent, link)| UpLink {
            lower: tree.up_port(level, index, parent, link),
            place: w_digits + spread * (parent + tree.parents(above) * m_above),
            upper: tree.down_port(above, child, link),
        })
    }
}

/// A link to the level above: the numbers of its ports, and the place of the node above.
struct UpLink {
    lower: u32,
    place: u32,
    upper: u32,
}
