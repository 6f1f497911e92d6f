//! The fast engine: one event per hop.
//!
//! A packet that is allocated to an output takes its credit there and then, so the output queue
//! never blocks and the packet's departure is known at once: its arrival at the next switch is the
//! only event that a hop needs. Three other things are not events as long as nobody waits for
//! them: a delivery, which is written down and counted later; a returning credit, whose time is
//! noted at the buffer that it comes from and looked at when the sender runs out of credits; and an
//! output queue's having room again.
//!
//! What happens at an output touches no other output for some time: at least the shortest way
//! between two switches and the shortest way of a credit. So the events of a window of that length
//! are first all routed, then served in any order, except for those that share an output with
//! another event of the window: these are served in the order of their times, and at one time in
//! the stated order. Where some way takes no time, every event is served in that order.

use crate::network::{EndpointId, PortId};
use crate::routing::Exit;

use super::engine::{Base, Engine, Room, Served};
use super::statistics::{Delivery, Statistics};
use super::{Buffer, Setup, Waiting};

#[cfg(debug_assertions)]
mod check;
mod gather;
mod moves;
mod order;
mod packets;
mod parked;
mod ports;
mod wheel;

use order::{NOTHING, Order, Ordered};
use packets::{Coding, Packet, Packets};
use ports::Ports;
use wheel::{Event, List, Turn, Wheel};

/// A packet's arrival at a switch, and the buffer that it is to be sent to.
#[derive(Clone, Copy, Debug)]
struct Hop {
    /// Since the beginning of the block.
    time: u32,
    from: u32,
    to: u32,
    packet: u32,
    path: u32,
}

/// A packet that has left its last switch, and when its last bit is delivered.
#[derive(Clone, Copy, Debug)]
struct Delivered {
    time: u64,
    packet: u32,
}

/// Deliveries that are written down before they are counted.
const LOG: usize = 4096;

/// The state of a run.
pub(super) struct Fast {
    base: Base,
    wheel: Wheel,
    ports: Ports,
    packets: Packets,
    log: Vec<Delivered>,
    /// How many deliveries to write down before counting them.
    log_limit: usize,
    order: Order,
    /// The events of the window; kept for their memory.
    hops: Vec<Hop>,
    others: Vec<Event>,
    sources: Vec<Event>,
    /// The way of the packet that is being injected; kept for its memory.
    way: Vec<Exit>,
    /// The window: a slot of the wheel.
    start: u64,
    end: u64,
    width: u64,
    /// Whether events of different outputs in a window are independent.
    ahead: bool,
    /// The number of the window, doubled.
    round: u32,
    /// How often time has stood still.
    turn: u32,
    /// When the credits were last looked through.
    refreshed: u64,
    /// Packets that were taken out because their way ended at a switch.
    lost: u64,
}

impl Engine for Fast {
    fn new(setup: Setup, statistics: Statistics) -> Fast {
        let ports = Ports::new(&setup);
        let packets = Packets::new(Coding::new(&setup, ports.lane_bits));
        let base = Base::new(setup, statistics);
        let (shift, ahead) = gather::window(&base, &ports);
        let mut engine = Fast {
            base,
            wheel: Wheel::new(shift),
            ports,
            packets,
            log: Vec::new(),
            log_limit: LOG,
            order: Order::default(),
            hops: Vec::new(),
            others: Vec::new(),
            sources: Vec::new(),
            way: Vec::new(),
            start: 0,
            end: 0,
            width: 1 << shift,
            ahead,
            round: 0,
            turn: 0,
            refreshed: 0,
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

    /// Serves the events of the next window.
    fn step(&mut self, until: u64) -> Served {
        match self.wheel.turn(until) {
            Turn::Slot(start) => self.enter(start),
            Turn::Later => return self.all_served(until),
            Turn::Empty if self.spell_out() => return Served::Events(0),
            Turn::Empty => {
                self.all_served(u64::MAX);
                return Served::Last;
            }
        }
        if self.log.len() > self.log_limit {
            self.count_deliveries(self.start);
        }
        let apart = match self.ahead && self.end <= until {
            true => self.serve_apart(),
            false => self.line_up(),
        };
        let served = apart + self.serve_in_order(until);
        self.base.events += served;
        if served == 0 { self.all_served(until) } else { Served::Events(served) }
    }

    fn in_network(&self) -> u64 {
        self.packets.count()
    }

    fn holds_older_than(&self, time: u64) -> bool {
        self.packets.has_older_than(time)
    }

    fn busy(&self, now: u64) -> Vec<u64> {
        self.ports.busy(now)
    }

    fn stalled_since(&self, time: u64) -> bool {
        self.ports.lines.stalled_since(time)
    }

    fn waiting(&self) -> Vec<Waiting> {
        let place = |buffer: u32| Buffer {
            channel: PortId(self.ports.port_of(buffer) as u32),
            vc: (buffer - self.ports.buffer(self.ports.port_of(buffer), 0)) as u8,
        };
        let waiting = self.ports.lines.all().into_iter().map(|(parked, to)| {
            let packet = self.packets.get(parked.packet);
            Waiting {
                source: EndpointId(packet.source),
                number: packet.number,
                destination: EndpointId(packet.destination),
                holds: place(parked.from),
                needs: place(to),
            }
        });
        waiting.collect()
    }

    fn room(&self, Buffer { channel, vc }: Buffer) -> Room {
        self.ports.room(self.ports.buffer(channel.index(), vc), self.base.now)
    }
}

impl Fast {
    /// Everything before this time has been served: counts the deliveries before it.
    fn all_served(&mut self, until: u64) -> Served {
        self.count_deliveries(until);
        #[cfg(debug_assertions)]
        self.check();
        Served::All
    }

    /// Counts the deliveries before this time that have been written down.
    fn count_deliveries(&mut self, until: u64) {
        let (packets, statistics) = (&mut self.packets, &mut self.base.statistics);
        self.log.retain(|delivered| {
            if delivered.time >= until {
                return true;
            }
            let Packet { source, number, born, switches, .. } = packets.remove(delivered.packet);
            let switches = u8::try_from(switches).unwrap_or(u8::MAX);
            statistics.deliver(delivered.time, &Delivery { source, number, born, switches });
            false
        });
        self.log_limit = 2 * self.log.len() + LOG;
    }

    /// Makes events of what else will happen, when no events are left; false when nothing will.
    fn spell_out(&mut self) -> bool {
        let now = self.base.now;
        let mut pending = Vec::new();
        for (buffer, inlet) in self.ports.inlets.iter().enumerate() {
            let returns = inlet.returns(now).filter(|due| *due > now);
            pending.extend(returns.map(|due| (due, NOTHING, buffer as u32)));
        }
        let deliveries = self.log.iter().map(|delivered| delivered.time);
        pending.extend(deliveries.filter(|time| *time > now).map(|time| (time, NOTHING, 0)));
        for (time, packet, buffer) in &pending {
            let event = Event { buffer: *buffer, packet: *packet, ..Event::default() };
            self.wheel.push(List::Others, *time, event);
        }
        !pending.is_empty()
    }

    /// Adds an event that another one brings about.
    #[inline]
    fn schedule(&mut self, now: u64, list: List, time: u64, event: Event) {
        if time >= self.end {
            self.wheel.push(list, time, event);
        } else {
            let turn = if time == now { self.turn + 1 } else { 0 };
            self.put_in_order(list, time, turn, event);
        }
    }

    #[cold]
    fn put_in_order(&mut self, list: List, time: u64, turn: u32, event: Event) {
        let mixing = (self.base.setup.seed, self.ports.lane_bits);
        self.order.add(Ordered::new(list, time, turn, event, mixing));
    }
}
