//! Which switches are roots.

use std::collections::VecDeque;

use super::{RootMode, Roots};
use crate::network::SwitchId;
use crate::routing::tables::{FAR, Graph};

/// Distances from here on are not told apart from no way at all, as in OpenSM.
const FARTHEST: u32 = 64;

/// The roots of every connected piece of the fabric, at least one each.
pub(super) fn find_roots(graph: &Graph, roots: &Roots, mode: RootMode) -> Vec<SwitchId> {
    let given: &[u32] = match roots {
        Roots::Auto => &[],
        Roots::Given(given) => given,
    };
    let mut found = Vec::new();
    for piece in pieces(graph) {
        let here = |root: &SwitchId| piece.binary_search(root).is_ok();
        let mut own: Vec<SwitchId> = given.iter().copied().map(SwitchId).filter(here).collect();
        if own.is_empty() {
            own = spines(graph, &piece);
        }
        if own.is_empty() {
            own.extend(most_linked(graph, &piece));
        }
        if mode == RootMode::Single {
            own.truncate(1);
        }
        found.extend(own);
    }
    found
}

/// The connected pieces of the fabric, each in the order of the switches' ids.
fn pieces(graph: &Graph) -> Vec<Vec<SwitchId>> {
    let mut seen = vec![false; graph.switch_count()];
    let mut pieces = Vec::new();
    for start in (0..graph.switch_count() as u32).map(SwitchId) {
        if seen[start.index()] {
            continue;
        }
        seen[start.index()] = true;
        let mut piece = vec![start];
        let mut next = 0;
        while let Some(switch) = piece.get(next).copied() {
            next += 1;
            for edge in graph.edges_from(switch) {
                if !std::mem::replace(&mut seen[edge.to.index()], true) {
                    piece.push(edge.to);
                }
            }
        }
        piece.sort_unstable();
        pieces.push(piece);
    }
    pieces
}

/// The switches that OpenSM takes for roots, in the order in which it visits them: they have more
/// than nine tenths of the endpoint ports at one distance, and more than a twentieth at no other.
/// Only the nearest to the endpoints are kept: with more than twenty leaves a leaf has less than a
/// twentieth on itself, and OpenSM takes every switch of the tree for a root.
fn spines(graph: &Graph, piece: &[SwitchId]) -> Vec<SwitchId> {
    let ports = |switch: &SwitchId| graph.endpoints_at(*switch).len() as u64;
    let all: u64 = piece.iter().map(ports).sum();
    let mut distances = vec![FAR; graph.switch_count()];
    let mut queue = VecDeque::new();
    let mut distance_of_nearly_all = |switch: &SwitchId| {
        distances.fill(FAR);
        graph.measure(&[*switch], &mut distances, &mut queue);
        let mut at = vec![0; FARTHEST as usize];
        for other in piece {
            if let Some(bar) = at.get_mut(distances[other.index()] as usize) {
                *bar += ports(other);
            }
        }
        let some = at.iter().filter(|bar| **bar * 20 > all).count();
        at.iter().position(|bar| *bar * 10 > all * 9).filter(|_| some == 1)
    };
    let here = |switch: &&SwitchId| piece.binary_search(switch).is_ok();
    let candidates = graph.order().iter().filter(here);
    let spines: Vec<(usize, SwitchId)> = candidates
        .filter_map(|switch| distance_of_nearly_all(switch).map(|distance| (distance, *switch)))
        .collect();
    let nearest = spines.iter().map(|(distance, _)| *distance).min();
    let kept = spines.into_iter().filter(|(distance, _)| Some(*distance) == nearest);
    kept.map(|(_, switch)| switch).collect()
}

/// The switch with the most links to others, the first in OpenSM's order where several have.
fn most_linked(graph: &Graph, piece: &[SwitchId]) -> Option<SwitchId> {
    let here = |switch: &&SwitchId| piece.binary_search(switch).is_ok();
    let links = |switch: &&SwitchId| std::cmp::Reverse(graph.edges_from(**switch).len());
    graph.order().iter().filter(here).min_by_key(links).copied()
}
