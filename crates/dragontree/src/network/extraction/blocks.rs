//! Blocks: between two levels of a tree, the switches that are all joined to one another.
//!
//! Below the top switches of a subtree hang its parts. Every top switch is joined to one top
//! switch of each part, and all of those that share one share all: children and parents of a
//! block differ in nothing but the digit between the two levels.

use std::collections::BTreeSet;

use super::cluster::{cluster, heaviest, mode, summed};
use super::component::Component;
use crate::sorting::sort_by_number;

/// A block within a subtree.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The parts of the subtree that have a child in it, in order, with that child.
    pub children: Vec<(usize, u32)>,
    /// The parents.
    pub parents: Vec<u32>,
    /// The digits below that the children share, as a number.
    pub label: Option<u64>,
}

impl Block {
    /// The child in a part.
    pub(super) fn child(&self, part: usize) -> Option<u32> {
        let place = self.children.binary_search_by_key(&part, |(part, _)| *part).ok()?;
        Some(self.children[place].1)
    }
}

/// The blocks between the top switches of a subtree's parts and its own, both in order.
pub(super) fn blocks(component: &Component, parts: &[&[u32]], parents: &[u32]) -> Vec<Block> {
    if parts.iter().all(|tops| tops.len() == 1) {
        let children = parts.iter().enumerate().map(|(part, tops)| (part, tops[0])).collect();
        return vec![Block { children, parents: parents.to_vec(), label: None }];
    }
    let mut joining = Joining::new(component, parts, parents);
    joining.first_guess();
    // Each side follows the other once more, so that single wrong links have no say.
    joining.seat_children();
    joining.seat_parents();
    joining.seat_children();
    joining.blocks()
}

struct Joining<'a> {
    parents: &'a [u32],
    /// Each child with the part it tops.
    children: Vec<(u32, usize)>,
    /// For each child the places of its parents, and the links to them.
    up: Vec<Vec<(u32, u32)>>,
    /// For each parent the places of its children, and the links to them.
    down: Vec<Vec<(u32, u32)>>,
    block_of_child: Vec<Option<u32>>,
    block_of_parent: Vec<Option<u32>>,
}

impl<'a> Joining<'a> {
    fn new(component: &Component, parts: &[&[u32]], parents: &'a [u32]) -> Joining<'a> {
        let numbered = parts.iter().enumerate();
        let children: Vec<(u32, usize)> =
            numbered.flat_map(|(part, tops)| tops.iter().map(move |top| (*top, part))).collect();
        let mut down = vec![Vec::new(); parents.len()];
        let mut up = Vec::new();
        let place = |switch: u32| parents.binary_search(&switch).ok().map(|place| place as u32);
        for (child, (switch, _)) in (0..).zip(&children) {
            let neighbors = component.neighbors[*switch as usize].iter();
            let joined = neighbors.filter_map(|(other, links)| Some((place(*other)?, *links)));
            let above: Vec<(u32, u32)> = joined.collect();
            for (parent, links) in &above {
                down[*parent as usize].push((child, *links));
            }
            up.push(above);
        }
        Joining {
            parents,
            block_of_child: vec![None; children.len()],
            block_of_parent: vec![None; parents.len()],
            children,
            up,
            down,
        }
    }

    /// Puts parents into blocks: by their children when they have at least as many as a child has
    /// parents, else the children by their parents.
    fn first_guess(&mut self) {
        let usual = |sides: &[Vec<(u32, u32)>]| mode(sides.iter().map(|side| side.len() as u32));
        if usual(&self.down) >= usual(&self.up) {
            let groups = cluster(&self.down, self.children.len());
            self.block_of_parent = groups.into_iter().map(Some).collect();
        } else {
            let groups = cluster(&self.up, self.parents.len());
            self.block_of_child = groups.into_iter().map(Some).collect();
            self.seat_parents();
        }
    }

    /// Puts each parent into the block of most of its children.
    fn seat_parents(&mut self) {
        for (parent, down) in self.down.iter().enumerate() {
            let blocks = down
                .iter()
                .filter_map(|(child, links)| Some((self.block_of_child[*child as usize]?, *links)));
            self.block_of_parent[parent] = heaviest(blocks).map(|(block, _)| block);
        }
    }

    /// Puts each child into the block of most of its parents, one of each part into a block.
    fn seat_children(&mut self) {
        let mut wishes = Vec::new();
        for (child, up) in self.up.iter().enumerate() {
            let blocks = up.iter().filter_map(|(parent, links)| {
                Some((self.block_of_parent[*parent as usize]?, *links))
            });
            let blocks = summed(blocks.collect());
            wishes.extend(blocks.into_iter().map(|(block, links)| (links, child, block)));
        }
        // Children and, for each, blocks are in order already.
        sort_by_number(&mut wishes, |(links, ..)| !u128::from(*links));
        let mut taken = BTreeSet::new();
        self.block_of_child.fill(None);
        for (_, child, block) in wishes {
            let seat = (block, self.children[child].1);
            if self.block_of_child[child].is_none() && taken.insert(seat) {
                self.block_of_child[child] = Some(block);
            }
        }
    }

    fn block_count(&self) -> usize {
        let blocks = self.block_of_child.iter().chain(&self.block_of_parent).flatten();
        blocks.max().map_or(0, |block| *block as usize + 1)
    }

    /// The blocks that have children and parents, in the order of their first child.
    fn blocks(&self) -> Vec<Block> {
        let empty = Block { children: Vec::new(), parents: Vec::new(), label: None };
        let mut blocks = vec![empty; self.block_count()];
        let mut order = Vec::new();
        for ((switch, part), block) in self.children.iter().zip(&self.block_of_child) {
            if let Some(block) = block {
                let children = &mut blocks[*block as usize].children;
                if children.is_empty() {
                    order.push(*block as usize);
                }
                children.push((*part, *switch));
            }
        }
        for (parent, block) in self.parents.iter().zip(&self.block_of_parent) {
            if let Some(block) = block {
                blocks[*block as usize].parents.push(*parent);
            }
        }
        let in_order = order.into_iter().map(|block| blocks[block].clone());
        in_order.filter(|block| !block.parents.is_empty()).collect()
    }
}
