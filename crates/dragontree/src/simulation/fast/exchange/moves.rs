//! How packets move: allocated, parked, released.

use crate::network::{Node, PortId};
use crate::routing::{Pair, Queues, Waypoints, Word};
use crate::units::Bytes;

use super::super::super::exchanging::Outlet;
use super::super::parked::Parked;
use super::super::paths::{self, END, Way};
use super::super::wheel::Event;
use super::FastExchange;
use super::ports::Ports;
use super::window::{CREDIT, DELIVER, WAKE, event};

/// A packet at a switch: the buffer that it is in, as an inlet; the buffer that it is to be sent to,
/// by its channel; what is left of its path then, and the place of its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) packet: u32,
    pub(super) path: u32,
    pub(super) size: u32,
}

impl FastExchange {
    /// A packet at a switch is sent on if it can be. This is where a run spends its time.
    #[inline(always)]
    pub(super) fn arrive(&mut self, now: u64, event: Event) {
        let Event { buffer: from, packet, mut path, .. } = event;
        if !paths::has_code(path) {
            path = self.go_on(now, packet, path);
            if path == END {
                return self.lose(now, event);
            }
        }
        let coding = self.packets.coding;
        let inlet = &self.ports.inlets[from as usize];
        let to = inlet.first + (path & coding.mask);
        let size = self.packets.get(packet).size;
        let hop = Hop { from, to, packet, path: path >> coding.code.bits, size };
        let tail = now + self.ports.sizes.time(size, inlet.kind);
        let port = &self.ports.ports[self.ports.port_of(to)];
        let kind = &self.ports.kinds[usize::from(port.kind)];
        let has_room = port.has_room(now, self.ports.sizes.time(size, port.kind), kind);
        if has_room && self.ports.is_open(to, self.ports.sizes.bytes(size), now) {
            self.send(now, tail, hop);
        } else {
            self.park(now, tail, hop);
        }
    }

    /// What comes next of a packet's way: decided now, or the next part of it; [`END`] where it is
    /// at its end.
    #[cold]
    pub(super) fn go_on(&mut self, now: u64, packet: u32, path: u32) -> u32 {
        let Some(destination) = paths::undecided_destination(path) else {
            return self.packets.refill(packet);
        };
        let letter = self.ranks.letter(self.packets.get(packet).letter);
        let pair = Pair { source: letter.pair.source, destination };
        let word = self.find_way(now, (pair, letter.outlet), None);
        self.packets.set_way(packet, &Way::of(word, &self.exits))
    }

    /// Decides the way of a packet that is at its source's switch, or will be, in one word, or where it
    /// is not in one by exits; its waypoints may be known.
    pub(super) fn find_way(
        &mut self,
        now: u64,
        (pair, outlet): (Pair, Outlet),
        known: Option<Waypoints>,
    ) -> Option<Word> {
        let FastExchange { setup, ranks, switches, ports, exits, packets, .. } = self;
        let queues = Backlog { ports, now, unit: setup.unit(), capacity: setup.output_buffer };
        exits.clear();
        let from = switches[outlet.index()]?;
        let (route, network) = (setup.routes.route(), &setup.network);
        if let Some(waypoints) = known {
            route.follow(network, from, pair, waypoints, exits);
            return None;
        }
        let stream = &mut ranks.adapters[pair.source.index()].routes;
        let word = route.drawn_word(from, pair, stream, &queues, packets.coding.code);
        if word.is_none() {
            route.trace(network, from, pair, stream, &queues, exits);
        }
        word
    }

    #[cold]
    fn park(&mut self, now: u64, tail: u64, hop: Hop) {
        let bytes = self.ports.sizes.bytes(hop.size);
        let parked = Parked { from: hop.from, packet: hop.packet, path: hop.path, tail };
        self.ports.park(hop.to, parked, bytes, now);
        let port = self.ports.port_of(hop.to);
        if self.ports.ports[port].parked == 1 {
            self.watch(port, now);
        }
        self.ask_to_wake(now, port);
    }

    /// Makes events of the credits that are on their way to a port.
    pub(super) fn watch(&mut self, port: usize, now: u64) {
        let mut returns = Vec::new();
        self.ports.watch(port, now, &mut |buffer, due, bytes| returns.push((buffer, due, bytes)));
        for (buffer, due, bytes) in returns {
            self.schedule_credit(now, buffer, due, bytes);
        }
    }

    #[cold]
    fn schedule_credit(&mut self, now: u64, buffer: u32, due: u64, bytes: u32) {
        let group = self.ports.group_of(self.ports.port_of(buffer));
        self.schedule(now, group, due, event(CREDIT, buffer, bytes));
    }

    /// Sends a packet on whose tail will have come in at `tail`; its input buffer is free again
    /// when its last bit has gone, and the sender hears of that one link latency later.
    #[inline(always)]
    fn send(&mut self, now: u64, tail: u64, hop: Hop) {
        self.packet_hops += 1;
        self.return_credit(now, hop.from, hop.size);
        self.transmit(now, tail, hop);
    }

    #[inline(always)]
    pub(super) fn return_credit(&mut self, now: u64, from: u32, size: u32) {
        let inlet = &mut self.ports.inlets[from as usize];
        let latency = self.ports.kinds[usize::from(inlet.kind)].timing.latency;
        let due = now + self.ports.sizes.time(size, inlet.kind) + latency;
        let bytes = self.ports.sizes.bytes(size);
        if !inlet.note(due, bytes, self.start) {
            self.schedule_credit(now, self.ports.other_name(from), due, bytes);
        }
    }

    /// Takes credit and channel for a packet, and sets when it reaches the next allocator or is
    /// delivered.
    #[inline(always)]
    pub(super) fn transmit(&mut self, now: u64, tail: u64, hop: Hop) {
        let Hop { to, packet, path, size, .. } = hop;
        let lane_bits = self.ports.lane_bits;
        let place = self.ports.port_of(to);
        let port = &mut self.ports.ports[place];
        let kind = &self.ports.kinds[usize::from(port.kind)];
        let own = self.ports.sizes.time(size, port.kind);
        let departure = port.send(now.max(tail.saturating_sub(own)), own);
        let group = usize::from(port.group);
        if kind.ends {
            let time = departure + own + kind.flight;
            return self.schedule(now, group, time, event(DELIVER, to, packet));
        }
        let time = departure + kind.flight;
        let buffer = port.peer | (to & ((1 << lane_bits) - 1));
        self.ports.credits[to as usize] -= self.ports.sizes.bytes(size);
        self.schedule(now, group, time, Event { buffer, packet, path, time: 0 });
    }

    /// A packet whose way has ended at a switch is taken out of the network. Analysis has walked
    /// every route before the run, so this is an error of the routing.
    #[cold]
    fn lose(&mut self, now: u64, event: Event) {
        let size = self.packets.remove(event.packet).size;
        self.lost += 1;
        self.return_credit(now, event.buffer, size);
    }

    /// Room has come back in a buffer: its source or the packets waiting for it may go on.
    pub(super) fn take_back(&mut self, now: u64, buffer: u32, bytes: u32) {
        self.ports.credits[buffer as usize] += bytes;
        let port = self.ports.port_of(buffer);
        if self.ports.ports[port].parked > 0 {
            self.release(now, port);
        } else if let Node::Endpoint(endpoint) = self.setup.network.owner(PortId(port as u32)) {
            self.resume(now, self.ranks.outlet(endpoint, PortId(port as u32)));
        }
    }

    /// An outlet that waits for room may go on.
    fn resume(&mut self, now: u64, outlet: Outlet) {
        if self.blocked[outlet.index()] {
            self.ask(now, outlet);
        }
    }

    /// Sends waiting packets as long as there is room.
    pub(super) fn release(&mut self, now: u64, port: usize) {
        let waited = self.ports.ports[port].parked > 0;
        while let Some(to) = self.ports.next_to_go(&self.packets, self.flit(), port, now) {
            self.send_first(now, to);
        }
        if waited && self.ports.ports[port].parked == 0 {
            self.ports.unwatch(port);
        }
        self.ask_to_wake(now, port);
    }

    /// Sends the packet, or flit, that waits for a virtual channel and whose turn it is. That there is room
    /// and a credit is the caller's affair.
    fn send_first(&mut self, now: u64, to: u32) {
        if self.flits.is_some() {
            return self.send_first_flit(now, to);
        }
        let Some(parked) = self.ports.unpark_from(&self.packets, to, now) else { return };
        let Parked { from, packet, path, tail } = parked;
        let size = self.packets.get(packet).size;
        self.send(now, tail, Hop { from, to, packet, path, size });
    }

    /// The place of the length of flits, where messages are in flits.
    fn flit(&self) -> Option<u32> {
        self.flits.as_ref().map(|flits| flits.size)
    }

    pub(super) fn ask_to_wake(&mut self, now: u64, port: usize) {
        if let Some(time) = self.ports.ask_to_wake(&self.packets, self.flit(), port, now) {
            let group = self.ports.group_of(port);
            self.schedule(now, group, time, event(WAKE, self.ports.buffer(port, 0), 0));
        }
    }
}

/// The queues as adaptive routings see them.
struct Backlog<'a> {
    ports: &'a Ports,
    now: u64,
    unit: Bytes,
    capacity: Bytes,
}

impl Queues for Backlog<'_> {
    fn queued(&self, port: PortId) -> Bytes {
        Bytes(self.ports.queued(port.index(), self.now, self.unit.0))
    }

    fn capacity(&self) -> Bytes {
        self.capacity
    }
}
