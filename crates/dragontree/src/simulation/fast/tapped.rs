//! Packets that go over the channel that is tapped.

use crate::network::{EndpointId, PortId};

use super::super::engine::Base;
use super::super::tap::Crossing;
use super::wheel::Event;
use super::worms::is_following;
use super::{Fast, paths};

impl Fast {
    /// Looks at events that are about to be served, for packets on the channel that is tapped.
    #[inline]
    pub(super) fn tap_all(&mut self, events: &[Event]) {
        if self.base.tap.is_some() {
            for event in events {
                self.tap_one(self.window + u64::from(event.time), event);
            }
        }
    }

    /// Looks at one event.
    #[inline]
    pub(super) fn tap_one(&mut self, now: u64, event: &Event) {
        if self.base.tap.is_some() && event.path != 0 && !is_following(event) {
            self.look_at_packet(now, event);
        }
    }

    #[inline(never)]
    fn look_at_packet(&mut self, now: u64, event: &Event) {
        let Some(destination) = self.going_over(event) else { return };
        let setup = &self.base.setup;
        let packet = self.packets.get(event.packet);
        // One whose way is not decided yet has its source at the last switch.
        let decided = paths::undecided_destination(event.path).is_none();
        let switches = if decided { u32::from(self.packets.switches(event.packet)) } else { 1 };
        let (source, bytes) = (EndpointId(packet.source()), setup.packet);
        let of_switch = source.0 >= setup.endpoint_count();
        if let Some(tap) = self.base.tap.as_mut().filter(|_| !of_switch) {
            tap.note(now, Crossing { source, destination, switches, bytes });
        }
    }

    /// Where an event's packet is to be delivered, if it is one that the tap is for.
    fn going_over(&self, event: &Event) -> Option<EndpointId> {
        let Base { setup, tap, .. } = &self.base;
        let (network, tap) = (&setup.network, tap.as_ref()?);
        let port = PortId(self.ports.port_of(event.buffer) as u32);
        let Some(into) = tap.into else {
            let is_behind = network.peer(port) == Some(tap.channel);
            return is_behind.then(|| self.destination_of(event)).flatten();
        };
        if network.owner(port) != network.owner(tap.channel) {
            return None;
        }
        let is_last = || self.packets.numbers(event.packet, event.path).len() == 1;
        let destination = match paths::undecided_destination(event.path) {
            None if is_last() => self.destination_of(event),
            undecided => undecided,
        };
        destination.filter(|destination| *destination == into)
    }

    /// Where the packet of an event is to be delivered.
    fn destination_of(&self, event: &Event) -> Option<EndpointId> {
        let buffer = self.ports.other_name(event.buffer);
        self.destination(event.packet, event.path, buffer)
    }
}
