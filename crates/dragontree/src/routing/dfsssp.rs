//! DFSSSP: deadlock-free single-source shortest paths.
//!
//! From one destination after the other, endpoints first, Dijkstra's algorithm finds the paths of
//! all switches; each channel's weight then grows by the number of end ports (endpoints' and
//! switches' own) whose packets the new paths lead over it, so that later paths avoid it. A path of
//! fewer links always comes first (Hoefler, Schneider & Lumsdaine 2009). Destinations come in the
//! order of [MinHop](super::MinHop), and of equal distances counts what OpenSM's heap yields first,
//! which makes the tables those of its engine `dfsssp` (3.3.23), entry by entry.
//!
//! All paths between endpoints begin in one virtual layer. As long as their dependencies close a
//! cycle, the paths over its dependency with the fewest go to the next layer (Domke, Hoefler &
//! Nagel 2011). Paths of switches are not layered, so they can still deadlock (Bogdański et al.
//! 2012, §1). OpenSM then spreads the paths over the layers that are left, which is left out here.

use std::sync::Arc;

use super::search::{Search, Work};
use super::tables::{Graph, Unlayered, check_searches, check_turns, most_layers};
use super::{Algorithm, Routes, Tables};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::{Needs, Network, SwitchId};

mod cycles;
mod heap;
mod paths;

use cycles::Cycles;
use paths::Paths;

/// DFSSSP routing.
#[derive(Clone, Debug, PartialEq)]
pub struct Dfsssp {
    /// The most virtual layers.
    pub layers: u32,
}

impl Default for Dfsssp {
    fn default() -> Dfsssp {
        Dfsssp { layers: 8 }
    }
}

impl Settings for Dfsssp {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(most_layers(&mut self.layers));
    }
}

impl Part for Dfsssp {
    fn name(&self) -> &'static str {
        "dfsssp"
    }
    fn label(&self) -> &'static str {
        "DFSSSP"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Tables of shortest paths that avoid what others use, in as many virtual layers as it takes \
         to keep endpoints from deadlocks (OpenSM's dfsssp; Domke et al. 2011).",
        )
    }
}

impl Algorithm for Dfsssp {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        self.work(network).and_then(Work::finish).map_err(|unlayered| unlayered.needs(self.name()))
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        let found = self.work(network).and_then(Work::finish);
        found.map_err(|unlayered| vec![unlayered.problem(self.layers)])
    }

    fn begin(&self, network: &Arc<Network>, _seed: u64) -> Search {
        Search::layered(self.work(network), self.layers)
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        check_searches(network, self.name())?;
        check_turns(network, self.name())
    }
}

impl Dfsssp {
    fn work(&self, network: &Arc<Network>) -> Result<Work, Unlayered> {
        self.fits(network)?;
        Ok(Work::Dfsssp(Box::new(Finding::new(network, self.layers as u8))))
    }
}

/// Paths and layers that are being found.
pub(super) struct Finding {
    network: Arc<Network>,
    order: Vec<SwitchId>,
    /// The most layers.
    most: u8,
    stage: Stage,
}

/// What is going on.
enum Stage {
    /// Paths to the endpoints on one switch after the other, then to the switches.
    Paths {
        paths: Box<Paths>,
        turns: Turns,
        next: usize,
    },
    /// The layers of the paths.
    Layers(Box<Cycles>),
    Over,
}

impl Finding {
    /// Begins with a network, in at most so many layers.
    fn new(network: &Arc<Network>, most: u8) -> Finding {
        let graph = Arc::new(Graph::new(network));
        let order = graph.busiest_first();
        let turns = Turns::new(&graph);
        let paths = Box::new(Paths::new(network, &graph, turns.count()));
        let stage = Stage::Paths { paths, turns, next: 0 };
        Finding { network: network.clone(), order, most, stage }
    }

    /// A guess of the share of the work that is done.
    #[cfg(feature = "complete")]
    pub fn share(&self) -> f64 {
        match &self.stage {
            Stage::Paths { next, .. } => 0.2 * *next as f64 / (2 * self.order.len()).max(1) as f64,
            Stage::Layers(cycles) => 0.2 + 0.8 * cycles.share(),
            Stage::Over => 1.0,
        }
    }

    /// Goes on for about so many links that are looked at; the routes when all is done.
    pub fn advance(&mut self, budget: u64) -> Option<Result<Routes, Unlayered>> {
        let mut left = budget;
        if let Stage::Paths { paths, turns, next } = &mut self.stage {
            while *next < 2 * self.order.len() {
                if left == 0 {
                    return None;
                }
                let is_endpoint = *next < self.order.len();
                let switch = self.order[*next % self.order.len()];
                *next += 1;
                left = left.saturating_sub(match is_endpoint {
                    true => paths.lead_to_endpoints(switch, turns),
                    false => paths.lead_to_switch(switch, self.network.switch_target(switch)),
                });
            }
        }
        self.stage = match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Paths { paths, turns, .. } => {
                Stage::Layers(Box::new(Cycles::new(&self.network, *paths, turns)))
            }
            stage => stage,
        };
        let Stage::Layers(cycles) = &mut self.stage else { return None };
        let found = cycles.advance(self.most, left)?;
        self.stage = Stage::Over;
        Some(found.map(|(lfts, layers)| {
            Routes::Tables(Box::new(Tables::new(self.network.clone(), lfts, layers)))
        }))
    }
}

/// A number for each turn from a channel into the next.
struct Turns {
    graph: Arc<Graph>,
    starts: Vec<u32>,
}

impl Turns {
    fn new(graph: &Arc<Graph>) -> Turns {
        let mut count = 0;
        let mut starts = Vec::with_capacity(graph.edges().len() + 1);
        for edge in graph.edges() {
            starts.push(count);
            count += graph.edges_from(edge.to).len() as u32;
        }
        starts.push(count);
        Turns { graph: graph.clone(), starts }
    }

    fn count(&self) -> usize {
        self.starts.last().copied().unwrap_or(0) as usize
    }

    /// The number of the turn from a channel into another that leaves the switch where it ends.
    fn number(&self, from: u32, to: u32) -> usize {
        let edge = self.graph.edges()[from as usize];
        self.starts[from as usize] as usize + to as usize - self.graph.places(edge.to).start
    }
}
