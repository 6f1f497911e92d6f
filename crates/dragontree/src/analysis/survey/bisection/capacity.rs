//! Bandwidths as capacities of the graph that is cut, and back.

use super::super::graph::Graph;
use super::level::{Arc, Level};
use crate::network::{Network, Node, PortId};

/// The capacities of all edges together stay below this.
const MOST_CAPACITY: u128 = 1 << 29;

/// A cut in numbers of the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Cut {
    /// Links between the sides.
    pub(in super::super) links: u32,
    /// Endpoints that were moved one by one to make the sides equal.
    pub(in super::super) moved: u32,
    /// Endpoints of the smaller half.
    pub(in super::super) half: u32,
    /// The bandwidth of all of these links relative to that of the smaller half's endpoints.
    pub(in super::super) per_endpoint: f64,
}

/// The bandwidth of an endpoint's links together, on average over all that have a place.
fn endpoint_bandwidth(network: &Network, graph: &Graph) -> f64 {
    let placed = network.endpoints().filter(|endpoint| graph.place(*endpoint).is_some());
    let ports = placed.flat_map(|endpoint| network.ports(Node::Endpoint(endpoint)));
    let channels = ports.filter_map(|port| network.channel(PortId(port)));
    let total: u128 = channels.map(|channel| u128::from(channel.bandwidth.as_bps())).sum();
    total as f64 / graph.endpoint_count().max(1) as f64
}

/// The graph to cut, and the capacity of an endpoint's links.
pub(super) fn level(network: &Network, graph: &Graph) -> (Level, u64) {
    let (mut unit, mut total) = (0, 0_u128);
    for (_, channel) in network.links() {
        let bandwidth = channel.bandwidth.as_bps();
        unit = greatest_common_divisor(unit, bandwidth);
        total += u128::from(bandwidth);
    }
    // Odd mixtures of rates are rounded; what is reported is computed from the rates themselves.
    let unit = u128::from(unit).max(total / MOST_CAPACITY).max(1);
    let endpoint = endpoint_bandwidth(network, graph) / unit as f64;
    let mut level = Level::new((0..graph.vertex_count()).map(|v| graph.endpoints(v)).collect());
    let mut bandwidths = bandwidths(network, graph).into_iter();
    for vertex in 0..graph.vertex_count() {
        let arcs = graph.neighbors(vertex).iter().zip(bandwidths.by_ref());
        level.vertex(arcs.map(|(to, bandwidth)| {
            let capacity = (u128::from(bandwidth) / unit).max(1);
            Arc { to: *to, capacity: u32::try_from(capacity).unwrap_or(u32::MAX) }
        }));
    }
    (level, (endpoint.round() as u64).max(1))
}

/// The bandwidth of the links to each neighbor of each vertex, in the order of the graph.
fn bandwidths(network: &Network, graph: &Graph) -> Vec<u64> {
    let mut bandwidths = vec![0; graph.arc_count() as usize];
    for (port, channel) in network.channels() {
        let ends = (vertex_of(network, graph, port), vertex_of(network, graph, channel.peer));
        if let (Some(from), Some(to)) = ends
            && let Some(arc) = graph.arc(from, to)
        {
            bandwidths[arc] += channel.bandwidth.as_bps();
        }
    }
    bandwidths
}

/// The vertex that the owner of a port is part of.
fn vertex_of(network: &Network, graph: &Graph, port: PortId) -> Option<u32> {
    match network.owner(port) {
        Node::Switch(switch) => Some(switch.0),
        Node::Endpoint(endpoint) => graph.place(endpoint),
    }
}

impl Cut {
    /// The cut between these sides of the graph's vertices; none with fewer than two endpoints.
    pub(in super::super) fn new(network: &Network, graph: &Graph, sides: &[bool]) -> Option<Cut> {
        let side = |vertex: Option<u32>| sides.get(vertex? as usize).copied();
        let (mut links, mut cut) = (0, 0_u128);
        for (port, channel) in network.links() {
            let ends = [port, channel.peer].map(|port| side(vertex_of(network, graph, port)));
            if ends[0] != ends[1] && ends.iter().all(Option::is_some) {
                links += 1;
                cut += u128::from(channel.bandwidth.as_bps());
            }
        }
        let total = graph.endpoint_count();
        let first = (0..graph.vertex_count()).filter(|vertex| side(Some(*vertex)) == Some(false));
        let first: u64 = first.map(|vertex| u64::from(graph.endpoints(vertex))).sum();
        let (larger, half) = (first.max(total - first), total / 2);
        let moved = larger - (total - half);
        let each = endpoint_bandwidth(network, graph);
        (half > 0).then(|| Cut {
            links,
            moved: moved as u32,
            half: half as u32,
            per_endpoint: (cut as f64 + moved as f64 * each) / (half as f64 * each),
        })
    }
}

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    let (mut one, mut other) = (one, other);
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}
