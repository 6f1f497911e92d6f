//! How packets move: injected, allocated, parked, released.

use crate::network::{EndpointId, Node, PortId};
use crate::routing::Pair;

use super::super::engine::Base;
use super::order::{CREDIT, WAKE};
use super::packets::Packet;
use super::parked::Parked;
use super::ports::Backlog;
use super::wheel::{Event, List};
use super::{Delivered, Fast, Hop};

impl Fast {
    /// A packet at a switch is sent on if it can be.
    #[inline]
    pub(super) fn arrive(&mut self, now: u64, hop: Hop) {
        let port = self.ports.port_of(hop.to);
        let slack = self.ports.kind_of(port).slack;
        let has_room = self.ports.ports[port].free <= now.saturating_add(slack);
        let open = self.ports.has_known_credit(hop.to) || self.ports.has_credit(hop.to, now);
        if open && has_room {
            self.forward(now, hop);
        } else {
            self.park(now, hop);
        }
    }

    #[cold]
    pub(super) fn park(&mut self, now: u64, hop: Hop) {
        let came = self.ports.kinds[usize::from(self.ports.inlets[hop.from as usize].kind)];
        let tail = now + came.timing.serialization;
        self.ports.park(hop.to, Parked::new(hop.from, hop.packet, hop.path, tail), now);
        let port = self.ports.port_of(hop.to);
        if self.ports.ports[port].parked == 1 {
            self.watch(port, now);
        }
        self.ask_to_wake(now, port);
    }

    /// Makes events of the credits that are on their way to a port.
    pub(super) fn watch(&mut self, port: usize, now: u64) {
        let mut returns = Vec::new();
        self.ports.watch(port, now, &mut |buffer, due| returns.push((buffer, due)));
        for (buffer, due) in returns {
            let event = Event { buffer, packet: CREDIT, ..Event::default() };
            self.schedule(now, List::Others, due, event);
        }
    }

    /// Sends a packet on that has just arrived.
    #[inline]
    pub(super) fn forward(&mut self, now: u64, hop: Hop) {
        let inlet = &self.ports.inlets[hop.from as usize];
        let came = &self.ports.kinds[usize::from(inlet.kind)].timing;
        let tail = now + came.serialization;
        self.send(now, tail, hop);
    }

    /// Sends a packet on whose tail will have come in at `tail`; its input buffer is free again
    /// when its last bit has gone, and the sender hears of that one link latency later.
    #[inline]
    pub(super) fn send(&mut self, now: u64, tail: u64, hop: Hop) {
        self.base.statistics.packet_hops += 1;
        self.return_credit(now, hop.from);
        self.transmit(now, tail, hop);
    }

    #[inline]
    pub(super) fn return_credit(&mut self, now: u64, buffer: u32) {
        let inlet = &mut self.ports.inlets[buffer as usize];
        let due = now + self.ports.kinds[usize::from(inlet.kind)].credit_delay;
        if !inlet.note(due) {
            self.return_visibly(now, buffer, due);
        }
    }

    #[cold]
    pub(super) fn return_visibly(&mut self, now: u64, buffer: u32, due: u64) {
        self.ports.collect(buffer, self.start);
        if !self.ports.inlets[buffer as usize].note(due) {
            let event = Event { buffer, packet: CREDIT, ..Event::default() };
            self.schedule(now, List::Others, due, event);
        }
    }

    /// Takes credit and channel for a packet, and sets when it reaches the next allocator or is
    /// delivered.
    #[inline]
    pub(super) fn transmit(&mut self, now: u64, tail: u64, Hop { to, packet, path, .. }: Hop) {
        let place = self.ports.port_of(to);
        let port = &mut self.ports.ports[place];
        let kind = &self.ports.kinds[usize::from(port.kind)];
        let serialization = kind.timing.serialization;
        let departure = now.max(port.free).max(tail.saturating_sub(serialization));
        port.free = departure + serialization;
        port.sent += 1;
        self.ports.credits[to as usize] -= kind.takes;
        let time = departure + kind.flight;
        if kind.takes == 0 {
            self.log.push(Delivered { time, packet });
        } else {
            let event = Event { buffer: to, packet, path, time: 0 };
            self.schedule(now, List::Arrivals, time, event);
        }
    }

    /// Asks for an event when the head of a source queue is through the adapter and the link is
    /// free.
    pub(super) fn schedule_source(&mut self, now: u64, endpoint: u32) {
        let Some(source) = &self.base.sources[endpoint as usize] else { return };
        let port = source.injection.index();
        let ready = source.next_birth.saturating_add(self.base.setup.adapter_latency.as_ps());
        let time = ready.max(self.ports.ports[port].free).max(now);
        let buffer = self.ports.buffer(port, 0);
        self.schedule(
            now,
            List::Sources,
            time,
            Event { buffer, packet: endpoint, ..Event::default() },
        );
    }

    /// Injects the packet at the head of a source queue, if the switch has room.
    pub(super) fn generate(&mut self, now: u64, endpoint: u32) {
        let Base { setup, sources, gap, .. } = &mut self.base;
        let Some(source) = &mut sources[endpoint as usize] else { return };
        let over = source.injection.index();
        let to = self.ports.buffer(over, 0);
        source.blocked = !self.ports.has_known_credit(to) && !self.ports.has_credit(to, now);
        if source.blocked {
            return self.watch(over, now);
        }
        let rank = setup.destinations.draw(source.rank, &mut source.destinations);
        let destination = setup.placement[rank.0 as usize];
        let pair = Pair { source: EndpointId(endpoint), destination };
        let queues = Backlog { ports: &self.ports, now, packet: setup.packet };
        self.way.clear();
        if let Some(from) = source.switch {
            let route = setup.routes.route();
            route.trace(&setup.network, from, pair, &mut source.routes, &queues, &mut self.way);
        }
        let packet = Packet::new(source.next_birth, endpoint, source.sent, destination.0);
        let (packet, path) = self.packets.insert(packet, &self.way);
        source.advance(gap);
        self.transmit(now, 0, Hop { time: 0, from: to, to, packet, path });
        self.schedule_source(now, endpoint);
    }

    /// A packet whose way has ended at a switch is taken out of the network. Analysis has walked
    /// every route before the run, so this is an error of the routing.
    pub(super) fn lose(&mut self, now: u64, event: Event) {
        self.packets.remove(event.packet);
        self.lost += 1;
        self.return_credit(now, event.buffer);
    }

    /// Room has come back in a buffer: its source or the packets waiting for it may go on.
    pub(super) fn take_back(&mut self, now: u64, buffer: u32) {
        self.ports.give_credit(buffer);
        let port = self.ports.port_of(buffer);
        if self.ports.ports[port].parked > 0 {
            return self.release(now, port);
        }
        if !self.ports.inlets[buffer as usize].is_watched() {
            return;
        }
        if let Node::Endpoint(endpoint) = self.base.setup.network.owner(PortId(port as u32))
            && let Some(source) = &mut self.base.sources[endpoint.index()]
            && source.blocked
        {
            source.blocked = false;
            self.ports.unwatch(port);
            self.schedule_source(now, endpoint.0);
        }
    }

    /// Sends waiting packets as long as there is room.
    pub(super) fn release(&mut self, now: u64, port: usize) {
        let waited = self.ports.ports[port].parked > 0;
        while let Some((parked, to)) = self.ports.unpark(port, now) {
            let Parked { from, packet, path, tail, .. } = parked;
            self.send(now, tail, Hop { time: 0, from, to, packet, path });
        }
        if waited && self.ports.ports[port].parked == 0 {
            self.ports.unwatch(port);
        }
        self.ask_to_wake(now, port);
    }

    pub(super) fn ask_to_wake(&mut self, now: u64, port: usize) {
        if let Some(time) = self.ports.ask_to_wake(port, now) {
            let event =
                Event { buffer: self.ports.buffer(port, 0), packet: WAKE, ..Event::default() };
            self.schedule(now, List::Others, time, event);
        }
    }
}
