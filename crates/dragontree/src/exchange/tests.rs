//! What every order of an all-to-all must hold, on random hierarchies.

use proptest::prelude::*;

use super::*;
use crate::units::Bytes;

/// Widths of two to four layers with at most 200 places.
fn hierarchies() -> impl Strategy<Value = Hierarchy> {
    let widths = prop::collection::vec(1_u32..6, 2..5);
    widths.prop_map(Hierarchy::new).prop_filter("small", |all| (2..=200).contains(&all.places()))
}

/// The phase in which a place of one layer lets its numbers run in the lowest digits only.
fn contained(phased: &Phased, within: u32) -> u32 {
    let places = phased.phases();
    let stays = |phase: &u32| {
        (0..places).all(|place| phased.place_after(place, *phase) / within == place / within)
    };
    (0..places).filter(stays).count() as u32
}

/// Each phase a permutation of which the inverse is known, and every place reaches every place once.
fn is_valid(phased: &Phased) -> bool {
    let places = phased.phases();
    let back =
        |phase| (0..places).all(|s| phased.place_before(phased.place_after(s, phase), phase) == s);
    let all = |mut to: Vec<u32>| {
        to.sort_unstable();
        to.into_iter().eq(0..places)
    };
    (0..places).all(|phase| all((0..places).map(|s| phased.place_after(s, phase)).collect()))
        && (0..places).all(back)
        && (0..places).all(|s| all((0..places).map(|phase| phased.place_after(s, phase)).collect()))
}

fn identity(hierarchy: &Hierarchy) -> Vec<u32> {
    (1..=hierarchy.widths().len() as u32).collect()
}

fn reversed(hierarchy: &Hierarchy) -> Vec<u32> {
    identity(hierarchy).into_iter().rev().collect()
}

fn phase(phased: &Phased, phase: u32) -> Vec<u32> {
    (0..phased.phases()).map(|place| phased.place_after(place, phase)).collect()
}

/// For each layer below the top, the most messages that leave or enter one of its nodes in a phase.
fn most(phased: &Phased, widths: &[u32]) -> Vec<u32> {
    let places = phased.phases();
    let layers = 1..widths.len();
    let each = layers.map(|layers| {
        let within: u32 = widths[..layers].iter().product();
        let of_phase = |phase: u32| {
            let mut flows = vec![[0, 0]; (places / within) as usize];
            for place in 0..places {
                let to = phased.place_after(place, phase);
                if place / within != to / within {
                    flows[(place / within) as usize][0] += 1;
                    flows[(to / within) as usize][1] += 1;
                }
            }
            flows.into_iter().flatten().max().unwrap_or(0)
        };
        (0..places).map(of_phase).max().unwrap_or(0)
    });
    each.collect()
}

/// Prisacari 2020, Eq. 2.1.
fn bounds(widths: &[u32]) -> Vec<u32> {
    let below = |layers: usize| widths[..layers].iter().product::<u32>();
    let above = |layers: usize| widths[layers..].iter().product::<u32>();
    (1..widths.len()).map(|layers| below(layers) - below(layers) / above(layers)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn permuted_bases_are_valid(
        (hierarchy, order) in hierarchies().prop_flat_map(|hierarchy| {
            let order = Just(identity(&hierarchy)).prop_shuffle();
            (Just(hierarchy), order)
        }),
    ) {
        prop_assert!(is_valid(&Phased::of_digits(&hierarchy, &order, Bytes(8))));
    }

    #[test]
    fn hierarchical_exchanges_are_valid_and_contained(hierarchy in hierarchies()) {
        let added = Phased::of_digits(&hierarchy, &identity(&hierarchy), Bytes(8));
        let balanced = Phased::of_balanced(&hierarchy, Bytes(8));
        for phased in [added, balanced] {
            prop_assert!(is_valid(&phased));
            // As many phases stay within a layer's nodes as these have places (§4.4.1).
            for layers in 1..=hierarchy.widths().len() {
                let within = hierarchy.widths()[..layers].iter().product();
                prop_assert_eq!(contained(&phased, within), within);
            }
        }
    }

    #[test]
    fn reversed_digits_load_no_level_more_than_must_be(hierarchy in hierarchies()) {
        let widths: Vec<u32> =
            hierarchy.widths().iter().copied().filter(|width| *width > 1).collect();
        let hierarchy = Hierarchy::new(widths.clone());
        let phased = Phased::of_digits(&hierarchy, &reversed(&hierarchy), Bytes(8));
        prop_assert_eq!(most(&phased, &widths), bounds(&widths));
    }
}

/// Prisacari 2020, §2.3.2 and Fig. 2.3.
#[test]
fn the_printed_exchange_of_eight_tasks_comes_out() {
    let hierarchy = Hierarchy::new(vec![4, 2]);
    let phased = Phased::of_digits(&hierarchy, &[2, 1], Bytes(8));
    let expected = [
        [0, 4, 1, 5, 2, 6, 3, 7],
        [4, 0, 5, 1, 6, 2, 7, 3],
        [1, 5, 2, 6, 3, 7, 0, 4],
        [5, 1, 6, 2, 7, 3, 4, 0],
        [2, 6, 3, 7, 0, 4, 1, 5],
        [6, 2, 7, 3, 4, 0, 5, 1],
        [3, 7, 0, 4, 1, 5, 2, 6],
        [7, 3, 4, 0, 5, 1, 6, 2],
    ];
    for (row, own) in expected.iter().enumerate() {
        assert_eq!(phase(&phased, row as u32), own);
    }
    for s in 0..8 {
        for p in 0..8 {
            let closed = (((s % 2) + (p % 2)) % 2) * 4 + ((s / 2) + (p / 2)) % 4;
            assert_eq!(phased.place_after(s, p), closed);
        }
    }
}

/// Prisacari 2020, §4.4.1 and §4.4.2, with H = (1, 4, 4).
#[test]
fn the_hierarchical_exchanges_of_sixteen_tasks_come_out() {
    let hierarchy = Hierarchy::new(vec![1, 4, 4]);
    let added = Phased::of_digits(&hierarchy, &[1, 2, 3], Bytes(8));
    assert_eq!(phase(&added, 5), [5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0]);
    let balanced = Phased::of_balanced(&hierarchy, Bytes(8));
    assert_eq!(phase(&balanced, 5), [5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11, 0]);
}

#[test]
fn of_twos_the_hierarchical_exchange_is_exclusive_or() {
    let hierarchy = Hierarchy::new(vec![2; 6]);
    let added = Phased::of_digits(&hierarchy, &identity(&hierarchy), Bytes(8));
    for p in 0..64 {
        assert!((0..64).all(|s| added.place_after(s, p) == s ^ p));
    }
}

/// Found by brute force over all orders; other permutations than the reversed one reach the bound too.
#[test]
fn some_permutations_reach_the_bound_and_others_do_not() {
    let widths = [4, 3, 2];
    let hierarchy = Hierarchy::new(widths.to_vec());
    let of = |order: &[u32]| most(&Phased::of_digits(&hierarchy, order, Bytes(8)), &widths);
    for order in [[2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        assert_eq!(of(&order), [4, 6]);
    }
    for order in [[1, 2, 3], [2, 1, 3]] {
        assert_eq!(of(&order), [4, 12]);
    }
    assert_eq!(of(&[1, 3, 2]), [4, 8]);
}

/// Prisacari 2020, Eq. 2.1: recomputed for Table 2.1 and other widths.
#[test]
fn the_bound_and_the_exchange_agree_on_the_documents_trees() {
    let vectors: [(&[u32], &[u32]); 7] = [
        (&[4, 2], &[2]),
        (&[4, 2, 2], &[3, 4]),
        (&[4, 4, 2], &[4, 8]),
        (&[8, 4, 2], &[7, 16]),
        (&[8, 8, 2], &[8, 32]),
        (&[4, 3, 3], &[4, 8]),
        (&[3, 5, 2], &[3, 8]),
    ];
    for (widths, expected) in vectors {
        let hierarchy = Hierarchy::new(widths.to_vec());
        let phased = Phased::of_digits(&hierarchy, &reversed(&hierarchy), Bytes(8));
        assert_eq!(most(&phased, widths), expected);
    }
}
