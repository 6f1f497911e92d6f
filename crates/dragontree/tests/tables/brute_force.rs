//! Random tables: the fast ways of counting against walking every pair.

use std::collections::BTreeMap;
use std::sync::Arc;

use dragontree::analysis::{Connecting, Contending, Contention, Levels, Pairs, Rail, rails};
use dragontree::network::{Lfts, Network, Node, PortId, SwitchId, Target};
use dragontree::placement::{Keepers, Order};
use dragontree::random::Stream;
use dragontree::units::Rank;

use super::random::{distances, fabric, routes, tables, walk};

/// Orders of the endpoints: as they are, and mixed up with more empty slots.
fn orders(network: &Network, rail: &Rail, stream: &mut Stream) -> Vec<Vec<Option<PortId>>> {
    let mut mixed = rail.ports.clone();
    mixed.extend([None; 3]);
    stream.shuffle(&mut mixed);
    let ways = [
        (Order::Index, Keepers::Yes),
        (Order::Index, Keepers::No),
        (Order::Lid, Keepers::Yes),
        (Order::Lid, Keepers::No),
    ];
    let places = |(order, keepers): (Order, Keepers)| order.places(network, &rail.ports, keepers);
    let mut orders: Vec<_> = ways.into_iter().filter_map(|way| places(way).ok()).collect();
    orders.push(mixed);
    orders
}

/// Flows by channel in each stage, and flows without a route.
fn counted(
    network: &Network,
    lfts: &Lfts,
    slots: &[Option<PortId>],
) -> (Vec<BTreeMap<PortId, u32>>, u64) {
    let mut stages = Vec::new();
    let mut unrouted = 0;
    for by in 1..slots.len() {
        let mut flows = BTreeMap::new();
        for (place, source) in slots.iter().enumerate() {
            let destination = slots[(place + by) % slots.len()];
            let (Some(source), Some(destination)) = (source, destination) else { continue };
            let Some(Node::Switch(start)) = network.neighbor(*source) else { panic!("a switch") };
            match walk(network, lfts, start, network.port_target(destination)) {
                Some(path) => path.iter().for_each(|port| *flows.entry(*port).or_insert(0) += 1),
                None => unrouted += 1,
            }
        }
        stages.push(flows);
    }
    (stages, unrouted)
}

fn assert_counts(found: &Contention, stages: &[BTreeMap<PortId, u32>], unrouted: u64) {
    let most: Vec<f64> =
        stages.iter().map(|flows| f64::from(flows.values().copied().max().unwrap_or(0))).collect();
    assert_eq!(found.per_stage, most);
    assert_eq!(found.stages as usize, stages.len());
    assert_eq!(found.worst, most.iter().copied().fold(0.0, f64::max));
    let mean =
        |numbers: &mut dyn Iterator<Item = f64>| numbers.sum::<f64>() / stages.len().max(1) as f64;
    assert_eq!(found.mean, mean(&mut most.iter().copied()));
    assert_eq!(found.mean_at_least_one, mean(&mut most.iter().map(|flows| flows.max(1.0))));
    for (port, flows) in found.per_channel.iter().enumerate() {
        let port = PortId(port as u32);
        let most = stages.iter().filter_map(|stage| stage.get(&port)).max().copied();
        assert_eq!(*flows, f64::from(most.unwrap_or(0)), "{port:?}");
    }
    let all: Vec<f64> = stages.iter().map(|flows| f64::from(flows.values().sum::<u32>())).collect();
    let flows = |stage: usize| found.per_level.iter().map(|l| l.flows_per_stage[stage]).sum();
    let found_flows: Vec<f64> = (0..stages.len()).map(flows).collect();
    assert_eq!(found_flows, all);
    assert_eq!(found.unrouted, unrouted);
}

#[test]
fn shifts_are_counted_as_by_walking_every_pair() {
    let (mut contended, mut lost) = (0, 0);
    for seed in 0..400 {
        let mut stream = Stream::new(seed, "shifts", 0);
        let network = Arc::new(fabric(&mut stream));
        let lfts = tables(&network, &mut stream, 2 + (seed as u32 % 5) * 20);
        let routes = routes(&network, &lfts);
        for rail in rails(&network) {
            for slots in orders(&network, &rail, &mut stream) {
                let levels = Levels::new(&network);
                let contending = Contending::shifts(&network, &routes, levels.clone(), &slots);
                let found = contending.finish();
                let (stages, unrouted) = counted(&network, &lfts, &slots);
                assert_counts(&found, &stages, unrouted);
                contended += u32::from(found.worst > 2.0);
                lost += u32::from(unrouted > 0);

                let count = slots.len();
                let rank = |slot: usize| Rank(slot as u32);
                let shift = move |by| (0..count).map(move |s| (rank(s), rank((s + by) % count)));
                let phases = (1..count).map(move |by| shift(by).collect());
                let walked = Contending::phases(&network, &routes, levels, &slots, phases);
                assert_eq!(walked.finish(), found);
            }
        }
    }
    assert!(contended > 150 && lost > 300, "{contended} {lost}");
}

#[test]
fn small_steps_give_the_same_as_large_ones() {
    let mut stream = Stream::new(3, "steps", 0);
    let large = |network: &Network| network.switch_count() > 8 && network.endpoint_count() > 20;
    let network = std::iter::repeat_with(|| fabric(&mut stream)).find(large).unwrap();
    let network = Arc::new(network);
    let lfts = tables(&network, &mut stream, 50);
    let routes = routes(&network, &lfts);
    let rail = &rails(&network)[0];
    let slots = rail.ports.clone();
    let begin = || Contending::shifts(&network, &routes, Levels::new(&network), &slots);
    let whole = begin().finish();
    for budget in [1, 2, 7, 50] {
        let (mut contending, mut calls) = (begin(), 1);
        let found = loop {
            match contending.advance(budget) {
                Some(found) => break found,
                None => calls += 1,
            }
        };
        assert_eq!(found, whole);
        assert!(budget > 7 || calls > 20, "{calls}");
        assert!(contending.advance(budget).is_none());
    }
    let connecting = || Connecting::new(&network, &routes, rail);
    let mut slow = connecting();
    let slow = std::iter::from_fn(|| Some(slow.advance(1))).flatten().next();
    assert_eq!(slow, Some(connecting().finish()));
}

/// Pairs from every switch, as many as there are sources on it, to one destination.
fn pairs(
    network: &Network,
    lfts: &Lfts,
    to: SwitchId,
    target: Target,
    sources: impl Fn(SwitchId) -> u64,
    pairs: &mut Pairs,
) {
    let distances = distances(network, to);
    for from in network.switches() {
        let count = sources(from);
        let distance = distances[from.index()];
        pairs.total += count;
        pairs.connected += if distance.is_some() { count } else { 0 };
        let Some(path) = walk(network, lfts, from, target).filter(|_| count > 0) else { continue };
        let (hops, distance) = (path.len() as u32, distance.expect("a way"));
        pairs.routed += count;
        pairs.non_minimal += if hops > distance { count } else { 0 };
        pairs.longest = pairs.longest.max(hops);
        pairs.detour = pairs.detour.max(hops - distance);
    }
}

#[test]
fn pairs_are_connected_as_by_walking_every_one() {
    let (mut detours, mut circles) = (0, 0);
    for seed in 0..400 {
        let mut stream = Stream::new(seed, "pairs", 0);
        let network = Arc::new(fabric(&mut stream));
        let lfts = tables(&network, &mut stream, 2 + (seed as u32 % 5) * 20);
        let routes = routes(&network, &lfts);
        let rails = rails(&network);
        let rail = &rails[0];
        if rails.len() > 1 {
            continue;
        }
        let on = |switch: SwitchId| {
            let ports = rail.ports.iter().flatten();
            ports.filter(|p| network.neighbor(**p) == Some(Node::Switch(switch))).count() as u64
        };
        let mut expected = [Pairs::default(); 4];
        for to in network.switches() {
            let other = |from: SwitchId| u64::from(from != to);
            for port in rail.ports.iter().flatten() {
                if network.neighbor(*port) != Some(Node::Switch(to)) {
                    continue;
                }
                let target = network.port_target(*port);
                let from_others = |from| on(from) - (1 - other(from));
                pairs(&network, &lfts, to, target, from_others, &mut expected[0]);
                pairs(&network, &lfts, to, target, |_| 1, &mut expected[3]);
            }
            let target = network.switch_target(to);
            pairs(&network, &lfts, to, target, other, &mut expected[1]);
            pairs(&network, &lfts, to, target, on, &mut expected[2]);
        }
        let found = Connecting::new(&network, &routes, rail).finish();
        assert_eq!(found.endpoint_pairs, expected[0]);
        assert_eq!(found.switch_pairs, Some(expected[1]));
        assert_eq!(found.endpoint_to_switch, Some(expected[2]));
        assert_eq!(found.switch_to_endpoint, Some(expected[3]));
        // Where no cables lead, nothing is listed.
        let lost: u64 = expected.iter().map(|pairs| pairs.connected - pairs.routed).sum();
        if found.gap_count <= 50 {
            assert_eq!(found.gaps.iter().map(|gap| gap.sources).sum::<u64>(), lost);
            assert_eq!(found.gaps.len() as u64, found.gap_count);
        }
        detours += found.endpoint_pairs.detour;
        circles +=
            found.gaps.iter().filter(|g| g.loss == dragontree::analysis::Loss::Circles).count();
    }
    assert!(detours > 50 && circles > 50, "{detours} {circles}");
}
