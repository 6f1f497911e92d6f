//! Packets in flits, from sources at an offered load.

use crate::network::EndpointId;

use super::super::Setup;
use super::ports::Ports;
use super::worms::{NONE, Worms, following};
use super::{bytes, make_room};

mod moves;
mod passing;
#[cfg(feature = "complete")]
mod waits;

/// What a source is sending: a packet of which some flits have gone and some not.
#[derive(Clone, Copy, Debug)]
struct Sending {
    packet: u32,
    sent: u32,
}

/// Where packets are in flits: what is known of them.
pub(super) struct Flits {
    pub(super) worms: Worms,
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
            following(packet)
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

    /// The memory that they take.
    pub(super) fn memory(&self) -> u64 {
        self.worms.memory() + bytes(&self.sending) + bytes(&self.destinations)
    }
}
