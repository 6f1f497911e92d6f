//! Counts anew what given routes put on every link of a tree, and what they must put there at least.
//!
//! Shares nothing with what finds routes but the form of the question and of the answer, and takes
//! climbs from anywhere. Every message is followed from node to node.

mod climbing;

pub use climbing::{Climbing, Lost};

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

/// A node of the tree: its level, its subtree of leaves, and which of those above that subtree it is:
/// the parents taken on the way to it from below, as the digits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    level: u32,
    subtree: u32,
    parents: u32,
}

impl Place {
    /// The parent of a digit.
    fn parent(self, shape: &Shape, digit: u16) -> Place {
        let above = self.level as usize + 1;
        let parents = self.parents * shape.parents(above) + u32::from(digit);
        Place { level: self.level + 1, subtree: self.subtree / shape.children(above), parents }
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
    /// The messages up the links above each level, and back down.
    loads: [Vec<Loads>; 2],
}

/// The messages on the links above a level, in one direction. The links of an arc, which lead up from
/// one subtree, follow each other; the number of the node that one leads to is its place among them.
struct Loads {
    /// How many links an arc has.
    links: u32,
    messages: Vec<u32>,
    /// The links with any, in the order in which they got the first.
    used: Vec<u32>,
}

impl Loads {
    fn new(shape: &Shape, level: usize) -> Loads {
        let below = (1..=level).map(|below| shape.children(below)).product::<u32>().max(1);
        let links = (1..=level + 1).map(|above| shape.parents(above)).product();
        let all = (shape.leaves() / below) as usize * links as usize;
        Loads { links, messages: vec![0; all], used: Vec::new() }
    }

    fn add(&mut self, node: Place, parent: Place) {
        let link = node.subtree * self.links + parent.parents;
        let messages = &mut self.messages[link as usize];
        if *messages == 0 {
            self.used.push(link);
        }
        *messages += 1;
    }

    /// For each arc in use all messages on it and the most on one link.
    fn arcs(&self) -> Vec<(u32, u32)> {
        let mut used = self.used.clone();
        used.sort_unstable();
        let of_arc = |links: &[u32]| {
            let each = || links.iter().map(|link| self.messages[*link as usize]);
            (each().sum(), each().max().unwrap_or(0))
        };
        used.chunk_by(|one, other| one / self.links == other / self.links).map(of_arc).collect()
    }
}

impl Recounting {
    /// Nothing is counted yet.
    pub fn new(shape: &Shape) -> Recounting {
        let loads = || (0..shape.levels()).map(|level| Loads::new(shape, level)).collect();
        Recounting { shape: shape.clone(), count: 0, loads: [loads(), loads()] }
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
        let leaf = |leaf: u32| Place { level: 0, subtree: leaf, parents: 0 };
        let [mut from, mut to] = ends.map(leaf);
        for (level, digit) in climb.iter().enumerate() {
            if from == to {
                return Err(Unfit::Long { message, level });
            }
            if level >= shape.levels() || u32::from(*digit) >= shape.parents(level + 1) {
                return Err(Unfit::Parent { message, level });
            }
            let above = [from, to].map(|node| node.parent(shape, *digit));
            up[level].add(from, above[0]);
            down[level].add(to, above[1]);
            [from, to] = above;
        }
        if from != to {
            return Err(Unfit::Short { message, level: from.level as usize });
        }
        self.count += 1;
        Ok(())
    }

    /// What was counted.
    pub fn finish(self) -> Recount {
        let mut levels = vec![LevelRecount::default(); self.shape.levels()];
        let (mut arcs_used, mut arcs_over) = (0, 0);
        for (level, loads) in self.loads.iter().flat_map(|loads| loads.iter().enumerate()) {
            for (all, most) in loads.arcs() {
                let bound = all.div_ceil(loads.links);
                arcs_used += 1;
                arcs_over += u32::from(most > bound);
                levels[level].achieved = levels[level].achieved.max(most);
                levels[level].bound = levels[level].bound.max(bound);
            }
        }
        Recount { levels, arcs_used, arcs_over }
    }
}
