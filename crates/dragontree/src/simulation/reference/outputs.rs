//! The outputs of switches and endpoints: credits, queues, and the packets that wait for them.

use std::collections::VecDeque;

use crate::network::{Node, PortId, SwitchId};
use crate::units::Bytes;

use super::super::Setup;
use super::super::engine::{self, Timing};

/// Where a channel leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Downstream {
    /// Into a switch, whose input buffer gives credits.
    Switch(SwitchId),
    /// To an endpoint, which takes everything at once.
    Endpoint,
}

/// An output port and the channel that leaves from it. Times in picoseconds.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) downstream: Downstream,
    pub(super) timing: Timing,
    /// When the channel has sent everything that is queued.
    pub(super) free: u64,
    /// How long the channel has been given work.
    busy: u64,
    /// Whether a wake-up is on its way.
    wake_pending: bool,
    /// The virtual channel whose turn it is.
    turn: u8,
    /// Packets waiting on any virtual channel.
    parked: u32,
}

impl Output {
    /// How long a packet that arrives now would wait for the channel.
    fn backlog(&self, now: u64) -> u64 {
        self.free.saturating_sub(now)
    }

    fn has_room(&self, now: u64) -> bool {
        self.backlog(now) + self.timing.serialization <= self.timing.queue_limit
    }

    /// Time the channel has been busy until now: what is queued comes later.
    pub(super) fn busy_until(&self, now: u64) -> u64 {
        self.busy - self.backlog(now).min(self.busy)
    }
}

/// All outputs of a network, with the buffers behind their channels.
pub(super) struct Outputs {
    outputs: Vec<Output>,
    virtual_channels: usize,
    /// Packets that the buffer behind a channel can still take, per virtual channel.
    credits: Vec<u32>,
    /// Packets that such a buffer takes when empty.
    capacity: u32,
    /// Packets waiting for an output, per virtual channel, oldest first.
    parked: Vec<VecDeque<u32>>,
    /// When the first of these came first, per virtual channel.
    stuck: Vec<u64>,
}

impl Outputs {
    pub(super) fn new(setup: &Setup) -> Outputs {
        let virtual_channels = usize::from(setup.virtual_channels);
        let ports = (0..setup.network.port_count()).map(PortId);
        let outputs: Vec<Output> = ports.map(|port| Outputs::output(setup, port)).collect();
        let buffers = outputs.len() * virtual_channels;
        let capacity = engine::capacity(setup);
        Outputs {
            outputs,
            virtual_channels,
            credits: vec![capacity; buffers],
            capacity,
            parked: vec![VecDeque::new(); buffers],
            stuck: vec![0; buffers],
        }
    }

    fn output(setup: &Setup, port: PortId) -> Output {
        let downstream = match setup.network.neighbor(port) {
            Some(Node::Switch(switch)) => Downstream::Switch(switch),
            // No route leads over a port without a cable.
            Some(Node::Endpoint(_)) | None => Downstream::Endpoint,
        };
        Output {
            downstream,
            timing: Timing::of(setup, port),
            free: 0,
            busy: 0,
            wake_pending: false,
            turn: 0,
            parked: 0,
        }
    }

    pub(super) fn get(&self, port: PortId) -> &Output {
        &self.outputs[port.index()]
    }

    pub(super) fn all(&self) -> &[Output] {
        &self.outputs
    }

    fn buffer(&self, port: PortId, vc: u8) -> usize {
        port.index() * self.virtual_channels + usize::from(vc)
    }

    /// Whether the buffer behind a channel has room for a packet.
    pub(super) fn has_credit(&self, port: PortId, vc: u8) -> bool {
        let takes_all = self.get(port).downstream == Downstream::Endpoint;
        takes_all || self.credits[self.buffer(port, vc)] > 0
    }

    /// Packets in the buffer behind a channel, on their way to it, or just gone from it.
    pub(super) fn occupied(&self, port: PortId, vc: u8) -> u32 {
        self.capacity - self.credits[self.buffer(port, vc)]
    }

    /// Takes back room for a packet in the buffer behind a channel.
    pub(super) fn give_credit(&mut self, port: PortId, vc: u8) {
        let buffer = self.buffer(port, vc);
        self.credits[buffer] += 1;
    }

    /// Sends a packet whose tail will have come in at `tail`: takes credit and channel, and
    /// returns when its head leaves.
    pub(super) fn commit(&mut self, port: PortId, vc: u8, now: u64, tail: u64) -> u64 {
        let buffer = self.buffer(port, vc);
        if let Downstream::Switch(_) = self.get(port).downstream {
            self.credits[buffer] -= 1;
        }
        let output = &mut self.outputs[port.index()];
        let earliest = tail.saturating_sub(output.timing.serialization);
        let departure = now.max(output.free).max(earliest);
        output.free = departure + output.timing.serialization;
        output.busy += output.timing.serialization;
        departure
    }

    /// Whether a packet that just arrived can be sent: nobody older waits for the same output
    /// and virtual channel, the next buffer has room, and so has the output queue.
    pub(super) fn is_open(&self, port: PortId, vc: u8, now: u64) -> bool {
        self.parked[self.buffer(port, vc)].is_empty()
            && self.has_credit(port, vc)
            && self.get(port).has_room(now)
    }

    /// Lets a packet wait for an output.
    pub(super) fn park(&mut self, port: PortId, vc: u8, packet: u32, now: u64) {
        let buffer = self.buffer(port, vc);
        if self.parked[buffer].is_empty() {
            self.stuck[buffer] = now;
        }
        self.parked[buffer].push_back(packet);
        self.outputs[port.index()].parked += 1;
    }

    /// The next waiting packet that can be sent, round-robin over the virtual channels.
    pub(super) fn unpark(&mut self, port: PortId, now: u64) -> Option<(u32, u8)> {
        let output = self.get(port);
        if output.parked == 0 || !output.has_room(now) {
            return None;
        }
        let count = self.virtual_channels as u8;
        let turns = (0..count).map(|step| (output.turn + step) % count);
        let mut ready = turns.filter(|vc| {
            !self.parked[self.buffer(port, *vc)].is_empty() && self.has_credit(port, *vc)
        });
        let vc = ready.next()?;
        let buffer = self.buffer(port, vc);
        let packet = self.parked[buffer].pop_front()?;
        self.stuck[buffer] = now;
        let output = &mut self.outputs[port.index()];
        output.parked -= 1;
        output.turn = (vc + 1) % count;
        Some((packet, vc))
    }

    /// When the output queue will have room again, if packets wait for that and nobody has asked
    /// yet.
    pub(super) fn ask_to_wake(&mut self, port: PortId, now: u64) -> Option<u64> {
        let output = &mut self.outputs[port.index()];
        if output.wake_pending || output.parked == 0 || output.has_room(now) {
            return None;
        }
        output.wake_pending = true;
        Some(output.free + output.timing.serialization - output.timing.queue_limit)
    }

    /// Notes that a wake-up has come.
    pub(super) fn awake(&mut self, port: PortId) {
        self.outputs[port.index()].wake_pending = false;
    }

    /// Bytes in an output's queue and in front of it.
    pub(super) fn queued(&self, port: PortId, now: u64, packet: Bytes) -> Bytes {
        let output = self.get(port);
        let queued = output.backlog(now).div_ceil(output.timing.serialization.max(1));
        Bytes((queued + u64::from(output.parked)) * packet.0)
    }

    /// Whether the same packet has been the first to wait since before this time.
    pub(super) fn stalled_since(&self, time: u64) -> bool {
        let mut lists = self.parked.iter().zip(&self.stuck);
        lists.any(|(parked, since)| !parked.is_empty() && *since < time)
    }

    /// Every waiting packet with the output and virtual channel it waits for.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (u32, PortId, u8)> + '_ {
        let virtual_channels = self.virtual_channels;
        self.parked.iter().enumerate().flat_map(move |(buffer, packets)| {
            let port = PortId((buffer / virtual_channels) as u32);
            let vc = (buffer % virtual_channels) as u8;
            packets.iter().map(move |packet| (*packet, port, vc))
        })
    }
}
