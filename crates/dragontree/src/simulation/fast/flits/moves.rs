//! How flits move: the first of a packet like a whole one, the others after it.

use super::super::Fast;
use super::super::moves::Hop;
use super::super::paths::{self, END};
use super::super::ports::{CLOSED, Ports};
use super::super::wheel::Event;
use super::super::worms::{FOLLOWING, NONE, Passage};

impl Fast {
    /// A flit at a switch is sent on if it can be.
    pub(in super::super) fn arrive_flit(&mut self, now: u64, event: Event) {
        let from = event.buffer;
        let first = (event.packet & FOLLOWING == 0).then(|| self.first_passage(now, event));
        let Fast { flits: Some(flits), ports, .. } = self else { return };
        let inlet = &ports.inlets[from as usize];
        let tail = now + ports.kinds[usize::from(inlet.kind)].timing.serialization;
        let place = flits.worms.come_in(from, first.flatten(), tail);
        let to = flits.worms.passages.get(place).map_or(NONE, |passage| passage.to);
        if to == NONE {
            return self.lose_flit(now, place);
        }
        let has_turn = flits.worms.has_turn(to, place);
        let port = ports.port_of(to);
        let open = has_turn
            && !ports.is_closed(to)
            && ports.ports[port].free <= now + ports.kind_of(port).slack
            && (ports.has_known_credit(to) || ports.has_credit(to, now));
        if !open {
            return self.park_flit(now, (place, to), has_turn);
        }
        self.send_flit(now, place);
        if self.has_next_flit(to) {
            self.close(now, to);
            self.release_flits(now, port);
        }
    }

    /// The passage of a packet whose first flit has come in.
    fn first_passage(&mut self, now: u64, event: Event) -> Option<Passage> {
        let Event { buffer: from, packet, mut path, .. } = event;
        if !paths::has_code(path) {
            path = self.go_on(now, event);
        }
        let flits = self.flits.as_ref()?.count;
        let coding = self.packets.coding;
        let first = self.ports.inlets[from as usize].first;
        let to = if path == END { NONE } else { first + (path & coding.mask) };
        let path = path >> coding.code.bits;
        Some(Passage { from, to, packet, path, flits, arrived: 0, sent: 0, tail: 0 })
    }

    /// The same as of [whole packets](Fast::lose): the packet goes with its last flit.
    fn lose_flit(&mut self, now: u64, place: u32) {
        let Some(flits) = &mut self.flits else { return };
        let Some(lost) = flits.worms.send(place) else { return };
        if lost.is_last {
            self.packets.remove(lost.passage.packet);
            self.lost += 1;
        }
        self.return_credit(now, lost.passage.from);
    }

    /// Lets a flit wait for an output. `has_turn`: it waits for nothing but credit and room, or for
    /// others that do.
    fn park_flit(&mut self, now: u64, (place, to): (u32, u32), has_turn: bool) {
        let Fast { flits: Some(flits), ports, .. } = self else { return };
        flits.worms.wait(place, &mut ports.lines, now);
        let port = ports.port_of(to);
        ports.ports[port].parked += 1;
        if has_turn && !ports.is_closed(to) {
            self.close(now, to);
        }
        self.ask_for_flits(now, port);
    }

    /// From now on someone whose turn it is waits for a virtual channel.
    fn close(&mut self, now: u64, to: u32) {
        self.ports.credits[to as usize] |= CLOSED;
        self.watch(to, now);
    }

    fn has_next_flit(&self, to: u32) -> bool {
        self.flits.as_ref().is_some_and(|flits| flits.worms.has_next(to, &self.ports.lines))
    }

    /// Sends the next flit of a passage on.
    fn send_flit(&mut self, now: u64, place: u32) {
        let Fast { flits: Some(flits), ports: all, base, .. } = self else { return };
        let Some(leaving) = flits.worms.send(place) else { return };
        base.statistics.packet_hops += u64::from(leaving.is_first);
        let Passage { from, to, packet, .. } = leaving.passage;
        let Ports { ports, kinds, lane_bits, .. } = all;
        let port = &mut ports[(to >> *lane_bits) as usize];
        let kind = &kinds[usize::from(port.kind)];
        let ends = kind.takes == 0;
        if ends && !leaving.is_last {
            let ready = now.max(leaving.tail().saturating_sub(kind.timing.serialization));
            let delivered = port.depart(ready, kind);
            flits.worms.delivered_until = delivered.max(flits.worms.delivered_until);
            return self.return_credit(now, from);
        }
        self.return_credit(now, from);
        let (packet, path) = if ends { (packet, END) } else { leaving.next() };
        self.transmit(now, leaving.tail(), Hop { from, to, packet, path });
    }

    /// Sends waiting flits as long as there is room.
    pub(in super::super) fn release_flits(&mut self, now: u64, port: usize) {
        while let Some(to) = self.ports.next_to_go(port, now) {
            self.send_next(now, to);
        }
        self.ask_for_flits(now, port);
    }

    /// A credit has come back: if a flit waits for nothing else, it is sent.
    pub(in super::super) fn send_for_credit(&mut self, now: u64, to: u32) {
        if self.ports.is_closed(to) {
            self.send_next(now, to);
            self.ask_for_flits(now, self.ports.port_of(to));
        }
    }

    /// Asks to be woken when an output has room again, if someone whose turn it is waits for it.
    fn ask_for_flits(&mut self, now: u64, port: usize) {
        if (0..self.ports.lanes).any(|lane| self.ports.is_closed(self.ports.buffer(port, lane))) {
            self.ask_to_wake(now, port);
        }
    }

    /// Sends the flit that waits for a virtual channel whose turn it is, and gives the next virtual channel
    /// the turn. That there is room and a credit is the caller's affair.
    fn send_next(&mut self, now: u64, to: u32) {
        let Fast { flits: Some(flits), ports, .. } = self else { return };
        let place = flits.worms.take_next(to, &mut ports.lines, now);
        ports.leave(to);
        self.send_flit(now, place);
        if !self.has_next_flit(to) {
            self.ports.credits[to as usize] &= !CLOSED;
            self.ports.unwatch(to);
        }
    }
}
