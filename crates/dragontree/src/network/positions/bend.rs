//! How links are curved.

use super::Point;

/// How links are curved, so that those in one line do not hide behind one another.
#[derive(Clone, Debug, PartialEq)]
pub enum Bend {
    /// They are straight.
    None,
    /// Those longer than `beyond` are drawn towards a center.
    Inward {
        /// The center.
        center: Point,
        /// Shorter ones are straight.
        beyond: f32,
    },
    /// Those that run along a line of nodes, past some of them, step aside.
    Aside(Vec<Line>),
}

/// A direction in which nodes stand in line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// From a node to the next.
    pub step: Point,
    /// How far the longest link steps aside.
    pub aside: Point,
    /// How many steps the longest link takes.
    pub longest: f32,
}

/// How far towards the center a link is drawn.
const PULL: f32 = 0.8;
/// How far a link steps aside that passes one node, as a share of the longest one's step.
const LEAST: f32 = 0.3;

impl Bend {
    /// The control point of the quadratic curve from one place to another.
    pub fn control(&self, one: Point, other: Point) -> Point {
        let middle = [0, 1].map(|side: usize| (one[side] + other[side]) / 2.0);
        let delta = [other[0] - one[0], other[1] - one[1]];
        let aside = match self {
            Bend::None => [0.0; 2],
            Bend::Inward { beyond, .. }
                if delta[0] * delta[0] + delta[1] * delta[1] <= beyond * beyond =>
            {
                [0.0; 2]
            }
            Bend::Inward { center, .. } => {
                [0, 1].map(|side: usize| (center[side] - middle[side]) * PULL)
            }
            Bend::Aside(lines) => {
                lines.iter().find_map(|line| line.aside(delta)).unwrap_or_default()
            }
        };
        [middle[0] + aside[0], middle[1] + aside[1]]
    }

    /// Follows a drawing whose points were moved and whose lengths were scaled.
    pub(super) fn scale(&mut self, moved: impl Fn(&mut Point), scale: Point) {
        match self {
            Bend::None => {}
            Bend::Inward { center, beyond } => {
                moved(center);
                *beyond *= scale[0];
            }
            Bend::Aside(lines) => {
                for line in lines {
                    for side in 0..2 {
                        line.step[side] *= scale[side];
                        line.aside[side] *= scale[side];
                    }
                }
            }
        }
    }

    /// Where so many nodes of a line are drawn as one, the next of those is no detour.
    pub(super) fn coarsen(&mut self, factor: f32) {
        if let Bend::Aside(lines) = self {
            for line in lines {
                line.step = line.step.map(|side| side * factor);
                line.longest /= factor;
            }
        }
    }
}

impl Line {
    /// How far a link steps aside; none when it does not run along this line or passes no node.
    fn aside(&self, delta: Point) -> Option<Point> {
        let [x, y] = self.step;
        let square = x * x + y * y;
        let steps = ((delta[0] * x + delta[1] * y) / square).abs();
        let off = (delta[0] * y - delta[1] * x) / square;
        if steps < 1.5 || off.abs() > 0.01 {
            return None;
        }
        let share = (steps - 1.0) / (self.longest - 1.0).max(1.0);
        let share = LEAST + (1.0 - LEAST) * share.min(1.0);
        Some(self.aside.map(|side| side * share))
    }
}
