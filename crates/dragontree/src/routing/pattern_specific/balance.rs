//! Which of its two colorings each chain of pairs takes.
//!
//! Whatever they take, sets are split evenly if messages that have turned are counted in. What has
//! to be even is the rest: the messages on arcs. For layers to come it helps, besides, if messages
//! between two subtrees are split evenly, for every pair of subtrees.

use super::pairing::Pairing;
use super::part::{NONE, Part};

/// How much more an uneven arc counts than an uneven pair of subtrees.
const ARC: i64 = 8;

/// The most times that every chain is reconsidered.
const PASSES: usize = 8;

/// What is to be even, and which messages count to it.
#[derive(Default)]
pub(super) struct Balance {
    /// For each message the numbers of what it counts to, or [`NONE`].
    keys: Vec<u32>,
    /// How many numbers each message has.
    per_message: usize,
    /// Numbers below this are arcs, others pairs of subtrees.
    arcs: u32,
    /// For each number by how many messages the one color is ahead.
    ahead: Vec<i32>,
    tally: Vec<i32>,
    touched: Vec<u32>,
    /// Chain by chain, by how much it puts the one color ahead.
    nets: Vec<(u32, i32)>,
    chains: Vec<Chain>,
    order: Vec<u64>,
    /// Messages looked at so far.
    pub visits: u64,
}

/// A chain whose coloring matters.
#[derive(Clone, Copy)]
struct Chain {
    /// Its number in the pairing.
    number: u32,
    /// Where its nets begin and end.
    nets: [u32; 2],
    is_swapped: bool,
}

impl Balance {
    /// Prepares for a part.
    pub fn prepare(&mut self, part: &Part) {
        let top = part.levels - 1;
        let mut pairs = Vec::new();
        if !part.is_top() {
            let nodes = |side: usize, level: usize| part.of_level(side, level).len();
            let mut add = |up: usize, down: usize| {
                if !pairs.contains(&(up, down)) && nodes(0, up) * nodes(1, down) <= part.count() {
                    pairs.push((up, down));
                }
            };
            (0..=top).for_each(|level| add(level, level));
            (0..top).for_each(|level| add(top, level));
            (0..top).for_each(|level| add(level, top));
        }
        self.arcs = part.arcs.len() as u32;
        self.per_message = 2 * top + pairs.len();
        self.keys.clear();
        self.keys.reserve(part.count() * self.per_message);
        for message in 0..part.count() {
            for side in 0..2 {
                let taken = part.arcs_taken(message, side);
                let counts = |level: usize| taken.get(level).copied().unwrap_or(NONE);
                self.keys.extend((1..=top).map(counts));
            }
            let mut first = self.arcs;
            for (up, down) in &pairs {
                let [ups, downs] = [part.of_level(0, *up), part.of_level(1, *down)];
                let place = |set: u32, sets: &std::ops::Range<usize>| set - sets.start as u32;
                let row = place(part.set(message, 0, *up), &ups);
                let column = place(part.set(message, 1, *down), &downs);
                self.keys.push(first + row * downs.len() as u32 + column);
                first += (ups.len() * downs.len()) as u32;
            }
        }
        let all: usize = pairs
            .iter()
            .map(|(up, down)| part.of_level(0, *up).len() * part.of_level(1, *down).len())
            .sum();
        for numbers in [&mut self.ahead, &mut self.tally] {
            numbers.clear();
            numbers.resize(self.arcs as usize + all, 0);
        }
    }

    fn weight(&self, key: u32) -> i64 {
        if key < self.arcs { ARC } else { 1 }
    }

    /// Chooses for every chain; tells by number which are swapped.
    pub fn choose(&mut self, pairing: &Pairing, swapped: &mut Vec<bool>) {
        swapped.clear();
        swapped.resize(pairing.chain_count(), false);
        if self.per_message == 0 {
            return;
        }
        self.weigh(pairing);
        let mut order = std::mem::take(&mut self.order);
        order.sort_unstable_by(|one, other| other.cmp(one));
        for entry in &order {
            let place = (*entry & u64::from(u32::MAX)) as usize;
            let is_swapped = self.slope(place) > 0;
            self.chains[place].is_swapped = is_swapped;
            self.add(place, if is_swapped { -1 } else { 1 });
        }
        for _ in 0..PASSES {
            let mut is_better = false;
            for entry in &order {
                is_better |= self.reconsider((*entry & u64::from(u32::MAX)) as usize);
            }
            if !is_better {
                break;
            }
        }
        self.order = order;
        for chain in &self.chains {
            swapped[chain.number as usize] = chain.is_swapped;
        }
        for (key, _) in &self.nets {
            self.ahead[*key as usize] = 0;
        }
    }

    /// Finds what each chain does, and the order: those that do most come first.
    fn weigh(&mut self, pairing: &Pairing) {
        self.nets.clear();
        self.chains.clear();
        self.order.clear();
        for number in 0..pairing.chain_count() {
            let chain = pairing.chain(number);
            self.visits += chain.len() as u64;
            for (message, is_second) in chain {
                let keys = &self.keys[*message as usize * self.per_message..][..self.per_message];
                for key in keys.iter().filter(|key| **key != NONE) {
                    let tally = &mut self.tally[*key as usize];
                    if *tally == 0 {
                        self.touched.push(*key);
                    }
                    *tally += if *is_second { -1 } else { 1 };
                }
            }
            let begin = self.nets.len() as u32;
            let mut norm = 0;
            for key in self.touched.drain(..) {
                let net = std::mem::take(&mut self.tally[key as usize]);
                if net != 0 {
                    self.nets.push((key, net));
                    let weight = if key < self.arcs { ARC } else { 1 };
                    norm += weight as u64 * u64::from(net.unsigned_abs()).pow(2);
                }
            }
            if norm > 0 {
                let place = self.chains.len() as u64;
                let nets = [begin, self.nets.len() as u32];
                self.chains.push(Chain { number: number as u32, nets, is_swapped: false });
                self.order.push(norm.min(u64::from(u32::MAX)) << 32 | place);
            }
        }
    }

    fn nets(&self, place: usize) -> &[(u32, i32)] {
        let [begin, end] = self.chains[place].nets;
        &self.nets[begin as usize..end as usize]
    }

    /// Half of what the sum of squares grows by per chain like this one, but for its own square.
    fn slope(&self, place: usize) -> i64 {
        let nets = self.nets(place).iter();
        nets.map(|(key, net)| {
            self.weight(*key) * i64::from(self.ahead[*key as usize]) * i64::from(*net)
        })
        .sum()
    }

    fn add(&mut self, place: usize, times: i32) {
        let [begin, end] = self.chains[place].nets;
        for (key, net) in &self.nets[begin as usize..end as usize] {
            self.ahead[*key as usize] += times * net;
        }
    }

    /// Takes the other coloring of a chain if that makes the sum of squares less.
    fn reconsider(&mut self, place: usize) -> bool {
        let sign = if self.chains[place].is_swapped { -1 } else { 1 };
        let own = |(key, net): &(u32, i32)| self.weight(*key) * i64::from(*net).pow(2);
        let square: i64 = self.nets(place).iter().map(own).sum();
        let is_better = square < i64::from(sign) * self.slope(place);
        if is_better {
            self.chains[place].is_swapped ^= true;
            self.add(place, -2 * sign);
        }
        is_better
    }
}
