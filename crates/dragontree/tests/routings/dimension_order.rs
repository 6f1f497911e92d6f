use std::sync::Arc;

use dragontree::analysis::paths;
use dragontree::network::{Failures, Grid, Lines, Network, Node, PortId, Structure, SwitchId};
use dragontree::routing::{DimensionOrder, Oblivious, Pair, Routes, Routing};

use crate::fabrics::*;

fn grid(widths: &[u32], lines: Lines, endpoints_per_switch: u32) -> Arc<Network> {
    let count: u32 = widths.iter().product();
    let mut links = Vec::new();
    let mut stride = 1;
    for width in widths {
        for switch in 0..count {
            let place = switch / stride % width;
            let at = |other: u32| switch - place * stride + other * stride;
            match lines {
                Lines::Full => links.extend((place + 1..*width).map(|other| (switch, at(other)))),
                Lines::Ring if place + 1 == *width && *width > 2 => links.push((switch, at(0))),
                _ if place + 1 < *width => links.push((switch, at(place + 1))),
                _ => {}
            }
        }
        stride *= width;
    }
    let structure = Structure::Grid(Grid { widths: widths.to_vec(), lines, endpoints_per_switch });
    fabric(&vec![endpoints_per_switch; count as usize], &links, structure)
}

fn routes(network: &Arc<Network>) -> Box<dyn Oblivious> {
    match Routing::from(DimensionOrder).role().routes(network) {
        Ok(Routes::Oblivious(routes)) => routes,
        _ => panic!("a grid"),
    }
}

/// The channels between switches with their virtual channels; none where there is no way.
fn route(network: &Network, routes: &dyn Oblivious, pair: Pair) -> Option<Vec<(PortId, u8)>> {
    let mut found = None;
    let walked = paths(network, routes, pair, &mut |path, probability| {
        assert_eq!(probability, 1.0);
        let between = &path[1..path.len() - 1];
        found = Some(between.iter().map(|step| (step.port, step.vc)).collect());
    });
    walked.ok().and(found)
}

fn pairs(network: &Network) -> Vec<Pair> {
    let pairs = |source| network.endpoints().map(move |destination| Pair { source, destination });
    let all = network.endpoints().flat_map(pairs);
    all.filter(|pair| pair.source != pair.destination).collect()
}

#[test]
fn one_coordinate_follows_the_other_the_shortest_way_and_nothing_deadlocks() {
    let grids: &[(&[u32], Lines, u32, u8)] = &[
        (&[4, 4], Lines::Ring, 1, 2),
        (&[5, 6], Lines::Ring, 2, 2),
        (&[7], Lines::Ring, 1, 2),
        (&[3, 4, 5], Lines::Ring, 1, 2),
        (&[2, 4], Lines::Ring, 1, 2),
        (&[3, 2, 3], Lines::Ring, 1, 1),
        (&[1, 5], Lines::Open, 2, 1),
        (&[3, 4, 2], Lines::Open, 1, 1),
        (&[4, 3, 2], Lines::Full, 2, 1),
    ];
    for (widths, lines, endpoints, virtual_channels) in grids {
        let network = grid(widths, *lines, *endpoints);
        let Structure::Grid(structure) = network.structure() else { panic!("a grid") };
        let routes = routes(&network);
        assert_eq!(routes.virtual_channels(), *virtual_channels, "{widths:?} {lines:?}");
        let mut ways = Vec::new();
        for pair in pairs(&network) {
            let way = route(&network, routes.as_ref(), pair).expect("a way");
            let [from, to] =
                [pair.source, pair.destination].map(|end| network.switch_of(end).expect("a cable"));
            assert_eq!(way.len() as u32, distances(&network, &[to])[&from], "{pair:?}");
            let dimension = |(port, vc): &(PortId, u8)| {
                assert!(*vc < *virtual_channels);
                let ends = [Some(network.owner(*port)), network.neighbor(*port)];
                let [one, other] = ends.map(|end| match end {
                    Some(Node::Switch(switch)) => structure.coordinates(switch),
                    _ => panic!("between switches"),
                });
                one.iter().zip(&other).position(|(one, other)| one != other)
            };
            assert!(way.iter().map(dimension).is_sorted(), "{pair:?}");
            ways.push(way);
        }
        assert!(!can_deadlock(&ways), "{widths:?} {lines:?}");
        let merged: Vec<Vec<PortId>> =
            ways.iter().map(|way| way.iter().map(|(port, _)| *port).collect()).collect();
        assert_eq!(can_deadlock(&merged), *virtual_channels == 2, "{widths:?} {lines:?}");
    }
}

#[test]
fn rings_are_taken_upward_where_both_ways_are_as_long() {
    let network = grid(&[6], Lines::Ring, 1);
    let routes = routes(&network);
    for start in 0..6 {
        let pair = Pair { source: endpoint(start), destination: endpoint((start + 3) % 6) };
        let way = route(&network, routes.as_ref(), pair).expect("a way");
        let first = network.neighbor(way[0].0);
        assert_eq!(first, Some(Node::Switch(SwitchId((start + 1) % 6))));
    }
}

#[test]
fn pairs_whose_way_is_broken_have_none() {
    let whole = grid(&[4, 3], Lines::Ring, 2);
    let switch = |id| whole.ports(Node::Switch(SwitchId(id)));
    let failures = Failures {
        links: vec![PortId(switch(0).start + 3)],
        switches: vec![SwitchId(9)],
        endpoints: vec![endpoint(5)],
    };
    let broken = Arc::new(whole.without(&failures));
    let (before, after) = (routes(&whole), routes(&broken));
    let mut lost = 0;
    for pair in pairs(&whole) {
        let way = route(&whole, before.as_ref(), pair).expect("a way");
        let ends = [pair.source, pair.destination];
        let is_whole = way.iter().all(|(port, _)| broken.peer(*port).is_some())
            && ends.iter().all(|end| broken.injection(*end).is_some());
        let expected = is_whole.then_some(way);
        lost += u32::from(expected.is_none());
        assert_eq!(route(&broken, after.as_ref(), pair), expected, "{pair:?}");
    }
    assert!((50..300).contains(&lost), "{lost}");
}

#[test]
fn long_ways_end() {
    let network = grid(&[300], Lines::Open, 1);
    let pair = Pair { source: endpoint(0), destination: endpoint(299) };
    let way = route(&network, routes(&network).as_ref(), pair).expect("a way");
    assert_eq!(way.len(), 299);
    let needs = Routing::from(DimensionOrder).role().fits(&irregular(1, 5, 2)).err();
    let text = needs.expect("no grid").to_string();
    assert_eq!(text, "dimension_order needs a grid; this network has no known structure");
}
