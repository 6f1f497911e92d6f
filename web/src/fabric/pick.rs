//! What is under the pointer, and where a key leads.

use dragontree_worker::{Dot, Kind};

use super::lens::Lens;
use super::scene::{Point, Scene, Spot, on_curve};

/// How near the pointer must be to a node and to a link, in pixels.
const REACH: (f32, f32) = (9.0, 6.0);
/// A curve is tried at so many places.
const PIECES: usize = 12;

fn square(one: Point, other: Point) -> f32 {
    (one[0] - other[0]) * (one[0] - other[0]) + (one[1] - other[1]) * (one[1] - other[1])
}

/// The square of the distance from a place to a straight piece.
fn to_piece(at: Point, from: Point, to: Point) -> f32 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let share = (at[0] - from[0]) * along[0] + (at[1] - from[1]) * along[1];
    let share = if length > 0.0 { (share / length).clamp(0.0, 1.0) } else { 0.0 };
    square(at, [from[0] + along[0] * share, from[1] + along[1] * share])
}

/// What is at a place of the screen; links of endpoints only when those are shown.
pub fn pick(scene: &Scene, lens: &Lens, at: Point, endpoints: bool) -> Option<Spot> {
    if scene.picture.matrix {
        return pick_cell(scene, lens.place(at));
    }
    let (node, link) = REACH;
    let seen = |dot: &Dot| endpoints || dot.kind != Kind::Endpoint;
    let mut best = (node * node, None);
    for (node, dot) in scene.nodes().filter(|(_, dot)| seen(dot)) {
        let away = square(lens.pixel(dot.at), at);
        if away < best.0 {
            best = (away, Some(Spot::Node(node)));
        }
    }
    if best.1.is_some() {
        return best.1;
    }
    best.0 = link * link;
    for (bundle, all) in scene.bundles() {
        let [one, other] = all.ends.map(|end| scene.node(end));
        if !seen(&one) || !seen(&other) {
            continue;
        }
        let curve = [one.at, all.control, other.at].map(|point| lens.pixel(point));
        let near = |side: usize| {
            let low = curve[0][side].min(curve[1][side]).min(curve[2][side]) - link;
            let high = curve[0][side].max(curve[1][side]).max(curve[2][side]) + link;
            (low..=high).contains(&at[side])
        };
        if !near(0) || !near(1) {
            continue;
        }
        let mut from = curve[0];
        for piece in 1..=PIECES {
            let to = on_curve(curve, piece as f32 / PIECES as f32);
            let away = to_piece(at, from, to);
            if away < best.0 {
                // It is seen from the end that is nearer.
                let back = square(curve[0], at) > square(curve[2], at);
                let from = all.ends[usize::from(back)];
                best = (away, Some(Spot::Link { bundle, from }));
            }
            from = to;
        }
    }
    best.1
}

/// A cell of a matrix: the row is where a link leads from, the column where it leads to.
fn pick_cell(scene: &Scene, [x, y]: Point) -> Option<Spot> {
    let count = scene.picture.node_count();
    let index = |at: f32| (0.0..1.0).contains(&at).then(|| (at * count as f32) as u32);
    let (to, from) = (index(x)?, index(y)?);
    let ends = [from.min(to), from.max(to)];
    let found = scene.bundles().find(|(_, bundle)| bundle.ends == ends);
    Some(match found {
        Some((bundle, _)) if from != to => Spot::Link { bundle, from },
        _ if from == to => Spot::Node(from),
        _ => return None,
    })
}

/// The node to which a key leads from another: the nearest in that direction.
pub fn toward(scene: &Scene, lens: &Lens, from: u32, [x, y]: Point, endpoints: bool) -> u32 {
    let here = lens.pixel(scene.node(from).at);
    let mut best = (f32::INFINITY, from);
    for (node, dot) in scene.nodes() {
        let there = lens.pixel(dot.at);
        let (dx, dy) = (there[0] - here[0], there[1] - here[1]);
        let (ahead, aside) = (dx * x + dy * y, (dx * y - dy * x).abs());
        let hidden = dot.kind == Kind::Endpoint && !endpoints;
        if hidden || ahead < 0.5 || aside > ahead * 1.2 {
            continue;
        }
        let away = ahead + 2.0 * aside;
        if away < best.0 {
            best = (away, node);
        }
    }
    best.1
}

/// The link of a node that follows another clockwise, or comes before it; without one the first
/// from straight up.
pub fn around(scene: &Scene, lens: &Lens, from: u32, last: Option<(u32, bool)>) -> Option<u32> {
    let here = lens.pixel(scene.node(from).at);
    let links = scene.links_of(from);
    let turn = |other: u32| {
        let there = lens.pixel(scene.node(other).at);
        clockwise([there[0] - here[0], there[1] - here[1]])
    };
    let (start, ahead) = match last {
        Some((bundle, ahead)) => (turn(scene.other_end(bundle, from)), ahead),
        None => (0.0, true),
    };
    let mut best = (f32::INFINITY, None);
    for (bundle, other) in links {
        let mut away = if ahead { turn(other) - start } else { start - turn(other) };
        // Links in one direction follow each other by their numbers.
        let beyond = last.is_none_or(|(last, _)| if ahead { bundle > last } else { bundle < last });
        if away < 0.0 || (away == 0.0 && !beyond) {
            away += 4.0;
        }
        let nearer = away < best.0 || (away == best.0 && !ahead);
        if nearer && last.is_none_or(|(last, _)| bundle != last) {
            best = (away, Some(bundle));
        }
    }
    best.1
}

/// A number that grows clockwise with a direction, from straight up.
fn clockwise([x, y]: Point) -> f32 {
    let length = (x * x + y * y).sqrt().max(f32::MIN_POSITIVE);
    if x >= 0.0 { 1.0 + y / length } else { 3.0 - y / length }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_grow_clockwise() {
        let turns = [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]].map(clockwise);
        assert_eq!(turns, [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_piece_is_as_near_as_its_nearest_place() {
        assert_eq!(to_piece([2.0, 3.0], [0.0, 0.0], [4.0, 0.0]), 9.0);
        assert_eq!(to_piece([7.0, 4.0], [0.0, 0.0], [4.0, 0.0]), 25.0);
        assert_eq!(to_piece([3.0, 4.0], [0.0, 0.0], [0.0, 0.0]), 25.0);
    }
}
