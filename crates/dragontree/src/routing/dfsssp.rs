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

use super::tables::{Graph, Unlayered, check_searches, check_turns, most_layers};
use super::{Algorithm, Routes, Tables};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::{Lfts, Needs, Network};

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
        "Tables of shortest paths that avoid what others use, in as many virtual layers as it takes \
         to keep endpoints from deadlocks (OpenSM's dfsssp; Domke et al. 2011)."
    }
}

impl Algorithm for Dfsssp {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        self.tables(network).map_err(|unlayered| unlayered.needs(self.name()))
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        self.tables(network).map_err(|unlayered| vec![unlayered.problem(self.layers)])
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        check_searches(network, self.name())?;
        check_turns(network, self.name())
    }
}

impl Dfsssp {
    fn tables(&self, network: &Arc<Network>) -> Result<Routes, Unlayered> {
        self.fits(network)?;
        let graph = Graph::new(network);
        let turns = Turns::new(&graph);
        let mut pairs = vec![0; turns.count()];
        let mut lfts = Lfts::new(network);
        let mut paths = Paths::new(&graph);
        let order = graph.busiest_first();
        for switch in &order {
            for (number, target) in graph.endpoints_at(*switch) {
                paths.find(*switch, true);
                paths.write(&mut lfts, *target, Some((*switch, *number)));
                paths.weigh();
                paths.count(&turns, &mut pairs);
            }
        }
        for switch in &order {
            paths.find(*switch, false);
            paths.write(&mut lfts, network.switch_target(*switch), None);
            paths.weigh();
        }
        drop(paths);
        let layers = Cycles::new(network, &graph, &lfts, &turns, pairs).assign(self.layers as u8);
        let layers = layers.ok_or(Unlayered::TooFew)?;
        Ok(Routes::Tables(Box::new(Tables::new(network.clone(), lfts, layers))))
    }
}

/// A number for each turn from a channel into the next.
struct Turns<'a> {
    graph: &'a Graph,
    starts: Vec<u32>,
}

impl Turns<'_> {
    fn new(graph: &Graph) -> Turns<'_> {
        let mut count = 0;
        let mut starts = Vec::with_capacity(graph.edges().len() + 1);
        for edge in graph.edges() {
            starts.push(count);
            count += graph.edges_from(edge.to).len() as u32;
        }
        starts.push(count);
        Turns { graph, starts }
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
