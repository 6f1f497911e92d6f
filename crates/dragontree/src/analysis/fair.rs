//! The throughput of a network whose every source sends at full rate, if flows share channels as
//! fairly as they can, without simulating it.
//!
//! A flow is what one endpoint sends to another. All grow together, each in proportion to what it
//! offers, until some channel is full; the flows over that channel stay as they are, the others go
//! on, until each is held back by a full channel or sends all it offers (max-min fair rates by
//! progressive filling: Bertsekas & Gallager 1992, Data Networks, §6.5.2). A flow with several ways
//! takes all of them, each with its probability.

use std::sync::Arc;

use super::bundles::{Bundles, Leg};
use super::path::{PathFinder, Step};
use crate::network::{EndpointId, Network, Node, PortId};
use crate::routing::{Routes, Sharing, Unroutable};
use crate::traffic::Destinations;
use filling::{EQUAL, Filling};

mod filling;
#[cfg(test)]
mod tests;

/// Why the rates are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfilled {
    /// A flow has no route.
    #[error("a flow has no route")]
    Unroutable(Unroutable),
    /// There is too much to keep.
    #[error("flows are spread over more than {MOST_USES} shares of channels that fill")]
    TooMany,
}

/// The most that is kept: flows, and channels that fill on their ways, together. Each takes up to 32
/// bytes.
const MOST_USES: usize = 1 << 24;
/// No channel that may fill.
const WIDE: u32 = u32::MAX;

/// Finds the mean of max-min fair rates, a little at a time.
pub struct FairRates {
    network: Arc<Network>,
    routes: Arc<Routes>,
    bundles: Bundles,
    finder: PathFinder,
    /// For each port its channel's place among those that fill before all flows send what they offer,
    /// or [`WIDE`].
    places: Vec<u32>,
    filling: Filling,
    next: usize,
    walked: bool,
    /// What the flows send that meet no such channel, in bits per second.
    free: f64,
    own: Own,
}

/// What a flow puts on each channel that may fill, in bits per second when it sends all it offers.
struct Own {
    bits: Vec<f64>,
    used: Vec<u32>,
}

impl FairRates {
    /// Begins with a placement and a pattern. `utilization` is what all flows together put on each
    /// port's channel, as a multiple of its rate, when all send what they offer: that of the
    /// [`Report`](super::Report) of the same.
    pub fn new(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        placement: &Arc<[EndpointId]>,
        destinations: &Arc<Destinations>,
        utilization: &[f64],
    ) -> FairRates {
        let mut places = vec![WIDE; network.port_count() as usize];
        let mut channels = Vec::new();
        let mut at_ends = false;
        for (port, channel) in network.channels() {
            // Channels that are just full when all flows send what they offer hold none of them back.
            let utilization = utilization.get(port.index()).copied().unwrap_or(0.0);
            if utilization > 1.0 + EQUAL {
                places[port.index()] = channels.len() as u32;
                channels.push((channel.bandwidth.as_bps() as f64, utilization));
                let ends = [network.owner(port), network.owner(channel.peer)];
                at_ends |= ends.iter().any(|node| matches!(node, Node::Endpoint(_)));
            }
        }
        // Flows that share the ways between switches do not share those of their ends.
        let sharing = if at_ends { Sharing::Nothing } else { routes.oblivious().sharing() };
        FairRates {
            bundles: Bundles::new(network, sharing, placement, destinations),
            finder: PathFinder::default(),
            own: Own { bits: vec![0.0; channels.len()], used: Vec::new() },
            filling: Filling::new(&channels),
            places,
            next: 0,
            walked: false,
            free: 0.0,
            network: network.clone(),
            routes: routes.clone(),
        }
    }

    /// About how many ways have to be walked.
    pub fn work(&self) -> u64 {
        self.each().saturating_mul(self.bundles.len() as u64)
    }

    /// About how many ways a bundle has.
    fn each(&self) -> u64 {
        let ways = if self.own.bits.is_empty() { 1 } else { self.ways_per_pair() };
        self.bundles.longest().saturating_mul(ways)
    }

    fn ways_per_pair(&self) -> u64 {
        self.routes.oblivious().ways_per_pair()
    }

    /// The share of the ways that have been walked.
    pub fn share(&self) -> f64 {
        self.next as f64 / self.bundles.len().max(1) as f64
    }

    /// Goes on for about `budget` ways; at the end the mean rate over all endpoints, as a fraction of
    /// their links' rate, those that send nothing counted as 0.
    ///
    /// # Errors
    /// A flow has no route, or too much would have to be kept.
    pub fn advance(&mut self, budget: u64) -> Result<Option<f64>, Unfilled> {
        let mut left = budget;
        let each = self.each().max(1);
        while self.next < self.bundles.len() {
            if left == 0 {
                return Ok(None);
            }
            self.walk()?;
            self.next += 1;
            left = left.saturating_sub(each);
        }
        if !self.walked {
            self.walked = true;
            self.filling.begin();
        }
        if !self.filling.advance(left) {
            return Ok(None);
        }
        let sent = self.free + self.filling.sent();
        Ok(Some((sent / injected(&self.network).max(1.0) * 1e9).round() / 1e9))
    }

    /// Looks which channels that may fill the flows of the next bundle need.
    fn walk(&mut self) -> Result<(), Unfilled> {
        let FairRates { network, routes, bundles, finder, places, filling, free, own, .. } = self;
        let mut outcome = Ok(());
        bundles.each(self.next, &mut |leg: Leg| {
            if outcome.is_err() {
                return;
            }
            if !own.bits.is_empty() {
                let walked = finder.paths(network, routes.oblivious(), leg.pair, &mut |path, p| {
                    own.add(places, path, leg.between * p);
                });
                outcome = walked.map_err(Unfilled::Unroutable);
            }
            if own.used.is_empty() {
                *free += leg.between;
                return;
            }
            own.used.sort_unstable();
            let uses =
                own.used.drain(..).map(|at| (at, std::mem::take(&mut own.bits[at as usize])));
            filling.add(leg.between, uses);
            if filling.kept() > MOST_USES {
                outcome = Err(Unfilled::TooMany);
            }
        });
        outcome
    }
}

impl Own {
    fn add(&mut self, places: &[u32], path: &[Step], bits: f64) {
        for step in path {
            let place = places[step.port.index()];
            if place == WIDE || bits <= 0.0 {
                continue;
            }
            let own = &mut self.bits[place as usize];
            if *own == 0.0 {
                self.used.push(place);
            }
            *own += bits;
        }
    }
}

/// What all endpoints together could inject, in bits per second.
fn injected(network: &Network) -> f64 {
    let rate =
        |port: PortId| network.channel(port).map(|channel| channel.bandwidth.as_bps() as f64);
    let ports = network.endpoints().filter_map(|endpoint| network.injection(endpoint));
    ports.filter_map(rate).sum()
}
