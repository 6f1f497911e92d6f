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
    Ok(recounting.take())
}

/// Follows messages one by one.
pub struct Recounting {
    shape: Shape,
    /// For each leaf the first links above the subtrees that it is in, one for each level from 0 to
    /// that of the roots.
    links: Vec<u32>,
    /// The parents of a node of each level.
    parents: Vec<u32>,
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
    /// The links with any, each at least once, while they are not [`DENSE`].
    used: Vec<u32>,
}

/// Where one link in so many may be in use, one by one is the quickest way through all of them.
const DENSE: usize = 4;

impl Loads {
    fn new(shape: &Shape, level: usize) -> Loads {
        let links = shape.links(level);
        let all = shape.subtrees(level) as usize * links as usize;
        Loads { links, messages: vec![0; all], used: Vec::new() }
    }

    /// One more message on a link.
    fn add(&mut self, link: u32) {
        self.messages[link as usize] += 1;
        if !self.is_dense() {
            self.used.push(link);
        }
    }

    fn is_dense(&self) -> bool {
        self.used.len() * DENSE > self.messages.len()
    }

    /// Shows of each arc in use all messages on it and the most on one link, and forgets them.
    fn take_arcs(&mut self, mut show: impl FnMut(u32, u32)) {
        let most = |links: &[u32]| links.iter().copied().max().unwrap_or(0);
        if self.is_dense() {
            let arcs = self.messages.chunks_exact(self.links as usize);
            arcs.map(|arc| (arc.iter().sum(), most(arc)))
                .filter(|(all, _)| *all > 0)
                .for_each(|(all, most)| show(all, most));
            self.messages.fill(0);
            self.used.clear();
            return;
        }
        self.used.sort_unstable();
        self.used.dedup();
        for arc in self.used.chunk_by(|one, other| one / self.links == other / self.links) {
            let (mut all, mut most) = (0, 0);
            for link in arc {
                let messages = std::mem::take(&mut self.messages[*link as usize]);
                (all, most) = (all + messages, most.max(messages));
            }
            show(all, most);
        }
        self.used.clear();
    }
}

impl Recounting {
    /// Nothing is counted yet.
    pub fn new(shape: &Shape) -> Recounting {
        let loads = || (0..shape.levels()).map(|level| Loads::new(shape, level)).collect();
        let links = |level| if level < shape.levels() { shape.links(level) } else { 1 };
        let first = |leaf, level| shape.subtree(level, leaf) * links(level);
        let firsts = |leaf| (0..=shape.levels()).map(move |level| first(leaf, level));
        let links = (0..shape.leaves()).flat_map(firsts).collect();
        let parents = (1..=shape.levels()).map(|level| shape.parents(level)).collect();
        Recounting { shape: shape.clone(), links, parents, count: 0, loads: [loads(), loads()] }
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
        let width = shape.levels() + 1;
        let links = |leaf: u32| &self.links[leaf as usize * width..][..width];
        let [from, to] = ends.map(links);
        // Which of the nodes above either end's subtree it is at: the parents taken on the way, as the
        // digits of a number. Up and down they are the same.
        let mut number = 0;
        for (level, digit) in climb.iter().map(|digit| u32::from(*digit)).enumerate() {
            // Above the roots there are no subtrees, and at them both ends are in one.
            if level > shape.levels() || from[level] == to[level] {
                return Err(Unfit::Long { message, level });
            }
            let parents = self.parents[level];
            if digit >= parents {
                return Err(Unfit::Parent { message, level });
            }
            number = number * parents + digit;
            up[level].add(from[level] + number);
            down[level].add(to[level] + number);
        }
        if from[climb.len()] != to[climb.len()] {
            return Err(Unfit::Short { message, level: climb.len() });
        }
        self.count += 1;
        Ok(())
    }

    /// What was counted since the last time.
    pub fn take(&mut self) -> Recount {
        let mut levels = vec![LevelRecount::default(); self.shape.levels()];
        let (mut arcs_used, mut arcs_over) = (0, 0);
        for loads in &mut self.loads {
            for (level, loads) in levels.iter_mut().zip(loads) {
                let links = loads.links;
                loads.take_arcs(|all, most| {
                    let bound = all.div_ceil(links);
                    arcs_used += 1;
                    arcs_over += u32::from(most > bound);
                    level.achieved = level.achieved.max(most);
                    level.bound = level.bound.max(bound);
                });
            }
        }
        self.count = 0;
        Recount { levels, arcs_used, arcs_over }
    }
}
