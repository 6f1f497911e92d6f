//! The paths to one destination after the other.

use std::sync::Arc;

use super::Turns;
use super::heap::Heap;
use crate::network::{Forward, Lfts, Network, SwitchId, Target};
use crate::routing::tables::{FAR, Graph};

/// Finds the paths of all switches to a destination, over links that few paths use.
pub(super) struct Paths {
    pub graph: Arc<Graph>,
    pub lfts: Lfts,
    /// How many pairs of endpoints take each turn.
    pub pairs: Vec<u64>,
    /// For each link what a step over it costs; links lead away from the destination here.
    weights: Vec<u64>,
    distances: Vec<u64>,
    /// The link by which each switch was found.
    links: Vec<u32>,
    /// The switches that were found, nearest first.
    found: Vec<SwitchId>,
    heap: Heap,
    /// How many end ports send through a switch.
    through: Vec<u64>,
}

impl Paths {
    /// No paths yet, in a graph with so many turns.
    pub fn new(network: &Network, graph: &Arc<Graph>, turns: usize) -> Paths {
        let switches = graph.switch_count();
        let all = graph.order().iter().map(|switch| graph.endpoints_at(*switch).len() as u64 + 1);
        let ports: u64 = all.sum();
        // More than all that can be added on the way, so that the number of links decides.
        let weight = ports * ports * switches as u64;
        Paths {
            graph: graph.clone(),
            lfts: Lfts::new(network),
            pairs: vec![0; turns],
            weights: vec![weight; graph.edges().len()],
            distances: vec![Heap::UNSET; switches],
            links: vec![FAR; switches],
            found: Vec::new(),
            // One more for an endpoint as the destination.
            heap: Heap::new(switches + 1),
            through: vec![0; switches],
        }
    }

    /// Writes the paths to the endpoints on a switch; how much work it was.
    pub fn lead_to_endpoints(&mut self, switch: SwitchId, turns: &Turns) -> u64 {
        let graph = self.graph.clone();
        let endpoints = graph.endpoints_at(switch);
        for (number, target) in endpoints {
            self.find(switch, true);
            self.lfts.set(switch, *target, Forward::Port(*number));
            self.write(*target);
            self.weigh();
            self.count(turns);
        }
        (endpoints.len() * graph.edges().len()) as u64
    }

    /// Writes the paths to a switch itself; how much work it was.
    pub fn lead_to_switch(&mut self, switch: SwitchId, target: Target) -> u64 {
        self.find(switch, false);
        self.write(target);
        self.weigh();
        self.graph.edges().len() as u64
    }

    /// Finds the paths to a switch or an endpoint on it.
    fn find(&mut self, to: SwitchId, is_endpoint: bool) {
        self.distances.fill(Heap::UNSET);
        self.links.fill(FAR);
        self.found.clear();
        let switches = self.graph.order().iter().map(|switch| switch.0);
        if is_endpoint {
            let endpoint = self.graph.switch_count() as u32;
            self.heap.fill(switches.chain([endpoint]));
            self.heap.lower(endpoint, 0);
            self.heap.pop();
        } else {
            self.heap.fill(switches);
        }
        self.distances[to.index()] = u64::from(is_endpoint);
        self.heap.lower(to.0, u64::from(is_endpoint));
        while let Some((distance, switch)) = self.heap.pop() {
            self.found.push(SwitchId(switch));
            self.spread(SwitchId(switch), distance);
        }
    }

    fn spread(&mut self, switch: SwitchId, distance: u64) {
        for place in self.graph.places(switch) {
            let other = self.graph.edges()[place].to;
            let distance = distance + self.weights[place];
            // Those that have left the heap are no farther than this switch.
            if distance < self.distances[other.index()] {
                self.distances[other.index()] = distance;
                self.links[other.index()] = place as u32;
                self.heap.lower(other.0, distance);
            }
        }
    }

    /// The link by which a switch was found, and the switch that it comes from.
    fn link(&self, switch: SwitchId) -> Option<(u32, SwitchId)> {
        let link = self.links[switch.index()];
        (link != FAR).then(|| (link, self.graph.from(link)))
    }

    /// Writes the paths that were found.
    fn write(&mut self, target: Target) {
        for switch in &self.found {
            if let Some((link, _)) = self.link(*switch) {
                let edges = self.graph.edges();
                let back = edges[edges[link as usize].back as usize];
                self.lfts.set(*switch, target, Forward::Port(back.number));
            }
        }
    }

    /// Adds to every link the end ports whose paths lead over it.
    fn weigh(&mut self) {
        for switch in self.graph.order() {
            self.through[switch.index()] = self.graph.endpoints_at(*switch).len() as u64 + 1;
        }
        for switch in self.found.iter().rev() {
            if let Some((link, next)) = self.link(*switch) {
                let ports = self.through[switch.index()];
                self.weights[link as usize] += ports;
                self.through[next.index()] += ports;
            }
        }
    }

    /// Adds to every turn the endpoints whose paths take it.
    fn count(&mut self, turns: &Turns) {
        for switch in self.graph.order() {
            self.through[switch.index()] = self.graph.endpoints_at(*switch).len() as u64;
        }
        for switch in self.found.iter().rev() {
            let Some((link, next)) = self.link(*switch) else { continue };
            let Some((onward, _)) = self.link(next) else { continue };
            let endpoints = self.through[switch.index()];
            self.through[next.index()] += endpoints;
            let back = |link: u32| self.graph.edges()[link as usize].back;
            self.pairs[turns.number(back(link), back(onward))] += endpoints;
        }
    }
}
