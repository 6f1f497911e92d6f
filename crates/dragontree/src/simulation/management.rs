//! Traffic of the switches' own ports, beside that of the endpoints.

use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;

use super::engine::Base;
use super::snapshot::Window;
use super::{LatencyReport, Setup, steady, verdict};
use crate::network::{EndpointId, Node, PortId};
use crate::random::Stream;
use crate::units::{Bandwidth, Load, Rank};

/// What the switches' own ports send: every one to others, each as likely. The network has them as
/// its last endpoints, in the order of the switches; they are neither counted nor reported as such.
#[derive(Clone, Debug)]
pub struct Management {
    /// The number of slots of the other endpoints.
    pub endpoints: u32,
    /// Offered load, relative to `bandwidth`.
    pub load: Load,
    /// The rate at which a packet enters such a port.
    pub bandwidth: Bandwidth,
    /// For each switch those that it does not send to, itself included, ascending.
    pub left_out: Arc<[Vec<u32>]>,
}

impl Management {
    /// The switches that send, each with its endpoint.
    pub(super) fn senders(&self) -> impl Iterator<Item = (u32, EndpointId)> + '_ {
        let switches = (0..).zip(self.left_out.iter());
        let senders = switches.filter(|(_, left_out)| left_out.len() < self.left_out.len());
        senders.map(|(switch, _)| (switch, EndpointId(self.endpoints + switch)))
    }

    /// Draws the destination of a switch's next packet; its number is its rank.
    pub(super) fn draw(&self, switch: Rank, destinations: &mut Stream) -> EndpointId {
        let left_out = &self.left_out[switch.0 as usize];
        let others = (self.left_out.len() - left_out.len()) as u32;
        let drawn = destinations.below(others);
        // Each one left out moves those behind it on by one.
        let switch = left_out.iter().fold(drawn, |switch, out| switch + u32::from(*out <= switch));
        EndpointId(self.endpoints + switch)
    }
}

/// What was measured of this traffic; rates are fractions of the mean link rate of the endpoints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ManagementReport {
    /// What a switch offers.
    pub offered: f64,
    /// What reaches a switch in the window, on average over all switches.
    pub accepted: f64,
    /// Half-width of the 95 % interval of `accepted`; none with too few batches.
    pub accepted_interval: Option<f64>,
    /// Whether accepted falls short of offered while the switches' queues grow.
    pub saturated: bool,
    /// Latency of packets generated in the window.
    pub latency: LatencyReport,
    /// Packets delivered in the window.
    pub packets: u64,
}

impl Setup {
    /// The traffic of the switches' own ports; none without the feature `complete`.
    pub(super) fn management(&self) -> Option<&Management> {
        if cfg!(feature = "complete") { self.management.as_ref() } else { None }
    }

    /// The number of endpoint slots, those of switches left out.
    pub(super) fn endpoint_count(&self) -> u32 {
        let all = self.network.endpoint_count();
        self.management().map_or(all, |management| management.endpoints)
    }

    /// Every endpoint slot but those of switches.
    pub(super) fn endpoints(&self) -> impl Iterator<Item = EndpointId> + use<> {
        (0..self.endpoint_count()).map(EndpointId)
    }

    /// Whether a port belongs to an endpoint that stands for a switch, or leads to one.
    pub fn is_of_management(&self, port: PortId) -> bool {
        let stands = |node| matches!(node, Some(Node::Endpoint(EndpointId(id))) if id >= self.endpoint_count());
        let ends = || [Some(self.network.owner(port)), self.network.neighbor(port)];
        self.management().is_some() && ends().into_iter().any(stands)
    }

    /// Keeps of a list with an entry for each port those that the network has without management.
    pub(super) fn without_management<T: Copy>(&self, list: Vec<T>) -> Vec<T> {
        if self.management().is_none() {
            return list;
        }
        let ports = (0..).map(PortId).zip(list);
        ports.filter(|(port, _)| !self.is_of_management(*port)).map(|(_, each)| each).collect()
    }

    /// Packets that the switches offer in a picosecond.
    pub(super) fn offered_by_switches(&self) -> f64 {
        self.management().map_or(0.0, |management| {
            let slot = management.bandwidth.serialization(self.packet).as_ps().max(1);
            management.senders().count() as f64 * management.load.as_fraction() / slot as f64
        })
    }
}

impl Base {
    /// Notes how many packets of switches wait at the end of a batch, and how long.
    pub(super) fn note_management(&mut self, end: u64) {
        let (endpoints, now) = (self.setup.endpoint_count() as usize, self.now);
        let waits = self.sources[endpoints..].iter().flatten().map(|source| {
            (now.saturating_sub(source.next_birth).div_ceil(source.slot), source.next_birth)
        });
        let (mut slots, mut oldest) = (0, 0);
        for (queued, birth) in waits {
            slots += queued;
            oldest = oldest.max(now.saturating_sub(birth));
        }
        let Some(management) = self.setup.management() else { return };
        let queued = slots * u64::from(management.load.as_ppm()) / 1_000_000;
        if let Some(batch) = self.management.as_mut().and_then(|counts| counts.batch(end - 1)) {
            (batch.backlog, batch.oldest) = (queued, oldest);
        }
    }

    /// Whether the switches fell behind in these batches.
    pub(super) fn management_falls_behind(&self, start: usize, end: usize) -> bool {
        // The first packets on their way say nothing of falling behind.
        let settling = verdict::settling_time(&self.setup);
        self.management.as_ref().is_some_and(|counts| {
            let settled = (start..end).find(|batch| counts.end_of(*batch) >= settling);
            let start = settled.unwrap_or(end);
            let offered = self.setup.offered_by_switches() * counts.length as f64;
            verdict::fell_behind(counts.window(start, end), counts.length, offered, 1.0)
        })
    }

    /// What was measured of the switches' traffic in a window. `capacity` is the number of packets
    /// that all endpoints together could take in a batch.
    pub(super) fn management_report(
        &self,
        window: &Window,
        capacity: f64,
        unbounded: bool,
    ) -> Option<ManagementReport> {
        let (management, counts) = (self.setup.management()?, self.management.as_ref()?);
        let (start, end) = (window.first.batch, window.last.batch);
        let network = &self.setup.network;
        let live = self.setup.endpoints().filter(|each| network.injection(*each).is_some());
        let switches = f64::from(network.switch_count());
        // What all switches together could take at the rate of an endpoint.
        let capacity = capacity / (live.count() as f64).max(1.0) * switches;
        let batches = window.batches(&self.statistics);
        let packets = counts.window(start, end).iter().map(|batch| batch.delivered).sum();
        let (_, half) = steady::interval(&counts.rates(start, end));
        let slot = management.bandwidth.serialization(self.setup.packet).as_ps().max(1);
        let offered = management.load.as_fraction() / slot as f64 * counts.length as f64;
        let saturated = self.management_falls_behind(start, end);
        Some(ManagementReport {
            offered: offered * switches / capacity.max(1e-9),
            accepted: packets as f64 / (capacity * batches).max(1e-9),
            accepted_interval: Some(half / capacity).filter(|half| half.is_finite()),
            saturated,
            latency: match unbounded || saturated {
                true => LatencyReport::default(),
                false => counts.latency(start, end),
            },
            packets,
        })
    }

    /// FNV-1a over the run's integers.
    pub(super) fn digest(&self) -> u64 {
        let packet = self.setup.packet.0;
        let own = self.statistics.digest(self.now, packet);
        let Some(management) = &self.management else { return own };
        let mut hasher = FnvHasher::default();
        hasher.write(&own.to_le_bytes());
        hasher.write(&management.digest(self.now, packet).to_le_bytes());
        hasher.finish()
    }
}
