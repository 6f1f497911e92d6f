//! The memory that the plain engine takes, and will take.

use crate::units::Bytes;

use super::super::Setup;
use super::queue::Kind;
use super::sources::Sending;
use super::{Outputs, Packet, Reference};

/// Events that a packet, or a flit, has pending: its own, and a credit or two on their way back.
const EVENTS: f64 = 3.0;
/// Lists that grow have this much room, for each place that is taken.
const GROWN: f64 = 1.4;

impl<E> Reference<E> {
    /// About how much memory the network takes.
    pub(super) fn network_memory(&self) -> usize {
        let packets = self.packets.capacity() * size_of::<Packet>();
        let events = self.queue.len() * size_of::<(u64, Kind)>();
        let outputs = self.outputs.all().len() * Outputs::size(self.base.setup.virtual_channels);
        packets + events + outputs
    }
}

impl Reference {
    /// About how much memory the state takes, the statistics left out.
    pub(in crate::simulation) fn memory(&self) -> Bytes {
        let sources = self.ends.sending.len() * size_of::<Option<Sending>>();
        Bytes((self.network_memory() + sources) as u64)
    }

    /// What [`memory`](Self::memory) will be with so many packets under way, in bytes.
    pub(in crate::simulation) fn forecast(setup: &Setup, packets: f64) -> f64 {
        let network = &setup.network;
        let flits = packets * setup.model.flits(setup.packet) as f64;
        let endpoints = f64::from(network.endpoint_count());
        let each = GROWN * size_of::<Packet>() as f64 + EVENTS * size_of::<(u64, Kind)>() as f64;
        let ports = f64::from(network.port_count()) * Outputs::size(setup.virtual_channels) as f64;
        ports + endpoints * size_of::<Option<Sending>>() as f64 + flits * each
    }
}
