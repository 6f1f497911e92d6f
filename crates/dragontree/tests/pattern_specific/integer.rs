//! The integer programs of Prisacari 2020, §3.4, layer by layer, solved by a solver of such: what
//! they find and what they refuse.

use std::collections::BTreeMap;

use dragontree::analysis::recount;
use dragontree::random::Stream;
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Climbs, Options, Shape, Status};
use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, Variable};

use crate::exchange::phase;
use crate::trees::{TABLE, messages, shape, solve};

/// What a layer's program asks for.
#[derive(Clone, Copy, Debug)]
struct System {
    /// Also at least so many on each link (Eqs. 3.9 and 3.10).
    is_balanced: bool,
    /// No more than does no harm above, instead of as few as there can be (Eqs. 3.11 and 3.12).
    is_relaxed: bool,
    /// Without what follows from the rest (§3.4.5).
    is_eliminated: bool,
}

const STRONG: System = System { is_balanced: false, is_relaxed: false, is_eliminated: false };
const BALANCED: System = System { is_balanced: true, ..STRONG };
const RELAXED: System = System { is_relaxed: true, ..STRONG };
const ELIMINATED: System = System { is_relaxed: true, is_eliminated: true, ..STRONG };

/// Of these messages at least and at most so many may take each of a node's links.
struct Condition {
    messages: Vec<usize>,
    least: u32,
    most: u32,
}

/// A product of `W`s.
fn product(shape: &Shape, levels: std::ops::RangeInclusive<usize>) -> u32 {
    levels.map(|level| shape.parents(level)).product()
}

/// The messages of each `M_{λ,mt,wt}` at a layer, up or down (Eqs. 3.1 and 3.3).
fn sets(
    shape: &Shape,
    all: &[Pair],
    climbs: &[Vec<u16>],
    [layer, lambda, side]: [usize; 3],
) -> BTreeMap<(u32, Vec<u16>), Vec<usize>> {
    let mut sets: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (message, pair) in all.iter().enumerate() {
        if shape.turn(*pair) > layer + lambda {
            let leaf = [pair.source.0, pair.destination.0][side];
            let key = (shape.subtree(layer + lambda, leaf), climbs[message].clone());
            sets.entry(key).or_default().push(message);
        }
    }
    sets
}

fn conditions(
    shape: &Shape,
    all: &[Pair],
    climbs: &[Vec<u16>],
    layer: usize,
    system: System,
) -> Vec<Condition> {
    let width = shape.parents(layer + 1);
    let mut conditions = Vec::new();
    for side in 0..2 {
        let local = sets(shape, all, climbs, [layer, 0, side]);
        for lambda in 0..shape.levels() - layer {
            let spread = product(shape, layer + 2..=layer + lambda + 1);
            for ((node, wt), messages) in sets(shape, all, climbs, [layer, lambda, side]) {
                let count = messages.len() as u32;
                let most = match system.is_relaxed {
                    true => count.div_ceil(width * spread) * spread,
                    false => count.div_ceil(width),
                };
                // The leaves of a node are those of its first and the ones after it.
                let ratio = shape.subtrees(layer) / shape.subtrees(layer + lambda);
                let below = local.iter().filter(|((own, on), _)| own / ratio == node && *on == wt);
                let implied = below.map(|(_, own)| (own.len() as u32).div_ceil(width)).sum::<u32>();
                if lambda > 0 && system.is_eliminated && implied <= most {
                    continue;
                }
                let least = if system.is_balanced { count / width } else { 0 };
                conditions.push(Condition { messages, least, most });
            }
        }
    }
    conditions
}

/// The number of rows of a layer's program, but for those that each message takes one link
/// (Eq. 3.15).
fn rows(shape: &Shape, all: &[Pair], climbs: &[Vec<u16>], layer: usize, system: System) -> u32 {
    let each = if system.is_balanced { 2 } else { 1 };
    let conditions = conditions(shape, all, climbs, layer, system).len() as u32;
    each * shape.parents(layer + 1) * conditions
}

/// One of each row of variables that is 1, where rows can be chosen.
fn choose(mut problem: Problem, variables: &[Vec<Variable>]) -> Option<Vec<usize>> {
    for row in variables {
        let one: Vec<(Variable, f64)> = row.iter().map(|variable| (*variable, 1.0)).collect();
        problem.add_constraint(&one[..], ComparisonOp::Eq, 1.0);
    }
    let solution = match problem.solve() {
        Err(Error::Infeasible) => return None,
        outcome => outcome.unwrap().into_solution().unwrap(),
    };
    let is_chosen = |variable: &Variable| solution.var_value(*variable) > 0.5;
    Some(variables.iter().map(|row| row.iter().position(is_chosen).unwrap()).collect())
}

/// Solves layer by layer (§3.4.8); none where one of the programs has no solution.
fn layered(shape: &Shape, all: &[Pair], system: System) -> Option<Climbs> {
    let mut climbs = vec![Vec::new(); all.len()];
    for layer in 0..shape.levels() {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let width = shape.parents(layer + 1);
        let goes: Vec<usize> =
            (0..all.len()).filter(|message| shape.turn(all[*message]) > layer).collect();
        let mut row = |_: &usize| (0..width).map(|_| problem.add_binary_var(0.0)).collect();
        let variables: Vec<Vec<Variable>> = goes.iter().map(&mut row).collect();
        for condition in conditions(shape, all, &climbs, layer, system) {
            let place = |message: &usize| goes.binary_search(message).unwrap();
            let sum = |link: usize| -> Vec<(Variable, f64)> {
                let term = |message| (variables[place(message)][link], 1.0);
                condition.messages.iter().map(term).collect()
            };
            for sum in (0..width as usize).map(sum) {
                problem.add_constraint(&sum[..], ComparisonOp::Le, f64::from(condition.most));
                if system.is_balanced {
                    problem.add_constraint(&sum[..], ComparisonOp::Ge, f64::from(condition.least));
                }
            }
        }
        for (message, link) in goes.iter().zip(choose(problem, &variables)?) {
            climbs[*message].push(link as u16);
        }
    }
    Some(Climbs::new(&climbs))
}

/// Whether there are routes at all on which no link of an arc carries more than `most` says of its
/// level and messages: one program for all layers.
fn is_possible(shape: &Shape, all: &[Pair], most: impl Fn(usize, u32) -> u32) -> bool {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut links: BTreeMap<(usize, usize, u32), BTreeMap<u32, Vec<Variable>>> = BTreeMap::new();
    let mut crossing: BTreeMap<(usize, usize, u32), u32> = BTreeMap::new();
    let mut variables = Vec::new();
    for pair in all {
        let turn = shape.turn(*pair);
        let ways: Vec<Variable> =
            (0..product(shape, 1..=turn)).map(|_| problem.add_binary_var(0.0)).collect();
        for level in 0..turn {
            for (side, leaf) in [pair.source.0, pair.destination.0].into_iter().enumerate() {
                let arc = (level, side, shape.subtree(level, leaf));
                *crossing.entry(arc).or_default() += 1;
                for (way, variable) in (0..).zip(&ways) {
                    let link = way / product(shape, level + 2..=turn);
                    links.entry(arc).or_default().entry(link).or_default().push(*variable);
                }
            }
        }
        variables.push(ways);
    }
    for (arc, links) in links {
        let most = most(arc.0, crossing[&arc]);
        for link in links.into_values() {
            let sum: Vec<(Variable, f64)> = link.into_iter().map(|way| (way, 1.0)).collect();
            problem.add_constraint(&sum[..], ComparisonOp::Le, f64::from(most));
        }
    }
    choose(problem, &variables).is_some()
}

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
