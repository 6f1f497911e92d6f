//! Which switches are roots.

use std::collections::VecDeque;

use super::{RootMode, Roots};
use crate::network::{Network, Node, SwitchId};
use crate::routing::tables::{FAR, Graph};
use crate::sorting::sort_by_number;

/// Distances from here on are not told apart from no way at all, as in OpenSM.
const FARTHEST: u32 = 64;

/// The roots of every connected piece of the fabric, at least one each.
pub(super) fn find_roots(
    network: &Network,
    graph: &Graph,
    roots: &Roots,
    mode: RootMode,
) -> Vec<SwitchId> {
    let given: &[u32] = match roots {
        Roots::Auto => &[],
        Roots::Given(given) => given,
    };
    let mut found = Vec::new();
    for piece in pieces(graph) {
        let here = |root: &SwitchId| piece.binary_search(root).is_ok();
        let mut own: Vec<SwitchId> = given.iter().copied().map(SwitchId).filter(here).collect();
        if own.is_empty() {
            own = spines(network, graph, &piece);
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
/// Of these only those at one distance are kept, the nearest from which every endpoint reaches
/// every other: with more than twenty leaves a leaf has less than a twentieth on itself, and OpenSM
/// takes every switch of the tree for a root.
fn spines(network: &Network, graph: &Graph, piece: &[SwitchId]) -> Vec<SwitchId> {
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
    let mut by_distance = vec![Vec::new(); FARTHEST as usize];
    for switch in graph.order().iter().filter(|switch| piece.binary_search(switch).is_ok()) {
        if let Some(distance) = distance_of_nearly_all(switch) {
            by_distance[distance].push(*switch);
        }
    }
    let mut groups = by_distance.into_iter().filter(|group| !group.is_empty());
    groups.find(|roots| join_all(network, graph, piece, roots)).unwrap_or_default()
}

/// The most steps that comparing all switches may take.
const MOST_STEPS: u64 = 1 << 31;

/// Whether a legal route joins every two switches with endpoints. They both go up to some root
/// then: above every other switch there is one of a lower rank.
fn join_all(network: &Network, graph: &Graph, piece: &[SwitchId], roots: &[SwitchId]) -> bool {
    let ranks = graph.distances(roots);
    let mut order = piece.to_vec();
    sort_by_number(&mut order, |switch| {
        let guid = u128::from(network.guid(Node::Switch(*switch)));
        u128::from(ranks[switch.index()]) << 96 | guid << 32 | u128::from(switch.0)
    });
    let mut places = vec![0; graph.switch_count()];
    // For each switch, in this order, a bit for each root that it goes up to; roots come first.
    let words = roots.len().div_ceil(64);
    let mut above = vec![0_u64; order.len() * words];
    let mut carriers = Vec::new();
    for (place, switch) in order.iter().enumerate() {
        places[switch.index()] = place;
        let (higher, own) = above.split_at_mut(place * words);
        if place < roots.len() {
            own[place / 64] |= 1 << (place % 64);
        }
        for edge in graph.edges_from(*switch) {
            let other = places[edge.to.index()];
            if order[other] == edge.to && other < place {
                let row = &higher[other * words..(other + 1) * words];
                own.iter_mut().zip(row).for_each(|(own, other)| *own |= other);
            }
        }
        if !graph.endpoints_at(*switch).is_empty() {
            carriers.push(place);
        }
    }
    let row = |place: usize| &above[place * words..(place + 1) * words];
    if (0..words).any(|word| carriers.iter().fold(!0, |all, place| all & row(*place)[word]) != 0) {
        return true;
    }
    let count = carriers.len() as u64;
    let meet = |one: usize, other: usize| row(one).iter().zip(row(other)).any(|(a, b)| a & b != 0);
    count * count * words as u64 <= MOST_STEPS
        && carriers.iter().all(|one| carriers.iter().all(|other| meet(*one, *other)))
}

/// The switch with the most links to others, the first in OpenSM's order where several have.
fn most_linked(graph: &Graph, piece: &[SwitchId]) -> Option<SwitchId> {
    let here = |switch: &&SwitchId| piece.binary_search(switch).is_ok();
    let links = |switch: &&SwitchId| std::cmp::Reverse(graph.edges_from(**switch).len());
    graph.order().iter().filter(here).min_by_key(links).copied()
}
