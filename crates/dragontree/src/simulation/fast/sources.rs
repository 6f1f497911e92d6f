//! What sources do: inject packets, one after the other.

use crate::network::EndpointId;
use crate::routing::{Exit, Pair};

use super::super::Setup;
use super::super::endpoint::{Law, Source};
use super::super::engine::Base;
use super::Fast;
use super::backlog::{Backlog, Sizes};
use super::deciding::find_way;
use super::flits::Flits;
use super::order::{NOTHING, SOURCE};
use super::packets::{Packet, Packets};
use super::paths::{self, Way};
use super::ports::{NextCredit, Ports};
use super::wheel::Event;

/// So few sources are in the near caches anyway, with what is known of them.
const FEW: usize = 4096;

impl Fast {
    /// Asks for an event when the head of a source queue is through the adapter and the link is
    /// free.
    pub(super) fn schedule_source(&mut self, now: u64, endpoint: u32) {
        let Some(source) = &self.base.sources[endpoint as usize] else { return };
        let port = source.injection.index();
        let ready = ready(source, endpoint, &self.flits, &self.base.setup);
        let time = ready.max(self.ports.ports[port].free).max(now);
        self.schedule_source_at(now, port, time, endpoint);
    }

    fn schedule_source_at(&mut self, now: u64, port: usize, time: u64, endpoint: u32) {
        let list = self.cut.sources_of(usize::from(self.ports.ports[port].group));
        let event = Event { buffer: endpoint, packet: SOURCE, ..Event::default() };
        self.schedule(now, list, time, event);
    }

    /// The turns of sources in a window in which nothing but credits touches their ports besides: all
    /// their packets of the window. Returns how many events these were: the packets, and the turns that are
    /// put off to another event.
    ///
    /// In a large fabric sources take turns, a packet each, so that what is needed for all the next
    /// packets can be read ahead: where they go is anywhere, and so is what is known of the ways there.
    pub(super) fn generate_all(&mut self, sources: &mut Vec<Event>) -> u64 {
        // Nothing is delivered meanwhile.
        let before = self.injected();
        let (taken, mut put_off) = (sources.len() as u64, 0);
        let in_turns = self.base.sources.len() > FEW;
        if in_turns {
            self.touched = self.touched.wrapping_add(self.touch_sources(sources));
        }
        while !sources.is_empty() {
            if in_turns {
                self.touched = self.touched.wrapping_add(self.touch_ways(sources));
            }
            put_off += self.generate(sources, in_turns);
            sources.retain(|event| event.packet == SOURCE);
        }
        let served = self.injected() - before + put_off;
        debug_assert!(served >= taken, "every event that was taken out is counted");
        served
    }

    /// Flits that have been injected; of whole packets those that have been and are under way.
    fn injected(&self) -> u64 {
        self.flits.as_ref().map_or(self.packets.count(), |flits| flits.injected)
    }

    /// A turn of each of these sources: one packet or all of the window. The events become those of the
    /// next turns; where that is not in the window, of nothing. Returns how many have been put off.
    fn generate(&mut self, sources: &mut [Event], one_each: bool) -> u64 {
        let (mut next, mut put_off, mut early) = (0, 0, None);
        loop {
            next += self.inject_all(&mut sources[next..], one_each, &mut early);
            debug_assert!(early.is_none());
            let Some(event) = sources.get_mut(next) else { break };
            if self.puts_off(event) {
                event.packet = NOTHING;
                next += 1;
                put_off += 1;
            }
        }
        put_off
    }

    /// Puts off the turn of a source that knows of no credit, to when one is back. False where that is so now
    /// or later in the window, before any event: the turn is still that of `event` then, whose time is moved.
    fn puts_off(&mut self, event: &mut Event) -> bool {
        let (now, endpoint) = (self.window + u64::from(event.time), event.buffer);
        let Some(source) = &mut self.base.sources[endpoint as usize] else { return true };
        let port = source.injection.index();
        let to = self.ports.buffer(port, 0);
        if self.ports.has_credit(to, now) {
            return false;
        }
        match self.ports.next_credit(to, now, self.start) {
            // Credits of the window may come before.
            NextCredit::Told => self.schedule_source_at(u64::MAX, port, now, endpoint),
            NextCredit::At(due) if due < self.end => {
                event.time = (due - self.window) as u32;
                return false;
            }
            NextCredit::At(due) => self.schedule_source_at(now, port, due, endpoint),
            NextCredit::Absent => {
                source.blocked = true;
                self.base.now = self.base.now.max(now);
                self.watch(to, now);
            }
        }
        true
    }

    /// Injects packets of these sources as [`Fast::generate`] says, up to the first that knows of no
    /// credit; returns how many have had their turn. An arrival within the window, of which there is none
    /// where sources are served before all else, is left to the caller: its group, its time and the event.
    fn inject_all(
        &mut self,
        events: &mut [Event],
        one_each: bool,
        early: &mut Option<(usize, u64, Event)>,
    ) -> usize {
        let Fast { ports: all, wheel, base, packets, exits, flits, cut, window, end, .. } = self;
        let Base { setup, sources, gap, residents, now: latest, .. } = base;
        let Ports { kinds, ports, credits, lane_bits, .. } = all;
        let (kinds, ports, credits) = (&kinds[..], &mut ports[..], &mut credits[..]);
        let (window, end, lane_bits) = (*window, *end, *lane_bits);
        let (mut near, mut served, sizes) = (wheel.near(), 0, Sizes::of(setup));
        for event in events {
            let endpoint = event.buffer;
            let Some(Some(source)) = sources.get_mut(endpoint as usize) else { break };
            let place = source.injection.index();
            let mut now = window + u64::from(event.time);
            loop {
                let credit = &mut credits[place << lane_bits];
                if *credit as i32 <= 0 {
                    event.time = (now - window) as u32;
                    return served;
                }
                *latest = now.max(*latest);
                let queues = Backlog::new(ports, kinds, sizes, now);
                let law = Law { setup, residents, gap };
                let kept = (&mut *packets, &mut *exits, &mut *flits);
                let (packet, path) = take_next(source, endpoint, now, law, kept, &queues);
                *credit -= 1;
                let port = &mut ports[place];
                let kind = &kinds[usize::from(port.kind)];
                debug_assert!(kind.takes > 0, "sources are behind switches");
                let time = port.depart(now, kind);
                let on = Event { buffer: port.peer, packet, path, time: 0 };
                let group = usize::from(port.group);
                if time < end {
                    *early = Some((group, time, on));
                } else if !near.put(group, time, on) {
                    wheel.push_slowly(group, time, on);
                    near = wheel.near();
                }
                now = ready(source, endpoint, flits, setup).max(port.free).max(now);
                if now >= end {
                    let list = cut.sources_of(group);
                    if !near.put(list, now, *event) {
                        wheel.push_slowly(list, now, *event);
                        near = wheel.near();
                    }
                    event.packet = NOTHING;
                    break;
                }
                if one_each {
                    event.time = (now - window) as u32;
                    break;
                }
            }
            served += 1;
        }
        served
    }

    /// Reads a little of sources, as [`Ports::touch`] does of ports.
    fn touch_sources(&self, events: &[Event]) -> u32 {
        let sources =
            events.iter().filter_map(|event| self.base.sources.get(event.buffer as usize));
        sources.flatten().fold(0, |sum, source| sum ^ source.touch())
    }

    /// Reads a little of the ways to where sources send next, and of the ports by which they do.
    fn touch_ways(&self, events: &[Event]) -> u32 {
        let route = self.base.setup.routes.route();
        let touch = |event: &Event| {
            let source = self.base.sources.get(event.buffer as usize)?.as_ref()?;
            let port = self.ports.ports.get(source.injection.index())?;
            let pair = Pair { source: EndpointId(event.buffer), destination: source.next };
            Some(port.sent ^ route.touch(pair))
        };
        events.iter().filter_map(touch).fold(0, |sum, read| sum ^ read)
    }

    /// A source's turn among other events.
    #[inline(never)]
    pub(super) fn generate_in_order(&mut self, now: u64, endpoint: u32) {
        let Some(source) = &mut self.base.sources[endpoint as usize] else { return };
        let port = source.injection.index();
        let to = self.ports.buffer(port, 0);
        source.blocked = !self.ports.has_known_credit(to) && !self.ports.has_credit(to, now);
        if source.blocked {
            return self.watch(to, now);
        }
        let mut event =
            Event { time: (now - self.window) as u32, buffer: endpoint, packet: SOURCE, path: 0 };
        let mut early = None;
        self.inject_all(std::slice::from_mut(&mut event), true, &mut early);
        if let Some((group, time, event)) = early {
            self.schedule(now, group, time, event);
        }
        if event.packet == SOURCE {
            self.schedule_source_at(now, port, self.window + u64::from(event.time), endpoint);
        }
    }
}

/// When a source can send, as far as that is up to it and its adapter: the next flit of a packet at once.
#[inline(always)]
fn ready(source: &Source, endpoint: u32, flits: &Option<Flits>, setup: &Setup) -> u64 {
    match flits.as_ref().is_some_and(|flits| flits.is_sending(endpoint)) {
        true => 0,
        false => source.ready(setup.adapter_latency),
    }
}

/// What a source keeps its packets in.
type Kept<'a> = (&'a mut Packets, &'a mut Vec<Exit>, &'a mut Option<Flits>);

/// Takes the next flit of the packet that a source is sending, or the next packet. Returns as
/// [`take_head`].
#[inline(always)]
fn take_next(
    source: &mut Source,
    endpoint: u32,
    now: u64,
    law: Law<'_>,
    (packets, exits, flits): Kept<'_>,
    queues: &Backlog<'_>,
) -> (u32, u32) {
    if let Some(flit) = flits.as_mut().and_then(|flits| flits.next(endpoint)) {
        return flit;
    }
    let destination = source.next;
    let first = take_head(source, endpoint, now, law, (packets, exits), queues);
    if let Some(flits) = flits {
        flits.begin(endpoint, first.0, destination);
    }
    first
}

/// Takes the packet at the head of the queue of an endpoint's source. Returns where it is kept, and the
/// beginning of its path from the source's switch.
#[inline(always)]
fn take_head(
    source: &mut Source,
    endpoint: u32,
    now: u64,
    law: Law<'_>,
    (packets, exits): (&mut Packets, &mut Vec<Exit>),
    queues: &Backlog<'_>,
) -> (u32, u32) {
    let Law { setup, .. } = law;
    let pair = Pair { source: EndpointId(endpoint), destination: source.next };
    let packet = Packet::new(source.next_birth, endpoint, source.sent);
    source.keep_way(setup, source.sent);
    source.advance(pair.source, now, law);
    match setup.routes.adaptive() {
        None => {
            let word = find_way(setup, source, exits, packets.coding.code, queues, pair);
            packets.insert(packet, &Way::of(word, exits))
        }
        Some(_) => (packets.add(packet), paths::undecided(pair.destination)),
    }
}
