//! What is drawn over the canvas: the node or link that is pointed at, and what it is joined to.

use std::fmt::Write;

use super::lens::Lens;
use super::paint::distance;
use super::scene::{Point, Scene, Spot, on_curve};
use dragontree_worker::Kind;

/// A node with more links than this is drawn without them.
const MOST: usize = 600;

/// The markup; none when nothing is pointed at and nothing traced.
pub fn markup(
    scene: &Scene,
    lens: &Lens,
    window: Point,
    read: Option<Spot>,
    pinned: Option<Spot>,
    trail: &[(u32, bool)],
) -> Option<String> {
    if read.is_none() && trail.is_empty() {
        return None;
    }
    let [width, height] = window.map(f64::from);
    let mut marks = String::new();
    trace(scene, lens, trail, &mut marks);
    if let Some(pinned) = pinned.filter(|pinned| Some(*pinned) != read) {
        mark(scene, lens, pinned, false, &mut marks);
    }
    if let Some(read) = read {
        mark(scene, lens, read, true, &mut marks);
    }
    Some(format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">{marks}</svg>"
    ))
}

/// Marks a spot; the one that is read out with all that belongs to it.
fn mark(scene: &Scene, lens: &Lens, spot: Spot, read: bool, marks: &mut String) {
    if scene.picture.matrix {
        mark_cells(scene, lens, spot, marks);
        return;
    }
    match spot {
        Spot::Node(node) => {
            let links = scene.links_of(node);
            if read && links.len() <= MOST {
                let mut path = String::new();
                links.iter().for_each(|(bundle, _)| curve(scene, lens, *bundle, &mut path));
                let _ = write!(marks, "<path class=\"joined\" d=\"{path}\"/>");
            }
            circle(scene, lens, node, marks);
        }
        Spot::Link { bundle, .. } => {
            let mut path = String::new();
            curve(scene, lens, bundle, &mut path);
            let _ = write!(
                marks,
                "<path class=\"halo\" d=\"{path}\"/><path class=\"chosen\" d=\"{path}\"/>"
            );
            scene.bundle(bundle).ends.iter().for_each(|end| circle(scene, lens, *end, marks));
        }
    }
}

/// Draws channels one after the other, each with an arrow in the middle.
fn trace(scene: &Scene, lens: &Lens, trail: &[(u32, bool)], marks: &mut String) {
    if scene.picture.matrix {
        for (bundle, forward) in trail {
            let from = scene.bundle(*bundle).ends[usize::from(!forward)];
            mark_cells(scene, lens, Spot::Link { bundle: *bundle, from }, marks);
        }
        return;
    }
    let (mut path, mut arrows) = (String::new(), String::new());
    for (bundle, forward) in trail {
        curve(scene, lens, *bundle, &mut path);
        arrow(scene, lens, *bundle, *forward, &mut arrows);
    }
    let _ = write!(
        marks,
        "<path class=\"halo\" d=\"{path}\"/><path class=\"traced\" d=\"{path}\"/>\
         <path class=\"arrows\" d=\"{arrows}\"/>"
    );
}

/// A triangle in the middle of a link, where there is room for one.
fn arrow(scene: &Scene, lens: &Lens, bundle: u32, forward: bool, path: &mut String) {
    let bundle = scene.bundle(bundle);
    let [one, other] = bundle.ends.map(|end| scene.node(end).at);
    let mut curve = [one, bundle.control, other].map(|at| lens.pixel(at));
    if !forward {
        curve.reverse();
    }
    let length = distance(curve[0], curve[2]);
    if length.is_nan() || length < 14.0 {
        return;
    }
    let at = |back: f32| on_curve(curve, 0.5 + (4.5 - back) / length);
    let (tip, tail) = (at(0.0), at(9.0));
    let long = distance(tip, tail).max(0.1);
    let side = [(tail[1] - tip[1]) / long * 4.5, (tip[0] - tail[0]) / long * 4.5];
    let corners =
        [tip, [tail[0] + side[0], tail[1] + side[1]], [tail[0] - side[0], tail[1] - side[1]]];
    for ([x, y], to) in corners.map(|corner| corner.map(f64::from)).into_iter().zip(["M", "L", "L"])
    {
        let _ = write!(path, "{to}{x:.1} {y:.1}");
    }
    path.push('Z');
}

fn circle(scene: &Scene, lens: &Lens, node: u32, marks: &mut String) {
    let dot = scene.node(node);
    let radius = if dot.kind == Kind::Endpoint { 4 } else { 7 };
    let [x, y] = lens.pixel(dot.at).map(f64::from);
    if x.is_finite() {
        let _ = write!(marks, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>");
    }
}

fn curve(scene: &Scene, lens: &Lens, bundle: u32, path: &mut String) {
    let bundle = scene.bundle(bundle);
    let [one, other] = bundle.ends.map(|end| scene.node(end).at);
    let [from, control, to] = [one, bundle.control, other].map(|at| lens.pixel(at).map(f64::from));
    if from[0].is_finite() && to[0].is_finite() {
        let _ = write!(
            path,
            "M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            from[0], from[1], control[0], control[1], to[0], to[1]
        );
    }
}

/// A node's row and column, or the cell of a link.
fn mark_cells(scene: &Scene, lens: &Lens, spot: Spot, marks: &mut String) {
    let side = 1.0 / scene.picture.node_count() as f32;
    let mut cell = |[x, y]: [f32; 2], [width, height]: [f32; 2]| {
        let [left, top] = lens.pixel([x, y]).map(f64::from);
        let [right, bottom] = lens.pixel([x + width, y + height]).map(f64::from);
        let _ = write!(
            marks,
            "<path class=\"cell\" d=\"M{:.1} {:.1}H{:.1}V{:.1}H{:.1}Z\"/>",
            left - 1.0,
            top - 1.0,
            right + 1.0,
            bottom + 1.0,
            left - 1.0
        );
    };
    match spot {
        Spot::Node(node) => {
            let at = node as f32 * side;
            cell([0.0, at], [1.0, side]);
            cell([at, 0.0], [side, 1.0]);
        }
        Spot::Link { bundle, from } => {
            let [one, other] = scene.bundle(bundle).ends;
            let to = if from == one { other } else { one };
            cell([to as f32 * side, from as f32 * side], [side, side]);
        }
    }
}
