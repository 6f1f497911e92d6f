//! The numbers of a fabric: what it costs, how far its endpoints are apart, how many ways there
//! are between them, and how much crosses its middle (Prisacari 2020, §7.2).

use std::sync::Arc;

use crate::network::Network;

use bisection::{Bisector, Cut};
use distances::Distances;
use graph::Graph;
use paths::Paths;

mod bisection;
mod distances;
mod graph;
mod numbers;
mod paths;
mod symmetry;

pub use numbers::{Bisection, Diversity, Numbers};

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
            numbers: Numbers::count(&network),
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
