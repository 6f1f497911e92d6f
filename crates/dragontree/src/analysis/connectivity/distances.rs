//! Distances between switches, from one of them to all others.

use crate::network::{Network, Node, PortId, SwitchId};
use crate::sorting::sort_by_number;

/// Links between switches, and the distances from the switch that was asked for last.
pub(super) struct Distances {
    first: Vec<u32>,
    neighbors: Vec<SwitchId>,
    distances: Vec<Option<u32>>,
    reached: Vec<SwitchId>,
}

impl Distances {
    pub fn new(network: &Network) -> Distances {
        let mut neighbors = Vec::new();
        let mut first = vec![0];
        for switch in network.switches() {
            let start = neighbors.len();
            for port in network.ports(Node::Switch(switch)).map(PortId) {
                if let Some(Node::Switch(next)) = network.neighbor(port) {
                    neighbors.push(next);
                }
            }
            sort_by_number(&mut neighbors[start..], |next| u128::from(next.0));
            let mut kept = start;
            for index in start..neighbors.len() {
                if index == start || neighbors[index] != neighbors[kept - 1] {
                    neighbors[kept] = neighbors[index];
                    kept += 1;
                }
            }
            neighbors.truncate(kept);
            first.push(neighbors.len() as u32);
        }
        let distances = vec![None; network.switch_count() as usize];
        Distances { first, neighbors, distances, reached: Vec::new() }
    }

    /// Finds the distances from a switch; how much work it was.
    pub fn from(&mut self, start: SwitchId) -> u64 {
        self.distances.fill(None);
        self.distances[start.index()] = Some(0);
        self.reached.clear();
        self.reached.push(start);
        let mut next = 0;
        while let Some(switch) = self.reached.get(next).copied() {
            next += 1;
            let beyond = self.distances[switch.index()].map(|distance| distance + 1);
            let links =
                self.first[switch.index()] as usize..self.first[switch.index() + 1] as usize;
            for neighbor in &self.neighbors[links] {
                if self.distances[neighbor.index()].is_none() {
                    self.distances[neighbor.index()] = beyond;
                    self.reached.push(*neighbor);
                }
            }
        }
        self.neighbors.len() as u64
    }

    /// The distance of a switch from the one that was asked for last; none where no cables lead.
    pub fn to(&self, switch: SwitchId) -> Option<u32> {
        self.distances[switch.index()]
    }
}
