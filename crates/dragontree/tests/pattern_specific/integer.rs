//! The integer programs of Prisacari 2020, §3.4, layer by layer, solved by a solver of such: what
//! they find and what they refuse.

use dragontree::analysis::recount;
use dragontree::random::Stream;
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Climbs, Options, Status};
mod program;

use program::{
    BALANCED, ELIMINATED, RELAXED, STRONG, System, conditions, is_possible, layered, product, rows,
};

use crate::exchange::phase;
use crate::trees::{TABLE, messages, shape, solve};

#[test]
fn programs_of_all_kinds_route_opt_without_contention() {
    for (children, parents) in [TABLE[0], TABLE[1]] {
        let shape = shape((children, parents));
        for number in (0..shape.leaves()).step_by(5) {
            let all = phase(children, number);
            for system in [STRONG, BALANCED, RELAXED, ELIMINATED] {
                let climbs = layered(&shape, &all, system).expect("it is possible");
                let counted = recount(&shape, &all, &climbs).unwrap();
                assert!(counted.levels.iter().all(|level| level.achieved <= 1), "{system:?}");
            }
        }
    }
}

/// Relaxing changes what rows ask for, not how many there are; but what it asks for follows from other
/// rows, where the strong conditions do not: on the tree of 512 leaves that Fig. 3.7 is about,
/// elimination alone would find nothing.
#[test]
fn relaxed_programs_have_rows_to_eliminate() {
    let second = |tree: (&[u32], &[u32]), system: System| {
        let (shape, all) = (shape(tree), phase(tree.0, 5));
        let climbs: Vec<Vec<u16>> =
            all.iter().map(|pair| vec![0; shape.turn(*pair).min(1)]).collect();
        rows(&shape, &all, &climbs, 1, system)
    };
    for tree in [TABLE[4], TABLE[5]] {
        let strong = second(tree, STRONG);
        assert_eq!(second(tree, BALANCED), 2 * strong);
        assert_eq!(second(tree, RELAXED), strong);
        assert!(second(tree, ELIMINATED) < strong);
    }
    let strong_ones = System { is_eliminated: true, ..STRONG };
    assert_eq!(second(TABLE[5], strong_ones), second(TABLE[5], STRONG));
}

/// A row that asks for no more than all routes keep restricts nothing. Of those that restrict something
/// relaxing leaves fewer where links could carry more than there is, and eliminating fewer still.
#[test]
fn weaker_programs_have_fewer_rows_that_restrict_anything() {
    for tree in [TABLE[4], TABLE[5]] {
        let shape = shape(tree);
        let mut sums = [0; 3];
        for seed in 0..10 {
            let mut to: Vec<u32> = (0..shape.leaves()).collect();
            Stream::new(seed, "test", 0).shuffle(&mut to);
            let few = messages((0..).zip(to).step_by(6));
            let climbs: Vec<Vec<u16>> =
                few.iter().map(|pair| vec![0; shape.turn(*pair).min(1)]).collect();
            for (sum, system) in sums.iter_mut().zip([STRONG, RELAXED, ELIMINATED]) {
                let conditions = conditions(&shape, &few, &climbs, 1, system).into_iter();
                *sum += conditions.filter(|it| (it.most as usize) < it.messages.len()).count();
            }
        }
        let [strong, relaxed, eliminated] = sums;
        assert!(strong > relaxed && relaxed > eliminated, "{sums:?}");
    }
}

#[test]
fn programs_have_solutions_exactly_where_bounds_are_reached() {
    let trees: [(&[u32], &[u32]); 7] = [
        (&[2, 2, 2], &[1, 2, 1]),
        (&[2, 3, 2], &[1, 3, 1]),
        (&[2, 2, 2], &[1, 2, 2]),
        (&[3, 2, 2], &[1, 2, 3]),
        (&[2, 4, 2], &[1, 2, 1]),
        (&[2, 2, 2, 2], &[1, 2, 1, 1]),
        (&[2, 2, 2], &[2, 1, 2]),
    ];
    let mut refused = 0;
    for (tree, (children, parents)) in trees.into_iter().enumerate() {
        let shape = shape((children, parents));
        let layers = parents.iter().filter(|parents| **parents > 1).count();
        for number in 0..40 {
            let mut stream = Stream::new(number, "test", tree as u64);
            let mut to: Vec<u32> = (0..shape.leaves()).collect();
            stream.shuffle(&mut to);
            let mut all = messages((0..).zip(to));
            if number % 2 == 0 {
                let extra = (0..2).map(|_| (stream.below(8), stream.below(8)));
                all.extend(messages(extra));
            }
            let (solution, counted) = solve(&shape, &all, &Options::default());
            let bound = solution.certificate.bound().0;
            let is_optimal = solution.certificate.status == Status::Optimal;
            assert_eq!(is_possible(&shape, &all, |_, _| bound), is_optimal);
            let even = |level: usize, count: u32| count.div_ceil(product(&shape, 1..=level + 1));
            let is_even = counted.arcs_over == 0;
            assert_eq!(is_possible(&shape, &all, even), is_even, "{shape:?} {all:?}");
            for system in [STRONG, BALANCED, RELAXED, ELIMINATED] {
                let climbs = layered(&shape, &all, system);
                if let Some(climbs) = &climbs {
                    assert_eq!(recount(&shape, &all, climbs).unwrap().arcs_over, 0);
                    assert!(is_even);
                }
                // With more layers a first one can be solved such that a later one cannot.
                if layers == 1 && system.is_relaxed {
                    assert_eq!(climbs.is_some(), is_even);
                }
            }
            refused += u32::from(!is_even);
        }
    }
    assert!(refused > 0);
}

/// Nine messages on a slimmed tree of 16 leaves. Two assignments of the first layer with a choice keep
/// every strong condition (Eqs. 3.6 and 3.8) and differ in one message. Under one of them the next
/// layer's five messages of one switch conflict in a circle, so that nothing below contention 2 is
/// left; under the other all are routed without contention. So these conditions do not preserve
/// optimality (§3.4.4 says that they do).
#[test]
fn a_strong_first_layer_can_leave_no_optimal_way_above() {
    let shape = shape((&[2, 2, 2, 2], &[1, 2, 2, 1]));
    let ends = [(1, 12), (4, 9), (5, 3), (6, 14), (7, 11), (11, 0), (12, 8), (13, 2), (14, 7)];
    let all = messages(ends);
    let first = |links: [u16; 9]| -> Vec<Vec<u16>> {
        let second = |(pair, link): (&Pair, u16)| {
            if shape.turn(*pair) > 1 { vec![0, link] } else { vec![0] }
        };
        all.iter().zip(links).map(second).collect()
    };
    let none: Vec<Vec<u16>> = vec![vec![0]; all.len()];
    let is_strong = |links: [u16; 9]| {
        conditions(&shape, &all, &none, 1, STRONG).iter().all(|condition| {
            let on = |link| condition.messages.iter().filter(|it| links[**it] == link).count();
            (0..2).all(|link| on(link) as u32 <= condition.most)
        })
    };
    // Every choice of the links above, one bit for each message.
    let least = |links: [u16; 9]| {
        let climbs = |choice: u16| -> Climbs {
            let mut climbs = first(links);
            for (place, (climb, pair)) in climbs.iter_mut().zip(&all).enumerate() {
                climb.extend((2..shape.turn(*pair)).map(|layer| match layer {
                    2 => choice >> place & 1,
                    _ => 0,
                }));
            }
            Climbs::new(&climbs)
        };
        let most = |choice| {
            let counted = recount(&shape, &all, &climbs(choice)).unwrap();
            counted.levels.iter().map(|level| level.achieved).max().unwrap()
        };
        (0..1 << all.len()).map(most).min().unwrap()
    };
    let dead_end = [0, 1, 0, 1, 0, 0, 0, 1, 0];
    let way_out = [0, 1, 0, 1, 0, 1, 0, 1, 0];
    assert!(is_strong(dead_end) && is_strong(way_out));
    assert_eq!([least(dead_end), least(way_out)], [2, 1]);
    let (solution, _) = solve(&shape, &all, &Options::default());
    assert_eq!(
        (solution.certificate.achieved(), solution.certificate.status),
        (1, Status::Optimal)
    );
}
