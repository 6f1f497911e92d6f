//! The graph that distances, paths and cuts are computed on.

use std::collections::BTreeMap;

use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::sorting::{both, sort_by_number};

/// Who is joined to whom, and where the endpoints are.
///
/// The vertices are the switches, then one more for every set of switches that endpoints with
/// ports to several switches share: paths start and end there but never pass through.
pub(super) struct Graph {
    /// `first[v]`: where the neighbors of `v` start.
    first: Vec<u32>,
    /// The neighbors of each vertex, in order.
    neighbors: Vec<u32>,
    /// How many parallel links lead to that neighbor.
    parallel: Vec<u32>,
    switch_count: u32,
    /// Endpoints at each vertex.
    endpoints: Vec<u32>,
    /// The vertex of each endpoint slot; none for those that are cabled to no switch.
    places: Vec<Option<u32>>,
    /// Whether a switch has links to endpoints.
    carries: Vec<bool>,
}

impl Graph {
    pub(super) fn new(network: &Network) -> Graph {
        let switch_count = network.switch_count();
        let mut graph = Graph {
            first: vec![0],
            neighbors: Vec::new(),
            parallel: Vec::new(),
            switch_count,
            endpoints: vec![0; switch_count as usize],
            places: Vec::with_capacity(network.endpoint_count() as usize),
            carries: vec![false; switch_count as usize],
        };
        let sites = graph.place_endpoints(network);
        let mut ends_of = vec![Vec::new(); sites.len()];
        let mut to_sites: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (switches, site) in sites {
            for switch in &switches {
                to_sites.entry(*switch).or_default().push(site);
            }
            ends_of[(site - switch_count) as usize] = switches;
        }
        let mut ends = Vec::new();
        for switch in network.switches() {
            ends.extend(neighboring_switches(network, switch));
            ends.extend(to_sites.get(&switch.0).into_iter().flatten());
            sort_by_number(&mut ends, |end| u128::from(*end));
            graph.vertex(&ends);
            ends.clear();
        }
        for ends in &ends_of {
            graph.vertex(ends);
        }
        graph
    }

    /// Finds the vertex of every endpoint; gives the vertices that are no switches, by the
    /// switches that their endpoints share.
    fn place_endpoints(&mut self, network: &Network) -> BTreeMap<Vec<u32>, u32> {
        let mut sites = BTreeMap::new();
        for endpoint in network.endpoints() {
            let ports = network.ports(Node::Endpoint(endpoint)).map(PortId);
            let mut switches: Vec<u32> =
                ports.filter_map(|port| switch_at(network, port)).map(|switch| switch.0).collect();
            sort_by_number(&mut switches, |switch| u128::from(*switch));
            switches.dedup();
            for switch in &switches {
                self.carries[*switch as usize] = true;
            }
            let place = match switches[..] {
                [] => None,
                [switch] => Some(switch),
                _ => {
                    let next = self.switch_count + sites.len() as u32;
                    Some(*sites.entry(switches).or_insert(next))
                }
            };
            let vertices = self.switch_count as usize + sites.len();
            self.endpoints.resize(vertices, 0);
            if let Some(place) = place {
                self.endpoints[place as usize] += 1;
            }
            self.places.push(place);
        }
        sites
    }

    /// Adds the next vertex with links to `ends`, which are in order; several links to the same
    /// vertex stand next to each other.
    fn vertex(&mut self, ends: &[u32]) {
        for parallel in ends.chunk_by(u32::eq) {
            self.neighbors.extend(parallel.first());
            self.parallel.push(parallel.len() as u32);
        }
        self.first.push(self.neighbors.len() as u32);
    }

    pub(super) fn vertex_count(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// Whether a vertex passes on what it gets.
    pub(super) fn is_switch(&self, vertex: u32) -> bool {
        vertex < self.switch_count
    }

    /// The neighbors of a vertex, in order.
    pub(super) fn neighbors(&self, vertex: u32) -> &[u32] {
        &self.neighbors[self.range(vertex)]
    }

    /// The number of links to each of the neighbors.
    pub(super) fn parallel(&self, vertex: u32) -> &[u32] {
        &self.parallel[self.range(vertex)]
    }

    fn range(&self, vertex: u32) -> std::ops::Range<usize> {
        self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize
    }

    /// The place of the links between two vertices among those of all vertices.
    pub(super) fn arc(&self, from: u32, to: u32) -> Option<usize> {
        let place = self.neighbors(from).binary_search(&to).ok()?;
        Some(self.first[from as usize] as usize + place)
    }

    /// The number of neighbors of all vertices together.
    pub(super) fn arc_count(&self) -> u64 {
        self.neighbors.len() as u64
    }

    /// The number of live endpoints whose place is this vertex.
    pub(super) fn endpoints(&self, vertex: u32) -> u32 {
        self.endpoints[vertex as usize]
    }

    /// The vertex of an endpoint slot; none where it is cabled to no switch.
    pub(super) fn place(&self, endpoint: EndpointId) -> Option<u32> {
        self.places[endpoint.index()]
    }

    /// Every vertex with endpoints.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        (0..self.vertex_count()).filter(|vertex| self.endpoints(*vertex) > 0)
    }

    /// The endpoints of all places; not those that are cabled to no switch.
    pub(super) fn endpoint_count(&self) -> u64 {
        self.endpoints.iter().map(|count| u64::from(*count)).sum()
    }

    /// Whether a switch has links to endpoints.
    pub(super) fn carries_endpoints(&self, switch: u32) -> bool {
        self.carries[switch as usize]
    }

    /// Whether renumbering the vertices by `image` gives the same graph.
    pub(super) fn is_symmetry(&self, image: &[u32]) -> bool {
        let count = self.vertex_count() as usize;
        let mut hit = vec![false; count];
        for to in image {
            match hit.get_mut(*to as usize) {
                Some(hit) if !*hit => *hit = true,
                _ => return false,
            }
        }
        let mut moved: Vec<(u32, u32)> = Vec::new();
        image.len() == count
            && (0..count as u32).zip(image).all(|(vertex, to)| {
                let ends = self.neighbors(vertex).iter().map(|end| image[*end as usize]);
                moved.clear();
                moved.extend(ends.zip(self.parallel(vertex).iter().copied()));
                sort_by_number(&mut moved, |(to, links)| both(u64::from(*to), u64::from(*links)));
                let there = self.neighbors(*to).iter().zip(self.parallel(*to));
                self.is_switch(vertex) == self.is_switch(*to)
                    && self.endpoints(vertex) == self.endpoints(*to)
                    && moved.iter().copied().eq(there.map(|(end, parallel)| (*end, *parallel)))
            })
    }
}

/// The switch at the other end of a port's cable.
fn switch_at(network: &Network, port: PortId) -> Option<SwitchId> {
    match network.neighbor(port)? {
        Node::Switch(switch) => Some(switch),
        Node::Endpoint(_) => None,
    }
}

/// For each port of a switch that leads to another switch, that switch.
fn neighboring_switches(network: &Network, switch: SwitchId) -> impl Iterator<Item = u32> {
    let ports = network.ports(Node::Switch(switch)).map(PortId);
    let others = ports.filter_map(move |port| switch_at(network, port));
    others.filter(move |other| *other != switch).map(|other| other.0)
}
