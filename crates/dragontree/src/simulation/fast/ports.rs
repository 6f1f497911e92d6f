//! The ports of switches and endpoints: queues, credits, and the packets that wait for them.
//!
//! A buffer is named `port << lane_bits | virtual channel`, after the channel that leads into it.

use crate::network::{Node, PortId};
use crate::routing::Queues;
use crate::units::Bytes;

use super::super::Setup;
use super::super::engine::{self, Timing};
use super::parked::{Lines, Parked};

/// What ports of one kind have in common. Times in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Kind {
    pub(super) timing: Timing,
    /// From a packet's departure until its head is at the next allocator or, where the channel
    /// leads to an endpoint, until its last bit is through the adapter.
    pub(super) flight: u64,
    /// From a packet's leaving its input buffer until the sender knows: its time on the channel,
    /// by which the buffer was filled, and the channel's latency.
    pub(super) credit_delay: u64,
    /// The longest backlog of an output queue that has room for one more packet.
    pub(super) slack: u64,
    /// Credits that a packet takes: none where the channel leads to an endpoint.
    pub(super) takes: u32,
}

/// An output port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port {
    /// When the channel has sent everything that is queued.
    pub(super) free: u64,
    /// Packets that the channel has been given.
    pub(super) sent: u32,
    /// Twice the number of the round in which it was last asked for, plus one if more than once.
    pub(super) mark: u32,
    /// Packets waiting on any virtual channel.
    pub(super) parked: u32,
    pub(super) kind: u16,
    /// The virtual channel whose turn it is.
    pub(super) turn: u8,
    /// Whether a wake-up is on its way.
    pub(super) wake_pending: bool,
}

/// How many returning credits an inlet keeps.
pub(super) const RETURNS: usize = 6;
/// The count of an inlet whose returning credits are events, because someone waits for them.
const WATCHED: u8 = u8::MAX;

/// The buffer behind a channel, as seen from the switch that it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inlet {
    /// When credits are back at the sender: the low bits of the times, in no order.
    due: [u32; RETURNS],
    /// The first buffer behind the outputs of the switch.
    pub(super) first: u32,
    pub(super) kind: u16,
    /// How many of `due` there are, or [`WATCHED`].
    count: u8,
}

impl Inlet {
    /// Notes when a credit is back; false where that has to be an event instead.
    #[inline]
    pub(super) fn note(&mut self, due: u64) -> bool {
        match self.due.get_mut(usize::from(self.count)) {
            Some(place) => {
                *place = due as u32;
                self.count += 1;
                true
            }
            None => false,
        }
    }

    pub(super) fn is_watched(&self) -> bool {
        self.count == WATCHED
    }

    /// The times at which noted credits are back, which lie around `now`.
    pub(super) fn returns(&self, now: u64) -> impl Iterator<Item = u64> + use<> {
        let count = if self.is_watched() { 0 } else { usize::from(self.count) };
        let absolute =
            move |due: u32| now.wrapping_add_signed(i64::from(due.wrapping_sub(now as u32) as i32));
        self.due.into_iter().take(count).map(absolute)
    }
}

/// Marks a virtual channel for which packets wait, in its credits.
const CLOSED: u32 = 1 << 31;
/// The longest credit delay that an inlet can note: times must be told by their low bits between
/// two calls of [`Ports::refresh`].
const LONGEST_NOTE: u64 = 1 << 28;

/// All ports of a network.
pub(super) struct Ports {
    pub(super) kinds: Vec<Kind>,
    pub(super) ports: Vec<Port>,
    pub(super) inlets: Vec<Inlet>,
    /// For each buffer, the packets that it can still take as far as the sender has looked.
    pub(super) credits: Vec<u32>,
    pub(super) lines: Lines,
    pub(super) lane_bits: u32,
    pub(super) lanes: u8,
    pub(super) capacity: u32,
}

impl Ports {
    pub(super) fn new(setup: &Setup) -> Ports {
        let lanes = setup.virtual_channels.max(1);
        let lane_bits = u8::BITS - (lanes - 1).leading_zeros();
        let network = &setup.network;
        let capacity = engine::capacity(setup);
        let count = network.port_count() as usize;
        let mut ports = Ports {
            kinds: Vec::new(),
            ports: Vec::with_capacity(count),
            inlets: Vec::with_capacity(count << lane_bits),
            credits: Vec::with_capacity(count << lane_bits),
            lines: Lines::new(count << lane_bits),
            lane_bits,
            lanes,
            capacity,
        };
        for port in (0..network.port_count()).map(PortId) {
            let switch = match network.neighbor(port) {
                Some(Node::Switch(switch)) => Some(switch),
                // No route leads over a port without a cable.
                Some(Node::Endpoint(_)) | None => None,
            };
            let kind = Kind::of(setup, port, switch.is_some());
            let kind = ports.kind(kind);
            let first = switch.map_or(0, |switch| network.ports(Node::Switch(switch)).start);
            let count = if ports.is_noted(kind) { 0 } else { WATCHED };
            let inlet = Inlet { due: [0; RETURNS], first: first << lane_bits, kind, count };
            for _ in 0..1 << lane_bits {
                ports.inlets.push(inlet);
                ports.credits.push(if switch.is_some() { capacity } else { 1 });
            }
            ports.ports.push(Port {
                free: 0,
                sent: 0,
                mark: 0,
                parked: 0,
                kind,
                turn: 0,
                wake_pending: false,
            });
        }
        ports
    }

    /// The place of a kind in the list of kinds.
    fn kind(&mut self, kind: Kind) -> u16 {
        let known = self.kinds.iter().position(|other| *other == kind);
        let place = known.unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        });
        place as u16
    }

    fn is_noted(&self, kind: u16) -> bool {
        self.kinds[usize::from(kind)].credit_delay <= LONGEST_NOTE
    }

    /// The port of a buffer.
    #[inline]
    pub(super) fn port_of(&self, buffer: u32) -> usize {
        (buffer >> self.lane_bits) as usize
    }

    /// The buffer behind a port, for a virtual channel.
    pub(super) fn buffer(&self, port: usize, lane: u8) -> u32 {
        (port as u32) << self.lane_bits | u32::from(lane)
    }

    pub(super) fn kind_of(&self, port: usize) -> &Kind {
        &self.kinds[usize::from(self.ports[port].kind)]
    }

    /// Whether nobody waits for this virtual channel and the sender knows of a credit.
    #[inline]
    pub(super) fn has_known_credit(&self, buffer: u32) -> bool {
        self.credits[buffer as usize] as i32 > 0
    }

    /// The same, counting credits that have come back by now.
    #[cold]
    pub(super) fn has_credit(&mut self, buffer: u32, now: u64) -> bool {
        if self.credits[buffer as usize] == 0 {
            self.collect(buffer, now);
        }
        self.has_known_credit(buffer)
    }

    /// Counts the credits that have come back by now.
    pub(super) fn collect(&mut self, buffer: u32, now: u64) {
        let inlet = &mut self.inlets[buffer as usize];
        if inlet.is_watched() {
            return;
        }
        let mut left = 0;
        for index in 0..usize::from(inlet.count) {
            let due = inlet.due[index];
            if (now as u32).wrapping_sub(due) as i32 >= 0 {
                self.credits[buffer as usize] += 1;
            } else {
                inlet.due[left] = due;
                left += 1;
            }
        }
        inlet.count = left as u8;
    }

    /// Counts every credit that has come back, so that none is so old that its time is mistaken.
    /// `all`: they all have.
    pub(super) fn refresh(&mut self, now: u64, all: bool) {
        for buffer in 0..self.inlets.len() as u32 {
            self.collect(buffer, now);
            let inlet = &mut self.inlets[buffer as usize];
            if all && !inlet.is_watched() {
                self.credits[buffer as usize] += u32::from(inlet.count);
                inlet.count = 0;
            }
        }
    }

    /// Counts a credit that came as an event.
    pub(super) fn give_credit(&mut self, buffer: u32) {
        self.credits[buffer as usize] += 1;
    }

    /// Begins to watch the credits of a port: those still on their way have to become events,
    /// which the caller is shown.
    pub(super) fn watch(&mut self, port: usize, now: u64, show: &mut dyn FnMut(u32, u64)) {
        for lane in 0..self.lanes {
            let buffer = self.buffer(port, lane);
            self.collect(buffer, now);
            let inlet = &mut self.inlets[buffer as usize];
            inlet.returns(now).for_each(|due| show(buffer, due));
            inlet.count = WATCHED;
        }
    }

    /// Ends watching.
    pub(super) fn unwatch(&mut self, port: usize) {
        if self.is_noted(self.ports[port].kind) {
            for lane in 0..self.lanes {
                let buffer = self.buffer(port, lane);
                self.inlets[buffer as usize].count = 0;
            }
        }
    }

    /// Lets a packet wait for an output.
    pub(super) fn park(&mut self, to: u32, parked: Parked, now: u64) {
        self.lines.add(to, parked, now);
        self.credits[to as usize] |= CLOSED;
        let port = self.port_of(to);
        self.ports[port].parked += 1;
    }

    /// The next waiting packet that can be sent, and the buffer it can be sent to: round-robin
    /// over the virtual channels.
    pub(super) fn unpark(&mut self, port: usize, now: u64) -> Option<(Parked, u32)> {
        let Port { parked, turn, free, .. } = self.ports[port];
        if parked == 0 || free > now.saturating_add(self.kind_of(port).slack) {
            return None;
        }
        let mut turns = (turn..self.lanes).chain(0..turn);
        let lane = turns.find(|lane| self.credits[self.buffer(port, *lane) as usize] > CLOSED)?;
        let to = self.buffer(port, lane);
        let parked = self.lines.take_first(to, now)?;
        if self.lines.is_empty(to) {
            self.credits[to as usize] &= !CLOSED;
        }
        self.ports[port].parked -= 1;
        self.ports[port].turn = if lane + 1 < self.lanes { lane + 1 } else { 0 };
        Some((parked, to))
    }

    /// When the output queue will have room again, if packets wait for that and nobody has asked
    /// yet.
    pub(super) fn ask_to_wake(&mut self, port: usize, now: u64) -> Option<u64> {
        let slack = self.kind_of(port).slack;
        let port = &mut self.ports[port];
        if port.wake_pending || port.parked == 0 || port.free <= now.saturating_add(slack) {
            return None;
        }
        port.wake_pending = true;
        Some(port.free - slack)
    }

    /// For each channel, how long it has been busy until now.
    pub(super) fn busy(&self, now: u64) -> Vec<u64> {
        let busy = |port: &Port| {
            let time = self.kinds[usize::from(port.kind)].timing.serialization;
            let given = u64::from(port.sent) * time;
            given - port.free.saturating_sub(now).min(given)
        };
        self.ports.iter().map(busy).collect()
    }

    /// The packets that a buffer can still take as far as the sender has looked.
    #[cfg(debug_assertions)]
    pub(super) fn known_credits(&self, buffer: u32) -> u32 {
        self.credits[buffer as usize] & !CLOSED
    }

    /// What a buffer can take now, when everything before now has happened.
    pub(super) fn room(&self, buffer: u32, now: u64) -> engine::Room {
        let back = self.inlets[buffer as usize].returns(now).filter(|due| *due < now).count();
        let credits = (self.credits[buffer as usize] & !CLOSED) + back as u32;
        let takes = self.kind_of(self.port_of(buffer)).takes;
        engine::Room {
            open: takes == 0 || credits > 0,
            occupied: if takes == 0 { 0 } else { self.capacity - credits },
        }
    }
}

impl Kind {
    fn of(setup: &Setup, port: PortId, into_switch: bool) -> Kind {
        let timing = Timing::of(setup, port);
        let beyond = match into_switch {
            true => setup.switch_latency.as_ps(),
            false => timing.serialization + setup.adapter_latency.as_ps(),
        };
        Kind {
            timing,
            flight: timing.latency + beyond,
            credit_delay: timing.serialization + timing.latency,
            slack: timing.queue_limit.saturating_sub(timing.serialization),
            takes: u32::from(into_switch),
        }
    }
}

/// The queues as adaptive routings see them.
pub(super) struct Backlog<'a> {
    pub(super) ports: &'a Ports,
    pub(super) now: u64,
    pub(super) packet: Bytes,
}

impl Queues for Backlog<'_> {
    fn queued(&self, port: PortId) -> Bytes {
        let Port { free, parked, .. } = self.ports.ports[port.index()];
        let time = self.ports.kind_of(port.index()).timing.serialization;
        let queued = free.saturating_sub(self.now).div_ceil(time.max(1));
        Bytes((queued + u64::from(parked)) * self.packet.0)
    }
}
