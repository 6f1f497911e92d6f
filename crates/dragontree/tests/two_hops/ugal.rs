//! UGAL routing: what it decides, and what comes of it.

use std::collections::{BTreeMap, BTreeSet};

use dragontree::network::{Node, PortId};
use dragontree::random::Stream;
use dragontree::routing::{Header, Pair, Queues};
use dragontree::scenario::Experiment;
use dragontree::simulation::{Progress, Report, Simulation};
use dragontree::units::Bytes;

use super::valiant::DRAGONFLIES;
use super::{SMALL, closes_a_cycle, experiment, found, pairs, switch_of};

/// The length of every output's queue.
struct Same(u64);

impl Queues for Same {
    fn queued(&self, _port: PortId) -> Bytes {
        Bytes(self.0)
    }

    fn capacity(&self) -> Bytes {
        Bytes(100_000)
    }
}

/// One long queue.
struct Only(PortId);

impl Queues for Only {
    fn queued(&self, port: PortId) -> Bytes {
        Bytes(if port == self.0 { 10_000 } else { 0 })
    }

    fn capacity(&self) -> Bytes {
        Bytes(100_000)
    }
}

/// The ports between switches that a packet takes, with their virtual channels.
fn decided(
    experiment: &Experiment,
    pair: Pair,
    stream: &mut Stream,
    queues: &dyn Queues,
) -> Vec<(PortId, u8)> {
    let (network, route) = (experiment.network(), experiment.routes().route());
    let waypoints = route.inject(pair, stream, queues);
    let mut header = Header { destination: pair.destination, waypoints, stage: 0 };
    let (mut at, mut way) = (switch_of(network, pair.source), Vec::new());
    loop {
        let hop = route.next(at, &mut header).expect("a way");
        match network.neighbor(hop.port) {
            Some(Node::Switch(next)) => at = next,
            end => {
                assert_eq!(end, Some(Node::Endpoint(pair.destination)));
                return way;
            }
        }
        way.push((hop.port, hop.vc));
    }
}

fn ports(way: &[(PortId, u8)]) -> Vec<PortId> {
    way.iter().map(|(port, _)| *port).collect()
}

/// The same network with another routing.
fn with(topology: &str, routing: &str) -> Experiment {
    experiment(&format!("topology={topology} routing={routing} load=1"))
}

/// Every network with what an indirect way may lead over.
fn networks() -> impl Iterator<Item = (&'static str, &'static str)> {
    let groups = DRAGONFLIES.iter().flat_map(|each| [(*each, "group"), (*each, "switch")]);
    groups.chain(SMALL.iter().map(|each| (*each, "switch")))
}

/// Where nothing or as much waits everywhere, packets take minimal routing's ways, and all of these;
/// where indirect ways cost nothing and the minimal one does, those of Valiant routing.
#[test]
fn ways_are_those_of_minimal_or_of_valiant_routing() {
    for (topology, via) in networks() {
        let minimal = with(topology, "minimal");
        let valiant = with(topology, &format!("valiant,via={via}"));
        let fair = with(topology, &format!("ugal,via={via},scale=constant"));
        let free = with(topology, &format!("ugal,via={via},c=0"));
        let mut stream = Stream::new(1, "test", 0);
        let network = minimal.network().clone();
        for pair in pairs(&network).step_by(7) {
            let expected = found(&minimal, pair).expect("a way");
            let indirect = found(&valiant, pair).expect("a way");
            let mut seen = BTreeSet::new();
            for draw in 0..60 {
                let way = decided(&fair, pair, &mut stream, &Same(draw % 2 * 5000));
                seen.insert(ports(&way));
                let way = ports(&decided(&free, pair, &mut stream, &Same(5000)));
                assert!(indirect.contains_key(&way), "{topology} {pair:?} {way:?}");
            }
            assert!(seen.iter().all(|way| expected.contains_key(way)), "{topology} {pair:?}");
            assert!(expected.len() > 6 || seen.len() == expected.len(), "{topology} {pair:?}");
        }
    }
}

/// The costs of Prisacari 2020, §7.3.3: `q_M` against `c·q_I`, by lengths `c·q_I·L_I / L_M`; below
/// the threshold nothing else is looked at.
#[test]
fn the_cheapest_way_is_taken() {
    let minimal = with("slim_fly,q=5", "minimal");
    let network = minimal.network().clone();
    let mut stream = Stream::new(1, "test", 0);
    let mut share = |routing: &str, queues: &dyn Queues| {
        let ugal = with("slim_fly,q=5", routing);
        let (mut minimally, mut all) = (0, 0);
        for pair in pairs(&network).step_by(13) {
            let ways = found(&minimal, pair).expect("a way");
            if ways.keys().next().is_some_and(|way| way.len() == 1) {
                let way = ports(&decided(&ugal, pair, &mut stream, queues));
                minimally += u32::from(ways.contains_key(&way));
                all += 1;
            }
        }
        assert!(all > 100);
        f64::from(minimally) / f64::from(all)
    };
    let queues = Same(9_000);
    // With equal queues an indirect way is cheaper for c < 1; by lengths, 2 to 4 hops against 1, never
    // for c = 1/2 and above, and always below 1/4.
    assert_eq!(share("ugal,scale=constant,c=1,candidates=8", &queues), 1.0);
    assert_eq!(share("ugal,scale=constant,c=0.999,candidates=1", &queues), 0.0);
    assert_eq!(share("ugal,scale=length,c=0.5,candidates=8", &queues), 1.0);
    assert_eq!(share("ugal,scale=length,c=0.249,candidates=1", &queues), 0.0);
    let some = share("ugal,scale=length,c=0.3,candidates=1", &queues);
    assert!(0.0 < some && some < 1.0, "{some}");
    // 9 000 of 100 000 bytes.
    assert_eq!(share("ugal,scale=constant,c=0,threshold=0.0900", &queues), 0.0);
    assert_eq!(share("ugal,scale=constant,c=0,threshold=0.0901", &queues), 1.0);
}

/// A queue on another switch counts with global information only, on groups that of the global
/// channel.
#[test]
fn only_global_information_looks_further_than_the_own_switch() {
    let mut stream = Stream::new(1, "test", 0);
    for (topology, via, hop) in [
        ("dragonfly,p=2,a=4,h=2", "group", 1),
        ("mlfm,h=3", "switch", 1),
        ("slim_fly,q=5", "switch", 1),
    ] {
        let minimal = with(topology, "minimal");
        let network = minimal.network().clone();
        let [local, global] = ["local", "global"].map(|information| {
            with(topology, &format!("ugal,via={via},c=0.5,information={information}"))
        });
        let mut compared = 0;
        for pair in pairs(&network).step_by(5) {
            let ways = found(&minimal, pair).expect("a way");
            let Some((way, _)) = ways.iter().next().filter(|(way, _)| way.len() > hop) else {
                continue;
            };
            // A channel of another switch, which the minimal way leads over.
            if ways.len() > 1 || network.owner(way[hop]) == network.owner(way[0]) {
                continue;
            }
            let is_global = |port: PortId| network.channel_name(port).matches("group").count() == 2;
            if via == "group" && !is_global(way[hop]) {
                continue;
            }
            let queues = Only(way[hop]);
            assert_eq!(ports(&decided(&local, pair, &mut stream, &queues)), *way);
            let other = ports(&decided(&global, pair, &mut stream, &queues));
            compared += u32::from(other != *way && !other.contains(&way[hop]));
        }
        assert!(compared > 20, "{topology} {compared}");
    }
}

/// All minimal and indirect ways together take channels in one order; with one virtual channel less
/// they do not.
#[test]
fn channels_never_wait_in_a_cycle() {
    let networks = [
        ("slim_fly,q=3", "switch", 4),
        ("mlfm,h=3", "switch", 2),
        ("oft,k=3", "switch", 2),
        ("hyperx,widths=3.3,p=1", "switch", 4),
        ("dragonfly,p=1,a=4,h=2", "group", 3),
        ("dragonfly,p=1,a=4,h=2", "switch", 4),
        ("dragonfly,p=1,a=4,h=1,local=flattened", "group", 3),
        ("dragonfly,p=1,a=4,h=1,local=flattened", "switch", 4),
    ];
    for (topology, via, channels) in networks {
        let ugal = with(topology, &format!("ugal,via={via},c=0"));
        let valiant = with(topology, &format!("valiant,via={via}"));
        let minimally = with(topology, "minimal");
        let network = ugal.network().clone();
        assert_eq!(ugal.routes().route().virtual_channels(), channels, "{topology}");
        let mut stream = Stream::new(1, "test", 0);
        let mut ways: BTreeSet<Vec<(PortId, u8)>> = BTreeSet::new();
        for pair in pairs(&network) {
            let indirect = found(&valiant, pair).expect("a way");
            let minimal = found(&minimally, pair).expect("a way");
            let mut missing: BTreeSet<_> = indirect.keys().cloned().collect();
            let mut direct: BTreeSet<_> = minimal.keys().cloned().collect();
            // Every way of either kind comes up sooner or later.
            for _ in 0..100_000 {
                for queues in [Same(0), Same(1000)] {
                    let way = decided(&ugal, pair, &mut stream, &queues);
                    missing.remove(&ports(&way));
                    direct.remove(&ports(&way));
                    ways.insert(way);
                }
                if missing.is_empty() && direct.is_empty() {
                    break;
                }
            }
            assert!(missing.is_empty() && direct.is_empty(), "{topology} {pair:?}");
        }
        assert!(!waits_in_a_cycle(&ways, u8::MAX), "{topology} {via}");
        assert!(waits_in_a_cycle(&ways, channels - 2), "{topology} {via}");
    }
}

/// Whether ways wait for each other in a cycle with the virtual channels above `most` merged.
fn waits_in_a_cycle(ways: &BTreeSet<Vec<(PortId, u8)>>, most: u8) -> bool {
    let mut after: BTreeMap<(u32, u8), Vec<(u32, u8)>> = BTreeMap::new();
    for way in ways {
        let merged = |(port, vc): &(PortId, u8)| (port.0, *vc.min(&most));
        for two in way.windows(2) {
            after.entry(merged(&two[0])).or_default().push(merged(&two[1]));
        }
    }
    closes_a_cycle(after)
}

/// What is broken is gone around: minimally where that can be, else over a random place.
#[test]
fn faults_are_gone_around() {
    let cases = [("dragonfly,p=2,a=4,h=2", "group"), ("slim_fly,q=5", "switch")];
    for (topology, via) in cases {
        let text = format!("{topology} faults=random,links=3,seed=2");
        let broken = with(&text, &format!("ugal,via={via},c=0"));
        let network = broken.network().clone();
        let mut stream = Stream::new(1, "test", 0);
        for pair in pairs(&network) {
            for queues in [Same(0), Same(1000)] {
                let way = decided(&broken, pair, &mut stream, &queues);
                assert!(way.iter().all(|(port, _)| network.peer(*port).is_some()), "{pair:?}");
            }
        }
    }
}

/// What later packets of a source draw does not depend on what waits where, nor on how many ways are
/// compared.
#[test]
fn every_decision_takes_as_much_from_the_stream() {
    for topology in ["dragonfly,p=2,a=4,h=2", "dragonfly,p=1,a=4,h=2,groups=4", "mlfm,h=3"] {
        let texts = ["ugal", "ugal,candidates=3,threshold=0.01"];
        let experiments = texts.map(|routing| with(topology, routing));
        for pair in pairs(experiments[0].network()) {
            let after = |experiment, queue| {
                let mut stream = Stream::new(1, "test", u64::from(pair.destination.0));
                decided(experiment, pair, &mut stream, &Same(queue));
                stream.bits()
            };
            let expected = after(&experiments[0], 0);
            assert_eq!(after(&experiments[0], 50_000), expected);
            assert!([0, 50_000].iter().all(|each| after(&experiments[1], *each) == expected));
        }
    }
}

fn run(text: &str) -> Report {
    let mut simulation: Simulation = experiment(text).simulation();
    while simulation.advance(1_000_000) != Progress::Done {}
    simulation.report()
}

/// An indirect way that costs a thousand times as much is only taken where its queue is empty, and
/// none is below a threshold: then every packet is delivered when minimal routing delivers it, with
/// as many virtual channels, where that has only one way for each pair to draw.
#[test]
fn packets_that_all_go_minimally_are_delivered_as_by_minimal_routing() {
    for topology in ["hyperx,widths=6,p=3", "slim_fly,q=5", "dragonfly,p=2,a=4,h=2"] {
        // Buffers that are never full, so that they need not be the same.
        let text = format!(
            "topology={topology} load=0.5 buffer=1MB,per=vc output_buffer=1MB warmup=2us \
             window=20us seed=3"
        );
        let minimal = run(&format!("{text} routing=minimal"));
        let ugal = run(&format!("{text} routing=ugal,c=1000,threshold=1"));
        assert_eq!((ugal.accepted, ugal.hops_mean), (minimal.accepted, minimal.hops_mean));
        assert_eq!(ugal.latency, minimal.latency, "{topology}");
        assert_eq!(ugal.digest, minimal.digest, "{topology}");
    }
}

/// A dragonfly whose groups all send to the next ones: minimal routing is left the `1/(a·p)` of one
/// global channel. UGAL reaches the half of Valiant routing nearly, with what only the own switch
/// knows somewhat less than with a look at the global channels (Kim et al. 2008, §4.2; another
/// program accepted 0.289 of 0.3 and 0.419 of 0.45 by local information).
#[test]
fn adversarial_traffic_is_spread() {
    let text = "topology=dragonfly,p=4,a=8,h=4 traffic=shift,by=32 warmup=20us window=20us";
    let minimal = run(&format!("{text} load=0.3 routing=minimal"));
    assert!((minimal.accepted - 1.0 / 32.0).abs() < 0.001, "{}", minimal.accepted);
    for (load, least) in [(0.3, 0.289), (0.45, 0.419)] {
        let local = run(&format!("{text} load={load} routing=ugal,via=group"));
        assert!(local.accepted > least, "{load}: {}", local.accepted);
        let global = run(&format!("{text} load={load} routing=ugal,via=group,information=global"));
        assert!((global.accepted / load - 1.0).abs() < 0.01, "{load}: {}", global.accepted);
        let [near, far] = [&global, &local].map(|report| report.latency.mean_ns);
        assert!(far.is_none_or(|far| near.is_some_and(|near| near < far)), "{near:?} {far:?}");
    }
}

/// Packets turn to indirect ways once the buffers on the minimal ones are full: while these fill fewer
/// arrive than are sent, and from then on as many, with the long latencies of full buffers (Kim et
/// al. 2008, §4.3). Only above what Valiant routing carries do the sources fall behind.
#[test]
fn filling_the_buffers_of_minimal_ways_is_no_saturation() {
    let text = "topology=dragonfly,p=2,a=4,h=2 traffic=shift,by=8 routing=ugal,via=group";
    for load in [0.2, 0.29, 0.35] {
        let report = run(&format!("{text} load={load}"));
        assert!(!report.saturated && (report.accepted / load - 1.0).abs() < 0.02, "{load}");
        assert!(report.latency.mean_ns.is_some_and(|mean| mean < 20_000.0), "{load}");
    }
    assert!(run(&format!("{text} load=0.6")).saturated);
}

/// In an empty network packets take minimal ways only; under uniform traffic nearly all is carried.
#[test]
fn uniform_traffic_is_carried_as_by_minimal_routing() {
    let text = "topology=dragonfly,p=2,a=4,h=2";
    let zero_load = |routing: &str| with("dragonfly,p=2,a=4,h=2", routing).analysis();
    let [minimal, ugal] = ["minimal", "ugal"].map(zero_load);
    assert_eq!(minimal.report.zero_load_ns, ugal.report.zero_load_ns);
    assert!(minimal.limit.is_some() && ugal.limit.is_none());
    let run = |routing: &str, load: f64| {
        run(&format!("{text} routing={routing} load={load} warmup=20us window=50us"))
    };
    let mean = run("ugal", 0.0005).latency.mean_ns.expect("few packets");
    assert!((mean / ugal.report.zero_load_ns - 1.0).abs() < 0.05, "{mean}");
    let [minimal, ugal] = ["minimal", "ugal,via=group"].map(|routing| run(routing, 1.0).accepted);
    assert!(ugal > 0.95 * minimal, "{ugal} of {minimal}");
}

/// Prisacari 2020, §7.4.3.2: under uniform traffic the generic algorithm takes indirect ways and
/// delays packets, the less the more those cost; with a threshold it does as minimal routing. In the
/// worst case the threshold delays packets at low load.
#[test]
fn a_threshold_keeps_uniform_traffic_fast_and_slows_the_worst_case() {
    for topology in ["mlfm,h=6", "oft,k=6"] {
        let mean = |routing: &str, rest: &str| {
            let text = format!("topology={topology} {rest} routing={routing}");
            run(&text).latency.mean_ns.expect("below saturation")
        };
        let uniform = |routing: &str| mean(routing, "load=0.6 warmup=20us window=40us");
        let minimal = uniform("minimal");
        let costs = ["1", "2", "4"].map(|c| uniform(&format!("ugal,scale=constant,c={c}")));
        assert!(minimal < costs[2] && costs[2] < costs[1] && costs[1] < costs[0], "{costs:?}");
        let threshold = "ugal,scale=constant,c=1,threshold=0.1";
        assert!((uniform(threshold) - minimal).abs() < 1.0, "{topology}");
        // Queues take long to grow up to the threshold.
        let worst =
            |routing: &str| mean(routing, "load=0.3 traffic=shift,by=6 warmup=400us window=100us");
        assert!(worst(threshold) > 1.5 * worst("ugal,scale=constant,c=1"), "{topology}");
    }
}

/// While queues grow up to the threshold fewer packets arrive than are sent, for hundreds of
/// microseconds, but none is held back at its source: a run without a window of its own goes on until they
/// have grown.
#[test]
fn queues_that_grow_up_to_a_threshold_are_no_saturation() {
    let text = "topology=mlfm,h=6 traffic=shift,by=6 routing=ugal,scale=constant,c=1,threshold=0.1";
    let report = run(&format!("{text} load=0.3"));
    assert!(report.settled && !report.saturated, "{report:?}");
    assert!((report.accepted / 0.3 - 1.0).abs() < 0.01, "{}", report.accepted);
    let fixed = run(&format!("{text} load=0.3 warmup=500us window=100us"));
    let [found, known] =
        [&report, &fixed].map(|report| report.latency.mean_ns.expect("below saturation"));
    assert!((found / known - 1.0).abs() < 0.03, "{found} of {known}");
}
