//! The ports of switches and endpoints: queues, credits, and the packets that wait for them.
//!
//! A buffer is named `port << lane_bits | virtual channel`, after the channel that leads into it.
//! Credits are bytes.

use crate::network::{Network, Node, PortId};
use crate::units::Bandwidth;

use super::super::super::engine::Timing;
use super::super::super::{Buffer, Setup};
use super::super::bytes;
use super::super::parked::Lines;
use super::inlet::Inlet;
use super::sizes::Sizes;

/// What ports of one kind have in common. Times in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// That of the longest packet.
    pub(super) timing: Timing,
    rate: Option<Bandwidth>,
    /// From a packet's departure until its head is at the next allocator; where the channel leads to
    /// an endpoint, from when its last bit has left until that is through the adapter.
    pub(super) flight: u64,
    /// Whether the channel leads to an endpoint, which takes everything.
    pub(super) ends: bool,
}

/// An output port.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Port {
    /// When the channel has sent everything that is queued.
    pub(super) free: u64,
    /// How long the channel has been given work.
    busy: u64,
    /// When the next wake-up comes; never if nobody has asked for one.
    pub(super) wake: u64,
    /// Bytes waiting on any virtual channel.
    pub(super) parked_bytes: u64,
    /// The first buffer of the port at the other end of the cable, as an inlet.
    pub(super) peer: u32,
    /// Packets waiting on any virtual channel.
    pub(super) parked: u32,
    pub(super) kind: u16,
    /// The group of switches that the channel leads to.
    pub(super) group: u16,
    /// The virtual channel whose turn it is.
    pub(super) turn: u8,
}

impl Port {
    /// Whether the output queue has room for a packet that takes so long.
    #[inline(always)]
    pub(super) fn has_room(&self, now: u64, time: u64, kind: &Kind) -> bool {
        self.free.saturating_sub(now) + time <= kind.timing.queue_limit
    }

    /// Sends a packet that takes so long and can leave at `ready`; returns when its head leaves.
    #[inline(always)]
    pub(super) fn send(&mut self, ready: u64, time: u64) -> u64 {
        let departure = ready.max(self.free);
        self.free = departure + time;
        self.busy += time;
        departure
    }
}

/// Marks a virtual channel for which someone waits whose turn it is, in its credits: not those that
/// wait while it belongs to another packet, in flits.
pub(super) const CLOSED: u32 = 1 << 31;
/// More bytes than any buffer takes, and never used up.
const UNBOUNDED: u32 = CLOSED - 1;
/// The longest credit delay that an inlet can note: times must be told by their low bits between
/// two calls of [`Ports::refresh`].
const LONGEST_NOTE: u64 = 1 << 28;

/// All ports of a network.
pub(super) struct Ports {
    pub(super) kinds: Vec<Kind>,
    pub(super) ports: Vec<Port>,
    pub(super) inlets: Vec<Inlet>,
    /// For each buffer, the bytes that it can still take as far as the sender has looked.
    pub(super) credits: Vec<u32>,
    pub(super) lines: Lines,
    pub(super) sizes: Sizes,
    pub(super) lane_bits: u32,
    pub(super) lanes: u8,
    #[cfg(debug_assertions)]
    pub(super) capacity: u32,
}

impl Ports {
    pub(super) fn new(setup: &Setup) -> Ports {
        let lanes = setup.virtual_channels.max(1);
        let lane_bits = u8::BITS - (lanes - 1).leading_zeros();
        let network = &setup.network;
        let count = network.port_count() as usize;
        let capacity = setup.buffer.0 as u32;
        let mut ports = Ports {
            kinds: Vec::new(),
            ports: Vec::with_capacity(count),
            inlets: Vec::with_capacity(count << lane_bits),
            credits: Vec::with_capacity(count << lane_bits),
            lines: Lines::new(count << lane_bits),
            sizes: Sizes::new(Vec::new()),
            lane_bits,
            lanes,
            #[cfg(debug_assertions)]
            capacity,
        };
        for port in (0..network.port_count()).map(PortId) {
            let kind = Kind::of(setup, port);
            let credits = if kind.ends { UNBOUNDED } else { capacity };
            ports.credits.extend((0..1 << lane_bits).map(|_| credits));
            // No route leads over a port without a cable.
            let peer = network.peer(port).unwrap_or(port).0 << lane_bits;
            let kind = ports.kind(kind);
            ports.ports.push(Port::new(peer, kind));
        }
        for port in (0..network.port_count()).map(PortId) {
            let kind = ports.ports[ports.peer_of(port.index())].kind;
            let first = network.ports(network.owner(port)).start << lane_bits;
            let inlet = Inlet::new(first, kind, !ports.is_noted(kind));
            ports.inlets.extend((0..1 << lane_bits).map(|_| inlet));
        }
        ports.sizes = Sizes::new(ports.kinds.iter().map(|kind| kind.rate).collect());
        ports
    }

    /// Puts the switches into so many groups, and tells each port the group that its channel leads
    /// to. An endpoint belongs to the group of its switch.
    pub(super) fn group(&mut self, network: &Network, groups: u16) {
        let switches = u64::from(network.switch_count()).max(1);
        let of = |node: Option<Node>| match node {
            Some(Node::Switch(switch)) => {
                Some((u64::from(switch.0) * u64::from(groups) / switches) as u16)
            }
            Some(Node::Endpoint(_)) | None => None,
        };
        for (port, id) in self.ports.iter_mut().zip((0..).map(PortId)) {
            let beyond = of(network.neighbor(id));
            port.group = beyond.or(of(Some(network.owner(id)))).unwrap_or(0);
        }
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
        let Timing { serialization, latency, .. } = self.kinds[usize::from(kind)].timing;
        serialization.saturating_add(latency) <= LONGEST_NOTE
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

    /// Whether nobody waits for this virtual channel whose turn it is, and there is credit for so many
    /// bytes.
    #[inline(always)]
    pub(super) fn is_open(&mut self, buffer: u32, bytes: u32, now: u64) -> bool {
        self.credits[buffer as usize] as i32 >= bytes as i32
            || self.is_open_by_now(buffer, bytes, now)
    }

    /// The same, counting credits that have come back by now.
    #[cold]
    fn is_open_by_now(&mut self, buffer: u32, bytes: u32, now: u64) -> bool {
        if self.credits[buffer as usize] < CLOSED {
            self.collect(buffer, now);
        }
        self.credits[buffer as usize] as i32 >= bytes as i32
    }

    /// Counts the credits that have come back by now.
    fn collect(&mut self, buffer: u32, now: u64) {
        let inlet = self.other_name(buffer) as usize;
        self.credits[buffer as usize] += self.inlets[inlet].count(now);
    }

    /// Forgets when credits came back, before the times are so old that they are mistaken. `all`:
    /// they all have.
    pub(super) fn refresh(&mut self, now: u64, all: bool) {
        self.inlets.iter_mut().for_each(|inlet| inlet.forget(now, all));
    }

    /// Begins to watch the credits of a port: those still on their way have to become events,
    /// which the caller is shown.
    pub(super) fn watch(&mut self, port: usize, now: u64, show: &mut dyn FnMut(u32, u64, u32)) {
        for lane in 0..self.lanes {
            let buffer = self.buffer(port, lane);
            self.collect(buffer, now);
            let name = self.other_name(buffer) as usize;
            let inlet = &mut self.inlets[name];
            inlet.returns(now).for_each(|(due, bytes)| show(buffer, due, bytes));
            inlet.forget(now, true);
            inlet.watch();
        }
    }

    /// Ends watching.
    pub(super) fn unwatch(&mut self, port: usize) {
        if self.is_noted(self.ports[port].kind) {
            for lane in 0..self.lanes {
                let inlet = self.other_name(self.buffer(port, lane)) as usize;
                self.inlets[inlet].unwatch();
            }
        }
    }

    /// Notes that a wake-up has come.
    pub(super) fn awake(&mut self, port: usize) {
        self.ports[port].wake = u64::MAX;
    }

    /// Bytes in an output's queue, what is being sent rounded up to the longest packets, and in front
    /// of it.
    pub(super) fn queued(&self, port: usize, now: u64, longest: u64) -> u64 {
        let time = self.kind_of(port).timing.serialization;
        let port = &self.ports[port];
        port.free.saturating_sub(now).div_ceil(time.max(1)) * longest + port.parked_bytes
    }

    /// For each channel, how long it has been busy until now.
    pub(super) fn busy(&self, now: u64) -> Vec<u64> {
        let busy = |port: &Port| port.busy - port.free.saturating_sub(now).min(port.busy);
        self.ports.iter().map(busy).collect()
    }

    /// The memory that the ports take.
    pub(super) fn memory(&self) -> u64 {
        bytes(&self.ports) + bytes(&self.inlets) + bytes(&self.credits) + self.lines.memory()
    }

    /// The bytes that a buffer can still take when every credit that has been noted is back.
    #[cfg(debug_assertions)]
    pub(super) fn known_credits(&self, buffer: u32) -> u32 {
        let inlet = &self.inlets[self.other_name(buffer) as usize];
        (self.credits[buffer as usize] & !CLOSED) + inlet.pending()
    }
}

impl Port {
    fn new(peer: u32, kind: u16) -> Port {
        Port {
            free: 0,
            busy: 0,
            wake: u64::MAX,
            parked_bytes: 0,
            peer,
            parked: 0,
            kind,
            group: 0,
            turn: 0,
        }
    }
}

impl Kind {
    fn of(setup: &Setup, port: PortId) -> Kind {
        let timing = Timing::of(setup, port);
        let ends = !matches!(setup.network.neighbor(port), Some(Node::Switch(_)));
        let beyond = if ends { setup.adapter_latency } else { setup.switch_latency };
        let rate = setup.network.channel(port).map(|channel| channel.bandwidth);
        Kind { timing, rate, flight: timing.latency + beyond.as_ps(), ends }
    }
}
