//! Bit reversal: rank t to the rank with t's bits in reverse (Prisacari 2020, §6.4.1).

use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Settings};
use crate::placement::Unfit;

/// The bits of a rank's number are reversed. Where the ranks are no power of two, they are cut from
/// the first on into the largest powers of two that are left, and the bits are reversed in each
/// (Prisacari 2020, footnote to §6.4.1). Ranks that would send to themselves are silent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BitReversal;

impl Settings for BitReversal {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for BitReversal {
    fn name(&self) -> &'static str {
        "bit_reversal"
    }
    fn label(&self) -> &'static str {
        "Bit reversal"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Rank t sends to the one with t's bits in reverse (Prisacari 2020, §6.4.1).",
        )
    }
}

impl Pattern for BitReversal {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let ranks = site.ranks();
        Ok(Destinations::fixed(ranks, |rank| reversed(rank, ranks)))
    }
}

/// Where a rank sends to.
fn reversed(rank: u32, ranks: u32) -> u32 {
    let (mut base, mut left) = (0, ranks);
    loop {
        let bits = left.max(1).ilog2();
        let block = 1 << bits;
        if rank < base + block {
            let place = rank - base;
            return base + (place.reverse_bits().checked_shr(u32::BITS - bits).unwrap_or(0));
        }
        base += block;
        left -= block;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(ranks: u32) -> Vec<u32> {
        (0..ranks).map(|rank| reversed(rank, ranks)).collect()
    }

    #[test]
    fn blocks_of_powers_of_two_are_reversed_one_by_one() {
        assert_eq!(all(8), [0, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!(all(12), [0, 4, 2, 6, 1, 5, 3, 7, 8, 10, 9, 11]);
        let of_42 = all(42);
        assert_eq!(of_42[..4], [0, 16, 8, 24]);
        assert_eq!(of_42[32..], [32, 36, 34, 38, 33, 37, 35, 39, 40, 41]);
        assert_eq!(all(1), [0]);
    }
}
