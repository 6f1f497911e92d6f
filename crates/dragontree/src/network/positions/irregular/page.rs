//! How drawings stand on the page: upright, and beside each other.

use crate::network::graph::Graph;

/// A place on the page, or a direction.
pub type Spot = [f64; 2];

/// How far apart drawings stand, where neighbors are 1 apart.
const GAP: f64 = 1.5;
/// How much wider than high a page of several drawings is.
const WIDE: f64 = 1.6;
/// Links have a common direction when their fourfold directions add up to this share of their
/// number.
const COMMON: f64 = 0.2;

/// Turns a drawing so that as many links as possible lie level or upright, if there are such, and
/// its longer side level; its first node comes to the upper left.
pub fn turn(graph: &Graph, spots: &mut [Spot]) {
    let mut fourfold = [0.0; 2];
    let mut count = 0.0;
    for [one, other] in graph.edges() {
        let [one, other] = [spots[one as usize], spots[other as usize]];
        let unit = unit([other[0] - one[0], other[1] - one[1]]);
        let four = times(times(unit, unit), times(unit, unit));
        fourfold = [fourfold[0] + four[0], fourfold[1] + four[1]];
        count += 1.0;
    }
    let common = (fourfold[0] * fourfold[0] + fourfold[1] * fourfold[1]).sqrt() > COMMON * count;
    let axis = if common { half(half(unit(fourfold))) } else { longest(spots) };
    spots.iter_mut().for_each(|spot| *spot = times(*spot, [axis[0], -axis[1]]));
    let [low, high] = bounds(spots);
    if high[1] - low[1] > (high[0] - low[0]) * 1.001 {
        spots.iter_mut().for_each(|spot| spot.swap(0, 1));
    }
    let [low, high] = bounds(spots);
    let middle = [0, 1].map(|side: usize| (low[side] + high[side]) / 2.0);
    let first = spots.first().copied().unwrap_or_default();
    for side in 0..2 {
        if first[side] > middle[side] {
            spots.iter_mut().for_each(|spot| spot[side] = -spot[side]);
        }
    }
}

/// The direction in which nodes reach farthest from their middle.
fn longest(spots: &[Spot]) -> Spot {
    let count = spots.len() as f64;
    let sum = spots.iter().fold([0.0; 2], |sum, spot| [sum[0] + spot[0], sum[1] + spot[1]]);
    let mut twofold = [0.0; 2];
    for spot in spots {
        let from = [spot[0] - sum[0] / count, spot[1] - sum[1] / count];
        let square = times(from, from);
        twofold = [twofold[0] + square[0], twofold[1] + square[1]];
    }
    half(unit(twofold))
}

/// A product of complex numbers: directions are turned by each other.
fn times([a, b]: Spot, [c, d]: Spot) -> Spot {
    [a * c - b * d, a * d + b * c]
}

/// A direction, of length 1; to the right where there is none.
fn unit([x, y]: Spot) -> Spot {
    let length = (x * x + y * y).sqrt();
    if length > 1e-12 { [x / length, y / length] } else { [1.0, 0.0] }
}

/// The direction turned half as far from the right, by less than a right angle.
fn half([x, y]: Spot) -> Spot {
    let [cosine, sine] = [(1.0 + x) / 2.0, (1.0 - x) / 2.0].map(|square| square.max(0.0).sqrt());
    [cosine, if y < 0.0 { -sine } else { sine }]
}

/// The least and the greatest of both coordinates.
fn bounds(spots: &[Spot]) -> [Spot; 2] {
    let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    for spot in spots {
        for side in 0..2 {
            bounds[0][side] = bounds[0][side].min(spot[side]);
            bounds[1][side] = bounds[1][side].max(spot[side]);
        }
    }
    bounds
}

/// A drawing of some nodes, by their numbers.
pub type Drawing = (Vec<u32>, Vec<Spot>);

/// Puts drawings in rows, the high ones first; the place of each node.
pub fn side_by_side(mut drawings: Vec<Drawing>) -> Vec<Spot> {
    let size = |(_, spots): &Drawing| {
        let [low, high] = bounds(spots);
        [0, 1].map(|side: usize| high[side] - low[side] + GAP)
    };
    let area: f64 = drawings.iter().map(size).map(|[width, height]| width * height).sum();
    let widest = drawings.iter().map(|drawing| size(drawing)[0]).fold(0.0, f64::max);
    let room = widest.max((area * WIDE).sqrt());
    drawings.sort_by(|one, other| size(other)[1].total_cmp(&size(one)[1]));
    let count = drawings.iter().map(|(members, _)| members.len()).sum();
    let mut places = vec![[0.0; 2]; count];
    let ([mut x, mut y], mut high) = ([0.0; 2], 0.0_f64);
    for drawing in &drawings {
        let [width, height] = size(drawing);
        if x + width > room * 1.001 {
            [x, y, high] = [0.0, y + high, 0.0];
        }
        let (members, spots) = drawing;
        let [low, _] = bounds(spots);
        for (member, spot) in members.iter().zip(spots) {
            places[*member as usize] = [spot[0] - low[0] + x, spot[1] - low[1] + y];
        }
        x += width;
        high = high.max(height);
    }
    places
}

/// How far it is from each node to the nearest other one, at most 1.
pub fn nearest(spots: &[Spot]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..spots.len()).collect();
    order.sort_by(|one, other| spots[*one][0].total_cmp(&spots[*other][0]));
    let mut nearest = vec![1.0_f64; spots.len()];
    for (place, one) in order.iter().enumerate() {
        let near = &mut nearest[*one];
        let mut look = |other: &usize| {
            let [dx, dy] = [0, 1].map(|side: usize| spots[*other][side] - spots[*one][side]);
            let may_be_nearer = dx.abs() < *near;
            *near = near.min((dx * dx + dy * dy).sqrt());
            may_be_nearer
        };
        // To both sides until all others are too far aside.
        order[place + 1..].iter().take_while(|other| look(other)).for_each(drop);
        order[..place].iter().rev().take_while(|other| look(other)).for_each(drop);
    }
    nearest
}
