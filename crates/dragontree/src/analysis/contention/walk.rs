//! Contention by walking every pair of every phase.

use std::sync::Arc;

use super::levels::Levels;
use super::loads::Loads;
use super::tally::Tally;
use super::ways::Ways;
use crate::analysis::follow::Follower;
use crate::analysis::path::PathFinder;
use crate::network::{EndpointId, Lfts, Network, Node, PortId};
use crate::routing::{Exit, Pair, Routes, Sent, Sharing, Waypoints};
use crate::units::Rank;

/// A message of a phase.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flow {
    /// From the slot of one rank to that of another.
    Between(Rank, Rank),
    /// One whose way depends on which message it is.
    Sent(Sent),
}

/// For each phase its messages.
type Phases = Box<dyn Iterator<Item = Vec<Flow>> + Send>;

pub(super) struct Walk {
    network: Arc<Network>,
    routes: Arc<Routes>,
    lfts: Option<Arc<Lfts>>,
    follower: Follower,
    slots: Vec<Option<PortId>>,
    /// The endpoint of each slot.
    owners: Vec<Option<Node>>,
    phases: Phases,
    phase: Option<Phase>,
    loads: Loads,
    path: Vec<PortId>,
    finder: PathFinder,
    /// What has been walked, where several pairs share it.
    ways: Option<Ways>,
    /// The channels of the pair that is walked, with their probabilities.
    found: Vec<(PortId, f64)>,
    /// The way of the message that is walked; kept for its memory.
    exits: Vec<Exit>,
    tally: Option<Tally>,
}

/// The phase that is being walked.
struct Phase {
    flows: Vec<Flow>,
    next: usize,
}

impl Walk {
    pub fn new(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        levels: Levels,
        slots: &[Option<PortId>],
        mut phases: Phases,
    ) -> Walk {
        let phase = phases.next().map(|flows| Phase { flows, next: 0 });
        let lfts = routes.oblivious().lfts();
        let sharing = match &lfts {
            Some(_) => Sharing::Sources,
            None => routes.oblivious().sharing(),
        };
        Walk {
            lfts,
            ways: Ways::new(network, sharing, slots),
            found: Vec::new(),
            exits: Vec::new(),
            follower: Follower::new(network),
            slots: slots.to_vec(),
            owners: slots.iter().map(|slot| slot.map(|port| network.owner(port))).collect(),
            phases,
            phase,
            loads: Loads::new(network, &levels),
            path: Vec::new(),
            finder: PathFinder::default(),
            tally: Some(Tally::new(network, levels)),
            network: network.clone(),
            routes: routes.clone(),
        }
    }

    /// The share of the phases that are done, as far as it is known how many there are.
    pub fn share(&self) -> f64 {
        let done = self.tally.as_ref().map_or(1, |tally| tally.stages);
        let left = self.phases.size_hint().1.unwrap_or(0) + usize::from(self.phase.is_some());
        done as f64 / (done + left).max(1) as f64
    }

    /// Walks so many pairs; the tally when all are done.
    pub fn advance(&mut self, budget: u64) -> Option<Tally> {
        let mut left = budget;
        while let Some(phase) = &mut self.phase {
            if let Some(flow) = phase.flows.get(phase.next).copied() {
                if left == 0 {
                    return None;
                }
                left -= 1;
                phase.next += 1;
                match flow {
                    Flow::Between(from, to) => self.walk(from.0 as usize, to.0 as usize),
                    Flow::Sent(sent) => self.send(&sent),
                }
            } else {
                self.tally.iter_mut().for_each(|tally| self.loads.close(tally));
                let next = self.phases.next();
                self.phase = next.map(|flows| Phase { flows, next: 0 });
            }
        }
        let mut tally = self.tally.take()?;
        self.loads.finish(&mut tally);
        Some(tally)
    }

    /// Puts a flow on its channels.
    fn walk(&mut self, source: usize, other: usize) {
        // What stays within an endpoint takes no channel.
        let owner = |index: usize| self.owners.get(index).copied().flatten();
        let Some((one, another)) = owner(source).zip(owner(other)) else { return };
        if one == another {
            return;
        }
        let loads = &mut self.loads;
        if self.ways.as_ref().is_some_and(|ways| ways.load(source, other, loads)) {
            return;
        }
        let slot = |index: usize| self.slots.get(index).copied().flatten();
        let Some((from, to)) = slot(source).zip(slot(other)) else { return };
        self.found.clear();
        let routed = match self.lfts.clone() {
            Some(lfts) => self.follow(&lfts, from, to),
            None => self.all_paths(from, to),
        };
        self.load();
        // Pairs without a route are counted one by one.
        if routed && let Some(ways) = &mut self.ways {
            ways.keep(source, other, &self.found, &self.loads);
        }
        if let Some(tally) = self.tally.as_mut().filter(|_| !routed) {
            tally.unrouted += 1;
        }
    }

    /// Puts a message on the channels of its own way, or of those of its pair where it has none.
    fn send(&mut self, sent: &Sent) {
        self.found.clear();
        let named = self.routes.oblivious().of_message(sent.pair, sent.label);
        let routed = match named {
            Some(waypoints) => self.own_way(sent.pair, waypoints).is_some(),
            None => self.paths_of(sent.pair),
        };
        if routed {
            self.load();
        } else {
            self.tally.iter_mut().for_each(|tally| tally.unrouted += 1);
        }
    }

    /// Finds the way with these waypoints; nothing where it does not come to its end.
    fn own_way(&mut self, pair: Pair, waypoints: Waypoints) -> Option<()> {
        let (network, routes) = (&self.network, self.routes.oblivious());
        let first = network.neighbor(routes.outlet(network, pair, waypoints)?);
        let Some(Node::Switch(mut at)) = first else { return None };
        self.exits.clear();
        routes.follow(network, at, pair, waypoints, &mut self.exits);
        for exit in &self.exits {
            let port = network.port(at, exit.number);
            match network.neighbor(port)? {
                Node::Switch(next) => {
                    self.found.push((port, 1.0));
                    at = next;
                }
                Node::Endpoint(end) => return (end == pair.destination).then_some(()),
            }
        }
        None
    }

    /// Adds what was found to the loads of the phase.
    fn load(&mut self) {
        for (port, share) in &self.found {
            self.loads.add_share(self.loads.place(*port), *share);
        }
    }

    fn follow(&mut self, lfts: &Lfts, source: PortId, destination: PortId) -> bool {
        let Some(Node::Switch(start)) = self.network.neighbor(source) else { return false };
        let target = self.network.port_target(destination);
        self.path.clear();
        let path = &mut self.path;
        let arrives = self.follower.walk(&self.network, lfts, target, start, path);
        if arrives {
            self.found.extend(self.path.iter().map(|port| (*port, 1.0)));
        }
        arrives
    }

    fn all_paths(&mut self, source: PortId, destination: PortId) -> bool {
        let endpoint = |port| match self.network.owner(port) {
            Node::Endpoint(endpoint) => endpoint,
            Node::Switch(_) => EndpointId(0),
        };
        self.paths_of(Pair { source: endpoint(source), destination: endpoint(destination) })
    }

    fn paths_of(&mut self, pair: Pair) -> bool {
        let (network, routes) = (&self.network, self.routes.oblivious());
        let found = &mut self.found;
        let walked = self.finder.paths(network, routes, pair, &mut |path, probability| {
            let between = path.get(1..path.len().saturating_sub(1)).unwrap_or_default();
            found.extend(between.iter().map(|step| (step.port, probability)));
        });
        walked.is_ok()
    }
}
