//! Messages that routes are made for.

use std::sync::Arc;

use super::Pair;
use crate::catalog::Setting;

crate::choices! {
    /// The messages that routes share among the links.
    pub enum AtOnce {
        /// Those of a phase: phases do not overlap.
        Phase = "phase", "of a phase";
        /// Those of all phases, as if there were one: nobody waits for the others.
        All = "all", "of all phases";
    }
}

impl AtOnce {
    /// The setting of routings that are made for messages.
    pub(super) fn setting(&mut self) -> Setting<'_> {
        let help = "Which messages share the links: those of a phase, because phases do not overlap, \
                    or those of all phases, because nobody waits for the others.";
        Setting::choice("at_once", "Messages at once", help, self)
    }
}

/// A message between two endpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Which message of an exchange it is, as the exchange labels it; of traffic the source's rank.
    pub label: u64,
    /// From where to where; two different endpoints.
    pub pair: Pair,
    /// What it counts beside others between the same endpoints.
    pub weight: u32,
}

/// Messages, phase by phase: those of a phase are under way at the same time.
pub trait Demand: Send + Sync {
    /// The number of phases, those included in which nobody sends.
    fn phases(&self) -> u32;

    /// The most messages that there are in all phases together.
    fn messages(&self) -> u64;

    /// The messages of a phase, those within an endpoint left out.
    fn sent(&self, phase: u32) -> Vec<Sent>;

    /// Whether the messages are those of several phases, taken for one.
    fn is_together(&self) -> bool {
        false
    }
}

/// The messages of all phases as those of one.
pub struct Together(pub Arc<dyn Demand>);

impl Demand for Together {
    fn phases(&self) -> u32 {
        self.0.phases().min(1)
    }

    fn messages(&self) -> u64 {
        self.0.messages()
    }

    fn sent(&self, _phase: u32) -> Vec<Sent> {
        (0..self.0.phases()).flat_map(|phase| self.0.sent(phase)).collect()
    }

    fn is_together(&self) -> bool {
        self.0.phases() > 1
    }
}
