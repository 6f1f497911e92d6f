//! How packets and flits wait for an output, and which of them goes next.

use super::super::parked::Parked;
use super::Parcels;
use super::ports::{CLOSED, Port, Ports};

impl Ports {
    /// Lets a packet of so many bytes wait for an output.
    pub(super) fn park(&mut self, to: u32, parked: Parked, bytes: u32, now: u64) {
        self.lines.add(to, parked, now);
        self.credits[to as usize] |= CLOSED;
        self.count_parked(to, bytes);
    }

    /// Counts a packet of so many bytes, or a flit, that waits for an output.
    pub(super) fn count_parked(&mut self, to: u32, bytes: u32) {
        let port = self.port_of(to);
        self.ports[port].parked += 1;
        self.ports[port].parked_bytes += u64::from(bytes);
    }

    /// One of so many bytes less waits for a virtual channel; the next one has the turn.
    pub(super) fn leave(&mut self, to: u32, bytes: u32) {
        let lane = (to & ((1 << self.lane_bits) - 1)) as u8;
        let place = self.port_of(to);
        let port = &mut self.ports[place];
        port.parked -= 1;
        port.parked_bytes -= u64::from(bytes);
        port.turn = if lane + 1 < self.lanes { lane + 1 } else { 0 };
    }

    /// The size of what waits for a virtual channel and is first, if any does whose turn it is: a packet's,
    /// or that of every flit.
    fn first_size(&self, packets: &Parcels, flit: Option<u32>, to: u32) -> Option<u32> {
        if self.credits[to as usize] < CLOSED {
            return None;
        }
        flit.or_else(|| self.lines.first(to).map(|first| packets.get(first.packet).size))
    }

    /// Whether the output queue has room for what is of this size.
    pub(super) fn has_room(&self, place: usize, size: u32, now: u64) -> bool {
        let port = &self.ports[place];
        let time = self.sizes.time(size, port.kind);
        port.has_room(now, time, &self.kinds[usize::from(port.kind)])
    }

    /// The buffer to which what waits can be sent next: round-robin over the virtual channels. `flit`: the
    /// size of flits.
    pub(super) fn next_to_go(
        &self,
        packets: &Parcels,
        flit: Option<u32>,
        place: usize,
        now: u64,
    ) -> Option<u32> {
        let Port { parked, turn, .. } = self.ports[place];
        if parked == 0 {
            return None;
        }
        let is_ready = |to: &u32| {
            let credit = self.credits[*to as usize];
            credit > CLOSED
                && self.first_size(packets, flit, *to).is_some_and(|size| {
                    credit - CLOSED >= self.sizes.bytes(size) && self.has_room(place, size, now)
                })
        };
        let lanes = (turn..self.lanes).chain(0..turn);
        lanes.map(|lane| self.buffer(place, lane)).find(is_ready)
    }

    /// Takes out the first of the packets that wait for a virtual channel, and gives the next one the turn.
    /// That there is room and a credit is the caller's affair.
    pub(super) fn unpark_from(&mut self, packets: &Parcels, to: u32, now: u64) -> Option<Parked> {
        let parked = self.lines.take_first(to, now)?;
        if self.lines.is_empty(to) {
            self.credits[to as usize] &= !CLOSED;
        }
        self.leave(to, self.sizes.bytes(packets.get(parked.packet).size));
        Some(parked)
    }

    /// When the output queue will have room for the shortest of those that are first and lack it, if
    /// nobody has asked for that time or a sooner one yet.
    pub(super) fn ask_to_wake(
        &mut self,
        packets: &Parcels,
        flit: Option<u32>,
        place: usize,
        now: u64,
    ) -> Option<u64> {
        let port = self.ports[place];
        if port.parked == 0 {
            return None;
        }
        let kind = &self.kinds[usize::from(port.kind)];
        if port.has_room(now, kind.timing.serialization, kind) {
            return None;
        }
        let lanes = (0..self.lanes).map(|lane| self.buffer(place, lane));
        let sizes = lanes.filter_map(|to| self.first_size(packets, flit, to));
        let times = sizes.map(|size| self.sizes.time(size, port.kind));
        let shortest = times.filter(|time| !port.has_room(now, *time, kind)).min()?;
        let time = port.free + shortest - kind.timing.queue_limit;
        self.ports[place].wake = time.min(port.wake);
        (time < port.wake).then_some(time)
    }
}
