//! Which level each switch is on: guesses, of which the one that fits best is taken.

use std::collections::VecDeque;

use super::cluster::{heaviest, mode, summed};
use super::component::Component;

/// The level of every switch of a component, from 1.
pub(super) type Levels = Vec<u32>;

/// No tree is taken to be higher.
pub(super) const HIGHEST: u32 = 32;

/// Guesses, the plainest first; none when no switch has an endpoint.
///
/// 1. Switches with endpoints are on level 1, the others as far above as their distance from
///    those (Zahavi 2009, Alg. 1, takes the levels for given).
/// 2. The same, where each switch then follows those with which it shares several neighbors: in
///    a tree these are on its own level. That corrects endpoints on upper switches, leaf
///    switches without any, and single cables that lead to a wrong level.
/// 3. From below, where a switch with few endpoints or few links down, compared to the others,
///    has to wait: that serves trees in which no switches share several neighbors.
pub(super) fn guesses(component: &Component) -> Vec<fn(&Component) -> Levels> {
    match component.endpoints.iter().any(|count| *count > 0) {
        true => vec![by_distance, by_twins, by_growth],
        false => Vec::new(),
    }
}

fn by_distance(component: &Component) -> Levels {
    let leaves = component.endpoints.iter().map(|count| u32::from(*count > 0)).collect();
    spread(component, leaves)
}

/// Gives every switch without a level (0) one more than its nearest switch that has one.
fn spread(component: &Component, mut levels: Levels) -> Levels {
    let known = (0..component.len()).filter(|switch| levels[*switch as usize] > 0);
    let mut queue: VecDeque<u32> = known.collect();
    while let Some(switch) = queue.pop_front() {
        for (neighbor, _) in &component.neighbors[switch as usize] {
            if levels[*neighbor as usize] == 0 {
                levels[*neighbor as usize] = levels[switch as usize] + 1;
                queue.push_back(*neighbor);
            }
        }
    }
    levels
}

fn by_twins(component: &Component) -> Levels {
    const ROUNDS: usize = 4;
    let mut levels = by_distance(component);
    let mut shared = vec![0_u32; component.switches.len()];
    for _ in 0..ROUNDS {
        let corrected = (0..component.len())
            .map(|switch| {
                let votes = twin_votes(component, &levels, switch, &mut shared);
                let own = levels[switch as usize];
                let for_own = votes.iter().find(|(level, _)| *level == own).map_or(0, |v| v.1);
                match heaviest(votes.into_iter()) {
                    Some((level, votes)) if votes > for_own => level,
                    _ => own,
                }
            })
            .collect();
        if corrected == levels {
            break;
        }
        levels = corrected;
    }
    levels
}

/// The levels of those that share at least two neighbors with a switch, each with how many. Two
/// switches that are two levels apart share one at most. `shared` is scratch, all 0.
fn twin_votes(
    component: &Component,
    levels: &[u32],
    switch: u32,
    shared: &mut [u32],
) -> Vec<(u32, u32)> {
    let mut touched = Vec::new();
    for (neighbor, _) in &component.neighbors[switch as usize] {
        for (twin, _) in &component.neighbors[*neighbor as usize] {
            if *twin != switch {
                if shared[*twin as usize] == 0 {
                    touched.push(*twin);
                }
                shared[*twin as usize] += 1;
            }
        }
    }
    let mut votes = Vec::new();
    for twin in touched {
        let common = std::mem::take(&mut shared[twin as usize]);
        if common >= 2 {
            votes.push((levels[twin as usize], common));
        }
    }
    summed(votes)
}

fn by_growth(component: &Component) -> Levels {
    let most = component.endpoints.iter().copied().max().unwrap_or(0);
    let mut levels: Levels =
        component.endpoints.iter().map(|count| u32::from(2 * count >= most)).collect();
    for level in 1..HIGHEST {
        let links_down = |switch: u32| -> u32 {
            let neighbors = component.neighbors[switch as usize].iter();
            let down = neighbors.filter(|(neighbor, _)| levels[*neighbor as usize] == level);
            down.map(|(_, links)| links).sum()
        };
        let unknown = (0..component.len()).filter(|switch| levels[*switch as usize] == 0);
        let candidates: Vec<(u32, u32)> =
            unknown.map(|switch| (switch, links_down(switch))).filter(|(_, n)| *n > 0).collect();
        let usual = mode(candidates.iter().map(|(_, links)| *links));
        if candidates.is_empty() {
            break;
        }
        for (switch, _) in candidates.iter().filter(|(_, links)| 2 * links >= usual) {
            levels[*switch as usize] = level + 1;
        }
    }
    // Leaf switches with few endpoints are still without a level, next to those of level 2.
    let late =
        (0..component.switches.len()).filter(|s| levels[*s] == 0 && component.endpoints[*s] > 0);
    let late: Vec<usize> = late.collect();
    for switch in late {
        let neighbors = component.neighbors[switch].iter();
        let around = neighbors.map(|(neighbor, links)| (levels[*neighbor as usize], *links));
        if heaviest(around).is_some_and(|(level, _)| level == 2) {
            levels[switch] = 1;
        }
    }
    spread(component, levels)
}
