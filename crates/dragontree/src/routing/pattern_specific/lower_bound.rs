//! How much contention there must be, by counting.
//!
//! Whatever the routes, the messages that leave a subtree upward are known, and so are the links
//! that they can take: some link carries at least their number over that of the links, rounded up.
//! The same holds of those that enter it.

use serde::{Deserialize, Serialize};

use super::{Malformed, Shape};
use crate::routing::Pair;

/// Whether messages leave a subtree or enter it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Heading {
    /// Away from the leaves.
    Up,
    /// Towards the leaves.
    Down,
}

/// All links between a subtree and the level above it, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeArc {
    /// The level of the subtree's highest nodes; 0 is a leaf alone.
    pub level: usize,
    /// Which subtree of its level.
    pub subtree: u32,
    /// Which direction.
    pub heading: Heading,
}

/// What is known of the links above a level before any routes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelBound {
    /// Some link carries at least so many messages.
    pub bound: u32,
    /// The arc of which that is true; none where no message goes above the level.
    pub witness: Option<TreeArc>,
    /// How many messages take that arc.
    pub messages: u32,
    /// How many links the arc has.
    pub links: u32,
    /// Routes exist, and are found in polynomial time, on which no link carries more than this: the
    /// messages with an end below it and any way at all, over the arc's links, rounded up.
    pub a_priori: u32,
}

/// What is known before any routes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerBound {
    /// For each level, from 0, that of the links above it.
    pub levels: Vec<LevelBound>,
}

impl LowerBound {
    /// Counts the messages on every arc.
    ///
    /// # Errors
    /// A message is from or to a leaf that is not there.
    pub fn new(shape: &Shape, messages: &[Pair]) -> Result<LowerBound, Malformed> {
        shape.check(messages)?;
        let mut bounding = Bounding::new(shape);
        messages.iter().for_each(|pair| bounding.add(*pair));
        Ok(bounding.take())
    }

    /// On all links together.
    pub fn maximum(&self) -> u32 {
        self.levels.iter().map(|level| level.bound).max().unwrap_or(0)
    }

    /// No link need carry more than this, on any level.
    pub fn a_priori(&self) -> u32 {
        self.levels.iter().map(|level| level.a_priori).max().unwrap_or(0)
    }
}

/// Counts messages one by one.
pub struct Bounding {
    shape: Shape,
    /// For each leaf, from level 0, the numbers of the arcs up from the subtrees that it is in.
    arcs: Vec<u32>,
    crossings: Crossings,
}

impl Bounding {
    /// Nothing is counted yet.
    pub fn new(shape: &Shape) -> Bounding {
        let crossings = Crossings::none(shape);
        let arc = |leaf, level| crossings.arc(shape, level, 0, leaf);
        let arcs = |leaf| (0..shape.levels()).map(move |level| arc(leaf, level));
        let arcs = (0..shape.leaves()).flat_map(arcs).collect();
        Bounding { shape: shape.clone(), arcs, crossings }
    }

    /// Counts one more message; one from or to a leaf that is not there does not count.
    pub fn add(&mut self, pair: Pair) {
        let levels = self.shape.levels();
        let arcs = |leaf: u32| self.arcs.get(leaf as usize * levels..)?.get(..levels);
        let ends = arcs(pair.source.0).zip(arcs(pair.destination.0));
        let Some((from, to)) = ends.filter(|_| pair.source != pair.destination) else { return };
        let Crossings { crossing, ends, .. } = &mut self.crossings;
        let mut crosses = 1;
        for (up, down) in from.iter().zip(to) {
            // Ends in one subtree are below one switch.
            crosses &= u32::from(up != down);
            for arc in [*up as usize, *down as usize + 1] {
                ends[arc] += 1;
                crossing[arc] += crosses;
            }
        }
    }

    /// What is known of all since the last time.
    pub fn take(&mut self) -> LowerBound {
        let levels = self.crossings.bounds(&self.shape);
        self.crossings.crossing.fill(0);
        self.crossings.ends.fill(0);
        LowerBound { levels }
    }
}

/// How many messages take each arc.
pub(super) struct Crossings {
    /// For each level where its arcs begin.
    first: Vec<u32>,
    /// For each arc, up and down in turn, its messages.
    pub crossing: Vec<u32>,
    /// For each arc the messages with that end below it and any way at all.
    pub ends: Vec<u32>,
}

impl Crossings {
    pub fn new(shape: &Shape, messages: &[Pair], turns: &[u8]) -> Crossings {
        let mut crossings = Crossings::none(shape);
        for (message, turn) in messages.iter().zip(turns) {
            crossings.add(shape, *message, usize::from(*turn));
        }
        crossings
    }

    fn none(shape: &Shape) -> Crossings {
        let mut first = vec![0];
        for level in 0..shape.levels() {
            first.push(first[level] + 2 * shape.subtrees(level));
        }
        let arcs = first[shape.levels()] as usize;
        Crossings { first, crossing: vec![0; arcs], ends: vec![0; arcs] }
    }

    /// Counts a message that turns at a level.
    fn add(&mut self, shape: &Shape, message: Pair, turn: usize) {
        if turn == 0 {
            return;
        }
        for level in 0..shape.levels() {
            for (side, leaf) in [message.source.0, message.destination.0].iter().enumerate() {
                let arc = self.arc(shape, level, side, *leaf) as usize;
                self.ends[arc] += 1;
                self.crossing[arc] += u32::from(level < turn);
            }
        }
    }

    /// The number of an arc; side 0 is up, 1 is down.
    pub fn arc(&self, shape: &Shape, level: usize, side: usize, leaf: u32) -> u32 {
        self.first[level] + 2 * shape.subtree(level, leaf) + side as u32
    }

    /// Where a level's arcs begin and end.
    pub fn of_level(&self, level: usize) -> std::ops::Range<usize> {
        self.first[level] as usize..self.first[level + 1] as usize
    }

    pub fn bounds(&self, shape: &Shape) -> Vec<LevelBound> {
        let bound = |level: usize| {
            let (arcs, links) = (self.of_level(level), shape.links(level));
            let most = self.crossing[arcs.clone()].iter().max().copied().unwrap_or(0);
            let place = self.crossing[arcs.clone()].iter().position(|each| *each == most);
            let witness = place.filter(|_| most > 0).map(|place| TreeArc {
                level,
                subtree: place as u32 / 2,
                heading: if place % 2 == 0 { Heading::Up } else { Heading::Down },
            });
            // Where nothing crosses there is nothing to bound.
            let met = self.crossing[arcs.clone()].iter().zip(&self.ends[arcs]);
            let ends = met.filter(|(crossing, _)| **crossing > 0).map(|(_, ends)| *ends);
            LevelBound {
                bound: most.div_ceil(links),
                witness,
                messages: most,
                links,
                a_priori: ends.max().unwrap_or(0).div_ceil(links),
            }
        };
        (0..shape.levels()).map(bound).collect()
    }
}
