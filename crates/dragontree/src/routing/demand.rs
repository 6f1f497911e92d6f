//! Messages that routes are made for.

use super::Pair;

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
}
