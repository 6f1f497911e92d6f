//! Climbs as ways through a network that is built.

use std::collections::BTreeMap;

use dragontree::network::{Links, Network, Node, PortId, Structure};
use dragontree::random::Stream;
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Options, Shape};
use dragontree::topology::{Build, Cabling, PortOrder, Xgft};
use dragontree::units::{Bandwidth, Time};

use crate::trees::{messages, solve};

/// The channels of a message: up by the digits of its climb, then down to its destination.
fn way(network: &Network, message: Pair, climb: &[u16]) -> Vec<PortId> {
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    let mut at = Node::Endpoint(message.source);
    let mut way = Vec::new();
    let mut take = |at: &mut Node, number: u32| {
        let port = PortId(network.ports(*at).start + number);
        way.push(port);
        *at = network.neighbor(port).unwrap();
    };
    for (level, digit) in (0..).zip(climb) {
        let index = match at {
            Node::Endpoint(endpoint) => endpoint.0,
            Node::Switch(switch) => tree.index(switch),
        };
        take(&mut at, tree.up_port(level, index, u32::from(*digit), 0));
    }
    for level in (1..=climb.len() as u32).rev() {
        let child = tree.child_digit(level, message.destination);
        take(&mut at, tree.down_port(level, child, 0));
    }
    assert_eq!(at, Node::Endpoint(message.destination));
    way
}

#[test]
fn channels_of_a_built_tree_carry_what_the_certificate_says() {
    let trees: [(&[u32], &[u32]); 4] = [
        (&[4, 4, 2], &[1, 4, 2]),
        (&[4, 3, 2], &[2, 3, 2]),
        (&[3, 3, 3], &[1, 3, 3]),
        (&[2, 2, 2], &[1, 2, 1]),
    ];
    for (children, parents) in trees {
        for (ports, reversed) in [(PortOrder::Grouped, 0), (PortOrder::Interleaved, 2)] {
            let cabling = Cabling { ports, reversed, ..Cabling::default() };
            let [children, parents] = [children, parents].map(<[u32]>::to_vec);
            let part = Xgft { children, parents, parallel: vec![1], cabling };
            let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
            let network = part.build(&links).unwrap();
            let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
            let shape = Shape::of(tree).unwrap();
            assert_eq!(shape.leaves(), network.endpoint_count());
            let mut stream = Stream::new(7, "test", 0);
            let mut draw = || stream.below(shape.leaves());
            let messages = messages((0..40).map(|_| (draw(), draw())));
            let (solution, _) = solve(&shape, &messages, &Options::default());
            let mut loads: BTreeMap<PortId, u32> = BTreeMap::new();
            for (number, message) in messages.iter().enumerate() {
                for port in way(&network, *message, solution.climbs.of(number)) {
                    *loads.entry(port).or_default() += 1;
                }
            }
            let worst = loads.values().copied().max().unwrap();
            assert_eq!(worst, solution.certificate.achieved());
        }
    }
}

#[test]
fn parallel_links_are_refused() {
    let part = Xgft { parallel: vec![1, 2, 1], ..Xgft::default() };
    let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
    let network = part.build(&links).unwrap();
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    assert!(Shape::of(tree).is_err());
}
