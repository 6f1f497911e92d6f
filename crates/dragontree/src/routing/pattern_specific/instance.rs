//! A question to the solver, and how good an answer is.

use super::lower_bound::{Crossings, LevelBound};
use super::{Malformed, Shape};
use crate::routing::Pair;

/// How many targets each arc has: for the maximum, for its level, and its own.
pub(super) const TIERS: usize = 3;

/// A tree and messages.
pub(super) struct Instance {
    pub shape: Shape,
    pub messages: Vec<Pair>,
    /// For each message the level at which it turns.
    pub turns: Vec<u8>,
    pub crossings: Crossings,
    pub levels: Vec<LevelBound>,
    /// For each arc what its links should carry at most.
    pub targets: Vec<[u32; TIERS]>,
}

/// How good routes are; smaller is better, the first number first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    /// The most messages on one link.
    pub most: u32,
    /// By how much the levels' bounds are missed, all together.
    pub over_levels: u32,
    /// Arcs with a link that carries more than the arc's bound.
    pub over_arcs: u32,
    /// For each level the most messages on one link above it.
    pub per_level: Vec<u32>,
}

impl Instance {
    pub fn new(shape: Shape, messages: Vec<Pair>) -> Result<Instance, Malformed> {
        shape.check(&messages)?;
        let turns: Vec<u8> = messages.iter().map(|pair| shape.turn(*pair) as u8).collect();
        let crossings = Crossings::new(&shape, &messages, &turns);
        let levels = crossings.bounds(&shape);
        let most = levels.iter().map(|level| level.bound).max().unwrap_or(0);
        let mut targets = Vec::with_capacity(crossings.crossing.len());
        for (level, bound) in levels.iter().enumerate() {
            let own = crossings.crossing[crossings.of_level(level)].iter();
            targets.extend(own.map(|own| [most, bound.bound, own.div_ceil(bound.links)]));
        }
        Ok(Instance { shape, messages, turns, crossings, levels, targets })
    }

    pub fn levels(&self) -> usize {
        self.shape.levels()
    }

    /// The arc that a message takes at a level; side 0 is up, 1 is down.
    pub fn arc(&self, message: u32, level: usize, side: usize) -> u32 {
        let pair = self.messages[message as usize];
        let leaf = [pair.source.0, pair.destination.0][side];
        self.crossings.arc(&self.shape, level, side, leaf)
    }

    /// The most messages on one link, if bounds could be reached.
    pub fn bound(&self) -> u32 {
        self.levels.iter().map(|level| level.bound).max().unwrap_or(0)
    }

    /// How many arcs any message takes.
    pub fn arcs_used(&self) -> u32 {
        self.crossings.crossing.iter().filter(|crossing| **crossing > 0).count() as u32
    }

    /// For each arc the most messages that digits, `levels` for each message, put on one of its links.
    pub fn worst(&self, digits: &[u16]) -> Vec<u32> {
        let levels = self.levels();
        let mut prefixes = vec![0_u32; self.messages.len()];
        let mut worst = vec![0_u32; self.targets.len()];
        for level in 0..levels {
            for (prefix, digits) in prefixes.iter_mut().zip(digits.chunks(levels)) {
                *prefix = *prefix * self.shape.parents(level + 1) + u32::from(digits[level]);
            }
            self.count(level, &prefixes, &mut worst);
        }
        worst
    }

    /// How good digits are.
    pub fn score(&self, digits: &[u16]) -> Score {
        let (levels, worst) = (self.levels(), self.worst(digits));
        let most = |arcs: std::ops::Range<usize>| worst[arcs].iter().copied().max().unwrap_or(0);
        let per_level: Vec<u32> =
            (0..levels).map(|level| most(self.crossings.of_level(level))).collect();
        let over = per_level.iter().zip(&self.levels).map(|(load, level)| load - level.bound);
        let over_arcs = worst.iter().zip(&self.targets).filter(|(load, [.., own])| *load > own);
        Score {
            most: per_level.iter().copied().max().unwrap_or(0),
            over_levels: over.sum(),
            over_arcs: over_arcs.count() as u32,
            per_level,
        }
    }

    /// For each arc of a level the most messages on one of its links.
    fn count(&self, level: usize, prefixes: &[u32], worst: &mut [u32]) {
        let links = self.shape.links(level) as usize;
        let arcs = self.crossings.of_level(level);
        let crossing = || (0..self.messages.len()).filter(|message| self.crosses(*message, level));
        let place = |message: usize, side: usize| {
            let arc = self.arc(message as u32, level, side) as usize - arcs.start;
            arc as u64 * links as u64 + u64::from(prefixes[message])
        };
        let places = arcs.len() as u64 * links as u64;
        let mut note = |place: u64, load: u32| {
            let arc = arcs.start + (place / links as u64) as usize;
            worst[arc] = worst[arc].max(load);
        };
        if places <= 8 * self.messages.len() as u64 + 1024 {
            let mut loads = vec![0_u32; places as usize];
            for message in crossing() {
                for side in 0..2 {
                    loads[place(message, side) as usize] += 1;
                }
            }
            (0..).zip(loads).for_each(|(place, load)| note(place, load));
            return;
        }
        let mut taken: Vec<u64> =
            crossing().flat_map(|message| [place(message, 0), place(message, 1)]).collect();
        taken.sort_unstable();
        taken.chunk_by(|one, other| one == other).for_each(|run| note(run[0], run.len() as u32));
    }

    fn crosses(&self, message: usize, level: usize) -> bool {
        usize::from(self.turns[message]) > level
    }
}
