//! The paths between two nodes that are called by their names or addresses, step by step
//! (Subramoni 2011, §IV-A: a service that tells the switches between two hosts).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::connectivity::gaps::ending;
use super::path::{Step, paths};
use super::rails::{Rail, rails};
use crate::network::{EndpointId, Lfts, Network, Node, PortId, SwitchId};
use crate::routing::{Pair, Routes, Tables};
use crate::sorting::{both, sort_by_number};

mod csv;
mod directory;

pub use directory::{Directory, Meant, Unknown};

/// The paths from one node to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathReport {
    /// Where they begin.
    pub source: PathEnd,
    /// Where they end.
    pub destination: PathEnd,
    /// The paths, the most probable first; those of several rails one rail after the other.
    pub paths: Vec<PathOption>,
    /// How many more there are.
    pub omitted: u64,
}

/// A node with its addresses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathEnd {
    /// Its name.
    pub name: String,
    /// Its GUID, `0x` and 16 digits.
    pub guid: String,
    /// Its local id; 0 where it has none.
    pub lid: u32,
}

/// One path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathOption {
    /// The rail, from 0.
    pub rail: u32,
    /// How often a packet takes this path.
    pub probability: f64,
    /// Links between switches on it.
    pub hops: u32,
    /// Every node on it, both ends included.
    pub steps: Vec<PathStep>,
    /// Why it does not arrive.
    pub problem: Option<String>,
}

/// A node on a path. Ports have the numbers of
/// [`Network::shown_number`](crate::network::Network::shown_number).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStep {
    /// The node.
    #[serde(flatten)]
    pub node: PathEnd,
    /// Whether it is a switch.
    pub is_switch: bool,
    /// The port by which packets come.
    pub in_port: Option<u32>,
    /// The port by which they leave.
    pub out_port: Option<u32>,
    /// The virtual channel of the buffer that they go to.
    pub virtual_channel: Option<u8>,
    /// The local id of the entry of the switch's forwarding table that says so; none where routes
    /// are no tables.
    pub entry: Option<u32>,
    /// The node's id among switches or endpoints, and the number of the port by which packets
    /// leave, from 0.
    pub at: (u32, Option<u32>),
}

/// Why there are no paths to tell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untold {
    /// Both ends are the same.
    #[error("{0} is both source and destination; they must be different")]
    Same(String),
    /// Routes lead to endpoints only.
    #[error("{0} is a switch; the routes lead from endpoint to endpoint")]
    Switch(String),
    /// They have no rail in common.
    #[error("{0} and {1} have no cable to a common part of the fabric")]
    Apart(String, String),
}

/// The most paths that are told.
const MOST_PATHS: usize = 500;

/// Tells paths.
pub struct Tracer {
    network: Arc<Network>,
    routes: Arc<Routes>,
    lfts: Option<Arc<Lfts>>,
    rails: Vec<Rail>,
}

impl Tracer {
    /// The paths of these routes.
    pub fn new(network: &Arc<Network>, routes: &Arc<Routes>) -> Tracer {
        Tracer {
            lfts: routes.oblivious().lfts(),
            rails: rails(network),
            network: network.clone(),
            routes: routes.clone(),
        }
    }

    /// Every path from one node to another. Paths that do not arrive are among them, as far as
    /// they lead, with the reason.
    ///
    /// # Errors
    /// There is nothing to tell.
    pub fn trace(&self, source: Meant, destination: Meant) -> Result<PathReport, Untold> {
        let name = |meant: Meant| self.network.name(meant.node);
        if source.node == destination.node {
            return Err(Untold::Same(name(source)));
        }
        let mut found = Found::default();
        match self.routes.as_ref() {
            Routes::Tables(tables) => {
                for (rail, from, to) in self.pairs(source, destination) {
                    let (path, problem) = self.follow(tables, from, to);
                    found.add(rail, path, 1.0, problem);
                }
            }
            Routes::Oblivious(routes) => {
                let ends = [source, destination].map(|meant| match meant.node {
                    Node::Endpoint(endpoint) => Ok(endpoint),
                    Node::Switch(_) => Err(Untold::Switch(name(meant))),
                });
                let [source, destination] = ends;
                let pair = Pair { source: source?, destination: destination? };
                let walked = paths(&self.network, routes.as_ref(), pair, &mut |path, share| {
                    found.add(0, path.to_vec(), share, None);
                });
                if let (Err(lost), Some(port)) = (walked, self.network.injection(pair.source)) {
                    let at = self.network.name(Node::Switch(lost.at));
                    let reason = format!("there is no way on from {at}");
                    found.add(0, vec![Step { port, vc: 0 }], 0.0, Some(reason));
                }
            }
        }
        if found.paths.is_empty() {
            return Err(Untold::Apart(name(source), name(destination)));
        }
        let lid = |meant: Meant| match (meant.port, meant.node) {
            (Some(port), _) => self.network.lid(port),
            (None, node) => self.end(node).lid,
        };
        let end = |meant: Meant| PathEnd { lid: lid(meant), ..self.end(meant.node) };
        Ok(PathReport {
            source: end(source),
            destination: end(destination),
            paths: self.told(&found, source, destination),
            omitted: found.omitted,
        })
    }

    /// From where to where packets go on each rail that both nodes are on: an endpoint's port, or
    /// the switch.
    fn pairs(&self, source: Meant, destination: Meant) -> Vec<(u32, Start, Start)> {
        let on = |rail: &Rail, meant: Meant| match meant.node {
            Node::Switch(switch) => {
                rail.switches.binary_search(&switch).ok().map(|_| Start::Switch(switch))
            }
            Node::Endpoint(endpoint) => {
                let port = rail.ports.get(endpoint.index()).copied().flatten();
                port.filter(|port| meant.port.is_none_or(|own| own == *port)).map(Start::Port)
            }
        };
        let rails = (0..).zip(&self.rails);
        let pairs = rails
            .filter_map(|(number, rail)| Some((number, on(rail, source)?, on(rail, destination)?)));
        pairs.collect()
    }

    /// The channels that tables lead over, and why they do not lead to the end.
    fn follow(&self, tables: &Tables, from: Start, to: Start) -> (Vec<Step>, Option<String>) {
        let network = &self.network;
        let target = |start| match start {
            Start::Port(port) => network.port_target(port),
            Start::Switch(switch) => network.switch_target(switch),
        };
        let (source, destination) = (target(from), target(to));
        let vc = tables.layer_between(source, destination);
        let mut path = Vec::new();
        let mut at = match from {
            Start::Switch(switch) => Some(Node::Switch(switch)),
            Start::Port(port) => {
                path.push(Step { port, vc: 0 });
                network.neighbor(port)
            }
        };
        let arrived = network.target(destination);
        for _ in 0..=network.switch_count() {
            let Some(Node::Switch(switch)) = at else { break };
            if at == Some(arrived.0) {
                return (path, None);
            }
            let lost = || Some(ending(network, tables.lfts(), switch, destination));
            let Some(port) = tables.lfts().port(network, switch, destination) else {
                return (path, lost());
            };
            at = network.neighbor(port);
            match at {
                None => return (path, lost()),
                Some(Node::Endpoint(_)) => {
                    path.push(Step { port, vc });
                    let wrong = network.peer(port) != arrived.1;
                    return (path, wrong.then(lost).flatten());
                }
                Some(Node::Switch(_)) => {
                    let before = path.iter().any(|step| step.port == port);
                    path.push(Step { port, vc });
                    if before {
                        break;
                    }
                }
            }
        }
        (path, Some("packets go in a circle".to_owned()))
    }

    fn told(&self, found: &Found, source: Meant, destination: Meant) -> Vec<PathOption> {
        // Stable by rail, then by falling probability, in millionths of millionths.
        let mut keys: Vec<(u64, u32)> = (0..found.paths.len() as u32)
            .map(|place| {
                let path = &found.paths[place as usize];
                let rare = 1_000_000_000_000 - (path.share.clamp(0.0, 1.0) * 1e12) as u64;
                ((u64::from(path.rail) << 48) | rare, place)
            })
            .collect();
        sort_by_number(&mut keys, |(first, second)| both(*first, u64::from(*second)));
        let path = |(_, place): (u64, u32)| {
            let path = &found.paths[place as usize];
            PathOption {
                rail: path.rail,
                probability: (path.share * 1e12).round() / 1e12,
                hops: path.steps.iter().filter(|step| self.joins_switches(step.port)).count()
                    as u32,
                steps: match path.steps.is_empty() {
                    true => vec![self.step(source.node, None)],
                    false => self.steps(&path.steps, destination),
                },
                problem: path.problem.clone(),
            }
        };
        keys.into_iter().map(path).collect()
    }

    fn joins_switches(&self, port: PortId) -> bool {
        let nodes = (self.network.owner(port), self.network.neighbor(port));
        matches!(nodes, (Node::Switch(_), Some(Node::Switch(_))))
    }

    /// Every node on a path.
    fn steps(&self, path: &[Step], destination: Meant) -> Vec<PathStep> {
        let network = &self.network;
        let lid = match (destination.port, destination.node) {
            (Some(port), _) => network.lid(port),
            (None, node) => self.end(node).lid,
        };
        // The port by which packets reach the end tells which of its local ids is meant.
        let last = path.last().and_then(|step| network.peer(step.port));
        let lid = match last.map(|port| (network.owner(port), network.lid(port))) {
            Some((Node::Endpoint(_), lid)) => lid,
            _ => lid,
        };
        let mut steps: Vec<PathStep> = Vec::with_capacity(path.len() + 1);
        let mut before = None;
        for step in path {
            let node = network.owner(step.port);
            let is_switch = matches!(node, Node::Switch(_));
            steps.push(PathStep {
                out_port: Some(network.shown_number(step.port)),
                virtual_channel: Some(step.vc),
                entry: self.lfts.as_ref().filter(|_| is_switch).map(|_| lid),
                at: (id(node), Some(network.number(step.port))),
                ..self.step(node, before)
            });
            before = network.peer(step.port);
        }
        if let Some(port) = before {
            steps.push(self.step(network.owner(port), before));
        }
        steps
    }

    fn step(&self, node: Node, before: Option<PortId>) -> PathStep {
        PathStep {
            node: self.end(node),
            is_switch: matches!(node, Node::Switch(_)),
            in_port: before.map(|port| self.network.shown_number(port)),
            out_port: None,
            virtual_channel: None,
            entry: None,
            at: (id(node), None),
        }
    }

    fn end(&self, node: Node) -> PathEnd {
        let lid = match node {
            Node::Switch(switch) => self.network.switch_lid(switch),
            Node::Endpoint(endpoint) => self.lid_of(endpoint),
        };
        PathEnd {
            name: self.network.name(node),
            guid: format!("{:#018x}", self.network.guid(node)),
            lid,
        }
    }

    fn lid_of(&self, endpoint: EndpointId) -> u32 {
        self.network.injection(endpoint).map_or(0, |port| self.network.lid(port))
    }
}

fn id(node: Node) -> u32 {
    match node {
        Node::Switch(switch) => switch.0,
        Node::Endpoint(endpoint) => endpoint.0,
    }
}

/// Where packets begin or end.
#[derive(Clone, Copy)]
enum Start {
    Port(PortId),
    Switch(SwitchId),
}

/// Paths as they are found.
#[derive(Default)]
struct Found {
    paths: Vec<FoundPath>,
    /// The places of paths by what they pass.
    known: BTreeMap<Vec<(PortId, u8)>, usize>,
    omitted: u64,
}

struct FoundPath {
    rail: u32,
    steps: Vec<Step>,
    share: f64,
    problem: Option<String>,
}

impl Found {
    /// Adds a path, to another with the same channels where there is one.
    fn add(&mut self, rail: u32, steps: Vec<Step>, share: f64, problem: Option<String>) {
        let key: Vec<(PortId, u8)> = steps.iter().map(|step| (step.port, step.vc)).collect();
        match self.known.get(&key) {
            Some(place) if problem.is_none() => self.paths[*place].share += share,
            _ if self.paths.len() < MOST_PATHS => {
                self.known.insert(key, self.paths.len());
                self.paths.push(FoundPath { rail, steps, share, problem });
            }
            _ => self.omitted += 1,
        }
    }
}
