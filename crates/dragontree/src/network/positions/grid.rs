//! Grids: the first two dimensions are rows and columns; what further dimensions hold stands in
//! a slanting line, then a slanting square, at each of their points.

use super::bend::Line;
use super::{Bend, Point, Sheet, direction, hang};
use crate::network::{Grid, Lines, Network, SwitchId};

/// How much of the space between two points of a grid the grid at each point takes.
const NESTED: f32 = 0.62;
/// How a grid within a grid is turned, as a share of a full turn.
const SLANT: f32 = 0.09;
/// How far a link steps aside at most, as a share of the space to the next line.
const ASIDE: f32 = 0.8;
/// How far endpoints are from their switch, and how wide they stand, in the smallest step.
const HANGING: Point = [0.6, 0.36];

pub fn place(network: &Network, grid: &Grid) -> Sheet {
    let wide = grid.widths.iter().filter(|width| **width > 1).count();
    match (wide, grid.lines) {
        (0 | 1, Lines::Ring | Lines::Full) => ring(network),
        _ => lattice(network, grid),
    }
}

/// A single line that is closed, or in which each is joined to each.
pub fn ring(network: &Network) -> Sheet {
    let count = network.switch_count().max(1);
    let at = |turn: f32, radius: f32| {
        let out = direction(turn);
        [out[0] * radius, out[1] * radius]
    };
    let step = 1.0 / count as f32;
    let reach = 1.0 + 2.0 * step.min(0.1);
    let place = |switch: SwitchId| switch.0 as f32 * step;
    Sheet {
        switches: network.switches().map(|switch| at(place(switch), 1.0)).collect(),
        endpoints: hang(network, |switch, aside| at(place(switch) + aside * 0.7 * step, reach)),
        stretches: false,
        captions: Vec::new(),
        bend: Bend::None,
    }
}

fn lattice(network: &Network, grid: &Grid) -> Sheet {
    let steps = steps(&grid.widths);
    let at = |switch: SwitchId| {
        let mut at = [0.0, 0.0];
        for (place, step) in grid.coordinates(switch).into_iter().zip(&steps) {
            at[0] += place as f32 * step[0];
            at[1] += place as f32 * step[1];
        }
        at
    };
    let long = |step: &Point| (step[0] * step[0] + step[1] * step[1]).sqrt();
    let smallest = steps.iter().map(long).fold(1.0, f32::min);
    let [wide, below] = HANGING;
    let endpoints = hang(network, |switch, aside| {
        let [x, y] = at(switch);
        [x + aside * wide * smallest, y + below * smallest]
    });
    let line = |(dimension, width): (usize, &u32)| {
        let step = steps[dimension];
        // The other line of the same square; a line alone has room of its own.
        let other = steps.get(dimension ^ 1).copied().unwrap_or([-step[1], step[0]]);
        let aside = [other[0] * -ASIDE, other[1] * -ASIDE];
        Line { step, aside, longest: (*width).max(2) as f32 - 1.0 }
    };
    Sheet {
        switches: network.switches().map(at).collect(),
        endpoints,
        stretches: grid.widths.len() > 1,
        captions: Vec::new(),
        bend: Bend::Aside(grid.widths.iter().enumerate().map(line).collect()),
    }
}

/// From a switch to the next in each dimension.
fn steps(widths: &[u32]) -> Vec<Point> {
    let (mut scale, mut turn) = (1.0_f32, 0.25_f32);
    let mut steps = Vec::new();
    for (index, pair) in widths.chunks(2).enumerate() {
        if index > 0 {
            let most = pair.iter().copied().max().unwrap_or(1).max(2);
            scale *= NESTED / most as f32;
            turn += SLANT;
        }
        for dimension in 0..pair.len() {
            let [x, y] = direction(turn + dimension as f32 * 0.25);
            steps.push([x * scale, y * scale]);
        }
    }
    steps
}
