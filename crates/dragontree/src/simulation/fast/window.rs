//! A window's events: how long a window is, and in which order its events are served.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::network::{Network, Node, PortId};

use super::super::engine::Base;
use super::order::{CREDIT, NOTHING, Order, Ordered, Place, SOURCE, WAKE, place};
use super::ports::Ports;
use super::wheel::{Event, Wheel};
use super::{Fast, bytes};

/// Ports of a group: what is known of so many leaves the near caches room for the events.
pub(super) const GROUP: u32 = 300;
/// Events of a group in a window: at most, and as many as make a group worth its while.
pub(super) const MOST_EVENTS: f64 = 4096.0;
pub(super) const FEWEST_EVENTS: f64 = 64.0;
/// Events of a window where only the order of times keeps them apart.
pub(super) const ORDERED_EVENTS: f64 = 32.0;
/// About how many events a packet takes.
const EVENTS_PER_PACKET: f64 = 5.0;
/// The first difference of times that the low bits of a time do not tell surely.
pub(super) const OLD: u64 = 1 << 29;
/// The most bins that events are sorted into: as many as leave the nearest cache to others. The more
/// there are, the fewer events share one and have to be told apart, which branches often get wrong.
const MOST_BINS: u32 = 1 << 13;
/// How many events bins can count. Hardly any group has so many.
const MOST_IN_BINS: usize = u16::MAX as usize;

/// How a run is cut into windows and groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// A window is `1 << shift` picoseconds long.
    pub(super) shift: u32,
    pub(super) groups: u16,
    /// How far ahead most events are.
    pub(super) reach: u64,
    /// Whether the groups in a window are independent.
    pub(super) ahead: bool,
}

impl Cut {
    /// The lists of events: one for each group and, where groups are independent, another for the
    /// sources, which are served first, since nothing else in a window touches their ports but
    /// credits.
    pub(super) fn lists(&self) -> usize {
        usize::from(self.groups) << u32::from(self.ahead)
    }

    /// The list of the sources of a group.
    pub(super) fn sources_of(&self, group: usize) -> usize {
        if self.ahead { usize::from(self.groups) + group } else { group }
    }

    pub(super) fn new(base: &Base, ports: &Ports) -> Cut {
        let adaptive = base.setup.routes.adaptive();
        let looks_no_further = adaptive.is_none_or(|routes| !routes.looks_far());
        let cabled = ports.kinds.iter().filter(|kind| kind.timing.serialization > 0);
        let between = cabled.clone().filter(|kind| kind.takes > 0);
        let shortest = between.map(|kind| kind.flight.min(kind.credit_delay)).min().unwrap_or(0);
        let ahead = looks_no_further && shortest > 0;

        let sources = base.sources.iter().flatten();
        let packets: f64 = sources.clone().map(|source| 1.0 / source.slot as f64).sum();
        let load = base.setup.load.as_fraction().max(1e-6);
        let flits = base.setup.model.flits(base.setup.packet) as f64;
        let rate = (packets * flits * load * EVENTS_PER_PACKET).max(1e-18);
        let in_shortest = rate * shortest as f64 / FEWEST_EVENTS;
        let large = f64::from(ports.ports.len() as u32 / GROUP + 1);
        let groups = if ahead { large.min(in_shortest).clamp(1.0, 4096.0) } else { 1.0 };
        let events = if ahead { MOST_EVENTS * groups } else { ORDERED_EVENTS };
        let wanted = (events / rate).clamp(1.0, 1e18) as u64;
        let width = if ahead { wanted.min(shortest) } else { wanted };

        let longest = cabled.map(|kind| kind.flight.saturating_add(kind.timing.queue_limit)).max();
        let gap = sources.map(|source| source.slot).max().unwrap_or(0) as f64 / load;
        Cut {
            shift: width.ilog2().min(Wheel::WIDEST),
            groups: groups as u16,
            reach: longest.unwrap_or(0).max((4.0 * gap) as u64),
            ahead,
        }
    }
}

/// Puts the switches into so many groups of about as many ports, and tells each port the group
/// that its channel leads to. An endpoint belongs to the group of its switch.
pub(super) fn group(ports: &mut Ports, network: &Network, groups: u16) {
    let switches = u64::from(network.switch_count()).max(1);
    let of = |node: Option<Node>| match node {
        Some(Node::Switch(switch)) => {
            Some((u64::from(switch.0) * u64::from(groups) / switches) as u16)
        }
        Some(Node::Endpoint(_)) | None => None,
    };
    ports.groups = vec![0..0; usize::from(groups)];
    for switch in network.switches() {
        let range = network.ports(Node::Switch(switch));
        let group = &mut ports.groups[of(Some(Node::Switch(switch))).map_or(0, usize::from)];
        *group = if group.end == 0 { range } else { group.start..range.end };
    }
    for (index, port) in ports.ports.iter_mut().enumerate() {
        let id = PortId(index as u32);
        port.group = of(network.neighbor(id)).or(of(Some(network.owner(id)))).unwrap_or(0);
    }
}

/// The events of a group in a window, and what is needed to sort them; kept for their memory.
#[derive(Default)]
pub(super) struct Batch {
    sources: Vec<Event>,
    pub(super) events: Vec<Event>,
    pub(super) raw: Vec<Event>,
    /// Where each bin of sorted events ends.
    pub(super) bins: Vec<u16>,
    /// The places of some of the events.
    pub(super) places: Vec<u32>,
}

impl Batch {
    /// The memory that it takes.
    pub(super) fn memory(&self) -> u64 {
        let events = bytes(&self.sources) + bytes(&self.events) + bytes(&self.raw);
        events + bytes(&self.bins) + bytes(&self.places)
    }

    /// Sorts the raw events by their times, nearly: into bins of time. `shift` is that of a window. More
    /// than bins can count are sorted wholly, without bins.
    pub(super) fn sort(&mut self, shift: u32) {
        let Batch { events, raw, bins, .. } = self;
        bins.clear();
        if raw.len() > MOST_IN_BINS {
            *events = BinaryHeap::from(std::mem::take(raw)).into_sorted_vec();
            return;
        }
        let wanted = (raw.len() as u32 * 2).clamp(1, MOST_BINS).next_power_of_two().ilog2();
        let narrow = shift.saturating_sub(wanted);
        bins.resize(((1_usize << (shift - narrow)) + 1).next_multiple_of(4), 0);
        for event in raw.iter() {
            // The next bin's count: that is where this one ends.
            if let Some(bin) = bins.get_mut((event.time >> narrow) as usize + 1) {
                *bin += 1;
            }
        }
        sum_up(bins);
        events.resize(raw.len(), Event::default());
        for event in raw.iter() {
            if let Some(bin) = bins.get_mut((event.time >> narrow) as usize)
                && let Some(place) = events.get_mut(*bin as usize)
            {
                *place = *event;
                *bin += 1;
            }
        }
        raw.clear();
    }
}

/// Adds to each count all before it; there are a multiple of four, and together no more than each can
/// count. Four that lie in one word are summed up by one multiplication.
fn sum_up(counts: &mut [u16]) {
    const EACH: u64 = 0x0001_0001_0001_0001;
    debug_assert!(counts.len().is_multiple_of(4));
    let mut sum = 0;
    for four in counts.as_chunks_mut::<4>().0 {
        let [a, b, c, d] = *four;
        let low = u64::from(a) | u64::from(b) << 16;
        let high = u64::from(c) | u64::from(d) << 16;
        let word = (low | high << 32).wrapping_mul(EACH);
        let sums = word + sum * EACH;
        *four = [sums as u16, (sums >> 16) as u16, (sums >> 32) as u16, (sums >> 48) as u16];
        sum += word >> 48;
    }
}

impl Fast {
    /// Begins a window, or goes on with one that was cut by `until`.
    pub(super) fn enter(&mut self, window: u64, until: u64) {
        let start = window.max(self.end);
        let all = start - self.start >= OLD;
        if all || start - self.refreshed >= OLD {
            self.ports.refresh(start, all);
            self.refreshed = start;
        }
        (self.window, self.start) = (window, start);
        self.end = until.min(window.saturating_add(1 << self.cut.shift));
    }

    /// Serves a group's events of the window; returns how many these were.
    pub(super) fn serve_group(&mut self, group: usize) -> u64 {
        let mut batch = std::mem::take(&mut self.batch);
        let mut served = 0;
        if self.cut.ahead {
            self.take_out(self.cut.sources_of(group), &mut batch.sources);
            served += self.generate_all(&mut batch.sources);
        }
        self.gather(group, &mut batch);
        let Batch { events, places, .. } = &mut batch;
        self.packets.refill_all(events, places);
        #[cfg(feature = "complete")]
        self.tap_all(events);
        let touched = self.forks.draw(&mut self.base, &self.ports, &self.packets, (events, places));
        self.touched = self.touched.wrapping_add(touched);
        let (mut next, mut end, mut cut_at) = (0, batch.events.len(), None);
        loop {
            // Where the events are cut depends on nothing but this time. One of that time may come before
            // others, and is served beyond the cut.
            let first = self.order.peek().map(|Reverse(first)| first.time);
            if first != cut_at {
                cut_at = first;
                end = next + self.before_others(&batch.events[next..]);
            }
            let passed = match &self.flits {
                None => self.pass_on(&mut batch.events[next..end.max(next)]),
                Some(_) => self.pass_flits(&batch.events[next..end.max(next)]),
            };
            served += passed as u64;
            next += passed;
            let Some(event) = batch.events.get(next) else { break };
            let time = self.window + u64::from(event.time);
            if !self.order.is_empty() {
                served += self.serve_before(Some((time, event)));
            }
            self.serve(time, *event);
            served += 1;
            next += 1;
        }
        if let Some(last) = batch.events.last() {
            self.base.now = self.base.now.max(self.window + u64::from(last.time));
        }
        served += self.serve_before(None);
        debug_assert!(self.forks.are_decided());
        self.batch = batch;
        self.settle_deliveries();
        served
    }

    /// How many of these events, which are in order, come before all that others have brought about.
    fn before_others(&self, events: &[Event]) -> usize {
        self.order.peek().map_or(events.len(), |Reverse(first)| {
            events.partition_point(|event| self.window + u64::from(event.time) < first.time)
        })
    }

    /// Takes a list of events out of the window, as far as they come before its end.
    fn take_out(&mut self, list: usize, events: &mut Vec<Event>) {
        self.wheel.drain(list, events);
        if self.end < self.window + (1 << self.cut.shift) {
            let end = self.end - self.window;
            events.retain(|event| {
                let now = u64::from(event.time) < end;
                if !now {
                    self.wheel.push(list, self.window + u64::from(event.time), *event);
                }
                now
            });
        }
    }

    /// The group's events of the window, in order.
    fn gather(&mut self, group: usize, batch: &mut Batch) {
        self.take_out(group, &mut batch.raw);
        self.touched = self.touched.wrapping_add(self.ports.touch(group, &batch.raw));
        batch.sort(self.cut.shift);
        let events = batch.events.as_mut_slice();
        let mut last = 0;
        for index in 0..events.len() {
            let time = events[index].time;
            if time > last {
                last = time;
            } else {
                self.sift(events, index);
                last = events[index].time;
            }
        }
    }

    /// Brings an event to its place among those before it, which are in order.
    fn sift(&self, events: &mut [Event], mut index: usize) {
        let event = events[index];
        while let Some(before) = index.checked_sub(1)
            && self.precedes(&event, &events[before])
        {
            events[index] = events[before];
            index = before;
        }
        events[index] = event;
    }

    #[inline]
    fn precedes(&self, one: &Event, other: &Event) -> bool {
        let place = |event| self.place_of(self.window + u64::from(one.time), event);
        one.time < other.time || (one.time == other.time && place(one) < place(other))
    }

    /// The place of an event among those of its time.
    pub(super) fn place_of(&self, time: u64, event: &Event) -> Place {
        let lane_bits = self.ports.lane_bits;
        let port = event.buffer >> lane_bits;
        let lane = event.buffer & ((1 << lane_bits) - 1);
        let (kind, owner) = match (event.path, event.packet) {
            (0, CREDIT) => (0, port ^ lane << 28),
            (0, WAKE) => (1, port),
            (0, NOTHING) => (3, 0),
            (0, _) => (4, event.buffer),
            _ => (2, self.ports.peer_of(port as usize) as u32),
        };
        place(kind, owner, time, self.base.setup.seed)
    }

    /// Serves the events that others of the window have brought about, as far as they come before
    /// this one.
    #[cold]
    fn serve_before(&mut self, next: Option<(u64, &Event)>) -> u64 {
        let mut served = 0;
        while let Some(Reverse(Ordered { time, turn, place, event })) = self.order.peek().copied() {
            let waits = next.is_some_and(|(at, next)| {
                at < time || (at == time && (0, self.place_of(at, next)) < (turn, place))
            });
            if waits {
                break;
            }
            self.order.pop();
            self.turn = turn;
            #[cfg(feature = "complete")]
            self.tap_one(time, &event);
            self.serve(time, event);
            served += 1;
            self.base.now = self.base.now.max(time);
        }
        self.turn = 0;
        served
    }

    /// Serves an event.
    fn serve(&mut self, now: u64, event: Event) {
        if event.path != 0 {
            if self.flits.is_some() {
                return self.arrive_flit(now, event);
            }
            return self.arrive(now, event);
        }
        match event.packet {
            SOURCE => self.generate_in_order(now, event.buffer),
            CREDIT => self.take_back(now, event.buffer),
            WAKE => {
                let port = self.ports.port_of(event.buffer);
                self.ports.ports[port].wake_pending = false;
                self.release(now, port);
            }
            _ => {}
        }
    }

    /// Adds an event that another one brings about.
    #[inline]
    pub(super) fn schedule(&mut self, now: u64, group: usize, time: u64, event: Event) {
        if time >= self.end {
            self.wheel.push(group, time, event);
        } else {
            self.put_in_order(now, time, event);
        }
    }

    #[cold]
    fn put_in_order(&mut self, now: u64, time: u64, event: Event) {
        let turn = if time == now { self.turn + 1 } else { 0 };
        let place = self.place_of(time, &event);
        let order: &mut Order = &mut self.order;
        order.push(Reverse(Ordered { time, turn, place, event }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// Few and many events: those of a bin may come in any order, and bins in that of their times.
    #[test]
    fn events_are_sorted_into_bins_or_wholly() {
        let (shift, mut stream, mut batch) = (17, Stream::new(1, "test", 0), Batch::default());
        for count in [0, 1, 2, 7, 100, 5_000, MOST_IN_BINS, MOST_IN_BINS + 1, 2 * MOST_IN_BINS] {
            let event = |packet| Event {
                time: stream.below(1 << shift),
                packet: packet as u32,
                ..Event::default()
            };
            batch.raw = (0..count).map(event).collect();
            let mut expected = batch.raw.clone();
            expected.sort_unstable();
            batch.sort(shift);
            assert!(batch.raw.is_empty());
            assert_eq!(batch.bins.is_empty(), count > MOST_IN_BINS);
            let ends = batch.bins.iter().map(|end| usize::from(*end));
            let mut first = 0;
            for end in ends {
                batch.events[first..end].sort_unstable();
                first = end;
            }
            assert_eq!(batch.events, expected, "{count} events");
        }
    }
}
