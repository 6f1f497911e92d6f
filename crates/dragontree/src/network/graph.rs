//! Which switches are next to each other, however many links they have.

use super::{Network, Node, PortId, SwitchId};

/// An undirected graph without repeated edges.
pub struct Graph {
    /// Where the neighbors of each switch begin, and one past the last.
    first: Vec<u32>,
    next: Vec<u32>,
}

/// Stands for what is not (yet) reached.
pub const UNREACHED: u32 = u32::MAX;

impl Graph {
    /// The switches of a network as it was before anything failed.
    pub fn of(network: &Network) -> Graph {
        Graph::new(network.switches().map(|switch| neighbors(network, switch)))
    }

    /// A graph by the neighbors of each of its nodes, in any order and any number of times.
    fn new(lists: impl Iterator<Item = impl Iterator<Item = u32>>) -> Graph {
        let mut graph = Graph { first: vec![0], next: Vec::new() };
        for (own, list) in (0..).zip(lists) {
            let mut list: Vec<u32> = list.filter(|other| *other != own).collect();
            list.sort_unstable();
            list.dedup();
            graph.next.extend(list);
            graph.first.push(graph.next.len() as u32);
        }
        graph
    }

    /// The number of nodes.
    pub fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// The nodes next to one, in order.
    pub fn neighbors(&self, node: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|past: usize| self.first[node as usize + past] as usize);
        &self.next[start..end]
    }

    /// The number of edges, each counted from both of its ends.
    pub fn arc_count(&self) -> usize {
        self.next.len()
    }

    /// The number of an edge as it leaves from a node, counted over all nodes in order.
    pub fn arc(&self, from: u32, to: u32) -> Option<usize> {
        let place = self.neighbors(from).binary_search(&to).ok()?;
        Some(self.first[from as usize] as usize + place)
    }

    /// Whether each node is next to each other one.
    pub fn is_complete(&self) -> bool {
        (0..self.count()).all(|node| self.neighbors(node as u32).len() + 1 == self.count())
    }

    /// Every edge once.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> {
        let nodes = 0..self.count() as u32;
        let ends = nodes.flat_map(|one| self.neighbors(one).iter().map(move |other| [one, *other]));
        ends.filter(|[one, other]| one < other)
    }

    /// The connected parts, by their lowest node; their nodes in order.
    pub fn components(&self) -> Vec<Vec<u32>> {
        let mut distances = vec![UNREACHED; self.count()];
        let mut parts = Vec::new();
        for node in 0..self.count() as u32 {
            if distances[node as usize] == UNREACHED {
                let mut part = self.flood(node, &mut distances);
                part.sort_unstable();
                parts.push(part);
            }
        }
        parts
    }

    /// What lies between some of its nodes, which are in order and renumbered.
    pub fn part(&self, members: &[u32]) -> Graph {
        let own = |other: &u32| members.binary_search(other).ok().map(|own| own as u32);
        Graph::new(members.iter().map(|member| self.neighbors(*member).iter().filter_map(own)))
    }

    /// The edges between a node and each other one.
    pub fn distances(&self, from: u32) -> Vec<u32> {
        let mut distances = vec![UNREACHED; self.count()];
        self.flood(from, &mut distances);
        distances
    }

    /// Notes how far away each node is that can be reached; these, the near ones first.
    fn flood(&self, from: u32, distances: &mut [u32]) -> Vec<u32> {
        distances[from as usize] = 0;
        let mut reached = vec![from];
        let mut done = 0;
        while let Some(node) = reached.get(done).copied() {
            done += 1;
            for other in self.neighbors(node) {
                if distances[*other as usize] == UNREACHED {
                    distances[*other as usize] = distances[node as usize] + 1;
                    reached.push(*other);
                }
            }
        }
        reached
    }
}

/// The other switches that the ports of a switch lead to, in the order of the ports, as before
/// anything failed.
pub fn neighbors(network: &Network, switch: SwitchId) -> impl Iterator<Item = u32> {
    let ports = network.ports(Node::Switch(switch)).map(PortId);
    ports.filter_map(move |port| match network.intact_neighbor(port)? {
        Node::Switch(other) if other != switch => Some(other.0),
        _ => None,
    })
}
