//! Cycles of dependencies, and the paths that are moved to other layers to break them.

use super::Turns;
use crate::network::{Forward, Lfts, Network, SwitchId, Target};
use crate::routing::Layers;
use crate::routing::tables::Graph;

/// The paths between endpoints in one layer after the other.
pub(super) struct Cycles<'a> {
    network: &'a Network,
    graph: &'a Graph,
    lfts: &'a Lfts,
    turns: &'a Turns<'a>,
    /// How many pairs of endpoints take each turn in the layer that is looked at.
    pairs: Vec<u64>,
    /// The same for the next layer; empty until it is needed.
    moved: Vec<u64>,
    layer: u8,
    /// The layers of all paths; empty as long as there is one.
    layers: Vec<u8>,
    marks: Vec<Mark>,
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

impl<'a> Cycles<'a> {
    /// Begins with the number of pairs at each turn.
    pub fn new(
        network: &'a Network,
        graph: &'a Graph,
        lfts: &'a Lfts,
        turns: &'a Turns<'a>,
        pairs: Vec<u64>,
    ) -> Cycles<'a> {
        Cycles {
            network,
            graph,
            lfts,
            turns,
            pairs,
            moved: Vec::new(),
            layer: 0,
            layers: Vec::new(),
            marks: vec![Mark::New; graph.edges().len()],
            stack: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// The layers of all paths, or none if so many do not suffice.
    pub fn assign(mut self, most: u8) -> Option<Layers> {
        while self.search(self.layer + 1 == most)? {
            self.layer += 1;
            std::mem::swap(&mut self.pairs, &mut self.moved);
            self.moved.fill(0);
            self.marks.fill(Mark::New);
        }
        Some(match self.layer {
            0 => Layers::One,
            last => Layers::PerPath { count: last + 1, layers: self.layers },
        })
    }

    /// Breaks all cycles of the layer; says whether there were any. None if it may not.
    fn search(&mut self, is_last: bool) -> Option<bool> {
        let mut found = false;
        for start in 0..self.graph.edges().len() as u32 {
            if self.marks[start as usize] == Mark::New {
                self.open(start);
            }
            while let Some((channel, next)) = self.stack.last_mut() {
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
                        Mark::Open(_) if is_last => return None,
                        Mark::Open(place) => {
                            found = true;
                            self.break_cycle(place as usize);
                        }
                    }
                }
            }
        }
        Some(found)
    }

    fn open(&mut self, channel: u32) {
        self.marks[channel as usize] = Mark::Open(self.stack.len() as u32);
        self.stack.push((channel, 0));
    }

    /// Breaks the cycle that the stack closes from a place on.
    fn break_cycle(&mut self, place: usize) {
        let cycle = &self.stack[place..];
        let ends = cycle.iter().zip(cycle.iter().skip(1).chain(cycle.first()));
        let turns = ends.map(|((from, _), (to, _))| (*from, *to));
        let weakest = turns.min_by_key(|(from, to)| self.pairs[self.turns.number(*from, *to)]);
        if let Some((from, to)) = weakest {
            self.evacuate(from, to);
        }
        // The search goes on from where its way is still one.
        let gone = |pair: &[(u32, u32)]| self.pairs[self.turns.number(pair[0].0, pair[1].0)] == 0;
        if let Some(last) = self.stack.windows(2).position(gone) {
            for (channel, _) in self.stack.drain(last + 1..) {
                self.marks[channel as usize] = Mark::New;
            }
        }
    }

    /// Moves all paths that take a turn to the next layer.
    fn evacuate(&mut self, from: u32, to: u32) {
        let switches = self.graph.switch_count();
        if self.layers.is_empty() {
            self.layers = vec![0; self.network.target_count() as usize * switches];
        }
        self.moved.resize(self.pairs.len(), 0);
        let (graph, lfts) = (self.graph, self.lfts);
        let takes = |channel: u32, target: Target| {
            let number = graph.edges()[channel as usize].number;
            lfts.get(graph.from(channel), target) == Forward::Port(number)
        };
        for home in graph.order() {
            for (_, target) in graph.endpoints_at(*home) {
                if takes(from, *target) && takes(to, *target) {
                    self.collect(from, *target);
                    self.shift(to, *target);
                }
            }
        }
    }

    /// Finds the switches whose paths to a destination lead over a channel, nearest first.
    fn collect(&mut self, channel: u32, target: Target) {
        let graph = self.graph;
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
                to = self.graph.next(self.network, self.lfts, at, target);
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
