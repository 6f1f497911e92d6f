//! Networks without a known structure: levels by the distance from the endpoints where the links
//! join one level to the next; grids that are found; otherwise distances on the page that are those
//! in the network.

use super::{Point, Sheet, direction, grid};
use crate::network::graph::Graph;
use crate::network::{Network, grids};

mod levels;
mod page;
mod stress;

use page::Spot;

/// How far from their switch endpoints stand, and how wide, as shares of the distance to the
/// nearest other switch.
const HANGING: Spot = [0.36, 0.6];
/// How long the sum of the directions to several neighbors must be for them to be on one side.
const ONE_SIDED: f64 = 0.5;
/// Among so many directions one is chosen where neighbors are on all sides.
const DIRECTIONS: u32 = 16;

pub fn place(network: &Network) -> Sheet {
    let graph = Graph::of(network);
    if let Some(rows) = levels::levels(network, &graph) {
        return levels::place(&graph, &rows);
    }
    match grids::find(network) {
        Ok(found) => grid::found(&found),
        Err(_) => by_distance(&graph),
    }
}

/// The switches by levels, from the edge up; none where links do not join one level to the next.
pub fn levels(network: &Network) -> Option<Vec<Vec<u32>>> {
    levels::levels(network, &Graph::of(network))
}

/// Switches as far from each other as they are in the network, as well as that can be.
fn by_distance(graph: &Graph) -> Sheet {
    let parts = graph.components().into_iter().map(|members| {
        let part = graph.part(&members);
        let mut spots = stress::layout(&part);
        page::turn(&part, &mut spots);
        (members, spots)
    });
    let spots = page::side_by_side(parts.collect());
    let mut sheet = Sheet::new(false);
    for (switch, (at, near)) in (0..).zip(spots.iter().zip(page::nearest(&spots))) {
        let out = outside(graph, switch, &spots);
        let [away, wide] = HANGING.map(|share| share * near);
        let middle = [0, 1].map(|side: usize| at[side] + out[side] * away);
        sheet.add(single(*at), single(middle), single([-out[1] * wide, out[0] * wide]));
    }
    sheet
}

/// The direction in which a switch has no neighbors: opposite to them, or in the widest gap.
fn outside(graph: &Graph, switch: u32, spots: &[Spot]) -> Spot {
    let [x, y] = spots[switch as usize];
    let units = graph.neighbors(switch).iter().map(|other| {
        let [dx, dy] = [spots[*other as usize][0] - x, spots[*other as usize][1] - y];
        let length = (dx * dx + dy * dy).sqrt().max(f64::MIN_POSITIVE);
        [dx / length, dy / length]
    });
    let units: Vec<Spot> = units.collect();
    let sum = units.iter().fold([0.0; 2], |sum, unit| [sum[0] - unit[0], sum[1] - unit[1]]);
    let length = (sum[0] * sum[0] + sum[1] * sum[1]).sqrt();
    let least = if units.len() > 2 { ONE_SIDED } else { 1e-9 };
    if length > least {
        return sum.map(|side| side / length);
    }
    // From straight down.
    let choices = (0..DIRECTIONS)
        .map(|choice| direction(0.5 + choice as f32 / DIRECTIONS as f32).map(f64::from));
    let nearest = |choice: &Spot| {
        let cosines = units.iter().map(|unit| unit[0] * choice[0] + unit[1] * choice[1]);
        cosines.fold(-1.0, f64::max)
    };
    let widest = choices.min_by(|one, other| nearest(one).total_cmp(&nearest(other)));
    widest.unwrap_or([0.0, 1.0])
}

fn single([x, y]: Spot) -> Point {
    [x as f32, y as f32]
}
