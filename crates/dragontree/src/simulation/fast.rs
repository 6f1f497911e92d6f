//! The fast engine: one event per hop.
//!
//! A packet that is allocated to an output takes its credit there and then, so the output queue
//! never blocks and the packet's departure is known at once: its arrival at the next switch is the
//! only event that a hop needs. Three other things are not events as long as nobody waits for
//! them: a delivery, which is written down and counted later; a returning credit, whose time is
//! noted at the buffer that it comes from and looked at when the sender runs out of credits; and an
//! output queue's having room again.
//!
//! What happens at a switch touches no other switch for some time: at least the shortest way between
//! two switches and the shortest way of a credit. So time is cut into windows of at most that
//! length, and in each window one group of switches is served after the other: their state stays
//! in the near caches, and only packets and credits that arrive in later windows go between groups.
//! Within a group events are served in the order of their times, and at one time in the stated
//! order. Where some way takes no time, all switches are one group.
//!
//! Packets in flits are moved alike, as told in `worms`.
//!
//! Packets of an exchange are moved by an engine of their own, in `exchange`.

use crate::network::{EndpointId, Node, PortId};
use crate::routing::Exit;
use crate::units::{Bytes, Time};

use super::engine::{Base, Engine, Room, Served};
use super::statistics::Statistics;
use super::{Buffer, Setup, Waiting};

mod backlog;
#[cfg(debug_assertions)]
mod check;
mod deciding;
mod deliveries;
#[cfg(feature = "complete")]
mod exchange;
mod flits;
#[cfg(feature = "complete")]
mod forecast;
mod forks;
mod inlet;
mod moves;
mod order;
mod packets;
mod parked;
mod paths;
mod ports;
mod slots;
mod sources;
mod stuck;
#[cfg(feature = "complete")]
mod tapped;
mod waiting;
mod wheel;
mod window;
mod worms;

#[cfg(feature = "complete")]
pub(super) use exchange::FastExchange;

use deliveries::Delivered;
use flits::Flits;
use forks::Forks;
use order::Order;
use packets::Packets;
use paths::Coding;
use ports::Ports;
use wheel::{Turn, Wheel};
use window::{Batch, Cut};

/// The memory that a vector takes.
fn bytes<T>(vector: &Vec<T>) -> u64 {
    (vector.capacity() * size_of::<T>()) as u64
}

/// A vector of more bytes than this takes a notable part of the memory.
const LARGE: usize = 1 << 20;

/// Makes room for so many more, and for as many again, but where that is a lot for no more than an eighth:
/// what is under way takes most of a large run's memory.
#[inline]
fn reserve<T>(vector: &mut Vec<T>, more: usize) {
    if vector.capacity() - vector.len() < more {
        let again = vector.len().min(LARGE / size_of::<T>()).max(vector.len() / 8);
        vector.reserve_exact(again + 16 + more);
    }
}

/// The same for another one.
#[inline]
fn make_room<T>(vector: &mut Vec<T>) {
    reserve(vector, 1);
}

/// Fewer packets under way than this take little memory in any case.
const MANY: usize = 100_000;

/// The state of a run.
pub(super) struct Fast {
    base: Base,
    wheel: Wheel,
    ports: Ports,
    packets: Packets,
    /// Deliveries that have not been counted: those of the group being served, and those that come
    /// after the time up to which events are served.
    log: Vec<Delivered>,
    later: Vec<Delivered>,
    until: u64,
    /// When the last delivery is that has been noted, which may be later than any event: time goes on to
    /// there when nothing else happens.
    settled: u64,
    /// Events of the window that others of the window have brought about.
    order: Order,
    /// Kept for its memory.
    batch: Batch,
    /// The way of the packet that is being injected, where it is not in one word; kept for its memory.
    exits: Vec<Exit>,
    forks: Forks,
    /// Where packets are in flits.
    flits: Option<Flits>,
    cut: Cut,
    /// When the window began; the part of it that is being served.
    window: u64,
    start: u64,
    end: u64,
    /// The next group to be served in it.
    group: usize,
    /// How often time has stood still.
    turn: u32,
    /// When the credits were last looked through.
    refreshed: u64,
    /// What reading ahead has read.
    touched: u32,
    /// Packets that were taken out because their way ended at a switch.
    lost: u64,
}

impl Engine for Fast {
    fn new(setup: Setup, statistics: Statistics) -> Fast {
        let mut ports = Ports::new(&setup);
        let packets = Packets::new(Coding::new(&setup, ports.lane_bits));
        let base = Base::new(setup, statistics);
        let cut = Cut::new(&base, &ports);
        window::group(&mut ports, &base.setup.network, cut.groups);
        let groups = usize::from(cut.groups);
        let flits = Flits::new(&base.setup, &ports, base.sources.len());
        let forks = Forks::new(&base.setup, packets.coding, cut.ahead && flits.is_none());
        let mut engine = Fast {
            base,
            wheel: Wheel::new(cut.shift, cut.lists(), cut.reach),
            ports,
            packets,
            log: Vec::new(),
            later: Vec::new(),
            until: 0,
            settled: 0,
            order: Order::new(),
            batch: Batch::default(),
            exits: Vec::new(),
            forks,
            flits,
            cut,
            window: 0,
            start: 0,
            end: 0,
            group: groups,
            turn: 0,
            refreshed: 0,
            touched: 0,
            lost: 0,
        };
        for index in 0..engine.base.sources.len() {
            engine.schedule_source(0, index as u32);
        }
        engine
    }

    fn base(&self) -> &Base {
        &self.base
    }

    fn base_mut(&mut self) -> &mut Base {
        &mut self.base
    }

    /// Serves the next group's events of the window, or those of the next window's first group.
    fn step(&mut self, until: u64) -> Served {
        if self.group == usize::from(self.cut.groups) {
            self.serve_until(until);
            let is_cut =
                self.end >= until && !(cfg!(feature = "complete") && self.wheel.is_used_up());
            match if is_cut { Turn::Later } else { self.wheel.turn(until) } {
                Turn::Window(window) => self.enter(window, until),
                Turn::Later => return self.all_served(until),
                Turn::Empty => return self.serve_rest(until),
            }
            self.group = 0;
        }
        let group = self.group;
        self.group += 1;
        let empty = self.wheel.is_empty(group) && self.wheel.is_empty(self.cut.sources_of(group));
        let served = if empty { 0 } else { self.serve_group(group) };
        self.base.events += served;
        Served::Events(served)
    }

    fn in_network(&self) -> u64 {
        self.packets.count()
    }

    fn holds_older_than(&self, time: u64) -> bool {
        self.packets.has_older_than(time)
    }

    fn busy(&self, now: u64) -> impl Iterator<Item = u64> {
        self.ports.busy(now)
    }

    #[cfg(feature = "complete")]
    fn free_from(&self) -> impl Iterator<Item = u64> {
        self.ports.free_from()
    }

    fn stuck_since(&self, time: u64) -> Vec<Waiting> {
        #[cfg(feature = "complete")]
        if let Some(flits) = &self.flits {
            return self.stuck_flits(flits, time);
        }
        let place = |buffer| self.ports.named(buffer);
        let lines = &self.ports.lines;
        let stuck = self.ports.stuck_since(time, self.base.now, self.is_long_over()).into_iter();
        let stuck = stuck.flat_map(|to| lines.line(to).map(move |parked| (parked, to)));
        let waiting = stuck.map(|(parked, to)| {
            let packet = self.packets.get(parked.packet);
            let source = EndpointId(packet.source());
            Waiting {
                source,
                number: packet.number(),
                // A way that leads nowhere is an error of the routing.
                destination: self.destination(parked.packet, parked.path, to).unwrap_or(source),
                holds: place(self.ports.other_name(parked.from)),
                needs: place(to),
                since: Time::ps(self.ports.lines.since(to)),
            }
        });
        waiting.collect()
    }

    fn room(&self, Buffer { channel, vc }: Buffer) -> Room {
        let buffer = self.ports.buffer(channel.index(), vc);
        self.ports.room(buffer, self.base.now, self.is_long_over())
    }
}

impl Fast {
    /// How many packets wait for an output.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.ports.lines.all().count()
    }

    /// Whether so much time has passed since the last window that all its credits are back.
    fn is_long_over(&self) -> bool {
        self.base.now.saturating_sub(self.start) >= window::OLD
    }

    /// About how much memory the state takes, the statistics left out.
    pub(super) fn memory(&self) -> Bytes {
        let own = self.batch.memory() + bytes(&self.log) + bytes(&self.later);
        let sources = bytes(&self.base.sources) + self.forks.memory();
        let flits = self.flits.as_ref().map_or(0, Flits::memory);
        Bytes(
            own + sources
                + flits
                + self.wheel.memory()
                + self.ports.memory()
                + self.packets.memory(),
        )
    }

    /// Where a packet is to be delivered: at the end of its way, of which this path is left behind a
    /// channel's buffer.
    fn destination(&self, packet: u32, path: u32, buffer: u32) -> Option<EndpointId> {
        let network = &self.base.setup.network;
        let mut port = PortId(self.ports.port_of(buffer) as u32);
        for number in self.packets.numbers(packet, path) {
            let Some(Node::Switch(switch)) = network.neighbor(port) else { break };
            port = network.port(switch, number);
        }
        match network.neighbor(port) {
            Some(Node::Endpoint(endpoint)) => Some(endpoint),
            Some(Node::Switch(_)) | None => None,
        }
    }

    /// Events up to this time are to be served: counts the deliveries that have been left for then.
    fn serve_until(&mut self, until: u64) {
        if until != self.until {
            self.until = until;
            self.settle_later();
        }
    }

    /// Everything before this time has been served, and the deliveries before it have been counted.
    fn all_served(&mut self, until: u64) -> Served {
        #[cfg(debug_assertions)]
        self.check();
        debug_assert!(self.until == until);
        Served::All
    }

    /// The length of a window in picoseconds.
    pub(super) fn window(&self) -> u64 {
        1 << self.cut.shift
    }

    /// Makes room for so many packets under way.
    pub(super) fn make_room(&mut self, packets: usize) {
        if packets > MANY {
            self.packets.make_room(packets);
            self.wheel.make_room(packets);
        }
    }

    /// Goes on to where nothing will ever happen again, if that is before this time, when no events are
    /// left: there may be credits and deliveries that are none, and channels that are still sending.
    fn serve_rest(&mut self, until: u64) -> Served {
        // Without deadlocks sources have events as long as they send.
        if cfg!(feature = "complete") {
            let now = self.base.now;
            let returns = self.ports.inlets.iter().flat_map(|inlet| inlet.returns(now));
            let of_flits = self.flits.as_ref().map_or(0, |flits| flits.worms.delivered_until);
            let sent = self.ports.ports.iter().map(|port| port.free);
            let others = sent.chain([self.settled, of_flits, now]);
            let last = returns.chain(others).max().unwrap_or(now);
            if last >= until {
                return self.all_served(until);
            }
            self.base.now = last;
        }
        self.serve_until(u64::MAX);
        self.all_served(u64::MAX);
        Served::Last
    }
}
