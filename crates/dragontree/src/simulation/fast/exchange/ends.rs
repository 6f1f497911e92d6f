//! What endpoints do: send packets of their letters, and answer to what is delivered.

use super::super::super::exchanging::Outlet;
use crate::network::PortId;

use super::super::paths::{self, Way};
use super::moves::Hop;
use super::window::{SENT, SOURCE, event};
use super::{FastExchange, Parcel};

impl FastExchange {
    /// Asks all outlets that have something to send now.
    pub(super) fn ask_all(&mut self, now: u64) {
        while let Some(outlet) = self.asking.pop() {
            self.ask(now, outlet);
        }
    }

    /// Asks an outlet for a packet when the first of its letters is through the adapter and the link
    /// is free.
    pub(super) fn ask(&mut self, now: u64, outlet: Outlet) {
        let Some((over, posted)) = self.ranks.first(outlet) else { return };
        let port = &self.ports.ports[over.index()];
        let through = posted + self.setup.adapter_latency.as_ps();
        self.ask_at(now, through.max(port.free).max(now), outlet, over);
    }

    /// Asks an outlet for a packet at a time, unless it is asked by then.
    fn ask_at(&mut self, now: u64, time: u64, outlet: Outlet, over: PortId) {
        let asked = &mut self.ranks.adapters[outlet.index()].asked;
        if time < *asked {
            *asked = time;
            let group = self.ports.group_of(over.index());
            self.schedule(now, group, time, event(SOURCE, outlet.0, 0));
        }
    }

    /// An outlet may have a packet ready.
    pub(super) fn generate(&mut self, now: u64, outlet: Outlet) {
        let adapter = &mut self.ranks.adapters[outlet.index()];
        let Some(over) = adapter.injection.filter(|_| adapter.asked == now) else { return };
        adapter.asked = u64::MAX;
        let latency = self.setup.adapter_latency.as_ps();
        let through = now.checked_sub(latency);
        let Some(place) = through.and_then(|latest| self.ranks.next(outlet, latest)) else {
            return self.ask(now, outlet);
        };
        let letter = self.ranks.letter(place);
        let (pair, is_acknowledgement) = (letter.pair, letter.is_acknowledgement);
        let known = letter.waypoints(self.setup.routes.route());
        let bytes = self.ranks.part(letter);
        let to = self.ports.buffer(over.index(), 0);
        let was_blocked = self.blocked[outlet.index()];
        let is_blocked = !self.ports.is_open(to, bytes, now);
        self.blocked[outlet.index()] = is_blocked;
        if is_blocked {
            if let Some(posted) = self.ranks.answer_after(outlet, now - latency) {
                self.ask_at(now, posted + latency, outlet, over);
            }
            return self.watch(over.index(), now);
        }
        if was_blocked {
            self.ports.unwatch(over.index());
        }
        self.ranks.keep_way(&self.setup, place);
        let is_end = self.ranks.advance(place);
        let size = self.ports.sizes.place(bytes);
        let parcel = Parcel { letter: place, size };
        let begun = self.flits.as_mut().and_then(|flits| flits.next(outlet, is_end));
        let (packet, path) = match (begun, self.setup.routes.adaptive()) {
            (Some(flit), _) => flit,
            (None, None) => {
                let word = self.find_way(now, (pair, outlet), known);
                self.packets.insert(parcel, &Way::of(word, &self.exits))
            }
            (None, Some(_)) => (self.packets.add(parcel), paths::undecided(pair.destination)),
        };
        if let Some(flits) = self.flits.as_mut().filter(|_| begun.is_none() && !is_end) {
            flits.begin(outlet, packet);
        }
        self.transmit(now, 0, Hop { from: to, to, packet, path, size });
        if is_end && !is_acknowledgement {
            let sent = self.ports.ports[over.index()].free;
            let group = self.ports.group_of(over.index());
            self.schedule(now, group, sent, event(SENT, outlet.0, place));
        }
        self.ask(now, outlet);
    }

    /// A packet is through its destination's adapter.
    pub(super) fn deliver(&mut self, now: u64, packet: u32) {
        let letter = self.packets.remove(packet).letter;
        self.ranks.deliver(letter, now, &mut self.asking);
        self.ask_all(now);
    }
}
