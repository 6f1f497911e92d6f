//! The one constructor of all fat trees: PGFT(h; m; w; p).

use super::{finish, limit_size};
use crate::catalog::Problem;
use crate::network::{Builder, EndpointId, LinkClass, Links, Network, Node, Structure, Tree};

/// Builds the tree with `children` (m), `parents` (w) and `parallel` links (p) per level, all of
/// one length and without zeros. The switches are numbered level by level from the leaves.
///
/// # Errors
/// The tree would be too large; `size` is the setting that decides that, and its text.
pub(super) fn build(
    children: &[u32],
    parents: &[u32],
    parallel: &[u32],
    links: &Links,
    size: (&str, &str),
) -> Result<Network, Vec<Problem>> {
    limit_size(size.0, size.1, port_count(children, parents, parallel))?;
    let tree = Tree::new(children.to_vec(), parents.to_vec(), parallel.to_vec());
    let mut builder = Builder::new(links);
    for level in 1..=tree.levels() {
        let ports = tree.children(level) * tree.parallel(level) + tree.up_ports(level);
        for _ in 0..tree.width(level) {
            builder.switch(ports);
        }
    }
    for _ in 0..tree.width(0) {
        builder.endpoint(tree.up_ports(0));
    }
    for level in 0..tree.levels() {
        link_upward(&mut builder, &tree, level);
    }
    finish(builder, Structure::Tree(tree))
}

/// Ports of switches and endpoints together: two per link.
fn port_count(children: &[u32], parents: &[u32], parallel: &[u32]) -> Option<u64> {
    let product = |numbers: &[u32]| {
        numbers.iter().try_fold(1_u64, |product, each| product.checked_mul(u64::from(*each)))
    };
    let links = |level: usize| {
        let below = product(&parents[..level])?.checked_mul(product(&children[level..])?)?;
        below.checked_mul(u64::from(parents[level]))?.checked_mul(u64::from(parallel[level]))
    };
    let total = (0..children.len()).try_fold(0_u64, |sum, level| sum.checked_add(links(level)?))?;
    total.checked_mul(2)
}

/// Links every node of `level` to its parents.
fn link_upward(builder: &mut Builder, tree: &Tree, level: u32) {
    let above = level + 1;
    // A node's index is (m digits above the level) · width_below + (w digits).
    let w_below: u32 = (1..=level).map(|each| tree.parents(each)).product();
    let class = if level == 0 { LinkClass::Endpoint } else { LinkClass::Level(above) };
    for index in 0..tree.width(level) {
        let (w_digits, m_digits) = (index % w_below, index / w_below);
        let (child, m_above) = (m_digits % tree.children(above), m_digits / tree.children(above));
        for parent in 0..tree.parents(above) {
            let parent_w = w_digits + parent * w_below;
            let parent_index = parent_w + w_below * tree.parents(above) * m_above;
            for link in 0..tree.parallel(above) {
                let up = parent * tree.parallel(above) + link;
                let lower = match level {
                    0 => (Node::Endpoint(EndpointId(index)), up),
                    _ => {
                        let down_ports = tree.children(level) * tree.parallel(level);
                        (Node::Switch(tree.switch(level, index)), down_ports + up)
                    }
                };
                let upper = Node::Switch(tree.switch(above, parent_index));
                builder.link(lower, (upper, child * tree.parallel(above) + link), class);
            }
        }
    }
}
