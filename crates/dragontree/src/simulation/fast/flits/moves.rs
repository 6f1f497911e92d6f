//! How flits move: the first of a packet like a whole one, the others after it.

use super::super::Fast;
use super::super::moves::Hop;
use super::super::paths::{self, END};
use super::super::ports::{CLOSED, Ports};
use super::super::wheel::Event;
use super::super::worms::{NONE, Passage, is_following};

impl Fast {
    /// A flit at a switch is sent on if it can be.
    pub(in super::super) fn arrive_flit(&mut self, now: u64, event: Event) {
        let from = event.buffer;
        let first = (!is_following(&event)).then(|| self.first_passage(now, event));
        let Fast { flits: Some(flits), ports, .. } = self else { return };
        let tail = now + ports.came_by(from).timing.serialization;
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
            self.release(now, port);
        }
    }

    /// The passage of a packet whose first flit has come in.
    fn first_passage(&mut self, now: u64, event: Event) -> Option<Passage> {
        let known = paths::has_code(event.path);
        let path = if known { event.path } else { self.go_on(now, event) };
        let (coding, flits) = (self.packets.coding, self.flits.as_ref()?.count);
        let first = self.ports.entry(event.buffer).first;
        Some(Passage::new(event, path, first, coding, flits))
    }

    /// The same as of [whole packets](Fast::lose): the packet goes with its last flit.
    fn lose_flit(&mut self, now: u64, place: u32) {
        let Some(flits) = &mut self.flits else { return };
        let Some(lost) = flits.worms.send(place) else { return };
        if lost.is_over() {
            self.packets.remove(lost.packet);
            self.lost += 1;
        }
        self.return_credit(now, lost.from);
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
        self.ask_to_wake(now, port);
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
        let Some(passage) = flits.worms.send(place) else { return };
        base.statistics.packet_hops += u64::from(passage.has_begun());
        let Passage { from, to, packet, .. } = passage;
        let Ports { ports, kinds, lane_bits, .. } = all;
        let port = &mut ports[(to >> *lane_bits) as usize];
        let kind = &kinds[usize::from(port.kind)];
        let ends = kind.takes == 0;
        if ends && !passage.is_over() {
            let ready = now.max(passage.tail_sent().saturating_sub(kind.timing.serialization));
            let delivered = port.depart(ready, kind);
            flits.worms.delivered_until = delivered.max(flits.worms.delivered_until);
            return self.return_credit(now, from);
        }
        self.return_credit(now, from);
        let (packet, path) = if ends { (packet, END) } else { passage.next() };
        self.transmit(now, passage.tail_sent(), Hop { from, to, packet, path });
    }

    /// Sends the flit that waits for a virtual channel and whose turn it is, if any does.
    pub(in super::super) fn send_first_flit(&mut self, now: u64, to: u32) -> bool {
        let Fast { flits: Some(flits), ports, .. } = self else { return false };
        if !ports.is_closed(to) {
            return false;
        }
        let place = flits.worms.take_next(to, &mut ports.lines, now);
        ports.leave(to);
        self.send_flit(now, place);
        if !self.has_next_flit(to) {
            self.ports.credits[to as usize] &= !CLOSED;
            self.ports.unwatch(to);
        }
        true
    }
}
