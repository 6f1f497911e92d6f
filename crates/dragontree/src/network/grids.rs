//! Meshes and tori found in networks that do not say what they are: a file's, say.
//!
//! A mesh or torus is a Cartesian product of lines and rings, and a connected graph is such a
//! product in one way only (Sabidussi 1959, Vizing 1963). Links are sorted into dimensions by
//! squares, as in the factorization of Feder (1992): two links of a switch are of different
//! dimensions when they are sides of a square, and opposite sides are of the same. Removing a
//! dimension's links leaves the layers whose order along it is the coordinate. Everything is then
//! verified: there is a switch at each place, and a link between any two that are next to each other
//! and between no others. Parallel links are one.
//!
//! A ring of four is a product itself, so that the ports decide: dimensions come in the order of the
//! ports of the lowest switch, coordinates grow where the first of these leads, and two lines of two
//! switches are a ring of four when following the first port leads around.

use super::graph::{Graph, neighbors};
use super::{Grid, Lines, Network};

mod coordinates;
mod dimensions;
mod refusal;

pub use refusal::NotAGrid;

/// A mesh or torus that was found in a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundGrid {
    /// The dimensions, in the order of the ports of the lowest switch.
    pub dimensions: Vec<Dimension>,
    /// The place of each switch, numbered as [`Grid`] numbers its switches.
    pub places: Vec<u32>,
}

/// A dimension of a grid that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// Switches along it.
    pub width: u32,
    /// A ring, of three switches or more, or an open line.
    pub lines: Lines,
}

/// Finds the mesh or torus that all switches of a network form, before anything failed.
///
/// Takes time in proportion to the links, but for a factor of the square of a switch's neighbors,
/// of which a grid has few.
///
/// # Errors
/// They form none; the first reason that was met.
pub fn find(network: &Network) -> Result<FoundGrid, NotAGrid> {
    let graph = Graph::of(network);
    let classes = dimensions::classes(&graph)?;
    coordinates::coordinates(network, &graph, &classes)
}

impl FoundGrid {
    /// The places as those of a [`Grid`]; its lines are open only if they all are.
    pub fn grid(&self) -> Grid {
        let is_ring = |dimension: &Dimension| dimension.lines == Lines::Ring;
        let lines = if self.dimensions.iter().any(is_ring) { Lines::Ring } else { Lines::Open };
        let widths = self.dimensions.iter().map(|dimension| dimension.width).collect();
        Grid { widths, lines, endpoints_per_switch: 0 }
    }
}
