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

    /// Whether the output queue has room for what is of this size.
    pub(super) fn has_room(&self, place: usize, size: u32, now: u64) -> bool {
        let port = &self.ports[place];
        let time = self.sizes.time(size, port.kind);
        port.has_room(now, time, &self.kinds[usize::from(port.kind)])
    }

    /// The buffer to which a waiting flit of this size can be sent whose turn it is: round-robin over the
    /// virtual channels.
    pub(super) fn next_to_go(&self, place: usize, size: u32, now: u64) -> Option<u32> {
        let Port { parked, turn, .. } = self.ports[place];
        if parked == 0 || !self.has_room(place, size, now) {
            return None;
        }
        let bytes = self.sizes.bytes(size);
        let credit = |lane| self.credits[self.buffer(place, lane) as usize];
        let has_credit = |lane: &u8| credit(*lane) > CLOSED && credit(*lane) - CLOSED >= bytes;
        let lane = (turn..self.lanes).chain(0..turn).find(has_credit)?;
        Some(self.buffer(place, lane))
    }

    /// The next waiting packet that can be sent, and the buffer it can be sent to: round-robin
    /// over the virtual channels.
    pub(super) fn unpark(
        &mut self,
        packets: &Parcels,
        place: usize,
        now: u64,
    ) -> Option<(Parked, u32)> {
        let port = self.ports[place];
        if port.parked == 0 {
            return None;
        }
        let kind = &self.kinds[usize::from(port.kind)];
        let is_ready = |lane: &u8| {
            let to = self.buffer(place, *lane);
            let credit = self.credits[to as usize];
            credit > CLOSED
                && self.lines.first(to).is_some_and(|first| {
                    let size = packets.get(first.packet).size;
                    credit - CLOSED >= self.sizes.bytes(size)
                        && port.has_room(now, self.sizes.time(size, port.kind), kind)
                })
        };
        let lane = (port.turn..self.lanes).chain(0..port.turn).find(is_ready)?;
        let to = self.buffer(place, lane);
        let parked = self.lines.take_first(to, now)?;
        if self.lines.is_empty(to) {
            self.credits[to as usize] &= !CLOSED;
        }
        self.leave(to, self.sizes.bytes(packets.get(parked.packet).size));
        Some((parked, to))
    }

    /// When the output queue will have room for the shortest of those that are first and lack it, if
    /// nobody has asked for that time or a sooner one yet.
    pub(super) fn ask_to_wake(&mut self, packets: &Parcels, place: usize, now: u64) -> Option<u64> {
        let port = self.ports[place];
        if port.parked == 0 {
            return None;
        }
        let kind = &self.kinds[usize::from(port.kind)];
        if port.has_room(now, kind.timing.serialization, kind) {
            return None;
        }
        let firsts = (0..self.lanes).filter_map(|lane| self.lines.first(self.buffer(place, lane)));
        let times = firsts.map(|first| self.sizes.time(packets.get(first.packet).size, port.kind));
        let shortest = times.filter(|time| !port.has_room(now, *time, kind)).min()?;
        self.wake_for(place, shortest)
    }

    /// The same for a flit of this size, if one waits whose turn it is.
    pub(super) fn ask_to_wake_flit(&mut self, place: usize, size: u32, now: u64) -> Option<u64> {
        let waits = |lane| self.credits[self.buffer(place, lane) as usize] >= CLOSED;
        if self.has_room(place, size, now) || !(0..self.lanes).any(waits) {
            return None;
        }
        self.wake_for(place, self.sizes.time(size, self.ports[place].kind))
    }

    /// When the output queue will have room for what takes so long, if nobody has asked for that time or a
    /// sooner one yet.
    fn wake_for(&mut self, place: usize, own: u64) -> Option<u64> {
        let limit = self.kind_of(place).timing.queue_limit;
        let port = &mut self.ports[place];
        let (time, asked) = (port.free + own - limit, port.wake);
        port.wake = time.min(asked);
        (time < asked).then_some(time)
    }
}
