//! Symmetries of a network: what is true of one switch is true of its images.

use super::graph::Graph;
use crate::network::sets::Sets;
use crate::network::{Grid, Structure};

/// A vertex with endpoints and how many vertices, itself included, look the same from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Source {
    /// The vertex.
    pub(super) vertex: u32,
    /// The number of vertices that it stands for.
    pub(super) stands_for: u32,
}

/// One vertex with endpoints out of each class of those that look the same. Only renumberings
/// that were found to leave the graph as it is are used, so faults and odd wirings do no harm.
pub(super) fn sources(graph: &Graph, structure: &Structure) -> Vec<Source> {
    let mut classes = Sets::new(graph.vertex_count() as usize);
    if (0..graph.vertex_count()).all(|vertex| graph.is_switch(vertex)) {
        for image in candidates(structure, graph.vertex_count()) {
            if graph.is_symmetry(&image) {
                for (vertex, to) in (0..).zip(image) {
                    classes.join(vertex, to as usize);
                }
            }
        }
    }
    let mut sizes = vec![0; graph.vertex_count() as usize];
    for vertex in graph.places() {
        sizes[classes.find(vertex as usize)] += 1;
    }
    let source = |vertex| Source { vertex, stands_for: sizes[vertex as usize] };
    graph.places().map(source).filter(|source| source.stands_for > 0).collect()
}

/// Renumberings that may be symmetries: of a grid rotations, mirrors and exchanges of two
/// coordinates, of a dragonfly the step to the next group.
fn candidates(structure: &Structure, count: u32) -> Vec<Vec<u32>> {
    match structure {
        Structure::Grid(grid) => of_grid(grid, count),
        Structure::Groups(groups) => {
            let step = groups.switches_per_group;
            vec![(0..count).map(|switch| (switch + step) % count).collect()]
        }
        _ => Vec::new(),
    }
}

fn of_grid(grid: &Grid, count: u32) -> Vec<Vec<u32>> {
    let mut images = Vec::new();
    let mut stride = 1;
    for (place, width) in grid.widths.iter().copied().enumerate() {
        let changed = |change: &dyn Fn(u32) -> u32| -> Vec<u32> {
            let image = |switch: u32| {
                let digit = switch / stride % width;
                switch - digit * stride + change(digit) * stride
            };
            (0..count).map(image).collect()
        };
        images.push(changed(&|digit| (digit + 1) % width));
        images.push(changed(&|digit| width - 1 - digit));
        let alike = grid.widths[place + 1..].iter().position(|other| *other == width);
        if let Some(distance) = alike {
            let between: u32 = grid.widths[place..=place + distance].iter().product();
            images.push(exchanged(count, width, [stride, stride * between]));
        }
        stride *= width;
    }
    images
}

/// Every switch with the digits of these two strides exchanged.
fn exchanged(count: u32, width: u32, [low, high]: [u32; 2]) -> Vec<u32> {
    let image = |switch: u32| {
        let [here, there] = [low, high].map(|stride| switch / stride % width);
        switch - here * low - there * high + there * low + here * high
    };
    (0..count).map(image).collect()
}
