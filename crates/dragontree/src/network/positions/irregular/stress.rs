//! Distances on the page that are those in the network, as well as a plane allows: classical
//! scaling from some pivots (Brandes & Pich 2007), then majorization of the sparse stress (Ortmann,
//! Klimenta & Brandes 2017): each node is moved to where its neighbors and the pivots want it,
//! a pivot counting for all nodes that are nearest to it and not too near to the node.
//!
//! Nothing is drawn at random, and numbers are only added, multiplied, divided and their roots
//! taken, in a fixed order: the drawing is the same everywhere.

use super::super::direction;
use super::page::Spot;
use crate::network::graph::Graph;

/// The most pivots; with up to so many nodes each is one, and the stress is that of all pairs.
const PIVOTS: usize = 200;
/// About how many pairs of a node and a pivot are looked at in all rounds: bounds the time.
const WORK: usize = 20_000_000;
/// The fewest and the most rounds.
const ROUNDS: [usize; 2] = [12, 300];
/// The fewest pivots of a large graph.
const FEWEST: usize = 40;
/// How often the matrix is multiplied to find where the nodes reach farthest.
const POWERS: usize = 60;

/// Places the nodes of a connected graph, with neighbors about 1 apart.
pub fn layout(graph: &Graph) -> Vec<Spot> {
    let count = graph.count();
    if graph.is_complete() {
        // All distances are the same: no two places are better than others.
        let around = count as f64 / std::f64::consts::TAU;
        let turn =
            |node| direction(node as f32 / count as f32).map(|side| f64::from(side) * around);
        return (0..count).map(turn).collect();
    }
    let pivots = Pivots::of(graph);
    let mut spots = pivots.scaled();
    let rounds = (WORK / (count * pivots.count)).clamp(ROUNDS[0], ROUNDS[1]);
    for _ in 0..rounds {
        pivots.improve(graph, &mut spots);
    }
    spots
}

/// How far it is from each node to some of them.
struct Pivots {
    nodes: Vec<u32>,
    count: usize,
    /// For each node and pivot.
    pulls: Vec<Pull>,
}

/// What a pivot wants of a node.
#[derive(Clone, Copy)]
struct Pull {
    distance: f32,
    weight: f32,
}

impl Pivots {
    /// Each pivot is as far as can be from those before it.
    fn of(graph: &Graph) -> Pivots {
        let nodes = graph.count();
        let count = (WORK / ROUNDS[0] / nodes).clamp(FEWEST, PIVOTS).min(nodes);
        let mut pivots = Pivots {
            nodes: Vec::new(),
            count,
            pulls: vec![Pull { distance: 0.0, weight: 0.0 }; nodes * count],
        };
        // For each node the nearest pivot, and how far that is.
        let mut nearest = vec![(0, u32::MAX); nodes];
        let mut all = Vec::new();
        for place in 0..count {
            let farthest = (0..nodes).rev().max_by_key(|node| nearest[*node].1).unwrap_or(0) as u32;
            let distances = graph.distances(farthest);
            for (own, distance) in nearest.iter_mut().zip(&distances) {
                if *distance < own.1 {
                    *own = (place, *distance);
                }
            }
            pivots.nodes.push(farthest);
            all.push(distances);
        }
        for (place, distances) in all.iter().enumerate() {
            pivots.note(place, distances, &nearest);
        }
        pivots
    }

    /// Notes the pulls of a pivot.
    fn note(&mut self, place: usize, distances: &[u32], nearest: &[(usize, u32)]) {
        // How many nodes that are nearest to the pivot are within each distance.
        let mut within = vec![0.0_f32; distances.iter().copied().max().unwrap_or(0) as usize + 1];
        for (pivot, distance) in nearest {
            within[*distance as usize] += f32::from(u8::from(*pivot == place));
        }
        for distance in 1..within.len() {
            within[distance] += within[distance - 1];
        }
        for (node, distance) in distances.iter().enumerate() {
            let long = *distance as f32;
            // Neighbors pull by themselves.
            let weight =
                if *distance > 1 { within[*distance as usize / 2] / (long * long) } else { 0.0 };
            self.pulls[node * self.count + place] = Pull { distance: long, weight };
        }
    }

    /// The two directions in which the squared distances reach farthest, scaled to fit them best.
    fn scaled(&self) -> Vec<Spot> {
        let rows = self.centered();
        let count = self.count;
        let mut products = vec![0.0; count * count];
        for row in rows.chunks(count) {
            for (one, products) in row.iter().zip(products.chunks_mut(count)) {
                for (product, other) in products.iter_mut().zip(row) {
                    *product += one * other;
                }
            }
        }
        let first = principal(&products, &[]);
        let second = principal(&products, &first);
        let mut spots: Vec<Spot> =
            rows.chunks(count).map(|row| [dot(row, &first), dot(row, &second)]).collect();
        self.fit(&mut spots);
        spots
    }

    /// For each node and pivot minus half the square of their distance, less the means of rows and
    /// columns.
    fn centered(&self) -> Vec<f64> {
        let square = |pull: &Pull| f64::from(pull.distance) * f64::from(pull.distance) / -2.0;
        let mut rows: Vec<f64> = self.pulls.iter().map(square).collect();
        let nodes = (rows.len() / self.count) as f64;
        let mut columns = vec![0.0; self.count];
        for row in rows.chunks_mut(self.count) {
            let mean = row.iter().sum::<f64>() / self.count as f64;
            for (own, column) in row.iter_mut().zip(&mut columns) {
                *own -= mean;
                *column += *own / nodes;
            }
        }
        for row in rows.chunks_mut(self.count) {
            row.iter_mut().zip(&columns).for_each(|(own, column)| *own -= column);
        }
        rows
    }

    /// Scales a drawing so that its stress is least, and parts nodes that are in the same place.
    fn fit(&self, spots: &mut [Spot]) {
        let (mut along, mut square) = (0.0, 0.0);
        for (spot, pulls) in spots.iter().zip(self.pulls.chunks(self.count)) {
            for (pull, pivot) in pulls.iter().zip(&self.nodes) {
                let (weight, distance) = (f64::from(pull.weight), f64::from(pull.distance));
                let drawn = length(*spot, spots[*pivot as usize]);
                along += weight * distance * drawn;
                square += weight * drawn * drawn;
            }
        }
        let factor = if square > 0.0 { along / square } else { 1.0 };
        for (node, spot) in spots.iter_mut().enumerate() {
            // Multiples of the golden section never meet.
            let aside = direction((node as f64 * 0.618_033_988_749_894_9 % 1.0) as f32);
            *spot = [0, 1].map(|side: usize| spot[side] * factor + f64::from(aside[side]) * 0.01);
        }
    }

    /// Moves each node to where it is pulled, on average.
    fn improve(&self, graph: &Graph, spots: &mut [Spot]) {
        for node in 0..spots.len() {
            let at = spots[node];
            let (mut sum, mut total) = ([0.0; 2], 0.0);
            let mut pull = |other: u32, distance: f64, weight: f64| {
                let from = spots[other as usize];
                let share = distance / length(at, from).max(1e-9);
                for side in 0..2 {
                    sum[side] += weight * (from[side] + share * (at[side] - from[side]));
                }
                total += weight;
            };
            graph.neighbors(node as u32).iter().for_each(|other| pull(*other, 1.0, 1.0));
            for (wish, pivot) in self.pulls[node * self.count..].iter().zip(&self.nodes) {
                if wish.weight > 0.0 {
                    pull(*pivot, f64::from(wish.distance), f64::from(wish.weight));
                }
            }
            spots[node] = sum.map(|side| side / total);
        }
    }
}

/// The direction of unit length in which a symmetric matrix stretches most, across a given one.
fn principal(matrix: &[f64], across: &[f64]) -> Vec<f64> {
    let count = matrix.len().isqrt();
    let mut vector: Vec<f64> =
        (1..=count).map(|place| place as f64 * 0.754_877_666_246_692_7 % 1.0 - 0.5).collect();
    for _ in 0..POWERS {
        let overlap = dot(&vector, across);
        vector.iter_mut().zip(across).for_each(|(own, other)| *own -= overlap * other);
        vector = matrix.chunks(count).map(|row| dot(row, &vector)).collect();
        let long = dot(&vector, &vector).sqrt();
        let scale = if long > 0.0 { 1.0 / long } else { 0.0 };
        vector.iter_mut().for_each(|own| *own *= scale);
    }
    vector
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn length(one: Spot, other: Spot) -> f64 {
    let [dx, dy] = [one[0] - other[0], one[1] - other[1]];
    (dx * dx + dy * dy).sqrt()
}
