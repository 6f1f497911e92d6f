//! The nearest-neighbor exchange of a torus of ranks (Prisacari 2020, §7.4.4).

use super::steps::{check_fit, to_neighbors};
use super::{Closed, Exchanged, Refused, Site};
use crate::catalog::{Form, Part, Setting, Settings, Written};

/// Every rank sends a message to both neighbors along each dimension.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TorusNeighbor {
    /// Ranks along each dimension.
    pub widths: Widths,
}

/// Ranks along each dimension of a torus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Widths {
    /// The largest torus of three dimensions that the ranks fill, or nearly.
    Auto,
    /// These, the first running fastest.
    Given(Vec<u32>),
}

impl Default for Widths {
    fn default() -> Widths {
        Widths::Given(vec![4; 3])
    }
}

/// Dimensions and ranks along one, at most.
const MOST_DIMENSIONS: usize = 8;
const WIDEST: u32 = 1_000_000;

impl Written for Widths {
    fn read(&mut self, text: &str) -> bool {
        let width = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|width| digits && (1..=WIDEST).contains(width))
        };
        let widths = || text.split('.').map(width).collect::<Option<Vec<u32>>>();
        let read = match text {
            "auto" => Some(Widths::Auto),
            _ => widths().filter(|all| all.len() <= MOST_DIMENSIONS).map(Widths::Given),
        };
        read.map(|widths| *self = widths).is_some()
    }
    fn print(&self) -> String {
        match self {
            Widths::Auto => "auto".to_owned(),
            Widths::Given(all) => all.iter().map(u32::to_string).collect::<Vec<_>>().join("."),
        }
    }
    fn allowed(&self) -> &'static str {
        "auto, or up to 8 numbers from 1 to 1000000 joined by dots"
    }
    fn example(&self) -> &'static str {
        "auto"
    }
}

impl Widths {
    /// The widths of a torus of so many ranks: of three dimensions, none more than twice as wide as
    /// another, that with the most places; of those with equally many the most cubic, whose widths have
    /// the smallest sum; of several the one with the widest dimension. The narrowest dimension comes
    /// first. Without the limit every prime number would be a ring.
    pub fn of(&self, ranks: u32) -> Vec<u32> {
        match self {
            Widths::Auto => largest(ranks),
            Widths::Given(widths) => widths.clone(),
        }
    }
}

fn largest(ranks: u32) -> Vec<u32> {
    let most = u64::from(ranks.max(1));
    let (mut best, mut key) = (vec![1; 3], (0, 0, 0));
    for x in (1..).take_while(|x| x * x * x <= most) {
        for y in (x..=2 * x).take_while(|y| x * y * y <= most) {
            let z = (most / (x * y)).min(2 * x);
            let found = (x * y * z, u64::MAX - (x + y + z), z);
            if found > key {
                (best, key) = ([x, y, z].map(|width| width as u32).to_vec(), found);
            }
        }
    }
    best
}

impl Settings for TorusNeighbor {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::written(
            "widths",
            "Widths",
            "Ranks along each dimension, the first running fastest; auto finds the largest torus of \
             three that fits. More ranks stay silent.",
            &mut self.widths,
        ));
    }
}

impl Part for TorusNeighbor {
    fn name(&self) -> &'static str {
        "torus_neighbor"
    }
    fn label(&self) -> &'static str {
        "Torus neighbors"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Ranks on a torus send to all their neighbors at once (Prisacari 2020, §7.4.4).",
        )
    }
}

impl Closed for TorusNeighbor {
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        let widths = self.widths.of(site.ranks());
        check_fit("widths", &widths, site.ranks())?;
        let bytes = vec![site.bytes; widths.len()];
        to_neighbors(site.ranks(), &widths, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by looking at every box of so many places or fewer.
    fn looked_for(ranks: u32) -> (u32, u32) {
        let boxes = (1..=ranks).flat_map(|x| {
            let ys = (x..=ranks.min(2 * x)).take_while(move |y| x * y <= ranks);
            ys.flat_map(move |y| (y..=2 * x).map(move |z| [x, y, z]))
        });
        let fit = boxes.map(|widths| (widths.iter().product::<u32>(), widths.iter().sum::<u32>()));
        let fit = fit.filter(|(places, _)| *places <= ranks);
        fit.max_by_key(|(places, sum)| (*places, u32::MAX - sum)).expect("a single place fits")
    }

    #[test]
    fn the_largest_torus_is_found() {
        for ranks in 1..=400 {
            let found = Widths::Auto.of(ranks);
            let best = (found.iter().product(), found.iter().sum());
            assert_eq!(best, looked_for(ranks), "{ranks}: {found:?}");
            assert!(found.is_sorted() && found[2] <= 2 * found[0], "{ranks}: {found:?}");
        }
        // Primes and twice a prime.
        assert_eq!(Widths::Auto.of(17), [2, 2, 4]);
        assert_eq!(Widths::Auto.of(1058), [8, 11, 12]);
        assert_eq!(Widths::Auto.of(2), [1, 1, 2]);
    }
}
