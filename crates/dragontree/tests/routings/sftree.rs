use std::collections::BTreeSet;
use std::sync::Arc;

use dragontree::analysis::{Connecting, Dependencies, Ends, Verdict, rails};
use dragontree::network::{Forward, Lfts, Network, Node, PortId, Structure, SwitchId, Target};
use dragontree::random::Stream;
use dragontree::routing::{Ftree, Layers, Routes, Routing, SFtree, Tables};
use dragontree::topology::{Attach, Build, MultiCore};

use crate::fabrics::*;
use crate::ftree::{broken, imported, multi_core, random_tree};

fn routes(network: &Arc<Network>, lfts: &Lfts) -> Arc<Routes> {
    let tables = Tables::new(network.clone(), lfts.clone(), Layers::One);
    Arc::new(Routes::Tables(Box::new(tables)))
}

fn check_acyclic(network: &Arc<Network>, lfts: &Lfts) {
    let routes = routes(network, lfts);
    for ends in [Ends::ENDPOINTS, Ends::SWITCHES, Ends::BOTH] {
        let found = Dependencies::new(network, &routes, ends, ends).finish();
        assert!(matches!(found.verdict, Verdict::Acyclic(_)), "{ends:?}");
    }
}

/// The level of a switch as the network tells it.
fn level(network: &Network, switch: SwitchId) -> u32 {
    match network.structure() {
        Structure::Tree(tree) => tree.level(switch),
        Structure::Layered(layered) => layered.layer(switch) + 1,
        _ => panic!("levels"),
    }
}

fn next(network: &Network, lfts: &Lfts, at: SwitchId, target: Target) -> Option<SwitchId> {
    match network.neighbor(lfts.port(network, at, target)?) {
        Some(Node::Switch(next)) => Some(next),
        _ => None,
    }
}

/// The switches that something reaches from above or from beside and leaves upward.
fn turns(network: &Network, lfts: &Lfts) -> BTreeSet<SwitchId> {
    let mut found = BTreeSet::new();
    for target in network.targets() {
        for switch in network.switches() {
            let Some(at) = next(network, lfts, switch, target) else { continue };
            let Some(after) = next(network, lfts, at, target) else { continue };
            let [before, here, after] = [switch, at, after].map(|each| level(network, each));
            if before >= here && after > here {
                found.insert(at);
            }
        }
    }
    found
}

fn above(network: &Network, starts: &[SwitchId]) -> BTreeSet<SwitchId> {
    let mut found: BTreeSet<SwitchId> = starts.iter().copied().collect();
    let mut queue = starts.to_vec();
    while let Some(switch) = queue.pop() {
        for other in neighbors(network, switch) {
            if level(network, other) > level(network, switch) && found.insert(other) {
                queue.push(other);
            }
        }
    }
    found
}

/// Ordered pairs of a source and a switch that cables join and the tables do not.
fn missing(network: &Network, lfts: &Lfts, with_endpoints: bool) -> u64 {
    let mut missing = 0;
    for switch in network.switches() {
        let endpoints = network.ports(Node::Switch(switch)).map(PortId);
        let endpoints = endpoints
            .filter(|port| matches!(network.neighbor(*port), Some(Node::Endpoint(_))))
            .count() as u64;
        let sources = if with_endpoints { 1 + endpoints } else { 1 };
        for to in distances(network, &[switch]).keys() {
            if way(network, lfts, switch, network.switch_target(*to)).is_none() {
                missing += sources;
            }
        }
    }
    missing
}

/// Every entry of fat-tree routing stays as it is.
fn check_kept(network: &Network, before: &Lfts, after: &Lfts) {
    for target in network.targets() {
        for switch in network.switches() {
            let entry = before.get(switch, target);
            assert!(entry == Forward::Nowhere || entry == after.get(switch, target));
        }
    }
}

/// Pairs that fat-tree routing leaves out and where packets turn up, counted by a program of its
/// own. The last network has four pairs of leaf switches below two cores of two switches each.
#[test]
fn switches_reach_each_other_by_one_subtree() {
    let two_cores = MultiCore {
        pairs: 4,
        hosts: 2,
        cores: 4,
        core_radix: 4,
        core_levels: 1,
        uplinks: 1,
        horizontal: 1,
        attach: Attach::Split,
    };
    let two_cores = Arc::new(two_cores.build(&LINKS).expect("two cores"));
    for (network, before, turning) in [
        (tree(&[2, 2, 2], &[1, 2, 2], &[1]), 36, vec![0, 4, 5]),
        (tree(&[4, 4, 4], &[1, 4, 4], &[1]), 816, vec![0, 16, 17, 18, 19]),
        (tree(&[18, 36], &[1, 18], &[1]), 306, vec![0]),
        (tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]), 76, vec![0, 8, 9]),
        (two_cores, 60, vec![0, 1]),
    ] {
        let [ftree, sftree] =
            [Routing::from(Ftree::default()), SFtree::default().into()].map(|r| lfts(&network, r));
        let with_endpoints = matches!(network.structure(), Structure::Layered(_));
        assert_eq!(missing(&network, &ftree, with_endpoints), before);
        assert_eq!(missing(&network, &sftree, true), 0);
        check_acyclic(&network, &sftree);
        check_kept(&network, &ftree, &sftree);
        let turning: Vec<SwitchId> = turning.into_iter().map(SwitchId).collect();
        assert_eq!(turns(&network, &sftree).into_iter().collect::<Vec<_>>(), turning);
    }
}

/// sFtree 2012, §4.2: the longest of all ways between the twelve switches takes six links.
#[test]
fn ways_take_at_most_the_height_of_the_tree_more() {
    let network = tree(&[2, 2, 2], &[1, 2, 2], &[1]);
    let tables = lfts(&network, SFtree::default());
    let lengths = ways(&network, &tables, |_, _| true).into_iter().map(|way| way.len());
    assert_eq!(lengths.max(), Some(6));
}

#[test]
fn the_subnet_managers_leaf_is_spared() {
    let network = tree(&[4, 4, 4], &[1, 4, 4], &[1]);
    let turning = |manager| turns(&network, &lfts(&network, SFtree { manager }));
    assert!(turning(Some(3)).contains(&SwitchId(1)) && !turning(Some(3)).contains(&SwitchId(0)));
    assert!(turning(Some(4)).contains(&SwitchId(0)));
    let routing = Routing::from(SFtree { manager: Some(64) });
    let problems = routing.role().find(&network, 1).err().expect("there are 64 endpoints");
    assert_eq!(
        problems[0].to_string(),
        "manager: “64” was given; the network has 64 endpoints, allowed: 0 to 63"
    );
}

fn check_large(network: &Arc<Network>, roots: &[SwitchId]) {
    let [ftree, sftree] =
        [Routing::from(Ftree::default()), SFtree::default().into()].map(|r| lfts(network, r));
    check_kept(network, &ftree, &sftree);
    let routes = routes(network, &sftree);
    let found = Dependencies::new(network, &routes, Ends::BOTH, Ends::BOTH).finish();
    assert!(matches!(found.verdict, Verdict::Acyclic(_)) && found.unroutable == 0);
    let found = Connecting::new(network, &routes, &rails(network)[0]).finish();
    assert_eq!(found.gap_count, 0);
    let turns = turns(network, &sftree);
    assert!(!turns.is_empty() && turns.is_subset(&above(network, roots)));
}

fn system(pairs: u32, cores: u32, uplinks: u32, attach: Attach) -> MultiCore {
    let (core_radix, core_levels, horizontal) = match cores {
        2 => (24, 3, 0),
        _ => (36, 2, 12),
    };
    MultiCore { pairs, hosts: 12, cores, core_radix, core_levels, uplinks, horizontal, attach }
}

/// The systems of sFtree 2012, §7.2.3 and §7.3.
#[test]
fn large_systems_are_joined_without_deadlock() {
    check_large(&tree(&[18, 36], &[1, 18], &[1]), &[SwitchId(0)]);
    check_large(&tree(&[12, 12, 24], &[1, 12, 12], &[1]), &[SwitchId(0)]);
    for part in [
        system(27, 1, 12, Attach::All),
        system(216, 8, 3, Attach::Split),
        system(288, 2, 6, Attach::All),
    ] {
        let network = Arc::new(part.build(&LINKS).expect("a system"));
        check_large(&network, &[SwitchId(0), SwitchId(1)]);
    }
}

#[test]
fn whole_trees_are_joined_and_broken_ones_never_deadlock() {
    let mut stream = Stream::new(13, "broken trees", 0);
    let (mut before, mut after) = (0, 0);
    let mut count = |network: &Arc<Network>| {
        if Routing::from(SFtree::default()).role().fits(network).is_err() {
            return;
        }
        let [ftree, sftree] =
            [Routing::from(Ftree::default()), SFtree::default().into()].map(|r| lfts(network, r));
        check_kept(network, &ftree, &sftree);
        check_acyclic(network, &sftree);
        before += missing(network, &ftree, false);
        after += missing(network, &sftree, false);
    };
    for round in 0..120 {
        let (whole, is_sound) = match round % 3 {
            0 => {
                let part = multi_core(&mut stream);
                // Else every leaf switch has several parents in a core, all below the same roots.
                let is_sound = part.core_levels == 1 || part.uplinks <= part.core_radix / 2;
                (Arc::new(part.build(&LINKS).expect("several cores")), is_sound)
            }
            _ => (random_tree(&mut stream), true),
        };
        let tables = lfts(&whole, SFtree::default());
        assert!(missing(&whole, &tables, true) == 0 || !is_sound);
        check_acyclic(&whole, &tables);
        if is_sound {
            let network = broken(&whole, &mut stream, round % 7, round % 2);
            count(&network);
            count(&imported(&network));
        }
    }
    assert!(after * 10 < before, "{after} of {before}");
}
