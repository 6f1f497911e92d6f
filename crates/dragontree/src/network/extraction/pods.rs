//! Subtrees: which switches of a level hang below the same switches of the next.

use super::cluster::{cluster, heaviest, summed};
use super::component::Component;
use super::levels::Levels;

/// A subtree: what hangs below its top switches.
#[derive(Clone, Debug)]
pub(super) struct Pod {
    /// The subtrees one level lower that it joins, by their place among those of that height.
    pub parts: Vec<usize>,
    /// Its switches of the highest level.
    pub tops: Vec<u32>,
}

/// The subtrees of a component, by height.
#[derive(Clone, Debug)]
pub(super) struct Pods {
    /// The level of each switch.
    pub levels: Levels,
    /// For each height, from 1, its subtrees; those of height 1 are the leaf switches.
    pub by_height: Vec<Vec<Pod>>,
    /// For each height and subtree the one it is part of.
    pub above: Vec<Vec<Option<usize>>>,
    /// The other of a pair of leaf switches that are joined side by side.
    pub siblings: Vec<Option<u32>>,
}

impl Pods {
    /// Finds the subtrees from below.
    pub(super) fn find(component: &Component, levels: Levels) -> Pods {
        let siblings = siblings(component, &levels);
        let leaves = (0..component.len()).filter(|switch| levels[*switch as usize] == 1);
        let leaves = leaves.map(|leaf| Pod { parts: Vec::new(), tops: vec![leaf] }).collect();
        let mut pods = Pods { levels, by_height: vec![leaves], above: Vec::new(), siblings };
        while let Some(joined) = pods.join(component) {
            pods.by_height.push(joined);
        }
        pods
    }

    /// Joins the highest subtrees found by the switches of the next level; none when there is
    /// nothing to join.
    fn join(&mut self, component: &Component) -> Option<Vec<Pod>> {
        let lower = self.by_height.last()?;
        let level = self.by_height.len() as u32;
        let mut above = vec![None; lower.len()];
        let parents: Vec<Vec<(u32, u32)>> =
            lower.iter().map(|pod| self.parents(component, pod, level + 1)).collect();
        let group = cluster(&parents, component.switches.len());
        let mut of_parent = vec![Vec::new(); component.switches.len()];
        for (pod, parents) in parents.iter().enumerate() {
            for (parent, links) in parents {
                of_parent[*parent as usize].push((group[pod], *links));
            }
        }
        let count = group.iter().copied().max().map_or(0, |group| group as usize + 1);
        let mut joined = vec![Pod { parts: Vec::new(), tops: Vec::new() }; count];
        for (parent, groups) in (0..).zip(of_parent) {
            if let Some((group, _)) = heaviest(groups.into_iter()) {
                joined[group as usize].tops.push(parent);
            }
        }
        // A group that has no switch above it is none: its members are trees by themselves.
        let mut place = vec![None; count];
        let mut kept = Vec::new();
        for (group, pod) in joined.into_iter().enumerate().filter(|(_, pod)| !pod.tops.is_empty()) {
            place[group] = Some(kept.len());
            kept.push(pod);
        }
        for (pod, group) in group.iter().enumerate() {
            above[pod] = place[*group as usize];
            if let Some(place) = above[pod] {
                kept[place].parts.push(pod);
            }
        }
        self.above.push(above);
        (!kept.is_empty()).then_some(kept)
    }

    /// The switches of a level above the tops of a subtree, and the links to them.
    fn parents(&self, component: &Component, pod: &Pod, level: u32) -> Vec<(u32, u32)> {
        let neighbors = pod.tops.iter().flat_map(|top| &component.neighbors[*top as usize]);
        summed(
            neighbors.copied().filter(|(other, _)| self.levels[*other as usize] == level).collect(),
        )
    }

    /// The subtrees that are part of none, by height and place: each is a tree.
    pub(super) fn trees(&self) -> Vec<(u32, usize)> {
        let heights = (1..).zip(&self.above);
        let roots = heights.flat_map(|(height, above)| {
            let whole = above.iter().enumerate().filter(|(_, above)| above.is_none());
            whole.map(move |(place, _)| (height, place))
        });
        roots.collect()
    }

    /// The subtrees of this height.
    pub(super) fn of_height(&self, height: u32) -> &[Pod] {
        &self.by_height[height as usize - 1]
    }
}

/// Pairs of leaf switches joined side by side (sFtree 2012, §3): each to one other only, and at
/// least half of all leaf switches so; otherwise such a link is a mistake.
fn siblings(component: &Component, levels: &[u32]) -> Vec<Option<u32>> {
    let beside = |switch: u32| -> Option<u32> {
        let neighbors = component.neighbors[switch as usize].iter();
        let mut same = neighbors.filter(|(other, _)| levels[*other as usize] == 1);
        let has_above = component.neighbors[switch as usize].len() > 1;
        match (same.next(), same.next()) {
            (Some((other, _)), None) if has_above => Some(*other),
            _ => None,
        }
    };
    let leaf = |switch: u32| levels[switch as usize] == 1;
    let mut siblings: Vec<Option<u32>> = (0..component.len())
        .map(|switch| beside(switch).filter(|other| leaf(switch) && beside(*other) == Some(switch)))
        .collect();
    let leaves = (0..component.len()).filter(|switch| leaf(*switch)).count();
    if 2 * siblings.iter().flatten().count() < leaves {
        siblings.fill(None);
    }
    siblings
}
