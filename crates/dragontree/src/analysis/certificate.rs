//! Counts anew what given routes put on every link of a tree, and what they must put there at least.
//!
//! Shares nothing with what finds routes but the form of the question and of the answer, and takes
//! climbs from anywhere. Every message is followed from node to node.

use std::collections::BTreeMap;

mod climbing;

pub use climbing::Climbing;

use crate::routing::Pair;
use crate::routing::pattern_specific::{Climbs, Shape};

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recount {
    /// For each level, from 0, of the links above it.
    pub levels: Vec<LevelRecount>,
    /// How many arcs any message takes: all links between a subtree and the level above, in one
    /// direction.
    pub arcs_used: u32,
    /// How many of them have a link with more messages than an even spread would give it.
    pub arcs_over: u32,
}

/// The links above a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelRecount {
    /// The most messages on one link.
    pub achieved: u32,
    /// No routes have fewer than this on every link: on some arc the messages, over the links,
    /// rounded up.
    pub bound: u32,
}

/// Why climbs are no routes for the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// There are not as many climbs as messages.
    #[error("there are {climbs} climbs for {messages} messages")]
    Count {
        /// How many climbs there are.
        climbs: usize,
        /// How many messages there are.
        messages: usize,
    },
    /// A message is from or to a leaf that is not there.
    #[error("message {message} is from or to a leaf that is not there")]
    Leaf {
        /// Its place in the list.
        message: usize,
    },
    /// A climb takes a parent that is not there.
    #[error("message {message} climbs from level {level} to a parent that is not there")]
    Parent {
        /// Its place in the list.
        message: usize,
        /// Where it climbs from.
        level: usize,
    },
    /// A climb ends where the destination is not below.
    #[error("message {message} climbs to level {level}, from where it cannot come to its end")]
    Short {
        /// Its place in the list.
        message: usize,
        /// How far it climbs.
        level: usize,
    },
    /// A climb goes higher than it must.
    #[error("message {message} climbs beyond level {level}, where it could turn")]
    Long {
        /// Its place in the list.
        message: usize,
        /// Where it could turn.
        level: usize,
    },
}

/// A node of the tree: its level, its subtree of leaves, and the parents taken on the way to it from
/// below, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    level: usize,
    subtree: u32,
    parents: Vec<u16>,
}

impl Place {
    /// The parent of a digit.
    fn parent(&self, shape: &Shape, digit: u16) -> Place {
        let mut parents = self.parents.clone();
        parents.push(digit);
        let level = self.level + 1;
        Place { level, subtree: self.subtree / shape.children(level), parents }
    }
}

/// Follows all messages.
///
/// # Errors
/// The climbs are no routes for the messages.
pub fn recount(shape: &Shape, messages: &[Pair], climbs: &Climbs) -> Result<Recount, Unfit> {
    if climbs.count() != messages.len() {
        return Err(Unfit::Count { climbs: climbs.count(), messages: messages.len() });
    }
    let mut recounting = Recounting::new(shape);
    for (message, pair) in messages.iter().enumerate() {
        recounting.follow(*pair, climbs.of(message))?;
    }
    Ok(recounting.finish())
}

/// Follows messages one by one.
pub struct Recounting {
    shape: Shape,
    /// How many were followed.
    count: usize,
    /// The messages on the link from the one node up to the other, and on that back.
    loads: [BTreeMap<(Place, Place), u32>; 2],
}

impl Recounting {
    /// Nothing is counted yet.
    pub fn new(shape: &Shape) -> Recounting {
        Recounting { shape: shape.clone(), count: 0, loads: [BTreeMap::new(), BTreeMap::new()] }
    }

    /// Follows one more message on its climb.
    ///
    /// # Errors
    /// The climb is no route for the message; then the count is spoiled.
    pub fn follow(&mut self, pair: Pair, climb: &[u16]) -> Result<(), Unfit> {
        let (shape, message) = (&self.shape, self.count);
        let [up, down] = &mut self.loads;
        let ends = [pair.source.0, pair.destination.0];
        if ends.iter().any(|leaf| *leaf >= shape.leaves()) {
            return Err(Unfit::Leaf { message });
        }
        let leaf = |leaf: u32| Place { level: 0, subtree: leaf, parents: Vec::new() };
        let [mut from, mut to] = ends.map(leaf);
        for (level, digit) in climb.iter().enumerate() {
            if from == to {
                return Err(Unfit::Long { message, level });
            }
            if level >= shape.levels() || u32::from(*digit) >= shape.parents(level + 1) {
                return Err(Unfit::Parent { message, level });
            }
            let above = [&from, &to].map(|node| node.parent(shape, *digit));
            *up.entry((from, above[0].clone())).or_default() += 1;
            *down.entry((to, above[1].clone())).or_default() += 1;
            [from, to] = above;
        }
        if from != to {
            return Err(Unfit::Short { message, level: from.level });
        }
        self.count += 1;
        Ok(())
    }

    /// What was counted.
    pub fn finish(self) -> Recount {
        summarize(&self.shape, self.loads)
    }
}

fn summarize(shape: &Shape, loads: [BTreeMap<(Place, Place), u32>; 2]) -> Recount {
    let mut levels = vec![LevelRecount::default(); shape.levels()];
    let (mut arcs_used, mut arcs_over) = (0, 0);
    for loads in loads {
        // For each arc all messages on it and the most on one link.
        let mut arcs: BTreeMap<(usize, u32), (u32, u32)> = BTreeMap::new();
        for ((node, _), load) in loads {
            let (all, most) = arcs.entry((node.level, node.subtree)).or_default();
            *all += load;
            *most = load.max(*most);
        }
        for ((level, _), (all, most)) in arcs {
            let links: u32 = (1..=level + 1).map(|above| shape.parents(above)).product();
            let bound = all.div_ceil(links);
            arcs_used += 1;
            arcs_over += u32::from(most > bound);
            levels[level].achieved = levels[level].achieved.max(most);
            levels[level].bound = levels[level].bound.max(bound);
        }
    }
    Recount { levels, arcs_used, arcs_over }
}
