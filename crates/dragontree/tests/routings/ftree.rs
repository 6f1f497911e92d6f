use std::collections::BTreeSet;
use std::sync::Arc;

use dragontree::analysis::{
    Connecting, Contending, Contention, Dependencies, Ends, Levels, Verdict, rails,
};
use dragontree::interchange::Fabric;
use dragontree::network::extraction::extract;
use dragontree::network::{
    Builder, EndpointId, Failures, Forward, Lfts, Network, Node, PortId, Structure, SwitchId,
};
use dragontree::placement::{Keepers as Places, Order};
use dragontree::random::Stream;
use dragontree::routing::{Ftree, Keepers, Layers, Routes, Routing, SFtree, Tables, Variant};
use dragontree::scenario::Study;
use dragontree::topology::{Attach, Build, Dragonfly, MultiCore, Torus};

use crate::fabrics::*;

fn shifts(network: &Arc<Network>, ftree: Ftree, places: Places) -> Contention {
    let routes = Arc::new(Routing::from(ftree).role().routes(network).expect("a tree"));
    let slots = Order::Ftree.places(network, &rails(network)[0].ports, places).expect("a tree");
    Contending::shifts(network, &routes, Levels::new(network), &slots).finish()
}

fn check(found: &Contention, (worst, mean): (f64, f64), what: &str) {
    assert_eq!((found.worst, found.unrouted), (worst, 0), "{what}");
    let rounded = (found.mean_at_least_one * 1000.0).round() / 1000.0;
    assert_eq!(rounded, mean, "{what}");
}

/// Zahavi 2009, Table I, column of the fat-tree routing: 1/1, and 2/1.9 and 2/1.7 where half of
/// the links of the first or second stage are missing.
#[test]
fn shifts_contend_as_published() {
    type Numbers = &'static [u32];
    let trees: &[([Numbers; 3], (f64, f64))] = &[
        ([&[6, 2], &[1, 2], &[1, 3]], (1.0, 1.0)),
        ([&[2, 2, 2, 2], &[1, 2, 2, 2], &[1]], (1.0, 1.0)),
        ([&[2, 2, 2, 2], &[1, 2, 2, 1], &[1, 1, 1, 2]], (1.0, 1.0)),
        ([&[4, 4], &[1, 4], &[1]], (1.0, 1.0)),
        ([&[4, 4], &[1, 2], &[1, 2]], (1.0, 1.0)),
        ([&[4, 4, 2], &[1, 4, 4], &[1]], (1.0, 1.0)),
        ([&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]], (1.0, 1.0)),
        ([&[4, 2, 4], &[1, 2, 2], &[1, 1, 1]], (2.0, 1.871)),
        ([&[4, 2, 4], &[1, 2, 2], &[1, 2, 1]], (2.0, 1.742)),
        ([&[4, 4, 3], &[1, 4, 4], &[1]], (1.0, 1.0)),
        ([&[4, 4, 4], &[1, 4, 4], &[1]], (1.0, 1.0)),
        ([&[4, 4, 4], &[1, 4, 2], &[1, 1, 2]], (1.0, 1.0)),
        ([&[12, 12], &[1, 12], &[1]], (1.0, 1.0)),
        ([&[12, 12], &[1, 6], &[1, 2]], (1.0, 1.0)),
        ([&[4, 4, 4, 4], &[1, 4, 4, 4], &[1]], (1.0, 1.0)),
        ([&[12, 12, 12], &[1, 12, 12], &[1]], (1.0, 1.0)),
        ([&[12, 12, 12], &[1, 12, 6], &[1, 1, 2]], (1.0, 1.0)),
    ];
    for ([children, parents, parallel], expected) in trees {
        let network = tree(children, parents, parallel);
        for variant in [Variant::Published, Variant::OpenSm] {
            let found = shifts(&network, Ftree { variant, ..Ftree::default() }, Places::Yes);
            check(&found, *expected, &format!("{children:?} {parents:?} {parallel:?} {variant:?}"));
        }
    }
}

/// Zahavi 2009, §3.2, says that places must be kept in the routing and in the pattern; the numbers
/// were counted by a program of its own.
#[test]
fn place_keepers_serve_where_routing_and_pattern_have_them() {
    let [four_two, four_three]: [&[u32]; 2] = [&[4, 4], &[4, 4, 4]];
    type Case<'a> = (&'a [u32], &'a [u32], [(f64, f64); 3]);
    let cases: [Case<'_>; 3] = [
        (four_two, &[4], [(2.0, 1.429), (2.0, 1.4), (2.0, 1.429)]),
        (four_three, &[4], [(2.0, 1.774), (2.0, 1.73), (2.0, 1.774)]),
        (four_three, &[1, 4, 22, 39, 60], [(2.0, 1.897), (2.0, 1.73), (2.0, 1.897)]),
    ];
    for (children, missing, [in_neither, in_pattern, in_routing]) in cases {
        let parents: Vec<u32> = std::iter::once(1).chain(children[1..].iter().copied()).collect();
        let endpoints = missing.iter().map(|number| endpoint(*number)).collect();
        let failures = Failures { endpoints, ..Failures::default() };
        let network = Arc::new(tree(children, &parents, &[1]).without(&failures));
        for (keepers, places, expected) in [
            (Keepers::Yes, Places::Yes, (1.0, 1.0)),
            (Keepers::No, Places::No, in_neither),
            (Keepers::No, Places::Yes, in_pattern),
            (Keepers::Yes, Places::No, in_routing),
        ] {
            let found = shifts(&network, Ftree { keepers, ..Ftree::default() }, places);
            check(&found, expected, &format!("{children:?} {missing:?} {keepers:?} {places:?}"));
        }
    }
}

/// The levels of switches as a network tells them or as they are found in it.
fn levels(network: &Network) -> Option<Vec<u32>> {
    match network.structure() {
        Structure::Tree(tree) => Some(network.switches().map(|each| tree.level(each)).collect()),
        Structure::Layered(layered) => {
            Some(network.switches().map(|each| layered.layer(each)).collect())
        }
        _ => {
            let extraction = extract(network);
            let place = |switch| {
                let mut trees =
                    extraction.fabrics.iter().filter_map(|each| each.found.as_ref().ok());
                let place = trees.find_map(|tree| tree.place(switch));
                let is_alone = neighbors(network, switch).is_empty();
                place.map(|place| place.level).or(is_alone.then_some(1))
            };
            network.switches().map(place).collect()
        }
    }
}

/// From which switches a switch is reached by going up, then down, then perhaps aside.
fn joined(network: &Network, levels: &[u32], to: SwitchId) -> BTreeSet<SwitchId> {
    let level = |switch: SwitchId| levels[switch.index()];
    let mut found = BTreeSet::from([to]);
    found.extend(neighbors(network, to).into_iter().filter(|next| level(*next) == level(to)));
    for is_up in [true, false] {
        let mut queue: Vec<SwitchId> = found.iter().copied().collect();
        while let Some(switch) = queue.pop() {
            for next in neighbors(network, switch) {
                let fits = match is_up {
                    true => level(next) > level(switch),
                    false => level(next) < level(switch),
                };
                if fits && found.insert(next) {
                    queue.push(next);
                }
            }
        }
    }
    found
}

/// Goes every way of the tables: it leads up, down and aside in this order, and there is one
/// wherever there can be one. Returns how many pairs of switches have none.
fn check_ways(network: &Arc<Network>, lfts: &Lfts, levels: &[u32]) -> u32 {
    let mut missing = 0;
    for target in network.targets() {
        let Some(last) = switch_of(network, target) else {
            assert!(network.switches().all(|each| lfts.get(each, target) == Forward::Nowhere));
            continue;
        };
        let joined = joined(network, levels, last);
        for switch in network.switches() {
            let way = way(network, lfts, switch, target);
            assert_eq!(way.is_some(), joined.contains(&switch), "{switch:?} {target:?}");
            let Some(way) = way else {
                missing += u32::from(matches!(network.target(target), (Node::Switch(_), _)));
                continue;
            };
            let turn = |port: &PortId| {
                let ends = [network.owner(*port), network.neighbor(*port).expect("a cable")];
                let [Node::Switch(from), Node::Switch(to)] = ends else { panic!("switches") };
                levels[from.index()].cmp(&levels[to.index()])
            };
            let turns: Vec<_> = way.iter().map(turn).collect();
            let order = [std::cmp::Ordering::Less, std::cmp::Ordering::Greater];
            let rank = |turn| order.iter().position(|each| *each == turn).unwrap_or(2);
            let ranks: Vec<usize> = turns.into_iter().map(rank).collect();
            assert!(ranks.is_sorted(), "{switch:?} {target:?}: {ranks:?}");
            assert!(ranks.iter().filter(|rank| **rank == 2).count() <= 1);
        }
    }
    missing
}

fn check_acyclic(network: &Arc<Network>, lfts: &Lfts) {
    let tables = Tables::new(network.clone(), lfts.clone(), Layers::One);
    let routes = Arc::new(Routes::Tables(Box::new(tables)));
    for ends in [Ends::ENDPOINTS, Ends::SWITCHES, Ends::BOTH] {
        let found = Dependencies::new(network, &routes, ends, ends).finish();
        assert!(matches!(found.verdict, Verdict::Acyclic(_)), "{ends:?}");
    }
}

/// Checks the routes of a network and returns how many pairs of switches have none.
fn check_all(network: &Arc<Network>) -> u32 {
    let levels = levels(network).expect("every switch has a place");
    let lfts = lfts(network, Ftree::default());
    check_acyclic(network, &lfts);
    check_ways(network, &lfts, &levels)
}

/// The ordered pairs of switches without a common ancestor are those counted for sFtree.
#[test]
fn trees_are_routed_but_for_switches_without_a_common_ancestor() {
    for (network, missing) in [
        (tree(&[2, 2, 2], &[1, 2, 2], &[1]), 36),
        (tree(&[4, 4, 4], &[1, 4, 4], &[1]), 816),
        (tree(&[18, 36], &[1, 18], &[1]), 306),
        (tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]), 76),
        (tree(&[3, 2, 2, 3], &[1, 2, 1, 2], &[1, 4, 2, 3]), 0),
    ] {
        let found = check_all(&network);
        assert!(found == missing || missing == 0, "{found} for {missing}");
    }
}

/// Kills some links, switches and endpoints.
pub fn broken(whole: &Network, stream: &mut Stream, links: u32, switches: u32) -> Arc<Network> {
    let all: Vec<PortId> = whole.links().map(|(port, _)| port).collect();
    let failures = Failures {
        links: (0..links).map(|_| all[stream.below(all.len() as u32) as usize]).collect(),
        switches: (0..switches).map(|_| SwitchId(stream.below(whole.switch_count()))).collect(),
        endpoints: (0..3).map(|_| EndpointId(stream.below(whole.endpoint_count()))).collect(),
    };
    Arc::new(whole.without(&failures))
}

pub fn random_tree(stream: &mut Stream) -> Arc<Network> {
    let height = 1 + stream.below(3) as usize;
    let mut draw = |lowest: u32, most: u32| lowest + stream.below(most - lowest + 1);
    let children: Vec<u32> = (0..height).map(|_| draw(2, 4)).collect();
    let parents: Vec<u32> =
        (0..height).map(|level| if level == 0 { 1 } else { draw(1, 3) }).collect();
    let parallel: Vec<u32> =
        (0..height).map(|level| if level == 0 { 1 } else { draw(1, 3) }).collect();
    tree(&children, &parents, &parallel)
}

/// The same network as a file would tell it: without its structure.
pub fn imported(network: &Network) -> Arc<Network> {
    Arc::new(Fabric::of(network).network(&LINKS).expect("the same links"))
}

#[test]
fn broken_trees_are_routed_wherever_ways_up_and_down_lead() {
    let mut stream = Stream::new(11, "broken trees", 0);
    let (mut found, mut refused) = (0, 0);
    for round in 0..150 {
        let whole = random_tree(&mut stream);
        let network = broken(&whole, &mut stream, round % 7, round % 3);
        check_all(&network);
        let network = imported(&network);
        let Ok(Routes::Tables(tables)) = Routing::from(Ftree::default()).role().routes(&network)
        else {
            refused += 1;
            continue;
        };
        check_acyclic(&network, tables.lfts());
        if let Some(levels) = levels(&network) {
            check_ways(&network, tables.lfts(), &levels);
            found += 1;
        }
    }
    assert!(found > 40, "{found} were found to be trees, {refused} not");
}

pub fn multi_core(stream: &mut Stream) -> MultiCore {
    let radix = 4 + 2 * stream.below(3);
    let core_levels = 1 + stream.below(2);
    let slots = match core_levels {
        1 => radix,
        _ => radix * radix / 2,
    };
    let attach = if stream.below(2) == 0 { Attach::All } else { Attach::Split };
    let mut fitting: Vec<(u32, u32)> = Vec::new();
    for uplinks in 1..=3 {
        let per_pair = if attach == Attach::All { 2 * uplinks } else { uplinks };
        if slots % per_pair == 0 {
            fitting.push((slots / per_pair, uplinks));
        }
    }
    let (pairs, uplinks) = fitting[stream.below(fitting.len() as u32) as usize];
    MultiCore {
        pairs,
        hosts: 1 + stream.below(3),
        cores: 2 + 2 * stream.below(2),
        core_radix: radix,
        core_levels,
        uplinks,
        horizontal: 1 + stream.below(3),
        attach,
    }
}

#[test]
fn broken_trees_of_several_cores_are_routed_aside_as_well() {
    let mut stream = Stream::new(12, "broken cores", 0);
    for round in 0..60 {
        let whole = multi_core(&mut stream).build(&LINKS).expect("several cores");
        check_all(&broken(&whole, &mut stream, round % 9, round % 3));
    }
}

fn connectivity(network: &Arc<Network>, routes: Routes) -> (u64, u64) {
    let routes = Arc::new(routes);
    let found = Connecting::new(network, &routes, &rails(network)[0]).finish();
    let pairs = found.endpoint_pairs;
    assert_eq!(pairs.total, u64::from(network.endpoint_count() * (network.endpoint_count() - 1)));
    (pairs.total - pairs.routed, pairs.non_minimal)
}

/// The systems of sFtree 2012, §7.2.3: every endpoint reaches every other.
#[test]
fn large_systems_of_several_cores_join_all_endpoints() {
    for (preset, is_minimal) in [("rack_648", false), ("juropa", true)] {
        let study = Study::parse(&format!("topology=multi_core,preset={preset}")).expect(preset);
        let plan = study.plan().expect(preset);
        let network = plan.jobs[0].scenario().network().expect(preset);
        let routes = Routing::from(Ftree::default()).role().routes(&network).expect("trees");
        let Routes::Tables(tables) = &routes else { panic!("tables") };
        check_acyclic(&network, tables.lfts());
        let (unrouted, non_minimal) = connectivity(&network, routes);
        // Below one core it may be shorter to pass the other switch of the destination's pair.
        assert_eq!((unrouted, non_minimal == 0), (0, is_minimal));
    }
}

#[test]
fn what_is_no_tree_is_refused_by_name() {
    let torus = Torus::default().build(&LINKS).expect("a torus");
    let dragonfly = Dragonfly::default().build(&LINKS).expect("a dragonfly");
    for (network, expected) in [
        (torus, "ftree needs a fat tree; this network has a grid: "),
        (dragonfly, "ftree needs a fat tree; this network has groups: "),
    ] {
        let network = Arc::new(network);
        let routing = Routing::from(Ftree::default());
        let problems = routing.role().find(&network, 1).err().expect("a refusal");
        let text = problems[0].to_string();
        assert!(text.starts_with(expected) && text.ends_with("both are on level 1"), "{text}");
        let needs = routing.role().fits(&network).expect_err("a refusal").to_string();
        assert!(text.starts_with(&needs), "{needs}");
    }
}

/// Every endpoint has a port on each of two copies of a network.
pub fn two_rails(network: &Network) -> Arc<Network> {
    let mut builder = Builder::new(&LINKS);
    for _ in 0..2 {
        for switch in network.switches() {
            builder.switch(network.ports(Node::Switch(switch)).len() as u32);
        }
    }
    for _ in network.endpoints() {
        builder.endpoint(2);
    }
    for rail in 0..2 {
        let end = |port: PortId| match network.owner(port) {
            Node::Switch(switch) => {
                let copy = SwitchId(switch.0 + rail * network.switch_count());
                (Node::Switch(copy), network.number(port))
            }
            endpoint => (endpoint, rail),
        };
        for (port, channel) in network.links() {
            builder.link(end(port), end(channel.peer), channel.class);
        }
    }
    Arc::new(builder.finish(Structure::Irregular).expect("two rails"))
}

#[test]
fn each_rail_is_routed_like_the_only_one() {
    let single = tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]);
    let double = two_rails(&single);
    let [of_one, of_two] = [&single, &double].map(|network| lfts(network, Ftree::default()));
    for endpoint in single.endpoints() {
        let target = single.endpoint_target(endpoint).expect("a cable");
        for (rail, port) in (0..).zip(double.ports(Node::Endpoint(endpoint))) {
            let copy = double.port_target(PortId(port));
            for switch in single.switches() {
                let at = |rail: u32| SwitchId(switch.0 + rail * single.switch_count());
                assert_eq!(of_two.get(at(rail), copy), of_one.get(switch, target));
                assert_eq!(of_two.get(at(1 - rail), copy), Forward::Nowhere);
            }
        }
    }
    let sftree = lfts(&double, SFtree::default());
    let is_joined = |one: SwitchId, other: SwitchId| {
        sftree.get(one, double.switch_target(other)) != Forward::Nowhere
    };
    for (one, other) in double.switches().flat_map(|one| double.switches().map(move |to| (one, to)))
    {
        let same_rail = one.0 / single.switch_count() == other.0 / single.switch_count();
        assert_eq!(is_joined(one, other), same_rail);
    }
}
