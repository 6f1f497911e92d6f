//! Moves messages one at a time, to whatever way is best at the moment, until no link has too many.
//!
//! Layer by layer, what a layer leaves to those above is guessed; here whole climbs are compared. That
//! finds what repairs miss where several layers of choice lie below some that leave none. It proves
//! nothing. A message that has moved stays for a while, so that the walk leaves what is only locally
//! best; if that does not help, it begins anew from routes that are made as greedy ones are.

use super::instance::Instance;
use super::part::NONE;
use crate::random::Stream;

/// The most links.
const MOST_LINKS: u64 = 1 << 20;
/// How many ways of a message are compared at most; of more some are drawn.
const WAYS: u32 = 64;
/// How many of the messages on a link are compared at most.
const COMPARED: usize = 4;
/// For how many moves a message stays where it was moved to, at least, and at most how many more.
const STAY: [u32; 2] = [2, 8];

/// A walk among routes.
pub(super) struct Walk {
    stream: Stream,
    travellers: Vec<Traveller>,
    /// For each level the number of links of an arc.
    levels: Vec<u32>,
    /// The messages on each link.
    on: Vec<Vec<u32>>,
    /// The target of each link.
    targets: Vec<u32>,
    /// Links with too many, and where each is in that list.
    full: Vec<u32>,
    places: Vec<u32>,
    /// The messages in the order in which they are routed anew, and how many have been.
    order: Vec<u32>,
    routed: usize,
    /// Messages too many, and the fewest since the last beginning.
    excess: u64,
    least: u64,
    moves: u32,
    /// When that was.
    least_at: u32,
    /// Ways looked at so far.
    pub visits: u64,
}

/// A message, and how it climbs.
struct Traveller {
    id: u32,
    /// For each level below where it turns the first link, up and down, of the arcs that it takes.
    arcs: Vec<[u32; 2]>,
    /// How many ways it has, and its own as a number, the lowest digit first.
    ways: u32,
    way: u32,
    /// Until when it is not moved.
    stays: u32,
}

impl Walk {
    /// Begins at routes, with `levels` digits for each message, to have no more than the targets on
    /// links above each level; none where there are too many links.
    pub fn new(
        instance: &Instance,
        targets: &[u32],
        digits: &[u16],
        stream: Stream,
    ) -> Option<Walk> {
        let (shape, levels) = (&instance.shape, instance.levels());
        let (mut first, mut all) = (Vec::new(), Vec::new());
        for (level, target) in targets.iter().enumerate() {
            first.push(all.len() as u32);
            let links = 2 * u64::from(shape.subtrees(level)) * u64::from(shape.links(level));
            if all.len() as u64 + links > MOST_LINKS {
                return None;
            }
            all.resize(all.len() + links as usize, *target);
        }
        let traveller = |(id, turn): (u32, &u8)| {
            let turn = usize::from(*turn);
            let arc = |level: usize, side: usize| {
                let arc = instance.arc(id, level, side);
                let within = arc - instance.crossings.of_level(level).start as u32;
                first[level] + within * shape.links(level)
            };
            Traveller {
                id,
                arcs: (0..turn).map(|level| [arc(level, 0), arc(level, 1)]).collect(),
                ways: shape.spread(turn),
                way: shape.code(&digits[id as usize * levels..][..turn]),
                stays: 0,
            }
        };
        let going = (0..).zip(&instance.turns).filter(|(_, turn)| **turn > 0);
        let mut walk = Walk {
            stream,
            travellers: going.map(traveller).collect(),
            levels: (0..levels).map(|level| shape.links(level)).collect(),
            on: vec![Vec::new(); all.len()],
            places: vec![NONE; all.len()],
            targets: all,
            full: Vec::new(),
            order: Vec::new(),
            routed: 0,
            excess: 0,
            least: u64::MAX,
            moves: 0,
            least_at: 0,
            visits: 0,
        };
        (0..walk.travellers.len()).for_each(|message| walk.put(message));
        Some(walk)
    }

    /// Routes or moves one message; whether no link has too many.
    pub fn step(&mut self) -> bool {
        self.visits += 1;
        if let Some(message) = self.order.get(self.routed) {
            self.routed += 1;
            self.route(*message as usize);
            return false;
        }
        if self.excess == 0 {
            return true;
        }
        if self.excess < self.least {
            (self.least, self.least_at) = (self.excess, self.moves);
        }
        self.moves += 1;
        if self.moves - self.least_at > 400 + 8 * self.travellers.len() as u32 {
            self.begin_anew();
        } else {
            self.relieve();
        }
        false
    }

    /// The routes, as digits.
    pub fn digits(&self, instance: &Instance) -> Vec<u16> {
        let (shape, levels) = (&instance.shape, instance.levels());
        let mut digits = vec![0; instance.turns.len() * levels];
        for traveller in &self.travellers {
            let own = &mut digits[traveller.id as usize * levels..][..traveller.arcs.len()];
            for (level, digit) in own.iter_mut().enumerate() {
                *digit = (traveller.way / shape.spread(level) % shape.parents(level + 1)) as u16;
            }
        }
        digits
    }

    /// Takes all messages off, to route them anew in random order.
    fn begin_anew(&mut self) {
        self.on.iter_mut().for_each(Vec::clear);
        self.full.drain(..).for_each(|link| self.places[link as usize] = NONE);
        (self.excess, self.least, self.least_at) = (0, u64::MAX, self.moves);
        self.order.clear();
        self.order.extend(0..self.travellers.len() as u32);
        self.stream.shuffle(&mut self.order);
        self.routed = 0;
    }

    /// Gives a message the way whose busiest link has least so far.
    fn route(&mut self, message: usize) {
        let mut best = ((usize::MAX, u64::MAX), 0);
        for place in 0..self.compared(message) {
            let way = self.candidate(message, place);
            let loads = self.links(message, way).map(|link| self.on[link].len());
            let cost = loads.fold((0, 0), |(most, squares): (usize, u64), load| {
                (most.max(load), squares + (load as u64).pow(2))
            });
            if cost < best.0 {
                best = (cost, way);
            }
        }
        self.travellers[message].way = best.1;
        self.travellers[message].stays = 0;
        self.put(message);
    }

    /// Moves one of the messages on a link with too many, where that does least harm.
    fn relieve(&mut self) {
        let link = self.full[self.stream.below(self.full.len() as u32) as usize] as usize;
        let count = self.on[link].len();
        let start = self.stream.below(count as u32) as usize;
        let drawn = (0..count.min(COMPARED)).map(|place| self.on[link][(start + place) % count]);
        let drawn: Vec<u32> = drawn.collect();
        let mut best: Option<(i64, usize, u32)> = None;
        let mut alike = 0;
        for message in drawn.into_iter().map(|message| message as usize) {
            let Traveller { stays, way: now, .. } = self.travellers[message];
            if stays > self.moves {
                continue;
            }
            let before = self.take(message);
            for place in 0..self.compared(message) {
                let way = self.candidate(message, place);
                if way == now {
                    continue;
                }
                let full = |link: &usize| self.on[*link].len() >= self.targets[*link] as usize;
                let change = self.links(message, way).filter(full).count() as i64 - before;
                let least = best.map_or(i64::MAX, |(least, ..)| least);
                alike = if change < least { 1 } else { alike + u32::from(change == least) };
                let is_taken = change < least || change == least && self.stream.below(alike) == 0;
                if is_taken {
                    best = Some((change, message, way));
                }
            }
            self.put(message);
        }
        let Some((_, message, way)) = best else { return };
        self.take(message);
        let [least, more] = STAY;
        let stays = self.moves + least + self.stream.below(more);
        let traveller = &mut self.travellers[message];
        (traveller.way, traveller.stays) = (way, stays);
        self.put(message);
    }

    /// How many ways of a message are compared.
    fn compared(&mut self, message: usize) -> u32 {
        let compared = self.travellers[message].ways.min(WAYS);
        self.visits += u64::from(compared);
        compared
    }

    fn candidate(&mut self, message: usize, place: u32) -> u32 {
        match self.travellers[message].ways {
            ways if ways > WAYS => self.stream.below(ways),
            _ => place,
        }
    }

    /// The links of a way of a message.
    fn links(&self, message: usize, way: u32) -> impl Iterator<Item = usize> + '_ {
        let arcs = self.travellers[message].arcs.iter().zip(&self.levels);
        arcs.flat_map(move |(arcs, links)| arcs.map(|arc| (arc + way % links) as usize))
    }

    /// Counts a message on the links of its way.
    fn put(&mut self, message: usize) {
        let Walk { travellers, levels, on, targets, full, places, excess, .. } = self;
        let traveller = &travellers[message];
        for (arcs, links) in traveller.arcs.iter().zip(levels) {
            for link in arcs.map(|arc| (arc + traveller.way % *links) as usize) {
                on[link].push(message as u32);
                if on[link].len() > targets[link] as usize {
                    *excess += 1;
                    if places[link] == NONE {
                        places[link] = full.len() as u32;
                        full.push(link as u32);
                    }
                }
            }
        }
    }

    /// Takes a message off its links; by how much fewer are then too many.
    fn take(&mut self, message: usize) -> i64 {
        let Walk { travellers, levels, on, targets, full, places, excess, .. } = self;
        let traveller = &travellers[message];
        let before = *excess;
        for (arcs, links) in traveller.arcs.iter().zip(levels) {
            for link in arcs.map(|arc| (arc + traveller.way % *links) as usize) {
                let place = on[link].iter().position(|other| *other == message as u32);
                let Some(place) = place else { continue };
                on[link].swap_remove(place);
                *excess -= u64::from(on[link].len() >= targets[link] as usize);
                if on[link].len() == targets[link] as usize {
                    let at = std::mem::replace(&mut places[link], NONE) as usize;
                    full.swap_remove(at);
                    if let Some(moved) = full.get(at) {
                        places[*moved as usize] = at as u32;
                    }
                }
            }
        }
        (before - *excess) as i64
    }
}
