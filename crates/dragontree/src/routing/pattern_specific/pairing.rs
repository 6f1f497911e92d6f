//! Pairs of messages within the subtrees of one side, found from the lowest level up.
//!
//! If every set of messages below a subtree has all its members but one paired with each other, then
//! members of a pair have different colors, whatever these are, and the set is split evenly. Pairs of
//! the two sides together form paths and even cycles, so two colors are always enough.

use super::part::{NONE, Part};
use crate::random::Stream;

/// For each message its partner among the sources and among the destinations, or [`NONE`].
#[derive(Default)]
pub(super) struct Pairing {
    mates: [Vec<u32>; 2],
    /// Messages without a partner yet.
    left: Vec<u32>,
    /// Messages of the other color without a partner yet.
    others: Vec<u32>,
    /// Component by component the messages, each with whether it is among the second kind.
    chains: Vec<(u32, bool)>,
    /// Where components begin; at the end how many messages there are.
    starts: Vec<u32>,
    seen: Vec<bool>,
}

/// Which messages may be paired with which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Any two below a subtree.
    All,
    /// Any two that go beyond the subtree's highest level.
    Crossing,
    /// Any two on a node of the layer, no others.
    Lowest,
}

impl Pairing {
    /// Forgets all pairs.
    pub fn clear(&mut self, part: &Part) {
        for mates in &mut self.mates {
            mates.clear();
            mates.resize(part.count(), NONE);
        }
    }

    fn join(&mut self, side: usize, one: u32, other: u32) {
        self.mates[side][one as usize] = other;
        self.mates[side][other as usize] = one;
    }

    /// Pairs messages on a side, given in its order: those that turn at the same level first, then
    /// what is left of each level's, the highest last. With a stream, at random within that.
    pub fn pair_alike(
        &mut self,
        part: &Part,
        order: &[u32],
        side: usize,
        mut stream: Option<&mut Stream>,
    ) {
        for message in order {
            self.mates[side][*message as usize] = NONE;
        }
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        left.extend_from_slice(order);
        for level in 0..part.levels {
            let (mut begin, mut kept) = (0, 0);
            while begin < left.len() {
                let set = part.set(left[begin] as usize, side, level);
                let same = |message: &&u32| part.set(**message as usize, side, level) == set;
                let end = begin + left[begin..].iter().take_while(same).count();
                if let Some(stream) = stream.as_deref_mut() {
                    stream.shuffle(&mut left[begin..end]);
                }
                let single = self.pair_set(part, side, &left[begin..end]);
                if single != NONE {
                    left[kept] = single;
                    kept += 1;
                }
                begin = end;
            }
            left.truncate(kept);
        }
        self.left = left;
    }

    /// Pairs all messages of a set but at most one, which is returned.
    fn pair_set(&mut self, part: &Part, side: usize, set: &[u32]) -> u32 {
        if let [single] = set {
            return *single;
        }
        let mut waiting = [NONE; 17];
        let mut classes = 0_u32;
        for message in set {
            let turn = usize::from(part.turns[*message as usize]);
            match std::mem::replace(&mut waiting[turn], NONE) {
                NONE => waiting[turn] = *message,
                mate => self.join(side, mate, *message),
            }
            classes |= 1 << turn;
        }
        let mut single = NONE;
        while classes != 0 {
            let message = waiting[classes.trailing_zeros() as usize];
            classes &= classes - 1;
            match (message, single) {
                (NONE, _) => {}
                (_, NONE) => single = message,
                _ => {
                    self.join(side, single, message);
                    single = NONE;
                }
            }
        }
        single
    }

    /// Pairs messages of a color with those of another on a side at random, given in its order.
    pub fn pair_opposite(
        &mut self,
        part: &Part,
        order: &[u32],
        side: usize,
        color: u16,
        scope: Scope,
        stream: &mut Stream,
    ) {
        for message in order {
            self.mates[side][*message as usize] = NONE;
        }
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        left.extend_from_slice(order);
        let levels = if scope == Scope::Lowest { 1 } else { part.levels };
        for level in 0..levels {
            if scope == Scope::Crossing {
                let above = part.layer + level;
                left.retain(|message| usize::from(part.turns[*message as usize]) > above);
            }
            let (mut begin, mut kept) = (0, 0);
            while begin < left.len() {
                let set = part.set(left[begin] as usize, side, level);
                let same = |message: &&u32| part.set(**message as usize, side, level) == set;
                let end = begin + left[begin..].iter().take_while(same).count();
                let is_one = |message: u32| part.colors[message as usize] == color;
                let singles = self.pair_colors(side, &mut left[begin..end], is_one, stream);
                left.copy_within(begin..begin + singles, kept);
                kept += singles;
                begin = end;
            }
            left.truncate(kept);
        }
        self.left = left;
    }

    /// Pairs messages of a set until those that are left have one color; tells how many these are,
    /// which are at the front then.
    fn pair_colors(
        &mut self,
        side: usize,
        set: &mut [u32],
        is_one: impl Fn(u32) -> bool,
        stream: &mut Stream,
    ) -> usize {
        self.others.clear();
        let mut ones = 0;
        for place in 0..set.len() {
            match is_one(set[place]) {
                true => {
                    set[ones] = set[place];
                    ones += 1;
                }
                false => self.others.push(set[place]),
            }
        }
        // Only one of the two has to be in a random order, but that of the longer.
        match ones > self.others.len() {
            true => stream.shuffle(&mut set[..ones]),
            false => stream.shuffle(&mut self.others),
        }
        while ones > 0
            && let Some(other) = self.others.pop()
        {
            ones -= 1;
            self.join(side, set[ones], other);
        }
        let singles = ones + self.others.len();
        set[ones..singles].copy_from_slice(&self.others);
        singles
    }

    /// Finds the paths and cycles of the pairs of both sides, among these messages. Along each of
    /// them kinds alternate.
    pub fn connect(&mut self, order: &[u32]) {
        self.seen.resize(self.mates[0].len(), false);
        for message in order {
            self.seen[*message as usize] = false;
        }
        self.chains.clear();
        self.starts.clear();
        for message in order {
            if !self.seen[*message as usize] {
                self.starts.push(self.chains.len() as u32);
                self.seen[*message as usize] = true;
                self.chains.push((*message, false));
                // One way around a cycle is enough; the other then finds all seen.
                self.walk(*message, 0);
                self.walk(*message, 1);
            }
        }
        self.starts.push(self.chains.len() as u32);
    }

    fn walk(&mut self, from: u32, first: usize) {
        let (mut at, mut side, mut kind) = (from, first, false);
        loop {
            at = self.mates[side][at as usize];
            if at == NONE || self.seen[at as usize] {
                return;
            }
            kind = !kind;
            side = 1 - side;
            self.seen[at as usize] = true;
            self.chains.push((at, kind));
        }
    }

    /// The number of paths and cycles.
    pub fn chain_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The messages of a path or cycle.
    pub fn chain(&self, place: usize) -> &[(u32, bool)] {
        &self.chains[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}
