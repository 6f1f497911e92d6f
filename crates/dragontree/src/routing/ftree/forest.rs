//! What fat-tree routing sees of a network: switches on levels, the links between them in bundles,
//! and the slots of the endpoints in their order.

use std::collections::BTreeSet;
use std::ops::Range;

use super::plan::Plan;
use crate::network::{Network, SwitchId, Target};
use crate::routing::Refusal;
use crate::routing::tables::check_size;
use crate::sorting::{both, sort_by_number};

/// A place for an endpoint's port.
#[derive(Clone, Copy, Debug)]
pub(in crate::routing) struct Slot {
    /// The switch.
    pub switch: SwitchId,
    /// The number of its port.
    pub number: u32,
    /// The destination; none where the place is empty.
    pub target: Option<Target>,
}

/// The links between two switches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle {
    /// The switch on the lower level; either of them where the levels are equal.
    pub lower: SwitchId,
    /// The other switch.
    pub upper: SwitchId,
    /// Whether the links belong to the tree. Others are taken for what is reached in no other way.
    pub in_place: bool,
    /// The place of the first link among all, and the place behind the last.
    pub links: (u32, u32),
}

impl Bundle {
    /// The places of the links among all, in the order of the lower switch's ports.
    pub fn range(&self) -> Range<usize> {
        self.links.0 as usize..self.links.1 as usize
    }
}

/// The numbers of a link's ports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub lower: u32,
    pub upper: u32,
}

/// For each switch some bundles.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    first: Vec<u32>,
    /// Places of bundles, switch by switch.
    pub bundles: Vec<u32>,
}

impl Lists {
    /// For each of so many switches the bundles that are told with it.
    pub fn new(switch_count: usize, mut ends: Vec<(SwitchId, u32)>) -> Lists {
        sort_by_number(&mut ends, |(switch, bundle)| both(u64::from(switch.0), u64::from(*bundle)));
        let starts = (0..=switch_count as u32).map(SwitchId);
        let first = starts.map(|switch| ends.partition_point(|(end, _)| *end < switch) as u32);
        Lists { first: first.collect(), bundles: ends.into_iter().map(|(_, each)| each).collect() }
    }

    /// Where a switch's bundles stand.
    pub fn range(&self, switch: SwitchId) -> Range<usize> {
        self.first[switch.index()] as usize..self.first[switch.index() + 1] as usize
    }

    /// The bundles of a switch.
    pub fn of(&self, switch: SwitchId) -> &[u32] {
        &self.bundles[self.range(switch)]
    }
}

/// Trees, with whatever joins them.
#[derive(Clone, Debug)]
pub(in crate::routing) struct Forest {
    /// In the order of the trees' indices, those in place first.
    pub(super) bundles: Vec<Bundle>,
    /// Bundle by bundle.
    pub(super) links: Vec<Ends>,
    /// To the switches on higher levels.
    pub(super) up: Lists,
    /// To the switches on lower levels.
    pub(super) down: Lists,
    /// To the switches on the same level.
    pub(super) beside: Lists,
    /// Whether endpoints send from a switch, or could from its slots.
    pub(super) serves: Vec<bool>,
    pub(super) slots: Vec<Slot>,
    pub(super) leaves: Vec<SwitchId>,
}

impl Forest {
    /// The trees of a network, by its structure or as they are found in it.
    pub fn of(network: &Network, part: &'static str) -> Result<Forest, Refusal> {
        check_size(network, part)?;
        Plan::of(network, part).map(|plan| plan.forest(network))
    }

    /// The places of the endpoints in the order in which they are routed.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The leaf switches in the order of their indices.
    pub fn leaves(&self) -> &[SwitchId] {
        &self.leaves
    }

    /// The switches beside a switch.
    pub fn siblings(&self, switch: SwitchId) -> impl Iterator<Item = SwitchId> + '_ {
        self.beside.of(switch).iter().map(move |bundle| {
            let Bundle { lower, upper, .. } = self.bundles[*bundle as usize];
            if lower == switch { upper } else { lower }
        })
    }

    /// Whether a bundle leads down from a switch, or from the upper of two on one level.
    pub(super) fn leads_down(&self, bundle: u32, from: SwitchId) -> bool {
        self.bundles[bundle as usize].upper == from
    }

    /// Whether no switch has two of the switches above some, or of these, below it.
    pub fn is_tree_above(&self, starts: &[SwitchId]) -> bool {
        let mut found: BTreeSet<SwitchId> = starts.iter().copied().collect();
        let mut queue: Vec<SwitchId> = starts.to_vec();
        while let Some(switch) = queue.pop() {
            for bundle in self.up.of(switch) {
                let parent = self.bundles[*bundle as usize].upper;
                if !found.insert(parent) {
                    return false;
                }
                queue.push(parent);
            }
        }
        true
    }

    /// The connected parts of the switches, each in the order of the ids.
    pub fn parts(&self) -> Vec<Vec<SwitchId>> {
        let mut seen = vec![false; self.serves.len()];
        let mut parts = Vec::new();
        for start in (0..seen.len() as u32).map(SwitchId) {
            if std::mem::replace(&mut seen[start.index()], true) {
                continue;
            }
            let mut part = vec![start];
            let mut next = 0;
            while let Some(switch) = part.get(next).copied() {
                next += 1;
                for bundle in
                    [&self.up, &self.down, &self.beside].map(|list| list.of(switch)).concat()
                {
                    let Bundle { lower, upper, .. } = self.bundles[bundle as usize];
                    for end in [lower, upper] {
                        if !std::mem::replace(&mut seen[end.index()], true) {
                            part.push(end);
                        }
                    }
                }
            }
            sort_by_number(&mut part, |switch| u128::from(switch.0));
            parts.push(part);
        }
        parts
    }
}
