//! How the ways of a packet are weighed against each other.

use super::super::Fork;
use super::{Kind, Scale};
use crate::units::{Bytes, Load};

/// What decides between ways.
#[derive(Clone, Copy, Debug)]
pub struct Weighing {
    pub(super) c: Load,
    pub(super) threshold: Load,
    pub(super) scale: Scale,
}

/// Bytes and hops of which the cost fits into 64 bits, whatever the factor.
const SHORT: u64 = 1 << 28;
const SHORT_WAY: u64 = 1 << 6;

impl Weighing {
    /// Whether a packet goes minimally, whatever is queued in front of other ways: nothing is
    /// cheaper than nothing.
    pub(super) fn goes_minimally(&self, queued: Bytes, capacity: Bytes) -> bool {
        let threshold = u64::from(self.threshold.as_ppm());
        // Last, as the long product is a call in wasm.
        let filled = || u128::from(queued.0) * 1_000_000;
        let limit = || u128::from(threshold) * u128::from(capacity.0);
        queued.0 == 0 || (threshold > 0 && filled() < limit())
    }

    /// What a way costs, for comparison with others of the same pair.
    #[inline(always)]
    pub(super) fn cost(&self, kind: Kind, queued: Bytes, hops: u32) -> u128 {
        let factor = match kind {
            Kind::Minimal => Load::FULL,
            Kind::Indirect => self.c,
        };
        let length = match self.scale {
            Scale::Length => u64::from(hops),
            Scale::Constant => 1,
        };
        // Where it fits, as the long product is a call in wasm.
        if queued.0 < SHORT && length < SHORT_WAY {
            return u128::from(queued.0 * u64::from(factor.as_ppm()) * length);
        }
        u128::from(queued.0) * u128::from(factor.as_ppm()) * u128::from(length)
    }

    /// Whether a packet takes the second way of a fork and not the minimal one, when so much is queued in
    /// front of either, of an output's capacity.
    #[inline(always)]
    pub fn takes_second(&self, fork: &Fork, [minimal, other]: [Bytes; 2], capacity: Bytes) -> bool {
        let [short, long] = fork.map(|way| way.steps.get() - 1);
        // Without a threshold the costs say the same: nothing is cheaper than a way with nothing in front.
        let stays = self.threshold > Load::ppm(0) && self.goes_minimally(minimal, capacity);
        let cost = self.cost(Kind::Indirect, other, long);
        !stays && cost < self.cost(Kind::Minimal, minimal, short)
    }
}
