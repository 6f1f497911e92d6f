//! Switches flit by flit and slot by slot, as the documentation of the models tells it.
//!
//! In wormhole switching a message keeps the virtual channel of an output from its first flit to its
//! last; otherwise flits are packets that move whole, each by itself, of any length. Sizes count in
//! units, and a slot is the time of a unit on the fastest link; everything takes whole slots. At every
//! slot the whole network is looked at: there are no events, and what waits is one list, which is
//! searched for the oldest whenever an output has room.

use std::collections::VecDeque;

use dragontree::exchange::Moment;
use dragontree::random::mix;

/// What a channel leads from or to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Switch(usize),
    Endpoint(usize),
}

/// One direction of a link. Times in slots.
#[derive(Clone, Copy, Debug)]
pub struct Channel {
    pub from: End,
    pub to: End,
    pub latency: u64,
    /// The time of a unit on it.
    pub pace: u64,
}

/// A channel and a virtual channel.
pub type Lane = (usize, usize);

/// A message.
#[derive(Clone, Debug)]
pub struct Letter {
    pub source: usize,
    pub destination: usize,
    pub flits: u64,
    /// The units of each of its flits, and of the last.
    pub size: u64,
    pub last: u64,
    /// When it may be sent, if it waits for no others.
    pub born: u64,
    /// The earlier messages that it waits for, and what has to happen to them.
    pub after: Vec<(usize, Moment)>,
    /// The lanes it goes over, from its source's link to its destination's.
    pub way: Vec<Lane>,
    /// The message that it acknowledges, if it does.
    pub answers: Option<usize>,
}

/// Where a switch keeps flits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Design {
    /// Only the first of an input buffer may move.
    pub fifo_inputs: bool,
    pub outputs: Output,
}

/// What stands at an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Nothing: a flit is read from its input buffer while it is sent.
    Nothing,
    /// One queue of so many units, or of the flit that is being sent where these are none; a flit that
    /// enters it has its credit.
    Shared(u64),
    /// A queue of so many units for each virtual channel; a credit is needed to leave it.
    Own(u64),
}

/// Virtual lane arbitration by weights, as the notation tells it: two tables with a weight for each
/// virtual channel, and how many bytes the high one sends before the low one has a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    pub high: Vec<u64>,
    pub low: Vec<u64>,
    /// None where there is no limit.
    pub limit: Option<u64>,
}

/// A unit of the weights, in units of size: weights are for slots in which a unit is a byte.
const WEIGHT: u64 = 64;

/// Where a table of a port stands: the virtual channel it serves and what is left of its weight.
#[derive(Clone, Copy, Debug, Default)]
struct Table {
    vc: Option<usize>,
    left: u64,
}

impl Table {
    /// The virtual channel that it serves, of those that have something to send.
    fn serve(&mut self, weights: &[u64], sizes: &[Option<u64>]) -> Option<(usize, u64)> {
        let stays = self.vc.filter(|vc| self.left > 0 && sizes[*vc].is_some());
        if stays.is_none() {
            let lanes = sizes.len();
            let first = self.vc.map_or(0, |vc| vc + 1);
            let mut others = (0..lanes).map(|step| (first + step) % lanes);
            let vc = others.find(|vc| weights[*vc] > 0 && sizes[*vc].is_some())?;
            *self = Table { vc: Some(vc), left: weights[vc] * WEIGHT };
        }
        let vc = self.vc?;
        let cost = sizes[vc]?.div_ceil(WEIGHT) * WEIGHT;
        self.left = self.left.saturating_sub(cost);
        Some((vc, cost))
    }
}

/// In which order what happens at one time is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lots {
    /// By a hash of the seed, the time and the channel, as documented.
    Stated,
    /// The other way round, or by hashes of another seed: to see whether it matters.
    Reversed,
    Other(u64),
}

/// Everything that a run depends on; times in slots, sizes in units.
#[derive(Clone, Debug)]
pub struct World {
    pub channels: Vec<Channel>,
    pub traversal: u64,
    pub adapter: u64,
    pub buffer: u64,
    pub lanes: usize,
    pub design: Design,
    /// How outputs choose among virtual channels that do not simply take turns.
    pub weighed: Option<Weighed>,
    /// Whether switching is wormhole switching.
    pub worms: bool,
    /// Messages, and behind them as many acknowledgements where messages are acknowledged.
    pub letters: Vec<Letter>,
    pub seed: u64,
    /// The length of a slot in the time that is hashed.
    pub slot: u64,
    pub lots: Lots,
}

/// What waits in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stuck {
    pub source: usize,
    pub destination: usize,
    pub holds: Lane,
    /// Since when nothing has been taken of what waits for the same.
    pub since: u64,
}

/// What came of a run. Times in slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// For each letter, when it might be sent and when it was delivered.
    pub posted: Vec<Option<u64>>,
    pub delivered: Vec<Option<u64>>,
    /// How many of its flits have arrived.
    pub arrived: Vec<u64>,
    pub stuck: Vec<Stuck>,
    /// Whether nothing could happen any more.
    pub is_quiet: bool,
    /// Flits that were waiting at some time.
    pub waited: u64,
}

#[derive(Clone, Copy, Debug)]
struct Flit {
    letter: usize,
    index: u64,
    size: u64,
    /// The place on its way of the lane that it came by.
    step: usize,
    /// When its end is through to the allocator.
    end: u64,
}

/// What may be allowed to move: a flit that has come, or the next of a buffer whose first has gone.
#[derive(Clone, Copy, Debug)]
enum Contender {
    Head(Flit),
    Next(Lane),
}

/// Things and the slots at which they come.
struct Agenda<T>(Vec<(u64, T)>);

impl<T: Copy> Agenda<T> {
    fn due(&mut self, now: u64) -> Vec<T> {
        let due = self.0.iter().filter(|(at, _)| *at == now).map(|(_, thing)| *thing).collect();
        self.0.retain(|(at, _)| *at != now);
        due
    }
}

struct Floor<'a> {
    world: &'a World,
    now: u64,
    /// Free room behind each lane, and the letter that has the lane.
    room: Vec<u64>,
    owner: Vec<Option<usize>>,
    /// When each channel has sent what it was given.
    free: Vec<u64>,
    /// The virtual channel of an output whose turn it is: among those who wait, and among its queues.
    turn: Vec<usize>,
    queue_turn: Vec<usize>,
    /// The same by weights: the high and the low table, and what the high one has sent.
    tables: Vec<(Table, Table, u64)>,
    queues: Vec<VecDeque<Flit>>,
    /// The virtual channel on which each channel sends, and how much.
    sending: Vec<Option<(usize, u64)>>,
    /// What stands in each input buffer, of which only the first may move.
    inputs: Vec<VecDeque<Flit>>,
    /// Who waits for an output, the oldest first.
    waiting: Vec<Flit>,
    /// How many of these wait for each channel.
    wanted: Vec<usize>,
    still: Vec<u64>,
    credits: Agenda<(Lane, u64)>,
    contenders: Agenda<Contender>,
    deliveries: Agenda<usize>,
    sent: Agenda<usize>,
    /// What each endpoint has to send: acknowledgements, messages.
    answers: Vec<VecDeque<usize>>,
    messages: Vec<VecDeque<usize>>,
    injected: Vec<u64>,
    open: Vec<usize>,
    outcome: Outcome,
}

/// Runs until nothing can happen any more.
pub fn run(world: &World) -> Outcome {
    let outcome = run_until(world, 1_000_000);
    assert!(outcome.is_quiet, "it goes on for ever");
    outcome
}

/// Runs until nothing can happen any more, at most up to this slot.
pub fn run_until(world: &World, last: u64) -> Outcome {
    let channels = world.channels.len();
    let lanes = channels * world.lanes;
    let letters = world.letters.len();
    let mut floor = Floor {
        world,
        now: 0,
        room: vec![world.buffer; lanes],
        owner: vec![None; lanes],
        free: vec![0; channels],
        turn: vec![0; channels],
        queue_turn: vec![0; channels],
        tables: vec![Default::default(); channels],
        queues: vec![VecDeque::new(); lanes],
        sending: vec![None; channels],
        inputs: vec![VecDeque::new(); lanes],
        waiting: Vec::new(),
        wanted: vec![0; channels],
        still: vec![0; lanes],
        credits: Agenda(Vec::new()),
        contenders: Agenda(Vec::new()),
        deliveries: Agenda(Vec::new()),
        sent: Agenda(Vec::new()),
        answers: vec![VecDeque::new(); channels],
        messages: vec![VecDeque::new(); channels],
        injected: vec![0; letters],
        open: world.letters.iter().map(|letter| letter.after.len()).collect(),
        outcome: Outcome {
            posted: vec![None; letters],
            delivered: vec![None; letters],
            arrived: vec![0; letters],
            ..Outcome::default()
        },
    };
    for letter in 0..letters {
        if world.letters[letter].answers.is_none() && world.letters[letter].after.is_empty() {
            floor.post(letter, world.letters[letter].born);
        }
    }
    while floor.now <= last && !floor.is_quiet() {
        floor.slot();
        floor.now += 1;
    }
    floor.outcome.is_quiet = floor.is_quiet();
    floor.tell_stuck();
    floor.outcome
}

impl Floor<'_> {
    fn lane(&self, (channel, vc): Lane) -> usize {
        channel * self.world.lanes + vc
    }

    fn leads_to_switch(&self, channel: usize) -> bool {
        matches!(self.world.channels[channel].to, End::Switch(_))
    }

    fn came_by(&self, flit: &Flit) -> Lane {
        self.world.letters[flit.letter].way[flit.step]
    }

    fn wants(&self, flit: &Flit) -> Lane {
        self.world.letters[flit.letter].way[flit.step + 1]
    }

    fn is_last(&self, flit: &Flit) -> bool {
        flit.index + 1 == self.world.letters[flit.letter].flits
    }

    /// The place of a channel, or a buffer behind it, among what happens now.
    fn lot(&self, (channel, vc): Lane) -> u64 {
        let World { seed, slot, lots, .. } = self.world;
        let own = (channel as u64 ^ (vc as u64) << 28) << 32;
        let hash = |seed: u64| mix(seed ^ (self.now * slot) ^ own);
        match lots {
            Lots::Stated => hash(*seed),
            Lots::Reversed => !hash(*seed),
            Lots::Other(other) => hash(*other),
        }
    }

    /// The place of a channel among those by which letters have left or have come.
    fn lot_of_end(&self, end: Option<&Lane>) -> Option<(u64, usize)> {
        end.map(|(channel, _)| (self.lot((*channel, 0)), *channel))
    }

    fn is_quiet(&self) -> bool {
        let agendas = self.credits.0.len() + self.contenders.0.len() + self.deliveries.0.len();
        let sends = |channel: usize| {
            self.letter_of(channel, u64::MAX).is_some()
                && (self.has_room_for_next(channel) || self.ready_at(channel) > self.now)
        };
        let is_sending = (0..self.free.len()).any(|channel| self.free[channel] > self.now);
        agendas + self.sent.0.len() == 0
            && !is_sending
            && self.sending.iter().all(Option::is_none)
            && !(0..self.free.len()).any(sends)
    }

    /// All that happens now. What gives room comes before what takes it; what is brought about by
    /// something that happens now follows when all that was known has happened.
    fn slot(&mut self) {
        let channels = 0..self.world.channels.len();
        let mut due: Vec<usize> =
            channels.clone().filter(|channel| self.ready_at(*channel) == self.now).collect();
        let mut contenders = self.contenders.due(self.now);
        let mut credits = self.credits.due(self.now);
        credits.sort_by_key(|(lane, size)| (self.lot(*lane), *lane, *size));
        for ((channel, vc), size) in credits {
            let lane = self.lane((channel, vc));
            self.room[lane] += size;
            assert!(self.room[lane] <= self.world.buffer);
            self.send_queued(channel);
            self.admit(channel);
        }
        for channel in channels.clone() {
            if self.free[channel] == self.now {
                self.sending[channel] = None;
            }
            self.send_queued(channel);
            self.admit(channel);
        }
        let mut is_first = true;
        loop {
            if !is_first {
                contenders = self.contenders.due(self.now);
                due = channels
                    .clone()
                    .filter(|channel| self.ready_at(*channel) <= self.now)
                    .collect();
            }
            let has_contenders = !contenders.is_empty();
            self.contend_all(std::mem::take(&mut contenders));
            if is_first {
                self.note_sent_and_delivered();
            }
            let sent = due.drain(..).filter(|channel| self.inject(*channel)).count();
            if !is_first && !has_contenders && sent == 0 {
                break;
            }
            is_first = false;
        }
    }

    fn contend_all(&mut self, mut contenders: Vec<Contender>) {
        contenders.sort_by_key(|contender| match contender {
            Contender::Head(flit) => {
                let lane = (self.came_by(flit).0, 0);
                (self.lot(lane), lane, 0)
            }
            Contender::Next(lane) => (self.lot(*lane), *lane, 1),
        });
        for contender in contenders {
            match contender {
                Contender::Head(flit) if self.world.design.fifo_inputs => {
                    let lane = self.lane(self.came_by(&flit));
                    self.inputs[lane].push_back(flit);
                    if self.inputs[lane].len() == 1 {
                        self.contend(flit);
                    }
                }
                Contender::Head(flit) => self.contend(flit),
                Contender::Next(lane) => {
                    let lane = self.lane(lane);
                    self.inputs[lane].pop_front();
                    if let Some(flit) = self.inputs[lane].front().copied() {
                        self.contend(flit);
                    }
                }
            }
        }
    }

    /// A flit may move, or waits.
    fn contend(&mut self, flit: Flit) {
        let wants = self.wants(&flit);
        let lane = self.lane(wants);
        let is_barred = match self.owner[lane] {
            Some(owner) => owner != flit.letter || self.oldest(wants).is_some(),
            None => self.oldest(wants).is_some(),
        };
        if !is_barred && self.takes(wants, flit.size) {
            if !matches!(self.world.design.outputs, Output::Own(_)) {
                let alone = |vc: usize| (vc == wants.1).then_some(flit.size);
                self.weigh(wants.0, (0..self.world.lanes).map(alone).collect());
            }
            self.go(flit);
            self.admit(wants.0);
            return;
        }
        if !self.waiting.iter().any(|other| self.wants(other) == wants) {
            self.still[lane] = self.now;
        }
        self.waiting.push(flit);
        self.wanted[wants.0] += 1;
        self.outcome.waited += 1;
    }

    /// The place of the one who may be next among those who wait for a lane: the oldest, of the
    /// message that has the lane where one has.
    fn oldest(&self, wanted: Lane) -> Option<usize> {
        let owner = self.owner[self.lane(wanted)];
        self.waiting.iter().position(|flit| {
            self.wants(flit) == wanted && owner.is_none_or(|owner| owner == flit.letter)
        })
    }

    fn has_credit(&self, lane: Lane, size: u64) -> bool {
        !self.leads_to_switch(lane.0) || self.room[self.lane(lane)] >= size
    }

    /// Whether an output has room for a flit of this size.
    fn takes(&self, lane: Lane, size: u64) -> bool {
        let (channel, vc) = lane;
        let (free, pace) = (self.free[channel], self.world.channels[channel].pace);
        let backlog = free.saturating_sub(self.now);
        match self.world.design.outputs {
            Output::Nothing => self.has_credit(lane, size) && backlog == 0,
            Output::Shared(most) => {
                let has_room = backlog == 0 || backlog + pace * size <= most * pace;
                self.has_credit(lane, size) && has_room
            }
            Output::Own(most) => {
                let sending = self.sending[channel].filter(|(own, _)| *own == vc);
                let held = self.queues[self.lane(lane)].iter().map(|flit| flit.size);
                held.sum::<u64>() + sending.map_or(0, |(_, size)| size) + size <= most
            }
        }
    }

    /// Lets in those who wait for an output, its virtual channels in turn, as long as there is room.
    fn admit(&mut self, channel: usize) {
        let lanes = self.world.lanes;
        while self.wanted[channel] > 0 {
            let sizes = (0..lanes).map(|vc| {
                let size = self.waiting[self.oldest((channel, vc))?].size;
                self.takes((channel, vc), size).then_some(size)
            });
            let sizes: Vec<Option<u64>> = sizes.collect();
            let by_weights = !matches!(self.world.design.outputs, Output::Own(_));
            let next = self.next_lane(channel, self.turn[channel], sizes, by_weights);
            let at = next.and_then(|vc| Some((vc, self.oldest((channel, vc))?)));
            let Some((vc, at)) = at else { return };
            let flit = self.waiting.remove(at);
            self.wanted[channel] -= 1;
            let lane = self.lane((channel, vc));
            self.still[lane] = self.now;
            self.turn[channel] = (vc + 1) % lanes;
            self.go(flit);
        }
    }

    /// The virtual channel of a channel that is served next, of those that have so much to send: from
    /// the one whose turn it is on, or by weights.
    fn next_lane(
        &mut self,
        channel: usize,
        turn: usize,
        sizes: Vec<Option<u64>>,
        by_weights: bool,
    ) -> Option<usize> {
        if by_weights && self.world.weighed.is_some() {
            return self.weigh(channel, sizes);
        }
        let lanes = sizes.len();
        (0..lanes).map(|step| (turn + step) % lanes).find(|vc| sizes[*vc].is_some())
    }

    /// Serves one of the virtual channels of a channel that have so much to send, by weights.
    fn weigh(&mut self, channel: usize, sizes: Vec<Option<u64>>) -> Option<usize> {
        let weighed = self.world.weighed.as_ref()?;
        let (high, low, sent) = &mut self.tables[channel];
        if weighed.limit.is_none_or(|limit| *sent < limit)
            && let Some((vc, cost)) = high.serve(&weighed.high, &sizes)
        {
            *sent += cost;
            return Some(vc);
        }
        if let Some((vc, _)) = low.serve(&weighed.low, &sizes) {
            *sent = 0;
            return Some(vc);
        }
        // The low table had its turn.
        let (vc, cost) = high.serve(&weighed.high, &sizes)?;
        *sent = cost;
        Some(vc)
    }

    /// A flit goes to its output.
    fn go(&mut self, flit: Flit) {
        let (from, to) = (self.came_by(&flit), self.wants(&flit));
        let lane = self.lane(to);
        let keeps = self.world.worms && !self.is_last(&flit);
        self.owner[lane] = keeps.then_some(flit.letter);
        let read = self.now + self.world.channels[from.0].pace * flit.size;
        let gone = match self.world.design.outputs {
            Output::Nothing => self.send(flit),
            Output::Shared(_) => {
                self.send(flit);
                read
            }
            Output::Own(_) => {
                self.queues[lane].push_back(flit);
                read
            }
        };
        self.credits.0.push((gone + self.world.channels[from.0].latency, (from, flit.size)));
        if self.world.design.fifo_inputs {
            let next = if self.world.design.outputs == Output::Nothing { gone } else { self.now };
            self.contenders.0.push((next, Contender::Next(from)));
        }
        self.send_queued(to.0);
    }

    /// Sends the first of a channel's own queues whose turn it is, if the channel is free.
    fn send_queued(&mut self, channel: usize) {
        let lanes = self.world.lanes;
        if self.sending[channel].is_some() {
            return;
        }
        let sizes = (0..lanes).map(|vc| {
            let size = self.queues[self.lane((channel, vc))].front()?.size;
            self.has_credit((channel, vc), size).then_some(size)
        });
        let sizes: Vec<Option<u64>> = sizes.collect();
        let next = self.next_lane(channel, self.queue_turn[channel], sizes, true);
        let Some(vc) = next else { return };
        let lane = self.lane((channel, vc));
        let Some(flit) = self.queues[lane].pop_front() else { return };
        self.sending[channel] = Some((vc, flit.size));
        self.queue_turn[channel] = (vc + 1) % lanes;
        self.send(flit);
    }

    /// Sends a flit over the channel that it wants, as soon as that is free and the flit's end will not
    /// be late; returns when the last of it has gone.
    fn send(&mut self, flit: Flit) -> u64 {
        let to = self.wants(&flit);
        let Channel { latency, pace, .. } = self.world.channels[to.0];
        let time = pace * flit.size;
        let start = self.now.max(self.free[to.0]).max(flit.end.saturating_sub(time));
        self.free[to.0] = start + time;
        if self.leads_to_switch(to.0) {
            let lane = self.lane(to);
            self.room[lane] -= flit.size;
            let head = start + latency + self.world.traversal;
            let flit = Flit { step: flit.step + 1, end: head + time, ..flit };
            self.contenders.0.push((head, Contender::Head(flit)));
        } else {
            let arrival = start + time + latency + self.world.adapter;
            self.deliveries.0.push((arrival, flit.letter));
        }
        start + time
    }

    /// A letter may be sent from this slot on.
    fn post(&mut self, letter: usize, at: u64) {
        let Letter { way, answers, .. } = &self.world.letters[letter];
        self.outcome.posted[letter] = Some(at);
        let channel = way[0].0;
        match answers {
            Some(_) => self.answers[channel].push_back(letter),
            None => self.messages[channel].push_back(letter),
        }
    }

    fn note_sent_and_delivered(&mut self) {
        let mut sent = self.sent.due(self.now);
        sent.sort_by_key(|letter| self.lot_of_end(self.world.letters[*letter].way.first()));
        for letter in sent {
            self.react(letter, Moment::Sent);
        }
        let mut delivered = self.deliveries.due(self.now);
        delivered.sort_by_key(|letter| self.lot_of_end(self.world.letters[*letter].way.last()));
        for letter in delivered {
            self.outcome.arrived[letter] += 1;
            if self.outcome.arrived[letter] < self.world.letters[letter].flits {
                continue;
            }
            self.outcome.delivered[letter] = Some(self.now);
            let answer = |other: &usize| self.world.letters[*other].answers == Some(letter);
            if let Some(answered) = self.world.letters[letter].answers {
                self.react(answered, Moment::Acknowledged);
                continue;
            }
            if let Some(answer) = (0..self.world.letters.len()).find(answer) {
                self.post(answer, self.now);
            }
            self.react(letter, Moment::Delivered);
        }
    }

    fn react(&mut self, letter: usize, moment: Moment) {
        for other in 0..self.world.letters.len() {
            let after = &self.world.letters[other].after;
            let heard = after.iter().filter(|each| **each == (letter, moment)).count();
            self.open[other] -= heard;
            if heard > 0 && self.open[other] == 0 {
                self.post(other, self.now);
            }
        }
    }

    /// The letter of which an endpoint sends the next flit: the one it has begun, an acknowledgement, or a
    /// message; of those that were posted by then.
    fn letter_of(&self, channel: usize, latest: u64) -> Option<usize> {
        let through =
            |letter: &&usize| self.outcome.posted[**letter].is_some_and(|at| at <= latest);
        let message = self.messages[channel].front();
        let begun = message.filter(|letter| self.world.worms && self.injected[**letter] > 0);
        let answer = self.answers[channel].front().filter(through);
        begun.or(answer).or(message.filter(through)).copied()
    }

    /// When an endpoint has a letter through its adapter and a free link; never without letters.
    fn ready_at(&self, channel: usize) -> u64 {
        let fronts = [self.answers[channel].front(), self.messages[channel].front()];
        let posted = fronts.into_iter().flatten().filter_map(|letter| self.outcome.posted[*letter]);
        let through = posted.min().map(|posted| posted + self.world.adapter);
        through.map_or(u64::MAX, |through| through.max(self.free[channel]))
    }

    /// Whether the first switch has room for the next flit of an endpoint.
    fn has_room_for_next(&self, channel: usize) -> bool {
        let letter = self.letter_of(channel, u64::MAX);
        letter.is_some_and(|letter| self.room[self.lane((channel, 0))] >= self.next_size(letter))
    }

    /// The size of the flit of a letter that is injected next.
    fn next_size(&self, letter: usize) -> u64 {
        let Letter { flits, size, last, .. } = self.world.letters[letter];
        if self.injected[letter] + 1 == flits { last } else { size }
    }

    /// An endpoint sends a flit, if it can; whether it did.
    fn inject(&mut self, channel: usize) -> bool {
        let lane = self.lane((channel, 0));
        let latest = self.now.checked_sub(self.world.adapter);
        let letter = latest.and_then(|latest| self.letter_of(channel, latest));
        let letter = letter.filter(|letter| self.room[lane] >= self.next_size(*letter));
        let Some(letter) = letter else { return false };
        let Channel { latency, pace, .. } = self.world.channels[channel];
        let (index, size) = (self.injected[letter], self.next_size(letter));
        self.injected[letter] += 1;
        self.room[lane] -= size;
        self.free[channel] = self.now + pace * size;
        let head = self.now + latency + self.world.traversal;
        let flit = Flit { letter, index, size, step: 0, end: head + pace * size };
        self.contenders.0.push((head, Contender::Head(flit)));
        if self.is_last(&flit) {
            if self.world.letters[letter].answers.is_some() {
                self.answers[channel].pop_front();
            } else {
                self.messages[channel].pop_front();
                self.sent.0.push((self.free[channel], letter));
            }
        }
        true
    }

    fn tell_stuck(&mut self) {
        let stuck = self.waiting.iter().map(|flit| Stuck {
            source: self.world.letters[flit.letter].source,
            destination: self.world.letters[flit.letter].destination,
            holds: self.came_by(flit),
            since: self.still[self.lane(self.wants(flit))],
        });
        self.outcome.stuck = stuck.collect();
    }
}
