//! The numbers of a fabric: what it costs, how far its endpoints are apart, how many ways there
//! are between them, and how much crosses its middle (Prisacari 2020, §7.2).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::network::{Network, Node, PortId};

use bisection::{Bisector, Cut};
use distances::Distances;
use graph::Graph;
use paths::Paths;

mod bisection;
mod distances;
mod graph;
mod paths;
mod symmetry;

/// The numbers of a fabric. What a [`Survey`] does not know yet is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Live endpoints: those with a link.
    pub endpoints: u32,
    /// Endpoint slots, empty ones included.
    pub slots: u32,
    /// Switches, with or without links.
    pub switches: u32,
    /// Links, those of the endpoints included.
    pub links: u32,
    /// The largest number of ports of a switch, cabled or not: what one must buy.
    pub radix: u32,
    /// Cabled switch ports per live endpoint (Prisacari 2020, §7.2).
    pub ports_per_endpoint: f64,
    /// Links per live endpoint, its own included (Prisacari 2020, §7.2).
    pub links_per_endpoint: f64,
    /// The largest number of links between switches on a shortest path between endpoints; 0 when
    /// all are on one switch.
    pub diameter: Option<u32>,
    /// The mean number of links between switches on a shortest path, over all ordered pairs of
    /// different live endpoints with a path; a pair on one switch counts as 0.
    pub mean_distance: Option<f64>,
    /// Ordered pairs of different live endpoints without a path between them.
    pub unconnected_pairs: Option<u64>,
    /// Whether distances come from a random sample of the endpoints' switches, so that the
    /// diameter is only the largest found, the mean and the unconnected pairs estimates: where
    /// looking at all of them would take more than 2³⁰ steps.
    pub distances_sampled: bool,
    /// Shortest paths between switches; none when there is no such pair.
    pub diversity: Option<Diversity>,
    /// The best cut found, as bandwidth per endpoint: the bandwidth of the links that are cut,
    /// over that of all endpoints of the smaller half. An upper bound of the bisection bandwidth
    /// per endpoint.
    pub bisection_per_endpoint: Option<f64>,
    /// That cut; none with fewer than two endpoints.
    pub bisection: Option<Bisection>,
}

/// Numbers of shortest paths between two switches, over all pairs that carry endpoints and are
/// not adjacent (Prisacari 2020, §7.2.3.3): all switches of direct networks, those at the edge of
/// the others. Parallel links make different paths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diversity {
    /// The mean; exact up to 2⁵³.
    pub mean: f64,
    /// The maximum; exact up to 2⁵³.
    pub max: f64,
    /// Whether both come from a random sample of the switches: where counting from all of them
    /// would take more than 2³⁰ steps.
    pub sampled: bool,
}

/// A cut that leaves half of the endpoints (rounded down) on one side, the others on the other.
/// It is the smallest that was found, which need not be the smallest that there is.
///
/// Whole switches change sides. Where that leaves the sides unequal, by no more than the most
/// endpoints of one switch, single endpoints are moved to make up for it, and their links count
/// as cut.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bisection {
    /// Links that are cut, without those of single endpoints.
    pub links: u32,
    /// Endpoints that were moved one by one.
    pub moved: u32,
    /// Endpoints of the smaller half.
    pub half: u32,
}

/// Computes [`Numbers`] bit by bit: counts at once, then distances, paths and the cut.
pub struct Survey {
    network: Arc<Network>,
    graph: Graph,
    distances: Distances,
    paths: Paths,
    bisector: Bisector,
    numbers: Numbers,
    stage: Stage,
}

/// What is being computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Distances,
    Paths,
    Bisection,
    Done,
}

impl Survey {
    /// Counts what can be counted at once.
    pub fn new(network: Arc<Network>) -> Survey {
        let graph = Graph::new(&network);
        let sources = symmetry::sources(&graph, network.structure());
        Survey {
            distances: Distances::new(&graph, &sources),
            paths: Paths::new(&graph, &sources),
            bisector: Bisector::new(&network, &graph),
            numbers: counts(&network),
            stage: Stage::Distances,
            network,
            graph,
        }
    }

    /// Goes on for about `budget` steps from a switch to a neighbor (some nanoseconds each);
    /// whether all is done.
    pub fn advance(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while self.stage != Stage::Done {
            let work = match self.stage {
                Stage::Distances => self.distances.step(&self.graph),
                Stage::Paths => self.paths.step(&self.graph),
                Stage::Bisection => self.bisector.step(),
                Stage::Done => None,
            };
            match work {
                None => self.conclude(),
                Some(work) if work >= left => break,
                Some(work) => left -= work,
            }
        }
        self.stage == Stage::Done
    }

    /// What is known so far.
    pub fn numbers(&self) -> Numbers {
        self.numbers.clone()
    }

    /// Which switches are on the second side of the best cut found so far.
    pub fn sides(&self) -> Option<&[bool]> {
        self.bisector.sides().map(|sides| &sides[..self.network.switch_count() as usize])
    }

    /// Notes what a stage has found and goes on to the next.
    fn conclude(&mut self) {
        self.stage = match self.stage {
            Stage::Distances => {
                self.note_distances();
                Stage::Paths
            }
            Stage::Paths => {
                let found = self.paths.found();
                self.numbers.diversity =
                    found.map(|(mean, max, sampled)| Diversity { mean, max, sampled });
                Stage::Bisection
            }
            Stage::Bisection | Stage::Done => {
                let sides = self.bisector.sides();
                let cut = sides.and_then(|sides| Cut::new(&self.network, &self.graph, sides));
                self.numbers.bisection_per_endpoint = cut.map(|cut| cut.per_endpoint);
                self.numbers.bisection =
                    cut.map(|Cut { links, moved, half, .. }| Bisection { links, moved, half });
                Stage::Done
            }
        };
    }

    fn note_distances(&mut self) {
        let (tally, sampled) = self.distances.tally();
        // An endpoint is no pair with itself.
        let connected = tally.connected - tally.starts;
        let live = u128::from(self.numbers.endpoints);
        let placed = u128::from(self.graph.endpoint_count());
        let apart = (tally.pairs - tally.connected) * placed / tally.starts.max(1);
        let stranded = live * live.saturating_sub(1) - placed * placed.saturating_sub(1);
        let numbers = &mut self.numbers;
        numbers.distances_sampled = sampled;
        numbers.unconnected_pairs = u64::try_from(apart + stranded).ok();
        numbers.diameter = Some(tally.diameter);
        numbers.mean_distance = (connected > 0).then(|| tally.hops as f64 / connected as f64);
    }
}

/// What needs no search.
fn counts(network: &Network) -> Numbers {
    let ports = network.switches().flat_map(|switch| network.ports(Node::Switch(switch)));
    let ports = ports.filter(|port| network.peer(PortId(*port)).is_some()).count();
    let endpoints = network.live_endpoint_count();
    let links = network.link_count();
    let per_endpoint = |count: f64| count / f64::from(endpoints.max(1));
    Numbers {
        endpoints,
        slots: network.endpoint_count(),
        switches: network.switch_count(),
        links,
        radix: network.radix(),
        ports_per_endpoint: per_endpoint(ports as f64),
        links_per_endpoint: per_endpoint(f64::from(links)),
        diameter: None,
        mean_distance: None,
        unconnected_pairs: None,
        distances_sampled: false,
        diversity: None,
        bisection_per_endpoint: None,
        bisection: None,
    }
}
