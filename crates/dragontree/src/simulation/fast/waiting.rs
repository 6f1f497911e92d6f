//! How packets wait for an output, and which of them goes next.

use super::parked::Parked;
use super::ports::{CLOSED, Port, Ports};

impl Ports {
    /// Whether someone waits for a virtual channel whose turn it is.
    #[inline]
    pub(super) fn is_closed(&self, buffer: u32) -> bool {
        self.credits[buffer as usize] & CLOSED != 0
    }

    /// Lets a packet wait for an output; whether it is the first on its virtual channel.
    pub(super) fn park(&mut self, to: u32, parked: Parked, now: u64) -> bool {
        self.lines.add(to, parked, now);
        let port = self.port_of(to);
        self.ports[port].parked += 1;
        let is_first = !self.is_closed(to);
        self.credits[to as usize] |= CLOSED;
        is_first
    }

    /// The buffer to which what waits can be sent next: round-robin over the virtual channels.
    #[inline(always)]
    pub(super) fn next_to_go(&self, port: usize, now: u64) -> Option<u32> {
        let Port { parked, turn, free, .. } = self.ports[port];
        if parked == 0 || free > now.saturating_add(self.kind_of(port).slack) {
            return None;
        }
        let mut turns = (turn..self.lanes).chain(0..turn);
        let lane = turns.find(|lane| self.credits[self.buffer(port, *lane) as usize] > CLOSED)?;
        Some(self.buffer(port, lane))
    }

    /// Whether nothing that waits for a port can be sent for want of credits.
    pub(super) fn all_want_credit(&self, port: usize) -> bool {
        let credits = |lane| self.credits[self.buffer(port, lane) as usize];
        (0..self.lanes).all(|lane| credits(lane) <= CLOSED)
    }

    /// Takes out the first of the packets that wait for a virtual channel, if any do, and gives the next
    /// one the turn. That there is room and a credit is the caller's affair.
    #[inline]
    pub(super) fn unpark_from(&mut self, to: u32, now: u64) -> Option<Parked> {
        let parked = self.lines.take_first(to, now)?;
        if self.lines.is_empty(to) {
            self.credits[to as usize] &= !CLOSED;
            self.unwatch(to);
        }
        self.leave(to);
        Some(parked)
    }

    /// One less waits for a virtual channel; the next one has the turn.
    #[inline(always)]
    pub(super) fn leave(&mut self, to: u32) {
        let lane = (to & ((1 << self.lane_bits) - 1)) as u8;
        let place = self.port_of(to);
        let port = &mut self.ports[place];
        port.parked -= 1;
        port.turn = if lane + 1 < self.lanes { lane + 1 } else { 0 };
    }

    /// Whether the output queue has had room for a while: packets only wait for credits.
    #[inline]
    pub(super) fn has_ample_room(&self, port: usize, now: u64) -> bool {
        self.ports[port].free < now.saturating_add(self.kind_of(port).slack)
    }

    /// Whether the output queue has had no room until now, and has.
    pub(super) fn has_just_room(&self, port: usize, now: u64) -> bool {
        self.ports[port].free == now.saturating_add(self.kind_of(port).slack)
    }

    /// When the output queue will have room again, if packets wait for that and nobody has asked
    /// yet.
    pub(super) fn ask_to_wake(&mut self, port: usize, now: u64) -> Option<u64> {
        let slack = self.kind_of(port).slack;
        let Port { wake_pending, parked, free, .. } = self.ports[port];
        if wake_pending || parked == 0 || free <= now.saturating_add(slack) {
            return None;
        }
        // Flits may all wait for others that are on their way.
        if !(0..self.lanes).any(|lane| self.is_closed(self.buffer(port, lane))) {
            return None;
        }
        self.ports[port].wake_pending = true;
        Some(free - slack)
    }
}
