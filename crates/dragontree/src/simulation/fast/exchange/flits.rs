//! Messages in flits: each is one packet, however long.

use crate::network::EndpointId;

use super::super::super::exchanging::{ExchangeSetup, Outlet};
use super::super::super::{Buffer, Waiting};
use super::super::bytes;
use super::super::paths::{self, END};
use super::super::wheel::Event;
use super::super::worms::{NONE, Passage, Whereabouts, Worms, following, is_following};
use super::FastExchange;
use super::moves::Hop;
use super::ports::{CLOSED, Ports};

/// Where messages are in flits: what is known of them.
pub(super) struct Flits {
    pub(super) worms: Worms,
    /// The place of a flit's length.
    pub(super) size: u32,
    /// For each outlet the message of which it has sent some flits and not all.
    sending: Vec<u32>,
}

impl Flits {
    /// None where packets move whole.
    pub(super) fn new(setup: &ExchangeSetup, ports: &mut Ports, outlets: usize) -> Option<Flits> {
        let flit = setup.model.flit?;
        let size = ports.sizes.place(flit.0 as u32);
        let worms = Worms::new(ports.inlets.len());
        Some(Flits { worms, size, sending: vec![NONE; outlets] })
    }

    /// The message that an outlet has begun to send, and the path of its next flit, which may be the last.
    pub(super) fn next(&mut self, outlet: Outlet, is_last: bool) -> Option<(u32, u32)> {
        let sending = &mut self.sending[outlet.index()];
        let packet = *sending;
        if is_last {
            *sending = NONE;
        }
        (packet != NONE).then(|| following(packet))
    }

    /// Notes that an outlet has sent the first flit of a message of several.
    pub(super) fn begin(&mut self, outlet: Outlet, packet: u32) {
        self.sending[outlet.index()] = packet;
    }

    /// The buffer to which the next flit is to be sent that comes in at an inlet.
    pub(super) fn to(&self, inlet: u32) -> Option<u32> {
        let passage = self.worms.passages.get(self.worms.incoming[inlet as usize])?;
        (passage.to != NONE).then_some(passage.to)
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> u64 {
        self.worms.memory() + bytes(&self.sending)
    }
}

impl FastExchange {
    /// A flit at a switch is sent on if it can be.
    pub(super) fn arrive_flit(&mut self, now: u64, event: Event) {
        let from = event.buffer;
        let first = (!is_following(&event)).then(|| self.first_passage(now, event));
        let FastExchange { flits: Some(flits), ports, .. } = self else { return };
        let size = flits.size;
        let tail = now + ports.sizes.time(size, ports.inlets[from as usize].kind);
        let place = flits.worms.come_in(from, first, tail);
        let to = flits.worms.passages.get(place).map_or(NONE, |passage| passage.to);
        if to == NONE {
            return self.lose_flit(now, place);
        }
        let has_turn = flits.worms.has_turn(to, place);
        let port = ports.port_of(to);
        let bytes = ports.sizes.bytes(size);
        if !has_turn || !ports.has_room(port, size, now) || !ports.is_open(to, bytes, now) {
            return self.park_flit(now, (place, to), has_turn);
        }
        self.send_flit(now, place);
        if self.has_next_flit(to) {
            self.ports.credits[to as usize] |= CLOSED;
            self.release(now, port);
        }
    }

    /// The passage of a message whose first flit has come in.
    fn first_passage(&mut self, now: u64, event: Event) -> Passage {
        let Event { buffer, packet, path, .. } = event;
        let path = if paths::has_code(path) { path } else { self.go_on(now, packet, path) };
        let first = self.ports.inlets[buffer as usize].first;
        let flits = self.ranks.letter(self.packets.get(packet).letter).parts;
        Passage::new(event, path, first, self.packets.coding, flits)
    }

    /// The same as of [whole packets](FastExchange::lose): the message goes with its last flit.
    fn lose_flit(&mut self, now: u64, place: u32) {
        let Some(flits) = &mut self.flits else { return };
        let size = flits.size;
        let Some(lost) = flits.worms.send(place) else { return };
        if lost.is_over() {
            self.packets.remove(lost.packet);
            self.lost += 1;
        }
        self.return_credit(now, lost.from, size);
    }

    /// Lets a flit wait for an output. `has_turn`: it waits for nothing but credit and room, or for
    /// others that do.
    fn park_flit(&mut self, now: u64, (place, to): (u32, u32), has_turn: bool) {
        let FastExchange { flits: Some(flits), ports, .. } = self else { return };
        flits.worms.wait(place, &mut ports.lines, now);
        ports.count_parked(to, ports.sizes.bytes(flits.size));
        if has_turn {
            ports.credits[to as usize] |= CLOSED;
        }
        let port = ports.port_of(to);
        if ports.ports[port].parked == 1 {
            self.watch(port, now);
        }
        self.ask_to_wake(now, port);
    }

    fn has_next_flit(&self, to: u32) -> bool {
        self.flits.as_ref().is_some_and(|flits| flits.worms.has_next(to, &self.ports.lines))
    }

    /// Sends the next flit of a passage on.
    fn send_flit(&mut self, now: u64, place: u32) {
        let FastExchange { flits: Some(flits), ports: all, .. } = self else { return };
        let size = flits.size;
        let Some(passage) = flits.worms.send(place) else { return };
        self.packet_hops += u64::from(passage.has_begun());
        let Passage { from, to, packet, .. } = passage;
        let place = all.port_of(to);
        let Ports { ports, kinds, sizes, .. } = all;
        let port = &mut ports[place];
        let kind = &kinds[usize::from(port.kind)];
        if kind.ends && !passage.is_over() {
            let own = sizes.time(size, port.kind);
            let departure = port.send(now.max(passage.tail_sent().saturating_sub(own)), own);
            let delivered = departure + own + kind.flight;
            flits.worms.delivered_until = delivered.max(flits.worms.delivered_until);
            return self.return_credit(now, from, size);
        }
        let (packet, path) = if kind.ends { (packet, END) } else { passage.next() };
        self.return_credit(now, from, size);
        self.transmit(now, passage.tail_sent(), Hop { from, to, packet, path, size });
    }

    /// Sends the flit that waits for a virtual channel and whose turn it is.
    pub(super) fn send_first_flit(&mut self, now: u64, to: u32) {
        let FastExchange { flits: Some(flits), ports, .. } = self else { return };
        let place = flits.worms.take_next(to, &mut ports.lines, now);
        ports.leave(to, ports.sizes.bytes(flits.size));
        self.send_flit(now, place);
        if !self.has_next_flit(to) {
            self.ports.credits[to as usize] &= !CLOSED;
        }
    }

    /// The flits that wait for an output.
    pub(super) fn waiting_flits(&self, flits: &Flits) -> Vec<Waiting> {
        flits.worms.waits(u64::MAX, &self.ports.lines, self)
    }
}

impl Whereabouts for FastExchange {
    fn about(&self, packet: u32) -> (EndpointId, u32, EndpointId) {
        let letter = self.ranks.letter(self.packets.get(packet).letter);
        (letter.pair.source, letter.number, letter.pair.destination)
    }

    fn of_inlet(&self, inlet: u32) -> Buffer {
        self.ports.named(self.ports.other_name(inlet))
    }

    fn of_channel(&self, buffer: u32) -> Buffer {
        self.ports.named(buffer)
    }

    fn at_source(&self, packet: u32, flit: u32) -> Option<Buffer> {
        let letter = self.ranks.letter(self.packets.get(packet).letter);
        let channel = self.ranks.adapters[letter.outlet.index()].injection?;
        (letter.injected <= flit).then_some(Buffer { channel, vc: 0 })
    }
}
