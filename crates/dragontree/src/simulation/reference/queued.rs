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
    /// Packets that a queue takes when empty, the one being sent included.
    capacity: u32,
    queues: Vec<VecDeque<u32>>,
    /// The virtual channel on which each port is sending.
    sending: Vec<Option<u8>>,
    /// The virtual channel whose turn it is, per port.
    turns: Vec<u8>,
    /// Who chooses, where they do not take turns.
    arbiter: Option<Arbiter>,
}

impl OutputQueues {
    pub(super) fn new(setup: &Setup, ports: usize) -> OutputQueues {
        let virtual_channels = usize::from(setup.virtual_channels);
        let share = setup.output_buffer.0 / virtual_channels as u64;
        let packets = (share / setup.unit().0).max(1);
        OutputQueues {
            virtual_channels,
            capacity: u32::try_from(packets).unwrap_or(u32::MAX),
            queues: vec![VecDeque::new(); ports * virtual_channels],
            sending: vec![None; ports],
            turns: vec![0; ports],
            arbiter: Arbiter::new(setup, ports),
        }
    }

    fn place(&self, port: PortId, vc: u8) -> usize {
        port.index() * self.virtual_channels + usize::from(vc)
    }

    /// Whether a queue has room for a packet.
    pub(super) fn has_room(&self, port: PortId, vc: u8) -> bool {
        let sending = usize::from(self.sending[port.index()] == Some(vc));
        let held = self.queues[self.place(port, vc)].len() + sending;
        held < self.capacity as usize
    }

    /// How many packets wait in a port's queues.
    pub(super) fn held(&self, port: PortId) -> u64 {
        let first = self.place(port, 0);
        self.queues[first..first + self.virtual_channels].iter().map(|each| each.len() as u64).sum()
    }

    /// Puts a packet into a queue.
    pub(super) fn push(&mut self, port: PortId, vc: u8, packet: u32) {
        let place = self.place(port, vc);
        self.queues[place].push_back(packet);
    }

    /// Takes out the packet to be sent next, when nothing is being sent and one of those that are
    /// first in their queues has credit.
    pub(super) fn next(
        &mut self,
        port: PortId,
        has_credit: impl Fn(u8) -> bool,
    ) -> Option<(u32, u8)> {
        if self.sending[port.index()].is_some() {
            return None;
        }
        let count = self.virtual_channels as u8;
        let turn = self.turns[port.index()];
        let mut arbiter = self.arbiter.take();
        let ready = |vc: u8| !self.queues[self.place(port, vc)].is_empty() && has_credit(vc);
        let chosen = match &mut arbiter {
            Some(arbiter) => arbiter.choose(port, ready),
            None => (0..count).map(|step| (turn + step) % count).find(|vc| ready(*vc)),
        };
        self.arbiter = arbiter;
        let vc = chosen?;
        let place = self.place(port, vc);
        let packet = self.queues[place].pop_front()?;
        self.sending[port.index()] = Some(vc);
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
        self.queues.iter().flatten().copied()
    }

    /// Whether no queue holds more than it may.
    #[cfg(debug_assertions)]
    pub(super) fn is_within_capacity(&self) -> bool {
        self.queues.iter().all(|queue| queue.len() <= self.capacity as usize)
    }
}
