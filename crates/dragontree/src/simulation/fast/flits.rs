//! Packets in flits, from sources at an offered load.

use crate::network::EndpointId;

use super::super::Setup;
#[cfg(feature = "complete")]
use super::super::{Buffer, Waiting};
#[cfg(feature = "complete")]
use super::Fast;
use super::ports::Ports;
use super::worms::{AFTER_THE_FIRST, FOLLOWING, NONE, Worms};
use super::{bytes, make_room};

mod moves;
mod passing;

/// What a source is sending: a packet of which some flits have gone and some not.
#[derive(Clone, Copy, Debug)]
struct Sending {
    packet: u32,
    sent: u32,
}

/// Where packets are in flits: what is known of them.
pub(super) struct Flits {
    worms: Worms,
    /// Flits of a packet.
    count: u32,
    /// For each source.
    sending: Vec<Sending>,
    /// For each packet under way where it goes.
    destinations: Vec<EndpointId>,
    /// Flits that sources have sent.
    pub(super) injected: u64,
}

impl Flits {
    /// None where packets move whole.
    #[cfg(feature = "complete")]
    pub(super) fn new(setup: &Setup, ports: &Ports, sources: usize) -> Option<Flits> {
        setup.model.flit?;
        Some(Flits {
            worms: Worms::new(ports.inlets.len()),
            count: setup.model.flits(setup.packet) as u32,
            sending: vec![Sending { packet: NONE, sent: 0 }; sources],
            destinations: Vec::new(),
            injected: 0,
        })
    }

    #[cfg(not(feature = "complete"))]
    pub(super) fn new(_setup: &Setup, _ports: &Ports, _sources: usize) -> Option<Flits> {
        None
    }

    /// The packet that a source has begun to send, and the path of its next flit.
    #[inline]
    pub(super) fn next(&mut self, source: u32) -> Option<(u32, u32)> {
        let sending = &mut self.sending[source as usize];
        let packet = sending.packet;
        (packet != NONE).then(|| {
            self.injected += 1;
            sending.sent += 1;
            if sending.sent == self.count {
                sending.packet = NONE;
            }
            (packet | FOLLOWING, AFTER_THE_FIRST)
        })
    }

    /// Notes that a source has sent the first flit of a packet.
    pub(super) fn begin(&mut self, source: u32, packet: u32, destination: EndpointId) {
        self.injected += 1;
        if self.count > 1 {
            self.sending[source as usize] = Sending { packet, sent: 1 };
        }
        if let Some(place) = self.destinations.get_mut(packet as usize) {
            *place = destination;
        } else {
            make_room(&mut self.destinations);
            self.destinations.push(destination);
        }
    }

    /// Whether a source has sent some flits of a packet and not all.
    #[inline]
    pub(super) fn is_sending(&self, source: u32) -> bool {
        self.sending[source as usize].packet != NONE
    }

    /// When the latest flit is delivered that is not its packet's last.
    pub(super) fn delivered_until(&self) -> u64 {
        self.worms.delivered_until
    }

    /// Shows each buffer, as an inlet, with the flits that wait in it.
    #[cfg(debug_assertions)]
    pub(super) fn each_waiting(&self, show: impl FnMut(u32, u32)) {
        self.worms.each_waiting(show);
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> u64 {
        self.worms.memory() + bytes(&self.sending) + bytes(&self.destinations)
    }
}

#[cfg(feature = "complete")]
impl Fast {
    /// The flits that wait for an output's virtual channel that has taken none since before this time.
    pub(super) fn stuck_flits(&self, flits: &Flits, time: u64) -> Vec<Waiting> {
        flits.worms.waits(time, &self.ports.lines, &Place { engine: self, flits })
    }
}

/// What is asked of packets that wait.
#[cfg(feature = "complete")]
struct Place<'a> {
    engine: &'a Fast,
    flits: &'a Flits,
}

#[cfg(feature = "complete")]
impl super::worms::Place for Place<'_> {
    fn about(&self, packet: u32) -> (EndpointId, u32, EndpointId) {
        let known = self.engine.packets.get(packet);
        let destination = self.flits.destinations[packet as usize];
        (EndpointId(known.source()), known.number(), destination)
    }

    fn of_inlet(&self, inlet: u32) -> Buffer {
        self.of_channel(self.engine.ports.other_name(inlet))
    }

    fn of_channel(&self, buffer: u32) -> Buffer {
        self.engine.ports.named(buffer)
    }

    fn at_source(&self, packet: u32, flit: u32) -> Option<Buffer> {
        let source = self.engine.packets.get(packet).source() as usize;
        let sending = self.flits.sending[source];
        let is_there = sending.packet == packet && sending.sent <= flit;
        let source = self.engine.base.sources[source].as_ref().filter(|_| is_there)?;
        Some(Buffer { channel: source.injection, vc: 0 })
    }
}
