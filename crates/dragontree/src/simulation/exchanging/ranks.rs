//! What the ranks of an exchange have to send, and the adapters of their endpoints: the part of a run
//! that both engines share.

use std::collections::VecDeque;
use std::sync::Arc;

use super::super::Setup;
use super::super::endpoint::way_of_message;
use super::outlets::{Outlet, Outlets};
use super::{ExchangeSetup, Tally};
use crate::exchange::{Message, Moment, Queueing, State, Workload};
use crate::network::{EndpointId, PortId};
use crate::random::Stream;
use crate::routing::{Pair, Route, Waypoints};
use crate::units::Rank;

/// An exchange under way.
pub(in crate::simulation) struct Ranks {
    placement: Arc<[EndpointId]>,
    workload: Arc<Workload>,
    state: State,
    is_acknowledged: bool,
    /// Whether messages that stay within an endpoint take their way, too.
    sends_own: bool,
    queueing: Queueing,
    /// What moves whole: the longest packet, or a flit in wormhole switching.
    unit: u32,
    is_wormhole: bool,
    /// The length of an acknowledgement.
    acknowledgement: u32,
    /// By outlet.
    pub(in crate::simulation) adapters: Vec<Adapter>,
    /// Where routes choose among the ports of endpoints.
    outlets: Option<Outlets>,
    letters: Vec<Letter>,
    unused: Vec<u32>,
    /// Messages that are being posted, and those that follow them at once; kept for their memory.
    posted: VecDeque<Message>,
    following: Vec<Message>,
    /// Packets that were injected, at least in part, and packets that were delivered.
    pub(in crate::simulation) injected: u64,
    pub(in crate::simulation) delivered: u64,
    pub(in crate::simulation) tally: Tally,
}

/// What an endpoint has to send by one of its ports.
pub(in crate::simulation) struct Adapter {
    pub(in crate::simulation) injection: Option<PortId>,
    /// Places of letters: acknowledgements, which go first, and messages.
    acknowledgements: VecDeque<u32>,
    messages: VecDeque<u32>,
    /// When it will be asked for a packet; never, if nobody asks. What it was to be asked later counts
    /// no more once it is asked sooner.
    pub(in crate::simulation) asked: u64,
    /// How many letters the endpoint has had, and the draws of their ways; at its first port only.
    posted: u32,
    pub(in crate::simulation) routes: Stream,
}

/// A message under way, or its acknowledgement.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulation) struct Letter {
    message: Message,
    pub(in crate::simulation) is_acknowledgement: bool,
    pub(in crate::simulation) posted: u64,
    pub(in crate::simulation) pair: Pair,
    /// The port by which it leaves.
    pub(in crate::simulation) outlet: Outlet,
    /// Its number among those of its source.
    pub(in crate::simulation) number: u32,
    /// How many packets or flits it has, and how many of them have been injected.
    pub(in crate::simulation) parts: u32,
    pub(in crate::simulation) injected: u32,
    /// How many of its packets have not arrived; in wormhole switching it is one.
    expected: u32,
}

impl Letter {
    /// The waypoints of its packets, where routes have some of its own for it.
    pub(in crate::simulation) fn waypoints(&self, route: &dyn Route) -> Option<Waypoints> {
        match self.is_acknowledgement {
            true => route.of_answer(self.pair, self.message.label),
            false => route.of_message(self.pair, self.message.label),
        }
    }
}

impl Ranks {
    pub(in crate::simulation) fn new(setup: &ExchangeSetup) -> Ranks {
        let ExchangeSetup { network, workload, model, .. } = setup;
        let unit = model.unit(setup.packet);
        let outlets = Outlets::new(setup);
        let first = network.endpoints().map(|endpoint| network.injection(endpoint));
        let further = outlets.iter().flat_map(|outlets| outlets.further().map(Some));
        let adapter = |(number, injection): (u32, Option<PortId>)| Adapter {
            injection,
            acknowledgements: VecDeque::new(),
            messages: VecDeque::new(),
            asked: u64::MAX,
            posted: 0,
            routes: Stream::new(setup.seed, "exchange routing", number.into()),
        };
        Ranks {
            placement: setup.placement.clone(),
            state: workload.start(),
            is_acknowledged: workload.is_acknowledged(),
            sends_own: workload.sends_own(),
            queueing: workload.queueing(),
            workload: workload.clone(),
            unit: unit.0 as u32,
            is_wormhole: model.flit.is_some(),
            acknowledgement: setup.acknowledgement.0.min(unit.0) as u32,
            adapters: (0..).zip(first.chain(further)).map(adapter).collect(),
            outlets,
            letters: Vec::new(),
            unused: Vec::new(),
            posted: VecDeque::new(),
            following: Vec::new(),
            injected: 0,
            delivered: 0,
            tally: Tally::default(),
        }
    }

    /// Whether endpoints send by several ports at the same time.
    pub(in crate::simulation) fn has_several_outlets(&self) -> bool {
        self.outlets.is_some()
    }

    /// What decides about the order in which letters have left outlets at one time.
    pub(in crate::simulation) fn orders_sent(&self, outlet: Outlet) -> u32 {
        let port = self.adapters[outlet.index()].injection.filter(|_| self.has_several_outlets());
        port.map_or(outlet.0, |port| port.0)
    }

    /// The outlet that a port of an endpoint is.
    pub(in crate::simulation) fn outlet(&self, endpoint: EndpointId, port: PortId) -> Outlet {
        self.outlets.as_ref().map_or(endpoint.into(), |outlets| outlets.at(endpoint, port))
    }

    /// Before the way of a letter's packet is chosen: they make the same choices where that is asked.
    pub(in crate::simulation) fn keep_way(&mut self, setup: &Setup, place: u32) {
        if setup.injection.keeps_ways() {
            let Letter { pair: Pair { source, .. }, number, .. } = *self.letter(place);
            self.adapters[source.index()].routes = way_of_message(setup.seed, source.0, number);
        }
    }

    pub(in crate::simulation) fn letter(&self, place: u32) -> &Letter {
        &self.letters[place as usize]
    }

    /// How many letters have not left their sources.
    pub(in crate::simulation) fn at_sources(&self) -> u64 {
        let waiting = |adapter: &Adapter| adapter.acknowledgements.len() + adapter.messages.len();
        self.adapters.iter().map(|adapter| waiting(adapter) as u64).sum()
    }

    /// About how much memory it takes, in bytes.
    pub(in crate::simulation) fn memory(&self) -> usize {
        self.letters.capacity() * size_of::<Letter>() + self.adapters.len() * size_of::<Adapter>()
    }

    /// Posts what every rank may send at once. Adds the outlets that have something to send now to
    /// `senders`, as the others do.
    pub(in crate::simulation) fn begin(&mut self, senders: &mut Vec<Outlet>) {
        for rank in 0..self.workload.ranks() {
            self.workload.begin(&mut self.state, Rank(rank), &mut self.following);
        }
        self.post(0, senders);
    }

    /// Takes up the messages that follow something and may be sent from now on. Those that stay
    /// within an endpoint arrive at once, and what waits for them follows.
    fn post(&mut self, now: u64, senders: &mut Vec<Outlet>) {
        self.posted.extend(self.following.drain(..));
        while let Some(message) = self.posted.pop_front() {
            let ends = [message.source, message.destination];
            let [source, destination] = ends.map(|rank| self.placement[rank.0 as usize]);
            if source != destination || self.sends_own {
                senders.push(self.enqueue(message, false, now));
                continue;
            }
            self.tally.keep(&message, now);
            self.react(Moment::Sent, &message);
            self.react(Moment::Delivered, &message);
            if self.is_acknowledged {
                self.tally.acknowledge(now);
                self.react(Moment::Acknowledged, &message);
            }
            self.posted.extend(self.following.drain(..));
        }
    }

    /// Notes what may be sent because something has happened to a message.
    fn react(&mut self, moment: Moment, message: &Message) {
        let Ranks { workload, state, following, .. } = self;
        workload.react(state, moment, message, following);
    }

    /// A message's last bit has left its source.
    pub(in crate::simulation) fn sent(&mut self, place: u32, now: u64, senders: &mut Vec<Outlet>) {
        let message = self.letter(place).message;
        self.react(Moment::Sent, &message);
        self.post(now, senders);
    }

    /// A packet of a letter has come through its destination's adapter.
    pub(in crate::simulation) fn deliver(
        &mut self,
        place: u32,
        now: u64,
        senders: &mut Vec<Outlet>,
    ) {
        self.delivered += 1;
        let letter = &mut self.letters[place as usize];
        letter.expected -= 1;
        let Letter { message, is_acknowledgement, posted, expected, .. } = *letter;
        self.tally.packets += u64::from(!is_acknowledgement);
        if expected > 0 {
            return;
        }
        self.unused.push(place);
        if is_acknowledgement {
            self.tally.acknowledge(now);
            self.react(Moment::Acknowledged, &message);
        } else {
            self.tally.deliver(&message, posted, now);
            if self.is_acknowledged {
                senders.push(self.enqueue(message, true, now));
            }
            self.react(Moment::Delivered, &message);
        }
        self.post(now, senders);
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

    /// Puts a message, or its acknowledgement, into the queue of the outlet that sends it.
    fn enqueue(&mut self, message: Message, is_acknowledgement: bool, now: u64) -> Outlet {
        let mut ends = [message.source, message.destination];
        if is_acknowledgement {
            ends.reverse();
        }
        let [source, destination] = ends.map(|rank| self.placement[rank.0 as usize]);
        let parts = match is_acknowledgement {
            true => 1,
            false => message.bytes.0.div_ceil(self.unit.into()).clamp(1, u32::MAX.into()) as u32,
        };
        let mut letter = Letter {
            message,
            is_acknowledgement,
            posted: now,
            pair: Pair { source, destination },
            outlet: source.into(),
            number: self.adapters[source.index()].posted,
            parts,
            injected: 0,
            expected: if self.is_wormhole { 1 } else { parts },
        };
        if let Some(outlets) = &self.outlets {
            letter.outlet = outlets.of(&letter);
        }
        let place = self.store(letter);
        let posted = &mut self.adapters[source.index()].posted;
        *posted = posted.wrapping_add(1);
        let adapter = &mut self.adapters[letter.outlet.index()];
        match is_acknowledgement {
            true => adapter.acknowledgements.push_back(place),
            false => adapter.messages.push_back(place),
        }
        letter.outlet
    }

    /// The port that an outlet is and the time at which the first of its letters was posted, where
    /// there is one.
    pub(in crate::simulation) fn first(&self, outlet: Outlet) -> Option<(PortId, u64)> {
        let adapter = &self.adapters[outlet.index()];
        let over = adapter.injection?;
        let firsts = [&adapter.acknowledgements, &adapter.messages].map(VecDeque::front);
        let posted = firsts.into_iter().flatten().map(|place| self.letter(*place).posted).min()?;
        Some((over, posted))
    }

    /// The letter that an outlet sends a packet or flit of now: one that has begun and must not be
    /// interrupted, an acknowledgement, or a message; of those that were posted by then.
    pub(in crate::simulation) fn next(&self, outlet: Outlet, latest: u64) -> Option<u32> {
        let Adapter { acknowledgements, messages, .. } = &self.adapters[outlet.index()];
        let message = messages.front().copied();
        let through = |place: &u32| self.letter(*place).posted <= latest;
        let begun = message.filter(|place| self.is_wormhole && self.letter(*place).injected > 0);
        let first = begun.or(acknowledgements.front().copied().filter(through));
        first.or(message.filter(through))
    }

    /// When the first acknowledgement of an outlet was posted, if that is later: there may be room for
    /// it where there is none for what is sent now.
    pub(in crate::simulation) fn answer_after(&self, outlet: Outlet, time: u64) -> Option<u64> {
        let first = self.adapters[outlet.index()].acknowledgements.front()?;
        Some(self.letter(*first).posted).filter(|posted| *posted > time)
    }

    /// Notes that the next part of a letter is injected; whether that was its last.
    pub(in crate::simulation) fn advance(&mut self, place: u32) -> bool {
        let letter = &mut self.letters[place as usize];
        letter.injected += 1;
        let is_last = letter.injected == letter.parts;
        self.injected += u64::from(!self.is_wormhole || letter.injected == 1);
        let adapter = &mut self.adapters[letter.outlet.index()];
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
    pub(in crate::simulation) fn part(&self, letter: &Letter) -> u32 {
        let unit = u64::from(self.unit);
        match letter.is_acknowledgement {
            _ if self.is_wormhole => self.unit,
            true => self.acknowledgement,
            false => (letter.message.bytes.0 - unit * u64::from(letter.injected)).min(unit) as u32,
        }
    }
}
