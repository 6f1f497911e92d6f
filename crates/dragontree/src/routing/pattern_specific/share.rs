//! Routes of some of the phases, found elsewhere at the same time.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::SolvedPhase;

/// The routes of the messages of some phases. It goes from one build to the same one only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The phases that were asked for.
    pub(super) given: Range<u32>,
    /// Those of them in which messages are sent.
    pub(super) phases: Vec<SharedPhase>,
}

/// A phase, and how its messages climb, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SharedPhase {
    pub phase: SolvedPhase,
    pub codes: Vec<u32>,
}

impl Share {
    /// The phases that were asked for.
    pub fn phases(&self) -> &Range<u32> {
        &self.given
    }
}
