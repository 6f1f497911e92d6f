//! Random fabrics with random tables, sound or not.

use std::sync::Arc;

use dragontree::network::{
    Builder, Forward, Lfts, LinkClass, Links, Network, Node, PortId, Structure, SwitchId, Target,
};
use dragontree::random::Stream;
use dragontree::routing::{Layers, Routes, Tables};
use dragontree::units::{Bandwidth, Time};

pub const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

/// Some switches joined at random, by parallel links too, and endpoints of which some have no
/// link and some two.
pub fn fabric(stream: &mut Stream) -> Network {
    const PORTS: u32 = 16;
    let switches = 1 + stream.below(12);
    let endpoints = 1 + stream.below(30);
    let mut builder = Builder::new(&LINKS);
    let ids: Vec<SwitchId> = (0..switches).map(|_| builder.switch(PORTS)).collect();
    let slots: Vec<_> = (0..endpoints).map(|_| builder.endpoint(1 + stream.below(2))).collect();
    let mut free = vec![0; switches as usize];
    let mut take = |switch: u32| {
        let next = &mut free[switch as usize];
        *next += 1;
        (*next <= PORTS).then(|| *next - 1)
    };
    for endpoint in slots {
        let cables = stream.below(3).min(1 + stream.below(2));
        for number in 0..cables {
            let switch = stream.below(switches);
            let Some(port) = take(switch) else { continue };
            let here = (Node::Endpoint(endpoint), number);
            builder.link((Node::Switch(ids[switch as usize]), port), here, LinkClass::Endpoint);
        }
    }
    for _ in 0..stream.below(3 * switches + 1) {
        let ends = [stream.below(switches), stream.below(switches)];
        if ends[0] == ends[1] {
            continue;
        }
        let (Some(one), Some(other)) = (take(ends[0]), take(ends[1])) else { continue };
        let [from, to] = ends.map(|switch| Node::Switch(ids[switch as usize]));
        builder.link((from, one), (to, other), LinkClass::Switch);
    }
    // Endpoints whose second port does not exist have lost a cable; that is an error here.
    builder.finish(Structure::Irregular).unwrap_or_else(|_| fabric(stream))
}

/// The distance of every switch from one of them.
pub fn distances(network: &Network, from: SwitchId) -> Vec<Option<u32>> {
    let mut distances = vec![None; network.switch_count() as usize];
    distances[from.index()] = Some(0);
    for round in 0..network.switch_count() {
        for switch in network.switches() {
            if distances[switch.index()] != Some(round) {
                continue;
            }
            for port in network.ports(Node::Switch(switch)).map(PortId) {
                if let Some(Node::Switch(next)) = network.neighbor(port) {
                    distances[next.index()].get_or_insert(round + 1);
                }
            }
        }
    }
    distances
}

/// To each destination a random tree of routes, in which one entry in `one_in` is replaced by
/// anything.
pub fn tables(network: &Network, stream: &mut Stream, one_in: u32) -> Lfts {
    let mut lfts = Lfts::new(network);
    for target in network.targets() {
        let (node, port) = network.target(target);
        let exit = port.and_then(|port| network.peer(port));
        let last = match (node, exit.map(|exit| network.owner(exit))) {
            (Node::Switch(switch), _) | (_, Some(Node::Switch(switch))) => switch,
            _ => continue,
        };
        if let Some(exit) = exit {
            lfts.set(last, target, Forward::Port(network.number(exit)));
        }
        for port in tree(network, last, stream) {
            let Node::Switch(switch) = network.owner(port) else { panic!("a switch") };
            lfts.set(switch, target, Forward::Port(network.number(port)));
        }
        for switch in network.switches() {
            if stream.below(one_in) == 0 {
                lfts.set(switch, target, anything(stream));
            }
        }
    }
    lfts
}

/// For every switch that can reach the root the port that it takes, in a tree that grows at
/// random.
fn tree(network: &Network, root: SwitchId, stream: &mut Stream) -> Vec<PortId> {
    let mut inside = vec![false; network.switch_count() as usize];
    let mut tree = Vec::new();
    let mut edge = Vec::new();
    let mut latest = root;
    loop {
        inside[latest.index()] = true;
        for port in network.ports(Node::Switch(latest)).map(PortId) {
            edge.extend(network.peer(port));
        }
        let outside = |port: &PortId| match network.owner(*port) {
            Node::Switch(switch) => !inside[switch.index()],
            Node::Endpoint(_) => false,
        };
        edge.retain(outside);
        if edge.is_empty() {
            return tree;
        }
        let port = edge[stream.below(edge.len() as u32) as usize];
        let Node::Switch(switch) = network.owner(port) else { panic!("a switch") };
        tree.push(port);
        latest = switch;
    }
}

fn anything(stream: &mut Stream) -> Forward {
    match stream.below(15) {
        0 => Forward::Nowhere,
        1 => Forward::Here,
        number => Forward::Port(number - 2),
    }
}

/// The tables as routes.
pub fn routes(network: &Arc<Network>, lfts: &Lfts) -> Arc<Routes> {
    let tables = Tables::new(network.clone(), lfts.clone(), Layers::One);
    Arc::new(Routes::Tables(Box::new(tables)))
}

/// The channels between switches on the way from a switch to a destination, walked step by step;
/// none when it is not reached.
pub fn walk(
    network: &Network,
    lfts: &Lfts,
    start: SwitchId,
    target: Target,
) -> Option<Vec<PortId>> {
    let (node, port) = network.target(target);
    let mut path = Vec::new();
    let mut at = start;
    while path.len() <= network.switch_count() as usize {
        match lfts.get(at, target) {
            Forward::Nowhere => return None,
            Forward::Here => return (node == Node::Switch(at)).then_some(path),
            Forward::Port(number) => {
                if number >= network.ports(Node::Switch(at)).len() as u32 {
                    return None;
                }
                let output = network.port(at, number);
                match network.neighbor(output)? {
                    Node::Switch(next) => {
                        path.push(output);
                        at = next;
                    }
                    Node::Endpoint(_) => {
                        return (port == network.peer(output)).then_some(path);
                    }
                }
            }
        }
    }
    None
}
