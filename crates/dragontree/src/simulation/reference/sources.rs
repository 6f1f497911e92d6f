//! Sources at an offered load, and what those that watch their run ask the engine.

use crate::network::{EndpointId, PortId};
use crate::random::Stream;
use crate::routing::{Header, Pair};

use super::super::endpoint::{Law, Source};
use super::super::engine::{Base, Engine, Room, Served};
use super::super::statistics::{Delivery, Part, Statistics};
use super::super::{Buffer, Setup, Waiting};
use super::ends::Ends;
use super::lengths::Lengths;
use super::outputs::Worm;
use super::queue::Kind;
use super::{Packet, Reference};

/// What the sources are sending.
pub(in crate::simulation) struct Sources {
    /// Flits of a packet.
    flits: u32,
    /// What each source has sent a part of, by endpoint.
    pub(super) sending: Vec<Option<Sending>>,
    /// How messages are cut, where the lengths of packets vary.
    lengths: Option<Lengths>,
}

/// What a source sends: all flits of a packet, one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sending {
    worm: Worm,
    header: Header,
    born: u64,
    /// The flit to be sent next.
    flit: u32,
}

impl Engine for Reference {
    fn new(setup: Setup, statistics: Statistics) -> Reference {
        let flits = setup.model.flits(setup.packet) as u32;
        let lengths = Lengths::new(&setup);
        let base = Base::new(setup, statistics);
        let sending = vec![None; base.sources.len()];
        let mut engine = Reference::empty(base, Sources { flits, sending, lengths });
        for index in 0..engine.base.sources.len() {
            engine.schedule_source(EndpointId(index as u32));
        }
        engine
    }

    fn base(&self) -> &Base {
        &self.base
    }

    fn base_mut(&mut self) -> &mut Base {
        &mut self.base
    }

    fn step(&mut self, until: u64) -> Served {
        self.serve_next(until)
    }

    fn in_network(&self) -> u64 {
        let Some(lengths) = &self.ends.lengths else { return self.inside };
        let bytes: u64 = self.in_flight().map(|(_, packet)| u64::from(packet.bytes)).sum();
        bytes / u64::from(lengths.longest)
    }

    fn holds_older_than(&self, time: u64) -> bool {
        let sending = self.ends.sending.iter().flatten().any(|sending| sending.born < time);
        sending || self.in_flight().any(|(_, packet)| packet.born < time)
    }

    fn busy(&self, now: u64) -> impl Iterator<Item = u64> {
        self.outputs.busy(now).into_iter()
    }

    fn free_from(&self) -> impl Iterator<Item = u64> {
        self.outputs.all().iter().map(|output| output.free)
    }

    fn stuck_since(&self, time: u64) -> Vec<Waiting> {
        match self.outputs.stalled_since(time) {
            true => self.waits(time),
            false => Vec::new(),
        }
    }

    fn room(&self, buffer: Buffer) -> Room {
        self.room_in(buffer)
    }
}

impl Reference {
    /// Asks for an event when the head of a source queue is through the adapter and the link is
    /// free.
    fn schedule_source(&mut self, endpoint: EndpointId) {
        let Some(source) = &self.base.sources[endpoint.index()] else { return };
        let ready = match self.ends.sending[endpoint.index()] {
            Some(_) => self.base.now,
            None => source.ready(self.base.setup.adapter_latency),
        };
        let time = ready.max(self.outputs.get(source.injection).free).max(self.base.now);
        self.queue.push(time, Kind::Generate { source: endpoint.0 });
    }

    /// Takes the packet at the head of a source queue and decides its route.
    fn begin(&mut self, endpoint: EndpointId) -> Option<Sending> {
        let source = self.base.sources[endpoint.index()].as_mut()?;
        let together = self.base.setup.injection.together();
        let first = |lengths: &Lengths| lengths.message(endpoint).wrapping_mul(together);
        let number = self.ends.lengths.as_ref().map_or(source.sent, first);
        source.keep_way(&self.base.setup, number);
        let destination = source.next;
        let header = self.header(Pair { source: endpoint, destination }, None);
        let Base { setup, sources, gap, residents, now, .. } = &mut self.base;
        let source = sources[endpoint.index()].as_mut()?;
        let worm = Worm { source: endpoint.0, number: source.sent };
        let born = source.next_birth;
        let law = Law { setup, residents, gap };
        match &mut self.ends.lengths {
            None => source.advance(endpoint, *now, law),
            Some(lengths) => {
                source.advance_within(lengths.advance(endpoint), endpoint, *now, law);
            }
        }
        Some(Sending { worm, header, born, flit: 0 })
    }
}

impl Ends for Sources {
    /// Injects the packet at the head of a source queue, or a flit of it, if the switch has room.
    fn generate(engine: &mut Reference, source: u32) {
        let endpoint = EndpointId(source);
        let bytes = match &engine.ends.lengths {
            None => engine.base.setup.unit().0 as u32,
            Some(lengths) => lengths.next(endpoint),
        };
        let Some(source) = &mut engine.base.sources[endpoint.index()] else { return };
        let over = source.injection;
        source.blocked = !engine.outputs.has_credit(over, 0, bytes);
        if source.blocked {
            return;
        }
        let begun = engine.ends.sending[endpoint.index()];
        let Some(sending) = begun.or_else(|| engine.begin(endpoint)) else { return };
        let Sending { worm, header, born, flit } = sending;
        let is_last = flit + 1 == engine.ends.flits;
        let next = Sending { flit: flit + 1, ..sending };
        engine.ends.sending[endpoint.index()] = (!is_last).then_some(next);
        engine.inject(Packet {
            worm,
            flit,
            is_last,
            bytes,
            header,
            born,
            over,
            vc: 0,
            tail: 0,
            switches: 0,
        });
        engine.schedule_source(endpoint);
    }

    fn resume(engine: &mut Reference, endpoint: EndpointId, _over: PortId) {
        if let Some(source) = &mut engine.base.sources[endpoint.index()]
            && source.blocked
        {
            source.blocked = false;
            engine.schedule_source(endpoint);
        }
    }

    fn injection(&self, base: &Base, worm: Worm) -> Option<PortId> {
        base.setup.network.injection(EndpointId(worm.source))
    }

    fn deliver(engine: &mut Reference, packet: &Packet) {
        let Packet { worm, born, switches, bytes, .. } = *packet;
        let delivery = Delivery { source: worm.source, number: worm.number, born, switches };
        let now = engine.base.now;
        match &mut engine.ends.lengths {
            None => engine.base.deliver(now, &delivery),
            Some(lengths) => {
                lengths.arrived += 1;
                let [bytes, longest] = [bytes, lengths.longest].map(u64::from);
                let part = Part { bytes, longest, message: lengths.message };
                engine.base.deliver_bytes(now, &delivery, part);
            }
        }
    }

    fn routes<'a>(
        &'a mut self,
        sources: &'a mut [Option<Source>],
        endpoint: EndpointId,
    ) -> Option<&'a mut Stream> {
        sources[endpoint.index()].as_mut().map(|source| &mut source.routes)
    }

    fn number(&self, worm: Worm) -> u32 {
        worm.number
    }

    #[cfg(debug_assertions)]
    fn counts(&self, base: &Base) -> (u64, u64) {
        let sources = base.sources.iter().flatten();
        let delivered = self.lengths.as_ref().map_or(base.delivered(), |lengths| lengths.arrived);
        (sources.map(|source| u64::from(source.sent)).sum(), delivered)
    }
}
