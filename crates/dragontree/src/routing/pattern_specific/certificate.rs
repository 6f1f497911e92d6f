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

    /// Whether nobody could do better on any level.
    pub fn is_optimal_per_level(&self) -> bool {
        self.levels.iter().all(|level| level.achieved == level.known.bound)
    }

    /// Whether nobody could do better on any arc.
    pub fn is_optimal_per_arc(&self) -> bool {
        self.arcs_over == 0
    }
}
