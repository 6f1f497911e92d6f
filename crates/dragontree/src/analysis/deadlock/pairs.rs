//! The dependencies of routes that are no tables: every choice of every pair is walked. Pairs
//! that take the same ways are walked once.

use super::Tally;
use super::graph::Graph;
use crate::analysis::path::PathFinder;
use crate::network::{EndpointId, Network, Node};
use crate::routing::{Oblivious, Pair, Sharing};
use crate::sorting::sort_by_number;

/// The pairs of endpoints, one source (or all sources on a switch) after the other.
pub(super) struct Pairs {
    /// Sources that take the same ways; without those, each for itself.
    sources: Vec<Vec<EndpointId>>,
    /// Likewise destinations.
    destinations: Vec<Vec<EndpointId>>,
    next: usize,
    finder: PathFinder,
}

impl Pairs {
    /// The pairs of all endpoints that have a link, or none.
    pub fn new(network: &Network, sharing: Sharing, endpoints: bool) -> Pairs {
        let live = |endpoint: &EndpointId| endpoints && network.injection(*endpoint).is_some();
        let live: Vec<EndpointId> = network.endpoints().filter(live).collect();
        // An endpoint with several ports may be reached through switches it does not inject into.
        let single = live.iter().all(|endpoint| network.cabled_ports(*endpoint) == 1);
        let alone = || live.iter().map(|endpoint| vec![*endpoint]).collect();
        let together = || by_switch(network, &live);
        let (sources, destinations) = match sharing {
            Sharing::Sources if single => (together(), alone()),
            Sharing::Destinations if single => (alone(), together()),
            Sharing::Switches if single => (together(), together()),
            _ => (alone(), alone()),
        };
        Pairs { sources, destinations, next: 0, finder: PathFinder::default() }
    }

    pub fn work(&self) -> u64 {
        self.sources.len() as u64 * self.destinations.len() as u64
    }

    pub fn share(&self) -> f64 {
        self.next as f64 / self.sources.len().max(1) as f64
    }

    /// Walks about `budget` pairs; whether all are done.
    pub fn advance(
        &mut self,
        network: &Network,
        routes: &dyn Oblivious,
        graph: &mut Graph,
        found: &mut Tally,
        budget: u64,
    ) -> bool {
        let mut left = budget;
        let Pairs { sources, destinations, next, finder } = self;
        while let Some(sources) = sources.get(*next) {
            if left == 0 {
                return false;
            }
            left = left.saturating_sub(destinations.len().max(1) as u64);
            for destinations in &*destinations {
                walk(finder, network, routes, [sources, destinations], graph, found);
            }
            *next += 1;
        }
        true
    }
}

fn by_switch(network: &Network, live: &[EndpointId]) -> Vec<Vec<EndpointId>> {
    let mut sorted = live.to_vec();
    sort_by_number(&mut sorted, |endpoint| {
        network.switch_of(*endpoint).map_or(0, |switch| u128::from(switch.0) + 1)
    });
    let same =
        |one: &EndpointId, other: &EndpointId| network.switch_of(*one) == network.switch_of(*other);
    sorted.chunk_by(same).map(<[EndpointId]>::to_vec).collect()
}

/// Walks one pair for all of a bundle.
fn walk(
    finder: &mut PathFinder,
    network: &Network,
    routes: &dyn Oblivious,
    [sources, destinations]: [&[EndpointId]; 2],
    graph: &mut Graph,
    found: &mut Tally,
) {
    let other = |destination: &EndpointId| {
        let mut sources = sources.iter().copied();
        sources.find(|source| source != destination).map(|source| (source, *destination))
    };
    let Some((source, destination)) = destinations.iter().rev().find_map(other) else { return };
    // In a bundle within one switch every endpoint is also a source of the others.
    let same = sources.iter().filter(|source| destinations.contains(source)).count() as u64;
    let count = sources.len() as u64 * destinations.len() as u64 - same;
    found.pairs += count;
    let last = graph.last_lane();
    let pair = Pair { source, destination };
    let outcome = finder.paths(network, routes, pair, &mut |path, _| {
        let between = path.get(1..path.len() - 1).unwrap_or_default();
        for steps in between.windows(2) {
            let [mut held, mut needed] = [steps[0], steps[1]];
            held.vc = held.vc.min(last);
            needed.vc = needed.vc.min(last);
            if let Node::Switch(at) = network.owner(needed.port) {
                graph.add(network, held, at, needed, (source.0, destination.0));
            }
        }
    });
    if outcome.is_err() {
        found.unroutable += count;
    }
}

/// The nodes of a pair.
pub(super) fn ends(source: u32, destination: u32) -> (Node, Node) {
    (Node::Endpoint(EndpointId(source)), Node::Endpoint(EndpointId(destination)))
}
