//! A window's events: which can be served apart, and which have to be put in order.

use crate::routing::Routes;

use super::super::engine::Base;
use super::order::{CREDIT, Ordered, WAKE};
use super::packets::END;
use super::ports::Ports;
use super::wheel::{Event, List, SLOTS, Wheel};
use super::{Fast, Hop};

/// Events that a window should have: more are served together when there are more, but their
/// ports then leave the nearest cache.
const EVENTS: f64 = 128.0;
/// The same where events are served in order.
const ORDERED_EVENTS: f64 = 8.0;
/// How often the longest way between two switches should fit into the wheel's ring.
const AHEAD: u64 = 8;
/// About how many events a packet takes.
const EVENTS_PER_PACKET: f64 = 5.0;
/// The first difference of times that the low bits of a time do not tell surely.
const OLD: u64 = 1 << 29;

/// The width of windows, as a power of two, and whether the outputs in a window are independent.
pub(super) fn window(base: &Base, ports: &Ports) -> (u32, bool) {
    let blind = match &*base.setup.routes {
        Routes::Tables(_) | Routes::Oblivious(_) => true,
    };
    let between = ports.kinds.iter().filter(|kind| kind.takes > 0 && kind.timing.serialization > 0);
    let shortest = between.map(|kind| kind.flight.min(kind.credit_delay)).min().unwrap_or(0);
    let ahead = blind && shortest > 0;
    let sources = base.sources.iter().flatten();
    let packets: f64 = sources.map(|source| 1.0 / source.slot as f64).sum();
    let rate = packets * base.setup.load.as_fraction() * EVENTS_PER_PACKET;
    let events = if ahead { EVENTS } else { ORDERED_EVENTS };
    let wanted = (events / rate).clamp(1.0, 1e18) as u64;
    let longest = ports.kinds.iter().map(|kind| kind.flight).max().unwrap_or(0);
    let wanted = wanted.max(longest.saturating_mul(AHEAD) / SLOTS);
    let width = if ahead { wanted.min(shortest) } else { wanted };
    (width.ilog2().min(Wheel::WIDEST), ahead)
}

impl Fast {
    /// Begins a window.
    pub(super) fn enter(&mut self, start: u64) {
        let all = start - self.start >= OLD;
        if all || start - self.refreshed >= OLD {
            self.ports.refresh(start, all);
            self.refreshed = start;
        }
        (self.start, self.end) = (start, start + self.width);
    }

    /// Serves the events of the window that share their outputs with no others, and puts the
    /// others in order. Returns the number of events served.
    pub(super) fn serve_apart(&mut self) -> u64 {
        let first = self.wheel.time_of(Event::default());
        let latest = self.mark();
        self.base.now = first + u64::from(latest);
        let mut served = 0;
        let others = std::mem::take(&mut self.others);
        for event in &others {
            let list = List::Others;
            served += u64::from(self.serve_or_put(list, first + u64::from(event.time), *event));
        }
        self.others = others;
        let hops = std::mem::take(&mut self.hops);
        for hop in &hops {
            let now = first + u64::from(hop.time);
            if self.is_alone(hop.to) {
                self.arrive(now, *hop);
                served += 1;
            } else {
                self.put_back_in_order(now, *hop);
            }
        }
        self.hops = hops;
        let sources = std::mem::take(&mut self.sources);
        for event in &sources {
            let list = List::Sources;
            served += u64::from(self.serve_or_put(list, first + u64::from(event.time), *event));
        }
        self.sources = sources;
        served
    }

    fn is_alone(&self, buffer: u32) -> bool {
        self.ports.ports[self.ports.port_of(buffer)].mark & 1 == 0
    }

    fn serve_or_put(&mut self, list: List, now: u64, event: Event) -> bool {
        let alone = self.is_alone(event.buffer);
        match alone {
            true => self.serve(list, now, event),
            false => self.put_in_order(list, now, 0, event),
        }
        alone
    }

    #[cold]
    fn put_back_in_order(&mut self, now: u64, hop: Hop) {
        let coding = self.packets.coding;
        let code = hop.to - self.ports.inlets[hop.from as usize].first;
        let path = hop.path << coding.bits | code;
        let event = Event { buffer: hop.from, packet: hop.packet, path, time: 0 };
        self.put_in_order(List::Arrivals, now, 0, event);
    }

    /// Takes out the window's events, routes the arrivals, and marks the outputs. Returns the
    /// latest time, since the beginning of the block.
    fn mark(&mut self) -> u32 {
        self.round = self.round.wrapping_add(2);
        self.hops.clear();
        self.others.clear();
        self.sources.clear();
        let Fast { wheel, ports, packets, hops, others, sources, order, round, .. } = self;
        let (coding, round, lane_bits) = (packets.coding, *round, ports.lane_bits);
        let (marks, inlets) = (&mut ports.ports, &ports.inlets);
        let mut mark = |buffer: u32| {
            let mark = &mut marks[(buffer >> lane_bits) as usize].mark;
            *mark = round | u32::from(*mark & !1 == round);
        };
        let first = wheel.time_of(Event::default());
        let seed = (self.base.setup.seed, lane_bits);
        let mut latest = 0;
        wheel.drain(List::Arrivals, |event| {
            latest = latest.max(event.time);
            let mut path = event.path;
            if path == END {
                path = packets.refill(event.packet);
                if path == END {
                    let time = first + u64::from(event.time);
                    order.add(Ordered::new(List::Arrivals, time, 0, event, seed));
                    return;
                }
            }
            let to = inlets[event.buffer as usize].first + (path & coding.mask);
            mark(to);
            let Event { time, buffer: from, packet, .. } = event;
            hops.push(Hop { time, from, to, packet, path: path >> coding.bits });
        });
        for (list, events) in [(List::Others, others), (List::Sources, sources)] {
            wheel.drain(list, |event| {
                latest = latest.max(event.time);
                mark(event.buffer);
                events.push(event);
            });
        }
        latest
    }

    /// Puts all events of the window in order.
    pub(super) fn line_up(&mut self) -> u64 {
        let Fast { wheel, order, .. } = self;
        let mixing = (self.base.setup.seed, self.ports.lane_bits);
        let first = wheel.time_of(Event::default());
        for list in [List::Arrivals, List::Sources, List::Others] {
            wheel.drain(list, |event| {
                let time = first + u64::from(event.time);
                order.add(Ordered::new(list, time, 0, event, mixing));
            });
        }
        0
    }

    /// Serves what has been put in order, but puts back what comes later.
    pub(super) fn serve_in_order(&mut self, until: u64) -> u64 {
        let mut served = 0;
        while let Some(Ordered { time, turn, list, event, .. }) = self.order.pop() {
            if time >= until {
                self.wheel.push(list, time, event);
                continue;
            }
            self.turn = turn;
            self.base.now = self.base.now.max(time);
            self.serve(list, time, event);
            served += 1;
        }
        self.turn = 0;
        served
    }

    fn serve(&mut self, list: List, now: u64, event: Event) {
        match (list, event.packet) {
            (List::Arrivals, _) => self.route(now, event),
            (List::Sources, endpoint) => self.generate(now, endpoint),
            (List::Others, CREDIT) => self.take_back(now, event.buffer),
            (List::Others, WAKE) => {
                let port = self.ports.port_of(event.buffer);
                self.ports.ports[port].wake_pending = false;
                self.release(now, port);
            }
            (List::Others, _) => {}
        }
    }

    /// Finds the output of an arrival, and sends it on if it can be.
    fn route(&mut self, now: u64, event: Event) {
        let coding = self.packets.coding;
        let Event { buffer: from, packet, mut path, .. } = event;
        if path == END {
            path = self.packets.refill(packet);
        }
        if path == END {
            return self.lose(now, event);
        }
        let to = self.ports.inlets[from as usize].first + (path & coding.mask);
        self.arrive(now, Hop { time: 0, from, to, packet, path: path >> coding.bits });
    }
}
