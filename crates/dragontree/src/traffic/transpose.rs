//! Transpose: the rank in row i, column j of a square to that in row j, column i (Dally & Towles
//! 2004, §3.2).

use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::placement::Unfit;

/// The ranks fill a square row by row, and each sends to the one on the other side of its diagonal; those
/// on it are silent. Where the ranks are an even power of two, this rotates the bits of a rank's number
/// by half of them (Dally & Towles 2004, Table 3.1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transpose;

impl Settings for Transpose {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for Transpose {
    fn name(&self) -> &'static str {
        "transpose"
    }
    fn label(&self) -> &'static str {
        "Transpose"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Row i, column j of a square of ranks to row j, column i (Dally & Towles 2004, §3.2).",
        )
    }
}

impl Pattern for Transpose {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let ranks = site.ranks();
        let side = ranks.isqrt();
        if side * side != ranks {
            // A single rank has nobody to send to.
            let nearest = side.max(2).pow(2);
            let allowed = format!(
                "it takes a square of ranks and there are {ranks}; allowed: ranks={nearest} or another \
                 square"
            );
            return Err(Unfit::Problem(Problem::new("", "", allowed)));
        }
        Ok(Destinations::fixed(ranks, |rank| transposed(rank, side)))
    }
}

/// Where a rank sends to, on a square of this side.
fn transposed(rank: u32, side: u32) -> u32 {
    rank % side * side + rank / side
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_change_places() {
        let all =
            |side: u32| (0..side * side).map(|rank| transposed(rank, side)).collect::<Vec<_>>();
        assert_eq!(all(3), [0, 3, 6, 1, 4, 7, 2, 5, 8]);
        // 64 ranks have six bits, of which the upper three and the lower three change places.
        let rotated: Vec<u32> = (0..64).map(|rank| rank >> 3 | (rank & 7) << 3).collect();
        assert_eq!(all(8), rotated);
    }
}
