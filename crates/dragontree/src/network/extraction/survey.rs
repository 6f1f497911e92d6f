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
        survey.count_switches(context.1, grown, labels);
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
                for block in branch.blocks.iter().filter(|block| block.label.is_some()) {
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

    /// Switches without a place, and switches with more or fewer parents or children than usual.
    fn count_switches(&mut self, component: &Component, grown: &[Grown], labels: &Labels) {
        for (tree, grown) in grown.iter().enumerate() {
            let mut found = Vec::new();
            for (height, branches) in (1..).zip(&grown.branches) {
                let usual_parts = mode(branches.iter().map(|branch| branch.parts.len() as u32));
                let blocks = branches.iter().flat_map(|branch| &branch.blocks);
                let usual_parents = mode(blocks.map(|block| block.parents.len() as u32));
                for branch in branches {
                    let outside = branch.tops.iter().filter(|top| labels[**top as usize].is_none());
                    found.extend(outside.map(|top| Deviation::Outside {
                        switch: component.switches[*top as usize],
                    }));
                    let first = branch.tops.iter().min_by_key(|top| labels[**top as usize]);
                    let present = branch.parts.len() as u32;
                    if let Some(top) = first.filter(|_| present != usual_parts) {
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
            let outside = |each: &&Deviation| matches!(each, Deviation::Outside { .. });
            self.cost += found.iter().filter(outside).count() as u64;
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
        let stray = self.stray(component, pods);
        let first = self.first_deviation(component, pods, &lacking, &stray);
        let mut found: Vec<(u32, Deviation)> = Vec::new();
        let mut misplaced = 0;
        for (lower, upper) in stray {
            for port in ports_between((network, component), lower, upper) {
                found.push((
                    lower,
                    lacking.explain(component, (port, lower), (network.peer(port), upper)),
                ));
                misplaced += 1;
            }
        }
        for (lower, upper, present, usual) in extra {
            let mut ports = ports_between((network, component), lower, upper);
            let mut surplus = 0;
            for _ in usual..present {
                let Some(port) = ports.pop() else { continue };
                match lacking.explain(component, (port, lower), (network.peer(port), upper)) {
                    Deviation::Misplaced { instead: None, .. } => surplus += 1,
                    explained => found.push((lower, explained)),
                }
                misplaced += 1;
            }
            if surplus > 0 {
                found.push((lower, links(component, (lower, upper), usual + surplus, usual)));
            }
        }
        let mut missing = 0;
        for ((lower, upper), count) in lacking.by_child {
            missing += u64::from(count);
            let present = component.links(lower, upper);
            found.push((lower, links(component, (lower, upper), present, present + count)));
        }
        self.cost += misplaced + missing;
        if 4 * (misplaced + missing) > component.link_count()
            && let Some(reason) = first
        {
            return Err(reason);
        }
        for (lower, deviation) in found {
            let tree = self.tree_of[lower as usize].unwrap_or(0);
            self.deviations[tree as usize].push(deviation);
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
                for block in blocks.filter(|block| block.label.is_some()) {
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

    /// The first thing to say when too much deviates.
    fn first_deviation(
        &self,
        component: &Component,
        pods: &Pods,
        lacking: &Lacking,
        stray: &[(u32, u32)],
    ) -> Option<NotATree> {
        let stray = stray.iter().map(|(lower, upper)| (*lower, *upper, 0));
        let usual = |lower, upper, lacking| component.links(lower, upper) + lacking;
        let lacking = lacking.by_child.iter();
        let lacking =
            lacking.map(|((lower, upper), n)| (*lower, *upper, usual(*lower, *upper, *n)));
        let key =
            |(lower, upper, _): &(u32, u32, u32)| (pods.levels[*lower as usize], *lower, *upper);
        let (lower, upper, usual) = stray.chain(lacking).min_by_key(key)?;
        let [switch, peer] = [lower, upper].map(|each| component.switches[each as usize]);
        Some(NotATree::Asymmetric { switch, peer, present: component.links(lower, upper), usual })
    }
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
    by_child: BTreeMap<(u32, u32), u32>,
    by_parent: BTreeMap<(u32, u32), u32>,
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
        (port, lower): (PortId, u32),
        (peer, upper): (Option<PortId>, u32),
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
        let of = |pairs: &BTreeMap<(u32, u32), u32>| {
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
