//! Rails, kinds of channels, and routes that are no tables.

use std::sync::Arc;

use dragontree::analysis::{Bar, Connecting, Contending, Contention, Direction, Levels, rails};
use dragontree::network::{Builder, LinkClass, Network, Node, PortId, Structure};
use dragontree::routing::Routes;
use dragontree::scenario::{Experiment, Study};

use super::random::LINKS;

fn contention(network: &Arc<Network>, routes: &Arc<Routes>) -> Contention {
    let slots = rails(network)[0].ports.clone();
    Contending::shifts(network, routes, Levels::new(network), &slots).finish()
}

/// A shift at full load loads each channel between switches with as many times its rate as it
/// carries flows; those loads are found pair by pair.
#[test]
fn flows_are_the_loads_of_single_shifts() {
    for (text, endpoints) in [
        ("topology=xgft,m=4.2.4,w=1.2.2,p=1.1.2 routing=d_mod_k", 32),
        ("topology=xgft,m=6.3.2,w=1.2.3 routing=d_mod_k", 36),
        ("topology=dragonfly,p=2,a=4,h=2 routing=minimal", 72),
        ("topology=dragonfly,p=2,a=4,h=2,groups=4 routing=minimal", 32),
    ] {
        let mut expected = Vec::new();
        let mut last: Option<Experiment> = None;
        for by in 1..endpoints {
            let study = Study::parse(&format!("{text} traffic=shift,by={by} load=1")).unwrap();
            let plan = study.plan().unwrap();
            let built = Experiment::build(plan.jobs[0].scenario(), last.as_ref()).unwrap();
            let utilization = &built.analysis().report.utilization;
            let between = |port: &PortId| {
                let ends = [Some(built.network().owner(*port)), built.network().neighbor(*port)];
                ends.iter().all(|end| matches!(end, Some(Node::Switch(_))))
            };
            let ports = (0..built.network().port_count()).map(PortId).filter(between);
            expected.push(ports.map(|port| utilization[port.index()]).fold(0.0, f64::max));
            last = Some(built);
        }
        let built = last.unwrap();
        let found = contention(built.network(), built.routes().fixed().expect("fixed routes"));
        assert_eq!(found.per_stage.len(), expected.len());
        for (found, expected) in found.per_stage.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-6, "{text}: {found} {expected}");
        }
        assert!(text.contains("groups=4") == (found.per_stage.iter().any(|f| f.fract() > 0.0)));
    }
}

#[test]
fn kinds_of_channels_are_told_apart() {
    let network = |text: &str| {
        let plan = Study::parse(text).unwrap().plan().unwrap();
        let network = plan.jobs[0].scenario().network().unwrap();
        let routes = plan.jobs[0].scenario().routing.role().routes(&network).unwrap();
        contention(&network, &Arc::new(routes))
    };
    let kinds = |found: &Contention| -> Vec<(String, Option<Direction>, u32)> {
        let kinds = found.per_level.iter();
        kinds.map(|kind| (kind.level.clone(), kind.direction, kind.channels)).collect()
    };
    let tree = network("topology=xgft,m=4.4.2,w=1.4.2 routing=d_mod_k");
    let (up, down) = (Some(Direction::Up), Some(Direction::Down));
    let level = |level: u32, direction, channels| (format!("level {level}"), direction, channels);
    assert_eq!(
        kinds(&tree),
        [level(2, up, 32), level(2, down, 32), level(3, up, 16), level(3, down, 16)]
    );
    // 32 endpoints and 16 links to the roots: the channels at the top carry two flows.
    assert_eq!(tree.per_level[2].worst, 2.0);
    assert_eq!(tree.per_level[0].worst, 1.0);
    let bars = [Bar { flows: 1, channels: 64 }, Bar { flows: 2, channels: 32 }];
    assert_eq!(tree.histogram, bars);
    let dragonfly = network("topology=dragonfly,p=1,a=2,h=1 routing=minimal");
    let kinds = kinds(&dragonfly);
    assert_eq!(kinds, [("local".to_owned(), None, 6), ("global".to_owned(), None, 6)]);
}

/// Two planes of two switches each. Endpoints 0 to 3 are on both, 4 on the second only, 5 has no
/// cable; a switch of the first plane has lost its link to the other, and endpoint 3 is on it.
/// Endpoint 6 has both ports on the second plane.
#[test]
fn rails_follow_what_the_switches_join() {
    let mut builder = Builder::new(&LINKS);
    let switches: Vec<_> = (0..5).map(|_| Node::Switch(builder.switch(16))).collect();
    let endpoints: Vec<_> = (0..7).map(|_| Node::Endpoint(builder.endpoint(2))).collect();
    for (one, other) in [(0, 1), (3, 4)] {
        builder.link((switches[one], 15), (switches[other], 15), LinkClass::Switch);
    }
    let cables: [(usize, u32, usize); 11] = [
        (0, 0, 0),
        (0, 1, 3),
        (1, 0, 1),
        (1, 1, 4),
        (2, 1, 1),
        (2, 0, 3),
        (3, 0, 2),
        (3, 1, 4),
        (4, 0, 4),
        (6, 0, 3),
        (6, 1, 4),
    ];
    for (endpoint, port, switch) in cables {
        let end = (endpoints[endpoint], port);
        builder.link((switches[switch], endpoint as u32 * 2 + port), end, LinkClass::Endpoint);
    }
    let network = builder.finish(Structure::Irregular).unwrap();
    let ports = |endpoint: usize| network.ports(endpoints[endpoint]);
    let numbers = |rail: &dragontree::analysis::Rail| -> Vec<Option<u32>> {
        let place = |(endpoint, port): (usize, &Option<PortId>)| {
            port.map(|port| port.0 - ports(endpoint).start)
        };
        rail.ports.iter().enumerate().map(place).collect()
    };
    // The second plane has the most ports, and endpoint 6 is on it twice, so it makes two rails;
    // the first plane and the lonely switch make the third.
    let found = rails(&network);
    let (first, second) = (Some(0), Some(1));
    assert_eq!(numbers(&found[0]), [second, second, first, second, first, None, first]);
    assert_eq!(numbers(&found[1]), [None, None, None, None, None, None, second]);
    assert_eq!(numbers(&found[2]), [first, first, second, first, None, None, None]);
    assert_eq!(found.len(), 3);
    let switches = |rail: usize| found[rail].switches.iter().map(|s| s.0).collect::<Vec<_>>();
    assert_eq!([switches(0), switches(1), switches(2)], [vec![3, 4], vec![3, 4], vec![0, 1, 2]]);
}

#[test]
fn endpoints_with_one_port_are_one_rail() {
    for text in ["topology=dragonfly,p=1,a=2,h=1", "topology=xgft,m=4.4,w=1.4"] {
        let plan = Study::parse(text).unwrap().plan().unwrap();
        let network = plan.jobs[0].scenario().network().unwrap();
        let rails = rails(&network);
        assert_eq!(rails.len(), 1);
        assert!(rails[0].ports.iter().all(Option::is_some));
        assert_eq!(rails[0].switches, network.switches().collect::<Vec<_>>());
    }
}

/// Routes that are no tables are walked, shared ways once.
#[test]
fn oblivious_routes_connect_all_pairs() {
    let text = "topology=dragonfly,p=2,a=4,h=2,groups=4 routing=minimal";
    let plan = Study::parse(text).unwrap().plan().unwrap();
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).unwrap();
    let network = experiment.network();
    let rail = &rails(network)[0];
    let found =
        Connecting::new(network, experiment.routes().fixed().expect("fixed routes"), rail).finish();
    let pairs = found.endpoint_pairs;
    assert_eq!((pairs.total, pairs.connected, pairs.routed), (32 * 31, 32 * 31, 32 * 31));
    // Local, global, local at most; a global link that starts or ends here is not always on a
    // shortest way.
    assert_eq!(pairs.longest, 3);
    assert_eq!((found.switch_pairs, found.gap_count), (None, 0));
}
