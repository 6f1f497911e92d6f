//! Whether routes can deadlock: the graph of which channel waits for which (Dally & Seitz 1987;
//! sFtree 2012, Def. 5.5 and 5.6, Thm. 5.1).
//!
//! A packet that holds a buffer (a virtual channel of a channel) and needs another one makes the
//! first depend on the second. Routes of which each packet has only one cannot deadlock if and
//! only if these dependencies form no cycle; with several ways to choose from, the lack of a
//! cycle is still enough. Channels from and to endpoints are left out: no packet gets into the
//! first, and nothing waits behind the second, so none is in a cycle.

use std::sync::Arc;

use super::path::Step;
use crate::network::{Network, Node};
use crate::routing::{Layers, Oblivious, Routes, Tables};

use graph::Graph;
use pairs::Pairs;
use tables::Columns;

mod cycle;
mod graph;
mod pairs;
mod tables;

/// Which nodes send, or are sent to.
///
/// Traffic of switches (management, multicast trees, applications on switches) takes ways that no
/// endpoint's packet takes, so it can close cycles that endpoints alone do not (sFtree 2012, §3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The endpoints, each by every port that has a cable.
    pub endpoints: bool,
    /// The switches themselves.
    pub switches: bool,
}

impl Ends {
    /// The endpoints only.
    pub const ENDPOINTS: Ends = Ends { endpoints: true, switches: false };
    /// The switches only.
    pub const SWITCHES: Ends = Ends { endpoints: false, switches: true };
    /// Endpoints and switches.
    pub const BOTH: Ends = Ends { endpoints: true, switches: true };
}

/// A packet may hold one buffer and wait for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The channel and virtual channel whose buffer it holds.
    pub holds: Step,
    /// The channel and virtual channel whose buffer it needs next.
    pub needs: Step,
    /// Where one such packet comes from.
    pub source: Node,
    /// Where it goes.
    pub destination: Node,
}

/// Whether routes can deadlock, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They cannot: every packet takes the buffers in this order.
    Acyclic(Vec<Step>),
    /// The shortest cycle (one of them); each dependency needs what the next one holds.
    Cyclic(Vec<Dependency>),
}

/// What was found out about routes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// Ordered pairs of different ends that were looked at.
    pub pairs: u64,
    /// Those of them that have no route; nothing depends on anything because of them.
    pub unroutable: u64,
    /// Buffers between switches that some packet holds or waits for while it holds another.
    pub buffers: u32,
    /// Pairs of buffers of which one depends on the other.
    pub dependencies: u32,
    /// Whether the routes can deadlock.
    pub verdict: Verdict,
}

/// Collects the dependencies of routes, a few at a time.
pub struct Dependencies {
    network: Arc<Network>,
    routes: Arc<Routes>,
    graph: Graph,
    walk: Walk,
    found: Tally,
}

/// Numbers of pairs.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    pairs: u64,
    unroutable: u64,
}

/// What is walked: all sources of a destination at once, or pair after pair.
enum Walk {
    Columns(Box<Columns>),
    /// The same for routes of one virtual channel that can be written as tables.
    Written(Box<Columns>, Box<Tables>),
    Pairs(Pairs),
}

impl Dependencies {
    /// Begins with routes and who sends to whom. Switches send and receive only by forwarding
    /// tables; other routes know no way to a switch.
    pub fn new(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        sources: Ends,
        destinations: Ends,
    ) -> Dependencies {
        let (graph, walk) = match routes.as_ref() {
            Routes::Tables(tables) => {
                let (graph, columns) = columns(tables, sources, destinations);
                (graph, Walk::Columns(columns))
            }
            Routes::Oblivious(oblivious) => match written(network, oblivious.as_ref()) {
                Some(tables) => {
                    let [sources, destinations] =
                        [sources, destinations].map(|ends| Ends { switches: false, ..ends });
                    let (graph, columns) = columns(&tables, sources, destinations);
                    (graph, Walk::Written(columns, Box::new(tables)))
                }
                None => {
                    let lanes = oblivious.virtual_channels().max(1);
                    let endpoints = sources.endpoints && destinations.endpoints;
                    let pairs = Pairs::new(network, oblivious.sharing(), endpoints);
                    (Graph::new(network, lanes, true), Walk::Pairs(pairs))
                }
            },
        };
        let (network, routes) = (network.clone(), routes.clone());
        Dependencies { network, routes, graph, walk, found: Tally::default() }
    }

    /// How much there is to do, in entries of tables or pairs of nodes.
    pub fn work(&self) -> u64 {
        match &self.walk {
            Walk::Columns(columns) | Walk::Written(columns, _) => columns.work(),
            Walk::Pairs(pairs) => pairs.work(),
        }
    }

    /// The share of the work that is done.
    pub fn share(&self) -> f64 {
        match &self.walk {
            Walk::Columns(columns) | Walk::Written(columns, _) => columns.share(),
            Walk::Pairs(pairs) => pairs.share(),
        }
    }

    /// Goes on for about `budget` entries or pairs; what was found when there are no more.
    pub fn advance(&mut self, budget: u64) -> Option<Deadlock> {
        let Dependencies { network, routes, graph, walk, found } = self;
        let done = match (walk, routes.as_ref()) {
            (Walk::Columns(columns), Routes::Tables(tables)) => {
                columns.advance(tables, graph, found, budget)
            }
            (Walk::Written(columns, tables), _) => columns.advance(tables, graph, found, budget),
            (Walk::Pairs(pairs), routes) => {
                pairs.advance(network, routes.oblivious(), graph, found, budget)
            }
            (Walk::Columns(_), Routes::Oblivious(_)) => true,
        };
        done.then(|| self.conclude())
    }

    /// Collects all that is left.
    pub fn finish(mut self) -> Deadlock {
        loop {
            if let Some(found) = self.advance(u64::MAX) {
                return found;
            }
        }
    }

    fn conclude(&self) -> Deadlock {
        let (buffers, verdict) = self.graph.verdict(|source, destination| match &self.walk {
            Walk::Columns(_) | Walk::Written(..) => {
                tables::ends(&self.network, source, destination)
            }
            Walk::Pairs(_) => pairs::ends(source, destination),
        });
        Deadlock {
            pairs: self.found.pairs,
            unroutable: self.found.unroutable,
            buffers,
            dependencies: self.graph.len(),
            verdict,
        }
    }
}

/// What collects the dependencies of tables.
fn columns(tables: &Tables, sources: Ends, destinations: Ends) -> (Graph, Box<Columns>) {
    let graph = Graph::new(tables.network(), tables.layer_count(), false);
    (graph, Box::new(Columns::new(tables, sources, destinations)))
}

/// Routes of one virtual channel as tables, where they can be written so.
fn written(network: &Arc<Network>, routes: &dyn Oblivious) -> Option<Tables> {
    let lfts = routes.lfts().filter(|_| routes.virtual_channels() <= 1)?;
    Some(Tables::new(network.clone(), lfts, Layers::One))
}

#[cfg(test)]
mod tests;
