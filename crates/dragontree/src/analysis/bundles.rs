//! Pairs that take the same ways, to be walked once.

use std::sync::Arc;

#[cfg(feature = "complete")]
use crate::network::{Channel, SwitchId};
use crate::network::{EndpointId, Network};
use crate::routing::{Pair, Sharing};
use crate::traffic::{Destinations, Residents, SEVERAL};
use crate::units::Rank;

mod groups;

use groups::{Group, groups};

/// A pair to be walked, for itself or for all that take the same ways.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    /// The pair whose paths are walked.
    pub pair: Pair,
    /// Traffic between the switches, in bits per second when every source sends at its full rate.
    pub between: f64,
    /// Traffic on the links of the two endpoints, where it is not counted otherwise.
    pub ends: f64,
    /// The number of pairs of endpoints it stands for.
    pub flows: u64,
    /// The number of destinations it stands for.
    pub destinations: u32,
}

/// All pairs that have traffic, bundle by bundle.
pub(super) struct Bundles {
    network: Arc<Network>,
    placement: Arc<[EndpointId]>,
    destinations: Arc<Destinations>,
    /// Each rank's rate of injection, in bits per second.
    rates: Vec<f64>,
    bundling: Bundling,
}

enum Bundling {
    /// Every rank for itself.
    Ranks,
    /// Uniform traffic, sources together; destinations for themselves. Only routings of the complete
    /// build share so, or as in the next.
    #[cfg(feature = "complete")]
    Sources(Vec<Group>),
    /// Uniform traffic, destinations together; sources for themselves.
    #[cfg(feature = "complete")]
    Destinations(Vec<Group>),
    /// Uniform traffic, sources and destinations together.
    Switches(Vec<Group>),
}

impl Bundles {
    pub fn new(
        network: &Arc<Network>,
        sharing: Sharing,
        placement: &Arc<[EndpointId]>,
        destinations: &Arc<Destinations>,
    ) -> Bundles {
        let residents = Residents::new(network.endpoint_count(), placement);
        #[cfg(feature = "complete")]
        if let Some(folded) = folded(network, sharing, placement, destinations, &residents) {
            return folded;
        }
        let rate = |endpoint: &EndpointId| {
            let channel = network.injection(*endpoint).and_then(|port| network.channel(port));
            channel.map_or(0.0, |channel| channel.bandwidth.as_bps() as f64)
                / together(&residents, *endpoint)
        };
        let uniform = matches!(**destinations, Destinations::Uniform { .. });
        let single = residents.are_alone()
            && placement.iter().all(|endpoint| network.cabled_ports(*endpoint) == 1);
        let bundling = match sharing {
            #[cfg(feature = "complete")]
            Sharing::Sources if uniform && single => Bundling::Sources(groups(network, placement)),
            #[cfg(feature = "complete")]
            Sharing::Destinations if uniform && single => {
                Bundling::Destinations(groups(network, placement))
            }
            Sharing::Switches if uniform && single => {
                Bundling::Switches(groups(network, placement))
            }
            _ => Bundling::Ranks,
        };
        Bundles {
            network: network.clone(),
            placement: placement.clone(),
            destinations: destinations.clone(),
            rates: placement.iter().map(rate).collect(),
            bundling,
        }
    }

    /// The number of bundles.
    pub fn len(&self) -> usize {
        match &self.bundling {
            Bundling::Ranks => self.placement.len(),
            #[cfg(feature = "complete")]
            Bundling::Destinations(_) => self.placement.len(),
            #[cfg(feature = "complete")]
            Bundling::Sources(groups) => groups.len(),
            Bundling::Switches(groups) => groups.len(),
        }
    }

    /// The number of pairs in each bundle, at most.
    pub fn longest(&self) -> u64 {
        match (&self.bundling, &*self.destinations) {
            (Bundling::Ranks, Destinations::Fixed(_)) => 1,
            #[cfg(feature = "complete")]
            (Bundling::Ranks, Destinations::Weighted(shares)) => {
                shares.iter().map(|row| row.len() as u64).max().unwrap_or(0)
            }
            (Bundling::Ranks, _) => self.placement.len() as u64,
            #[cfg(feature = "complete")]
            (Bundling::Sources(_), _) => self.placement.len() as u64,
            #[cfg(feature = "complete")]
            (Bundling::Destinations(groups), _) => groups.len() as u64,
            (Bundling::Switches(groups), _) => groups.len() as u64,
        }
    }

    /// The number of sources of a bundle.
    pub fn sources(&self, bundle: usize) -> u64 {
        match &self.bundling {
            Bundling::Ranks => 1,
            #[cfg(feature = "complete")]
            Bundling::Destinations(_) => 1,
            #[cfg(feature = "complete")]
            Bundling::Sources(groups) => groups[bundle].ranks.len() as u64,
            Bundling::Switches(groups) => groups[bundle].ranks.len() as u64,
        }
    }

    /// Shows the pairs of a bundle.
    pub fn each(&self, bundle: usize, show: &mut dyn FnMut(Leg)) {
        match &self.bundling {
            Bundling::Ranks => self.each_of_rank(bundle, show),
            #[cfg(feature = "complete")]
            Bundling::Sources(groups) => self.each_from(&groups[bundle], show),
            #[cfg(feature = "complete")]
            Bundling::Destinations(groups) => self.each_to(bundle as u32, groups, show),
            Bundling::Switches(groups) => self.each_between(groups, bundle, show),
        }
    }

    /// The bundles, where each is the ranks of one switch whose links are alike: that switch, and what
    /// the injection links are; none where bundles are something else.
    #[cfg(feature = "complete")]
    pub fn origins(&self) -> Option<Vec<(SwitchId, Channel)>> {
        let groups = match &self.bundling {
            Bundling::Sources(groups) | Bundling::Switches(groups) => groups,
            Bundling::Ranks | Bundling::Destinations(_) => return None,
        };
        let origin = |group: &Group| {
            let injection = self.network.injection(self.placement[group.first as usize])?;
            Some((group.switch?, self.network.channel(injection)?))
        };
        groups.iter().map(origin).collect()
    }

    /// The destinations, or the groups of them, where all bundles show the same. Those that have the
    /// same place on their switches follow one another: ways to them often take the same links.
    #[cfg(feature = "complete")]
    pub fn ends(&self) -> Vec<u32> {
        match &self.bundling {
            Bundling::Sources(groups) => {
                let most = groups.iter().map(|group| group.ranks.len()).max().unwrap_or(0);
                let nth = |place| groups.iter().filter_map(move |group| group.ranks.get(place));
                (0..most).flat_map(nth).copied().collect()
            }
            Bundling::Switches(groups) => (0..groups.len() as u32).collect(),
            Bundling::Ranks | Bundling::Destinations(_) => Vec::new(),
        }
    }

    /// Shows all pairs with one of these destinations, and of which bundle each is.
    #[cfg(feature = "complete")]
    pub fn each_toward(&self, end: u32, show: &mut dyn FnMut(usize, Leg)) {
        match &self.bundling {
            Bundling::Sources(groups) => {
                let home = self.network.switch_of(self.placement[end as usize]);
                for (bundle, group) in groups.iter().enumerate() {
                    let is_member = group.switch == home && group.ranks.binary_search(&end).is_ok();
                    if let Some(leg) = self.leg_from(group, end, is_member) {
                        show(bundle, leg);
                    }
                }
            }
            Bundling::Switches(groups) => {
                for from in 0..groups.len() {
                    if let Some(leg) = self.leg_between(groups, from, end as usize) {
                        show(from, leg);
                    }
                }
            }
            Bundling::Ranks | Bundling::Destinations(_) => {}
        }
    }

    /// Shows what a bundle sends to one endpoint, which may be one of many that it shows together.
    pub fn each_into(&self, bundle: usize, endpoint: EndpointId, show: &mut dyn FnMut(u64, Leg)) {
        let ranks = match &self.bundling {
            Bundling::Ranks => {
                return self.each_of_rank(bundle, &mut |leg| {
                    if leg.pair.destination == endpoint {
                        show(1, leg);
                    }
                });
            }
            #[cfg(feature = "complete")]
            Bundling::Destinations(_) => &[bundle as u32][..],
            #[cfg(feature = "complete")]
            Bundling::Sources(groups) => &groups[bundle].ranks,
            Bundling::Switches(groups) => &groups[bundle].ranks,
        };
        // The endpoint itself sends nothing to itself; all others of a bundle have one rate.
        let others = || ranks.iter().filter(|rank| self.placement[**rank as usize] != endpoint);
        let flows = others().count();
        let Some(first) = others().next().filter(|_| self.placement.contains(&endpoint)) else {
            return;
        };
        let share = flows as f64 / (self.placement.len() as f64 - 1.0);
        let between = self.rates[*first as usize] * share;
        let source = self.placement[*first as usize];
        let pair = Pair { source, destination: endpoint };
        let leg = Leg { pair, between, ends: 0.0, flows: flows as u64, destinations: 1 };
        show(leg.flows, leg);
    }

    fn pair(&self, source: u32, destination: u32) -> Pair {
        let endpoint = |rank: u32| self.placement[rank as usize];
        Pair { source: endpoint(source), destination: endpoint(destination) }
    }

    fn each_of_rank(&self, rank: usize, show: &mut dyn FnMut(Leg)) {
        self.destinations.each(Rank(rank as u32), &mut |destination, share| {
            let between = self.rates[rank] * share;
            let pair = self.pair(rank as u32, destination.0);
            // What stays on its endpoint is not sent.
            if SEVERAL && pair.source == pair.destination {
                return;
            }
            show(Leg { pair, between, ends: between, flows: 1, destinations: 1 });
        });
    }

    #[cfg(feature = "complete")]
    fn each_from(&self, group: &Group, show: &mut dyn FnMut(Leg)) {
        for destination in 0..self.placement.len() as u32 {
            let is_member = group.ranks.binary_search(&destination).is_ok();
            if let Some(leg) = self.leg_from(group, destination, is_member) {
                show(leg);
            }
        }
    }

    /// What a group sends to a rank, which may be a member.
    #[cfg(feature = "complete")]
    fn leg_from(&self, group: &Group, destination: u32, is_member: bool) -> Option<Leg> {
        let share = 1.0 / (self.placement.len() as f64 - 1.0);
        let (source, own) = match is_member {
            true => {
                let source = group.ranks.iter().find(|rank| **rank != destination)?;
                (*source, self.rates[destination as usize])
            }
            false => (group.first, 0.0),
        };
        Some(Leg {
            pair: self.pair(source, destination),
            between: (group.rate - own) * share,
            ends: 0.0,
            flows: group.ranks.len() as u64 - u64::from(is_member),
            destinations: 1,
        })
    }

    #[cfg(feature = "complete")]
    fn each_to(&self, source: u32, groups: &[Group], show: &mut dyn FnMut(Leg)) {
        let share = 1.0 / (self.placement.len() as f64 - 1.0);
        for group in groups {
            let Some(destination) = group.ranks.iter().find(|rank| **rank != source) else {
                continue;
            };
            let own = u32::from(group.ranks.binary_search(&source).is_ok());
            let others = group.ranks.len() as u32 - own;
            show(Leg {
                pair: self.pair(source, *destination),
                between: self.rates[source as usize] * (f64::from(others) * share),
                ends: 0.0,
                flows: u64::from(others),
                destinations: group.ranks.len() as u32,
            });
        }
    }

    fn each_between(&self, groups: &[Group], from: usize, show: &mut dyn FnMut(Leg)) {
        for to in 0..groups.len() {
            if let Some(leg) = self.leg_between(groups, from, to) {
                show(leg);
            }
        }
    }

    fn leg_between(&self, groups: &[Group], from: usize, to: usize) -> Option<Leg> {
        let share = 1.0 / (self.placement.len() as f64 - 1.0);
        let [source, destination] = [&groups[from], &groups[to]];
        let others = destination.ranks.len() as f64 - if to == from { 1.0 } else { 0.0 };
        let last = destination.ranks.last().filter(|_| others > 0.0)?;
        Some(Leg {
            pair: self.pair(source.first, *last),
            between: source.rate * others * share,
            ends: 0.0,
            flows: source.ranks.len() as u64 * others as u64,
            destinations: destination.ranks.len() as u32,
        })
    }

    /// Adds the traffic on the links of the endpoints, where the pairs did not show it.
    pub fn add_ends(&self, bits: &mut [f64]) {
        if matches!(self.bundling, Bundling::Ranks) {
            return;
        }
        let total: f64 = self.rates.iter().sum();
        let share = 1.0 / (self.placement.len() as f64 - 1.0);
        for (endpoint, rate) in self.placement.iter().zip(&self.rates) {
            let Some(injection) = self.network.injection(*endpoint) else { continue };
            bits[injection.index()] += rate;
            if let Some(ejection) = self.network.peer(injection) {
                bits[ejection.index()] += (total - rate) * share;
            }
        }
    }
}

/// How many ranks share an endpoint.
fn together(residents: &Residents, endpoint: EndpointId) -> f64 {
    if SEVERAL { residents.of(endpoint).len().max(1) as f64 } else { 1.0 }
}

/// The pairs of uniform traffic where every endpoint has as many ranks, more than one: those of the
/// endpoints, which send as much less as stays with them.
#[cfg(feature = "complete")]
fn folded(
    network: &Arc<Network>,
    sharing: Sharing,
    placement: &Arc<[EndpointId]>,
    destinations: &Arc<Destinations>,
    residents: &Residents,
) -> Option<Bundles> {
    residents.each().filter(|_| matches!(**destinations, Destinations::Uniform { .. }))?;
    let first = |(endpoint, rank): &(EndpointId, Rank)| residents.of(*endpoint)[0] == *rank;
    let ranks = placement.iter().copied().zip((0..).map(Rank));
    let endpoints: Arc<[EndpointId]> = ranks.filter(first).map(|(endpoint, _)| endpoint).collect();
    let uniform = Arc::new(Destinations::Uniform { ranks: endpoints.len() as u32 });
    let each = placement.len() as f64 / endpoints.len() as f64;
    let leaving = each * residents.leaving(destinations, placement, Rank(0));
    let mut bundles = Bundles::new(network, sharing, &endpoints, &uniform);
    bundles.rates.iter_mut().for_each(|rate| *rate *= leaving);
    match &mut bundles.bundling {
        Bundling::Ranks | Bundling::Destinations(_) => {}
        Bundling::Sources(groups) | Bundling::Switches(groups) => {
            groups.iter_mut().for_each(|group| group.rate *= leaving);
        }
    }
    Some(bundles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::PartChoice;
    use crate::network::Links;
    use crate::routing::{Routes, Routing};
    use crate::topology::Topology;
    use crate::units::{Bandwidth, Time};

    /// Traffic on every channel, summed over single pairs or over bundles; none where a pair has
    /// no route.
    fn traffic(network: &Arc<Network>, routes: &Routes, sharing: Sharing) -> Option<Vec<f64>> {
        let placement: Arc<[EndpointId]> = network.endpoints().step_by(3).collect();
        let destinations = Destinations::Uniform { ranks: placement.len() as u32 }.into();
        let bundles = Bundles::new(network, sharing, &placement, &destinations);
        let oblivious = routes.oblivious();
        let mut bits = vec![0.0; network.port_count() as usize];
        let mut all = true;
        for bundle in 0..bundles.len() {
            bundles.each(bundle, &mut |leg| {
                let show = &mut |path: &[super::super::Step], probability: f64| {
                    for (index, step) in path.iter().enumerate() {
                        let ends = index == 0 || index + 1 == path.len();
                        let rate = if ends { leg.ends } else { leg.between };
                        bits[step.port.index()] += rate * probability;
                    }
                };
                all &= super::super::paths(network, oblivious, leg.pair, show).is_ok();
            });
        }
        bundles.add_ends(&mut bits);
        all.then_some(bits)
    }

    #[test]
    fn bundles_carry_what_their_pairs_carry() {
        let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
        let mut checked = 0;
        for topology in Topology::all() {
            let network = Arc::new(topology.role().build(&links).expect("defaults are valid"));
            for routing in Routing::all() {
                let Ok(routes) = routing.role().routes(&network) else { continue };
                let oblivious = routes.oblivious();
                let sharing = oblivious.sharing();
                if sharing == Sharing::Nothing || network.endpoint_count() > 2000 {
                    continue;
                }
                // Tables from a file know their own network only.
                let Some(one) = traffic(&network, &routes, Sharing::Nothing) else { continue };
                let other = traffic(&network, &routes, sharing).expect("the same routes");
                for (port, (one, other)) in one.iter().zip(&other).enumerate() {
                    let equal = (one - other).abs() <= 1e-9 * one.max(1.0);
                    assert!(equal, "{topology:?} {routing:?} port {port}: {one} {other}");
                }
                checked += 1;
            }
        }
        assert!(checked >= 20, "{checked}");
    }
}
