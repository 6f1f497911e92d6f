//! A random permutation: every rank to another one of its own.

use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::placement::Unfit;
use crate::random::Stream;

/// Every rank sends to one other rank and is sent to by one: a permutation that leaves no rank in its
/// place, each such equally likely (Dally & Towles 2004, §3.2, random permutations).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Permutation {
    /// The permutation's own seed; without one it follows the run's.
    pub seed: Option<u64>,
}

impl Settings for Permutation {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::optional(
                "seed",
                "Permutation seed",
                "Seed of the permutation; “run” follows the run's seed.",
                &mut self.seed,
                "run",
                0..=u64::MAX,
            )
            .advanced(),
        );
    }
}

impl Part for Permutation {
    fn name(&self) -> &'static str {
        "permutation"
    }
    fn label(&self) -> &'static str {
        "Random permutation"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Every rank sends to one other and is sent to by one, at random (Dally & Towles 2004, §3.2).",
        )
    }
}

impl Pattern for Permutation {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let mut stream = Stream::new(self.seed.unwrap_or(site.seed), "permutation", 0);
        let order = moved(site.ranks(), &mut stream);
        Ok(Destinations::fixed(site.ranks(), |rank| order[rank as usize]))
    }
}

/// A random order of so many in which none has its own place, if they are several: as many are drawn
/// as it takes, about e.
fn moved(count: u32, stream: &mut Stream) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count).collect();
    if count < 2 {
        return order;
    }
    loop {
        stream.shuffle(&mut order);
        if (0..).zip(&order).all(|(place, other)| place != *other) {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_keeps_its_place_and_all_such_orders_are_equally_likely() {
        // Of four there are nine such orders.
        let mut counts = std::collections::BTreeMap::new();
        let mut stream = Stream::new(1, "permutation", 0);
        for _ in 0..9000 {
            let order = moved(4, &mut stream);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3]);
            *counts.entry(order).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 9);
        // The standard deviation of a count is 30.
        assert!(counts.values().all(|count| count.abs_diff(1000) < 150), "{counts:?}");
        assert_eq!(moved(1, &mut stream), [0]);
        assert_eq!(moved(2, &mut stream), [1, 0]);
    }
}
