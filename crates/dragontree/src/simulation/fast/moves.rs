//! How packets move: allocated, parked, released.

use crate::network::{Node, PortId};
use crate::routing::Code;

use super::Fast;
use super::backlog::{Backlog, Sizes};
use super::deciding::Deciding;
use super::deliveries::Delivered;
use super::inlet::{Inlet, LastEvent};
use super::order::{CREDIT, WAKE};
use super::parked::Parked;
use super::paths::{self, Coding, END};
use super::ports::{Port, Ports, later};
use super::wheel::Event;

/// A packet at a switch: the buffer that it is in, as an inlet; the buffer that it is to be sent to,
/// by its channel; and what is left of its path then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) packet: u32,
    pub(super) path: u32,
}

impl Hop {
    /// The packet as it waits, when its tail will have come in at `tail`.
    #[inline]
    fn waiting(self, tail: u64) -> Parked {
        Parked { from: self.from, packet: self.packet, path: self.path, tail }
    }
}

/// The event of a credit that comes back from an inlet, at a time that is noted there, and its list: that of
/// the group at the other end of the cable.
#[inline(always)]
pub(super) fn visible_credit(
    (ports, last_events): (&[Port], &mut [LastEvent]),
    lane_bits: u32,
    inlet: u32,
    due: u64,
) -> (usize, Event) {
    if let Some(last) = last_events.get_mut(inlet as usize) {
        last.note(due);
    }
    let Port { peer, group, .. } = ports[(inlet >> lane_bits) as usize];
    let buffer = peer | (inlet & ((1 << lane_bits) - 1));
    (usize::from(group), Event { buffer, packet: CREDIT, ..Event::default() })
}

impl Fast {
    /// Sends on as many of these events' packets as can be sent without further ado, one after the
    /// other; returns how many. This is where a run spends its time.
    ///
    /// A packet whose way is to be decided now goes on like any other as soon as it is; where it
    /// cannot, the decision stays in its event.
    pub(super) fn pass_on(&mut self, events: &mut [Event]) -> usize {
        let (window, start, end) = (self.window, self.start, self.end);
        let (wheel, log) = (&mut self.wheel, &mut self.log);
        let Ports { kinds, ports, inlets, last_events, credits, lane_bits, .. } = &mut self.ports;
        let (ports, inlets, credits) = (&mut ports[..], &mut inlets[..], &mut credits[..]);
        let Fast { base, packets, forks, exits, .. } = self;
        let (kinds, lane_bits, sizes) = (&kinds[..], *lane_bits, Sizes::of(&base.setup));
        let mut ways = Deciding { base, packets, forks, exits, lane_bits, sizes };
        let Coding { code: Code { bits, .. }, mask, .. } = ways.packets.coding;
        let (mut near, mut served) = (wheel.near(), 0);
        for event in events {
            let now = window + u64::from(event.time);
            let Some(entry) = ports.get((event.buffer >> lane_bits) as usize) else { break };
            let Some(came) = kinds.get(usize::from(entry.came)) else { break };
            let first = entry.first;
            let Some(path) = ways.path((&*ports, kinds, now), first, event) else { break };
            let to = first + (path as u32 & mask);
            let Some(port) = ports.get_mut((to >> lane_bits) as usize) else { break };
            let Some(credit) = credits.get_mut(to as usize) else { break };
            let Some(inlet) = inlets.get_mut(event.buffer as usize) else { break };
            let Some(goes) = kinds.get(usize::from(port.kind)) else { break };
            let serialization = goes.timing.serialization;
            let lead = came.timing.serialization.saturating_sub(serialization);
            let departure = later(now + lead, port.free);
            let time = departure + goes.flight;
            let ends = goes.takes == 0;
            let open = *credit as i32 > 0 && port.free <= now + goes.slack;
            let due = now + came.credit_delay;
            if !open || !((time >= end) | ends) || due < end {
                event.path = ways.packets.shorten(event.packet, path);
                break;
            }
            let path = ways.packets.shorten(event.packet, path >> bits);
            port.free = departure + serialization;
            port.sent += 1;
            if ends {
                log.push(Delivered::new(time, event.packet));
            } else {
                *credit -= 1;
                let buffer = port.peer | (to & ((1 << lane_bits) - 1));
                let on = Event { buffer, packet: event.packet, path, time: 0 };
                let list = usize::from(port.group);
                if !near.put(list, time, on) {
                    wheel.push_slowly(list, time, on);
                    near = wheel.near();
                }
            }
            if !inlet.note(due, start) {
                let (list, back) =
                    visible_credit((ports, last_events), lane_bits, event.buffer, due);
                if !near.put(list, due, back) {
                    wheel.push_slowly(list, due, back);
                    near = wheel.near();
                }
            }
            served += 1;
        }
        ways.base.statistics.packet_hops += served as u64;
        served
    }

    /// A packet at a switch is sent on if it can be.
    #[inline]
    pub(super) fn arrive(&mut self, now: u64, event: Event) {
        let Event { buffer: from, packet, mut path, .. } = event;
        if !paths::has_code(path) {
            path = self.go_on(now, event);
            if path == END {
                return self.lose(now, event);
            }
        }
        let coding = self.packets.coding;
        let to = self.ports.entry(from).first + (path & coding.mask);
        let hop = Hop { from, to, packet, path: path >> coding.code.bits };
        let tail = now + self.ports.came_by(from).timing.serialization;
        let port = &self.ports.ports[self.ports.port_of(to)];
        let slack = self.ports.kinds[usize::from(port.kind)].slack;
        let has_room = port.free <= now + slack;
        if has_room && self.ports.is_closed(to) {
            // The queue has room, so those before it wait for a credit: no wake-up is needed.
            self.ports.park(to, hop.waiting(tail), now);
            return;
        }
        let open = self.ports.has_known_credit(to) || self.ports.has_credit(to, now);
        if open && has_room {
            self.send(now, tail, hop);
        } else {
            self.park(now, tail, hop);
        }
    }

    /// What comes next of a packet's way: decided now, or the next part of it; [`END`] where it is
    /// at its end.
    pub(super) fn go_on(&mut self, now: u64, event: Event) -> u32 {
        let Fast { ports: all, base, packets, forks, exits, .. } = self;
        let Some(destination) = paths::undecided_destination(event.path) else {
            return packets.refill(event.packet);
        };
        let first = all.entry(event.buffer).first;
        let (lane_bits, sizes) = (all.lane_bits, Sizes::of(&base.setup));
        let mut ways = Deciding { base, packets, forks, exits, lane_bits, sizes };
        let queues = Backlog::new(&all.ports, &all.kinds, sizes, now);
        let path = ways.decide(&queues, first, event.packet, destination);
        ways.packets.shorten(event.packet, path)
    }

    #[cold]
    fn park(&mut self, now: u64, tail: u64, hop: Hop) {
        if self.ports.park(hop.to, hop.waiting(tail), now) {
            self.watch(hop.to, now);
        }
        self.ask_to_wake(now, self.ports.port_of(hop.to));
    }

    /// Makes events of the credits that are on their way back from a buffer.
    pub(super) fn watch(&mut self, buffer: u32, now: u64) {
        let inlet = self.ports.other_name(buffer);
        for due in self.ports.watch(buffer, now) {
            self.schedule_credit(now, inlet, due);
        }
    }

    #[cold]
    fn schedule_credit(&mut self, now: u64, inlet: u32, due: u64) {
        let Ports { ports, last_events, lane_bits, .. } = &mut self.ports;
        let (group, event) = visible_credit((ports, last_events), *lane_bits, inlet, due);
        self.schedule(now, group, due, event);
    }

    /// Sends a packet on whose tail will have come in at `tail`; its input buffer is free again
    /// when its last bit has gone, and the sender hears of that one link latency later.
    #[inline]
    fn send(&mut self, now: u64, tail: u64, hop: Hop) {
        self.base.statistics.packet_hops += 1;
        self.return_credit(now, hop.from);
        self.transmit(now, tail, hop);
    }

    #[inline]
    pub(super) fn return_credit(&mut self, now: u64, from: u32) {
        let due = now + self.ports.came_by(from).credit_delay;
        if !self.ports.inlets[from as usize].note(due, self.start) {
            self.schedule_credit(now, from, due);
        }
    }

    /// Takes credit and channel for a packet, and sets when it reaches the next allocator or is
    /// delivered.
    #[inline]
    pub(super) fn transmit(&mut self, now: u64, tail: u64, Hop { to, packet, path, .. }: Hop) {
        let lane_bits = self.ports.lane_bits;
        let place = self.ports.port_of(to);
        let port = &mut self.ports.ports[place];
        let kind = &self.ports.kinds[usize::from(port.kind)];
        let time = port.depart(now.max(tail.saturating_sub(kind.timing.serialization)), kind);
        if kind.takes == 0 {
            self.log.push(Delivered::new(time, packet));
            return;
        }
        let buffer = port.peer | (to & ((1 << lane_bits) - 1));
        let group = usize::from(port.group);
        self.ports.credits[to as usize] -= 1;
        self.schedule(now, group, time, Event { buffer, packet, path, time: 0 });
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
        let port = self.ports.port_of(buffer);
        let waits = self.ports.ports[port].parked > 0;
        // Only this channel's first packet may go now: others that have credit would have gone before.
        if waits && self.ports.has_ample_room(port, now) {
            debug_assert!(self.ports.all_want_credit(port));
            self.ports.give_credit(buffer);
            if self.send_first(now, buffer) {
                self.ask_to_wake(now, port);
            }
            return;
        }
        if waits && self.has_let_another_go(now, buffer) {
            self.release(now, port);
        }
        self.ports.give_credit(buffer);
        if waits {
            return self.release(now, port);
        }
        if !self.ports.inlet(buffer).is_some_and(Inlet::is_watched) {
            return;
        }
        if let Node::Endpoint(endpoint) = self.base.setup.network.owner(PortId(port as u32))
            && let Some(source) = &mut self.base.sources[endpoint.index()]
            && source.blocked
        {
            source.blocked = false;
            self.ports.unwatch(buffer);
            // Nothing else of this time touches what its turn does.
            if self.cut.ahead {
                return self.generate_in_order(now, endpoint.0);
            }
            self.schedule_source(now, endpoint.0);
        }
    }

    /// Whether the output queue has room again just when a credit comes, and another one before it, which is
    /// only noted as no packet waits for that. Any credit lets those packets go that have waited for room.
    fn has_let_another_go(&self, now: u64, buffer: u32) -> bool {
        let port = self.ports.port_of(buffer);
        let place =
            |buffer| self.place_of(now, &Event { buffer, packet: CREDIT, ..Event::default() });
        let comes_before = |lane| {
            let other = self.ports.buffer(port, lane);
            let returns = self.ports.inlet(other).is_some_and(|inlet| inlet.returns_at(now));
            returns && place(other) < place(buffer)
        };
        self.ports.has_just_room(port, now) && (0..self.ports.lanes).any(comes_before)
    }

    /// Sends waiting packets as long as there is room.
    pub(super) fn release(&mut self, now: u64, port: usize) {
        while let Some(to) = self.ports.next_to_go(port, now) {
            self.send_first(now, to);
        }
        self.ask_to_wake(now, port);
    }

    /// Sends the packet, or flit, that waits for a virtual channel and whose turn it is, if any does. That
    /// there is room and a credit is the caller's affair.
    #[inline]
    fn send_first(&mut self, now: u64, to: u32) -> bool {
        if self.flits.is_some() {
            return self.send_first_flit(now, to);
        }
        let Some(parked) = self.ports.unpark_from(to, now) else { return false };
        let Parked { from, packet, path, tail } = parked;
        self.send(now, tail, Hop { from, to, packet, path });
        true
    }

    pub(super) fn ask_to_wake(&mut self, now: u64, port: usize) {
        if let Some(time) = self.ports.ask_to_wake(port, now) {
            let event =
                Event { buffer: self.ports.buffer(port, 0), packet: WAKE, ..Event::default() };
            self.schedule(now, self.ports.group_of(port), time, event);
        }
    }
}
