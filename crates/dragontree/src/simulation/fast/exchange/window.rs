//! A window's events: how long a window is, and in which order its events are served.

use std::cmp::Reverse;

use crate::network::PortId;

use super::super::super::Setup;
use super::super::super::engine::Served;
use super::super::super::exchanging::Outlet;
use super::super::order::{Ordered, Place};
use super::super::wheel::{Event, Turn, Wheel};
use super::super::window::{Batch, Cut, FEWEST_EVENTS, GROUP, MOST_EVENTS, OLD, ORDERED_EVENTS};
use super::FastExchange;
use super::ports::Ports;

/// What an event is that has no path, told by the low bits of its field `packet`, with a number in
/// the others; with a path it is the arrival of that packet at a switch, out of `buffer`.
pub(super) const KIND_BITS: u32 = 3;
/// So many bytes of credit for `buffer`, which is named after the channel that leads into it.
pub(super) const CREDIT: u32 = 0;
/// The output queue of the port of `buffer` may have room.
pub(super) const WAKE: u32 = 1;
/// The outlet `buffer` has sent the last bit of a letter.
pub(super) const SENT: u32 = 2;
/// A packet is through the adapter of the endpoint behind the port of `buffer`.
pub(super) const DELIVER: u32 = 3;
/// The outlet `buffer` may have a packet ready.
pub(super) const SOURCE: u32 = 4;

/// The event of this kind with a number.
pub(super) fn event(kind: u32, buffer: u32, number: u32) -> Event {
    debug_assert!(number < 1 << (u32::BITS - KIND_BITS));
    Event { buffer, packet: number << KIND_BITS | kind, ..Event::default() }
}

/// The kind of an event without a path, and its number.
pub(super) fn read(event: &Event) -> (u32, u32) {
    (event.packet & ((1 << KIND_BITS) - 1), event.packet >> KIND_BITS)
}

/// About how many events a packet takes.
const EVENTS_PER_PACKET: f64 = 7.0;

/// How a run is cut, if all endpoints send all the time.
pub(super) fn cut(setup: &Setup, ports: &Ports) -> Cut {
    let looks_no_further = setup.routes.adaptive().is_none_or(|routes| !routes.looks_far());
    let cabled = ports.kinds.iter().filter(|kind| kind.timing.serialization > 0);
    // A credit follows the last bit of a packet, which takes some time.
    let credit = |latency: u64| latency.saturating_add(1);
    let between = cabled.clone().filter(|kind| !kind.ends);
    let shortest =
        between.map(|kind| kind.flight.min(credit(kind.timing.latency))).min().unwrap_or(0);

    let links = setup.endpoints().filter_map(|endpoint| setup.network.injection(endpoint));
    let per_picosecond =
        |port: PortId| 1.0 / ports.kind_of(port.index()).timing.serialization.max(1) as f64;
    let packets: f64 = links.map(per_picosecond).sum();
    let rate = (packets * EVENTS_PER_PACKET).max(1e-18);
    let in_shortest = rate * shortest as f64 / FEWEST_EVENTS;
    let ahead = looks_no_further && in_shortest >= 1.0;
    let large = f64::from(ports.ports.len() as u32 / GROUP + 1);
    // An endpoint of several switches cannot be in one group only.
    let is_apart = !setup.routes.route().names_outlets();
    let groups = if ahead && is_apart { large.min(in_shortest).clamp(1.0, 4096.0) } else { 1.0 };
    let events = if ahead { MOST_EVENTS * groups } else { ORDERED_EVENTS };
    let wanted = (events / rate).clamp(1.0, 1e18) as u64;
    let width = if ahead { wanted.min(shortest) } else { wanted };

    let longest = cabled.map(|kind| kind.flight.saturating_add(kind.timing.queue_limit)).max();
    Cut {
        shift: width.ilog2().min(Wheel::WIDEST),
        groups: groups as u16,
        reach: longest.unwrap_or(0),
        ahead,
    }
}

impl FastExchange {
    /// Serves the next group's events of the window, or those of the next window's first group if
    /// that begins before `until`.
    pub(in crate::simulation) fn advance(&mut self, until: u64) -> Served {
        if self.group == usize::from(self.cut.groups) {
            match self.wheel.turn(until) {
                Turn::Window(window) => {
                    #[cfg(debug_assertions)]
                    self.check_sometimes(window);
                    self.enter(window);
                }
                Turn::Later => return Served::All,
                Turn::Empty => return self.finish(until),
            }
            self.group = 0;
        }
        let group = self.group;
        self.group += 1;
        let served = if self.wheel.is_empty(group) { 0 } else { self.serve_group(group) };
        self.events += served;
        Served::Events(served)
    }

    /// The length of a window: windows begin at its multiples, and what is known between two of them
    /// is the state at one time.
    pub(in crate::simulation) fn window_length(&self) -> u64 {
        1 << self.cut.shift
    }

    /// Nothing is left to happen but what is no event: credits come back that nobody waits for, channels
    /// are still sending, and so on. Goes on to where that is over, if it is before this time.
    fn finish(&mut self, until: u64) -> Served {
        let now = self.now;
        let returns = self.ports.inlets.iter().flat_map(|inlet| inlet.returns(now));
        let of_flits = self.flits.as_ref().map_or(0, |flits| flits.worms.delivered_until);
        let sent = self.ports.ports.iter().map(|port| port.free);
        let others = sent.chain([of_flits, now]);
        let last = returns.map(|(due, _)| due).chain(others).max().unwrap_or(now);
        #[cfg(debug_assertions)]
        self.check();
        if last >= until {
            return Served::All;
        }
        self.now = last;
        Served::Last
    }

    fn enter(&mut self, window: u64) {
        let all = window - self.start >= OLD;
        if all || window - self.refreshed >= OLD {
            self.ports.refresh(window, all);
            self.refreshed = window;
        }
        self.start = window;
        self.end = window.saturating_add(1 << self.cut.shift);
    }

    /// Serves a group's events of the window; returns how many these were.
    fn serve_group(&mut self, group: usize) -> u64 {
        let mut batch = std::mem::take(&mut self.batch);
        self.gather(group, &mut batch);
        let mut served = batch.events.len() as u64;
        for same in batch.events.chunk_by_mut(|one, other| one.time == other.time) {
            served += self.serve_together(same);
        }
        if let Some(last) = batch.events.last() {
            self.now = self.now.max(self.start + u64::from(last.time));
        }
        served += self.serve_before(None);
        self.batch = batch;
        served
    }

    /// The group's events of the window, in the order of their times.
    fn gather(&mut self, group: usize, batch: &mut Batch) {
        self.wheel.drain(group, &mut batch.raw);
        batch.sort(self.cut.shift);
        let mut first = 0;
        for end in batch.bins.iter().map(|end| *end as usize) {
            if end > first + 1
                && let Some(bin) = batch.events.get_mut(first..end)
            {
                bin.sort_unstable_by_key(|event| event.time);
            }
            first = end;
        }
    }

    /// Serves the events of one time, and before them what others of the window have brought about.
    /// Returns how many the latter were.
    #[inline(always)]
    fn serve_together(&mut self, events: &mut [Event]) -> u64 {
        let Some(first) = events.first() else { return 0 };
        let time = self.start + u64::from(first.time);
        let brought = self.order.peek().is_some_and(|Reverse(first)| first.time <= time);
        if brought {
            return self.serve_among(time, events);
        }
        if events.len() > 1 {
            self.arrange_some(events);
        }
        // What these bring about at this time comes after all of them.
        events.iter().for_each(|event| self.serve(time, *event));
        0
    }

    /// The same where something that has been brought about may come between them.
    #[cold]
    fn serve_among(&mut self, time: u64, events: &mut [Event]) -> u64 {
        self.arrange(events);
        let mut served = 0;
        for event in events {
            served += self.serve_before(Some((time, self.place_of(time, event))));
            self.serve(time, *event);
        }
        served
    }

    /// Serves the events that others of the window have brought about, as far as they come before
    /// this one.
    #[cold]
    fn serve_before(&mut self, next: Option<(u64, Place)>) -> u64 {
        let mut served = 0;
        while let Some(Reverse(Ordered { time, turn, place, event })) = self.order.peek().copied() {
            let waits = next.is_some_and(|(at, next)| (at, 0, next) < (time, turn, place));
            if waits {
                break;
            }
            self.order.pop();
            self.turn = turn;
            self.serve(time, event);
            served += 1;
            self.now = self.now.max(time);
        }
        self.turn = 0;
        served
    }

    /// Serves an event.
    #[inline(always)]
    fn serve(&mut self, now: u64, event: Event) {
        if event.path != 0 {
            return match self.flits {
                None => self.arrive(now, event),
                Some(_) => self.arrive_flit(now, event),
            };
        }
        match read(&event) {
            (CREDIT, bytes) => self.take_back(now, event.buffer, bytes),
            (WAKE, _) => {
                let port = self.ports.port_of(event.buffer);
                self.ports.awake(port);
                self.release(now, port);
            }
            (SENT, letter) => {
                self.ranks.sent(letter, now, &mut self.asking);
                self.ask_all(now);
            }
            (DELIVER, packet) => self.deliver(now, packet),
            (_, _) => self.generate(now, Outlet(event.buffer)),
        }
    }

    /// Adds an event that another one brings about.
    #[inline(always)]
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
        self.order.push(Reverse(Ordered { time, turn, place, event }));
    }
}
