//! What the solver is asked: a tree's shape, messages, and climbs as the answer.

use crate::network::Tree;
use crate::routing::Pair;

/// The most levels of a tree.
const MOST_LEVELS: usize = 16;

/// The most leaves, and the most links of one arc.
const MOST_PLACES: u64 = 1 << 24;

/// The shape of a tree XGFT(h; m_1..m_h; w_1..w_h): leaves 0..Πm, the digit m_1 the fastest
/// (Prisacari 2020, §3.3.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    parents: Vec<u32>,
    /// For each level, from 0, how many leaves are below one of its nodes.
    below: Vec<u32>,
}

/// Why there is no such tree, or none for such messages.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The lists differ in length, are empty or too long.
    #[error("m and w have 1 to {MOST_LEVELS} numbers, both as many; here {children} and {parents}")]
    Levels {
        /// How many numbers of children there are.
        children: usize,
        /// How many numbers of parents there are.
        parents: usize,
    },
    /// A number of children or parents is 0, or the tree is too large.
    #[error("level {level} has no nodes or too many")]
    Size {
        /// From 1.
        level: usize,
    },
    /// A link of the tree is several.
    #[error("level {level} has parallel links")]
    Parallel {
        /// From 1.
        level: usize,
    },
    /// A message from or to somewhere else.
    #[error("message {message} is from or to a leaf that is not there")]
    Leaf {
        /// Its place in the list.
        message: usize,
    },
    /// More messages than can be counted.
    #[error("there are more than {} messages", u32::MAX / 2)]
    Messages,
}

impl Shape {
    /// The tree of `children[l - 1]` children per node of level `l` and `parents[l - 1]` parents
    /// per node of level `l - 1`.
    ///
    /// # Errors
    /// The lists do not make a tree, or one that is too large.
    pub fn new(children: &[u32], parents: &[u32]) -> Result<Shape, Malformed> {
        let (given, levels) = (children.len(), parents.len());
        if given != levels || levels == 0 || levels > MOST_LEVELS {
            return Err(Malformed::Levels { children: given, parents: levels });
        }
        let mut below = vec![1];
        let (mut leaves, mut links) = (1, 1);
        for (level, (children, parents)) in (1..).zip(children.iter().zip(parents)) {
            leaves *= u64::from(*children);
            links *= u64::from(*parents);
            let fits = |places: u64| (1..=MOST_PLACES).contains(&places);
            if !fits(leaves) || !fits(links) || *parents > u32::from(u16::MAX) {
                return Err(Malformed::Size { level });
            }
            below.push(leaves as u32);
        }
        Ok(Shape { parents: parents.to_vec(), below })
    }

    /// The shape of a network's tree.
    ///
    /// # Errors
    /// The tree has parallel links, or is too large.
    pub fn of(tree: &Tree) -> Result<Shape, Malformed> {
        let levels = 1..=tree.levels();
        if let Some(level) = levels.clone().find(|level| tree.parallel(*level) > 1) {
            return Err(Malformed::Parallel { level: level as usize });
        }
        let children: Vec<u32> = levels.clone().map(|level| tree.children(level)).collect();
        let parents: Vec<u32> = levels.map(|level| tree.parents(level)).collect();
        Shape::new(&children, &parents)
    }

    /// The number of levels of switches (h).
    pub fn levels(&self) -> usize {
        self.parents.len()
    }

    /// The number of leaves.
    pub fn leaves(&self) -> u32 {
        self.below[self.levels()]
    }

    /// Parents that a node of the level below has in this level, from 1 (`W_l`).
    pub fn parents(&self, level: usize) -> u32 {
        self.parents[level - 1]
    }

    /// Children of a node of this level, from 1 (`M_l`).
    pub fn children(&self, level: usize) -> u32 {
        self.below[level] / self.below[level - 1]
    }

    /// The subtree of a leaf when the tree is cut above this level.
    pub fn subtree(&self, level: usize, leaf: u32) -> u32 {
        leaf / self.below[level]
    }

    /// How many subtrees there are when the tree is cut above this level.
    pub fn subtrees(&self, level: usize) -> u32 {
        self.leaves() / self.below[level]
    }

    /// How many links lead up from a subtree of this level: `W_1·…·W_{l+1}` (Prisacari 2020,
    /// §3.3), and as many down.
    pub fn links(&self, level: usize) -> u32 {
        self.parents[..=level].iter().product()
    }

    /// How many switches of a level lie above any leaf: `W_1·…·W_l`, 1 for level 0.
    pub fn spread(&self, level: usize) -> u32 {
        self.parents[..level].iter().product()
    }

    /// The digits of a climb as one number, the lowest first: `Σ_{i≤l} w_i·Π_{j<i}W_j`.
    pub fn code(&self, climb: &[u16]) -> u32 {
        (0..).zip(climb).map(|(level, digit)| u32::from(*digit) * self.spread(level)).sum()
    }

    /// The level at which a message turns: the lowest with a switch above both ends; 0 for one that
    /// stays where it is.
    pub fn turn(&self, message: Pair) -> usize {
        let ends = [message.source.0, message.destination.0];
        let meet = |level: &usize| {
            let [source, destination] = ends.map(|leaf| self.subtree(*level, leaf));
            source == destination
        };
        (0..self.levels()).find(meet).unwrap_or(self.levels())
    }

    /// Checks that all messages are between leaves of the tree.
    pub(super) fn check(&self, messages: &[Pair]) -> Result<(), Malformed> {
        if messages.len() > (u32::MAX / 2) as usize {
            return Err(Malformed::Messages);
        }
        let leaves = self.leaves();
        let strays = |pair: &Pair| pair.source.0 >= leaves || pair.destination.0 >= leaves;
        match messages.iter().position(strays) {
            Some(message) => Err(Malformed::Leaf { message }),
            None => Ok(()),
        }
    }
}

/// For each message how it climbs: which parent it goes to from level 0, from level 1 and so on
/// up to where it turns. The way down is through the nodes of the same digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Climbs {
    digits: Vec<u16>,
    /// Where each message's digits begin; at the end how many there are.
    first: Vec<usize>,
}

impl Climbs {
    /// Climbs as lists of digits.
    pub fn new<C: AsRef<[u16]>>(climbs: &[C]) -> Climbs {
        let mut all = Climbs { digits: Vec::new(), first: vec![0] };
        for climb in climbs {
            all.digits.extend_from_slice(climb.as_ref());
            all.first.push(all.digits.len());
        }
        all
    }

    /// The number of messages.
    pub fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// The digits `w_1, w_2, …` of a message; none where there is no such message.
    pub fn of(&self, message: usize) -> &[u16] {
        match self.first.get(message..message + 2) {
            Some(ends) => &self.digits[ends[0]..ends[1]],
            None => &[],
        }
    }
}
