//! The switches of a network and the links between them, as the makers of tables walk them.

use std::collections::VecDeque;
use std::ops::Range;

use crate::network::{Lfts, Network, Node, PortId, SwitchId, Target};
use crate::sorting::sort_by_number;

/// Stands for the distance of a switch that cannot be reached.
pub(in crate::routing) const FAR: u32 = u32::MAX;

/// A link from one switch to another.
#[derive(Clone, Copy, Debug)]
pub(in crate::routing) struct Edge {
    /// The number of the port that it leaves from.
    pub number: u32,
    /// The switch that it leads to.
    pub to: SwitchId,
    /// The place of the same link in the other direction.
    pub back: u32,
}

/// Switches and the links between them, without the endpoints.
#[derive(Clone, Debug)]
pub(in crate::routing) struct Graph {
    first: Vec<u32>,
    edges: Vec<Edge>,
    first_endpoint: Vec<u32>,
    /// Port number and destination of each endpoint port, switch by switch.
    endpoints: Vec<(u32, Target)>,
    order: Vec<SwitchId>,
    /// The place of the link at each port, [`FAR`] where there is none.
    places: Vec<u32>,
}

impl Graph {
    /// The switches of a network. A cable from a switch to itself is left out.
    pub fn new(network: &Network) -> Graph {
        let mut graph = Graph {
            first: vec![0],
            edges: Vec::new(),
            first_endpoint: vec![0],
            endpoints: Vec::new(),
            order: network.switches_by_guid(),
            places: vec![FAR; network.port_count() as usize],
        };
        let mut ports = Vec::new();
        for switch in network.switches() {
            for port in network.ports(Node::Switch(switch)).map(PortId) {
                let (Some(peer), number) = (network.peer(port), network.number(port)) else {
                    continue;
                };
                match network.owner(peer) {
                    Node::Switch(to) if to != switch => {
                        graph.places[port.index()] = graph.edges.len() as u32;
                        ports.push(peer);
                        graph.edges.push(Edge { number, to, back: 0 });
                    }
                    Node::Switch(_) => {}
                    Node::Endpoint(_) => {
                        graph.endpoints.push((number, network.port_target(peer)));
                    }
                }
            }
            graph.first.push(graph.edges.len() as u32);
            graph.first_endpoint.push(graph.endpoints.len() as u32);
        }
        for (edge, peer) in graph.edges.iter_mut().zip(ports) {
            edge.back = graph.places[peer.index()];
        }
        graph
    }

    /// The number of switches.
    pub fn switch_count(&self) -> usize {
        self.order.len()
    }

    /// Every link, in both directions, switch by switch in the order of the ports.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The places of a switch's links among all, in the order of its ports.
    pub fn places(&self, switch: SwitchId) -> Range<usize> {
        self.first[switch.index()] as usize..self.first[switch.index() + 1] as usize
    }

    /// The links that leave a switch, in the order of its ports.
    pub fn edges_from(&self, switch: SwitchId) -> &[Edge] {
        &self.edges[self.places(switch)]
    }

    /// The switch that a link leaves from.
    pub fn from(&self, place: u32) -> SwitchId {
        self.edges[self.edges[place as usize].back as usize].to
    }

    /// The place of the link by which a switch sends to a destination, if it goes on to another.
    pub fn next(
        &self,
        network: &Network,
        lfts: &Lfts,
        at: SwitchId,
        target: Target,
    ) -> Option<u32> {
        let port = lfts.port(network, at, target)?;
        Some(self.places[port.index()]).filter(|place| *place != FAR)
    }

    /// The endpoint ports at a switch, with the numbers of the switch's ports, in their order.
    pub fn endpoints_at(&self, switch: SwitchId) -> &[(u32, Target)] {
        let first = self.first_endpoint[switch.index()] as usize;
        &self.endpoints[first..self.first_endpoint[switch.index() + 1] as usize]
    }

    /// The switches in the order of [`Network::switches_by_guid`].
    pub fn order(&self) -> &[SwitchId] {
        &self.order
    }

    /// The same order, but those with more endpoints first.
    pub fn busiest_first(&self) -> Vec<SwitchId> {
        let mut order = self.order.clone();
        sort_by_number(&mut order, |switch| !(self.endpoints_at(*switch).len() as u128));
        order
    }

    /// The number of links from each switch to the nearest of some, [`FAR`] where there is no way.
    pub fn distances(&self, from: &[SwitchId]) -> Vec<u32> {
        let mut distances = vec![FAR; self.switch_count()];
        self.measure(from, &mut distances, &mut VecDeque::new());
        distances
    }

    /// Writes the distances from some switches into an array that is [`FAR`] everywhere.
    pub fn measure(
        &self,
        from: &[SwitchId],
        distances: &mut [u32],
        queue: &mut VecDeque<SwitchId>,
    ) {
        for switch in from {
            distances[switch.index()] = 0;
            queue.push_back(*switch);
        }
        while let Some(switch) = queue.pop_front() {
            let next = distances[switch.index()] + 1;
            for edge in self.edges_from(switch) {
                let distance = &mut distances[edge.to.index()];
                if *distance == FAR {
                    *distance = next;
                    queue.push_back(edge.to);
                }
            }
        }
    }
}
