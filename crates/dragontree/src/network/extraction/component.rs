//! Switches that are joined, without their ports.

use crate::network::{Network, Node, PortId, SwitchId};

/// A connected part of the switches, numbered from 0 in the order of their ids.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// The switch of each number.
    pub switches: Vec<SwitchId>,
    /// The other switches joined to each, in order, and by how many links.
    pub neighbors: Vec<Vec<(u32, u32)>>,
    /// How many links lead to endpoints.
    pub endpoints: Vec<u32>,
}

impl Component {
    /// How many switches there are.
    pub(super) fn len(&self) -> u32 {
        self.switches.len() as u32
    }

    /// The number of a switch.
    pub(super) fn number(&self, switch: SwitchId) -> Option<u32> {
        self.switches.binary_search(&switch).ok().map(|number| number as u32)
    }

    /// How many links join two switches.
    pub(super) fn links(&self, one: u32, other: u32) -> u32 {
        let neighbors = &self.neighbors[one as usize];
        let found = neighbors.binary_search_by_key(&other, |(neighbor, _)| *neighbor);
        found.map_or(0, |place| neighbors[place].1)
    }

    /// How many links join switches.
    pub(super) fn link_count(&self) -> u64 {
        let all = self.neighbors.iter().flatten().map(|(_, links)| u64::from(*links));
        all.sum::<u64>() / 2
    }
}

/// The connected parts, and the switches without a cable.
pub(super) fn components(network: &Network) -> (Vec<Component>, Vec<SwitchId>) {
    let mut seen = vec![false; network.switch_count() as usize];
    let (mut components, mut idle) = (Vec::new(), Vec::new());
    for first in network.switches() {
        if std::mem::replace(&mut seen[first.index()], true) {
            continue;
        }
        if neighbors(network, first).next().is_none() {
            idle.push(first);
            continue;
        }
        let mut switches = vec![first];
        let mut next = 0;
        while let Some(switch) = switches.get(next).copied() {
            next += 1;
            for neighbor in neighbors(network, switch) {
                if let Node::Switch(neighbor) = neighbor
                    && !std::mem::replace(&mut seen[neighbor.index()], true)
                {
                    switches.push(neighbor);
                }
            }
        }
        switches.sort_unstable();
        components.push(component(network, switches));
    }
    (components, idle)
}

fn component(network: &Network, switches: Vec<SwitchId>) -> Component {
    let mut component = Component { switches, neighbors: Vec::new(), endpoints: Vec::new() };
    for (number, switch) in (0..).zip(&component.switches) {
        let mut endpoints = 0;
        let mut ends = Vec::new();
        for neighbor in neighbors(network, *switch) {
            match neighbor {
                Node::Endpoint(_) => endpoints += 1,
                Node::Switch(other) => ends.extend(component.number(other)),
            }
        }
        ends.sort_unstable();
        ends.retain(|other| *other != number);
        let runs = ends.chunk_by(|one, other| one == other);
        component.neighbors.push(runs.map(|run| (run[0], run.len() as u32)).collect());
        component.endpoints.push(endpoints);
    }
    component
}

/// What a switch's links lead to, in the order of its ports.
fn neighbors(network: &Network, switch: SwitchId) -> impl Iterator<Item = Node> + '_ {
    network.ports(Node::Switch(switch)).filter_map(|port| network.neighbor(PortId(port)))
}
