//! The integer programs themselves.

use std::collections::BTreeMap;

use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Climbs, Shape};
use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, Variable};

/// What a layer's program asks for.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// Also at least so many on each link (Eqs. 3.9 and 3.10).
    pub is_balanced: bool,
    /// No more than does no harm above, instead of as few as there can be (Eqs. 3.11 and 3.12).
    pub is_relaxed: bool,
    /// Without what follows from the rest (§3.4.5).
    pub is_eliminated: bool,
}

pub const STRONG: System = System { is_balanced: false, is_relaxed: false, is_eliminated: false };
pub const BALANCED: System = System { is_balanced: true, ..STRONG };
pub const RELAXED: System = System { is_relaxed: true, ..STRONG };
pub const ELIMINATED: System = System { is_relaxed: true, is_eliminated: true, ..STRONG };

/// Of these messages at least and at most so many may take each of a node's links.
pub struct Condition {
    pub messages: Vec<usize>,
    pub least: u32,
    pub most: u32,
}

/// A product of `W`s.
pub fn product(shape: &Shape, levels: std::ops::RangeInclusive<usize>) -> u32 {
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

pub fn conditions(
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
pub fn rows(shape: &Shape, all: &[Pair], climbs: &[Vec<u16>], layer: usize, system: System) -> u32 {
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
pub fn layered(shape: &Shape, all: &[Pair], system: System) -> Option<Climbs> {
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
pub fn is_possible(shape: &Shape, all: &[Pair], most: impl Fn(usize, u32) -> u32) -> bool {
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
