//! Random messages on all kinds of trees, against what is proven and against brute force.

use dragontree::random::Stream;
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Goal, LowerBound, Options, Shape, Status};
use proptest::prelude::*;

use crate::trees::{messages, shape, solve};

/// A permutation of so many leaves.
pub fn permutation(leaves: u32, stream: &mut Stream) -> Vec<Pair> {
    let mut to: Vec<u32> = (0..leaves).collect();
    stream.shuffle(&mut to);
    messages((0..).zip(to))
}

/// Trees of full bisection: `W_1·…·W_{l+1}` links for the `M_1·…·M_l` leaves of a subtree.
const FULL: [(&[u32], &[u32]); 12] = [
    (&[4, 4], &[1, 4]),
    (&[2, 2, 2, 2], &[1, 2, 2, 2]),
    (&[3, 3, 3], &[1, 3, 3]),
    (&[5, 5, 2], &[1, 5, 5]),
    (&[6, 6, 6], &[1, 6, 6]),
    (&[4, 7, 3], &[1, 4, 7]),
    (&[4, 6, 5], &[1, 5, 6]),
    (&[4, 4, 4], &[2, 4, 4]),
    (&[15, 9, 2], &[1, 15, 9]),
    (&[6, 3, 3], &[3, 2, 3]),
    (&[5, 5], &[4, 2]),
    (&[9, 4, 2], &[6, 3, 2]),
];

/// Trees with fewer links above.
const SLIM: [(&[u32], &[u32]); 13] = [
    (&[4, 4], &[1, 2]),
    (&[4, 4, 4], &[1, 2, 2]),
    (&[2, 2, 2, 2], &[1, 2, 1, 2]),
    (&[3, 4, 5], &[1, 3, 3]),
    (&[6, 6, 6], &[1, 3, 5]),
    (&[8, 4, 2], &[1, 8, 2]),
    (&[5, 5, 5], &[2, 3, 5]),
    (&[4, 4, 4], &[3, 2, 2]),
    (&[12, 12, 3], &[1, 9, 7]),
    (&[4, 4, 4, 4], &[1, 3, 3, 3]),
    (&[8, 4, 2], &[2, 2, 3]),
    (&[6, 6], &[4, 1]),
    (&[6, 5, 4], &[6, 1, 2]),
];

fn of(trees: &[(&[u32], &[u32])], which: usize) -> Shape {
    shape(trees[which % trees.len()])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// A bipartite multigraph of degree k is the union of k matchings (Kőnig).
    #[test]
    fn permutations_have_contention_1_on_trees_of_full_bisection(which: usize, seed: u64) {
        let shape = of(&FULL, which);
        let mut messages = permutation(shape.leaves(), &mut Stream::new(seed, "test", 0));
        messages.truncate(messages.len() - (seed % 5) as usize);
        let (solution, counted) = solve(&shape, &messages, &Options { seed, ..Options::default() });
        prop_assert!(counted.levels.iter().all(|level| level.achieved <= 1));
        prop_assert_eq!(counted.arcs_over, 0);
        prop_assert_eq!(LowerBound::new(&shape, &messages).unwrap().a_priori(), 1);
        prop_assert_eq!(solution.certificate.status, Status::Optimal);
    }

    #[test]
    fn messages_that_all_turn_at_the_top_are_spread_evenly(which: usize, seed: u64, count in 1..300_u32) {
        let shape = of(&SLIM, which);
        let mut stream = Stream::new(seed, "test", 0);
        let top = shape.levels();
        let mut draw = || (stream.below(shape.leaves()), stream.below(shape.leaves()));
        let drawn: Vec<(u32, u32)> = (0..count).map(|_| draw()).collect();
        let mut messages = messages(drawn);
        messages.retain(|message| shape.turn(*message) == top);
        let (_, counted) = solve(&shape, &messages, &Options::default());
        prop_assert_eq!(counted.arcs_over, 0);
        let known = LowerBound::new(&shape, &messages).unwrap();
        prop_assert_eq!(known.a_priori(), known.maximum());
    }

    /// What is known before never fails; and the bound is reached, which is not proven.
    #[test]
    fn no_link_carries_more_than_is_known_before(which: usize, seed: u64, count in 1..400_u32) {
        let shape = of(&SLIM, which);
        let mut stream = Stream::new(seed, "test", 0);
        let mut draw = || (stream.below(shape.leaves()), stream.below(shape.leaves()));
        let drawn: Vec<(u32, u32)> = (0..count).map(|_| draw()).collect();
        let messages = messages(drawn);
        let options = Options { goal: Goal::Maximum, seed, work: 2_000_000 };
        let (solution, _) = solve(&shape, &messages, &options);
        let known = LowerBound::new(&shape, &messages).unwrap();
        prop_assert!(solution.certificate.achieved() <= known.a_priori());
        prop_assert_eq!(solution.certificate.bound().0, known.maximum());
        prop_assert!(solution.certificate.achieved() <= known.maximum() + 1);
    }
}
