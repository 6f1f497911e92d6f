//! Finds paths and their layers, a few switches at a time.

use std::sync::Arc;

use crate::network::{Forward, Lfts, Needs, Network, SwitchId};
use crate::routing::tables::{Acyclic, FAR, Graph, Turn, Unlayered, rows};
use crate::routing::{Layers, Routes, Tables};

/// The most links that the paths of all pairs of switches may have together.
const MOST_LINKS: u64 = 1 << 31;

/// Steps, of some ten nanoseconds, to find a pair's layer.
const STEPS_PER_PAIR: u64 = 1000;

/// Paths and layers that are being found.
pub(in crate::routing) struct Finding {
    network: Arc<Network>,
    graph: Arc<Graph>,
    lfts: Lfts,
    /// How many switches paths have been searched from.
    searched: usize,
    /// For the switch that is searched from, the link by which each other was found.
    links: Vec<u32>,
    queue: Vec<SwitchId>,
    /// The links of all paths together.
    length: u64,
    /// How many switches have layers for their paths from and to all that come later.
    layered: usize,
    /// The turns in each layer.
    open: Vec<Acyclic>,
    /// Where their rows start.
    starts: Arc<[u32]>,
    /// The most layers.
    most: u8,
    /// The layers of all pairs of switches; empty as long as there is one.
    layers: Vec<u8>,
    /// The turns of the pair that is looked at.
    turns: Vec<Turn>,
}

impl Finding {
    /// Begins with a network, in at most so many layers.
    pub fn new(network: &Arc<Network>, most: u8) -> Finding {
        let graph = Arc::new(Graph::new(network));
        let starts = rows(&graph);
        Finding {
            lfts: Lfts::new(network),
            searched: 0,
            links: vec![FAR; graph.switch_count()],
            queue: Vec::new(),
            length: 0,
            layered: 0,
            open: vec![Acyclic::new(&graph, &starts)],
            starts,
            most,
            layers: Vec::new(),
            turns: Vec::new(),
            network: network.clone(),
            graph,
        }
    }

    /// The share of the work that is done; layers take longer than paths.
    #[cfg(feature = "complete")]
    pub fn share(&self) -> f64 {
        let count = self.graph.switch_count().max(1) as f64;
        // Of the pairs of switches; a layer for a pair serves both directions.
        let left = 1.0 - self.layered as f64 / count;
        0.1 * self.searched as f64 / count + 0.9 * (1.0 - left * left)
    }

    /// Goes on for about so many steps; the routes when all pairs have a layer.
    pub fn advance(&mut self, budget: u64) -> Option<Result<Routes, Unlayered>> {
        let mut left = budget;
        let count = self.graph.switch_count();
        while self.searched < count {
            if left == 0 {
                return None;
            }
            left = left.saturating_sub(count as u64);
            if let Err(unlayered) = self.search() {
                return Some(Err(unlayered));
            }
        }
        while self.layered < count {
            if left == 0 {
                return None;
            }
            left = left.saturating_sub((count - self.layered) as u64 * STEPS_PER_PAIR);
            if let Err(unlayered) = self.assign() {
                return Some(Err(unlayered));
            }
        }
        self.extend();
        let layers = match self.open.len() {
            1 => Layers::One,
            count => {
                Layers::PerSwitches { count: count as u8, layers: std::mem::take(&mut self.layers) }
            }
        };
        let lfts = std::mem::take(&mut self.lfts);
        Some(Ok(Routes::Tables(Box::new(Tables::new(self.network.clone(), lfts, layers)))))
    }

    /// Writes the paths from the next switch to all others.
    ///
    /// On the path from a switch to another, those in between send on as the path does unless an
    /// earlier path to there passed them. Then they have a path as short, and so has the first.
    fn search(&mut self) -> Result<(), Unlayered> {
        let from = self.graph.order()[self.searched];
        self.searched += 1;
        self.run(from);
        for to in &self.queue[1..] {
            let target = self.network.switch_target(*to);
            let mut at = *to;
            while at != from {
                let link = self.graph.edges()[self.links[at.index()] as usize];
                at = self.graph.from(self.links[at.index()]);
                if self.lfts.get(at, target) == Forward::Nowhere {
                    self.lfts.set(at, target, Forward::Port(link.number));
                }
                self.length += 1;
            }
        }
        if self.length > MOST_LINKS {
            let structure = "paths of at most 2^31 links, all pairs of switches together";
            return Err(Needs { part: "lash", structure, found: "longer ones" }.into());
        }
        Ok(())
    }

    /// Finds the shortest paths from a switch.
    fn run(&mut self, from: SwitchId) {
        self.links.fill(FAR);
        self.queue.clear();
        self.queue.push(from);
        let mut next = 0;
        while let Some(switch) = self.queue.get(next).copied() {
            next += 1;
            for place in self.graph.places(switch) {
                let other = self.graph.edges()[place].to;
                if other != from && self.links[other.index()] == FAR {
                    self.links[other.index()] = place as u32;
                    self.queue.push(other);
                }
            }
        }
    }

    /// Puts the pairs of the next switch with all later ones into layers.
    fn assign(&mut self) -> Result<(), Unlayered> {
        let (graph, switches) = (self.graph.clone(), self.graph.switch_count());
        let one = graph.order()[self.layered];
        self.layered += 1;
        for other in &graph.order()[self.layered..] {
            self.turns.clear();
            self.collect(one, *other);
            self.collect(*other, one);
            let layer = match self.open.iter_mut().position(|layer| layer.add(&self.turns)) {
                Some(0) => continue,
                Some(layer) => layer as u8,
                None if self.open.len() < usize::from(self.most) => {
                    let mut layer = Acyclic::new(&graph, &self.starts);
                    layer.add(&self.turns);
                    self.open.push(layer);
                    self.open.len() as u8 - 1
                }
                None => return Err(Unlayered::TooFew),
            };
            self.layers.resize(switches * switches, 0);
            self.layers[other.index() * switches + one.index()] = layer;
            self.layers[one.index() * switches + other.index()] = layer;
        }
        Ok(())
    }

    /// Adds the turns of the path from a switch to another.
    fn collect(&mut self, from: SwitchId, to: SwitchId) {
        let target = self.network.switch_target(to);
        let mut at = from;
        let mut last = None;
        while let Some(place) = self.graph.next(&self.network, &self.lfts, at, target) {
            if let Some(last) = last {
                self.turns.push((last, place));
            }
            last = Some(place);
            at = self.graph.edges()[place as usize].to;
        }
    }

    /// Sends every endpoint's packets the way to its switch.
    fn extend(&mut self) {
        for switch in self.network.switches() {
            let own = self.network.switch_target(switch);
            for (number, target) in self.graph.endpoints_at(switch) {
                self.lfts.copy(own, *target);
                self.lfts.set(switch, *target, Forward::Port(*number));
            }
        }
    }
}
