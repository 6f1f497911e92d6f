//! Rails: the ports by which endpoints take part in a fabric, one port of each endpoint at a time.

use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::routing::Routes;
use crate::sorting::sort_by_number;

/// One port of each endpoint, and the switches that can be meant by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rail {
    /// For each endpoint its port on the rail; none where it has no cabled one.
    pub ports: Vec<Option<PortId>>,
    /// The rail's switches, in ascending order.
    pub switches: Vec<SwitchId>,
}

/// The rails of a fabric, at least one.
///
/// Switches that are joined by links form an island. Where endpoints have one cabled port each,
/// there is one rail, whatever the islands. Where they have several, islands that share an
/// endpoint are on different rails, and an island on which an endpoint has several ports takes
/// as many rails; each island, the one with the most endpoint ports first, takes the first rails
/// that are free.
pub fn rails(network: &Network) -> Vec<Rail> {
    let mut islands = islands(network);
    sort_by_number(&mut islands, |island| !(island.ports.len() as u128));
    let slots = network.endpoint_count() as usize;
    let empty = Rail { ports: vec![None; slots], switches: Vec::new() };
    let mut rails = vec![empty.clone()];
    // For each rail the endpoints that are on one of its islands, by whatever port.
    let mut taken = vec![vec![false; slots]];
    for Island { switches, ports } in islands {
        let free = |taken: &Vec<bool>| ports.iter().all(|(endpoint, ..)| !taken[endpoint.index()]);
        let count = ports.iter().map(|(_, nth, _)| nth + 1).max().unwrap_or(1);
        let fits = |first: &usize| taken.iter().skip(*first).take(count).all(free);
        let first = (0..taken.len()).find(fits).unwrap_or(taken.len());
        rails.resize(rails.len().max(first + count), empty.clone());
        taken.resize(rails.len(), vec![false; slots]);
        for (endpoint, nth, port) in ports {
            rails[first + nth].ports[endpoint.index()] = Some(port);
            taken[first..first + count].iter_mut().for_each(|rail| rail[endpoint.index()] = true);
        }
        for rail in &mut rails[first..first + count] {
            rail.switches.extend(&switches);
        }
    }
    rails.iter_mut().for_each(|rail| rail.switches.sort_unstable());
    rails
}

/// The rails on which routes lead: all where they are tables. Other routes begin at the first port
/// of an endpoint and lead to that of another, so that there is one; those that name the ports of
/// messages are counted with their messages.
pub fn rails_of(network: &Network, routes: &Routes) -> Vec<Rail> {
    match routes {
        Routes::Tables(_) => rails(network),
        Routes::Oblivious(_) => vec![Rail {
            ports: network.endpoints().map(|endpoint| network.injection(endpoint)).collect(),
            switches: network.switches().collect(),
        }],
    }
}

/// Joined switches.
#[derive(Default)]
struct Island {
    switches: Vec<SwitchId>,
    /// The endpoint ports on them: the endpoint, how many of its ports here come before, and the
    /// port.
    ports: Vec<(EndpointId, usize, PortId)>,
}

fn islands(network: &Network) -> Vec<Island> {
    let mut islands: Vec<Island> = Vec::new();
    let mut island_of = vec![None; network.switch_count() as usize];
    for start in network.switches() {
        if island_of[start.index()].is_some() {
            continue;
        }
        let mut switches = vec![start];
        island_of[start.index()] = Some(islands.len());
        let mut seen = 0;
        while let Some(switch) = switches.get(seen).copied() {
            for port in network.ports(Node::Switch(switch)).map(PortId) {
                let Some(Node::Switch(next)) = network.neighbor(port) else { continue };
                if island_of[next.index()].is_none() {
                    island_of[next.index()] = Some(islands.len());
                    switches.push(next);
                }
            }
            seen += 1;
        }
        islands.push(Island { switches, ports: Vec::new() });
    }
    for endpoint in network.endpoints() {
        for port in network.ports(Node::Endpoint(endpoint)).map(PortId) {
            let Some(Node::Switch(switch)) = network.neighbor(port) else { continue };
            let Some(island) = island_of[switch.index()] else { continue };
            let ports = &mut islands[island].ports;
            let nth = ports.iter().rev().take_while(|(other, _, _)| *other == endpoint).count();
            ports.push((endpoint, nth, port));
        }
    }
    islands
}
