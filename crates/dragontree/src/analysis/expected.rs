//! What oblivious routes do with a traffic pattern on average: the load of every channel, the
//! throughput bound that follows, and the latency in an empty network.

use std::sync::Arc;

use super::bundles::Bundles;
use super::path::PathFinder;
use super::reason::{Reason, Reasoning};
use super::zero_load::Latencies;
use crate::network::{EndpointId, Network, PortId};
use crate::routing::{Routes, Unroutable};
use crate::traffic::Destinations;
use crate::units::{Bytes, Time};

/// Expectations over all messages of a traffic pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// For each port, the expected traffic on its channel as a multiple of its rate, when every
    /// rank that sends does so at its link's full rate.
    pub utilization: Vec<f64>,
    /// The channel with the largest utilization (the first of them).
    pub busiest: PortId,
    /// The offered load at which that channel fills: the inverse of its utilization
    /// (Dally & Towles 2004, ch. 3; Prisacari 2020, §6.3).
    pub bound: f64,
    /// Mean latency when every message is alone in the network, in nanoseconds.
    pub zero_load_ns: f64,
    /// Mean number of switches on the way.
    pub hops_mean: f64,
    /// What shares the busiest channel, where it joins two switches and fills before the endpoints
    /// send at full rate.
    pub reason: Option<Reason>,
}

/// Walks the paths of all pairs that have traffic, a few at a time. Pairs that take the same ways
/// are walked once.
pub struct Expectation {
    network: Arc<Network>,
    routes: Arc<Routes>,
    latencies: Latencies,
    serialization: Vec<Option<Time>>,
    bundles: Bundles,
    finder: PathFinder,
    next: usize,
    bits: Vec<f64>,
    time: f64,
    switches: f64,
    weight: f64,
    /// Once everything has been walked: what was found, and what is looked for by walking once more.
    reasoning: Option<(Box<Report>, Reasoning)>,
}

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
        let serialization = |port| network.channel(port).map(|c| c.serialization(unit));
        Expectation {
            serialization: (0..network.port_count()).map(PortId).map(serialization).collect(),
            bundles: Bundles::new(network, oblivious.sharing(), placement, destinations),
            finder: PathFinder::default(),
            next: 0,
            bits: vec![0.0; network.port_count() as usize],
            time: 0.0,
            switches: 0.0,
            weight: 0.0,
            reasoning: None,
            network: network.clone(),
            routes: routes.clone(),
            latencies,
        }
    }

    /// How many pairs have to be walked, at most.
    pub fn work(&self) -> u64 {
        self.bundles.longest().saturating_mul(self.bundles.len() as u64)
    }

    /// The share of the work that is done, as if the busiest channel had to be looked at, too.
    pub fn share(&self) -> f64 {
        let done = if self.reasoning.is_some() { 1.0 } else { 0.0 };
        (done + self.next as f64 / self.bundles.len().max(1) as f64) / 2.0
    }

    /// Walks about `budget` pairs more; the report when all are done.
    ///
    /// # Errors
    /// A pair that has traffic has no route.
    pub fn advance(&mut self, budget: u64) -> Result<Option<Report>, Unroutable> {
        let mut left = budget;
        loop {
            while self.next < self.bundles.len() {
                if left == 0 {
                    return Ok(None);
                }
                left = left.saturating_sub(self.bundles.longest());
                match &self.reasoning {
                    None => self.walk()?,
                    Some(_) => self.reason()?,
                }
                self.next += 1;
            }
            if let Some((mut report, reasoning)) = self.reasoning.take() {
                let utilization = report.utilization[reasoning.channel().index()];
                report.reason = Some(reasoning.reason(utilization));
                return Ok(Some(*report));
            }
            let report = self.report();
            let reasoning = Reasoning::new(&self.network, report.busiest);
            match reasoning.filter(|_| report.bound < 1.0) {
                None => return Ok(Some(report)),
                Some(reasoning) => self.reasoning = Some((Box::new(report), reasoning)),
            }
            self.next = 0;
        }
    }

    /// Walks the next bundle once more, looking for what goes over the busiest channel.
    fn reason(&mut self) -> Result<(), Unroutable> {
        let Expectation { network, routes, bundles, finder, next, reasoning, .. } = self;
        let Some((_, reasoning)) = reasoning else { return Ok(()) };
        let oblivious = routes.oblivious();
        let mut outcome = Ok(());
        bundles.each(*next, &mut |leg| {
            if outcome.is_err() {
                return;
            }
            let mut share = 0.0;
            outcome = finder.paths(network, oblivious, leg.pair, &mut |path, probability| {
                if path.iter().any(|step| step.port == reasoning.channel()) {
                    share += probability;
                }
            });
            if share > 0.0 {
                reasoning.add(network, *next, bundles.sources(*next), &leg, share);
            }
        });
        outcome
    }

    /// Walks the next bundle.
    fn walk(&mut self) -> Result<(), Unroutable> {
        let Expectation { network, routes, bundles, finder, latencies, serialization, .. } = self;
        let (bits, time) = (&mut self.bits, &mut self.time);
        let (switches, weight) = (&mut self.switches, &mut self.weight);
        let oblivious = routes.oblivious();
        let mut outcome = Ok(());
        bundles.each(self.next, &mut |leg| {
            if outcome.is_err() {
                return;
            }
            *weight += leg.weight;
            outcome = finder.paths(network, oblivious, leg.pair, &mut |path, probability| {
                let last = path.len() - 1;
                for (index, step) in path.iter().enumerate() {
                    let ends = index == 0 || index == last;
                    let rate = if ends { leg.ends } else { leg.between };
                    bits[step.port.index()] += rate * probability;
                }
                let latency = latencies.along(network, path, |port| serialization[port.index()]);
                *time += leg.weight * probability * latency.as_ns();
                *switches += leg.weight * probability * last as f64;
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
            hops_mean: round(self.switches / weight),
            reason: None,
        }
    }
}

/// Rounded so that the order of summation does not show.
fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// Divides the traffic on each channel by its rate; the busiest channel and its utilization.
fn relative_to_rates(network: &Network, bits: &mut [f64]) -> (PortId, f64) {
    let (mut busiest, mut largest) = (PortId(0), 0.0);
    for (port, channel) in network.channels() {
        let utilization = &mut bits[port.index()];
        *utilization /= channel.bandwidth.as_bps() as f64;
        // Sums of equal shares differ in their last bits; that must not choose the channel.
        if *utilization > largest * (1.0 + 1e-9) {
            largest = *utilization;
            busiest = port;
        }
    }
    (busiest, largest)
}
