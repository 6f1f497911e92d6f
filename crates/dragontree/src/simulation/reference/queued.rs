//! Output queues with room of their own, per port and virtual channel.
//!
//! What enters such a queue needs no credit yet; when the channel is free, the virtual channels that
//! have one take turns, or their weights decide.

use std::collections::VecDeque;

use crate::network::PortId;

use super::super::Setup;
use super::arbiter::Arbiter;

/// All output queues of a network.
pub(super) struct OutputQueues {
    virtual_channels: usize,
    /// Bytes that a queue takes when empty, those being sent included.
    capacity: u64,
    /// The packets in each queue with their bytes, and these together.
    queues: Vec<VecDeque<(u32, u32)>>,
    held: Vec<u64>,
    /// The virtual channel on which each port is sending, and the bytes of what it sends.
    sending: Vec<Option<(u8, u32)>>,
    /// The virtual channel whose turn it is, per port.
    turns: Vec<u8>,
    /// Who chooses, where they do not take turns.
    arbiter: Option<Arbiter>,
}

impl OutputQueues {
    pub(super) fn new(setup: &Setup, ports: usize) -> OutputQueues {
        let virtual_channels = usize::from(setup.virtual_channels);
        let share = setup.output_buffer.0 / virtual_channels as u64;
        OutputQueues {
            virtual_channels,
            capacity: share.max(setup.unit().0),
            queues: vec![VecDeque::new(); ports * virtual_channels],
            held: vec![0; ports * virtual_channels],
            sending: vec![None; ports],
            turns: vec![0; ports],
            arbiter: Arbiter::new(setup, ports),
        }
    }

    fn place(&self, port: PortId, vc: u8) -> usize {
        port.index() * self.virtual_channels + usize::from(vc)
    }

    /// Whether a queue has room for so many bytes.
    pub(super) fn has_room(&self, port: PortId, vc: u8, bytes: u32) -> bool {
        let sending = self.sending[port.index()].filter(|(own, _)| *own == vc);
        let sending = sending.map_or(0, |(_, bytes)| u64::from(bytes));
        self.held[self.place(port, vc)] + sending + u64::from(bytes) <= self.capacity
    }

    /// How many bytes wait in a port's queues.
    pub(super) fn held(&self, port: PortId) -> u64 {
        let first = self.place(port, 0);
        self.held[first..first + self.virtual_channels].iter().sum()
    }

    /// Puts a packet of so many bytes into a queue.
    pub(super) fn push(&mut self, port: PortId, vc: u8, packet: u32, bytes: u32) {
        let place = self.place(port, vc);
        self.queues[place].push_back((packet, bytes));
        self.held[place] += u64::from(bytes);
    }

    /// Takes out the packet to be sent next, when nothing is being sent and one of those that are
    /// first in their queues has credit.
    pub(super) fn next(
        &mut self,
        port: PortId,
        has_credit: impl Fn(u8, u32) -> bool,
    ) -> Option<(u32, u8)> {
        if self.sending[port.index()].is_some() {
            return None;
        }
        let count = self.virtual_channels as u8;
        let turn = self.turns[port.index()];
        let mut arbiter = self.arbiter.take();
        let first = |vc: u8| self.queues[self.place(port, vc)].front().map(|(_, bytes)| *bytes);
        let ready = |vc: u8| first(vc).filter(|bytes| has_credit(vc, *bytes));
        let chosen = match &mut arbiter {
            Some(arbiter) => arbiter.choose(port, ready),
            None => (0..count).map(|step| (turn + step) % count).find(|vc| ready(*vc).is_some()),
        };
        self.arbiter = arbiter;
        let vc = chosen?;
        let place = self.place(port, vc);
        let (packet, bytes) = self.queues[place].pop_front()?;
        self.held[place] -= u64::from(bytes);
        self.sending[port.index()] = Some((vc, bytes));
        self.turns[port.index()] = (vc + 1) % count;
        Some((packet, vc))
    }

    /// Notes that the last bit of what a port was sending has gone.
    pub(super) fn sent(&mut self, port: PortId) {
        self.sending[port.index()] = None;
    }

    /// Every packet that waits in a queue.
    #[cfg(debug_assertions)]
    pub(super) fn packets(&self) -> impl Iterator<Item = u32> + '_ {
        self.queues.iter().flatten().map(|(packet, _)| *packet)
    }

    /// Whether no queue holds more than it may.
    #[cfg(debug_assertions)]
    pub(super) fn is_within_capacity(&self) -> bool {
        let held =
            |queue: &VecDeque<(u32, u32)>| queue.iter().map(|each| u64::from(each.1)).sum::<u64>();
        let mut queues = self.queues.iter().zip(&self.held);
        queues.all(|(queue, bytes)| held(queue) == *bytes && *bytes <= self.capacity)
    }
}
