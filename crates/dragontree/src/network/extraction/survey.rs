//! Which links between switches are in place, and which deviate.

use std::collections::BTreeMap;

use super::cluster::mode;
use super::component::Component;
use super::labels::{Grown, Labels};
use super::pods::Pods;
use super::{Deviation, NotATree};
use crate::network::{Network, Node, PortId};

/// What is known of the links between the switches of a component.
pub(super) struct Survey {
    /// For each switch the tree in which it has its place.
    pub tree_of: Vec<Option<u32>>,
    /// For each switch the branch whose top it is, among those of its height in its tree.
    pub branch_of: Vec<Option<u32>>,
    /// For each switch the block in which it is a child.
    pub as_child: Vec<Option<u32>>,
    /// For each switch the block in which it is a parent.
    pub as_parent: Vec<Option<u32>>,
    /// For each tree the usual number of parallel links below each level, from 2.
    pub parallel: Vec<Vec<u32>>,
    /// For each tree what deviates among its links.
    pub deviations: Vec<Vec<Deviation>>,
    /// How many links and switches deviate.
    pub cost: u64,
}

impl Survey {
    /// Looks at every link.
    ///
    /// # Errors
    /// More than a quarter of the links deviate.
    pub(super) fn new(
        context: (&Network, &Component),
        pods: &Pods,
        grown: &[Grown],
        labels: &Labels,
    ) -> Result<Survey, NotATree> {
        let count = context.1.switches.len();
        let mut survey = Survey {
            tree_of: vec![None; count],
            branch_of: vec![None; count],
            as_child: vec![None; count],
            as_parent: vec![None; count],
            parallel: Vec::new(),
            deviations: vec![Vec::new(); grown.len()],
            cost: 0,
        };
        survey.find_places(grown, labels);
        for tree in grown {
            survey.parallel.push(usual_links(context.1, tree));
        }
        survey.count_switches(context.1, grown);
        survey.compare_links(context, pods, grown)?;
        Ok(survey)
    }

    fn find_places(&mut self, grown: &[Grown], labels: &Labels) {
        let mut next = 0;
        for (tree, grown) in (0..).zip(grown) {
            let numbered = grown.branches.iter().flat_map(|branches| (0..).zip(branches));
            for (place, branch) in numbered {
                for top in branch.tops.iter().filter(|top| labels[**top as usize].is_some()) {
                    self.tree_of[*top as usize] = Some(tree);
                    self.branch_of[*top as usize] = Some(place);
                }
                for block in &branch.blocks {
                    for (_, child) in &block.children {
                        self.as_child[*child as usize] = Some(next);
                    }
                    for parent in &block.parents {
                        self.as_parent[*parent as usize] = Some(next);
                    }
                    next += 1;
                }
            }
        }
    }

    /// Whether a link between two switches, the lower first, is in its place.
    pub(super) fn is_in_place(&self, lower: u32, upper: u32) -> bool {
        let block = self.as_child[lower as usize];
        block.is_some() && block == self.as_parent[upper as usize]
    }

    /// Switches without a place, which go to the first tree, and switches with more or fewer
    /// parents or children than usual.
    fn count_switches(&mut self, component: &Component, grown: &[Grown]) {
        for (switch, _) in component.switches.iter().zip(&self.tree_of).filter(|(_, t)| t.is_none())
        {
            self.deviations[0].push(Deviation::Outside { switch: *switch });
            self.cost += 1;
        }
        for (tree, grown) in grown.iter().enumerate() {
            let mut found = Vec::new();
            for (height, branches) in (1..).zip(&grown.branches) {
                let usual_parts = mode(branches.iter().map(|branch| branch.parts.len() as u32));
                let blocks = branches.iter().flat_map(|branch| &branch.blocks);
                let usual_parents = mode(blocks.map(|block| block.parents.len() as u32));
                for branch in branches {
                    let present = branch.parts.len() as u32;
                    let top = branch.tops.first().filter(|_| present != usual_parts);
                    if let Some(top) = top {
                        let switch = component.switches[*top as usize];
                        let usual = usual_parts;
                        found.push(Deviation::Children { switch, level: height, present, usual });
                        self.cost += u64::from(present.abs_diff(usual));
                    }
                    for block in &branch.blocks {
                        let (present, usual) = (block.parents.len() as u32, usual_parents);
                        if let Some((_, child)) =
                            block.children.first().filter(|_| present != usual)
                        {
                            let (switch, level) = (component.switches[*child as usize], height - 1);
                            found.push(Deviation::Parents { switch, level, present, usual });
                            self.cost += u64::from(present.abs_diff(usual));
                        }
                    }
                }
            }
            self.deviations[tree].extend(found);
        }
    }

    fn compare_links(
        &mut self,
        (network, component): (&Network, &Component),
        pods: &Pods,
        grown: &[Grown],
    ) -> Result<(), NotATree> {
        let (mut lacking, extra) = self.pairs(component, grown);
        let (stray, before) = (self.stray(component, pods), lacking.by_child.clone());
        // The lower switch of each deviation; how many links it is about; what to say of it.
        let mut found: Vec<(u32, u32, Option<Deviation>)> = Vec::new();
        for (lower, upper) in &stray {
            // The links of switches without a place are told by telling these.
            if [lower, upper].iter().any(|end| self.tree_of[**end as usize].is_none()) {
                found.push((*lower, component.links(*lower, *upper), None));
                continue;
            }
            for port in ports_between((network, component), *lower, *upper) {
                let ends = ((port, *lower), (network.peer(port), *upper));
                found.push((*lower, 1, Some(lacking.explain(component, ends))));
            }
        }
        for (lower, upper, present, usual) in extra {
            let mut ports = ports_between((network, component), lower, upper);
            let mut surplus = 0;
            for port in ports.drain(usual as usize..) {
                let ends = ((port, lower), (network.peer(port), upper));
                match lacking.explain(component, ends) {
                    Deviation::Misplaced { instead: None, .. } => surplus += 1,
                    explained => found.push((lower, 1, Some(explained))),
                }
            }
            if surplus > 0 {
                let present = present.min(usual + surplus);
                let deviation = links(component, (lower, upper), present, usual);
                found.push((lower, surplus, Some(deviation)));
            }
        }
        for ((lower, upper), count) in lacking.by_child {
            let present = component.links(lower, upper);
            let deviation = links(component, (lower, upper), present, present + count);
            found.push((lower, count, Some(deviation)));
        }
        self.cost += found.iter().map(|(_, links, _)| u64::from(*links)).sum::<u64>();
        let deviating = found.iter().map(|(lower, links, _)| (*lower, *links));
        if let Some(level) = mostly_wrong(component, pods, deviating, &before) {
            let reason = first_deviation(component, pods, level, (&before, &stray));
            return reason.map_or(Ok(()), Err);
        }
        for (lower, _, deviation) in found {
            let tree = self.tree_of[lower as usize].unwrap_or(0);
            self.deviations[tree as usize].extend(deviation);
        }
        Ok(())
    }

    /// The pairs of a block with fewer links than usual, and those with more: lower and upper
    /// switch, their links, and what is usual.
    fn pairs(
        &self,
        component: &Component,
        grown: &[Grown],
    ) -> (Lacking, Vec<(u32, u32, u32, u32)>) {
        let (mut lacking, mut extra) = (Lacking::default(), Vec::new());
        for (tree, parallel) in grown.iter().zip(&self.parallel) {
            for (branches, usual) in tree.branches[1..].iter().zip(parallel) {
                let blocks = branches.iter().flat_map(|branch| &branch.blocks);
                for block in blocks {
                    for (_, child) in &block.children {
                        for parent in &block.parents {
                            let present = component.links(*child, *parent);
                            if present < *usual {
                                lacking.add(*child, *parent, usual - present);
                            } else if present > *usual {
                                extra.push((*child, *parent, present, *usual));
                            }
                        }
                    }
                }
            }
        }
        (lacking, extra)
    }

    /// The pairs that are joined where they should not be, the lower switch first.
    fn stray(&self, component: &Component, pods: &Pods) -> Vec<(u32, u32)> {
        let level = |switch: u32| pods.levels[switch as usize];
        let mut stray = Vec::new();
        for (switch, neighbors) in (0..).zip(&component.neighbors) {
            for (peer, _) in neighbors {
                let is_lower = (level(switch), switch) < (level(*peer), *peer);
                let side_by_side = pods.siblings[switch as usize] == Some(*peer);
                if is_lower && !side_by_side && !self.is_in_place(switch, *peer) {
                    stray.push((switch, *peer));
                }
            }
        }
        stray
    }
}

/// Links that the pairs of blocks lack, the lower switch first.
type Pairs = BTreeMap<(u32, u32), u32>;

/// The lowest level from which more than a quarter of the links upward deviate.
fn mostly_wrong(
    component: &Component,
    pods: &Pods,
    deviating: impl Iterator<Item = (u32, u32)>,
    lacking: &Pairs,
) -> Option<u32> {
    let level = |switch: u32| pods.levels[switch as usize];
    let highest = pods.levels.iter().copied().max().unwrap_or(0) as usize;
    let (mut all, mut wrong) = (vec![0_u64; highest + 1], vec![0_u64; highest + 1]);
    for (switch, neighbors) in (0..).zip(&component.neighbors) {
        let up = neighbors.iter().filter(|(other, _)| level(*other) > level(switch));
        all[level(switch) as usize] += up.map(|(_, links)| u64::from(*links)).sum::<u64>();
    }
    for ((lower, _), links) in lacking {
        all[level(*lower) as usize] += u64::from(*links);
    }
    for (lower, links) in deviating {
        wrong[level(lower) as usize] += u64::from(links);
    }
    let mut levels = (0..).zip(wrong.into_iter().zip(all));
    levels.find(|(_, (wrong, all))| 4 * wrong > *all).map(|(level, _)| level)
}

/// The first thing to say when too much deviates upward from a level.
fn first_deviation(
    component: &Component,
    pods: &Pods,
    level: u32,
    (lacking, stray): (&Pairs, &[(u32, u32)]),
) -> Option<NotATree> {
    let usual = |lower, upper, lacking| component.links(lower, upper) + lacking;
    let lacking = lacking.iter();
    let lacking = lacking.map(|((lower, upper), n)| (*lower, *upper, usual(*lower, *upper, *n)));
    let stray = stray.iter().map(|(lower, upper)| (*lower, *upper, 0));
    let of_level = stray.chain(lacking).filter(|(lower, ..)| pods.levels[*lower as usize] == level);
    let (lower, upper, usual) = of_level.min()?;
    let [switch, peer] = [lower, upper].map(|each| component.switches[each as usize]);
    Some(NotATree::Asymmetric { switch, peer, present: component.links(lower, upper), usual })
}

/// The usual number of parallel links below each level, from 2.
fn usual_links(component: &Component, tree: &Grown) -> Vec<u32> {
    let of_level = |branches: &Vec<super::labels::Branch>| {
        let blocks = branches.iter().flat_map(|branch| &branch.blocks);
        let pairs = blocks.flat_map(|block| {
            let parents = move |(_, child): &(usize, u32)| {
                let child = *child;
                block.parents.iter().map(move |parent| component.links(child, *parent))
            };
            block.children.iter().flat_map(parents)
        });
        mode(pairs.filter(|links| *links > 0)).max(1)
    };
    tree.branches[1..].iter().map(of_level).collect()
}

fn links(component: &Component, (lower, upper): (u32, u32), present: u32, usual: u32) -> Deviation {
    Deviation::Links {
        lower: Node::Switch(component.switches[lower as usize]),
        upper: component.switches[upper as usize],
        present,
        usual,
    }
}

/// The ports of one switch that lead to another, in the order of their numbers.
fn ports_between(
    (network, component): (&Network, &Component),
    one: u32,
    other: u32,
) -> Vec<PortId> {
    let [one, other] = [one, other].map(|each| Node::Switch(component.switches[each as usize]));
    let ports = network.ports(one).map(PortId);
    ports.filter(|port| network.neighbor(*port) == Some(other)).collect()
}

/// How many links each child and parent of a block lack.
#[derive(Default)]
struct Lacking {
    by_child: Pairs,
    by_parent: Pairs,
}

impl Lacking {
    fn add(&mut self, child: u32, parent: u32, count: u32) {
        self.by_child.insert((child, parent), count);
        self.by_parent.insert((parent, child), count);
    }

    /// A link that is not where it belongs; if one of its ends lacks a link to another switch,
    /// that is where it should lead.
    fn explain(
        &mut self,
        component: &Component,
        ((port, lower), (peer, upper)): ((PortId, u32), (Option<PortId>, u32)),
    ) -> Deviation {
        for (port, end) in [(Some(port), lower), (peer, upper)] {
            if let (Some(port), Some(other)) = (port, self.take(end)) {
                let instead = Some(component.switches[other as usize]);
                return Deviation::Misplaced { port, instead };
            }
        }
        Deviation::Misplaced { port, instead: None }
    }

    /// One of the switches to which a switch lacks a link, which is then no longer lacking.
    fn take(&mut self, switch: u32) -> Option<u32> {
        let of = |pairs: &Pairs| {
            pairs.range((switch, 0)..=(switch, u32::MAX)).next().map(|((_, other), _)| *other)
        };
        let (child, parent) = match of(&self.by_child) {
            Some(parent) => (switch, parent),
            None => (of(&self.by_parent)?, switch),
        };
        for (pairs, key) in
            [(&mut self.by_child, (child, parent)), (&mut self.by_parent, (parent, child))]
        {
            if let Some(count) = pairs.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    pairs.remove(&key);
                }
            }
        }
        Some(if child == switch { parent } else { child })
    }
}
