//! The ports of switches and endpoints: queues and credits.
//!
//! A buffer is named `port << lane_bits | virtual channel`, after the channel that leads into it.

use std::ops::Range;

use crate::network::{Node, PortId};

use super::super::engine::{self, Timing};
use super::super::{Buffer, Setup};
use super::bytes;
use super::inlet::{Inlet, LastEvent, MOST_CREDITS};
use super::order::CREDIT;
use super::parked::Lines;
use super::wheel::Event;

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
#[repr(align(32))]
pub(super) struct Port {
    /// When the channel has sent everything that is queued.
    pub(super) free: u64,
    /// Packets that the channel has been given.
    pub(super) sent: u32,
    /// The first buffer of the port at the other end of the cable, as an inlet.
    pub(super) peer: u32,
    /// Packets waiting on any virtual channel.
    pub(super) parked: u32,
    /// Of a switch: the first buffer behind its outputs.
    pub(super) first: u32,
    pub(super) kind: u16,
    /// The kind of the port at the other end of the cable: of the channel by which packets come in.
    pub(super) came: u16,
    /// The group of switches that the channel leads to.
    pub(super) group: u16,
    /// The virtual channel whose turn it is.
    pub(super) turn: u8,
    /// Whether a wake-up is on its way.
    pub(super) wake_pending: bool,
}

/// The later of two times. Either may be it, so a branch would often go wrong: this has none.
#[inline(always)]
pub(super) fn later(one: u64, other: u64) -> u64 {
    std::hint::select_unpredictable(one > other, one, other)
}

impl Port {
    /// Gives the channel a packet that can leave from now on, behind those that it has been given. Returns
    /// when it is at the next allocator or delivered; `kind` is the port's.
    #[inline(always)]
    pub(super) fn depart(&mut self, now: u64, kind: &Kind) -> u64 {
        let departure = later(now, self.free);
        self.free = departure + kind.timing.serialization;
        self.sent += 1;
        departure + kind.flight
    }
}

/// When a buffer's next credit is back.
pub(super) enum NextCredit {
    At(u64),
    /// An event tells.
    Told,
    /// None is on its way.
    Absent,
}

/// Marks a virtual channel for which someone waits whose turn it is, in its credits: not those that
/// wait while it belongs to another packet, in flits.
pub(super) const CLOSED: u32 = 1 << 31;
/// The longest credit delay that an inlet can note: times must be told by their low bits between
/// two calls of [`Ports::refresh`].
const LONGEST_NOTE: u64 = 1 << 28;

/// The longest backlog that is told from a longer one: a time and it must not overflow.
const LONGEST_SLACK: u64 = 1 << 62;

/// All ports of a network.
pub(super) struct Ports {
    pub(super) kinds: Vec<Kind>,
    pub(super) ports: Vec<Port>,
    /// Of the ports of switches, which come first: endpoints have no buffers for what comes in.
    pub(super) inlets: Vec<Inlet>,
    /// For each of them.
    pub(super) last_events: Vec<LastEvent>,
    /// For each buffer, the packets that it can still take as far as the sender has looked.
    pub(super) credits: Vec<u32>,
    pub(super) lines: Lines,
    /// The ports of the switches of each group.
    pub(super) groups: Vec<Range<u32>>,
    pub(super) lane_bits: u32,
    pub(super) lanes: u8,
    pub(super) capacity: u32,
}

impl Ports {
    pub(super) fn new(setup: &Setup) -> Ports {
        let lanes = setup.virtual_channels.max(1);
        let lane_bits = u8::BITS - (lanes - 1).leading_zeros();
        let network = &setup.network;
        let count = network.port_count() as usize;
        let of_switches = network.switch_port_count();
        let buffers = (of_switches as usize) << lane_bits;
        let mut ports = Ports {
            kinds: Vec::new(),
            ports: Vec::with_capacity(count),
            inlets: Vec::with_capacity(buffers),
            last_events: vec![LastEvent::default(); buffers],
            credits: Vec::with_capacity(count << lane_bits),
            lines: Lines::new(buffers),
            groups: Vec::new(),
            lane_bits,
            lanes,
            capacity: engine::capacity(setup).min(MOST_CREDITS),
        };
        for port in (0..network.port_count()).map(PortId) {
            let into_switch = matches!(network.neighbor(port), Some(Node::Switch(_)));
            let kind = ports.kind(Kind::of(setup, port, into_switch));
            let credits = if into_switch { ports.capacity } else { 1 };
            ports.credits.extend((0..1 << lane_bits).map(|_| credits));
            // No route leads over a port without a cable.
            let peer = network.peer(port).unwrap_or(port).0 << lane_bits;
            let first = network.ports(network.owner(port)).start << lane_bits;
            let (group, turn, wake_pending, came) = (0, 0, false, 0);
            ports.ports.push(Port {
                free: 0,
                sent: 0,
                peer,
                parked: 0,
                first,
                kind,
                came,
                group,
                turn,
                wake_pending,
            });
        }
        for port in 0..of_switches as usize {
            let came = ports.ports[ports.peer_of(port)].kind;
            ports.ports[port].came = came;
            let inlet = Inlet::new(!ports.is_noted(came));
            ports.inlets.extend((0..1 << lane_bits).map(|_| inlet));
        }
        ports
    }

    /// The ports of a group's switches.
    pub(super) fn of_group(&self, group: usize) -> Range<usize> {
        self.groups.get(group).map_or(0..0, |range| range.start as usize..range.end as usize)
    }

    /// Reads a little of what a group's events need, so that it comes into the near caches in one go
    /// instead of packet by packet. What it returns means nothing, but has to be used.
    ///
    /// Ports and credits are read in their order. So are the inlets, of which two share a line of the caches and
    /// many events need about all; those of fewer are read one by one, as the rest would drive out what is needed.
    /// For few it is not worth while.
    pub(super) fn touch(&self, group: usize, events: &[Event]) -> u32 {
        let Range { start, end } = self.of_group(group);
        if events.len() <= (end - start) / 4 {
            return 0;
        }
        let waiting = if self.lines.are_used() { self.touch_lines(events) } else { 0 };
        let ports = self.ports[start..end].iter().step_by(2).map(|port| port.sent);
        let buffers = start << self.lane_bits..end << self.lane_bits;
        let credits = self.credits[buffers.clone()].iter().step_by(16).copied();
        let others = ports.chain(credits).fold(waiting, |sum, read| sum ^ read);
        if events.len() < (end - start) * usize::from(self.lanes) / 2 {
            let inlets = events.iter().filter_map(|event| self.inlets.get(event.buffer as usize));
            return inlets.fold(others, |sum, inlet| sum ^ inlet.touch());
        }
        let of_ports = self.inlets[buffers].chunks_exact(1 << self.lane_bits);
        let inlets = of_ports.flat_map(|lanes| lanes.iter().take(usize::from(self.lanes)));
        inlets.map(Inlet::touch).fold(others, |sum, read| sum ^ read)
    }

    /// The same of packets that wait. A credit comes mostly where some do, and needs the first of them: in
    /// saturation most wait, more than the caches hold.
    fn touch_lines(&self, events: &[Event]) -> u32 {
        let credits = events.iter().filter(|event| event.path == 0 && event.packet == CREDIT);
        credits.fold(0, |sum, event| sum ^ self.lines.touch(event.buffer))
    }

    /// The group of the node that a port belongs to.
    pub(super) fn group_of(&self, port: usize) -> usize {
        usize::from(self.ports[self.peer_of(port)].group)
    }

    /// The port at the other end of a port's cable.
    pub(super) fn peer_of(&self, port: usize) -> usize {
        self.port_of(self.ports[port].peer)
    }

    /// The other name of a buffer: from the channel that leads into it to the port of the switch
    /// that it is in, or back.
    #[inline]
    pub(super) fn other_name(&self, buffer: u32) -> u32 {
        let lane = buffer & ((1 << self.lane_bits) - 1);
        self.ports[self.port_of(buffer)].peer | lane
    }

    /// The buffer behind a channel; none where the channel leads to an endpoint.
    pub(super) fn inlet(&self, buffer: u32) -> Option<&Inlet> {
        self.inlets.get(self.other_name(buffer) as usize)
    }

    fn inlet_mut(&mut self, buffer: u32) -> Option<&mut Inlet> {
        let inlet = self.other_name(buffer) as usize;
        self.inlets.get_mut(inlet)
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

    /// The port of the switch that a buffer is in, which is named as an inlet.
    #[inline]
    pub(super) fn entry(&self, inlet: u32) -> &Port {
        &self.ports[self.port_of(inlet)]
    }

    /// The kind of the channel that leads into a buffer, which is named as an inlet.
    #[inline]
    pub(super) fn came_by(&self, inlet: u32) -> &Kind {
        &self.kinds[usize::from(self.entry(inlet).came)]
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

    /// The buffer of a number.
    pub(super) fn named(&self, buffer: u32) -> Buffer {
        let vc = (buffer & ((1 << self.lane_bits) - 1)) as u8;
        Buffer { channel: PortId(self.port_of(buffer) as u32), vc }
    }

    pub(super) fn kind_of(&self, port: usize) -> &Kind {
        &self.kinds[usize::from(self.ports[port].kind)]
    }

    /// Whether nobody waits for this virtual channel whose turn it is, and the sender knows of a credit.
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
        let back = self.inlet_mut(buffer).map_or(0, |inlet| inlet.count(now));
        self.credits[buffer as usize] += back;
    }

    /// The next credit that is back after now. Events from `start` on may not have been served: where one
    /// of them tells of a credit, that may come first.
    pub(super) fn next_credit(&self, buffer: u32, now: u64, start: u64) -> NextCredit {
        let inlet = self.other_name(buffer) as usize;
        let Some((inlet, last)) = self.inlets.get(inlet).zip(self.last_events.get(inlet)) else {
            return NextCredit::Absent;
        };
        if inlet.is_watched() || last.is_to_come(start) {
            return NextCredit::Told;
        }
        inlet.returns(now).min().map_or(NextCredit::Absent, NextCredit::At)
    }

    /// Forgets when credits came back, before the times are so old that they are mistaken. `all`:
    /// they all have.
    pub(super) fn refresh(&mut self, now: u64, all: bool) {
        self.inlets.iter_mut().for_each(|inlet| inlet.forget(now, all));
        self.last_events.iter_mut().for_each(|last| last.forget(now, all));
    }

    /// Counts a credit that came as an event.
    pub(super) fn give_credit(&mut self, buffer: u32) {
        self.credits[buffer as usize] += 1;
    }

    /// Begins to watch the credits of a buffer: those still on their way have to become events, at the times
    /// that are returned.
    pub(super) fn watch(&mut self, buffer: u32, now: u64) -> impl Iterator<Item = u64> + use<> {
        self.collect(buffer, now);
        self.inlet_mut(buffer).map(|inlet| inlet.watch(now)).into_iter().flatten()
    }

    /// Ends watching.
    pub(super) fn unwatch(&mut self, buffer: u32) {
        if self.is_noted(self.ports[self.port_of(buffer)].kind)
            && let Some(inlet) = self.inlet_mut(buffer)
        {
            inlet.unwatch();
        }
    }

    /// For each channel, how long it has been busy until now.
    pub(super) fn busy(&self, now: u64) -> impl Iterator<Item = u64> {
        let busy = move |port: &Port| {
            let time = self.kinds[usize::from(port.kind)].timing.serialization;
            let given = u64::from(port.sent) * time;
            given - port.free.saturating_sub(now).min(given)
        };
        self.ports.iter().map(busy)
    }

    /// For each channel, when it has sent everything that it was given; 0 where that is nothing.
    #[cfg(feature = "complete")]
    pub(super) fn free_from(&self) -> impl Iterator<Item = u64> {
        self.ports.iter().map(|port| port.free)
    }

    /// The memory that the ports take.
    pub(super) fn memory(&self) -> u64 {
        let inlets = bytes(&self.inlets) + bytes(&self.last_events);
        bytes(&self.ports) + inlets + bytes(&self.credits) + self.lines.memory()
    }

    /// The packets that a buffer can still take when every credit that has been noted is back.
    #[cfg(debug_assertions)]
    pub(super) fn known_credits(&self, buffer: u32) -> u32 {
        let pending = self.inlet(buffer).map_or(0, Inlet::pending);
        (self.credits[buffer as usize] & !CLOSED) + pending
    }

    /// What a buffer can take now, when everything before now has happened. `all`: that is so long ago
    /// that all credits are back, and the low bits of their times tell nothing.
    pub(super) fn room(&self, buffer: u32, now: u64, all: bool) -> engine::Room {
        let takes = self.kind_of(self.port_of(buffer)).takes > 0;
        let Some(inlet) = self.inlet(buffer).filter(|_| takes) else {
            return engine::Room { open: true, occupied: 0 };
        };
        let back = if all { inlet.pending() } else { inlet.uncounted(now.saturating_sub(1)) };
        let credits = (self.credits[buffer as usize] & !CLOSED) + back;
        engine::Room { open: credits > 0, occupied: self.capacity - credits }
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
            slack: timing.queue_limit.saturating_sub(timing.serialization).min(LONGEST_SLACK),
            takes: u32::from(into_switch),
        }
    }
}
