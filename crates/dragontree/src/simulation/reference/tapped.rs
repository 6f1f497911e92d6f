//! Packets that go over the channel that is tapped.

use crate::network::{EndpointId, PortId, SwitchId};
use crate::units::Bytes;

use super::super::engine::Base;
use super::super::tap::Crossing;
use super::ends::Ends;
use super::{Packet, Reference};

impl<E: Ends> Reference<E> {
    /// Looks at a packet that has come over a channel to the switch behind it.
    pub(super) fn tap_behind(&mut self, packet: u32, over: PortId, at: SwitchId) {
        let tap = self.base.tap.as_deref();
        if tap.is_some_and(|tap| tap.into.is_none() && tap.channel == over) {
            let (mut ahead, header) = (Vec::new(), self.packets[packet as usize].header);
            let Base { setup, .. } = &self.base;
            setup.routes.route().go_on(&setup.network, at, header, &mut ahead);
            self.note(packet, ahead.len() as u32);
        }
    }

    /// Looks at a packet that is about to leave its last switch.
    pub(super) fn tap_before(&mut self, packet: u32, port: PortId) {
        let tap = self.base.tap.as_deref();
        if tap.is_some_and(|tap| tap.into.is_some() && tap.channel == port) {
            self.note(packet, 1);
        }
    }

    /// Notes a packet that has so many switches before it, once for all its flits.
    fn note(&mut self, packet: u32, ahead: u32) {
        let Packet { worm, flit, header, switches, bytes, .. } = self.packets[packet as usize];
        let setup = &self.base.setup;
        let of_switch = worm.source >= setup.endpoint_count();
        let whole = setup.model.flits(setup.packet) == 1;
        let crossing = Crossing {
            source: EndpointId(worm.source),
            destination: header.destination,
            switches: u32::from(switches) + ahead,
            bytes: if whole { Bytes(bytes.into()) } else { setup.packet },
        };
        if flit == 0
            && !of_switch
            && let Some(tap) = &mut self.base.tap
        {
            tap.note(self.base.now, crossing);
        }
    }
}
