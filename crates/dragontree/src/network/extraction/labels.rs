//! Digits: the place of every switch in its tree.
//!
//! Below a switch of a tree all that differs is the child digits, above it all that differs is the
//! parent digits. So the blocks of a subtree number the top switches of its parts (children of
//! one block have the same parent digits), and the parts' own blocks must agree with that.
//! Numbers are given upward from one leaf switch, then downward to everything else, as a
//! breadth-first search from that leaf switch would (Zahavi 2009, Alg. 1), but by majority: a
//! switch that disagrees with the rest of its subtree loses its links up.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::{Block, blocks};
use super::cluster::summed;
use super::component::Component;
use super::pods::Pods;
use crate::network::{Network, Node, PortId};
use crate::sorting::{both, sort_by_number};

/// A subtree of a tree, with the blocks below its top switches.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    /// The branches one level lower, by their place.
    pub parts: Vec<usize>,
    /// Its switches of the highest level.
    pub tops: Vec<u32>,
    /// Between the tops of its parts and its own.
    pub blocks: Vec<Block>,
    /// The branch that it is part of, and which part.
    pub above: Option<(usize, usize)>,
    /// Its child digits as a number.
    pub index: u64,
    /// Its own child digit.
    pub digit: u64,
}

/// A tree with its digits.
#[derive(Clone, Debug)]
pub(super) struct Grown {
    /// For each height, from 1, the branches of that height.
    pub branches: Vec<Vec<Branch>>,
    /// Parents that a node of the level below has in each level, from 1: the most that occur.
    pub parents: Vec<u64>,
    /// Children of a switch of each level, from 2: the most parts that occur.
    pub children: Vec<u64>,
    /// For each level, from 0, the product of `parents` up to it.
    pub spread: Vec<u64>,
}

/// The parent digits of each switch of a component as a number, below the `spread` of its level.
pub(super) type Labels = Vec<Option<u64>>;

impl Grown {
    /// The tree of one whole subtree, with the digits of its switches, which go to `labels`; none
    /// when most of the places of such a tree, or of its links, would be empty.
    pub(super) fn new(
        (network, component): (&Network, &Component),
        pods: &Pods,
        (height, root): (u32, usize),
        labels: &mut Labels,
    ) -> Option<Grown> {
        let mut grown = Grown::unlabelled(component, pods, (height, root));
        if !grown.is_filled(component) {
            return None;
        }
        let chain = grown.chain((network, component));
        for leaf in &grown.of_height(1)[chain[0]].tops {
            labels[*leaf as usize] = Some(0);
        }
        for height in 2..=height {
            grown.label_upward((network, component), height, &chain, labels);
        }
        for height in (1..height).rev() {
            for place in 0..grown.of_height(height).len() {
                if chain[height as usize - 1] != place {
                    grown.label_downward(height, place, labels);
                }
            }
        }
        for block in grown.branches.iter_mut().flatten().flat_map(|branch| &mut branch.blocks) {
            block.children.retain(|(_, child)| labels[*child as usize].is_some());
            block.parents.retain(|parent| labels[*parent as usize].is_some());
        }
        for branch in grown.branches.iter_mut().flatten() {
            let is_whole = |block: &Block| !block.children.is_empty() && !block.parents.is_empty();
            branch.blocks.retain(|block| block.label.is_some() && is_whole(block));
        }
        for height in (2..=height).rev() {
            for place in 0..grown.of_height(height).len() {
                let first =
                    (chain[height as usize - 1] == place).then(|| chain[height as usize - 2]);
                grown.number_parts((network, component), (height, place), first, labels);
            }
        }
        Some(grown)
    }

    /// The switches of a level, if all of them were there.
    fn width(&self, level: u32) -> u64 {
        let above = &self.children[level as usize - 1..];
        above.iter().fold(self.spread[level as usize], |width, each| width.saturating_mul(*each))
    }

    /// Whether at least half of the switches are there, and of the links between them.
    fn is_filled(&self, component: &Component) -> bool {
        let tops =
            |branches: &Vec<Branch>| branches.iter().map(|b| b.tops.len() as u64).sum::<u64>();
        let there: u64 = self.branches.iter().map(tops).sum();
        let levels = 1..=self.branches.len() as u32;
        let places = levels.map(|level| self.width(level)).fold(0, u64::saturating_add);
        let blocks = self.branches.iter().flatten().flat_map(|branch| &branch.blocks);
        let pairs = |block: &Block| block.children.len() as u64 * block.parents.len() as u64;
        let joined = component.neighbors.iter().map(|neighbors| neighbors.len() as u64);
        places <= 2 * there && blocks.map(pairs).sum::<u64>() <= joined.sum::<u64>()
    }

    fn unlabelled(component: &Component, pods: &Pods, (height, root): (u32, usize)) -> Grown {
        let branch = |height: u32, place: usize, above| {
            let pod = &pods.of_height(height)[place];
            let part_tops = |part: &usize| pods.of_height(height - 1)[*part].tops.as_slice();
            let parts: Vec<&[u32]> = pod.parts.iter().map(part_tops).collect();
            let blocks = if height > 1 { blocks(component, &parts, &pod.tops) } else { Vec::new() };
            let tops = pod.tops.clone();
            Branch { parts: pod.parts.clone(), tops, blocks, above, index: 0, digit: 0 }
        };
        let mut branches = vec![vec![branch(height, root, None)]];
        for height in (1..height).rev() {
            let mut lower = Vec::new();
            for (place, upper) in branches.last_mut().into_iter().flatten().enumerate() {
                for (part, pod) in upper.parts.iter_mut().enumerate() {
                    lower.push(branch(height, *pod, Some((place, part))));
                    *pod = lower.len() - 1;
                }
            }
            branches.push(lower);
        }
        branches.reverse();
        let most = |branches: &Vec<Branch>, size: fn(&Branch) -> usize| -> u64 {
            branches.iter().map(size).max().unwrap_or(1).max(1) as u64
        };
        let parents_of_block = |branch: &Branch| -> usize {
            branch.blocks.iter().map(|block| block.parents.len()).max().unwrap_or(1)
        };
        let parents: Vec<u64> = branches.iter().map(|each| most(each, parents_of_block)).collect();
        let children = branches[1..].iter().map(|each| most(each, |b| b.parts.len())).collect();
        let mut spread = vec![1];
        for parents in &parents {
            spread.push(spread.last().map_or(1, |last: &u64| last.saturating_mul(*parents)));
        }
        Grown { branches, parents, children, spread }
    }

    /// The branches of this height.
    pub(super) fn of_height(&self, height: u32) -> &[Branch] {
        &self.branches[height as usize - 1]
    }

    /// For each height the branch that holds the leaf switch that OpenSM would start from, the
    /// first in the order of the GUIDs.
    fn chain(&self, (network, component): (&Network, &Component)) -> Vec<usize> {
        let order = |leaf: &Branch| {
            let top = leaf.tops.first().map(|top| component.switches[*top as usize]);
            top.map(|top| network.guid_order(top))
        };
        let leaves = self.branches[0].iter().enumerate();
        let mut place = leaves.min_by_key(|(_, leaf)| order(leaf)).map_or(0, |(place, _)| place);
        let mut chain = Vec::new();
        for branches in &self.branches {
            chain.push(place);
            place = branches[place].above.map_or(0, |(above, _)| above);
        }
        chain
    }

    /// Labels the blocks and the top switches of the chain's branch of a height after those of
    /// its part on the chain.
    fn label_upward(
        &mut self,
        (network, component): (&Network, &Component),
        height: u32,
        chain: &[usize],
        labels: &mut Labels,
    ) {
        let (part, place) = (chain[height as usize - 2], chain[height as usize - 1]);
        let part = self.of_height(height - 1)[part].above.map_or(0, |(_, part)| part);
        let spread = self.spread[height as usize - 1];
        let blocks = &mut self.branches[height as usize - 1][place].blocks;
        for block in blocks.iter_mut() {
            block.label = block.child(part).and_then(|child| labels[child as usize]);
        }
        let mut free = unused(blocks.iter().filter_map(|block| block.label).collect(), spread);
        for block in blocks {
            block.label = block.label.or_else(|| free.next());
            let Some(label) = block.label else { continue };
            let child = block.child(part).or(block.children.first().map(|(_, child)| *child));
            let in_order =
                child.map_or_else(Vec::new, |child| in_port_order((network, component), child));
            // Of several links to one parent the first counts, so it is entered last.
            let mut place = BTreeMap::new();
            for (at, parent) in in_order.into_iter().enumerate() {
                place.entry(parent).or_insert(at);
            }
            let key = |parent: &u32| place.get(parent).copied().unwrap_or(usize::MAX);
            sort_by_number(&mut block.parents, |parent| {
                both(key(parent) as u64, u64::from(*parent))
            });
            for (digit, parent) in (0..).zip(&block.parents) {
                labels[*parent as usize] = Some(label + spread * digit);
            }
        }
    }

    /// Labels the top switches of a branch after the blocks above, and its own blocks after them.
    fn label_downward(&mut self, height: u32, place: usize, labels: &mut Labels) {
        let (lower, upper) = self.branches.split_at_mut(height as usize);
        let branch = &mut lower[height as usize - 1][place];
        let Some((above, part)) = branch.above else { return };
        let above = &mut upper[0][above].blocks;
        let of_blocks = above.iter().enumerate();
        let of_blocks =
            of_blocks.filter_map(|(place, block)| Some((block.child(part)?, block.label?, place)));
        let mut required: Vec<(u32, u64, usize)> = of_blocks.collect();
        sort_by_number(&mut required, |(top, label, _)| both(u64::from(*top), *label));
        let spread = self.spread[height as usize - 1];
        match height {
            1 => branch.tops.iter().for_each(|leaf| labels[*leaf as usize] = Some(0)),
            _ => {
                elect(&mut branch.blocks, &required, spread);
                let parents = self.parents[height as usize - 1];
                for block in &branch.blocks {
                    seat(block, &required, (spread, parents), labels);
                }
            }
        }
        move_children(above, part, &branch.tops, &required, labels);
    }

    /// Gives the parts of a branch their digits: first the one on the chain, then in the order of
    /// the ports of the top switches.
    fn number_parts(
        &mut self,
        (network, component): (&Network, &Component),
        (height, place): (u32, usize),
        first: Option<usize>,
        labels: &Labels,
    ) {
        let (lower, upper) = self.branches.split_at_mut(height as usize - 1);
        let branch = &upper[0][place];
        let mut ordered: Vec<usize> = first.into_iter().collect();
        let mut seen = BTreeSet::new();
        seen.extend(&ordered);
        let blocks = branch.blocks.iter();
        let tops = blocks.flat_map(|block| block.parents.iter().map(move |top| (*top, block)));
        let mut tops: Vec<(u32, &Block)> = tops.collect();
        let place_of = |top: u32| labels[top as usize].unwrap_or(u64::MAX);
        sort_by_number(&mut tops, |(top, _)| both(place_of(*top), u64::from(*top)));
        for (top, block) in tops {
            if seen.len() == branch.parts.len() {
                break;
            }
            let mut part_of: Vec<(u32, usize)> =
                block.children.iter().map(|(part, child)| (*child, branch.parts[*part])).collect();
            sort_by_number(&mut part_of, |(child, part)| both(u64::from(*child), *part as u64));
            for neighbor in in_port_order((network, component), top) {
                let found = part_of.binary_search_by_key(&neighbor, |(child, _)| *child);
                if let Ok(found) = found
                    && seen.insert(part_of[found].1)
                {
                    ordered.push(part_of[found].1);
                }
            }
        }
        ordered.extend(branch.parts.iter().copied().filter(|part| !seen.contains(part)));
        let most = self.children[height as usize - 2];
        for (digit, part) in (0..).zip(ordered) {
            let part = &mut lower[height as usize - 2][part];
            part.digit = digit;
            part.index = branch.index.saturating_mul(most).saturating_add(digit);
        }
    }
}

/// Gives each block of a branch the digits that most of its parents' labels end in, no two the
/// same. `spread` is how many there are.
fn elect(blocks: &mut [Block], required: &[(u32, u64, usize)], spread: u64) {
    let mut votes = Vec::new();
    for (place, block) in blocks.iter().enumerate() {
        let labels = block.parents.iter().filter_map(|parent| label_of(required, *parent));
        // Labels are below the number of switches, or the tree is refused.
        let ends = labels.map(|label| ((label % spread) as u32, 1)).collect();
        votes.extend(summed(ends).into_iter().map(|(end, count)| (count, place, end)));
    }
    // Places and, for each, ends are in order already.
    sort_by_number(&mut votes, |(count, ..)| !u128::from(*count));
    let mut taken = BTreeSet::new();
    for (_, place, end) in votes {
        let block = &mut blocks[place];
        if block.label.is_none() && taken.insert(u64::from(end)) {
            block.label = Some(u64::from(end));
        }
    }
    let mut free = unused(taken, spread);
    for block in blocks.iter_mut().filter(|block| block.label.is_none()) {
        block.label = free.next();
    }
}

/// Labels the parents of a block: as required where that fits the block's label, else with what
/// is left. `spread` and `parents` say how many labels and digits there are.
fn seat(
    block: &Block,
    required: &[(u32, u64, usize)],
    (spread, parents): (u64, u64),
    labels: &mut Labels,
) {
    let Some(end) = block.label else { return };
    let mut taken = BTreeSet::new();
    let mut waiting = Vec::new();
    for parent in &block.parents {
        match label_of(required, *parent).filter(|label| label % spread == end) {
            Some(label) if taken.insert(label / spread) => labels[*parent as usize] = Some(label),
            _ => waiting.push(*parent),
        }
    }
    let free = unused(taken, parents);
    for (parent, digit) in waiting.into_iter().zip(free) {
        labels[parent as usize] = Some(end + spread * digit);
    }
}

fn label_of(required: &[(u32, u64, usize)], switch: u32) -> Option<u64> {
    let place = required.binary_search_by_key(&switch, |(switch, ..)| *switch).ok()?;
    Some(required[place].1)
}

/// Moves the top switches of a part that did not get the label required by their block above to
/// the block of the label that they have.
fn move_children(
    above: &mut [Block],
    part: usize,
    tops: &[u32],
    required: &[(u32, u64, usize)],
    labels: &Labels,
) {
    let moved = |top: &&u32| labels[**top as usize] != label_of(required, **top);
    let moved: Vec<u32> = tops.iter().filter(moved).copied().collect();
    if moved.is_empty() {
        return;
    }
    for (top, label, block) in required {
        if labels[*top as usize] != Some(*label) {
            above[*block].children.retain(|(each, _)| *each != part);
        }
    }
    let mut places = BTreeMap::new();
    places
        .extend(above.iter().enumerate().filter_map(|(place, block)| Some((block.label?, place))));
    for top in moved {
        let Some(block) = labels[top as usize].and_then(|label| places.get(&label)) else {
            continue;
        };
        let children = &mut above[*block].children;
        if let Err(place) = children.binary_search_by_key(&part, |(part, _)| *part) {
            children.insert(place, (part, top));
        }
    }
}

/// The numbers below `end` that are not taken, in order.
fn unused(taken: BTreeSet<u64>, end: u64) -> impl Iterator<Item = u64> {
    (0..end).filter(move |number| !taken.contains(number))
}

/// The switches that a switch is joined to, in the order of its ports.
fn in_port_order((network, component): (&Network, &Component), switch: u32) -> Vec<u32> {
    let ports = network.ports(Node::Switch(component.switches[switch as usize])).map(PortId);
    let switches = ports.filter_map(|port| match network.neighbor(port)? {
        Node::Switch(other) => component.number(other),
        Node::Endpoint(_) => None,
    });
    switches.collect()
}
