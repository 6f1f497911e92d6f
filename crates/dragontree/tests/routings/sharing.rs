//! What is found of routes by walking those that pairs share once, against walking every pair.

use std::sync::Arc;

use dragontree::analysis::{
    Connecting, Connectivity, Contending, Contention, Deadlock, Dependencies, Ends, Levels,
    Verdict, rails_of,
};
use dragontree::network::{EndpointId, Network, PortId, SwitchId};
use dragontree::random::Stream;
use dragontree::routing::{
    DModK, DimensionOrder, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Routing, SModK,
    Sharing, Unroutable, Waypoints,
};
use dragontree::scenario::Study;
use dragontree::topology::{Build, Mesh, Torus};

use crate::fabrics::*;
use crate::found_trees::from_file;
use crate::ftree::{broken, random_tree};

/// The same routes, of which it is not known what they share.
struct Plain(Box<dyn Oblivious>);

impl Route for Plain {
    fn virtual_channels(&self) -> u8 {
        self.0.virtual_channels()
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, queues: &dyn Queues) -> Waypoints {
        self.0.inject(pair, stream, queues)
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        self.0.next(at, header)
    }
}

impl Oblivious for Plain {
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        self.0.choices(pair, show);
    }

    fn sharing(&self) -> Sharing {
        Sharing::Nothing
    }
}

/// The routes as they are, and as plain ones.
fn both(network: &Arc<Network>, routing: &Routing) -> Option<[Arc<Routes>; 2]> {
    let found = || match routing.role().find(network, 1) {
        Ok(Routes::Oblivious(routes)) => Some(routes),
        _ => None,
    };
    let plain = Routes::Oblivious(Box::new(Plain(found()?)));
    Some([Routes::Oblivious(found()?), plain].map(Arc::new))
}

fn shifts(network: &Arc<Network>, routes: &Arc<Routes>, slots: &[Option<PortId>]) -> Contention {
    Contending::shifts(network, routes, Levels::found(network), slots).finish()
}

fn connectivity(network: &Arc<Network>, routes: &Arc<Routes>) -> Connectivity {
    Connecting::new(network, routes, &rails_of(network, routes)[0]).finish()
}

/// Without the names of channels that differ with the order in which pairs are walked.
fn deadlock(network: &Arc<Network>, routes: &Arc<Routes>) -> (u64, u64, u32, u32, Option<usize>) {
    let ends = Ends::ENDPOINTS;
    let found: Deadlock = Dependencies::new(network, routes, ends, ends).finish();
    let Deadlock { pairs, unroutable, buffers, dependencies, verdict } = found;
    let cycle = match verdict {
        Verdict::Acyclic(_) => None,
        Verdict::Cyclic(cycle) => Some(cycle.len()),
    };
    (pairs, unroutable, buffers, dependencies, cycle)
}

/// Every endpoint once, in a random order, and empty slots among them.
fn scrambled(network: &Network, stream: &mut Stream) -> Vec<Option<PortId>> {
    let mut slots: Vec<Option<PortId>> =
        network.endpoints().map(|endpoint: EndpointId| network.injection(endpoint)).collect();
    stream.shuffle(&mut slots);
    slots
}

fn check(network: &Arc<Network>, routing: &Routing, stream: &mut Stream) -> u64 {
    let Some([shared, plain]) = both(network, routing) else { panic!("routes") };
    let in_order: Vec<Option<PortId>> =
        network.endpoints().map(|endpoint| network.injection(endpoint)).collect();
    for slots in [in_order, scrambled(network, stream)] {
        let [one, other] = [&shared, &plain].map(|routes| shifts(network, routes, &slots));
        assert_eq!(one, other);
    }
    let [one, other] = [&shared, &plain].map(|routes| deadlock(network, routes));
    assert_eq!(one, other);
    let [one, other] = [&shared, &plain].map(|routes| connectivity(network, routes));
    assert_eq!(one.endpoint_pairs, other.endpoint_pairs);
    let lost = |found: &Connectivity| found.gaps.iter().map(|gap| gap.sources).sum::<u64>();
    if one.gap_count <= 50 && other.gap_count <= 50 {
        assert_eq!(lost(&one), lost(&other));
    }
    one.endpoint_pairs.total - one.endpoint_pairs.routed
}

#[test]
fn what_pairs_share_is_walked_once_with_the_same_result() {
    let mut stream = Stream::new(21, "sharing", 0);
    let (mut lost, mut whole) = (0, 0);
    for round in 0..60 {
        let tree = random_tree(&mut stream);
        let told = broken(&tree, &mut stream, round % 4, round % 3);
        for routing in [Routing::from(SModK), DModK.into()] {
            let missing = check(&told, &routing, &mut stream);
            lost += missing;
            whole += u32::from(missing == 0);
            let found = from_file(&told, &mut stream);
            if both(&found, &routing).is_some() {
                lost += check(&found, &routing, &mut stream);
            }
        }
    }
    assert!(lost > 1000 && whole > 20, "{lost} {whole}");
    let mesh = Arc::new(Mesh::default().build(&LINKS).expect("a mesh"));
    let torus = Arc::new(Torus::default().build(&LINKS).expect("a torus"));
    for network in [mesh, torus] {
        assert_eq!(check(&network, &DimensionOrder.into(), &mut stream), 0);
    }
}

/// Routes that pairs between two switches share; some pairs have several ways.
const BETWEEN_SWITCHES: &[&str] = &[
    "topology=dragonfly,p=2,a=4,h=2 routing=minimal",
    "topology=dragonfly,p=3,a=2,h=1 routing=minimal",
    "topology=dragonfly,p=1,a=4,h=1,local=flattened routing=minimal",
    "topology=dragonfly,p=2,a=4,h=2,groups=4 routing=minimal",
    "topology=dragonfly,p=2,a=4,h=2 faults=random,links=12,seed=3 routing=minimal",
    "topology=dragonfly,p=2,a=4,h=2 faults=random,endpoints=9,switches=1 routing=minimal",
    "topology=dragonfly,p=1,a=2,h=1 routing=valiant",
    "topology=slim_fly,q=5 routing=minimal",
    "topology=oft,k=3 routing=minimal",
    "topology=xgft,m=3.4,w=1.2 routing=dynamic_random",
];

#[test]
fn shifts_over_ways_between_switches_are_those_of_every_pair() {
    let mut stream = Stream::new(5, "sharing", 0);
    let [mut lost, mut parted, mut whole] = [0; 3];
    for text in BETWEEN_SWITCHES {
        let plan = Study::parse(text).expect(text).plan().expect(text);
        let scenario = plan.jobs[0].scenario();
        let network = scenario.network().expect(text);
        let [shared, plain] = both(&network, &scenario.routing).expect(text);
        let in_order = network.endpoints().map(|endpoint| network.injection(endpoint)).collect();
        let mut gaps = scrambled(&network, &mut stream);
        gaps.extend([None; 3]);
        gaps.rotate_right(1);
        for slots in [in_order, scrambled(&network, &mut stream), gaps] {
            let begin = || Contending::shifts(&network, &shared, Levels::found(&network), &slots);
            let mut contending = begin();
            assert_eq!(contending.ways(), 0, "{text}");
            let found = loop {
                if let Some(found) = contending.advance(7) {
                    break found;
                }
            };
            assert_eq!(found, shifts(&network, &plain, &slots), "{text}");
            assert_eq!(found, begin().finish(), "{text}");
            lost += found.unrouted;
            parted += u64::from(contending.ways() > 0);
            whole += u64::from(contending.ways() == 0);
        }
    }
    assert!(lost > 100 && parted >= 9 && whole >= 12, "{lost} {parted} {whole}");
}
