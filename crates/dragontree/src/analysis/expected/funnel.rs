//! The load of routes that merge on their way to a destination, without walking every way.
//!
//! What has met on its way to a destination stays together. So for each destination every switch is
//! passed once, however many ways lead over it. Latencies add up only where packets take as long on
//! all links; elsewhere every way is walked.

use std::sync::Arc;

use super::super::bundles::{Bundles, Leg};
use super::super::zero_load::Latencies;
use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::routing::{Oblivious, Routes, Sharing, Unroutable};
use crate::units::{Bytes, Time};

/// So many switches are passed in the time that a way takes to be walked.
const PASSED: u64 = 4;

/// How many ways are walked in the time of one because they merge, about, if every endpoint sends to
/// all.
pub(crate) fn walked_at_once(network: &Network, routes: &dyn Oblivious, unit: Bytes) -> f64 {
    let share = matches!(routes.sharing(), Sharing::Sources | Sharing::Switches);
    match share && routes.merges() && time_on_all(network, unit).is_some() {
        true => PASSED as f64,
        false => 1.0,
    }
}

/// How long a unit takes on a channel, where that is the same on all.
fn time_on_all(network: &Network, unit: Bytes) -> Option<Time> {
    let mut times = network.channels().map(|(_, channel)| channel.serialization(unit));
    let time = times.next()?;
    times.all(|other| other == time).then_some(time)
}

/// Passes the switches on the ways to one destination after the other.
pub(super) struct Funnel {
    routes: Arc<Routes>,
    /// What a message takes besides the switches and the links.
    ends: Time,
    /// The destinations, or groups of them.
    destinations: Vec<u32>,
    /// For each bundle, where it comes from and the latency up to there.
    origins: Vec<(SwitchId, Time)>,
    beyond: Vec<Beyond>,
    /// How long a switch and the link after it take, for each latency that links have.
    latencies: Vec<Time>,
    passed: Vec<Passed>,
    round: u32,
    /// The switches passed to the current destination, way after way until each meets another, and the
    /// ports by which they are left; and where each way begins.
    ways: Vec<(SwitchId, PortId)>,
    begins: Vec<usize>,
}

/// What a channel leads to.
#[derive(Clone, Copy)]
struct Beyond {
    /// A switch or, above them, an endpoint; [`NOTHING`] without a cable.
    node: u32,
    /// The place of its latency among those that there are.
    latency: u32,
}

/// Stands for no node.
const NOTHING: u32 = u32::MAX;

/// A switch on the ways to a destination.
#[derive(Clone, Copy, Default)]
struct Passed {
    /// The last time that it was passed, and its place among those passed then.
    round: u32,
    place: u32,
    /// Switches from here on, this one included.
    switches: u32,
    /// From its outputs to the destination.
    time: Time,
    /// In bits per second.
    flow: f64,
}

/// What goes to one destination, in bits per second, and with it as weight the switches on its ways
/// and its time in nanoseconds.
#[derive(Default)]
pub(super) struct Sums {
    pub weight: f64,
    pub switches: f64,
    pub time: f64,
}

impl Funnel {
    /// For routes that merge, where links are alike and pairs come in bundles; `unit` is the size of
    /// what moves whole.
    pub fn new(
        network: &Network,
        routes: &Arc<Routes>,
        bundles: &Bundles,
        &Latencies { switch, adapter, flits, .. }: &Latencies,
        unit: Bytes,
    ) -> Option<Funnel> {
        routes.oblivious().merges().then_some(())?;
        let unit = time_on_all(network, unit)?;
        let origins = bundles.origins()?;
        let mut latencies = Vec::new();
        let mut beyond = |port: PortId| {
            let node = match network.neighbor(port) {
                Some(Node::Switch(next)) => next.0,
                Some(Node::Endpoint(end)) => network.switch_count() + end.0,
                None => NOTHING,
            };
            let latency = network.channel(port).map_or(Time::ZERO, |channel| channel.latency);
            let latency = switch + latency;
            let known = latencies.iter().position(|other| *other == latency);
            let latency = known.unwrap_or_else(|| {
                latencies.push(latency);
                latencies.len() - 1
            });
            Beyond { node, latency: latency as u32 }
        };
        Some(Funnel {
            routes: routes.clone(),
            ends: adapter * 2 + unit * flits,
            destinations: bundles.ends(),
            origins: origins.into_iter().map(|(at, link)| (at, link.latency)).collect(),
            beyond: (0..network.port_count()).map(PortId).map(&mut beyond).collect(),
            latencies,
            passed: vec![Passed::default(); network.switch_count() as usize],
            round: 0,
            ways: Vec::new(),
            begins: Vec::new(),
        })
    }

    /// How many steps all ways take, and about how many ways are walked in the time of each.
    pub fn steps(&self) -> (usize, u64) {
        (self.destinations.len(), (self.origins.len() as u64).div_ceil(PASSED))
    }

    /// Adds the traffic of a step, to a destination or a group of them, to that of the channels between
    /// switches.
    ///
    /// # Errors
    /// Some way does not lead there.
    pub fn add(
        &mut self,
        bundles: &Bundles,
        step: usize,
        bits: &mut [f64],
    ) -> Result<Sums, Unroutable> {
        self.round += 1;
        self.ways.clear();
        self.begins.clear();
        let mut sums = Sums::default();
        let mut outcome = Ok(());
        bundles.each_toward(self.destinations[step], &mut |bundle, leg| {
            if outcome.is_ok() {
                outcome = self.enter(bundle, &leg, &mut sums);
            }
        });
        outcome?;
        let mut end = self.ways.len();
        while let Some(begin) = self.begins.pop() {
            for (at, port) in &self.ways[begin..end] {
                let flow = self.passed[at.index()].flow;
                let Beyond { node, .. } = self.beyond[port.index()];
                if let Some(next) = self.passed.get_mut(node as usize) {
                    bits[port.index()] += flow;
                    next.flow += flow;
                }
            }
            end = begin;
        }
        Ok(sums)
    }

    /// Lets a leg's traffic in at its source's switch.
    fn enter(&mut self, bundle: usize, leg: &Leg, sums: &mut Sums) -> Result<(), Unroutable> {
        let (origin, latency) = self.origins[bundle];
        if self.passed[origin.index()].round != self.round {
            self.pass(origin, leg.pair.destination)?;
        }
        let passed = &mut self.passed[origin.index()];
        passed.flow += leg.between;
        sums.weight += leg.between;
        sums.switches += leg.between * f64::from(passed.switches);
        sums.time += leg.between * (self.ends + latency + passed.time).as_ns();
        Ok(())
    }

    /// Passes switches until one that has been passed before, or the destination.
    fn pass(&mut self, origin: SwitchId, destination: EndpointId) -> Result<(), Unroutable> {
        let Funnel { routes, beyond, latencies, passed, ways, round, .. } = self;
        let (routes, begin) = (routes.oblivious(), ways.len());
        self.begins.push(begin);
        let target = passed.len() as u32 + destination.0;
        let mut at = origin;
        // Where the way meets another, or the destination: the switches and the time from there.
        let (mut switches, mut time) = loop {
            let unroutable = Unroutable { at, destination };
            let known = passed.get_mut(at.index()).ok_or(unroutable)?;
            if known.round == *round {
                if known.place as usize >= begin {
                    return Err(unroutable);
                }
                break (known.switches, known.time);
            }
            let place = ways.len() as u32;
            *known = Passed { round: *round, place, ..Passed::default() };
            let port = routes.onward(at, destination).ok_or(unroutable)?;
            ways.push((at, port));
            match beyond[port.index()].node {
                node if node == target => break (0, Time::ZERO),
                node => at = SwitchId(node),
            }
        };
        for (at, port) in ways[begin..].iter().rev() {
            let latency = latencies[beyond[port.index()].latency as usize];
            (switches, time) = (switches + 1, time + latency);
            let known = &mut passed[at.index()];
            (known.switches, known.time) = (switches, time);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Expectation, Report};
    use super::*;
    use crate::catalog::PartChoice;
    use crate::network::Links;
    use crate::routing::Routing;
    use crate::topology::Topology;
    use crate::traffic::Destinations;
    use crate::units::Bandwidth;

    /// What is found with a funnel and what without; none where ways do not merge.
    fn both(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        every: usize,
    ) -> Option<[Result<Report, Unroutable>; 2]> {
        let placement: Arc<[EndpointId]> = network.endpoints().step_by(every).collect();
        let destinations = Arc::new(Destinations::Uniform { ranks: placement.len() as u32 });
        let latencies = Latencies {
            switch: Time::ns(100),
            adapter: Time::ns(7),
            flits: 3,
            apart: false,
            adapts: false,
        };
        let expectation =
            || Expectation::new(network, routes, &placement, &destinations, latencies, Bytes(256));
        let run = |mut expectation: Expectation| loop {
            if let Some(report) = expectation.advance(1000).transpose() {
                return report;
            }
        };
        let mut walked = expectation();
        walked.funnel.take()?;
        Some([run(expectation()), run(walked)])
    }

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 * one.abs().max(1.0)
    }

    #[test]
    fn what_merges_loads_channels_as_every_way_by_itself() {
        let even = Links::all(Bandwidth::gbps(100), Time::ns(50));
        let mut checked = 0;
        for topology in Topology::all() {
            let network = Arc::new(topology.role().build(&even).expect("defaults are valid"));
            if network.endpoint_count() > 2000 {
                continue;
            }
            for routing in Routing::all() {
                let Ok(routes) = routing.role().routes(&network) else { continue };
                let routes = Arc::new(routes);
                for every in [1, 3] {
                    let Some([merged, walked]) = both(&network, &routes, every) else { continue };
                    let (merged, walked) = match (merged, walked) {
                        (Ok(merged), Ok(walked)) => (merged, walked),
                        (merged, walked) => {
                            assert_eq!(merged, walked, "{topology:?} {routing:?}");
                            continue;
                        }
                    };
                    let about = format!("{topology:?} {routing:?}");
                    let utilizations = merged.utilization.iter().zip(&walked.utilization);
                    assert!(utilizations.clone().all(|(one, other)| near(*one, *other)), "{about}");
                    assert!(near(merged.zero_load_ns, walked.zero_load_ns), "{about}");
                    assert!(near(merged.hops_mean, walked.hops_mean), "{about}");
                    // Rounded to nine places, up or down where it lies between two.
                    assert!((merged.bound - walked.bound).abs() < 1.5e-9, "{about}");
                    assert_eq!(merged.busiest, walked.busiest, "{about}");
                    let shares = |report: &Report| {
                        let told = report.reason.clone();
                        told.map(|it| (it.flows, it.sources, it.destinations, it.largest))
                    };
                    assert_eq!(shares(&merged), shares(&walked), "{about}");
                    checked += 1;
                }
            }
        }
        assert!(checked >= 20, "{checked}");
    }
}
