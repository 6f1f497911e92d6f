//! What oblivious routes do with a traffic pattern on average: the load of every channel, the
//! throughput bound that follows, and the latency in an empty network.

use std::sync::Arc;

use super::bundles::{Bundles, Leg};
use super::path::{PathFinder, Step};
use super::reason::Reasoning;
use super::zero_load::{Apart, Latencies};
use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::routing::{Oblivious, Routes, Unroutable};
use crate::traffic::Destinations;
use crate::units::{Bytes, Time};

mod composed;
#[cfg(feature = "complete")]
mod funnel;
mod report;

use composed::Composed;
#[cfg(feature = "complete")]
use funnel::Funnel;
#[cfg(feature = "complete")]
pub(crate) use funnel::walked_at_once;
pub use report::Report;
use report::{relative_to_rates, round};

/// Whether routes can be halves: only those of routings of the complete build are.
const HAS_HALVES: bool = cfg!(feature = "complete");

/// Walks the paths of all pairs that have traffic, a few at a time. Pairs that take the same ways
/// are walked once; where ways are two halves, the halves are.
pub struct Expectation {
    network: Arc<Network>,
    routes: Arc<Routes>,
    latencies: Latencies,
    /// How long what moves whole takes on each channel, once ways are walked one by one.
    serialization: Vec<Option<Time>>,
    unit: Bytes,
    bundles: Bundles,
    composed: Option<Composed>,
    #[cfg(feature = "complete")]
    funnel: Option<Funnel>,
    finder: PathFinder,
    phase: Phase,
    next: usize,
    bits: Vec<f64>,
    /// The time of packets and the switches on their ways, each times what goes that way, and all that
    /// goes, in bits per second: faster endpoints send more packets.
    time: f64,
    switches: f64,
    weight: f64,
    /// Whether the latency of some message depends on which of several ways its packets go.
    apart: bool,
    /// How long a half took between switches, once one has been walked.
    half: Option<f64>,
    /// Once everything has been walked: what was found, and what is looked for by walking once more.
    reasoning: Option<(Box<Report>, Reasoning)>,
}

/// What is being done, bundle by bundle or switch by switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The pairs are walked, or dealt out to halves.
    Pairs,
    /// The halves are walked.
    Halves,
    /// The halves are walked once more, looking for the busiest channel.
    HalvesAgain,
    /// The pairs likewise.
    PairsAgain,
}

/// So many pairs are dealt out to one half in the time that a path takes to be walked.
const DEALT: u64 = 32;

impl Expectation {
    /// Begins with a placement and a pattern. `unit` is the size of what moves whole.
    pub fn new(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        placement: &Arc<[EndpointId]>,
        destinations: &Arc<Destinations>,
        latencies: Latencies,
        unit: Bytes,
    ) -> Expectation {
        let oblivious = routes.oblivious();
        let bundles = Bundles::new(network, oblivious.sharing(), placement, destinations);
        Expectation {
            #[cfg(feature = "complete")]
            funnel: Funnel::new(network, routes, &bundles, &latencies, unit),
            serialization: Vec::new(),
            unit,
            bundles,
            composed: if HAS_HALVES { Composed::new(network, routes, placement) } else { None },
            finder: PathFinder::default(),
            phase: Phase::Pairs,
            next: 0,
            bits: vec![0.0; network.port_count() as usize],
            time: 0.0,
            switches: 0.0,
            weight: 0.0,
            apart: false,
            half: None,
            reasoning: None,
            network: network.clone(),
            routes: routes.clone(),
            latencies,
        }
    }

    /// About how many ways have to be walked.
    pub fn work(&self) -> u64 {
        let (steps, each) = self.steps(Phase::Pairs);
        each.saturating_mul(steps as u64)
    }

    /// About how many ways of a bundle have to be walked.
    fn longest(&self) -> u64 {
        let ways = self.bundles.longest().saturating_mul(self.routes.oblivious().ways_per_pair());
        if self.has_halves() { ways.div_ceil(DEALT) } else { ways }
    }

    fn has_halves(&self) -> bool {
        HAS_HALVES && self.composed.is_some()
    }

    /// How many steps a phase has, and about how many ways are walked in each.
    fn steps(&self, phase: Phase) -> (usize, u64) {
        let rows = if self.has_halves() { self.network.switch_count() as usize } else { 0 };
        #[cfg(feature = "complete")]
        if let (Phase::Pairs, Some(funnel)) = (phase, &self.funnel) {
            return funnel.steps();
        }
        match phase {
            Phase::Pairs | Phase::PairsAgain => (self.bundles.len(), self.longest()),
            Phase::Halves | Phase::HalvesAgain => (rows, 2 * rows as u64),
        }
    }

    /// The share of the work that is done, as if the busiest channel had to be looked at, too.
    pub fn share(&self) -> f64 {
        let (steps, _) = self.steps(self.phase);
        let done = self.next as f64 / steps.max(1) as f64;
        let before = f64::from(self.phase as u8);
        match self.has_halves() {
            true => (before + done) / 4.0,
            false => (before.min(1.0) + done) / 2.0,
        }
    }

    /// Walks about `budget` ways more; the report when all are done.
    ///
    /// # Errors
    /// A pair that has traffic has no route.
    pub fn advance(&mut self, budget: u64) -> Result<Option<Report>, Unroutable> {
        let mut left = budget;
        loop {
            let (steps, each) = self.steps(self.phase);
            while self.next < steps {
                if left == 0 {
                    return Ok(None);
                }
                left = left.saturating_sub(each);
                match self.phase {
                    #[cfg(feature = "complete")]
                    Phase::Pairs if self.funnel.is_some() => {
                        if self.merge().is_err() {
                            // Which pair has no route is found out pair by pair.
                            return self.begin_again(left);
                        }
                    }
                    Phase::Pairs => self.walk()?,
                    Phase::Halves => self.settle(),
                    Phase::HalvesAgain => self.look(),
                    Phase::PairsAgain => self.reason()?,
                }
                self.next += 1;
            }
            self.next = 0;
            self.phase = match self.phase {
                Phase::Pairs => Phase::Halves,
                Phase::Halves => {
                    let report = self.report();
                    let reasoning = Reasoning::new(&self.network, report.busiest);
                    match reasoning.filter(|_| report.bound <= 1.0) {
                        None => return Ok(Some(report)),
                        Some(reasoning) => self.reasoning = Some((Box::new(report), reasoning)),
                    }
                    Phase::HalvesAgain
                }
                Phase::HalvesAgain => Phase::PairsAgain,
                Phase::PairsAgain => {
                    return Ok(self.reasoning.take().map(|(mut report, reasoning)| {
                        let utilization = report.utilization[reasoning.channel().index()];
                        report.reason = Some(reasoning.reason(&self.network, utilization));
                        *report
                    }));
                }
            };
        }
    }

    /// Lets all that goes to the next destination come together.
    #[cfg(feature = "complete")]
    fn merge(&mut self) -> Result<(), Unroutable> {
        let Some(funnel) = &mut self.funnel else { return Ok(()) };
        let sums = funnel.add(&self.bundles, self.next, &mut self.bits)?;
        self.weight += sums.weight;
        self.switches += sums.switches;
        self.time += sums.time;
        Ok(())
    }

    /// Begins again, to walk every way.
    #[cfg(feature = "complete")]
    fn begin_again(&mut self, budget: u64) -> Result<Option<Report>, Unroutable> {
        (self.funnel, self.next) = (None, 0);
        self.bits.fill(0.0);
        (self.weight, self.switches, self.time) = (0.0, 0.0, 0.0);
        self.advance(budget)
    }

    /// Walks the next switch's halves.
    fn settle(&mut self) {
        let Expectation { composed, next, bits, time, switches, latencies, .. } = self;
        let (apart, half) = (&mut self.apart, &mut self.half);
        let Some(composed) = composed.as_mut().filter(|_| HAS_HALVES) else { return };
        composed.settle(SwitchId(*next as u32), &mut |load| {
            let mut takes = 0.0;
            for port in load.ports {
                bits[port.index()] += load.rate;
                takes += composed.own(*port, latencies);
            }
            *time += load.rate * takes;
            let others = half.replace(takes).is_some_and(|other| other != takes);
            *apart |= latencies.apart && (others || composed.slows());
            *switches += load.rate * load.ports.len() as f64;
        });
    }

    /// Walks them once more, looking for the busiest channel.
    fn look(&mut self) {
        if HAS_HALVES
            && let (Some(composed), Some((_, reasoning))) = (&mut self.composed, &self.reasoning)
            && reasoning.endpoint().is_none()
        {
            composed.look(SwitchId(self.next as u32), reasoning.channel());
        }
    }

    /// Walks the next bundle once more, looking for what goes over the busiest channel.
    fn reason(&mut self) -> Result<(), Unroutable> {
        let Expectation { network, routes, bundles, composed, finder, next, reasoning, .. } = self;
        let Some((_, reasoning)) = reasoning else { return Ok(()) };
        let oblivious = routes.oblivious();
        let mut outcome = Ok(());
        if let Some(endpoint) = reasoning.endpoint() {
            bundles.each_into(*next, endpoint, &mut |sources, leg| {
                // All ways to an endpoint of one port end in its channel.
                let mut share = f64::from(u8::from(network.cabled_ports(endpoint) == 1));
                if share == 0.0 && outcome.is_ok() {
                    let mut show = |path: &[Step], probability: f64| {
                        let last = path.last().map(|step| step.port);
                        share += if last == Some(reasoning.channel()) { probability } else { 0.0 };
                    };
                    outcome = finder.paths(network, oblivious, leg.pair, &mut show);
                }
                if share > 0.0 {
                    reasoning.add(network, *next, sources, &leg, share);
                }
            });
            return outcome;
        }
        bundles.each(*next, &mut |leg| {
            if outcome.is_err() {
                return;
            }
            let dealt =
                composed.as_mut().filter(|_| HAS_HALVES).and_then(|composed| composed.share(&leg));
            let mut share = dealt.unwrap_or(0.0);
            if dealt.is_none() && may_take(network, oblivious, &leg, reasoning.channel()) {
                outcome = finder.paths(network, oblivious, leg.pair, &mut |path, probability| {
                    if path.iter().any(|step| step.port == reasoning.channel()) {
                        share += probability;
                    }
                });
            }
            if share > 0.0 {
                reasoning.add(network, *next, bundles.sources(*next), &leg, share);
            }
        });
        outcome
    }

    /// Walks the next bundle, or deals it out.
    fn walk(&mut self) -> Result<(), Unroutable> {
        if self.serialization.is_empty() {
            let (network, unit) = (&self.network, self.unit);
            let time = |port| network.channel(port).map(|channel| channel.serialization(unit));
            self.serialization = (0..network.port_count()).map(PortId).map(time).collect();
        }
        let Expectation { network, routes, bundles, finder, latencies, serialization, .. } = self;
        let (bits, time, composed) = (&mut self.bits, &mut self.time, &mut self.composed);
        let (switches, weight, apart) = (&mut self.switches, &mut self.weight, &mut self.apart);
        let oblivious = routes.oblivious();
        let mut outcome = Ok(());
        bundles.each(self.next, &mut |leg| {
            if outcome.is_err() {
                return;
            }
            *weight += leg.between;
            let of = |port: PortId| serialization[port.index()];
            let dealt = composed
                .as_mut()
                .filter(|_| HAS_HALVES)
                .and_then(|composed| composed.add(&leg, latencies, of));
            if let Some(ends) = dealt {
                bits[ends.injection.index()] += leg.ends;
                bits[ends.ejection.index()] += leg.ends;
                *time += leg.between * ends.time;
                *switches += leg.between;
                return;
            }
            let mut ways = Apart::default();
            outcome = finder.paths(network, oblivious, leg.pair, &mut |path, probability| {
                let last = path.len() - 1;
                for (index, step) in path.iter().enumerate() {
                    let ends = index == 0 || index == last;
                    let rate = if ends { leg.ends } else { leg.between };
                    bits[step.port.index()] += rate * probability;
                }
                let latency = latencies.along(network, path, of);
                *time += leg.between * probability * latency.as_ns();
                if cfg!(feature = "complete") && latencies.apart {
                    *apart |= ways.add(latencies, path, latency, of);
                }
                *switches += leg.between * probability * last as f64;
            });
        });
        outcome
    }

    fn report(&mut self) -> Report {
        let mut bits = std::mem::take(&mut self.bits);
        self.bundles.add_ends(&mut bits);
        let (busiest, largest) = relative_to_rates(&self.network, &mut bits);
        let weight = if self.weight > 0.0 { self.weight } else { 1.0 };
        Report {
            utilization: bits,
            busiest,
            bound: if largest > 0.0 { (1e9 / largest).round() / 1e9 } else { f64::INFINITY },
            zero_load_ns: round(self.time / weight),
            zero_load_known: !self.apart,
            hops_mean: round(self.switches / weight),
            reason: None,
        }
    }
}

/// Whether a leg's way may lead over a channel, as far as that is told without walking it.
fn may_take(network: &Network, routes: &dyn Oblivious, leg: &Leg, channel: PortId) -> bool {
    match network.owner(channel) {
        Node::Switch(at) if cfg!(feature = "complete") && routes.merges() => {
            routes.onward(at, leg.pair.destination) == Some(channel)
        }
        Node::Switch(_) | Node::Endpoint(_) => true,
    }
}
