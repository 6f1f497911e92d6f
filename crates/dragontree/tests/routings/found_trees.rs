//! Routings by a tree's digits on trees that have to be found: the same fabric, told by its
//! notation and told by a file, is routed alike.

use std::sync::Arc;

use dragontree::analysis::{
    Connecting, Contending, Contention, Levels, Pairs, paths, rails, rails_of,
};
use dragontree::catalog::Menu;
use dragontree::interchange::{Fabric, Kind, Source, ibnetdiscover};
use dragontree::network::{EndpointId, Failures, Network, Node, PortId};
use dragontree::placement::{Keepers, Order};
use dragontree::random::Stream;
use dragontree::routing::{
    DModK, DynamicRandom, Pair, PatternSpecific, Routes, Routing, SModK, StaticRandom,
};
use dragontree::topology::{Build, Torus, Xgft};

use crate::fabrics::*;
use crate::ftree::two_rails;

/// The same network, written and read as `ibnetdiscover` prints it, with the devices in a random
/// order: switches and endpoints have other numbers, ports keep theirs.
pub fn from_file(network: &Network, stream: &mut Stream) -> Arc<Network> {
    let mut fabric = Fabric::of(network);
    let count = fabric.devices.len() as u32;
    let mut order: Vec<u32> = (0..count).collect();
    stream.shuffle(&mut order);
    let mut place_of = vec![0; count as usize];
    for (place, device) in (0..).zip(&order) {
        place_of[*device as usize] = place;
    }
    fabric.devices = order.iter().map(|old| fabric.devices[*old as usize].clone()).collect();
    for cable in &mut fabric.cables {
        cable.ends = cable.ends.map(|(device, port)| (place_of[device as usize], port));
    }
    let scrambled = fabric.network(&LINKS).expect("the same links");
    let text = ibnetdiscover::write(&scrambled).text;
    let read = ibnetdiscover::read(&[Source { name: "file", text: &text }]).expect("a fabric");
    Arc::new(read.fabric.network(&LINKS).expect("a network"))
}

fn by_digits() -> [Routing; 4] {
    [DModK.into(), SModK.into(), StaticRandom::default().into(), DynamicRandom.into()]
}

fn routes(network: &Arc<Network>, routing: &Routing) -> Arc<Routes> {
    let found = routing.role().find(network, 1);
    Arc::new(found.unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// The shifts over the slots of the tree, empty ones included.
fn shifts(network: &Arc<Network>, routing: &Routing) -> Contention {
    let routes = routes(network, routing);
    let ports = &rails(network)[0].ports;
    let slots = Order::Ftree.places(network, ports, Keepers::Yes).expect("a tree");
    Contending::shifts(network, &routes, Levels::found(network), &slots).finish()
}

fn connectivity(network: &Arc<Network>, routing: &Routing) -> Pairs {
    let routes = routes(network, routing);
    let rail = &rails_of(network, &routes)[0];
    Connecting::new(network, &routes, rail).finish().endpoint_pairs
}

/// An endpoint with a port on each of two leaf switches sends and receives at its first port.
#[test]
fn endpoints_on_two_leaf_switches_are_reached_where_they_send() {
    let mut fabric = Fabric::of(&tree(&[4, 4], &[1, 4], &[1]));
    let devices = (0..).zip(&fabric.devices).filter(|(_, device)| device.kind == Kind::Endpoint);
    let endpoints: Vec<u32> = devices.map(|(place, _)| place).collect();
    let (first, last) = (endpoints[0], endpoints[15]);
    fabric.devices[last as usize].ports = 2;
    for end in fabric.cables.iter_mut().flat_map(|cable| &mut cable.ends) {
        if end.0 == first {
            *end = (last, 1);
        }
    }
    let network = Arc::new(fabric.network(&LINKS).expect("a network"));
    let connected: Vec<EndpointId> =
        network.endpoints().filter(|endpoint| network.switch_of(*endpoint).is_some()).collect();
    assert_eq!(connected.len(), 15);
    for routing in by_digits() {
        let routes = routes(&network, &routing);
        for source in &connected {
            for destination in connected.iter().filter(|other| *other != source) {
                let pair = Pair { source: *source, destination: *destination };
                paths(&network, routes.oblivious(), pair, &mut |path, _| {
                    let end = path.last().and_then(|step| network.neighbor(step.port));
                    assert_eq!(end, Some(Node::Endpoint(*destination)), "{}", routing.name());
                })
                .expect("a way");
            }
        }
    }
}

/// Full and slim trees, with parallel links and with the ports in other orders.
#[test]
fn a_tree_from_a_file_is_routed_as_the_one_that_was_built() {
    let mut stream = Stream::new(5, "files of trees", 0);
    for network in [
        tree(&[4, 4, 4], &[1, 4, 4], &[1]),
        tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]),
        tree(&[4, 2, 4], &[1, 2, 2], &[1]),
        tree(&[4, 4], &[1, 2], &[1, 2]),
        tree(&[2, 2, 2, 3], &[1, 2, 1, 2], &[1, 4, 2, 3]),
        tree(&[3, 5], &[1, 2], &[1, 3]),
        tree(&[5], &[1], &[1]),
    ] {
        let imported = from_file(&network, &mut stream);
        for routing in by_digits() {
            let what = format!("{} on {:?}", routing.name(), network.structure());
            let [told, found] = [&network, &imported].map(|network| shifts(network, &routing));
            assert_eq!(found.per_stage, told.per_stage, "{what}");
            assert_eq!(found.histogram, told.histogram, "{what}");
            assert_eq!(found.unrouted, 0, "{what}");
        }
    }
}

/// Prisacari 2020, §2.4.1: where there are as many links up as down no shift contends.
#[test]
fn no_shift_contends_on_a_full_tree_from_a_file() {
    let mut stream = Stream::new(6, "files of trees", 0);
    for network in [
        tree(&[2, 2, 2, 2], &[1, 2, 2, 2], &[1]),
        tree(&[4, 4, 4], &[1, 4, 4], &[1]),
        tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]),
        tree(&[4, 4, 3], &[1, 4, 4], &[1]),
        tree(&[9, 9, 3], &[1, 9, 9], &[1]),
    ] {
        let mut endpoints: Vec<_> = network.endpoints().collect();
        endpoints.retain(|_| stream.below(6) == 0);
        let failures = Failures { endpoints, ..Failures::default() };
        for network in [network.clone(), Arc::new(network.without(&failures))] {
            let imported = from_file(&network, &mut stream);
            for routing in [Routing::from(DModK), SModK.into()] {
                assert_eq!(shifts(&imported, &routing).worst, 1.0, "{:?}", network.structure());
            }
        }
    }
}

/// Of a k-ary tree all links of a level carry as many pairs, so what is lost with some of them does
/// not depend on how switches are numbered; that is known from the tree that was built.
#[test]
fn pairs_whose_link_is_missing_have_no_route() {
    let mut stream = Stream::new(7, "files of trees", 0);
    let whole = tree(&[4, 4, 4], &[1, 4, 4], &[1]);
    let between = whole.links().map(|(port, _)| port).filter(|port| {
        let ends = [Some(whole.owner(*port)), whole.neighbor(*port)];
        ends.iter().all(|end| matches!(end, Some(Node::Switch(_))))
    });
    for link in between.step_by(7).collect::<Vec<PortId>>() {
        let failures = Failures { links: vec![link], ..Failures::default() };
        let broken = Arc::new(whole.without(&failures));
        let imported = from_file(&broken, &mut stream);
        for routing in [Routing::from(DModK), SModK.into()] {
            let [told, found] = [&broken, &imported].map(|network| connectivity(network, &routing));
            assert!(told.routed < told.total, "{}", routing.name());
            assert_eq!(found, told, "{}", routing.name());
        }
        // A way past the gap is drawn wherever there is one.
        let found = connectivity(&imported, &DynamicRandom.into());
        assert_eq!(found.routed, found.total);
    }
}

#[test]
fn what_holds_no_tree_or_several_is_refused_with_the_reason() {
    let mut stream = Stream::new(8, "files of trees", 0);
    let torus = Torus::default().build(&LINKS).expect("a torus");
    let single = tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]);
    let two_links =
        Xgft { children: vec![2, 2], parents: vec![1, 2], parallel: vec![2, 1], ..Xgft::default() };
    let two_links = two_links.build(&LINKS).expect("a tree");
    for (network, expected) in [
        (from_file(&torus, &mut stream), "no known structure: "),
        (two_rails(&single), "several trees"),
        (from_file(&two_links, &mut stream), "several links per endpoint"),
    ] {
        for routing in by_digits() {
            let problems = routing.role().find(&network, 1).err().expect("a refusal");
            let text = problems[0].to_string();
            let name = routing.name();
            let needs =
                format!("{name} needs a tree with one link per endpoint; this network has ");
            assert!(text.starts_with(&format!("{needs}{expected}")), "{text}");
        }
    }
    // A file does not say which port of an endpoint leads to which parent.
    let two_parents = tree(&[2, 2], &[2, 2], &[1, 1]);
    let found = from_file(&two_parents, &mut stream);
    let problems = Routing::from(PatternSpecific::default()).role().fits(&found);
    let text = problems.expect_err("a refusal").to_string();
    assert!(text.starts_with("pattern_specific needs a tree"), "{text}");
}
