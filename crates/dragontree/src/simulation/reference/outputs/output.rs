//! One output of a switch or an endpoint, with its channel.

use crate::network::{Node, PortId};
use crate::units::{Bandwidth, Bytes};

use super::super::super::engine::Timing;
use super::super::super::{Arbitration, Setup};
use super::Downstream;

/// An output port and the channel that leaves from it. Times in picoseconds.
#[derive(Clone, Debug)]
pub(in super::super) struct Output {
    pub(in super::super) downstream: Downstream,
    pub(in super::super) timing: Timing,
    /// The channel's rate; none without a cable.
    pub(super) rate: Option<Bandwidth>,
    /// The longest packet that goes over it, to which the serialization of `timing` belongs.
    pub(super) unit: u32,
    /// When the channel has sent everything that it was given.
    pub(in super::super) free: u64,
    /// How long the channel has been given work.
    pub(super) busy: u64,
    /// When the next wake-up comes; never if nobody has asked for one.
    pub(super) wake: u64,
    /// The virtual channel whose turn it is.
    pub(super) turn: u8,
    /// Packets waiting on any virtual channel, and their bytes.
    pub(super) parked: u32,
    pub(super) parked_bytes: u64,
}

impl Output {
    pub(super) fn new(setup: &Setup, port: PortId) -> Output {
        let downstream = match setup.network.neighbor(port) {
            Some(Node::Switch(switch)) => Downstream::Switch(switch),
            // No route leads over a port without a cable.
            Some(Node::Endpoint(_)) | None => Downstream::Endpoint,
        };
        let mut timing = Timing::of(setup, port);
        // Packets in a queue would be sent in its order, whatever the weights.
        let chooses = setup.model.arbitration != Arbitration::RoundRobin;
        if chooses || !setup.model.switch.has_output_queues() {
            timing.queue_limit = 0;
        }
        Output {
            downstream,
            timing,
            rate: setup.network.channel(port).map(|channel| channel.bandwidth),
            unit: setup.unit().0 as u32,
            free: 0,
            busy: 0,
            wake: u64::MAX,
            turn: 0,
            parked: 0,
            parked_bytes: 0,
        }
    }

    /// The time of so many bytes on the channel.
    pub(in super::super) fn time(&self, bytes: u32) -> u64 {
        match self.rate {
            Some(rate) if bytes != self.unit => rate.serialization(Bytes(bytes.into())).as_ps(),
            _ => self.timing.serialization,
        }
    }

    /// How long a packet that arrives now would wait for the channel.
    pub(super) fn backlog(&self, now: u64) -> u64 {
        self.free.saturating_sub(now)
    }

    /// From when on it takes so many bytes.
    pub(super) fn room_at(&self, bytes: u32) -> u64 {
        match self.timing.queue_limit {
            0 => self.free,
            limit => (self.free + self.time(bytes)).saturating_sub(limit),
        }
    }

    /// Time the channel has been busy until now: what is queued comes later.
    pub(in super::super) fn busy_until(&self, now: u64) -> u64 {
        self.busy - self.backlog(now).min(self.busy)
    }
}
