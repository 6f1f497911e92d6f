use std::collections::BTreeMap;
use std::sync::Arc;

use dragontree::analysis::{Step, paths};
use dragontree::network::{EndpointId, Failures, Network, Node, PortId, Structure};
use dragontree::random::Stream;
use dragontree::routing::{
    DModK, DynamicRandom, Oblivious, Pair, Queues, Routes, Routing, SModK, StaticRandom,
};
use dragontree::units::Bytes;

use crate::fabrics::*;

fn routes(network: &Arc<Network>, routing: impl Into<Routing>, seed: u64) -> Box<dyn Oblivious> {
    match routing.into().role().find(network, seed) {
        Ok(Routes::Oblivious(routes)) => routes,
        _ => panic!("a tree"),
    }
}

fn pair(source: u32, destination: u32) -> Pair {
    Pair { source: EndpointId(source), destination: EndpointId(destination) }
}

fn pairs(network: &Network) -> Vec<Pair> {
    let count = network.endpoint_count();
    let all = (0..count).flat_map(|source| (0..count).map(move |to| pair(source, to)));
    all.filter(|pair| pair.source != pair.destination).collect()
}

fn ports(path: &[Step]) -> Vec<PortId> {
    path.iter().map(|step| step.port).collect()
}

/// The ways of a pair with their probabilities; none where one of them leads nowhere.
fn ways(network: &Network, routes: &dyn Oblivious, pair: Pair) -> Option<Vec<(Vec<PortId>, f64)>> {
    let mut found = Vec::new();
    let walked = paths(network, routes, pair, &mut |path, probability| {
        found.push((ports(path), probability));
    });
    walked.ok().map(|()| found)
}

fn trees() -> Vec<Arc<Network>> {
    vec![
        tree(&[4, 4, 4], &[1, 4, 4], &[1]),
        tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]),
        tree(&[4, 4], &[1, 2], &[1, 2]),
        tree(&[2, 2, 2, 3], &[1, 2, 1, 2], &[1, 4, 2, 3]),
        tree(&[3, 5], &[1, 2], &[1, 3]),
    ]
}

#[test]
fn s_mod_k_is_d_mod_k_backwards() {
    for network in trees() {
        let [ours, other] = [Routing::from(SModK), DModK.into()].map(|r| routes(&network, r, 1));
        for pair in pairs(&network) {
            let back = Pair { source: pair.destination, destination: pair.source };
            let mut theirs = ways(&network, other.as_ref(), back).expect("a way").remove(0).0;
            theirs.reverse();
            let theirs = theirs.iter().map(|port| network.peer(*port).expect("a cable")).collect();
            assert_eq!(ways(&network, ours.as_ref(), pair), Some(vec![(theirs, 1.0)]));
        }
    }
}

/// As for D-mod-K: on trees of full bisection every shift has every channel to itself.
#[test]
fn no_shift_contends_under_s_mod_k() {
    for network in [
        tree(&[2, 2, 2, 2], &[1, 2, 2, 2], &[1]),
        tree(&[4, 4, 4], &[1, 4, 4], &[1]),
        tree(&[4, 4], &[1, 2], &[1, 2]),
        tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]),
        tree(&[4, 4, 3], &[1, 4, 4], &[1]),
        tree(&[9, 9, 3], &[1, 9, 9], &[1]),
    ] {
        let routes = routes(&network, SModK, 1);
        let count = network.endpoint_count();
        for by in 1..count {
            let mut used = vec![false; network.port_count() as usize];
            for source in 0..count {
                let found = ways(&network, routes.as_ref(), pair(source, (source + by) % count));
                for port in &found.expect("a way")[0].0 {
                    assert!(!std::mem::replace(&mut used[port.index()], true), "{by}");
                }
            }
        }
    }
}

/// How many ways up there are to the level where a pair meets.
fn count_of_ways(network: &Network, pair: Pair) -> usize {
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    let meet =
        |level: &u32| tree.subtree(*level, pair.source) == tree.subtree(*level, pair.destination);
    let meeting = (1..=tree.levels()).find(meet).expect("the roots");
    // With four levels the parallel links in the middle follow from the others.
    let counted = |level: &u32| *level == 2 || *level == meeting;
    let links: u32 = (2..=meeting).filter(counted).map(|level| tree.parallel(level)).product();
    let parents: u32 = (2..=meeting).map(|level| tree.parents(level)).product();
    (links * parents) as usize
}

#[test]
fn dynamic_random_takes_every_way_up_as_often_and_every_link_too() {
    for network in trees() {
        let routes = routes(&network, DynamicRandom, 1);
        let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
        for pair in pairs(&network) {
            let mut found = ways(&network, routes.as_ref(), pair).expect("ways");
            let count = count_of_ways(&network, pair);
            assert_eq!(found.len(), count);
            let mut load: BTreeMap<PortId, f64> = BTreeMap::new();
            for (way, probability) in &found {
                assert!((probability * count as f64 - 1.0).abs() < 1e-12);
                assert_eq!(way.len(), found[0].0.len(), "all are as short");
                way.iter().for_each(|port| *load.entry(*port).or_default() += probability);
            }
            // Every port upward of the switches on the way has its share.
            for (port, share) in &load {
                let Node::Switch(switch) = network.owner(*port) else { continue };
                let level = tree.level(switch);
                if tree.is_above(switch, pair.destination) {
                    continue;
                }
                let spread: u32 = (2..=level).map(|below| tree.parents(below)).product();
                let expected = 1.0 / f64::from(spread * tree.up_ports(level));
                assert!((share - expected).abs() < 1e-9, "{share} for {expected}");
            }
            found.sort_by(|one, other| one.0.cmp(&other.0));
            found.dedup_by(|one, other| one.0 == other.0);
            assert_eq!(found.len(), count, "all differ");
        }
    }
}

#[test]
fn parallel_links_that_two_waypoints_cannot_tell_are_refused() {
    let network = tree(&[2, 2, 2, 2], &[1, 2, 2, 2], &[1, 2, 4, 2]);
    let needs = Routing::from(DynamicRandom).role().routes(&network).err().expect("a refusal");
    assert!(needs.to_string().contains("as many parallel links as above the leaves"));
}

struct Idle;

impl Queues for Idle {
    fn queued(&self, _port: PortId) -> Bytes {
        Bytes(0)
    }

    fn capacity(&self) -> Bytes {
        Bytes(0)
    }
}

/// A tree with a broken link, leaf, and root.
fn broken() -> Arc<Network> {
    let whole = tree(&[4, 4, 2], &[1, 4, 2], &[1, 1, 2]);
    let Structure::Tree(tree) = whole.structure() else { panic!("a tree") };
    let failures = Failures {
        links: vec![PortId(whole.ports(Node::Switch(tree.switch(2, 1))).start + 1)],
        switches: vec![tree.switch(3, 5), tree.switch(1, 6)],
        endpoints: vec![endpoint(9)],
    };
    Arc::new(whole.without(&failures))
}

#[test]
fn dynamic_random_draws_what_it_shows_and_nothing_broken() {
    let mut networks = trees();
    networks.push(broken());
    for network in networks {
        let routes = routes(&network, DynamicRandom, 1);
        let mut stream = Stream::new(3, "draws", 0);
        for pair in pairs(&network).into_iter().step_by(7) {
            let live = |end| network.injection(end).is_some();
            let found = ways(&network, routes.as_ref(), pair);
            if !live(pair.source) || !live(pair.destination) {
                assert_eq!(found, None);
                continue;
            }
            let count = found.expect("ways around what is broken").len();
            let mut choices = Vec::new();
            routes.choices(pair, &mut |waypoints, probability| {
                assert!((probability * count as f64 - 1.0).abs() < 1e-12);
                choices.push((waypoints, 0));
            });
            let draws = 200 * count;
            for _ in 0..draws {
                let drawn = routes.inject(pair, &mut stream, &Idle);
                let place = choices.iter_mut().find(|(waypoints, _)| *waypoints == drawn);
                place.expect("one that is shown").1 += 1;
            }
            for (_, times) in choices {
                // Mean 200 and a standard deviation of at most 14.2.
                assert!((115..=285).contains(&times), "{times}");
            }
        }
    }
}

#[test]
fn static_random_keeps_its_ways_and_follows_its_seed() {
    let network = tree(&[4, 4, 8], &[1, 4, 4], &[1, 1, 2]);
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    let seeded = |own, run| {
        let routes = routes(&network, StaticRandom { seed: own }, run);
        let way = |pair| ways(&network, routes.as_ref(), pair).expect("a way").remove(0).0;
        pairs(&network).into_iter().map(way).collect::<Vec<_>>()
    };
    let [first, again, other] = [seeded(None, 1), seeded(Some(1), 2), seeded(None, 2)];
    assert_eq!(first, again);
    let same = first.iter().zip(&other).filter(|(one, other)| one == other).count();
    assert!(same < first.len() / 8, "{same} of {}", first.len());
    let is_followed = |seed| Routing::from(StaticRandom { seed }).role().follows_seed();
    assert!(is_followed(None) && !is_followed(Some(1)));
    // Of the pairs that climb two levels, about as many take each of the 4·8 ways.
    let mut times: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut climbing = 0;
    for way in first.iter().filter(|way| way.len() == 6) {
        climbing += 1;
        let number = |place: usize| network.number(way[place]);
        *times
            .entry((number(1) - tree.down_ports(1), number(2) - tree.down_ports(2)))
            .or_default() += 1;
    }
    assert_eq!((times.len(), climbing), (32, 128 * 112));
    let mean = climbing / 32;
    assert!(times.values().all(|times| times.abs_diff(mean) < mean / 4), "{times:?}");
}
