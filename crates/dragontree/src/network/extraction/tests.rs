//! Trees of the constructors, brought out of order and damaged: what is found must be the tree,
//! and what was done to it.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::network::{
    Builder, EndpointId, Failures, Link, LinkClass, Links, Node, PortId, Structure,
};
use crate::random::Stream;
use crate::topology::{Build, Dragonfly, FatTree, KAryNTree, MultiCore, Subnets, Xgft};
use crate::units::{Bandwidth, Time};

const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

fn build(part: &dyn Build) -> Network {
    part.build(&LINKS).expect("a valid topology")
}

fn xgft(children: &[u32], parents: &[u32], parallel: &[u32]) -> Network {
    let [children, parents, parallel] = [children, parents, parallel].map(<[u32]>::to_vec);
    build(&Xgft { children, parents, parallel, ..Xgft::default() })
}

/// A cable, by the nodes at its ends and which of their ports it takes.
#[derive(Clone, Copy, Debug)]
struct Cable {
    ends: [(Node, u32); 2],
    link: Link,
}

/// A network as a list of cables that can be changed.
#[derive(Clone, Debug)]
struct Plan {
    switches: Vec<u32>,
    endpoints: Vec<u32>,
    cables: Vec<Cable>,
}

impl Plan {
    fn of(network: &Network) -> Plan {
        let ports = |node| network.ports(node).len() as u32;
        let cables = network.links().map(|(port, channel)| Cable {
            ends: [port, channel.peer].map(|port| (network.owner(port), network.number(port))),
            link: Link {
                bandwidth: channel.bandwidth,
                latency: channel.latency,
                class: LinkClass::Switch,
            },
        });
        Plan {
            switches: network.switches().map(|switch| ports(Node::Switch(switch))).collect(),
            endpoints: network.endpoints().map(|e| ports(Node::Endpoint(e))).collect(),
            cables: cables.collect(),
        }
    }

    fn build(&self) -> Network {
        let mut builder = Builder::new(&LINKS);
        for ports in &self.switches {
            builder.switch(*ports);
        }
        for ports in &self.endpoints {
            builder.endpoint(*ports);
        }
        for cable in &self.cables {
            builder.link_as(cable.ends[0], cable.ends[1], cable.link);
        }
        builder.finish(Structure::Irregular).expect("a valid plan")
    }

    /// Gives switches, endpoints and ports other numbers; also the old id of each switch.
    fn shuffled(&self, seed: u64) -> (Plan, Vec<SwitchId>) {
        let mut stream = Stream::new(seed, "shuffle", 0);
        let mut order = |count: usize| {
            let mut order: Vec<u32> = (0..count as u32).collect();
            stream.shuffle(&mut order);
            order
        };
        // `switches[old]` is the new number.
        let (switches, endpoints) = (order(self.switches.len()), order(self.endpoints.len()));
        let ports: Vec<Vec<u32>> =
            self.switches.iter().map(|ports| order(*ports as usize + 2)).collect();
        let moved = |(node, number): (Node, u32)| match node {
            Node::Switch(old) => {
                (Node::Switch(SwitchId(switches[old.index()])), ports[old.index()][number as usize])
            }
            Node::Endpoint(old) => (Node::Endpoint(EndpointId(endpoints[old.index()])), number),
        };
        let mut cables: Vec<Cable> = self
            .cables
            .iter()
            .map(|cable| Cable { ends: cable.ends.map(moved), ..*cable })
            .collect();
        stream.shuffle(&mut cables);
        let mut plan =
            Plan { switches: vec![0; switches.len()], endpoints: vec![0; endpoints.len()], cables };
        let mut old = vec![SwitchId(0); switches.len()];
        for (was, is) in switches.iter().enumerate() {
            plan.switches[*is as usize] = self.switches[was] + 2;
            old[*is as usize] = SwitchId(was as u32);
        }
        for (was, is) in endpoints.iter().enumerate() {
            plan.endpoints[*is as usize] = self.endpoints[was];
        }
        (plan, old)
    }

    /// The cables between switches.
    fn between_switches(&self) -> Vec<usize> {
        let both =
            |cable: &Cable| cable.ends.iter().all(|(node, _)| matches!(node, Node::Switch(_)));
        (0..self.cables.len()).filter(|cable| both(&self.cables[*cable])).collect()
    }
}

/// The only fabric of a network, which must be a tree.
fn only(extraction: &Extraction) -> &ExtractedTree {
    let [fabric] = &extraction.fabrics[..] else {
        panic!("{} fabrics", extraction.fabrics.len());
    };
    fabric.found.as_ref().expect("a tree")
}

/// Checks that every link of the network is where the digits say, every place taken once, and
/// every port in the group that it belongs to.
fn check(network: &Network, found: &ExtractedTree) {
    let tree = found.tree();
    let mut seen = BTreeSet::new();
    for place in found.places() {
        assert!(place.index < tree.width(place.level));
        assert!(seen.insert((place.level, place.index)), "a place is taken twice");
        assert_eq!(found.at(place.level, place.index), Some(place));
        let (children, parents) = found.digits(place);
        for (digit, ports) in (0..).zip(&place.up) {
            for port in ports {
                let Some(Node::Switch(other)) = network.neighbor(*port) else { panic!("a switch") };
                let above = found.place(other).expect("a place");
                assert_eq!(above.level, place.level + 1);
                let (their_children, their_parents) = found.digits(above);
                // All digits are the same but the one between the levels.
                assert_eq!(their_children, children[..children.len() - 1]);
                assert_eq!(their_parents[1..], parents);
                assert_eq!(their_parents[0], digit);
                let own = *children.last().expect("a digit") as usize;
                assert!(above.down[own].contains(&network.peer(*port).expect("cabled")));
            }
        }
        for (digit, ports) in (0..).zip(&place.down) {
            for port in ports {
                match network.neighbor(*port).expect("cabled") {
                    Node::Endpoint(_) => {
                        assert_eq!(place.level, 1);
                        assert!(found.slot(place.index * tree.children(1) + digit).contains(port));
                    }
                    Node::Switch(other) => {
                        let below = found.place(other).expect("a place");
                        assert_eq!(found.digits(below).0.last(), Some(&digit));
                    }
                }
            }
        }
        let sorted = |groups: &[Vec<PortId>]| groups.iter().all(|ports| ports.is_sorted());
        assert!(sorted(&place.up) && sorted(&place.down));
    }
}

/// Checks a tree from which nothing deviates: it is full, and all groups are equally large.
fn check_clean(network: &Network, found: &ExtractedTree, widths: [&[u32]; 3]) {
    assert_eq!(found.deviations(), []);
    assert_eq!([&found.children()[..], &found.parents(), &found.parallel()], widths);
    check(network, found);
    let tree = found.tree();
    let switches: u32 = (1..=tree.levels()).map(|level| tree.width(level)).sum();
    assert_eq!(found.places().len() as u32, switches);
    for place in found.places() {
        let level = place.level;
        assert_eq!(place.down.len() as u32, tree.children(level));
        assert!(place.down.iter().all(|ports| ports.len() as u32 == tree.parallel(level)));
        if level < tree.levels() {
            assert_eq!(place.up.len() as u32, tree.parents(level + 1));
            assert!(place.up.iter().all(|ports| ports.len() as u32 == tree.parallel(level + 1)));
        }
        assert!(place.siblings.is_empty());
    }
}

const TREES: &[[&[u32]; 3]] = &[
    [&[5], &[1], &[1]],
    [&[4, 4], &[1, 4], &[1, 1]],
    [&[4, 4], &[1, 2], &[1, 2]],
    [&[6, 2], &[1, 2], &[1, 3]],
    [&[18, 36], &[1, 18], &[1, 1]],
    [&[4, 2, 2], &[1, 2, 2], &[1, 1, 1]],
    [&[4, 3, 2], &[1, 2, 2], &[1, 1, 1]],
    [&[4, 2, 2], &[1, 4, 1], &[1, 1, 1]],
    [&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]],
    [&[4, 2, 4], &[1, 2, 2], &[1, 1, 1]],
    [&[4, 4, 2], &[1, 4, 4], &[1, 1, 1]],
    [&[4, 4, 4], &[1, 4, 4], &[1, 1, 1]],
    [&[3, 3, 3], &[1, 1, 1], &[1, 2, 3]],
    [&[4, 3, 2], &[1, 4, 3], &[1, 1, 1]],
    [&[9, 9, 3], &[1, 9, 9], &[1, 1, 1]],
    [&[2, 2, 2, 2], &[1, 2, 2, 2], &[1, 1, 1, 1]],
    [&[3, 1, 2, 3], &[1, 2, 1, 3], &[2, 1, 3, 1]],
    [&[8, 4, 4, 2], &[1, 8, 4, 2], &[1, 1, 1, 1]],
    [&[2, 2, 2, 2, 2], &[1, 2, 2, 2, 1], &[1, 1, 2, 1, 1]],
];

#[test]
fn constructed_trees_get_the_digits_that_they_were_built_with() {
    for [m, w, p] in TREES {
        let network = xgft(m, w, p);
        let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
        let extraction = extract(&network);
        let found = only(&extraction);
        check_clean(&network, found, [m, w, p]);
        for place in found.places() {
            assert_eq!(place.level, tree.level(place.switch));
            assert_eq!(place.index, tree.index(place.switch));
        }
        for endpoint in network.endpoints() {
            let ports = found.slot(endpoint.0);
            assert!(
                ports.iter().all(|port| network.neighbor(*port) == Some(Node::Endpoint(endpoint)))
            );
        }
    }
}

#[test]
fn shuffled_trees_are_found() {
    for (seed, [m, w, p]) in (0..).zip(TREES) {
        let (plan, _) = Plan::of(&xgft(m, w, p)).shuffled(seed);
        let network = plan.build();
        check_clean(&network, only(&extract(&network)), [m, w, p]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_shuffled_tree_is_found(
        (m, w, p) in (1_usize..=4).prop_flat_map(|height| {
            let list = |most: u32| prop::collection::vec(1..=most, height);
            (list(4), list(4), list(3))
        }),
        seed in any::<u64>(),
    ) {
        let w: Vec<u32> = std::iter::once(1).chain(w.into_iter().skip(1)).collect();
        let (plan, _) = Plan::of(&xgft(&m, &w, &p)).shuffled(seed);
        let network = plan.build();
        check_clean(&network, only(&extract(&network)), [&m, &w, &p]);
    }

    #[test]
    fn no_graph_panics(
        switches in 0_u32..12, endpoints in 0_u32..12,
        cables in prop::collection::vec((0_u32..24, 0_u32..24), 0..60),
    ) {
        let nodes = switches + endpoints;
        let node = |index: u32| match index.checked_sub(switches) {
            None => Node::Switch(SwitchId(index)),
            Some(endpoint) => Node::Endpoint(EndpointId(endpoint)),
        };
        let mut used = vec![0; nodes as usize];
        let mut plan = Plan {
            switches: vec![130; switches as usize],
            endpoints: vec![130; endpoints as usize],
            cables: Vec::new(),
        };
        for (one, other) in cables.into_iter().filter(|_| nodes > 0) {
            let ends = [one % nodes, other % nodes].map(|index| {
                used[index as usize] += 1;
                (node(index), used[index as usize] - 1)
            });
            plan.cables.push(Cable { ends, link: LINKS.of(LinkClass::Switch) });
        }
        let network = plan.build();
        let extraction = extract(&network);
        prop_assert_eq!(&extraction, &extract(&network));
        let mut all: Vec<SwitchId> = extraction.idle.clone();
        for fabric in &extraction.fabrics {
            all.extend(&fabric.switches);
            match &fabric.found {
                Ok(found) => {
                    check(&network, found);
                    prop_assert!(found.places().iter().all(|place| fabric.switches.contains(&place.switch)));
                    prop_assert!(found.deviations().iter().all(|each| !each.text(&network).is_empty()));
                }
                Err(reason) => prop_assert!(!reason.text(&network).is_empty()),
            }
        }
        // Every switch is in one fabric, or idle.
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(network.switches()));
    }
}

/// Trees with a majority at every step: at least three parents or children where one is wrong.
const SOLID: &[[&[u32]; 3]] = &[
    [&[4, 8], &[1, 4], &[1, 1]],
    [&[6, 12], &[1, 3], &[1, 2]],
    [&[4, 4, 4], &[1, 4, 4], &[1, 1, 1]],
    [&[4, 3, 6], &[1, 3, 3], &[1, 1, 1]],
    [&[4, 4, 4], &[1, 2, 2], &[1, 2, 2]],
    [&[3, 4, 3, 4], &[1, 3, 3, 3], &[1, 1, 1, 1]],
    [&[6, 6, 12], &[1, 6, 6], &[1, 1, 1]],
];

/// What was found to be wrong between switches, in words of the switches before the shuffle.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wrong {
    /// How many links a pair lacks.
    missing: BTreeMap<(SwitchId, SwitchId), u32>,
    /// The pairs that have a link too many, each way round.
    misplaced: Vec<(SwitchId, SwitchId)>,
    /// All else.
    others: Vec<Deviation>,
}

fn wrong(network: &Network, found: &ExtractedTree, old: &[SwitchId]) -> Wrong {
    let was = |switch: SwitchId| old[switch.index()];
    let mut wrong = Wrong::default();
    for deviation in found.deviations() {
        match deviation {
            Deviation::Links { lower: Node::Switch(lower), upper, present, usual }
                if present < usual =>
            {
                wrong.missing.insert((was(*lower), was(*upper)), usual - present);
            }
            Deviation::Misplaced { port, .. } => {
                let ends = [network.owner(*port), network.neighbor(*port).expect("cabled")];
                let [Node::Switch(one), Node::Switch(other)] = ends else { panic!("switches") };
                wrong.misplaced.push((was(one).min(was(other)), was(one).max(was(other))));
            }
            other => wrong.others.push(other.clone()),
        }
    }
    wrong.misplaced.sort_unstable();
    wrong
}

/// The switches at the ends of a cable.
fn switches(cable: &Cable) -> (SwitchId, SwitchId) {
    let [(Node::Switch(one), _), (Node::Switch(other), _)] = cable.ends else { panic!("switches") };
    (one.min(other), one.max(other))
}

fn damaged() -> impl Strategy<Value = (usize, u64, usize)> {
    (0..SOLID.len(), any::<u64>(), 1_usize..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn missing_links_are_named((tree, seed, count) in damaged()) {
        let [m, w, p] = SOLID[tree];
        let mut plan = Plan::of(&xgft(m, w, p));
        let mut expected = Wrong::default();
        let mut stream = Stream::new(seed, "damage", 0);
        let mut touched = BTreeSet::new();
        while expected.missing.len() < count {
            let cables = plan.between_switches();
            let cable = cables[stream.below(cables.len() as u32) as usize];
            let (one, other) = switches(&plan.cables[cable]);
            // A switch that loses all its links up is no longer part of the tree.
            if !touched.contains(&one) && !touched.contains(&other) {
                touched.extend([one, other]);
                plan.cables.remove(cable);
                expected.missing.insert((one, other), 1);
            }
        }
        let (plan, old) = plan.shuffled(seed);
        let network = plan.build();
        let extraction = extract(&network);
        let found = only(&extraction);
        check(&network, found);
        prop_assert_eq!([&found.children()[..], &found.parents(), &found.parallel()], [m, w, p]);
        prop_assert_eq!(wrong(&network, found, &old), expected);
    }

    #[test]
    fn swapped_cables_are_named((tree, seed, count) in damaged()) {
        // On two levels all leaf switches are joined to all others, so nothing can be swapped.
        let [m, w, p] = SOLID[tree.max(2)];
        let network = xgft(m, w, p);
        let mut plan = Plan::of(&network);
        let mut expected = Wrong::default();
        let mut stream = Stream::new(seed, "damage", 0);
        let cables = plan.between_switches();
        let mut touched = BTreeSet::new();
        // Two swaps between the same subtrees of three parts can be told in two ways.
        let swaps = if m[1..].iter().any(|width| *width < 4) { 1 } else { count.min(2) };
        while expected.misplaced.len() < 2 * swaps {
            let [one, other] = [0; 2].map(|_| cables[stream.below(cables.len() as u32) as usize]);
            let [(a, b), (c, d)] = [one, other].map(|cable| switches(&plan.cables[cable]));
            let joined = |one, other| {
                let ports = network.ports(Node::Switch(one));
                ports.map(PortId).any(|port| network.neighbor(port) == Some(Node::Switch(other)))
            };
            // Swapped within a block the cables would be where they were.
            if [a, b, c, d].iter().any(|switch| touched.contains(switch)) || joined(a, d) || joined(c, b) || a == c || b == d || a == d || b == c {
                continue;
            }
            touched.extend([a, b, c, d]);
            let upper = plan.cables[one].ends.iter().position(|(node, _)| *node == Node::Switch(b)).expect("an end");
            let other_upper = plan.cables[other].ends.iter().position(|(node, _)| *node == Node::Switch(d)).expect("an end");
            let end = plan.cables[one].ends[upper];
            plan.cables[one].ends[upper] = plan.cables[other].ends[other_upper];
            plan.cables[other].ends[other_upper] = end;
            expected.misplaced.push((a.min(d), a.max(d)));
            expected.misplaced.push((c.min(b), c.max(b)));
        }
        expected.misplaced.sort_unstable();
        let (plan, old) = plan.shuffled(seed);
        let network = plan.build();
        let extraction = extract(&network);
        let found = only(&extraction);
        check(&network, found);
        prop_assert_eq!([&found.children()[..], &found.parents(), &found.parallel()], [m, w, p]);
        prop_assert_eq!(wrong(&network, found, &old), expected);
        let explained = found.deviations().iter().all(|each| matches!(each, Deviation::Misplaced { instead: Some(_), .. }));
        prop_assert!(explained, "{:?}", found.deviations());
    }

    #[test]
    fn a_cable_to_a_wrong_switch_is_named((tree, seed, _) in damaged()) {
        let [m, w, p] = SOLID[tree];
        let network = xgft(m, w, p);
        let mut plan = Plan::of(&network);
        let mut stream = Stream::new(seed, "damage", 0);
        let cables = plan.between_switches();
        let cable = cables[stream.below(cables.len() as u32) as usize];
        let (stays, leaves) = switches(&plan.cables[cable]);
        let others = network.switches().filter(|switch| ![stays, leaves].contains(switch));
        let others: Vec<SwitchId> = others.collect();
        let to = others[stream.below(others.len() as u32) as usize];
        let end = plan.cables[cable].ends.iter().position(|(node, _)| *node == Node::Switch(leaves)).expect("an end");
        plan.cables[cable].ends[end] = (Node::Switch(to), plan.switches[to.index()]);
        plan.switches[to.index()] += 1;
        let (plan, old) = plan.shuffled(seed);
        let network = plan.build();
        let extraction = extract(&network);
        let found = only(&extraction);
        check(&network, found);
        prop_assert_eq!([&found.children()[..], &found.parents(), &found.parallel()], [m, w, p]);
        let misplaced = vec![(stays.min(to), stays.max(to))];
        prop_assert_eq!(wrong(&network, found, &old), Wrong { misplaced, ..Wrong::default() });
        let [Deviation::Misplaced { instead: Some(instead), .. }] = found.deviations() else {
            return Err(TestCaseError::fail(format!("{:?}", found.deviations())));
        };
        prop_assert!([stays, leaves].contains(&old[instead.index()]));
    }
}

/// The fabrics of a network that are trees, and the reasons of those that are none.
fn results(network: &Network) -> (Vec<ExtractedTree>, Vec<String>) {
    let (mut trees, mut reasons) = (Vec::new(), Vec::new());
    for fabric in extract(network).fabrics {
        match fabric.found {
            Ok(found) => {
                check(network, &found);
                trees.push(found);
            }
            Err(reason) => reasons.push(reason.text(network)),
        }
    }
    (trees, reasons)
}

fn texts(network: &Network, found: &ExtractedTree) -> Vec<String> {
    found.deviations().iter().map(|deviation| deviation.text(network)).collect()
}

#[test]
fn dead_switches_leave_gaps() {
    let whole = build(&KAryNTree::default());
    let Structure::Tree(tree) = whole.structure() else { panic!("a tree") };
    // A leaf switch, one of the second level in another subtree, and a root.
    let cases = [
        (
            tree.switch(1, 6),
            vec!["switch 4 of level 2 on level 2 has 3 switches below, usual are 4"],
        ),
        (
            tree.switch(2, 9),
            vec!["switch 8 of level 1 on level 1 has 3 switches above, usual are 4"],
        ),
        (
            tree.switch(3, 5),
            vec!["switch 1 of level 2 on level 2 has 3 switches above, usual are 4"],
        ),
    ];
    for (dead, expected) in cases {
        let failures = Failures { switches: vec![dead], ..Failures::default() };
        let network = whole.without(&failures);
        let extraction = extract(&network);
        assert_eq!(extraction.idle, [dead]);
        let found = only(&extraction);
        check(&network, found);
        assert_eq!(found.to_string(), "m=4.4.4 w=1.4.4 p=1.1.1");
        assert_eq!(texts(&network, found), expected);
        assert_eq!(found.places().len(), 47);
    }
    // In a tree of two levels nobody can tell that a root was meant to be there.
    let network = build(&FatTree::default());
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    let failures = Failures { switches: vec![tree.switch(2, 3)], ..Failures::default() };
    let (trees, _) = results(&network.without(&failures));
    assert_eq!(trees[0].to_string(), "m=8.16 w=1.7 p=1.1");
    assert!(trees[0].is_clean());
}

#[test]
fn partly_filled_trees_keep_their_slots() {
    let mut filled = KAryNTree::default();
    filled.cabling.filled = Some(3);
    filled.cabling.leaves = Some(13);
    let network = build(&filled);
    let extraction = extract(&network);
    assert_eq!(extraction.idle.len(), 3);
    let found = only(&extraction);
    // All leaf switches have three endpoints, so these are all slots that show.
    assert_eq!(found.to_string(), "m=3.4.4 w=1.4.4 p=1.1.1");
    assert_eq!(
        texts(&network, found),
        ["switch 12 of level 2 on level 2 has 1 switch below, usual are 4"]
    );
    // Endpoints that are missing here and there: the fullest leaf switch has all.
    let whole = build(&KAryNTree::default());
    let missing = [0, 1, 4, 22, 39, 60].map(EndpointId).to_vec();
    let network = whole.without(&Failures { endpoints: missing, ..Failures::default() });
    let (trees, _) = results(&network);
    assert_eq!(trees[0].to_string(), "m=4.4.4 w=1.4.4 p=1.1.1");
    assert_eq!(
        texts(&network, &trees[0]),
        [
            "switch 0 of level 1 has 2 of 4 endpoints",
            "switch 1 of level 1 has 3 of 4 endpoints",
            "switch 5 of level 1 has 3 of 4 endpoints",
            "switch 9 of level 1 has 3 of 4 endpoints",
            "switch 15 of level 1 has 3 of 4 endpoints",
        ]
    );
    assert_eq!(trees[0].slot(0).len(), 1);
    assert!(trees[0].slot(2).is_empty());
}

#[test]
fn slow_links_are_told_by_their_level() {
    let network = build(&KAryNTree { levels: 2, ..KAryNTree::default() });
    let mut plan = Plan::of(&network);
    let slow = Bandwidth::gbps(10);
    for cable in [3, 20] {
        plan.cables[cable].link.bandwidth = slow;
    }
    // All links of the endpoints on the first leaf switch are fast, which is fine.
    plan.cables[0].link.bandwidth = Bandwidth::gbps(200);
    let network = plan.build();
    let (trees, _) = results(&network);
    let slow: Vec<&Deviation> = trees[0].deviations().iter().collect();
    assert_eq!(slow.len(), 2);
    for deviation in slow {
        let Deviation::Slow { bandwidth, usual, .. } = deviation else { panic!("{deviation:?}") };
        assert_eq!((*bandwidth, *usual), (Bandwidth::gbps(10), Bandwidth::gbps(100)));
    }
    assert_eq!(
        texts(&network, &trees[0]),
        [
            "endpoint 3, port 0 leads to switch 0, port 3 at 10Gbps, usual are 100Gbps",
            "switch 2, port 4 leads to switch 4, port 2 at 10Gbps, usual are 100Gbps",
        ]
    );
    let slow = [3, 20].map(|cable| plan.cables[cable].ends);
    assert_eq!(slow[0], [(Node::Switch(SwitchId(0)), 3), (Node::Endpoint(EndpointId(3)), 0)]);
    assert_eq!(slow[1], [(Node::Switch(SwitchId(2)), 4), (Node::Switch(SwitchId(4)), 2)]);
}

/// Adds an endpoint to a switch of a plan.
fn hang(plan: &mut Plan, switch: SwitchId) {
    let endpoint = EndpointId(plan.endpoints.len() as u32);
    plan.endpoints.push(1);
    let port = (Node::Switch(switch), plan.switches[switch.index()]);
    plan.switches[switch.index()] += 1;
    let link = LINKS.of(LinkClass::Endpoint);
    plan.cables.push(Cable { ends: [(Node::Endpoint(endpoint), 0), port], link });
}

#[test]
fn endpoints_may_hang_on_upper_switches() {
    let trees: [&[&[u32]]; 6] = [
        &[&[4, 4], &[1, 4]],
        &[&[18, 36], &[1, 18]],
        &[&[4, 4, 4], &[1, 4, 4]],
        &[&[4, 2, 2], &[1, 4, 1]],
        // No two switches share several neighbors here.
        &[&[4, 3, 3], &[1, 1, 1]],
        &[&[8, 4, 4, 2], &[1, 8, 4, 2]],
    ];
    for widths in trees {
        let [m, w] = widths else { panic!("m and w") };
        let network = xgft(m, w, &[1]);
        let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
        for level in 2..=tree.levels() {
            let mut plan = Plan::of(&network);
            let switch = tree.switch(level, tree.width(level) - 1);
            hang(&mut plan, switch);
            hang(&mut plan, switch);
            let (plan, old) = plan.shuffled(7);
            let network = plan.build();
            let extraction = extract(&network);
            let found = only(&extraction);
            check(&network, found);
            assert_eq!((&found.children()[..], &found.parents()[..]), (*m, *w));
            assert_eq!(found.deviations().len(), 2);
            for deviation in found.deviations() {
                let Deviation::Above { switch: above, level: on, .. } = deviation else {
                    panic!("{deviation:?}");
                };
                assert_eq!((old[above.index()], *on), (switch, level));
            }
        }
    }
}

#[test]
fn a_leaf_switch_may_have_no_endpoint() {
    for text in [&[4, 4, 4][..], &[4, 8], &[4, 4, 2]] {
        let parents = vec![1; 1].into_iter().chain(vec![4; text.len() - 1]).collect::<Vec<u32>>();
        let network = xgft(text, &parents, &[1]);
        let endpoints = (8..12).map(EndpointId).collect();
        let network = network.without(&Failures { endpoints, ..Failures::default() });
        let (trees, reasons) = results(&network);
        assert!(reasons.is_empty());
        assert_eq!(texts(&network, &trees[0]), ["switch 2 of level 1 has 0 of 4 endpoints"]);
        assert_eq!((&trees[0].children()[..], trees[0].parents()), (text, parents));
    }
}

#[test]
fn pairs_of_leaf_switches_are_recognized() {
    // JuRoPA: the two switches of a pair are in different trees, joined by horizontal links only.
    let split = MultiCore {
        pairs: 216,
        hosts: 12,
        cores: 8,
        core_radix: 36,
        core_levels: 2,
        uplinks: 3,
        horizontal: 12,
        attach: crate::topology::Attach::Split,
    };
    let network = build(&split);
    let (trees, reasons) = results(&network);
    assert!(reasons.is_empty());
    assert_eq!(trees.len(), 2);
    for found in &trees {
        assert_eq!(found.to_string(), "m=12.6.36 w=1.4.18 p=1.3.1");
        assert!(found.is_clean());
        for leaf in found.level(1) {
            assert_eq!(leaf.siblings.len(), 12);
            let Some(Node::Switch(sibling)) = network.neighbor(leaf.siblings[0]) else {
                panic!("a switch")
            };
            assert_eq!(sibling.0, leaf.switch.0 ^ 1);
            assert!(found.place(sibling).is_none());
        }
    }
    // Pairs below one small core, and one cable between leaf switches that are no pair.
    let pairs = MultiCore {
        pairs: 2,
        hosts: 3,
        cores: 1,
        core_radix: 8,
        core_levels: 1,
        uplinks: 2,
        horizontal: 1,
        attach: crate::topology::Attach::All,
    };
    let (trees, _) = results(&build(&pairs));
    assert_eq!(trees[0].to_string(), "m=3.4 w=1.1 p=1.2");
    assert!(trees[0].is_clean() && trees[0].level(1).all(|leaf| leaf.siblings.len() == 1));
    let mut plan = Plan::of(&build(&FatTree { radix: 8, ..FatTree::default() }));
    let spare = |plan: &mut Plan, switch: u32| {
        plan.switches[switch as usize] += 1;
        (Node::Switch(SwitchId(switch)), plan.switches[switch as usize] - 1)
    };
    let ends = [spare(&mut plan, 2), spare(&mut plan, 5)];
    plan.cables.push(Cable { ends, link: LINKS.of(LinkClass::Switch) });
    let network = plan.build();
    let (trees, _) = results(&network);
    assert_eq!(
        texts(&network, &trees[0]),
        ["switch 2, port 8 leads to switch 5, port 8; no link belongs there"]
    );
}

#[test]
fn larger_systems_are_found() {
    let ranger = MultiCore {
        pairs: 288,
        hosts: 12,
        cores: 2,
        core_radix: 24,
        core_levels: 3,
        uplinks: 6,
        horizontal: 0,
        attach: crate::topology::Attach::All,
    };
    let network = Plan::of(&build(&ranger)).shuffled(3).0.build();
    check_clean(
        &network,
        only(&extract(&network)),
        [&[12, 2, 12, 24], &[1, 2, 12, 12], &[1, 6, 1, 1]],
    );
}

#[test]
fn rails_are_separate_trees() {
    // An endpoint with links to three switches lies in three networks (Prisacari 2020, Fig. 3.2).
    let network = xgft(&[2, 2], &[3, 3], &[1]);
    let (trees, _) = results(&network);
    assert_eq!(trees.len(), 3);
    for found in &trees {
        assert_eq!((found.to_string().as_str(), found.is_clean()), ("m=2.2 w=1.3 p=1.1", true));
    }
    // Two rails of different shape, and a cable between them that belongs to neither.
    let one = Plan::of(&xgft(&[4, 4, 4], &[1, 4, 4], &[1]));
    let other = Plan::of(&xgft(&[8, 8], &[1, 4], &[1, 2]));
    let mut both = one.clone();
    let first = one.switches.len() as u32;
    both.switches.extend(&other.switches);
    both.endpoints.iter_mut().for_each(|ports| *ports = 2);
    let moved = |(node, number): (Node, u32)| match node {
        Node::Switch(switch) => (Node::Switch(SwitchId(first + switch.0)), number),
        Node::Endpoint(_) => (node, number + 1),
    };
    both.cables
        .extend(other.cables.iter().map(|cable| Cable { ends: cable.ends.map(moved), ..*cable }));
    for joined in [false, true] {
        let mut plan = both.clone();
        if joined {
            plan.switches[3] += 1;
            plan.switches[first as usize + 9] += 1;
            let ends = [(Node::Switch(SwitchId(3)), 8), (Node::Switch(SwitchId(first + 9)), 16)];
            plan.cables.push(Cable { ends, link: LINKS.of(LinkClass::Switch) });
        }
        let (plan, _) = plan.shuffled(5);
        let network = plan.build();
        let (trees, _) = results(&network);
        let mut widths: Vec<String> = trees.iter().map(ToString::to_string).collect();
        widths.sort();
        assert_eq!(widths, ["m=4.4.4 w=1.4.4 p=1.1.1", "m=8.8 w=1.4 p=1.2"]);
        let deviations: Vec<&Deviation> =
            trees.iter().flat_map(ExtractedTree::deviations).collect();
        match joined {
            false => assert!(deviations.is_empty()),
            true => assert!(matches!(deviations[..], [Deviation::Misplaced { instead: None, .. }])),
        }
    }
}

#[test]
fn endpoints_on_several_leaf_switches_are_told() {
    let mut plan = Plan::of(&build(&KAryNTree { levels: 2, ..KAryNTree::default() }));
    plan.endpoints[0] = 2;
    plan.switches[3] += 1;
    let ends = [(Node::Endpoint(EndpointId(0)), 1), (Node::Switch(SwitchId(3)), 8)];
    plan.cables.push(Cable { ends, link: LINKS.of(LinkClass::Endpoint) });
    let network = plan.build();
    let (trees, _) = results(&network);
    let several = "endpoint 0 hangs on several leaf switches: switch 0, switch 3";
    assert!(texts(&network, &trees[0]).contains(&several.to_owned()));
}

#[test]
fn what_is_no_tree_says_why() {
    let torus = |x: u32, y: u32| {
        let mut plan =
            Plan { switches: vec![5; (x * y) as usize], endpoints: Vec::new(), cables: Vec::new() };
        for switch in 0..x * y {
            let (column, row) = (switch % x, switch / x);
            let right = row * x + (column + 1) % x;
            let below = (row + 1) % y * x + column;
            for (port, other) in [(0, right), (2, below)] {
                if other != switch {
                    let ends = [
                        (Node::Switch(SwitchId(switch)), port),
                        (Node::Switch(SwitchId(other)), port + 1),
                    ];
                    plan.cables.push(Cable { ends, link: LINKS.of(LinkClass::Switch) });
                }
            }
        }
        for switch in 0..x * y {
            hang(&mut plan, SwitchId(switch));
        }
        plan.build()
    };
    let rack_648 = MultiCore {
        pairs: 27,
        hosts: 12,
        cores: 1,
        core_radix: 36,
        core_levels: 2,
        uplinks: 12,
        horizontal: 12,
        attach: crate::topology::Attach::All,
    };
    let cases = [
        (torus(5, 1), "switch 0 and switch 1 are joined, and both are on level 1"),
        (torus(4, 4), "switch 0 and switch 1 are joined, and both are on level 1"),
        (
            build(&Dragonfly {
                endpoints: 1,
                switches: 2,
                global_links: 1,
                ..Dragonfly::default()
            }),
            "switch 0 of group 0 and switch 1 of group 0 are joined, and both are on level 1",
        ),
        (
            build(&Dragonfly::default()),
            "switch 0 of group 0 and switch 1 of group 0 are joined, and both are on level 1",
        ),
        // Of three rack switches the middle one is joined to two leaf switches of the core.
        (
            build(&rack_648),
            "no symmetric tree: rack switch 0.1 has 6 links to core leaf 0.0, where 0 would fit \
             the rest",
        ),
        (
            build(&Subnets::default()),
            "no symmetric tree: most places below router 0 and its like would be empty",
        ),
        (
            Plan {
                switches: vec![1, 1],
                endpoints: Vec::new(),
                cables: vec![Cable {
                    ends: [(Node::Switch(SwitchId(0)), 0), (Node::Switch(SwitchId(1)), 0)],
                    link: LINKS.of(LinkClass::Switch),
                }],
            }
            .build(),
            "no endpoint hangs on switch 0 or any switch that it is joined to",
        ),
    ];
    for (network, expected) in cases {
        let (trees, reasons) = results(&network);
        assert_eq!((trees.len(), &reasons[..]), (0, &[expected.to_owned()][..]));
    }
}

#[test]
fn an_endpoint_and_a_root_may_have_changed_places() {
    // Endpoint 811 hangs on a switch of the third level, and its leaf switch on a root instead.
    let network = xgft(&[2, 10, 10, 16], &[1, 10, 10, 10], &[1]);
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    let mut plan = Plan::of(&network);
    let cable = |plan: &Plan, one: Node, other: Node| {
        let joins = |cable: &Cable| {
            let ends = cable.ends.map(|(node, _)| node);
            ends == [one, other] || ends == [other, one]
        };
        plan.cables.iter().position(joins).expect("a cable")
    };
    let (leaf, middle) = (tree.switch(1, 896), tree.switch(3, 475));
    let root = tree.switch(4, 575);
    let endpoint = Node::Endpoint(EndpointId(896 * 2));
    let one = cable(&plan, Node::Switch(leaf), endpoint);
    let other = cable(&plan, Node::Switch(middle), Node::Switch(root));
    let end = plan.cables[one].ends[0];
    plan.cables[one].ends[0] = plan.cables[other].ends[0];
    plan.cables[other].ends[0] = end;
    let (plan, old) = plan.shuffled(1);
    let network = plan.build();
    let extraction = extract(&network);
    let found = only(&extraction);
    check(&network, found);
    assert_eq!(found.to_string(), "m=2.10.10.16 w=1.10.10.10 p=1.1.1.1");
    let is = |switch: SwitchId, was: SwitchId| old[switch.index()] == was;
    let [misplaced, above, slots] = found.deviations() else { panic!("{:?}", found.deviations()) };
    // One end of the cable between leaf switch and root should be on the middle switch.
    let Deviation::Misplaced { port, instead: Some(instead) } = misplaced else { panic!() };
    assert!(is(*instead, middle));
    assert!(matches!(network.owner(*port), Node::Switch(switch) if is(switch, root)));
    assert!(
        matches!(slots, Deviation::Endpoints { leaf: short, present: 1, slots: 2 } if is(*short, leaf))
    );
    assert!(matches!(above, Deviation::Above { switch, level: 3, .. } if is(*switch, middle)));
}
