//! Input buffers of which only the first packet may move.

use std::collections::VecDeque;

use crate::network::PortId;

use super::super::Setup;

/// What has come into each input buffer and not left it yet, first in, first out; none of this where
/// packets do not block one another.
pub(super) struct Inputs {
    virtual_channels: usize,
    /// By channel and virtual channel; the first may be on its way out already.
    queues: Vec<VecDeque<u32>>,
}

impl Inputs {
    pub(super) fn new(setup: &Setup) -> Option<Inputs> {
        let virtual_channels = usize::from(setup.virtual_channels);
        let buffers = setup.network.port_count() as usize * virtual_channels;
        let is_fifo = setup.model.switch.has_fifo_inputs();
        is_fifo.then(|| Inputs { virtual_channels, queues: vec![VecDeque::new(); buffers] })
    }

    fn place(&self, channel: PortId, vc: u8) -> usize {
        channel.index() * self.virtual_channels + usize::from(vc)
    }

    /// A packet has come in; whether it is the first of its buffer.
    pub(super) fn push(&mut self, channel: PortId, vc: u8, packet: u32) -> bool {
        let place = self.place(channel, vc);
        self.queues[place].push_back(packet);
        self.queues[place].len() == 1
    }

    /// The first packet of a buffer has left it; the one that is the first now.
    pub(super) fn pop(&mut self, channel: PortId, vc: u8) -> Option<u32> {
        let place = self.place(channel, vc);
        self.queues[place].pop_front();
        self.queues[place].front().copied()
    }

    /// How many packets stand behind the first of a buffer.
    pub(super) fn behind(&self, channel: PortId, vc: u8) -> u32 {
        self.queues[self.place(channel, vc)].len().saturating_sub(1) as u32
    }
}
