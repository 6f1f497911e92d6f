//! Broadcasts: everybody gets everything whatever the shape of the tree, its ranks and what it is laid
//! over.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::VecDeque;
use std::sync::Arc;

use dragontree::catalog::Files;
use dragontree::exchange::{Message, Moment, Workload};
use dragontree::network::{EndpointId, Forward, Lfts, Network, Node, PortId, SwitchId};
use dragontree::random::Stream;
use dragontree::routing::{Pair, Routes};
use dragontree::scenario::{Exchanging, Reordered, Scenario, Study};
use dragontree::units::Rank;
use proptest::prelude::*;
use proptest::sample::select;

struct Built {
    scenario: Scenario,
    network: Arc<Network>,
    routes: Option<Arc<Routes>>,
    exchanging: Exchanging,
}

fn build(text: &str, files: &Files) -> Built {
    let study = Study::parse(text).unwrap_or_else(|problems| panic!("{text}\n{problems}"));
    let mut plan = study.plan().unwrap();
    plan.attach(files);
    let scenario = plan.jobs[0].scenario().clone();
    let network = scenario.network().unwrap();
    let routes = scenario.routes_to_ask(&network).unwrap();
    let exchanging = scenario.exchanging(&network).unwrap().unwrap();
    Built { scenario, network, routes, exchanging }
}

fn built(text: &str) -> Built {
    build(text, &Files::default())
}

impl Built {
    fn reordered(&self) -> Reordered<'_> {
        self.scenario.reordered(&self.network, self.routes.as_deref()).unwrap().unwrap()
    }

    fn at(&self, rank: u32) -> EndpointId {
        self.exchanging.placement[rank as usize]
    }
}

/// Runs a workload with deliveries in any order; `post` and `deliver` see every message.
fn replay(workload: &Workload, seed: u64, mut see: impl FnMut(&Message, Moment)) -> u64 {
    let mut stream = Stream::new(seed, "test", 0);
    let mut state = workload.start();
    let (mut post, mut way) = (Vec::new(), Vec::new());
    (0..workload.ranks()).for_each(|rank| workload.begin(&mut state, Rank(rank), &mut post));
    let mut arrived = 0;
    loop {
        for message in std::mem::take(&mut post) {
            see(&message, Moment::Sent);
            way.push(message);
            workload.react(&mut state, Moment::Sent, &message, &mut post);
        }
        if !post.is_empty() {
            continue;
        }
        if way.is_empty() {
            return arrived;
        }
        let message = way.swap_remove(stream.below(way.len() as u32) as usize);
        see(&message, Moment::Delivered);
        arrived += 1;
        workload.react(&mut state, Moment::Delivered, &message, &mut post);
    }
}

/// Links between the switches of two endpoints, by breadth-first search over the ports.
fn hops(network: &Network, ends: [EndpointId; 2]) -> u64 {
    let [from, to] = ends.map(|end| network.switch_of(end).unwrap());
    let mut far = vec![None; network.switch_count() as usize];
    far[from.index()] = Some(0);
    let mut next = VecDeque::from([from]);
    while let Some(switch) = next.pop_front() {
        let distance: u64 = far[switch.index()].unwrap();
        let others: Vec<SwitchId> = network
            .ports(Node::Switch(switch))
            .filter_map(|port| match network.neighbor(PortId(port))? {
                Node::Switch(other) => Some(other),
                Node::Endpoint(_) => None,
            })
            .collect();
        for other in others {
            if far[other.index()].is_none() {
                far[other.index()] = Some(distance + 1);
                next.push_back(other);
            }
        }
    }
    far[to.index()].unwrap()
}

/// Links between the switches of two endpoints on the way that forwarding tables lead along.
fn hops_on_tables(network: &Network, lfts: &Lfts, ends: [EndpointId; 2]) -> u64 {
    let target = network.endpoint_target(ends[1]).unwrap();
    let (mut at, mut links) = (network.switch_of(ends[0]).unwrap(), 0);
    loop {
        let Forward::Port(number) = lfts.get(at, target) else { panic!("no way on from {at:?}") };
        match network.neighbor(network.port(at, number)).unwrap() {
            Node::Switch(next) => at = next,
            Node::Endpoint(endpoint) => {
                assert_eq!(endpoint, ends[1]);
                return links;
            }
        }
        links += 1;
    }
}

/// The same on the only way that packets take.
fn hops_of_packets(
    network: &Network,
    routes: &Routes,
    [source, destination]: [EndpointId; 2],
) -> u64 {
    let mut way = Vec::new();
    let from = network.switch_of(source).unwrap();
    assert!(routes.route().only_way(from, Pair { source, destination }, &mut way));
    way.len() as u64 - 1
}

/// The leaders by the document's rule, found with the whole matrix: places are visited in order, and each
/// takes the free leader nearest to the one above, the first of several.
fn greedy(leaders: &[u32], visited: &[(u32, u32)], delay: impl Fn(u32, u32) -> u64) -> Vec<u32> {
    let mut at = vec![leaders[0]; leaders.len()];
    let mut free = leaders[1..].to_vec();
    for (parent, place) in visited {
        let above = at[*parent as usize];
        let near = (0..free.len()).min_by_key(|own| (delay(above, free[*own]), *own)).unwrap();
        at[*place as usize] = free.remove(near);
    }
    at
}

/// Parent and child of each edge of a k-nomial tree, as it is defined: a place's parent is the place with
/// its lowest digit that is not 0 cleared.
fn edges(k: u32, count: u32, depth_first: bool) -> Vec<(u32, u32)> {
    let weight =
        |place: u32| (0..).map(|l| k.pow(l)).find(|w| !(place / w).is_multiple_of(k)).unwrap();
    let parent = |place: u32| place - place / weight(place) % k * weight(place);
    let children = |own: u32| {
        let mut all: Vec<u32> = (1..count).filter(|place| parent(*place) == own).collect();
        all.sort_by_key(|place| (std::cmp::Reverse(weight(*place)), *place));
        all
    };
    let mut left = VecDeque::from([0]);
    let mut visited = Vec::new();
    while let Some(place) = left.pop_front() {
        if place > 0 {
            visited.push((parent(place), place));
        }
        match depth_first {
            true => children(place).into_iter().rev().for_each(|child| left.push_front(child)),
            false => left.extend(children(place)),
        }
    }
    visited
}

const FABRICS: &[(&str, u32)] = &[
    ("topology=xgft,m=4.3.2,w=1.4.2", 24),
    ("topology=xgft,m=8.4,w=1.4", 32),
    ("topology=dragonfly,p=2,a=4,h=1", 40),
    ("topology=torus,widths=4.3,p=2", 24),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_tree_delivers_to_every_rank_once(
        (fabric, endpoints) in select(FABRICS),
        (share, residents, k) in (1_u32..=100, 1_u32..=4, 2_u32..=6),
        order in select(&["rank", "breadth_first", "depth_first"][..]),
        by in select(&["hops", "speed"][..]),
        placement in select(&["contiguous", "random"][..]),
        leaders in any::<bool>(),
        seed in 0_u64..1000,
    ) {
        let ranks = 2 + (endpoints * residents - 2) * share / 100;
        let root = seed as u32 % ranks;
        let between = if leaders { "leaders" } else { "ranks" };
        let text = format!(
            "{fabric} ranks={ranks} ranks_per_endpoint={residents} placement={placement} seed={seed} \
             exchange=broadcast,k={k},root={root},between={between},order={order},by={by}"
        );
        let built = built(&text);
        let mut has = vec![false; ranks as usize];
        has[root as usize] = true;
        let mut between_endpoints = 0;
        let arrived = replay(&built.exchanging.exchanged.workload, seed, |message, moment| {
            assert_eq!(message.bytes, built.scenario.bytes);
            if moment == Moment::Sent {
                assert!(has[message.source.0 as usize], "{text}: {message:?}");
            } else {
                assert!(!std::mem::replace(&mut has[message.destination.0 as usize], true), "{text}");
                let [one, other] = [message.source, message.destination].map(|r| built.at(r.0));
                between_endpoints += u32::from(one != other);
            }
        });
        prop_assert_eq!(arrived, u64::from(ranks) - 1);
        prop_assert!(has.into_iter().all(|has| has));
        let mut used = built.exchanging.placement.clone();
        used.sort_unstable();
        used.dedup();
        if leaders {
            prop_assert_eq!(between_endpoints + 1, used.len() as u32);
        }
    }

    #[test]
    fn parts_are_scattered_and_gathered_by_all(
        (fabric, endpoints) in select(FABRICS),
        (share, residents) in (1_u32..=100, 1_u32..=3),
        order in select(&["rank", "breadth_first", "depth_first"][..]),
        seed in 0_u64..1000,
    ) {
        let ranks = 2 + (endpoints * residents - 2) * share / 100;
        let root = seed as u32 % ranks;
        let text = format!(
            "{fabric} ranks={ranks} ranks_per_endpoint={residents} bytes=10007B seed={seed} \
             exchange=broadcast,tree=scatter_allgather,root={root},between=leaders,order={order}"
        );
        let built = built(&text);
        let count = built.exchanging.placement.iter().max().unwrap().0 + 1;
        let places: Vec<u32> = match order {
            "rank" => {
                let first = |endpoint: u32| (0..ranks).find(|rank| built.at(*rank).0 == endpoint);
                let home = built.at(root).0;
                let leader = |endpoint: u32| if endpoint == home { root } else { first(endpoint).unwrap() };
                (0..count).map(|own| leader((home + own) % count)).collect()
            }
            _ => built.reordered().ranks().unwrap(),
        };
        let place = |rank: Rank| places.iter().position(|own| *own == rank.0);
        // The parts that each place has; a part is the share of one place.
        let mut has: Vec<Vec<bool>> = vec![vec![false; count as usize]; count as usize];
        has[0] = vec![true; count as usize];
        let mut whole = vec![0; ranks as usize];
        let cut = |part: u32| 10007 * u64::from(part) / u64::from(count);
        replay(&built.exchanging.exchanged.workload, seed, |message, moment| {
            let ends = [message.source, message.destination];
            let [Some(from), Some(to)] = ends.map(place) else {
                // Within an endpoint everything goes at once, when its leader has it.
                assert!(has[place(message.source).unwrap()].iter().all(|has| *has), "{text}");
                assert_eq!(built.at(ends[0].0), built.at(ends[1].0));
                whole[ends[1].0 as usize] += u32::from(moment == Moment::Delivered);
                return assert_eq!(message.bytes.0, 10007);
            };
            let index = message.label as u32;
            let parts = if index < count - 1 {
                to as u32..(to as u32 + (1 << to.trailing_zeros())).min(count)
            } else {
                let round = (index - (count - 1)) / count;
                match count.is_power_of_two() {
                    true => {
                        let start = from as u32 >> round << round;
                        start..start + (1 << round)
                    }
                    false => {
                        let part = (from as u32 + count - round) % count;
                        part..part + 1
                    }
                }
            };
            assert_eq!(message.bytes.0, cut(parts.end) - cut(parts.start), "{text}");
            for part in parts {
                match moment {
                    Moment::Sent => assert!(has[from][part as usize], "{text}: {message:?}"),
                    _ => has[to][part as usize] = true,
                }
            }
        });
        prop_assert!(has.iter().flatten().all(|has| *has), "{}", text);
        let others = whole.iter().filter(|got| **got == 1).count() as u32;
        prop_assert_eq!(others + count, ranks, "{}", text);
    }

    #[test]
    fn the_nearest_leader_follows(
        (fabric, endpoints) in select(FABRICS),
        (share, k, seed) in (1_u32..=100, 2_u32..=6, 0_u64..1000),
        depth_first in any::<bool>(),
    ) {
        let ranks = 2 + (endpoints - 2) * share / 100;
        let root = seed as u32 % ranks;
        let order = if depth_first { "depth_first" } else { "breadth_first" };
        let text = format!(
            "{fabric} ranks={ranks} placement=random seed={seed} \
             exchange=broadcast,k={k},root={root},order={order}"
        );
        let built = built(&text);
        let leaders: Vec<u32> = (root..ranks).chain(0..root).collect();
        let delay = |one: u32, other: u32| hops(&built.network, [one, other].map(|rank| built.at(rank)));
        let expected = greedy(&leaders, &edges(k, ranks, depth_first), delay);
        prop_assert_eq!(built.reordered().ranks().unwrap(), expected);
    }
}

/// The document's delays are what the service of routes tells, which reads the switches' tables
/// (Subramoni et al. 2011, §IV-A). Up*/Down* leads around a torus the long way to keep its channels
/// free of cycles; among failed cables MinHop's ways are longer than those of the whole fabric; over a
/// dragonfly's only link to a group a way may take a hop more than over two links by a third group.
#[test]
fn near_is_what_the_way_of_messages_makes_near() {
    let mut differing = 0;
    for (fabric, ranks) in [
        ("topology=torus,widths=7,p=2 routing=up_down", 14),
        ("topology=torus,widths=5.4,p=1 routing=up_down", 20),
        ("topology=torus,widths=4.4,p=2 routing=min_hop faults=random,links=6", 32),
        ("topology=xgft,m=4.3.2,w=1.4.2 routing=d_mod_k", 24),
        ("topology=dragonfly,p=1,a=4,h=2 routing=minimal", 36),
    ] {
        for (order, root, seed) in [("depth_first", 0, 1), ("breadth_first", 5, 2)] {
            let built = built(&format!(
                "{fabric} placement=random seed={seed} exchange=broadcast,root={root},order={order}"
            ));
            let routes = built.scenario.routes(&built.network).unwrap();
            let lfts = routes.oblivious().lfts();
            let ends = |one: u32, other: u32| [one, other].map(|rank| built.at(rank));
            let leaders: Vec<u32> = (root..ranks).chain(0..root).collect();
            let edges = edges(4, ranks, order == "depth_first");
            let expected = greedy(&leaders, &edges, |one, other| match &lfts {
                Some(lfts) => hops_on_tables(&built.network, lfts, ends(one, other)),
                None => hops_of_packets(&built.network, &routes, ends(one, other)),
            });
            assert_eq!(built.reordered().ranks().unwrap(), expected, "{fabric} {order}");
            // What is simulated stands in this order, too.
            let Workload::List(list) = &built.exchanging.exchanged.workload else { panic!() };
            let sent = list.messages().iter().map(|m| (m.source.0, m.destination.0));
            let mut sent: Vec<_> = sent.collect();
            let at = |place: u32| expected[place as usize];
            let mut laid: Vec<_> = edges.iter().map(|(from, to)| (at(*from), at(*to))).collect();
            sent.sort_unstable();
            laid.sort_unstable();
            assert_eq!(sent, laid, "{fabric} {order}");
            let shortest =
                greedy(&leaders, &edges, |one, other| hops(&built.network, ends(one, other)));
            differing += u32::from(shortest != expected);
        }
    }
    assert!(differing >= 4, "{differing}");
}

/// A switch with eight endpoints, the even ones on links of 16 Gbit/s, the odd ones of 8; worked out by
/// hand from the rule (Subramoni et al. 2011, §IV-B).
#[test]
fn fast_endpoints_take_the_inner_places() {
    let lines =
        (0..8).map(|own| format!("H{own},0,S,{own},endpoint,{}Gbps,50ns\n", 16 - own % 2 * 8));
    let file = format!("from,port,to,port,class,bandwidth,latency\n{}", lines.collect::<String>());
    let mut files = Files::default();
    let digest = files.add("mixed.csv", &file);
    let arranged = |order: &str| {
        let text = format!(
            "topology=imported,data=file.{digest:016x} exchange=broadcast,order={order},by=speed"
        );
        build(&text, &files).reordered().ranks().unwrap()
    };
    assert_eq!(arranged("breadth_first"), [0, 4, 6, 1, 2, 3, 5, 7]);
    assert_eq!(arranged("depth_first"), [0, 3, 5, 7, 2, 4, 6, 1]);
}

/// A call counts what the document's library does: the matrix grows with the square of the leaders
/// (Subramoni et al. 2011, Table III).
#[test]
fn what_reordering_takes_is_counted() {
    let overhead = |residents: u32, by: &str| {
        let text = format!(
            "topology=xgft,m=8.4,w=1.4 ranks_per_endpoint={residents} \
             exchange=broadcast,between=leaders,order=depth_first,by={by}"
        );
        built(&text).reordered().overhead()
    };
    let hops = overhead(4, "hops");
    assert_eq!((hops.leaders, hops.delays, hops.queries), (32, 1024, 496));
    assert_eq!((hops.messages, hops.comparisons), (31, 496));
    let speed = overhead(1, "speed");
    assert_eq!((speed.queries, speed.messages), (32, 32 * 5));
}

/// Of what a first call takes, a later one from another root needs only the search for the nearest (0.13
/// of 11.6 ms, 1.5 of 30.8 and 2.4 of 115.5 with 8, 16 and 32 leaders), one from the same root nothing
/// (Subramoni et al. 2011, Table III): the delays are those that are known.
#[test]
fn another_root_needs_no_other_delays() {
    for (ranks, first, later) in [(8, 127, 28), (16, 511, 120), (32, 2047, 496)] {
        let text =
            format!("topology=xgft,m=8.4,w=1.4 ranks={ranks} exchange=broadcast,order=depth_first");
        let overhead = built(&text).reordered().overhead();
        assert_eq!(overhead.steps(), first);
        assert_eq!((overhead.later(true).steps(), overhead.later(false).steps()), (0, later));
    }
    for rest in [
        "exchange=broadcast,order=breadth_first",
        "ranks_per_endpoint=3 exchange=broadcast,between=leaders,order=depth_first",
        "ranks_per_endpoint=3 exchange=broadcast,between=leaders,order=breadth_first placement=random",
        "bandwidth=100Gbps,endpoint=40Gbps exchange=broadcast,order=depth_first,by=speed",
    ] {
        let of = |root: u32| {
            let from = format!("broadcast,root={root}");
            let text = format!("topology=xgft,m=4.4,w=1.2 {rest}").replace("broadcast", &from);
            built(&text)
        };
        let known = of(0);
        for root in [0, 1, 5, 11] {
            let again = known.reordered().ranks_from(root).unwrap();
            assert_eq!(again, of(root).reordered().ranks().unwrap(), "{rest} from {root}");
            assert_eq!(again[0], root);
        }
        let refused = known.reordered().ranks_from(1000).unwrap_err().to_string();
        assert!(refused.contains("root: “1000” was given"), "{refused}");
    }
}
