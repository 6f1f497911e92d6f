//! Groups by what is shared, though some of it may be wrong.

use crate::sorting::sort_by_number;
use std::cmp::Reverse;

/// Puts items into groups such that those of a group share most of their keys. Each item is a
/// list of keys in order, all below `keys`, with their weights. Returns the group of each item.
///
/// An item joins the first typical one with which it shares more than half of the smaller weight
/// of the two. What then stands alone joins the group that holds most of what it has, while that
/// is smaller than the largest.
pub(super) fn cluster(items: &[Vec<(u32, u32)>], keys: usize) -> Vec<u32> {
    let holders = holders(items, keys);
    let totals: Vec<u32> =
        items.iter().map(|item| item.iter().map(|(_, weight)| weight).sum()).collect();
    let usual = mode(totals.iter().copied());
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort_by_number(&mut order, |item| u128::from(totals[*item] != usual));

    const NONE: u32 = u32::MAX;
    let mut group = vec![NONE; items.len()];
    let mut sizes: Vec<u32> = Vec::new();
    let mut shared = vec![0_u32; items.len()];
    for typical in order {
        if group[typical] != NONE {
            continue;
        }
        let new = sizes.len() as u32;
        group[typical] = new;
        sizes.push(1);
        let mut touched = Vec::new();
        for (key, weight) in &items[typical] {
            for (item, other) in &holders[*key as usize] {
                if group[*item] == NONE {
                    if shared[*item] == 0 {
                        touched.push(*item);
                    }
                    shared[*item] += weight.min(other);
                }
            }
        }
        for item in touched {
            let common = std::mem::take(&mut shared[item]);
            if 2 * common > totals[typical].min(totals[item]) {
                group[item] = new;
                sizes[new as usize] += 1;
            }
        }
    }
    adopt(items, &holders, &totals, &mut group, &mut sizes);
    group
}

/// Lets items that stand alone join a group.
fn adopt(
    items: &[Vec<(u32, u32)>],
    holders: &[Vec<(usize, u32)>],
    totals: &[u32],
    group: &mut [u32],
    sizes: &mut [u32],
) {
    let largest = sizes.iter().copied().max().unwrap_or(0);
    for item in 0..items.len() {
        if sizes[group[item] as usize] != 1 || largest == 1 {
            continue;
        }
        // Of each group, how much of the item it has too, and how often.
        let (mut common, mut votes) = (Vec::new(), Vec::new());
        for (key, weight) in &items[item] {
            let others = holders[*key as usize].iter().filter(|(other, _)| *other != item);
            let groups = summed(others.map(|(other, held)| (group[*other], *held)).collect());
            common.extend(groups.iter().map(|(owner, held)| (*owner, *weight.min(held))));
            votes.extend(groups);
        }
        let candidates = summed(common).into_iter().zip(summed(votes));
        let fitting = candidates.filter(|((owner, _), _)| sizes[*owner as usize] < largest);
        let best = fitting
            .min_by_key(|((owner, common), (_, votes))| {
                (Reverse(*common), Reverse(*votes), sizes[*owner as usize], *owner)
            })
            .map(|(common, _)| common);
        if let Some((owner, weight)) = best
            && 2 * weight >= totals[item]
        {
            sizes[group[item] as usize] = 0;
            group[item] = owner;
            sizes[owner as usize] += 1;
        }
    }
}

/// For each key the items that have it.
fn holders(items: &[Vec<(u32, u32)>], keys: usize) -> Vec<Vec<(usize, u32)>> {
    let mut holders = vec![Vec::new(); keys];
    for (item, held) in items.iter().enumerate() {
        for (key, weight) in held {
            holders[*key as usize].push((item, *weight));
        }
    }
    holders
}

/// Adds up weights by their key; in the order of the keys.
pub(super) fn summed(mut weights: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    sort_by_number(&mut weights, |(key, _)| u128::from(*key));
    let runs = weights.chunk_by(|one, other| one.0 == other.0);
    runs.map(|run| (run[0].0, run.iter().map(|(_, weight)| weight).sum())).collect()
}

/// The key with the largest sum of weights; of equal ones the lowest.
pub(super) fn heaviest(weights: impl Iterator<Item = (u32, u32)>) -> Option<(u32, u32)> {
    summed(weights.collect()).into_iter().min_by_key(|(key, weight)| (Reverse(*weight), *key))
}

/// The most frequent number; of equally frequent ones the largest. 0 when there is none.
pub(super) fn mode(numbers: impl Iterator<Item = u32>) -> u32 {
    let counted = summed(numbers.map(|number| (number, 1)).collect());
    counted.into_iter().max_by_key(|(number, count)| (*count, *number)).map_or(0, |(n, _)| n)
}
