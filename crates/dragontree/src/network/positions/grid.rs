//! Grids: the first two dimensions are rows and columns; what further dimensions hold stands in
//! a slanting line, then a slanting square, at each of their points.

use super::bend::Line;
use super::{Bend, Point, Sheet, along, direction};
use crate::network::grids::FoundGrid;
use crate::network::{Grid, Lines, Network, SwitchId};

/// How much of the space between two points of a grid the grid at each point takes.
const NESTED: f32 = 0.62;
/// How a grid within a grid is turned, as a share of a full turn.
const SLANT: f32 = 0.09;
/// How far a link steps aside at most, as a share of the space to the next line.
const ASIDE: f32 = 0.8;
/// How wide endpoints stand below their switch, and how far, in the smallest step.
const HANGING: Point = [0.6, 0.36];

pub fn place(network: &Network, grid: &Grid) -> Sheet {
    let order: Vec<u32> = network.switches().map(|switch| switch.0).collect();
    at(&order, grid)
}

/// A grid that was found, its switches in any order.
pub fn found(found: &FoundGrid) -> Sheet {
    at(&found.places, &found.grid())
}

/// A grid with the place of each switch.
fn at(places: &[u32], grid: &Grid) -> Sheet {
    let wide = grid.widths.iter().filter(|width| **width > 1).count();
    match (wide, grid.lines) {
        (0 | 1, Lines::Ring | Lines::Full) => ring(places),
        _ => lattice(places, grid),
    }
}

/// A single line that is closed, or in which each is joined to each.
fn ring(places: &[u32]) -> Sheet {
    let step = 1.0 / places.len().max(1) as f32;
    let mut sheet = Sheet::new(false);
    for place in places {
        let out = direction(*place as f32 * step);
        let width = 4.0 * step.min(0.25);
        let middle = along(out, out, 2.0 * step.min(0.1));
        sheet.add(out, middle, [-out[1] * width, out[0] * width]);
    }
    sheet
}

fn lattice(places: &[u32], grid: &Grid) -> Sheet {
    let steps = steps(&grid.widths);
    let long = |step: &Point| (step[0] * step[0] + step[1] * step[1]).sqrt();
    let smallest = steps.iter().map(long).fold(1.0, f32::min);
    let [wide, below] = HANGING.map(|share| share * smallest);
    let mut sheet = Sheet::new(grid.widths.len() > 1);
    for place in places {
        let coordinates = grid.coordinates(SwitchId(*place));
        let steps = coordinates.into_iter().zip(&steps);
        let at = steps.fold([0.0; 2], |at, (place, step)| along(at, *step, place as f32));
        sheet.add(at, [at[0], at[1] + below], [wide, 0.0]);
    }
    let mut lines = Vec::new();
    for (dimension, (width, step)) in grid.widths.iter().zip(&steps).enumerate() {
        // The other line of the same square; a line alone has room of its own.
        let other = steps.get(dimension ^ 1).copied().unwrap_or([-step[1], step[0]]);
        let longest = (*width).max(2) as f32 - 1.0;
        lines.push(Line { step: *step, aside: other.map(|side| side * -ASIDE), longest });
    }
    sheet.bend = Bend::Aside(lines);
    sheet
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
            steps.push(direction(turn + dimension as f32 * 0.25).map(|side| side * scale));
        }
    }
    steps
}
