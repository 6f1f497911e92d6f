//! The outputs of switches and endpoints: credits, queues, and the packets that wait for them.
//!
//! What moves whole is a packet here, or a flit of one in wormhole switching.

use std::collections::VecDeque;

use crate::network::{Node, PortId, SwitchId};
use crate::units::Bytes;

use super::super::engine::{self, Timing};
use super::super::{Arbitration, Setup};
use super::arbiter::Arbiter;
use super::queued::OutputQueues;

/// Where a channel leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Downstream {
    /// Into a switch, whose input buffer gives credits.
    Switch(SwitchId),
    /// To an endpoint, which takes everything at once.
    Endpoint,
}

/// What keeps an output's virtual channel from its first flit to its last; a packet that moves whole
/// is its own only flit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Worm {
    pub(super) source: u32,
    pub(super) number: u32,
}

/// Which packet has an output's virtual channel, and its first flit that has not gone over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) worm: Worm,
    pub(super) next: u32,
}

/// A packet that waits for an output.
#[derive(Clone, Copy, Debug)]
struct Parked {
    packet: u32,
    worm: Worm,
}

/// An output port and the channel that leaves from it. Times in picoseconds.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) downstream: Downstream,
    pub(super) timing: Timing,
    /// When the channel has sent everything that it was given.
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
    /// Which packet has an output's virtual channel for itself, having sent some of its flits.
    owners: Vec<Option<Owner>>,
    /// Packets waiting for an output, per virtual channel, oldest first.
    parked: Vec<VecDeque<Parked>>,
    /// Since when these have waited and none of them has been taken, per virtual channel.
    stuck: Vec<u64>,
    /// Who chooses among the virtual channels that packets wait on, where these do not take turns and
    /// an output queue does not choose.
    arbiter: Option<Arbiter>,
    /// The output queues, where they have room of their own.
    pub(super) queues: Option<OutputQueues>,
}

impl Outputs {
    pub(super) fn new(setup: &Setup) -> Outputs {
        let virtual_channels = usize::from(setup.virtual_channels);
        let ports = (0..setup.network.port_count()).map(PortId);
        let outputs: Vec<Output> = ports.map(|port| Outputs::output(setup, port)).collect();
        let buffers = outputs.len() * virtual_channels;
        let capacity = engine::capacity(setup);
        let has_queues = setup.model.switch.has_output_buffers();
        Outputs {
            virtual_channels,
            credits: vec![capacity; buffers],
            capacity,
            owners: vec![None; buffers],
            parked: vec![VecDeque::new(); buffers],
            stuck: vec![0; buffers],
            arbiter: Arbiter::new(setup, outputs.len()).filter(|_| !has_queues),
            queues: has_queues.then(|| OutputQueues::new(setup, outputs.len())),
            outputs,
        }
    }

    fn output(setup: &Setup, port: PortId) -> Output {
        let downstream = match setup.network.neighbor(port) {
            Some(Node::Switch(switch)) => Downstream::Switch(switch),
            // No route leads over a port without a cable.
            Some(Node::Endpoint(_)) | None => Downstream::Endpoint,
        };
        let mut timing = Timing::of(setup, port);
        // Packets in a queue would be sent in its order, whatever the weights.
        let chooses = setup.model.arbitration != Arbitration::RoundRobin;
        if chooses || !setup.model.switch.has_output_queues() {
            timing.queue_limit = timing.serialization;
        }
        Output { downstream, timing, free: 0, busy: 0, wake_pending: false, turn: 0, parked: 0 }
    }

    /// The memory that an output takes, with so many virtual channels.
    pub(super) fn size(virtual_channels: u8) -> usize {
        let each = size_of::<Option<Owner>>() + size_of::<VecDeque<Parked>>() + size_of::<u64>();
        size_of::<Output>() + usize::from(virtual_channels) * (each + size_of::<u32>())
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
        debug_assert!(self.credits[buffer] <= self.capacity);
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

    /// Takes the packet that a port is to send next out of its queues.
    pub(super) fn next_queued(&mut self, port: PortId) -> Option<(u32, u8)> {
        let Outputs { queues, credits, outputs, virtual_channels, .. } = self;
        let takes_all = outputs[port.index()].downstream == Downstream::Endpoint;
        let first = port.index() * *virtual_channels;
        queues.as_mut()?.next(port, |vc| takes_all || credits[first + usize::from(vc)] > 0)
    }

    /// Whether an output takes a packet on a virtual channel now, whoever else waits for it.
    fn takes(&self, port: PortId, vc: u8, now: u64) -> bool {
        match &self.queues {
            Some(queues) => queues.has_room(port, vc),
            None => self.has_credit(port, vc) && self.get(port).has_room(now),
        }
    }

    /// The place among those who wait for a virtual channel of the one whose turn it is: the oldest,
    /// or the oldest flit of the packet that has the channel.
    fn candidate(&self, buffer: usize) -> Option<usize> {
        let parked = &self.parked[buffer];
        match self.owners[buffer] {
            Some(owner) => parked.iter().position(|each| each.worm == owner.worm),
            None => (!parked.is_empty()).then_some(0),
        }
    }

    /// Whether a packet that just arrived can be sent: the output takes it, and nobody older waits
    /// for the same virtual channel or has it.
    pub(super) fn is_open(&self, port: PortId, vc: u8, worm: Worm, now: u64) -> bool {
        let buffer = self.buffer(port, vc);
        let owned = self.owners[buffer].is_none_or(|owner| owner.worm == worm);
        owned && self.candidate(buffer).is_none() && self.takes(port, vc, now)
    }

    /// Gives an output's virtual channel to a packet, or to none once its last flit has gone.
    pub(super) fn give(&mut self, port: PortId, vc: u8, owner: Option<Owner>) {
        let buffer = self.buffer(port, vc);
        self.owners[buffer] = owner;
    }

    /// Which packet has an output's virtual channel.
    pub(super) fn owner(&self, port: PortId, vc: u8) -> Option<Owner> {
        self.owners[self.buffer(port, vc)]
    }

    /// Lets a packet wait for an output.
    pub(super) fn park(&mut self, port: PortId, vc: u8, packet: u32, worm: Worm, now: u64) {
        let buffer = self.buffer(port, vc);
        if self.parked[buffer].is_empty() {
            self.stuck[buffer] = now;
        }
        self.parked[buffer].push_back(Parked { packet, worm });
        self.outputs[port.index()].parked += 1;
    }

    /// Counts a packet against the weight of its virtual channel.
    pub(super) fn count(&mut self, port: PortId, vc: u8) {
        if let Some(arbiter) = &mut self.arbiter {
            arbiter.choose(port, |other| other == vc);
        }
    }

    /// The next waiting packet that can be sent: round-robin over the virtual channels, or by their
    /// weights.
    pub(super) fn unpark(&mut self, port: PortId, now: u64) -> Option<(u32, u8)> {
        let Output { parked, turn, .. } = *self.get(port);
        if parked == 0 {
            return None;
        }
        let count = self.virtual_channels as u8;
        let mut turns = (0..count).map(|step| (turn + step) % count);
        let mut arbiter = self.arbiter.take();
        let place =
            |vc| self.candidate(self.buffer(port, vc)).filter(|_| self.takes(port, vc, now));
        let chosen = match &mut arbiter {
            Some(arbiter) => arbiter.choose(port, |vc| place(vc).is_some()),
            None => turns.find(|vc| place(*vc).is_some()),
        };
        let chosen = chosen.and_then(|vc| Some((vc, place(vc)?)));
        self.arbiter = arbiter;
        let (vc, place) = chosen?;
        let buffer = self.buffer(port, vc);
        let Parked { packet, .. } = self.parked[buffer].remove(place)?;
        self.stuck[buffer] = now;
        let output = &mut self.outputs[port.index()];
        output.parked -= 1;
        output.turn = (vc + 1) % count;
        Some((packet, vc))
    }

    /// When an output queue that shares its room with the next buffer will have room again, if
    /// packets wait for that and nobody has asked yet.
    pub(super) fn ask_to_wake(&mut self, port: PortId, now: u64) -> Option<u64> {
        let output = &mut self.outputs[port.index()];
        if self.queues.is_some()
            || output.wake_pending
            || output.parked == 0
            || output.has_room(now)
        {
            return None;
        }
        output.wake_pending = true;
        Some(output.free + output.timing.serialization - output.timing.queue_limit)
    }

    /// Notes that a wake-up has come: an output queue has room again, or its channel is free.
    pub(super) fn awake(&mut self, port: PortId) {
        self.outputs[port.index()].wake_pending = false;
        if let Some(queues) = &mut self.queues {
            queues.sent(port);
        }
    }

    /// Bytes in an output's queue and in front of it.
    pub(super) fn queued(&self, port: PortId, now: u64, packet: Bytes) -> Bytes {
        let output = self.get(port);
        let sent = output.backlog(now).div_ceil(output.timing.serialization.max(1));
        let own = self.queues.as_ref().map_or(0, |queues| queues.held(port));
        Bytes((sent + own + u64::from(output.parked)) * packet.0)
    }

    /// Whether packets have waited for an output's virtual channel since before this time, and it
    /// has taken none of them since.
    pub(super) fn stalled_since(&self, time: u64) -> bool {
        let mut lists = self.parked.iter().zip(&self.stuck);
        lists.any(|(parked, since)| !parked.is_empty() && *since < time)
    }

    /// Since when nothing has been sent to those who wait for an output's virtual channel.
    pub(super) fn stuck_since(&self, port: PortId, vc: u8) -> u64 {
        self.stuck[self.buffer(port, vc)]
    }

    /// Every waiting packet with the output and virtual channel it waits for.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (u32, PortId, u8)> + '_ {
        let virtual_channels = self.virtual_channels;
        self.parked.iter().enumerate().flat_map(move |(buffer, parked)| {
            let port = PortId((buffer / virtual_channels) as u32);
            let vc = (buffer % virtual_channels) as u8;
            parked.iter().map(move |each| (each.packet, port, vc))
        })
    }
}
