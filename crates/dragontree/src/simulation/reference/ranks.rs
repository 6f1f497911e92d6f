//! The ranks of an exchange.

use crate::network::{EndpointId, PortId};
use crate::random::Stream;
use crate::routing::Header;
use crate::units::Bytes;

use super::super::Waiting;
use super::super::endpoint::Source;
use super::super::engine::{Base, Served};
use super::super::exchanging::{ExchangeSetup, Letter, Outlet, Ranks, Tally};
use super::super::statistics::Statistics;
use super::ends::Ends;
use super::outputs::Worm;
use super::queue::Kind;
use super::{Packet, Reference};

/// Ranks that send over this engine.
pub(in crate::simulation) struct Senders {
    ranks: Ranks,
    is_wormhole: bool,
    /// For each outlet, what its latest packet carries; all flits of a message carry the same.
    headers: Vec<Option<Header>>,
    /// The outlets that have something to send since something has happened; kept for its memory.
    asking: Vec<Outlet>,
}

impl Reference<Senders> {
    /// An exchange at time zero: what its ranks may send at once is posted.
    pub(in crate::simulation) fn exchange(setup: &ExchangeSetup) -> Reference<Senders> {
        let ranks = Ranks::new(setup);
        let base = Base::new(setup.fabric(), Statistics::new(0, 1, 0, 1));
        let senders = Senders {
            headers: vec![None; ranks.adapters.len()],
            is_wormhole: setup.model.flit.is_some(),
            ranks,
            asking: Vec::new(),
        };
        let mut engine = Reference::empty(base, senders);
        engine.ends.ranks.begin(&mut engine.ends.asking);
        engine.ask_all();
        engine
    }

    /// Serves the events of the next time, if that is before `until`.
    pub(in crate::simulation) fn advance(&mut self, until: u64) -> Served {
        self.serve_next(until)
    }

    /// What is known between two times is the state at one.
    pub(in crate::simulation) fn window_length(&self) -> u64 {
        1
    }

    pub(in crate::simulation) fn now(&self) -> u64 {
        self.base.now
    }

    pub(in crate::simulation) fn events(&self) -> u64 {
        self.base.events
    }

    pub(in crate::simulation) fn packet_hops(&self) -> u64 {
        self.base.statistics.packet_hops
    }

    pub(in crate::simulation) fn tally(&self) -> &Tally {
        &self.ends.ranks.tally
    }

    /// For each channel, how long it has been busy until now.
    pub(in crate::simulation) fn busy(&self, now: u64) -> Vec<u64> {
        self.outputs.busy(now)
    }

    /// About how much memory the state takes.
    pub(in crate::simulation) fn memory(&self) -> Bytes {
        Bytes((self.network_memory() + self.ends.ranks.memory()) as u64)
    }

    /// How many packets are in the network.
    pub(in crate::simulation) fn in_network(&self) -> u64 {
        self.inside
    }

    /// How many messages and acknowledgements have not left their sources.
    pub(in crate::simulation) fn at_sources(&self) -> u64 {
        self.ends.ranks.at_sources()
    }

    /// The packets that wait for an output.
    pub(in crate::simulation) fn waiting(&self) -> Vec<Waiting> {
        self.waits(u64::MAX)
    }

    fn ask_all(&mut self) {
        let mut asking = std::mem::take(&mut self.ends.asking);
        asking.drain(..).for_each(|outlet| self.ask(outlet));
        self.ends.asking = asking;
    }

    /// Asks an outlet for a packet when the first of its letters is through the adapter and the link
    /// is free.
    fn ask(&mut self, outlet: Outlet) {
        let Some((over, posted)) = self.ends.ranks.first(outlet) else { return };
        let through = posted + self.base.setup.adapter_latency.as_ps();
        self.ask_at(through.max(self.outputs.get(over).free).max(self.base.now), outlet);
    }

    /// Asks an outlet for a packet at a time, unless it is asked by then.
    fn ask_at(&mut self, time: u64, outlet: Outlet) {
        let asked = &mut self.ends.ranks.adapters[outlet.index()].asked;
        if time < *asked {
            *asked = time;
            self.queue.push(time, Kind::Generate { source: outlet.0 });
        }
    }
}

impl Ends for Senders {
    fn generate(engine: &mut Reference<Senders>, source: u32) {
        let outlet = Outlet(source);
        let adapter = &mut engine.ends.ranks.adapters[outlet.index()];
        let Some(over) = adapter.injection else { return };
        let (now, latency) = (engine.base.now, engine.base.setup.adapter_latency.as_ps());
        if adapter.asked != now {
            return;
        }
        adapter.asked = u64::MAX;
        let through = now.checked_sub(latency);
        let Some(place) = through.and_then(|latest| engine.ends.ranks.next(outlet, latest)) else {
            return engine.ask(outlet);
        };
        let letter = *engine.ends.ranks.letter(place);
        let Letter { pair, parts, injected, posted, .. } = letter;
        let bytes = engine.ends.ranks.part(&letter);
        if !engine.outputs.has_credit(over, 0, bytes) {
            let answer = engine.ends.ranks.answer_after(outlet, now - latency);
            return answer.map_or((), |posted| engine.ask_at(posted + latency, outlet));
        }
        let is_wormhole = engine.ends.is_wormhole;
        let begun = engine.ends.headers[outlet.index()].filter(|_| injected > 0 && is_wormhole);
        let known = letter.waypoints(engine.base.setup.routes.route());
        engine.ends.ranks.keep_way(&engine.base.setup, place);
        let header = begun.unwrap_or_else(|| engine.header(pair, known));
        engine.ends.headers[outlet.index()] = Some(header);
        let is_end = engine.ends.ranks.advance(place);
        engine.inject(Packet {
            worm: Worm { source: pair.source.0, number: place },
            flit: if is_wormhole { injected } else { 0 },
            is_last: !is_wormhole || injected + 1 == parts,
            bytes,
            header,
            born: posted,
            over,
            vc: 0,
            tail: 0,
            switches: 0,
        });
        if is_end && !letter.is_acknowledgement {
            let several = engine.ends.ranks.has_several_outlets();
            let owner = if several { engine.ends.ranks.orders_sent(outlet) } else { place };
            let free = engine.outputs.get(over).free;
            engine.queue.push(free, Kind::Sent { message: place, owner });
        }
        engine.ask(outlet);
    }

    fn resume(engine: &mut Reference<Senders>, endpoint: EndpointId, over: PortId) {
        engine.ask(engine.ends.ranks.outlet(endpoint, over));
    }

    fn orders_delivery(&self, packet: u32, over: PortId) -> u32 {
        // What comes to one endpoint by two ports is taken up in an order that all engines have.
        if self.ranks.has_several_outlets() { over.0 } else { packet }
    }

    fn injection(&self, _base: &Base, worm: Worm) -> Option<PortId> {
        self.ranks.adapters[self.ranks.letter(worm.number).outlet.index()].injection
    }

    fn sent(engine: &mut Reference<Senders>, message: u32) {
        let Senders { ranks, asking, .. } = &mut engine.ends;
        ranks.sent(message, engine.base.now, asking);
        engine.ask_all();
    }

    fn deliver(engine: &mut Reference<Senders>, packet: &Packet) {
        let Senders { ranks, asking, .. } = &mut engine.ends;
        ranks.deliver(packet.worm.number, engine.base.now, asking);
        engine.ask_all();
    }

    fn routes<'a>(
        &'a mut self,
        _sources: &'a mut [Option<Source>],
        endpoint: EndpointId,
    ) -> Option<&'a mut Stream> {
        self.ranks.adapters.get_mut(endpoint.index()).map(|adapter| &mut adapter.routes)
    }

    fn number(&self, worm: Worm) -> u32 {
        self.ranks.letter(worm.number).number
    }

    #[cfg(debug_assertions)]
    fn counts(&self, _base: &Base) -> (u64, u64) {
        (self.ranks.injected, self.ranks.delivered)
    }
}
