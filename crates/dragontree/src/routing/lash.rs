//! LASH: layered shortest paths.
//!
//! Every ordered pair of switches takes the first shortest path that a search from the source
//! finds, port by port; nothing is balanced, and endpoints take the path of their switches. Pairs
//! then go to virtual layers in the order of the switches: both directions of a pair, because an
//! answer travels at the service level of its request, to the lowest layer in which their
//! dependencies close no cycle (Skeie, Lysne & Theiss 2002; Bogdański et al. 2012, §1 and §3.1).
//! Every switch reaches every other, and nothing can deadlock.
//!
//! Tables and the number of layers are those of OpenSM's engine `lash` (3.3.23). Afterwards OpenSM
//! moves paths between the layers by chance until all hold about as many, which is left out here.

use std::sync::Arc;

use super::tables::{
    Acyclic, FAR, Graph, Turn, Unlayered, check_search, check_turns, most_layers, rows,
};
use super::{Algorithm, Layers, Routes, Tables};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::{Forward, Lfts, Needs, Network, SwitchId};

/// LASH routing.
#[derive(Clone, Debug, PartialEq)]
pub struct Lash {
    /// The most virtual layers.
    pub layers: u32,
}

impl Default for Lash {
    fn default() -> Lash {
        Lash { layers: 8 }
    }
}

impl Settings for Lash {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(most_layers(&mut self.layers));
    }
}

impl Part for Lash {
    fn name(&self) -> &'static str {
        "lash"
    }
    fn label(&self) -> &'static str {
        "LASH"
    }
    fn help(&self) -> &'static str {
        "Tables of shortest paths, one for each pair of switches, in as many virtual layers as it \
         takes to rule out deadlocks (OpenSM's lash; Bogdański et al. 2012, §7.2.3)."
    }
}

impl Algorithm for Lash {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        self.tables(network).map_err(|unlayered| unlayered.needs(self.name()))
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        self.tables(network).map_err(|unlayered| vec![unlayered.problem(self.layers)])
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        check_search(network, self.name())?;
        check_turns(network, self.name())
    }
}

/// The most links that the paths of all pairs of switches may have together.
const MOST_LINKS: u64 = 1 << 31;

impl Lash {
    fn tables(&self, network: &Arc<Network>) -> Result<Routes, Unlayered> {
        self.fits(network)?;
        let graph = Graph::new(network);
        let mut lfts = Lfts::new(network);
        if !Search::new(&graph).fill(network, &mut lfts) {
            let structure = "paths of at most 2^31 links, all pairs of switches together";
            return Err(Needs { part: self.name(), structure, found: "longer ones" }.into());
        }
        let layers = Layering::new(network, &graph, &lfts).assign(self.layers as u8);
        let layers = layers.ok_or(Unlayered::TooFew)?;
        extend(network, &graph, &mut lfts);
        Ok(Routes::Tables(Box::new(Tables::new(network.clone(), lfts, layers))))
    }
}

/// Sends every endpoint's packets the way to its switch.
fn extend(network: &Network, graph: &Graph, lfts: &mut Lfts) {
    for switch in network.switches() {
        let own = network.switch_target(switch);
        for (number, target) in graph.endpoints_at(switch) {
            lfts.copy(own, *target);
            lfts.set(switch, *target, Forward::Port(*number));
        }
    }
}

/// A search for the shortest paths from one switch.
struct Search<'a> {
    graph: &'a Graph,
    /// The link by which each switch was found.
    links: Vec<u32>,
    queue: Vec<SwitchId>,
}

impl Search<'_> {
    fn new(graph: &Graph) -> Search<'_> {
        Search { graph, links: vec![FAR; graph.switch_count()], queue: Vec::new() }
    }

    /// Writes the paths of all pairs of switches; false if they have too many links.
    ///
    /// On the path from a switch to another, those in between send on as the path does unless an
    /// earlier path to there passed them. Then they have a path as short, and so has the first.
    fn fill(&mut self, network: &Network, lfts: &mut Lfts) -> bool {
        let mut links = 0;
        for from in self.graph.order() {
            self.run(*from);
            for place in 1..self.queue.len() {
                let to = self.queue[place];
                let target = network.switch_target(to);
                let mut at = to;
                while at != *from {
                    let link = self.graph.edges()[self.links[at.index()] as usize];
                    at = self.graph.from(self.links[at.index()]);
                    if lfts.get(at, target) == Forward::Nowhere {
                        lfts.set(at, target, Forward::Port(link.number));
                    }
                    links += 1;
                }
            }
            if links > MOST_LINKS {
                return false;
            }
        }
        true
    }

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
}

/// Puts pairs of switches into layers.
struct Layering<'a> {
    network: &'a Network,
    graph: &'a Graph,
    lfts: &'a Lfts,
    /// The turns of the pair that is looked at.
    turns: Vec<Turn>,
}

impl<'a> Layering<'a> {
    fn new(network: &'a Network, graph: &'a Graph, lfts: &'a Lfts) -> Layering<'a> {
        Layering { network, graph, lfts, turns: Vec::new() }
    }

    /// The layers of all pairs, or none if so many do not suffice.
    fn assign(&mut self, most: u8) -> Option<Layers> {
        let switches = self.graph.switch_count();
        let starts = rows(self.graph);
        let mut open = vec![Acyclic::new(self.graph, &starts)];
        let mut layers = Vec::new();
        for (place, one) in self.graph.order().iter().enumerate() {
            for other in &self.graph.order()[place + 1..] {
                self.turns.clear();
                self.collect(*one, *other);
                self.collect(*other, *one);
                let layer = match open.iter_mut().position(|layer| layer.add(&self.turns)) {
                    Some(0) => continue,
                    Some(layer) => layer as u8,
                    None if open.len() < usize::from(most) => {
                        let mut layer = Acyclic::new(self.graph, &starts);
                        layer.add(&self.turns);
                        open.push(layer);
                        open.len() as u8 - 1
                    }
                    None => return None,
                };
                layers.resize(switches * switches, 0);
                layers[other.index() * switches + one.index()] = layer;
                layers[one.index() * switches + other.index()] = layer;
            }
        }
        Some(match open.len() {
            1 => Layers::One,
            count => Layers::PerSwitches { count: count as u8, layers },
        })
    }

    /// Adds the turns of the path from a switch to another.
    fn collect(&mut self, from: SwitchId, to: SwitchId) {
        let target = self.network.switch_target(to);
        let mut at = from;
        let mut last = None;
        while let Some(place) = self.graph.next(self.network, self.lfts, at, target) {
            if let Some(last) = last {
                self.turns.push((last, place));
            }
            last = Some(place);
            at = self.graph.edges()[place as usize].to;
        }
    }
}
