//! A tree that was found, for reports and routings.

use std::fmt;

use super::Deviation;
use crate::network::{PortId, SwitchId, Tree};

/// A tree PGFT(h; m; w; p) that was found in a network, and what deviates from it.
///
/// Children and slots are as many as the most that occur, so that every switch and endpoint has a
/// place of its own; where there are fewer some places are empty (Zahavi 2009, §3.2). The numbers
/// of parents are the most that occur, those of parallel links what is usual.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractedTree {
    pub(super) tree: Tree,
    /// In the order of the switches.
    pub(super) places: Vec<Place>,
    /// For each level, from 1, and place in it the number among `places`.
    pub(super) by_level: Vec<Vec<Option<u32>>>,
    pub(super) deviations: Vec<Deviation>,
}

/// A switch in its place, with its links by where they lead.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The switch.
    pub switch: SwitchId,
    /// Its level, from 1.
    pub level: u32,
    /// Its place within the level, as [`Tree`] numbers them.
    pub index: u32,
    /// Its ports that lead down, by the child's digit and in the order of their numbers; on a leaf
    /// switch by the slot of the endpoint.
    pub down: Vec<Vec<PortId>>,
    /// Its ports that lead up, by the parent's digit and in the order of their numbers.
    pub up: Vec<Vec<PortId>>,
    /// Its ports that lead to the other leaf switch of its pair.
    pub siblings: Vec<PortId>,
}

impl ExtractedTree {
    /// The levels and widths, with the arithmetic of the places. Endpoint `leaf · m_1 + slot` has
    /// its place on a slot of a leaf switch; the ids of switches and endpoints and the numbers of
    /// ports are the network's own, not those of this tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Children of a switch of each level, from the leaf switches up (m).
    pub fn children(&self) -> Vec<u32> {
        (1..=self.tree.levels()).map(|level| self.tree.children(level)).collect()
    }

    /// Parents of a node below each level, from the leaf switches up (w).
    pub fn parents(&self) -> Vec<u32> {
        (1..=self.tree.levels()).map(|level| self.tree.parents(level)).collect()
    }

    /// Parallel links below each level, from the leaf switches up (p).
    pub fn parallel(&self) -> Vec<u32> {
        (1..=self.tree.levels()).map(|level| self.tree.parallel(level)).collect()
    }

    /// What deviates; nothing when the network is exactly this tree.
    pub fn deviations(&self) -> &[Deviation] {
        &self.deviations
    }

    /// Whether nothing deviates.
    pub fn is_clean(&self) -> bool {
        self.deviations.is_empty()
    }

    /// The switches in the order of their ids.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The place of a switch; none when it is no part of the tree.
    pub fn place(&self, switch: SwitchId) -> Option<&Place> {
        let found = self.places.binary_search_by_key(&switch, |place| place.switch);
        found.ok().map(|place| &self.places[place])
    }

    /// What is at a place of a level; none when the place is empty.
    pub fn at(&self, level: u32, index: u32) -> Option<&Place> {
        let level = self.by_level.get(level.checked_sub(1)? as usize)?;
        let place = (*level.get(index as usize)?)?;
        self.places.get(place as usize)
    }

    /// The switches of a level in the order of their places, empty ones left out.
    pub fn level(&self, level: u32) -> impl Iterator<Item = &Place> {
        let places = level.checked_sub(1).and_then(|level| self.by_level.get(level as usize));
        places.into_iter().flatten().flatten().map(|place| &self.places[*place as usize])
    }

    /// The leaf switch's ports to the endpoint in a slot, counted over all leaf switches; empty
    /// when there is none.
    pub fn slot(&self, index: u32) -> &[PortId] {
        let slots = self.tree.children(1);
        let leaf = self.at(1, index / slots);
        let ports = leaf.and_then(|leaf| leaf.down.get((index % slots) as usize));
        ports.map_or(&[], Vec::as_slice)
    }

    /// The digits of a switch: its child digits from the highest level down to the one above its
    /// own, then its parent digits from its own level down (Prisacari 2020, §3.3.1).
    pub fn digits(&self, place: &Place) -> (Vec<u32>, Vec<u32>) {
        let mut rest = place.index;
        let mut digit = |width: u32| {
            let digit = rest % width;
            rest /= width;
            digit
        };
        let levels = self.tree.levels();
        let mut parents: Vec<u32> =
            (1..=place.level).map(|level| digit(self.tree.parents(level))).collect();
        let mut children: Vec<u32> =
            (place.level + 1..=levels).map(|level| digit(self.tree.children(level))).collect();
        parents.reverse();
        children.reverse();
        (children, parents)
    }
}

/// The widths as the notation writes them.
impl fmt::Display for ExtractedTree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dotted =
            |numbers: Vec<u32>| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        let (m, w, p) = (dotted(self.children()), dotted(self.parents()), dotted(self.parallel()));
        write!(formatter, "m={m} w={w} p={p}")
    }
}
