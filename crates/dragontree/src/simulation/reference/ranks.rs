//! The ranks of an exchange, and the adapters of their endpoints.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use crate::exchange::{Message, Moment, Queueing, State, Workload};
use crate::network::{EndpointId, PortId};
use crate::random::Stream;
use crate::routing::{Header, Pair};
use crate::units::{Bytes, Rank};

use super::super::endpoint::Source;
use super::super::engine::{Base, Room};
use super::super::exchanging::{ExchangeSetup, Tally};
use super::super::statistics::Statistics;
use super::super::{Buffer, Waiting, deadlock};
use super::ends::Ends;
use super::outputs::Worm;
use super::queue::Kind;
use super::{Packet, Reference};

/// An exchange under way.
pub(in crate::simulation) struct Ranks {
    placement: Arc<[EndpointId]>,
    workload: Arc<Workload>,
    state: State,
    is_acknowledged: bool,
    queueing: Queueing,
    /// What moves whole: the longest packet, or a flit in wormhole switching.
    unit: u32,
    is_wormhole: bool,
    /// The length of an acknowledgement.
    acknowledgement: u32,
    adapters: Vec<Adapter>,
    letters: Vec<Letter>,
    unused: Vec<u32>,
    /// Packets that were injected, at least in part, and packets that were delivered.
    injected: u64,
    delivered: u64,
    pub(in crate::simulation) tally: Tally,
}

/// What an endpoint has to send.
struct Adapter {
    injection: Option<PortId>,
    /// Places of letters: acknowledgements, which go first, and messages.
    acknowledgements: VecDeque<u32>,
    messages: VecDeque<u32>,
    /// Whether it will be asked for a packet.
    asked: bool,
    /// How many letters it has had.
    posted: u32,
    routes: Stream,
}

/// A message under way, or its acknowledgement.
#[derive(Clone, Copy, Debug)]
struct Letter {
    message: Message,
    is_acknowledgement: bool,
    posted: u64,
    pair: Pair,
    /// Its number among those of its source.
    number: u32,
    /// How many packets or flits it has, and how many of them have been injected.
    parts: u32,
    injected: u32,
    /// How many of its packets have not arrived; in wormhole switching it is one.
    expected: u32,
    /// What its latest packet carries.
    header: Header,
}

impl Ranks {
    fn new(setup: &ExchangeSetup, unit: Bytes) -> Ranks {
        let ExchangeSetup { network, workload, model, .. } = setup;
        let adapter = |endpoint: EndpointId| Adapter {
            injection: network.injection(endpoint),
            acknowledgements: VecDeque::new(),
            messages: VecDeque::new(),
            asked: false,
            posted: 0,
            routes: Stream::new(setup.seed, "exchange routing", endpoint.0.into()),
        };
        Ranks {
            placement: setup.placement.clone(),
            state: workload.start(),
            is_acknowledged: workload.is_acknowledged(),
            queueing: workload.queueing(),
            workload: workload.clone(),
            unit: unit.0 as u32,
            is_wormhole: model.flit.is_some(),
            acknowledgement: setup.acknowledgement.0.min(unit.0) as u32,
            adapters: network.endpoints().map(adapter).collect(),
            letters: Vec::new(),
            unused: Vec::new(),
            injected: 0,
            delivered: 0,
            tally: Tally::default(),
        }
    }

    /// Keeps a letter until it has arrived; returns its place.
    fn store(&mut self, letter: Letter) -> u32 {
        match self.unused.pop() {
            Some(place) => {
                self.letters[place as usize] = letter;
                place
            }
            None => {
                self.letters.push(letter);
                self.letters.len() as u32 - 1
            }
        }
    }

    /// Puts a message, or its acknowledgement, into the queue of the endpoint that sends it.
    fn enqueue(&mut self, message: Message, is_acknowledgement: bool, now: u64) -> EndpointId {
        let mut ends = [message.source, message.destination];
        if is_acknowledgement {
            ends.reverse();
        }
        let [source, destination] = ends.map(|rank| self.placement[rank.0 as usize]);
        let parts = match is_acknowledgement {
            true => 1,
            false => message.bytes.0.div_ceil(self.unit.into()).clamp(1, u32::MAX.into()) as u32,
        };
        let letter = Letter {
            message,
            is_acknowledgement,
            posted: now,
            pair: Pair { source, destination },
            number: self.adapters[source.index()].posted,
            parts,
            injected: 0,
            expected: if self.is_wormhole { 1 } else { parts },
            header: Header { destination, waypoints: Default::default(), stage: 0 },
        };
        let place = self.store(letter);
        let adapter = &mut self.adapters[source.index()];
        adapter.posted = adapter.posted.wrapping_add(1);
        match is_acknowledgement {
            true => adapter.acknowledgements.push_back(place),
            false => adapter.messages.push_back(place),
        }
        source
    }

    /// The letter that an endpoint sends a packet or flit of now: one that has begun and must not be
    /// interrupted, an acknowledgement, or a message.
    fn next(&self, endpoint: EndpointId, through: impl Fn(&Letter) -> bool) -> Option<u32> {
        let Adapter { acknowledgements, messages, .. } = &self.adapters[endpoint.index()];
        let message = messages.front().copied();
        let letter = |place: &u32| &self.letters[*place as usize];
        let begun = message.filter(|place| self.is_wormhole && letter(place).injected > 0);
        let first =
            begun.or(acknowledgements.front().copied().filter(|each| through(letter(each))));
        first.or(message.filter(|each| through(letter(each))))
    }

    /// Notes that the next part of a letter is injected; whether that was its last.
    fn advance(&mut self, place: u32) -> bool {
        let letter = &mut self.letters[place as usize];
        letter.injected += 1;
        let is_last = letter.injected == letter.parts;
        self.injected += u64::from(!self.is_wormhole || letter.injected == 1);
        let adapter = &mut self.adapters[letter.pair.source.index()];
        if letter.is_acknowledgement {
            adapter.acknowledgements.pop_front();
        } else if is_last {
            adapter.messages.pop_front();
        } else if !self.is_wormhole && self.queueing == Queueing::RoundRobin {
            adapter.messages.rotate_left(1);
        }
        is_last
    }

    /// The bytes of the next part of a letter.
    fn part(&self, letter: &Letter) -> u32 {
        let unit = u64::from(self.unit);
        match letter.is_acknowledgement {
            _ if self.is_wormhole => self.unit,
            true => self.acknowledgement,
            false => (letter.message.bytes.0 - unit * u64::from(letter.injected)).min(unit) as u32,
        }
    }
}

impl Reference<Ranks> {
    /// An exchange at time zero: what its ranks may send at once is posted.
    pub(in crate::simulation) fn exchange(setup: &ExchangeSetup) -> Reference<Ranks> {
        let fabric = setup.fabric();
        let ranks = Ranks::new(setup, fabric.unit());
        let base = Base::new(fabric, Statistics::new(0, 1, 0));
        let mut engine = Reference::empty(base, ranks);
        let mut posted = Vec::new();
        for rank in 0..setup.workload.ranks() {
            setup.workload.begin(Rank(rank), &mut posted);
        }
        engine.post(posted);
        engine
    }

    /// Serves the events of the next time; whether there were any, and how many.
    pub(in crate::simulation) fn advance(&mut self) -> Option<u64> {
        match self.serve_next(u64::MAX) {
            super::Served::Events(count) => Some(count),
            super::Served::All | super::Served::Last => None,
        }
    }

    pub(in crate::simulation) fn base(&self) -> &Base {
        &self.base
    }

    pub(in crate::simulation) fn tally(&self) -> &Tally {
        &self.ends.tally
    }

    /// For each channel, how long it has been busy until now.
    pub(in crate::simulation) fn busy(&self, now: u64) -> Vec<u64> {
        self.outputs.busy(now)
    }

    /// About how much memory the state takes.
    pub(in crate::simulation) fn memory(&self) -> Bytes {
        let ranks = self.ends.letters.capacity() * size_of::<Letter>()
            + self.ends.adapters.len() * size_of::<Adapter>();
        Bytes((self.network_memory() + ranks) as u64)
    }

    /// When nothing happens any more: the packets in the network, which wait for each other; none
    /// where the network is empty.
    pub(in crate::simulation) fn deadlock(&self) -> Option<Vec<Waiting>> {
        if self.inside == 0 {
            return None;
        }
        let waiting = self.waits();
        let held: BTreeSet<Buffer> = waiting.iter().map(|each| each.holds).collect();
        let room = |buffer| Room { open: !held.contains(&buffer), occupied: 0 };
        let cycle = deadlock::find(waiting.clone(), &room);
        cycle.or(Some(waiting))
    }

    /// Takes up messages that may be sent from now on. Those that stay within an endpoint arrive at
    /// once, and what waits for them follows.
    fn post(&mut self, messages: Vec<Message>) {
        let now = self.base.now;
        let mut messages = VecDeque::from(messages);
        let mut following = Vec::new();
        while let Some(message) = messages.pop_front() {
            let ends = [message.source, message.destination];
            let [source, destination] = ends.map(|rank| self.ends.placement[rank.0 as usize]);
            if source != destination {
                self.ends.enqueue(message, false, now);
                self.ask(source);
                continue;
            }
            let Ranks { workload, state, tally, is_acknowledged, .. } = &mut self.ends;
            tally.deliver(&message, now, now);
            workload.react(state, Moment::Sent, &message, &mut following);
            workload.react(state, Moment::Delivered, &message, &mut following);
            if *is_acknowledged {
                tally.acknowledge(now);
                workload.react(state, Moment::Acknowledged, &message, &mut following);
            }
            messages.extend(following.drain(..));
        }
    }

    /// Something has happened to a message: what waits for it may be sent.
    fn happen(&mut self, moment: Moment, message: &Message) {
        let mut posted = Vec::new();
        self.ends.workload.react(&mut self.ends.state, moment, message, &mut posted);
        self.post(posted);
    }

    /// Asks an endpoint for a packet when the first of its letters is through the adapter and the link
    /// is free.
    fn ask(&mut self, endpoint: EndpointId) {
        let adapter = &self.ends.adapters[endpoint.index()];
        let Some(over) = adapter.injection.filter(|_| !adapter.asked) else { return };
        let posted = |place: &u32| self.ends.letters[*place as usize].posted;
        let firsts = [&adapter.acknowledgements, &adapter.messages].map(VecDeque::front);
        let Some(first) = firsts.into_iter().flatten().map(posted).min() else { return };
        let through = first + self.base.setup.adapter_latency.as_ps();
        let time = through.max(self.outputs.get(over).free).max(self.base.now);
        self.queue.push(time, Kind::Generate { endpoint });
        self.ends.adapters[endpoint.index()].asked = true;
    }
}

impl Ends for Ranks {
    fn generate(engine: &mut Reference<Ranks>, endpoint: EndpointId) {
        let adapter = &mut engine.ends.adapters[endpoint.index()];
        adapter.asked = false;
        let Some(over) = adapter.injection else { return };
        let (now, latency) = (engine.base.now, engine.base.setup.adapter_latency.as_ps());
        let through = |letter: &Letter| letter.posted + latency <= now;
        let Some(place) = engine.ends.next(endpoint, through) else {
            return engine.ask(endpoint);
        };
        let Letter { pair, parts, injected, posted, .. } = engine.ends.letters[place as usize];
        let bytes = engine.ends.part(&engine.ends.letters[place as usize]);
        if !engine.outputs.has_credit(over, 0, bytes) {
            return;
        }
        let is_wormhole = engine.ends.is_wormhole;
        if injected == 0 || !is_wormhole {
            engine.ends.letters[place as usize].header = engine.header(pair);
        }
        let is_end = engine.ends.advance(place);
        engine.inject(Packet {
            worm: Worm { source: endpoint.0, number: place },
            flit: if is_wormhole { injected } else { 0 },
            is_last: !is_wormhole || injected + 1 == parts,
            bytes,
            header: engine.ends.letters[place as usize].header,
            born: posted,
            over,
            vc: 0,
            tail: 0,
            switches: 0,
        });
        if is_end && !engine.ends.letters[place as usize].is_acknowledgement {
            engine.queue.push(engine.outputs.get(over).free, Kind::Sent { message: place });
        }
        engine.ask(endpoint);
    }

    fn resume(engine: &mut Reference<Ranks>, endpoint: EndpointId) {
        engine.ask(endpoint);
    }

    fn sent(engine: &mut Reference<Ranks>, message: u32) {
        let message = engine.ends.letters[message as usize].message;
        engine.happen(Moment::Sent, &message);
    }

    fn deliver(engine: &mut Reference<Ranks>, packet: &Packet) {
        let now = engine.base.now;
        let ranks = &mut engine.ends;
        ranks.delivered += 1;
        let letter = &mut ranks.letters[packet.worm.number as usize];
        letter.expected -= 1;
        let Letter { message, is_acknowledgement, posted, expected, .. } = *letter;
        ranks.tally.packets += u64::from(!is_acknowledgement);
        if expected > 0 {
            return;
        }
        ranks.unused.push(packet.worm.number);
        if is_acknowledgement {
            ranks.tally.acknowledge(now);
            return engine.happen(Moment::Acknowledged, &message);
        }
        ranks.tally.deliver(&message, posted, now);
        if ranks.is_acknowledged {
            let source = ranks.enqueue(message, true, now);
            engine.ask(source);
        }
        engine.happen(Moment::Delivered, &message);
    }

    fn routes<'a>(
        &'a mut self,
        _sources: &'a mut [Option<Source>],
        endpoint: EndpointId,
    ) -> Option<&'a mut Stream> {
        self.adapters.get_mut(endpoint.index()).map(|adapter| &mut adapter.routes)
    }

    fn number(&self, worm: Worm) -> u32 {
        self.letters[worm.number as usize].number
    }

    #[cfg(debug_assertions)]
    fn counts(&self, _base: &Base) -> (u64, u64) {
        (self.injected, self.delivered)
    }
}
