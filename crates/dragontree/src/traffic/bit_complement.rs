//! Bit complement: rank t to T - 1 - t (Prisacari 2020, §6.4.1).

use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Settings};
use crate::placement::Unfit;

/// Rank t sends to T - 1 - t, for any number of ranks T; with an odd T the middle one is silent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BitComplement;

impl Settings for BitComplement {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for BitComplement {
    fn name(&self) -> &'static str {
        "bit_complement"
    }
    fn label(&self) -> &'static str {
        "Bit complement"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Rank t of T sends to T - 1 - t, the bits of its number inverted (Prisacari 2020, §6.4.1).",
        )
    }
}

impl Pattern for BitComplement {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let last = site.ranks().saturating_sub(1);
        Ok(Destinations::fixed(site.ranks(), |rank| last - rank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Rank;

    #[test]
    fn the_middle_of_an_odd_number_is_silent() {
        let destinations = Destinations::fixed(5, |rank| 4 - rank);
        let expected = [Some(4), Some(3), None, Some(1), Some(0)];
        assert_eq!(destinations, Destinations::Fixed(expected.map(|rank| rank.map(Rank)).to_vec()));
    }
}
