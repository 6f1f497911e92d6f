//! Stacked single-path trees: copies of a block design's tree that share their upper switches.

use super::design::Design;
use super::{MOST_PORTS, attach_endpoints, finish, limit_size};
use crate::catalog::Problem;
use crate::network::{
    Builder, Layer, Layered, LinkClass, Links, Network, Node, Structure, SwitchId,
};

/// Which copies of which tree, and what they are called.
pub(super) struct Stack<'a> {
    /// The tree: level-one switches are points, level-two switches blocks.
    pub design: &'a Design,
    /// The number of copies.
    pub copies: u32,
    /// Endpoints on each level-one switch.
    pub endpoints: u32,
    /// The layers of the structure, from the bottom up.
    pub layers: Vec<Layer>,
    /// The layer of a copy's level-one switches.
    pub layer_of_copy: fn(u32) -> u32,
    /// The layer of the level-two switches.
    pub upper_layer: u32,
    /// The class of a copy's links.
    pub class_of_copy: fn(u32) -> LinkClass,
}

/// Ports of switches and endpoints together, two per link.
pub(super) fn port_count(degree: u32, size: u32, copies: u32, endpoints: u32) -> u64 {
    let lower = (1 + u64::from(degree) * u64::from(size - 1)) * u64::from(copies);
    2 * lower.saturating_mul(u64::from(degree) + u64::from(endpoints))
}

/// Whether a stack is small enough to be built.
pub(super) fn fits(degree: u32, size: u32, copies: u32, endpoints: u32) -> bool {
    port_count(degree, size, copies, endpoints) <= MOST_PORTS
}

/// Refuses a stack that is too large; `given` is the setting that decides that, and its text.
pub(super) fn limit(
    [degree, size, copies, endpoints]: [u32; 4],
    given: (&str, u32),
) -> Result<(), Vec<Problem>> {
    let ports = port_count(degree, size, copies, endpoints);
    limit_size(given.0, &given.1.to_string(), Some(ports))
}

impl Stack<'_> {
    /// Builds the stack. The level-one switches come first, copy after copy, then the level-two
    /// switches; endpoint `switch·p + n` hangs on port `n`. A level-one switch's upper ports are
    /// in the order of the design's rows; port `copy·r2 + i` of a level-two switch leads to the
    /// i-th of its block in that copy.
    pub(super) fn build(self, links: &Links) -> Result<Network, Vec<Problem>> {
        let Design { size, degree, .. } = *self.design;
        let (points, blocks) = (self.design.points(), self.design.blocks());
        let lower = self.copies * points;
        let mut builder = Builder::new(links);
        builder.switches(lower, self.endpoints + degree);
        builder.switches(blocks, self.copies * size);
        attach_endpoints(&mut builder, lower, self.endpoints);
        for copy in 0..self.copies {
            let mut filled = vec![copy * size; blocks as usize];
            for point in 0..points {
                let below = Node::Switch(SwitchId(copy * points + point));
                for (number, block) in self.design.row(point).iter().enumerate() {
                    let above = Node::Switch(SwitchId(lower + block));
                    let port = &mut filled[*block as usize];
                    let up = self.endpoints + number as u32;
                    builder.link((below, up), (above, *port), (self.class_of_copy)(copy));
                    *port += 1;
                }
            }
        }
        let of_copies = (0..lower).map(|switch| (self.layer_of_copy)(switch / points));
        let of_blocks = (0..blocks).map(|_| self.upper_layer);
        let layered = Layered::new(self.layers, of_copies.chain(of_blocks));
        finish(builder, Structure::Layered(layered))
    }
}
