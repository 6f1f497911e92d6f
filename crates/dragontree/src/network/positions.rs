//! Where to draw the nodes of a network: by its structure, or by distances where that is not known,
//! in the same steps everywhere, so that the same network always looks the same.
//!
//! Positions are for drawing only. They are in single precision and computed without the
//! platform's functions, so that they too are the same everywhere.

use super::{Network, Structure, SwitchId};

mod bend;
mod blocks;
mod captions;
mod grid;
mod groups;
mod irregular;
mod rows;
mod sheet;
mod tree;

pub use bend::Bend;
pub use blocks::Blocks;
pub use captions::{Anchor, Caption};
use sheet::Sheet;

/// A place on the drawing: to the right, and down.
pub type Point = [f32; 2];

/// A drawing of a network, without its links.
#[derive(Clone, Debug, PartialEq)]
pub struct Positions {
    /// The place of each switch.
    pub switches: Vec<Point>,
    /// The place of each endpoint slot; a slot without a link has none.
    pub endpoints: Vec<Option<Point>>,
    /// Width and height of the drawing, which starts at (0, 0); the larger is 1.
    pub size: Point,
    /// Whether width and height may be scaled independently to fill a page.
    pub stretches: bool,
    /// Words beside the drawing, the important ones first.
    pub captions: Vec<Caption>,
    /// How links are curved so that they do not hide behind one another.
    pub bend: Bend,
}

impl Positions {
    /// Places every node of a network.
    pub fn of(network: &Network) -> Positions {
        let sheet = match network.structure() {
            Structure::Tree(tree) => tree::place(tree),
            Structure::Layered(layered) => rows::layered(network, layered),
            Structure::Grid(grid) => grid::place(network, grid),
            Structure::Groups(groups) => groups::place(network, groups),
            Structure::Mms(mms) => rows::mms(network, mms),
            Structure::Subnets(subnets) => rows::subnets(network, subnets),
            // Only the complete build reads files.
            Structure::Irregular if !cfg!(feature = "complete") => Sheet::new(false),
            Structure::Irregular => irregular::place(network),
        };
        sheet.finish(network)
    }

    /// The place of a switch.
    pub fn switch(&self, switch: SwitchId) -> Point {
        self.switches[switch.index()]
    }
}

/// The middle of the `index`-th of `count` equal parts of a length of 1.
fn slot(index: u32, count: u32) -> f32 {
    (index as f32 + 0.5) / count as f32
}

/// A place and a multiple of a vector from there.
fn along([x, y]: Point, [dx, dy]: Point, share: f32) -> Point {
    [x + dx * share, y + dy * share]
}

/// The direction at a share of a full turn, clockwise from straight up.
fn direction(turn: f32) -> Point {
    let quarters = (turn - turn.floor()) * 4.0;
    let rest = quarters - quarters.floor();
    let (sine, cosine) = (sine(rest), sine(1.0 - rest));
    match quarters as u32 {
        0 => [sine, -cosine],
        1 => [cosine, sine],
        2 => [-sine, cosine],
        _ => [-cosine, -sine],
    }
}

/// The sine of a share of a right angle, by its series, to single precision.
fn sine(share: f32) -> f32 {
    let angle = share * std::f32::consts::FRAC_PI_2;
    let square = angle * angle;
    // Each term from the one before, the smallest first.
    let terms = [110.0, 72.0, 42.0, 20.0, 6.0];
    angle * terms.iter().fold(1.0, |sum, term| 1.0 - sum * square / term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_go_round_clockwise() {
        let eighth = std::f32::consts::FRAC_1_SQRT_2;
        let known = [
            (0.0, [0.0, -1.0]),
            (0.125, [eighth, -eighth]),
            (0.25, [1.0, 0.0]),
            (0.5, [0.0, 1.0]),
            (0.75, [-1.0, 0.0]),
            (0.875, [-eighth, -eighth]),
            (1.0 + 1.0 / 12.0, [0.5, -0.866_025_4]),
        ];
        for (turn, [x, y]) in known {
            let found = direction(turn);
            assert!((found[0] - x).abs() < 1e-6 && (found[1] - y).abs() < 1e-6, "{turn} {found:?}");
        }
    }
}
