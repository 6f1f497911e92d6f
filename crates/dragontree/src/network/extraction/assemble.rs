//! Puts what was found together: every switch in its place, with its groups of ports.

use std::collections::BTreeMap;

use super::cluster::mode;
use super::component::Component;
use super::found::{ExtractedTree, Place};
use super::labels::{Grown, Labels};
use super::pods::Pods;
use super::survey::Survey;
use super::{Deviation, NotATree};
use crate::network::{EndpointId, Network, Node, PortId, SwitchId, Tree};
use crate::sorting::sort_by_number;

/// Finds the trees of a component, each with its switches.
///
/// # Errors
/// A tree would have more places for endpoints than can be counted.
pub(super) fn trees(
    context: (&Network, &Component),
    pods: &Pods,
    (grown, labels): (&[Grown], &Labels),
    mut survey: Survey,
) -> Result<Vec<(Vec<SwitchId>, ExtractedTree)>, NotATree> {
    let mut trees = Vec::new();
    for (number, grown) in grown.iter().enumerate() {
        let deviations = std::mem::take(&mut survey.deviations[number]);
        let parallel = std::mem::take(&mut survey.parallel[number]);
        let mut assembly = Assembly {
            context,
            pods,
            grown,
            labels,
            survey: &survey,
            deviations,
            homes: BTreeMap::new(),
            rates: BTreeMap::new(),
        };
        // Switches without a place belong to the first tree.
        let is_own = |tree: &Option<u32>| tree.unwrap_or(0) as usize == number;
        let switches = context.1.switches.iter().zip(&survey.tree_of);
        let own = switches.filter(|(_, tree)| is_own(tree)).map(|(switch, _)| *switch);
        trees.push((own.collect(), assembly.tree(parallel)?));
    }
    Ok(trees)
}

struct Assembly<'a> {
    context: (&'a Network, &'a Component),
    pods: &'a Pods,
    grown: &'a Grown,
    labels: &'a Labels,
    survey: &'a Survey,
    deviations: Vec<Deviation>,
    /// For each endpoint its leaf switches, and the links to each.
    homes: BTreeMap<EndpointId, Vec<(SwitchId, u32)>>,
    /// For each level the lower ports of the links to it; 0 is for those between siblings.
    rates: BTreeMap<u32, Vec<PortId>>,
}

impl Assembly<'_> {
    fn tree(&mut self, parallel: Vec<u32>) -> Result<ExtractedTree, NotATree> {
        let mut places = Vec::new();
        for (level, branches) in (1..).zip(&self.grown.branches) {
            for branch in branches {
                for top in &branch.tops {
                    if let Some(label) = self.labels[*top as usize] {
                        let index = label + self.grown.spread[level as usize] * branch.index;
                        places.push(self.place(*top, level, index));
                    }
                }
            }
        }
        sort_by_number(&mut places, |place| u128::from(place.switch.0));
        let slots = places.iter().filter(|place| place.level == 1).map(|leaf| leaf.down.len());
        let slots = slots.max().unwrap_or(0) as u32;
        let tree = self.shape(slots, parallel)?;
        self.compare_endpoints(&places, slots, tree.parallel(1));
        self.compare_rates();
        let deviations = std::mem::take(&mut self.deviations);
        let by_level = by_level(&tree, &places);
        Ok(ExtractedTree { tree, places, by_level, deviations })
    }

    /// The widths; a tree without any endpoint has one slot per leaf switch.
    fn shape(&self, slots: u32, mut parallel: Vec<u32>) -> Result<Tree, NotATree> {
        let homes = self.homes.values().flatten();
        parallel.insert(0, mode(homes.map(|(_, links)| *links)).max(1));
        let slots = u64::from(slots.max(1));
        let children = std::iter::once(slots).chain(self.grown.children.iter().copied());
        let endpoints = children.clone().try_fold(1_u64, u64::checked_mul);
        if endpoints.is_none_or(|endpoints| endpoints > u64::from(u32::MAX)) {
            let top = self.grown.branches.last().and_then(|roots| roots[0].tops.first());
            let switch = self.context.1.switches[top.copied().unwrap_or(0) as usize];
            return Err(NotATree::Sparse { switch });
        }
        // The other widths are at most twice the number of switches.
        let children = children.map(|width| width as u32).collect();
        let parents = self.grown.parents.iter().map(|width| *width as u32).collect();
        Ok(Tree::new(children, parents, parallel))
    }

    /// A switch in its place, with its ports by where they lead.
    fn place(&mut self, number: u32, level: u32, index: u64) -> Place {
        let (network, component) = self.context;
        let switch = component.switches[number as usize];
        let mut place = Place {
            switch,
            level,
            index: index as u32,
            down: Vec::new(),
            up: Vec::new(),
            siblings: Vec::new(),
        };
        let mut slots: Vec<EndpointId> = Vec::new();
        for port in network.ports(Node::Switch(switch)).map(PortId) {
            match network.neighbor(port) {
                Some(Node::Endpoint(endpoint)) if level == 1 => {
                    let slot = slots.iter().position(|each| *each == endpoint);
                    let slot = slot.unwrap_or_else(|| {
                        slots.push(endpoint);
                        slots.len() - 1
                    });
                    push(&mut place.down, slot as u64, port);
                    self.note_rate(1, network.peer(port));
                }
                Some(Node::Endpoint(endpoint)) => {
                    self.deviations.push(Deviation::Above { endpoint, switch, level });
                }
                Some(Node::Switch(other)) => {
                    if let Some(other) = component.number(other) {
                        self.group((number, level), port, other, &mut place);
                    }
                }
                None => {}
            }
        }
        for (endpoint, ports) in slots.into_iter().zip(&place.down) {
            self.homes.entry(endpoint).or_default().push((switch, ports.len() as u32));
        }
        place
    }

    /// Puts a port that leads to another switch into its group.
    fn group(&mut self, (number, level): (u32, u32), port: PortId, other: u32, place: &mut Place) {
        let other_level = self.pods.levels[other as usize];
        if self.pods.siblings[number as usize] == Some(other) {
            place.siblings.push(port);
            self.note_rate(0, (number < other).then_some(port));
        } else if other_level == level + 1 && self.survey.is_in_place(number, other) {
            let label = self.labels[other as usize].unwrap_or(0);
            push(&mut place.up, label / self.grown.spread[level as usize], port);
            self.note_rate(level + 1, Some(port));
        } else if other_level + 1 == level && self.survey.is_in_place(other, number) {
            push(&mut place.down, self.digit(other), port);
        }
    }

    /// The child digit of the branch that a switch tops.
    fn digit(&self, switch: u32) -> u64 {
        self.survey.branch_of[switch as usize].map_or(0, |branch| {
            let level = self.pods.levels[switch as usize];
            self.grown.of_height(level)[branch as usize].digit
        })
    }

    fn note_rate(&mut self, level: u32, port: Option<PortId>) {
        self.rates.entry(level).or_default().extend(port);
    }

    fn compare_endpoints(&mut self, places: &[Place], slots: u32, usual: u32) {
        for leaf in places.iter().filter(|place| place.level == 1) {
            let (leaf, present) = (leaf.switch, leaf.down.len() as u32);
            if present < slots {
                self.deviations.push(Deviation::Endpoints { leaf, present, slots });
            }
        }
        for (endpoint, leaves) in &self.homes {
            if leaves.len() > 1 {
                let leaves = leaves.iter().map(|(leaf, _)| *leaf).collect();
                self.deviations.push(Deviation::SeveralLeaves { endpoint: *endpoint, leaves });
            }
            for (leaf, present) in leaves.iter().filter(|(_, links)| *links != usual) {
                let lower = Node::Endpoint(*endpoint);
                let (upper, present) = (*leaf, *present);
                self.deviations.push(Deviation::Links { lower, upper, present, usual });
            }
        }
    }

    fn compare_rates(&mut self) {
        let (network, _) = self.context;
        for ports in self.rates.values() {
            let rate = |port: &PortId| network.channel(*port).map(|channel| channel.bandwidth);
            let mut counts = BTreeMap::new();
            for rate in ports.iter().filter_map(rate) {
                *counts.entry(rate).or_insert(0_u32) += 1;
            }
            let usual = counts.iter().max_by_key(|(rate, count)| (**count, **rate));
            let Some((usual, _)) = usual else { continue };
            for port in ports {
                if let Some(bandwidth) = rate(port).filter(|rate| rate < usual) {
                    let (port, usual) = (*port, *usual);
                    self.deviations.push(Deviation::Slow { port, bandwidth, usual });
                }
            }
        }
    }
}

/// Adds a port to a group.
fn push(groups: &mut Vec<Vec<PortId>>, group: u64, port: PortId) {
    let group = group as usize;
    if groups.len() <= group {
        groups.resize(group + 1, Vec::new());
    }
    groups[group].push(port);
}

/// For each level and place in it the number of the switch that is there.
fn by_level(tree: &Tree, places: &[Place]) -> Vec<Vec<Option<u32>>> {
    let widths = (1..=tree.levels()).map(|level| tree.width(level) as usize);
    let mut by_level: Vec<Vec<Option<u32>>> = widths.map(|width| vec![None; width]).collect();
    for (number, place) in (0..).zip(places) {
        by_level[place.level as usize - 1][place.index as usize] = Some(number);
    }
    by_level
}
