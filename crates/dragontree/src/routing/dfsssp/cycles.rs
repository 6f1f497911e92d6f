//! Cycles of dependencies, and the paths that are moved to other layers to break them.

use std::sync::Arc;

use super::Turns;
use super::paths::Paths;
use crate::network::{Forward, Lfts, Network, SwitchId, Target};
use crate::routing::Layers;
use crate::routing::tables::{Graph, Unlayered};

/// The paths between endpoints in one layer after the other.
pub(super) struct Cycles {
    network: Arc<Network>,
    graph: Arc<Graph>,
    lfts: Lfts,
    turns: Turns,
    /// Every endpoint's port.
    targets: Vec<Target>,
    /// Switch by switch, for each of them the port that its packets leave by; empty until it is
    /// needed.
    exits: Vec<u16>,
    /// How many pairs of endpoints take each turn in the layer that is looked at.
    pairs: Vec<u64>,
    /// The same for the next layer; empty until it is needed.
    moved: Vec<u64>,
    layer: u8,
    /// The layers of all paths; empty as long as there is one.
    layers: Vec<u8>,
    marks: Vec<Mark>,
    /// The next channel to search from in this layer.
    start: u32,
    /// Whether there was a cycle in this layer.
    found: bool,
    /// The channels on the way of the search, each with the number of its next turn.
    stack: Vec<(u32, u32)>,
    /// The switches from which paths are moved.
    sources: Vec<Source>,
}

/// What the search knows of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    New,
    /// On the stack, at this place.
    Open(u32),
    /// No cycle can be reached from here.
    Done,
}

/// A switch from which paths take a turn.
struct Source {
    switch: SwitchId,
    /// The channel by which they leave it.
    channel: u32,
    /// The place of the switch where that channel ends.
    next: usize,
    /// How many endpoints' paths are moved.
    endpoints: u64,
}

impl Cycles {
    /// Begins with paths.
    pub fn new(network: &Arc<Network>, paths: Paths, turns: Turns) -> Cycles {
        let Paths { graph, lfts, pairs, .. } = paths;
        let homes = graph.order().iter().flat_map(|home| graph.endpoints_at(*home));
        Cycles {
            targets: homes.map(|(_, target)| *target).collect(),
            exits: Vec::new(),
            marks: vec![Mark::New; graph.edges().len()],
            start: 0,
            found: false,
            network: network.clone(),
            graph,
            lfts,
            turns,
            pairs,
            moved: Vec::new(),
            layer: 0,
            layers: Vec::new(),
            stack: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// A guess of the share of the work that is done: each layer has less to do than the one before.
    #[cfg(feature = "complete")]
    pub fn share(&self) -> f64 {
        let done = f64::from(self.start) / self.graph.edges().len().max(1) as f64;
        1.0 - (1.0 - done / 2.0) / f64::from(1_u32 << self.layer)
    }

    /// Goes on for about so many turns; the paths and their layers when no cycle is left.
    pub fn advance(&mut self, most: u8, budget: u64) -> Option<Result<(Lfts, Layers), Unlayered>> {
        let mut left = budget;
        loop {
            while (self.start as usize) < self.graph.edges().len() || !self.stack.is_empty() {
                if left == 0 {
                    return None;
                }
                match self.step(self.layer + 1 == most) {
                    Ok(work) => left = left.saturating_sub(work),
                    Err(unlayered) => return Some(Err(unlayered)),
                }
            }
            if !self.found {
                return Some(Ok(self.conclude()));
            }
            self.layer += 1;
            (self.start, self.found) = (0, false);
            std::mem::swap(&mut self.pairs, &mut self.moved);
            self.moved.fill(0);
            self.marks.fill(Mark::New);
        }
    }

    fn conclude(&mut self) -> (Lfts, Layers) {
        let layers = match self.layer {
            0 => Layers::One,
            last => {
                let layers = std::mem::take(&mut self.layers);
                Layers::PerPath { count: last + 1, layers }
            }
        };
        (std::mem::take(&mut self.lfts), layers)
    }

    /// Looks at the next turn of the search; how much work it was.
    fn step(&mut self, is_last: bool) -> Result<u64, Unlayered> {
        let Some((channel, next)) = self.stack.last_mut() else {
            if self.marks[self.start as usize] == Mark::New {
                self.open(self.start);
            }
            self.start += 1;
            return Ok(1);
        };
        let channel = *channel;
        let turns = self.graph.places(self.graph.edges()[channel as usize].to);
        let other = turns.start as u32 + *next;
        *next += 1;
        if other as usize >= turns.end {
            self.marks[channel as usize] = Mark::Done;
            self.stack.pop();
        } else if self.pairs[self.turns.number(channel, other)] > 0 {
            match self.marks[other as usize] {
                Mark::New => self.open(other),
                Mark::Done => {}
                Mark::Open(_) if is_last => return Err(Unlayered::TooFew),
                Mark::Open(place) => {
                    self.found = true;
                    return Ok(self.break_cycle(place as usize));
                }
            }
        }
        Ok(1)
    }

    fn open(&mut self, channel: u32) {
        self.marks[channel as usize] = Mark::Open(self.stack.len() as u32);
        self.stack.push((channel, 0));
    }

    /// Breaks the cycle that the stack closes from a place on; how much work it was.
    fn break_cycle(&mut self, place: usize) -> u64 {
        let cycle = &self.stack[place..];
        let ends = cycle.iter().zip(cycle.iter().skip(1).chain(cycle.first()));
        let turns = ends.map(|((from, _), (to, _))| (*from, *to));
        let weakest = turns.min_by_key(|(from, to)| self.pairs[self.turns.number(*from, *to)]);
        let work = weakest.map_or(0, |(from, to)| self.evacuate(from, to));
        // The search goes on from where its way is still one.
        let gone = |pair: &[(u32, u32)]| self.pairs[self.turns.number(pair[0].0, pair[1].0)] == 0;
        if let Some(last) = self.stack.windows(2).position(gone) {
            for (channel, _) in self.stack.drain(last + 1..) {
                self.marks[channel as usize] = Mark::New;
            }
        }
        work
    }

    /// Moves all paths that take a turn to the next layer; how much work it was.
    fn evacuate(&mut self, from: u32, to: u32) -> u64 {
        if self.exits.is_empty() {
            self.layers = vec![0; self.network.target_count() as usize * self.graph.switch_count()];
            self.moved.resize(self.pairs.len(), 0);
            self.write_exits();
        }
        let Cycles { graph, exits, targets, .. } = &*self;
        let row = |channel: u32| {
            let first = graph.from(channel).index() * targets.len();
            (&exits[first..first + targets.len()], graph.edges()[channel as usize].number as u16)
        };
        let ((at_first, first), (at_second, second)) = (row(from), row(to));
        let both = at_first.iter().zip(at_second).zip(targets);
        let takes = both.filter(|((one, other), _)| **one == first && **other == second);
        let moved: Vec<Target> = takes.map(|(_, target)| *target).collect();
        let mut work = self.targets.len() as u64;
        for target in moved {
            self.collect(from, target);
            work += self.sources.len() as u64;
            self.shift(to, target);
        }
        work
    }

    /// Writes the tables once more, switch by switch.
    fn write_exits(&mut self) {
        self.exits.reserve(self.targets.len() * self.graph.switch_count());
        for switch in self.network.switches() {
            let exit = |target: &Target| match self.lfts.get(switch, *target) {
                // Tables hold no larger ones.
                Forward::Port(number) => number as u16,
                Forward::Here | Forward::Nowhere => u16::MAX,
            };
            self.exits.extend(self.targets.iter().map(exit));
        }
    }

    /// Finds the switches whose paths to a destination lead over a channel, nearest first.
    fn collect(&mut self, channel: u32, target: Target) {
        let graph = self.graph.clone();
        self.sources.clear();
        self.sources.push(self.source(channel, 0, target));
        let mut next = 0;
        while let Some(Source { switch, .. }) = self.sources.get(next) {
            for edge in graph.edges_from(*switch) {
                let number = graph.edges()[edge.back as usize].number;
                if self.lfts.get(edge.to, target) == Forward::Port(number) {
                    self.sources.push(self.source(edge.back, next, target));
                }
            }
            next += 1;
        }
    }

    fn source(&self, channel: u32, next: usize, target: Target) -> Source {
        let switch = self.graph.from(channel);
        let is_here = self.layers[self.path(switch, target)] == self.layer;
        let endpoints = self.graph.endpoints_at(switch).len() as u64;
        Source { switch, channel, next, endpoints: if is_here { endpoints } else { 0 } }
    }

    /// The place of a path in `layers`.
    fn path(&self, switch: SwitchId, target: Target) -> usize {
        target.0 as usize * self.graph.switch_count() + switch.index()
    }

    /// Moves the paths from the sources to a destination, which all go on over a channel.
    fn shift(&mut self, onward: u32, target: Target) {
        let mut sources = std::mem::take(&mut self.sources);
        while let Some(Source { switch, channel, next, endpoints }) = sources.pop() {
            let path = self.path(switch, target);
            if self.layers[path] == self.layer && !self.graph.endpoints_at(switch).is_empty() {
                self.layers[path] += 1;
            }
            if let Some(next) = sources.get_mut(next) {
                self.count(channel, next.channel, endpoints);
                next.endpoints += endpoints;
                continue;
            }
            let (mut last, mut to) = (channel, Some(onward));
            while let Some(channel) = to {
                self.count(last, channel, endpoints);
                last = channel;
                let at = self.graph.edges()[channel as usize].to;
                to = self.graph.next(&self.network, &self.lfts, at, target);
            }
        }
        self.sources = sources;
    }

    fn count(&mut self, from: u32, to: u32, endpoints: u64) {
        let turn = self.turns.number(from, to);
        self.pairs[turn] -= endpoints;
        self.moved[turn] += endpoints;
    }
}
