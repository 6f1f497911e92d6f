//! What sources do: inject packets, one after the other.

use crate::network::EndpointId;
use crate::routing::Pair;

use super::super::endpoint::Law;
use super::super::engine::Base;
use super::Fast;
use super::moves::{Hop, find_way};
use super::order::SOURCE;
use super::packets::{self, Packet, Way};
use super::ports::{Backlog, Ports};
use super::wheel::Event;

/// So few sources are in the near caches anyway, with what is known of them.
const FEW: usize = 4096;

impl Fast {
    /// Asks for an event when the head of a source queue is through the adapter and the link is
    /// free.
    pub(super) fn schedule_source(&mut self, now: u64, endpoint: u32) {
        let Some(source) = &self.base.sources[endpoint as usize] else { return };
        let port = source.injection.index();
        let ready = source.ready(self.base.setup.adapter_latency);
        let time = ready.max(self.ports.ports[port].free).max(now);
        self.schedule_source_at(now, port, time, endpoint);
    }

    fn schedule_source_at(&mut self, now: u64, port: usize, time: u64, endpoint: u32) {
        let list = self.cut.sources_of(usize::from(self.ports.ports[port].group));
        let event = Event { buffer: endpoint, packet: SOURCE, ..Event::default() };
        self.schedule(now, list, time, event);
    }

    /// The turns of sources in a window in which nothing but credits touches their ports besides: all
    /// their packets of the window. Returns how many events these were.
    ///
    /// In a large fabric sources take turns, a packet each, so that what is needed for all the next
    /// packets can be read ahead: where they go is anywhere, and so is what is known of the ways there.
    pub(super) fn generate_all(&mut self, sources: &mut Vec<Event>) -> u64 {
        // Nothing is delivered meanwhile, so as many more packets are under way as have been injected.
        let before = self.packets.count();
        if self.base.sources.len() > FEW {
            self.touched = self.touched.wrapping_add(self.touch_sources(sources));
            while !sources.is_empty() {
                self.touched = self.touched.wrapping_add(self.touch_ways(sources));
                sources.retain_mut(|event| {
                    let now = self.window + u64::from(event.time);
                    let next = self.generate(now, event.buffer);
                    event.time = next.map_or(0, |next| (next - self.window) as u32);
                    next.is_some()
                });
            }
        }
        for event in sources.drain(..) {
            let mut next = Some(self.window + u64::from(event.time));
            while let Some(now) = next {
                next = self.generate(now, event.buffer);
            }
        }
        self.packets.count() - before
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

    /// A source's turn; returns when the next one is, if that is in the window, too. A packet without
    /// credit waits for its turn among the other events, as credits of the window may come before.
    #[inline]
    fn generate(&mut self, now: u64, endpoint: u32) -> Option<u64> {
        let source = self.base.sources[endpoint as usize].as_ref()?;
        let port = source.injection.index();
        let to = self.ports.buffer(port, 0);
        let open = self.ports.has_known_credit(to) || self.ports.has_credit(to, now);
        let next = if open { self.inject(now, endpoint, to) } else { now };
        if open && next < self.end {
            return Some(next);
        }
        self.schedule_source_at(u64::MAX, port, next, endpoint);
        None
    }

    /// A source's turn among other events.
    #[inline(never)]
    pub(super) fn generate_in_order(&mut self, now: u64, endpoint: u32) {
        let Some(source) = &mut self.base.sources[endpoint as usize] else { return };
        let port = source.injection.index();
        let to = self.ports.buffer(port, 0);
        source.blocked = !self.ports.has_known_credit(to) && !self.ports.has_credit(to, now);
        if source.blocked {
            return self.watch(port, now);
        }
        let time = self.inject(now, endpoint, to);
        self.schedule_source_at(now, port, time, endpoint);
    }

    /// Injects the packet at the head of a source queue into `to`; returns when the next one may
    /// follow.
    #[inline]
    fn inject(&mut self, now: u64, endpoint: u32, to: u32) -> u64 {
        self.base.now = self.base.now.max(now);
        let Base { setup, sources, gap, residents, .. } = &mut self.base;
        let Some(source) = &mut sources[endpoint as usize] else { return u64::MAX };
        let destination = source.next;
        let packet = Packet::new(source.next_birth, endpoint, source.sent);
        source.keep_way(setup, source.sent);
        source.advance(EndpointId(endpoint), now, Law { setup, residents, gap });
        let ready = source.ready(setup.adapter_latency);
        let (packet, path) = match setup.routes.adaptive() {
            None => {
                let Ports { ports, kinds, .. } = &self.ports;
                let queues = Backlog::new(ports, kinds, &self.base.setup, now);
                let (exits, code) = (&mut self.exits, self.packets.coding.code);
                let word = find_way(&mut self.base, exits, code, &queues, endpoint, destination);
                self.packets.insert(packet, &Way::of(word, exits))
            }
            Some(_) => (self.packets.add(packet), packets::undecided(destination)),
        };
        self.transmit(now, 0, Hop { from: to, to, packet, path });
        ready.max(self.ports.ports[self.ports.port_of(to)].free).max(now)
    }
}
