//! The outputs of switches and endpoints: credits, queues, and the packets that wait for them.
//!
//! What moves whole is a packet here, or a flit of one in wormhole switching. None is longer than the
//! unit of the set-up, and in open loop all are as long as that.

use std::collections::VecDeque;

use crate::network::{PortId, SwitchId};
use crate::units::Bytes;

use super::super::Setup;
use super::Packet;
use super::arbiter::Arbiter;
use super::queued::OutputQueues;

mod output;

pub(super) use output::Output;

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
pub(in crate::simulation) struct Worm {
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
    bytes: u32,
}

/// All outputs of a network, with the buffers behind their channels.
pub(super) struct Outputs {
    outputs: Vec<Output>,
    virtual_channels: usize,
    /// Bytes that the buffer behind a channel can still take, per virtual channel.
    credits: Vec<u64>,
    /// Bytes that such a buffer takes when empty.
    capacity: u64,
    /// Packets in such a buffer, on their way to it, or just gone from it.
    occupied: Vec<u32>,
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
        let outputs: Vec<Output> = ports.map(|port| Output::new(setup, port)).collect();
        let buffers = outputs.len() * virtual_channels;
        let capacity = setup.buffer.0;
        let has_queues = setup.model.switch.has_output_buffers();
        Outputs {
            virtual_channels,
            credits: vec![capacity; buffers],
            capacity,
            occupied: vec![0; buffers],
            owners: vec![None; buffers],
            parked: vec![VecDeque::new(); buffers],
            stuck: vec![0; buffers],
            arbiter: Arbiter::new(setup, outputs.len()).filter(|_| !has_queues),
            queues: has_queues.then(|| OutputQueues::new(setup, outputs.len())),
            outputs,
        }
    }

    /// The memory that an output takes, with so many virtual channels.
    pub(super) fn size(virtual_channels: u8) -> usize {
        let each = size_of::<Option<Owner>>() + size_of::<VecDeque<Parked>>() + size_of::<u64>();
        let counts = size_of::<u64>() + size_of::<u32>();
        size_of::<Output>() + usize::from(virtual_channels) * (each + counts)
    }

    pub(super) fn get(&self, port: PortId) -> &Output {
        &self.outputs[port.index()]
    }

    pub(super) fn all(&self) -> &[Output] {
        &self.outputs
    }

    /// For each channel, how long it has been busy until now; what is queued comes later.
    pub(super) fn busy(&self, now: u64) -> Vec<u64> {
        self.outputs.iter().map(|output| output.busy_until(now)).collect()
    }

    fn buffer(&self, port: PortId, vc: u8) -> usize {
        port.index() * self.virtual_channels + usize::from(vc)
    }

    /// Whether the buffer behind a channel has room for so many bytes.
    pub(super) fn has_credit(&self, port: PortId, vc: u8, bytes: u32) -> bool {
        let takes_all = self.get(port).downstream == Downstream::Endpoint;
        takes_all || self.credits[self.buffer(port, vc)] >= u64::from(bytes)
    }

    /// Packets in the buffer behind a channel, on their way to it, or just gone from it.
    pub(super) fn occupied(&self, port: PortId, vc: u8) -> u32 {
        self.occupied[self.buffer(port, vc)]
    }

    /// Bytes of these packets.
    #[cfg(debug_assertions)]
    pub(super) fn occupied_bytes(&self, port: PortId, vc: u8) -> u64 {
        self.capacity - self.credits[self.buffer(port, vc)]
    }

    /// Takes back the room of a packet of so many bytes in the buffer behind a channel.
    pub(super) fn give_credit(&mut self, port: PortId, vc: u8, bytes: u32) {
        let buffer = self.buffer(port, vc);
        self.credits[buffer] += u64::from(bytes);
        self.occupied[buffer] -= 1;
        debug_assert!(self.credits[buffer] <= self.capacity);
    }

    /// Sends a packet of so many bytes whose tail will have come in at `tail`: takes credit and
    /// channel, and returns when its head leaves.
    pub(super) fn commit(
        &mut self,
        (port, vc): (PortId, u8),
        now: u64,
        tail: u64,
        bytes: u32,
    ) -> u64 {
        let buffer = self.buffer(port, vc);
        if let Downstream::Switch(_) = self.get(port).downstream {
            self.credits[buffer] -= u64::from(bytes);
            self.occupied[buffer] += 1;
        }
        let output = &mut self.outputs[port.index()];
        let serialization = output.time(bytes);
        let earliest = tail.saturating_sub(serialization);
        let departure = now.max(output.free).max(earliest);
        output.free = departure + serialization;
        output.busy += serialization;
        departure
    }

    /// Takes the packet that a port is to send next out of its queues.
    pub(super) fn next_queued(&mut self, port: PortId) -> Option<(u32, u8)> {
        let Outputs { queues, credits, outputs, virtual_channels, .. } = self;
        let takes_all = outputs[port.index()].downstream == Downstream::Endpoint;
        let first = port.index() * *virtual_channels;
        queues.as_mut()?.next(port, |vc, bytes| {
            takes_all || credits[first + usize::from(vc)] >= u64::from(bytes)
        })
    }

    /// Whether an output takes so many bytes on a virtual channel now, whoever else waits for it.
    fn takes(&self, port: PortId, vc: u8, now: u64, bytes: u32) -> bool {
        match &self.queues {
            Some(queues) => queues.has_room(port, vc, bytes),
            None => self.has_credit(port, vc, bytes) && self.get(port).room_at(bytes) <= now,
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

    /// The bytes of the one whose turn it is among those who wait for a virtual channel.
    fn turn_bytes(&self, port: PortId, vc: u8) -> Option<u32> {
        let buffer = self.buffer(port, vc);
        self.candidate(buffer).map(|place| self.parked[buffer][place].bytes)
    }

    /// Whether a packet that just arrived can be sent: the output takes it, and nobody older waits
    /// for the same virtual channel or has it.
    pub(super) fn is_open(&self, (port, vc): (PortId, u8), packet: &Packet, now: u64) -> bool {
        let buffer = self.buffer(port, vc);
        let owned = self.owners[buffer].is_none_or(|owner| owner.worm == packet.worm);
        owned && self.candidate(buffer).is_none() && self.takes(port, vc, now, packet.bytes)
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
    pub(super) fn park(&mut self, (port, vc): (PortId, u8), packet: u32, held: &Packet, now: u64) {
        let Packet { worm, bytes, .. } = *held;
        let buffer = self.buffer(port, vc);
        if self.parked[buffer].is_empty() {
            self.stuck[buffer] = now;
        }
        self.parked[buffer].push_back(Parked { packet, worm, bytes });
        let output = &mut self.outputs[port.index()];
        output.parked += 1;
        output.parked_bytes += u64::from(bytes);
    }

    /// Counts a packet against the weight of its virtual channel.
    pub(super) fn count(&mut self, port: PortId, vc: u8, bytes: u32) {
        if let Some(arbiter) = &mut self.arbiter {
            arbiter.choose(port, |other| (other == vc).then_some(bytes));
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
        let ready =
            |vc| self.turn_bytes(port, vc).filter(|bytes| self.takes(port, vc, now, *bytes));
        let chosen = match &mut arbiter {
            Some(arbiter) => arbiter.choose(port, ready),
            None => turns.find(|vc| ready(*vc).is_some()),
        };
        self.arbiter = arbiter;
        let vc = chosen?;
        let buffer = self.buffer(port, vc);
        let place = self.candidate(buffer)?;
        let Parked { packet, bytes, .. } = self.parked[buffer].remove(place)?;
        self.stuck[buffer] = now;
        let output = &mut self.outputs[port.index()];
        output.parked -= 1;
        output.parked_bytes -= u64::from(bytes);
        output.turn = (vc + 1) % count;
        Some((packet, vc))
    }

    /// When an output queue that shares its room with the next buffer will have room again, if
    /// packets wait for that and nobody has asked for that time or a sooner one yet.
    pub(super) fn ask_to_wake(&mut self, port: PortId, now: u64) -> Option<u64> {
        let output = self.get(port);
        if self.queues.is_some() || output.parked == 0 {
            return None;
        }
        // The shortest of those whose turn it is and who lack room finds it first.
        let turns = (0..self.virtual_channels as u8).filter_map(|vc| self.turn_bytes(port, vc));
        let time = turns.map(|bytes| output.room_at(bytes)).filter(|time| *time > now).min()?;
        let wake = &mut self.outputs[port.index()].wake;
        let is_sooner = time < *wake;
        *wake = time.min(*wake);
        is_sooner.then_some(time)
    }

    /// Notes that a wake-up has come: an output queue has room again, or its channel is free.
    pub(super) fn awake(&mut self, port: PortId) {
        self.outputs[port.index()].wake = u64::MAX;
        if let Some(queues) = &mut self.queues {
            queues.sent(port);
        }
    }

    /// Bytes in an output's queue, what is being sent rounded up to whole units, and in front of it.
    pub(super) fn queued(&self, port: PortId, now: u64) -> Bytes {
        let output = self.get(port);
        let sent = output.backlog(now).div_ceil(output.timing.serialization.max(1));
        let own = self.queues.as_ref().map_or(0, |queues| queues.held(port));
        Bytes(sent * u64::from(output.unit) + own + output.parked_bytes)
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
