//! Down*/Up*: Up*/Down* seen from the leaves.
//!
//! The switches are ranked by their distance from those that have endpoints. A channel leads
//! inward when it leads to a higher rank and outward when it leads to a lower one. A search from
//! each destination outward finds the way that every switch takes; it may not follow a channel
//! outward by one inward, but between switches of equal rank everything is allowed. Ports that
//! are as good are shared out as [MinHop](super::MinHop) does.
//!
//! Where all ways between two switches come out to a leaf and lead in again they have no route: the
//! roots of a tree to each other, and on irregular networks endpoints, too.
//!
//! The search is that of OpenSM's engine `dnup` (3.3.23), of which the tables are the same entry
//! by entry. It comes by a switch again when it finds another of its ports, from then on in the
//! direction of that, so that a way may still break the rule where links join switches of equal
//! rank. There the routes can deadlock; on a tree they equal those of Up*/Down*.

use std::collections::VecDeque;
use std::sync::Arc;

use super::tables::{Choices, FAR, Graph, balanced, check_search};
use super::{Algorithm, Layers, Routes, Tables};
use crate::catalog::{Form, Part, Settings};
use crate::network::{Needs, Network, SwitchId};

/// Down*/Up* routing; it has no settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DownUp;

impl Settings for DownUp {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for DownUp {
    fn name(&self) -> &'static str {
        "down_up"
    }
    fn label(&self) -> &'static str {
        "Down*/Up*"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Tables of shortest paths that go away from the leaves, then back to them; links between \
         switches of equal rank are always allowed (OpenSM's dnup). Pairs that only a way with a \
         leaf in between joins have no route.",
        )
    }
}

impl Algorithm for DownUp {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        check_search(network, self.name())?;
        let graph = Graph::new(network);
        let leaves: Vec<SwitchId> =
            network.switches().filter(|switch| !graph.endpoints_at(*switch).is_empty()).collect();
        let mut search = Search {
            ranks: graph.distances(&leaves),
            hops: vec![FAR; graph.edges().len()],
            least: vec![FAR; graph.switch_count()],
            moves: vec![Move::Inward; graph.switch_count()],
            waits: vec![false; graph.switch_count()],
            queue: VecDeque::new(),
            graph: &graph,
        };
        let lfts = balanced(network, &graph, |to, choices| search.keep(to, choices));
        Ok(Routes::Tables(Box::new(Tables::new(network.clone(), lfts, Layers::One))))
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        check_search(network, self.name())
    }
}

/// Where a step of the search leads, which is against the way of the packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    Inward,
    Level,
    Outward,
}

struct Search<'a> {
    graph: &'a Graph,
    ranks: Vec<u32>,
    /// The number of links to the destination by way of each link.
    hops: Vec<u32>,
    /// The least of those of a switch's links.
    least: Vec<u32>,
    /// By what move the search came to a switch.
    moves: Vec<Move>,
    /// Whether a switch is in the queue.
    waits: Vec<bool>,
    queue: VecDeque<SwitchId>,
}

impl Search<'_> {
    fn keep(&mut self, to: SwitchId, choices: &mut Choices) {
        self.hops.fill(FAR);
        self.least.fill(FAR);
        self.least[to.index()] = 0;
        self.moves[to.index()] = Move::Inward;
        self.queue.push_back(to);
        while let Some(switch) = self.queue.pop_front() {
            self.waits[switch.index()] = false;
            self.spread(switch);
        }
        let Search { graph, hops, least, .. } = self;
        choices.keep(graph, |switch, place| {
            switch != to && hops[place] != FAR && hops[place] == least[switch.index()]
        });
    }

    /// Tells the neighbors of a switch how far the destination is by way of it.
    fn spread(&mut self, switch: SwitchId) {
        let hops = self.least[switch.index()] + 1;
        for edge in self.graph.edges_from(switch) {
            let other = edge.to.index();
            let step = match self.ranks[switch.index()].cmp(&self.ranks[other]) {
                std::cmp::Ordering::Less => Move::Inward,
                std::cmp::Ordering::Equal => Move::Level,
                std::cmp::Ordering::Greater => Move::Outward,
            };
            let forbidden = self.moves[switch.index()] == Move::Outward && step == Move::Inward;
            if forbidden || hops >= self.hops[edge.back as usize] {
                continue;
            }
            self.hops[edge.back as usize] = hops;
            self.least[other] = self.least[other].min(hops);
            if !std::mem::replace(&mut self.waits[other], true) {
                self.moves[other] = step;
                self.queue.push_back(edge.to);
            }
        }
    }
}
