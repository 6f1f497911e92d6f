//! Which flits wait.

use crate::network::EndpointId;

use super::super::super::{Buffer, Waiting};
use super::super::Fast;
use super::super::worms::Whereabouts;
use super::Flits;

impl Fast {
    /// The flits that wait for an output's virtual channel that has taken none since before this time.
    pub(in super::super) fn stuck_flits(&self, flits: &Flits, time: u64) -> Vec<Waiting> {
        flits.worms.waits(time, &self.ports.lines, self)
    }
}

impl Whereabouts for Fast {
    fn about(&self, packet: u32) -> (EndpointId, u32, EndpointId) {
        let known = self.packets.get(packet);
        let source = EndpointId(known.source());
        let destinations = self.flits.as_ref().map(|flits| &flits.destinations);
        let destination = destinations.and_then(|all| all.get(packet as usize).copied());
        (source, known.number(), destination.unwrap_or(source))
    }

    fn of_inlet(&self, inlet: u32) -> Buffer {
        self.ports.named(self.ports.other_name(inlet))
    }

    fn of_channel(&self, buffer: u32) -> Buffer {
        self.ports.named(buffer)
    }

    fn at_source(&self, packet: u32, flit: u32) -> Option<Buffer> {
        let source = self.packets.get(packet).source() as usize;
        let sending = self.flits.as_ref()?.sending[source];
        let is_there = sending.packet == packet && sending.sent <= flit;
        let source = self.base.sources[source].as_ref().filter(|_| is_there)?;
        Some(Buffer { channel: source.injection, vc: 0 })
    }
}
