//! Networks for the tests, and what is found in them by walking every way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use dragontree::network::{
    Builder, EndpointId, Forward, Lfts, LinkClass, Links, Network, Node, PortId, Structure,
    SwitchId, Target,
};
use dragontree::random::Stream;
use dragontree::routing::{Routes, Routing};
use dragontree::topology::{Build, Xgft};
use dragontree::units::{Bandwidth, Time};

pub const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

/// Switches with so many endpoints each, whose ports come first, and links between them.
pub fn fabric(endpoints: &[u32], links: &[(u32, u32)], structure: Structure) -> Arc<Network> {
    let mut next = endpoints.to_vec();
    let mut ports = next.clone();
    for (one, other) in links {
        ports[*one as usize] += 1;
        ports[*other as usize] += 1;
    }
    let mut builder = Builder::new(&LINKS);
    for ports in &ports {
        builder.switch(*ports);
    }
    for (switch, count) in (0..).map(SwitchId).zip(endpoints) {
        for port in 0..*count {
            let endpoint = Node::Endpoint(builder.endpoint(1));
            builder.link((endpoint, 0), (Node::Switch(switch), port), LinkClass::Endpoint);
        }
    }
    let mut port = |switch: u32| {
        next[switch as usize] += 1;
        (Node::Switch(SwitchId(switch)), next[switch as usize] - 1)
    };
    for (one, other) in links {
        let ends = (port(*one), port(*other));
        builder.link(ends.0, ends.1, LinkClass::Switch);
    }
    Arc::new(builder.finish(structure).expect("ports enough"))
}

/// A random connected network of switches with up to two endpoints each.
pub fn irregular(seed: u64, switches: u32, more_links: u32) -> Arc<Network> {
    let mut stream = Stream::new(seed, "irregular networks", 0);
    let mut links: Vec<(u32, u32)> =
        (1..switches).map(|switch| (switch, stream.below(switch))).collect();
    while links.len() < (switches - 1 + more_links) as usize {
        let (one, other) = (stream.below(switches), stream.below(switches));
        if one != other {
            links.push((one, other));
        }
    }
    let endpoints: Vec<u32> = (0..switches).map(|_| stream.below(3)).collect();
    fabric(&endpoints, &links, Structure::Irregular)
}

pub fn tree(children: &[u32], parents: &[u32], parallel: &[u32]) -> Arc<Network> {
    let [children, parents, parallel] = [children, parents, parallel].map(<[u32]>::to_vec);
    let tree = Xgft { children, parents, parallel, ..Xgft::default() };
    Arc::new(tree.build(&LINKS).expect("a tree"))
}

pub fn lfts(network: &Arc<Network>, routing: impl Into<Routing>) -> Lfts {
    match routing.into().role().find(network, 1) {
        Ok(Routes::Tables(tables)) => tables.lfts().clone(),
        Ok(Routes::Oblivious(_)) => panic!("no tables"),
        Err(problems) => panic!("{problems:?}"),
    }
}

/// The switches that a switch has links to.
pub fn neighbors(network: &Network, switch: SwitchId) -> Vec<SwitchId> {
    let ports = network.ports(Node::Switch(switch)).map(PortId);
    let neighbor = |port| match network.neighbor(port) {
        Some(Node::Switch(other)) => Some(other),
        _ => None,
    };
    ports.filter_map(neighbor).collect()
}

/// Numbers of links from some switches to all others.
pub fn distances(network: &Network, from: &[SwitchId]) -> BTreeMap<SwitchId, u32> {
    let mut distances: BTreeMap<SwitchId, u32> = from.iter().map(|switch| (*switch, 0)).collect();
    let mut queue: VecDeque<SwitchId> = from.iter().copied().collect();
    while let Some(switch) = queue.pop_front() {
        for other in neighbors(network, switch) {
            if !distances.contains_key(&other) {
                distances.insert(other, distances[&switch] + 1);
                queue.push_back(other);
            }
        }
    }
    distances
}

/// The switch of a destination, its own or the one that its endpoint hangs on; none where it has
/// no cable.
pub fn switch_of(network: &Network, target: Target) -> Option<SwitchId> {
    match network.target(target) {
        (Node::Switch(switch), _) => Some(switch),
        (_, port) => match network.neighbor(port?)? {
            Node::Switch(switch) => Some(switch),
            Node::Endpoint(_) => None,
        },
    }
}

/// The channels between switches on the way to a destination; none where there is no way.
pub fn way(network: &Network, lfts: &Lfts, from: SwitchId, target: Target) -> Option<Vec<PortId>> {
    let mut at = from;
    let mut way = Vec::new();
    loop {
        match (lfts.get(at, target), network.target(target)) {
            (Forward::Here, (Node::Switch(switch), _)) if switch == at => return Some(way),
            (Forward::Here | Forward::Nowhere, _) => return None,
            (Forward::Port(_), (_, end)) => {
                let port = lfts.port(network, at, target)?;
                match network.neighbor(port)? {
                    Node::Switch(next) => at = next,
                    Node::Endpoint(_) => {
                        assert_eq!(network.peer(port), end, "it is delivered to another one");
                        return Some(way);
                    }
                }
                way.push(port);
            }
        }
        assert!(way.len() <= network.switch_count() as usize, "the tables lead in a circle");
    }
}

/// All ways between switches and destinations that are kept.
pub fn ways(
    network: &Network,
    lfts: &Lfts,
    keep: impl Fn(SwitchId, Target) -> bool,
) -> Vec<Vec<PortId>> {
    let pairs = network.targets().flat_map(|target| network.switches().map(move |s| (s, target)));
    let kept = pairs.filter(|(switch, target)| keep(*switch, *target));
    kept.filter_map(|(switch, target)| way(network, lfts, switch, target)).collect()
}

/// Whether packets that hold one step of a way while they wait for the next can wait in a circle.
pub fn can_deadlock<S: Copy + Ord>(ways: &[Vec<S>]) -> bool {
    let mut after: BTreeMap<S, BTreeSet<S>> = BTreeMap::new();
    for way in ways {
        for step in way {
            after.entry(*step).or_default();
        }
        for pair in way.windows(2) {
            after.entry(pair[0]).or_default().insert(pair[1]);
        }
    }
    // Steps that nothing has to wait for are taken away until no more are.
    loop {
        let free: Vec<S> = after
            .iter()
            .filter(|(_, next)| next.iter().all(|step| !after.contains_key(step)))
            .map(|(step, _)| *step)
            .collect();
        if free.is_empty() {
            return !after.is_empty();
        }
        for step in free {
            after.remove(&step);
        }
    }
}

pub fn endpoint(number: u32) -> EndpointId {
    EndpointId(number)
}
