//! Which pairs have a route, how long it is, and where the others are lost.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::follow::{Fate, Follower};
use super::path::PathFinder;
use super::rails::Rail;
use crate::network::{EndpointId, Lfts, Network, Node, PortId, SwitchId, Target};
use crate::routing::{Pair, Routes, Sharing, Unroutable};

mod distances;
pub(super) mod gaps;
mod sites;

pub use gaps::{Gap, Loss};

use distances::Distances;
use gaps::Gaps;
use sites::Sites;

/// Ordered pairs of different nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs {
    /// All of them.
    pub total: u64,
    /// Those that some way of cables joins.
    pub connected: u64,
    /// Those with a route that arrives.
    pub routed: u64,
    /// Those of them whose route crosses more switches than it must; where a pair has several
    /// routes, one such counts.
    pub non_minimal: u64,
    /// Channels between switches on the longest route.
    pub longest: u32,
    /// The most channels by which a route is longer than it must be.
    pub detour: u32,
}

impl Pairs {
    /// Takes in the pairs of another rail.
    pub(super) fn take_in(&mut self, other: &Pairs) {
        self.total += other.total;
        self.connected += other.connected;
        self.routed += other.routed;
        self.non_minimal += other.non_minimal;
        self.longest = self.longest.max(other.longest);
        self.detour = self.detour.max(other.detour);
    }

    /// Adds `count` pairs, with their distance, the length of their route and the length of the
    /// longest of their routes.
    fn add(&mut self, count: u64, distance: Option<u32>, length: Option<u32>) {
        self.total += count;
        self.connected += if distance.is_some() { count } else { 0 };
        let (Some(length), Some(distance)) = (length, distance) else { return };
        if count == 0 {
            return;
        }
        self.routed += count;
        self.non_minimal += if length > distance { count } else { 0 };
        self.longest = self.longest.max(length);
        self.detour = self.detour.max(length - distance.min(length));
    }
}

/// Which pairs of a rail have a route.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Connectivity {
    /// From endpoint to endpoint.
    pub endpoint_pairs: Pairs,
    /// From switch to switch; none where routes do not lead to switches at all.
    pub switch_pairs: Option<Pairs>,
    /// From endpoint to switch.
    pub endpoint_to_switch: Option<Pairs>,
    /// From switch to endpoint.
    pub switch_to_endpoint: Option<Pairs>,
    /// Where routes are lost: the first of them.
    pub gaps: Vec<Gap>,
    /// How many there are: destinations by switches at which packets for them are lost.
    pub gap_count: u64,
}

/// Computes [`Connectivity`], a little at a time: from forwarding tables in linear time for each
/// destination, without walking pairs; else by walking those that do not share their ways.
pub struct Connecting {
    network: Arc<Network>,
    routes: Arc<Routes>,
    lfts: Option<Arc<Lfts>>,
    sites: Sites,
    follower: Follower,
    finder: PathFinder,
    distances: Distances,
    next: usize,
    gaps: Gaps,
    found: Connectivity,
}

impl Connecting {
    /// Begins with a rail.
    pub fn new(network: &Arc<Network>, routes: &Arc<Routes>, rail: &Rail) -> Connecting {
        let found = match routes.as_ref() {
            Routes::Tables(_) => Connectivity {
                switch_pairs: Some(Pairs::default()),
                endpoint_to_switch: Some(Pairs::default()),
                switch_to_endpoint: Some(Pairs::default()),
                ..Connectivity::default()
            },
            Routes::Oblivious(_) => Connectivity::default(),
        };
        Connecting {
            lfts: routes.oblivious().lfts(),
            sites: Sites::new(network, rail),
            follower: Follower::new(network),
            finder: PathFinder::default(),
            distances: Distances::new(network),
            next: 0,
            gaps: Gaps::new(network),
            found,
            network: network.clone(),
            routes: routes.clone(),
        }
    }

    /// The share of the work that is done.
    pub fn share(&self) -> f64 {
        self.next as f64 / self.sites.switches.len().max(1) as f64
    }

    /// Goes on for about `budget` steps, some nanoseconds each with tables and some hundred for a
    /// pair that is walked; the result when all is done.
    pub fn advance(&mut self, budget: u64) -> Option<Connectivity> {
        let mut left = budget;
        while let Some(switch) = self.sites.switches.get(self.next).copied() {
            if left == 0 {
                return None;
            }
            self.next += 1;
            let work = self.distances.from(switch);
            let work = work
                + match self.lfts.clone() {
                    Some(lfts) => self.follow_to(switch, &lfts),
                    None => self.walk_to(switch),
                };
            left = left.saturating_sub(work);
        }
        let mut found = std::mem::take(&mut self.found);
        let gaps = std::mem::take(&mut self.gaps);
        (found.gaps, found.gap_count) = gaps.finish(&self.network, self.lfts.as_deref());
        Some(found)
    }

    /// The whole of it at once.
    pub fn finish(mut self) -> Connectivity {
        loop {
            if let Some(found) = self.advance(u64::MAX) {
                return found;
            }
        }
    }

    /// Follows the tables to everything on a switch.
    fn follow_to(&mut self, switch: SwitchId, lfts: &Lfts) -> u64 {
        let mut work = 0;
        for place in 0..self.sites.ports(switch).len() {
            let target = self.network.port_target(self.sites.ports(switch)[place]);
            work += self.follow_one(switch, lfts, target, true);
        }
        if self.found.switch_pairs.is_some() {
            work += self.follow_one(switch, lfts, self.network.switch_target(switch), false);
        }
        work
    }

    fn follow_one(&mut self, to: SwitchId, lfts: &Lfts, target: Target, is_endpoint: bool) -> u64 {
        let starts = self.sites.switches.iter().copied();
        self.follower.follow(&self.network, lfts, target, starts);
        let with_switches = self.found.switch_pairs.is_some();
        for from in &self.sites.switches {
            let distance = self.distances.to(*from);
            let (length, loss) = match self.follower.fate(*from) {
                Some(Fate::Arrives(hops)) => (Some(hops), None),
                Some(Fate::Ends(at)) => (None, Some((Loss::Ends, at))),
                Some(Fate::Circles(at)) => (None, Some((Loss::Circles, at))),
                None => (None, None),
            };
            let itself = u64::from(*from == to);
            let endpoints = self.sites.ports(*from).len() as u64;
            let found = &mut self.found;
            let (endpoints, of_endpoints, switches, of_switches) = match is_endpoint {
                true => {
                    let of_switches = found.switch_to_endpoint.as_mut();
                    (endpoints - itself, Some(&mut found.endpoint_pairs), 1, of_switches)
                }
                false => {
                    let of_switches = found.switch_pairs.as_mut();
                    (endpoints, found.endpoint_to_switch.as_mut(), 1 - itself, of_switches)
                }
            };
            if let Some(pairs) = of_endpoints {
                pairs.add(endpoints, distance, length);
            }
            if let Some(pairs) = of_switches {
                pairs.add(switches, distance, length);
            }
            // Where no cables lead, nothing is lost that routes could keep.
            if let Some((loss, at)) = loss.filter(|_| distance.is_some()) {
                let sources = endpoints + if with_switches { switches } else { 0 };
                if sources > 0 {
                    self.gaps.note(target, loss, at, *from, sources);
                }
            }
        }
        self.sites.switches.len() as u64 * 2
    }

    /// Walks from everywhere to the endpoints of a switch.
    fn walk_to(&mut self, switch: SwitchId) -> u64 {
        let sharing = self.routes.oblivious().sharing();
        let destinations = self.sites.endpoints(&self.network, switch);
        let with_sources = |from: &SwitchId| (*from, self.sites.endpoints(&self.network, *from));
        let mut senders: Vec<(SwitchId, Vec<EndpointId>)> =
            self.sites.switches.iter().map(with_sources).collect();
        let mut work = 0;
        let (shown, together) = match (sharing, destinations.len()) {
            (_, 0) => return 0,
            (Sharing::Switches, count) => (&destinations[count - 1..], count as u64),
            (Sharing::Destinations, _) => {
                work += self.walk_together(&mut senders, &destinations);
                (&destinations[..], 1)
            }
            (Sharing::Nothing | Sharing::Sources, _) => (&destinations[..], 1),
        };
        let each = matches!(sharing, Sharing::Nothing | Sharing::Destinations);
        for destination in shown {
            for (from, sources) in &senders {
                let others = sources.iter().filter(|source| *source != destination);
                if each {
                    for source in others {
                        self.walk(*from, *source, *destination, 1);
                        work += 1;
                    }
                    continue;
                }
                let count = others.clone().count() as u64 * together;
                if let Some(source) = others.clone().next() {
                    self.walk(*from, *source, *destination, count);
                    work += 1;
                }
            }
        }
        work
    }

    /// Walks from every source to the first of the endpoints on a switch for all of them, and takes
    /// out the sources whose way arrives; how much work it was.
    fn walk_together(
        &mut self,
        senders: &mut [(SwitchId, Vec<EndpointId>)],
        destinations: &[EndpointId],
    ) -> u64 {
        let mut work = 0;
        for (from, sources) in senders {
            work += sources.len() as u64;
            sources.retain(|source| {
                let others = destinations.iter().copied().filter(|other| other != source);
                let Some(first) = others.clone().next() else { return false };
                let length = self.length(*source, first).ok();
                if length.is_some() {
                    let distance = self.distances.to(*from);
                    self.found.endpoint_pairs.add(others.count() as u64, distance, length);
                }
                length.is_none()
            });
        }
        work
    }

    /// The channels between switches on the longest way of a pair.
    fn length(&mut self, source: EndpointId, destination: EndpointId) -> Result<u32, Unroutable> {
        let pair = Pair { source, destination };
        let mut longest = 0;
        let routes = self.routes.oblivious();
        let walked = self.finder.paths(&self.network, routes, pair, &mut |path, _| {
            longest = longest.max(path.len().saturating_sub(2) as u32);
        });
        walked.map(|()| longest)
    }

    /// Walks one pair for so many.
    fn walk(&mut self, from: SwitchId, source: EndpointId, destination: EndpointId, count: u64) {
        let length = self.length(source, destination);
        let distance = self.distances.to(from);
        self.found.endpoint_pairs.add(count, distance, length.as_ref().ok().copied());
        if let (Err(lost), Some(target)) = (length, self.network.endpoint_target(destination))
            && distance.is_some()
        {
            self.gaps.note(target, Loss::Ends, lost.at, from, count);
        }
    }
}

/// The endpoint that a port belongs to.
fn endpoint(network: &Network, port: PortId) -> Option<EndpointId> {
    match network.owner(port) {
        Node::Endpoint(endpoint) => Some(endpoint),
        Node::Switch(_) => None,
    }
}
