//! Where to draw the nodes of a network: by its structure, never by forces, so that the same
//! network always looks the same.
//!
//! Positions are for drawing only. They are in single precision and computed with `libm`, so that
//! they too are the same everywhere.

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
            Structure::Irregular => irregular::place(network),
        };
        sheet.finish(network)
    }

    /// The place of a switch.
    pub fn switch(&self, switch: SwitchId) -> Point {
        self.switches[switch.index()]
    }
}

/// The endpoints of each switch, in order.
fn endpoints_by_switch(network: &Network) -> Vec<Vec<u32>> {
    let mut hanging = vec![Vec::new(); network.switch_count() as usize];
    for endpoint in network.endpoints() {
        if let Some(switch) = network.switch_of(endpoint) {
            hanging[switch.index()].push(endpoint.0);
        }
    }
    hanging
}

/// The place of each endpoint, given as the place of the `k`-th of `n` on a switch.
fn hang(network: &Network, place: impl Fn(SwitchId, f32) -> Point) -> Vec<Option<Point>> {
    let mut places = vec![None; network.endpoint_count() as usize];
    for (switch, own) in (0..).map(SwitchId).zip(endpoints_by_switch(network)) {
        for (index, endpoint) in own.iter().enumerate() {
            places[*endpoint as usize] = Some(place(switch, slot(index, own.len()) - 0.5));
        }
    }
    places
}

/// The middle of the `index`-th of `count` equal parts of a length of 1.
fn slot(index: usize, count: usize) -> f32 {
    (index as f32 + 0.5) / count as f32
}

/// The direction at a share of a full turn, clockwise from straight up.
fn direction(turn: f32) -> Point {
    let angle = turn * std::f32::consts::TAU;
    [libm::sinf(angle), -libm::cosf(angle)]
}
