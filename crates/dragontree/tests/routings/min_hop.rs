use std::sync::Arc;

use dragontree::interchange::{self, Source, ibnetdiscover};
use dragontree::network::{Builder, Failures, Forward, Network, Node, PortId, Structure, SwitchId};
use dragontree::routing::{DownUp, MinHop, Routing, UpDown};

use crate::fabrics::*;

/// Every way is as short as can be, and there is one wherever two switches are joined.
fn is_shortest(network: &Arc<Network>) {
    let tables = lfts(network, MinHop);
    for target in network.targets() {
        let Some(last) = switch_of(network, target) else {
            let nowhere = |switch| tables.get(switch, target) == Forward::Nowhere;
            assert!(network.switches().all(nowhere), "it has no cable");
            continue;
        };
        let distances = distances(network, &[last]);
        for switch in network.switches() {
            let links = way(network, &tables, switch, target).map(|way| way.len() as u32);
            assert_eq!(links, distances.get(&switch).copied(), "{switch:?} to {target:?}");
        }
    }
}

#[test]
fn ways_are_shortest_on_networks_of_every_shape() {
    for seed in 0..20 {
        is_shortest(&irregular(seed, 12, (seed % 4) as u32 * 5));
    }
    is_shortest(&tree(&[3, 2, 4], &[1, 2, 3], &[1, 2, 1]));
    is_shortest(&fabric(&[2, 1], &[], Structure::Irregular));
    is_shortest(&fabric(&[], &[], Structure::Irregular));
}

#[test]
fn what_remains_of_a_broken_tree_is_routed() {
    let whole = tree(&[4, 4, 2], &[1, 4, 2], &[1]);
    let Structure::Tree(tree) = whole.structure() else { panic!("a tree") };
    let (leaf, root) = (tree.switch(1, 3), tree.switch(3, 0));
    let cut_off = tree.switch(1, 6);
    let mut failures = Failures {
        switches: vec![root, leaf],
        endpoints: vec![endpoint(1)],
        links: vec![PortId(whole.ports(Node::Switch(tree.switch(2, 1))).start)],
    };
    // A leaf without its links upward keeps its own endpoints.
    failures.links.extend(whole.ports(Node::Switch(cut_off)).skip(4).map(PortId));
    let broken = Arc::new(whole.without(&failures));
    is_shortest(&broken);
    let tables = lfts(&broken, DownUp);
    let own = broken.endpoint_target(endpoint(24)).expect("a cable");
    assert_eq!(tables.get(cut_off, own), Forward::Port(0));
    assert_eq!(tables.get(SwitchId(0), own), Forward::Nowhere);
}

/// With switches as sources and destinations, MinHop can deadlock on trees of three levels or more
/// (Bogdański et al. 2012, §3.1), and so can OpenSM's own tables of such fabrics. On two levels
/// packets turn up again at one leaf only, the lowest, as in OpenSM's tables of 648 hosts.
#[test]
fn ways_between_switches_can_deadlock() {
    let trees = [
        (tree(&[2, 2, 2], &[1, 2, 2], &[1]), true),
        (tree(&[4, 4, 4], &[1, 4, 4], &[1]), true),
        (tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]), true),
        (tree(&[18, 36], &[1, 18], &[1]), false),
    ];
    for (network, expected) in trees {
        let tables = lfts(&network, MinHop);
        assert_eq!(can_deadlock(&ways(&network, &tables, |_, _| true)), expected);
        let endpoints = ways(&network, &tables, |switch, target| {
            let (node, _) = network.target(target);
            matches!(node, Node::Endpoint(_)) && {
                let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
                tree.level(switch) == 1
            }
        });
        assert!(!can_deadlock(&endpoints));
    }
}

/// Endpoints are dealt out one by one, so that the ports of a leaf upward differ by at most one.
#[test]
fn every_leaf_spreads_endpoints_evenly() {
    let network = tree(&[5, 3, 4], &[1, 4, 3], &[1, 1, 2]);
    let tables = lfts(&network, MinHop);
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    for leaf in (0..tree.width(1)).map(|index| tree.switch(1, index)) {
        let mut counts = [0_u32; 4];
        for destination in network.endpoints().filter(|end| !tree.is_above(leaf, *end)) {
            let target = network.endpoint_target(destination).expect("a cable");
            let Forward::Port(port) = tables.get(leaf, target) else { panic!("a way") };
            counts[port as usize - 5] += 1;
        }
        assert!(counts.iter().max().expect("four") - counts.iter().min().expect("four") <= 1);
        assert_eq!(counts.iter().sum::<u32>(), 55);
    }
}

#[test]
fn networks_too_large_for_tables_are_refused_at_once() {
    let network = |switches: u32, ports: u32| {
        let mut builder = Builder::new(&LINKS);
        (0..switches).for_each(|_| assert!(builder.switch(ports).0 < switches));
        Arc::new(builder.finish(Structure::Irregular).expect("no cables"))
    };
    for (network, why) in [(network(24_000, 1), "2^29 entries"), (network(9_000, 110), "2^33")] {
        for routing in [Routing::from(MinHop), UpDown::default().into(), DownUp.into()] {
            let needs = routing.role().routes(&network).err().expect("too large");
            assert!(needs.to_string().contains(why), "{needs}");
            assert_eq!(routing.role().fits(&network), Err(needs));
        }
    }
}

/// OpenSM visits switches in the order of their GUIDs with the bytes reversed, which the fabrics
/// in `tests/oracles/` with shuffled GUIDs confirm. Written with the default GUIDs, a fabric keeps
/// the order of its switches, and so its tables, beyond 256 of them.
#[test]
fn a_fabric_that_was_written_and_read_keeps_its_tables() {
    let network = fabric(&[1; 700], &chords(700), Structure::Irregular);
    let written = ibnetdiscover::write(&network);
    let reading = ibnetdiscover::read(&[Source { name: "fabric", text: &written.text }]);
    let read = Arc::new(reading.expect("it was written").fabric.network(&LINKS).expect("links"));
    for routing in [Routing::from(MinHop), UpDown::default().into(), DownUp.into()] {
        let [ours, theirs] = [&network, &read].map(|network| {
            let tables = lfts(network, routing.clone());
            interchange::lfts::write(network, &tables).expect("room enough")
        });
        assert!(ours == theirs, "{}", routing.role().name());
    }
}

/// A ring of switches in which every one has links to two that are farther away.
fn chords(switches: u32) -> Vec<(u32, u32)> {
    let links = |switch| [1, 9, 83].map(|by| (switch, (switch + by) % switches));
    (0..switches).flat_map(links).collect()
}
