//! The dependencies between buffers, each with a cause.

use super::cycle::Digraph;
use super::{Dependency, Verdict};
use crate::analysis::path::Step;
use crate::network::{Network, Node, PortId, SwitchId, Turns};

/// Dependencies, numbered as they are found.
pub(super) struct Graph {
    lanes: u8,
    lanes_change: bool,
    turns: Turns,
    edges: Vec<Edge>,
}

/// One dependency.
struct Edge {
    from: Step,
    to: Step,
    /// The source and the destination that were walked when it was found.
    cause: (u32, u32),
}

impl Graph {
    /// No dependencies yet, between buffers of so many virtual channels; `lanes_change` says
    /// whether packets may go from one to another.
    pub fn new(network: &Network, lanes: u8, lanes_change: bool) -> Graph {
        let turns = Turns::new(network, lanes, if lanes_change { lanes } else { 1 });
        Graph { lanes, lanes_change, turns, edges: Vec::new() }
    }

    /// The highest virtual channel that there is.
    pub fn last_lane(&self) -> u8 {
        self.lanes - 1
    }

    /// The number of dependencies.
    pub fn len(&self) -> u32 {
        self.edges.len() as u32
    }

    /// Adds a dependency at a switch, if it is new.
    pub fn add(
        &mut self,
        network: &Network,
        from: Step,
        at: SwitchId,
        to: Step,
        cause: (u32, u32),
    ) {
        let lane = if self.lanes_change { to.vc } else { 0 };
        let slot = self.turns.slot(network, (from.port, from.vc), at, (to.port, lane));
        if *slot == Turns::NONE {
            *slot = self.edges.len() as u32;
            self.edges.push(Edge { from, to, cause });
        }
    }

    fn buffer(&self, step: Step) -> u32 {
        step.port.0 * u32::from(self.lanes) + u32::from(step.vc)
    }

    fn step(&self, buffer: u32) -> Step {
        let lanes = u32::from(self.lanes);
        Step { port: PortId(buffer / lanes), vc: (buffer % lanes) as u8 }
    }

    /// The buffers that are in a dependency, in ascending order.
    fn buffers(&self) -> Vec<u32> {
        let ends = self.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        let mut used = vec![false; self.edges.iter().map(Edge::reach).max().unwrap_or(0)];
        used.resize(used.len() * usize::from(self.lanes), false);
        ends.for_each(|step| used[self.buffer(step) as usize] = true);
        (0..used.len() as u32).filter(|buffer| used[*buffer as usize]).collect()
    }

    /// The number of buffers in dependencies, and whether they are in a cycle; `ends` names the
    /// nodes of a cause.
    pub fn verdict(&self, ends: impl Fn(u32, u32) -> (Node, Node)) -> (u32, Verdict) {
        let buffers = self.buffers();
        let mut places = vec![0; buffers.last().map_or(0, |last| *last as usize + 1)];
        for (place, buffer) in buffers.iter().enumerate() {
            places[*buffer as usize] = place as u32;
        }
        let place = |step| places[self.buffer(step) as usize];
        let edges = self.edges.iter().map(|edge| (place(edge.from), place(edge.to)));
        let count = buffers.len() as u32;
        let step = |place: u32| self.step(buffers[place as usize]);
        let verdict = match Digraph::new(count, edges).order() {
            Ok(order) => Verdict::Acyclic(order.into_iter().map(step).collect()),
            Err(cycle) => {
                let cycle: Vec<Step> = cycle.into_iter().map(step).collect();
                Verdict::Cyclic(self.explain(&cycle, ends))
            }
        };
        (count, verdict)
    }

    /// The dependencies of a cycle of buffers.
    fn explain(&self, cycle: &[Step], ends: impl Fn(u32, u32) -> (Node, Node)) -> Vec<Dependency> {
        let next = cycle.iter().skip(1).chain(cycle.first());
        let found = cycle.iter().zip(next).filter_map(|(from, to)| {
            let edge = self.edges.iter().find(|edge| edge.from == *from && edge.to == *to)?;
            let (source, destination) = ends(edge.cause.0, edge.cause.1);
            Some(Dependency { holds: *from, needs: *to, source, destination })
        });
        found.collect()
    }
}

impl Edge {
    /// One more than the highest port.
    fn reach(&self) -> usize {
        self.from.port.index().max(self.to.port.index()) + 1
    }
}
