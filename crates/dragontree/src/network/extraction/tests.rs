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

mod damage;
mod rails;
mod shapes;

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

/// Adds an endpoint to a switch of a plan.
fn hang(plan: &mut Plan, switch: SwitchId) {
    let endpoint = EndpointId(plan.endpoints.len() as u32);
    plan.endpoints.push(1);
    let port = (Node::Switch(switch), plan.switches[switch.index()]);
    plan.switches[switch.index()] += 1;
    let link = LINKS.of(LinkClass::Endpoint);
    plan.cables.push(Cable { ends: [(Node::Endpoint(endpoint), 0), port], link });
}
