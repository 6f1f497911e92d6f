//! What a solution says of itself. Nothing of it has to be believed: the loads can be counted, and
//! so can what they are compared with.

use serde::{Deserialize, Serialize};

use super::{LevelBound, TreeArc};

/// How good routes are and must be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// For each level, from 0, of the links above it.
    pub levels: Vec<LevelCertificate>,
    /// How many arcs any message takes.
    pub arcs_used: u32,
    /// How many of them have a link that carries more messages than it would in an even spread.
    pub arcs_over: u32,
    /// What is known of the most messages on one link.
    pub status: Status,
    /// The seed of all that was drawn.
    pub seed: u64,
    /// How many messages were looked at, each time that one was.
    pub work: u64,
}

/// The links above one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelCertificate {
    /// What is known without routes.
    pub known: LevelBound,
    /// The most messages on one link.
    pub achieved: u32,
    /// Whether all ways were tried: none has fewer here without having more above another level.
    pub exhausted: bool,
}

/// What is known of the most messages on one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// There cannot be fewer: that follows from counting.
    Optimal,
    /// There cannot be fewer: all ways were tried.
    OptimalByExhaustion,
    /// There are this many.
    Gap {
        /// There cannot be fewer than this.
        bound: u32,
        /// There are so many.
        achieved: u32,
    },
}

impl Certificate {
    /// The most messages on one link.
    pub fn achieved(&self) -> u32 {
        self.levels.iter().map(|level| level.achieved).max().unwrap_or(0)
    }

    /// The bound from counting on the most messages on one link, and an arc that shows it; none
    /// where no message goes anywhere.
    pub fn bound(&self) -> (u32, Option<TreeArc>) {
        let bounds = self.levels.iter().map(|level| level.known);
        let most = bounds.map(|known| (known.bound, known.witness));
        most.max_by_key(|(bound, _)| *bound).unwrap_or((0, None))
    }

    /// Whether nobody could have fewer messages on the worst link, nor do better above any level
    /// without doing worse above another.
    pub fn is_optimal(&self) -> bool {
        let is_least = !matches!(self.status, Status::Gap { .. });
        is_least && self.levels.iter().all(LevelCertificate::is_optimal)
    }

    /// By how much the most messages are above the bound: on the worst link, or at the level where
    /// that is most of those that may not be optimal.
    pub fn over(&self) -> u32 {
        let open = self.levels.iter().filter(|level| !level.is_optimal());
        let of_level = open.map(|level| level.achieved - level.known.bound).max().unwrap_or(0);
        match self.status {
            Status::Gap { bound, achieved } => of_level.max(achieved - bound),
            Status::Optimal | Status::OptimalByExhaustion => of_level,
        }
    }
}

impl LevelCertificate {
    /// Whether nobody could do better here without doing worse above another level.
    pub fn is_optimal(&self) -> bool {
        self.achieved == self.known.bound || self.exhausted
    }
}
