//! The fast engine against the plain one: every packet is delivered at the same time, and
//! everything that is measured is the same, bit by bit.

use std::cell::Cell;

use dragontree::catalog::{Menu, PartChoice};
use dragontree::network::{Node, PortId, SwitchId};
use dragontree::random::Stream;
use dragontree::routing::{
    AnyRoutes, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Routing, Unroutable, Waypoints,
};
use dragontree::scenario::{Experiment, Study};
use dragontree::simulation::{Progress, Report, Setup, Simulation};
use dragontree::topology::Topology;
use dragontree::traffic::Destinations;
use dragontree::units::Rank;
use proptest::prelude::*;
use proptest::sample::select;

/// The setup of a study's only run; none where its parts do not fit together.
fn setup(text: &str) -> Option<Setup> {
    let plan = Study::parse(text).expect(text).plan().ok()?;
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).ok()?;
    Some(experiment.setup())
}

/// Both engines' reports and numbers of events.
fn run(setup: Setup, budget: u64) -> [(Report, u64); 2] {
    let mut fast = Simulation::new(setup.clone());
    while fast.advance(budget) != Progress::Done {}
    let mut plain = Simulation::plain(setup);
    while plain.advance(1_000_000) != Progress::Done {}
    [(fast.report(), fast.events()), (plain.report(), plain.events())]
}

fn agree(text: &str) -> Option<Report> {
    let [fast, plain] = run(setup(text)?, 1_000_000);
    assert_eq!(fast.0, plain.0, "{text}");
    Some(fast.0)
}

const TREES: &[&str] = &[
    "topology=xgft,m=4.4,w=1.2,p=1.2",
    "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2",
    "topology=xgft,m=8,w=1",
    "topology=k_ary_n_tree,k=2,n=5",
    "topology=fat_tree,radix=6,levels=2",
];
const TREE_ROUTINGS: &[&str] = &[
    "d_mod_k",
    "s_mod_k",
    "static_random",
    "dynamic_random",
    "min_hop",
    "up_down",
    "down_up",
    "ftree",
    "sftree",
];
const OTHERS: &[&str] = &[
    "topology=dragonfly,p=2,a=4,h=2 routing=minimal",
    "topology=dragonfly,p=1,a=4,h=2,wiring=consecutive routing=minimal",
    "topology=dragonfly,p=1,a=4,h=1,local=flattened routing=minimal",
    "topology=dragonfly,p=2,a=2,h=1 routing=up_down",
    "topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=group",
    "topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=switch",
    "topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=group,within=minimal",
    "topology=dragonfly,p=1,a=4,h=2,groups=4 routing=valiant",
    "topology=dragonfly,p=1,a=4,h=1,local=flattened routing=valiant",
    "topology=slim_fly,q=3 routing=valiant",
    "topology=oft,k=3 routing=valiant",
    "topology=xgft,m=4.3,w=1.2,p=1.2 routing=valiant",
    "topology=dragonfly,p=2,a=4,h=2 routing=ugal",
    "topology=dragonfly,p=2,a=4,h=2 routing=ugal,via=group,c=0.5,candidates=4",
    "topology=dragonfly,p=2,a=4,h=2 routing=ugal,via=group,c=0,scale=constant",
    "topology=dragonfly,p=2,a=4,h=2 routing=ugal,threshold=0.01,information=global",
    "topology=dragonfly,p=1,a=4,h=2,groups=4 routing=ugal,candidates=2",
    "topology=dragonfly,p=1,a=4,h=1,local=flattened routing=ugal,scale=constant",
    "topology=slim_fly,q=3 routing=ugal,threshold=0.02",
    "topology=oft,k=3 routing=ugal,c=2,scale=constant,candidates=3",
    "topology=mlfm,h=3 routing=ugal,information=global",
    "topology=hyperx,widths=3.3,p=2 routing=ugal,c=0.25",
    "topology=slim_fly,q=3 routing=minimal",
    "topology=mlfm,h=3 routing=minimal",
    "topology=oft,k=3 routing=minimal",
    "topology=sspt,r1=2,r2=2 routing=minimal",
    "topology=hyperx,widths=3.3,p=2 routing=minimal",
    "topology=hyperx,widths=3.3,p=2 routing=dimension_order",
    "topology=torus,widths=6.2,p=1 routing=dimension_order",
    "topology=torus,widths=9,p=2 routing=dimension_order",
    "topology=torus,widths=4.4,p=1 routing=min_hop",
    "topology=torus,widths=4.4,p=1 routing=lash",
    "topology=torus,widths=7,p=2 routing=dfsssp",
    "topology=mesh,widths=12,p=1 routing=dimension_order",
    "topology=mesh,widths=3.4,p=1 routing=up_down",
    "topology=multi_core routing=min_hop",
    "topology=subnets routing=min_hop",
    "topology=imported routing=imported",
    "topology=xgft,m=4.4,w=1.4 routing=pattern_specific",
    "topology=xgft,m=4.2.2,w=1.2.2 routing=greedy",
];
const TRAFFIC: &[&str] = &[
    "uniform",
    "shift,by=1",
    "shift,by=7",
    "bit_complement",
    "worst_case",
    "matrix",
    "permutation",
    "tornado",
    "adversarial,by=2",
];
const LOADS: &[&str] = &["0.05", "0.2", "0.5", "0.8", "0.95", "1"];
const LINKS: &[&str] = &[
    "",
    "bandwidth=54.545Gbps",
    "latency=0ns switch_latency=0ns",
    "latency=0ns",
    "latency=500ns,endpoint=3ns",
    "bandwidth=100Gbps,endpoint=40Gbps,local=25Gbps,level2=200Gbps",
    "bandwidth=10Gbps,global=100Gbps,dimension1=1Gbps latency=50ns,global=1us adapter_latency=7ns",
    "latency=1ps switch_latency=2ps",
    "bandwidth=1Mbps latency=1ms",
];
const BUFFERS: &[&str] = &[
    "",
    "buffer=256B,per=vc output_buffer=256B",
    "buffer=1KiB,per=vc output_buffer=512B",
    "buffer=512B,per=port output_buffer=100kB",
    "buffer=2KiB,per=vc output_buffer=2KiB packet=64B",
    "buffer=4KiB,per=port output_buffer=8KiB packet=2KiB",
    "switching=wormhole,flit=64B packet=256B",
    "switching=wormhole,flit=64B packet=1KiB buffer=256B,per=vc output_buffer=256B",
    "switching=wormhole,flit=128B packet=4KiB buffer=1KiB,per=vc output_buffer=512B",
    "switching=wormhole,flit=256B packet=2KiB buffer=256B,per=vc output_buffer=256B",
    "switching=wormhole,flit=64B packet=64B buffer=128B,per=vc",
];
const CHANNELS: &[&str] = &["", "virtual_channels=1", "virtual_channels=2"];
const RANKS: &[&str] = &[
    "",
    "",
    "ranks_per_endpoint=2",
    "ranks_per_endpoint=3 placement=random",
    "ranks_per_endpoint=4 ranks=15",
];
const INJECTIONS: &[&str] = &[
    "",
    "",
    "injection=periodic",
    "injection=bernoulli,packets=3",
    "injection=periodic,packets=5",
    "injection=periodic,packets=16,ways=message",
    "injection=bernoulli,packets=2,ways=message",
];
const FAULTS: &[&str] = &[
    "",
    "faults=random,links=2,seed=3",
    "faults=random,endpoints=2,links=1",
    "faults=random,switches=1,seed=4",
];
/// Routings that lead to switches, and what these send.
const TABLES: &[&str] =
    &["min_hop", "up_down", "down_up", "ftree", "sftree", "lash", "dfsssp", "imported"];
const MANAGEMENT: &[&str] = &[
    "",
    "",
    "management=0.3",
    "management=1,vc=own",
    "management=0.7,bandwidth=100Gbps",
    "management=1,bandwidth=500Gbps,vc=own",
];
/// Windows scale with the links' rate: a slow link takes 2 ms for a packet.
const WINDOWS: &[&str] =
    &["window=3us warmup=1us", "window=5us warmup=0ns", "warmup=2us window=100ns", "window=2us"];

fn topology() -> impl Strategy<Value = String> {
    let trees = (select(TREES), select(TREE_ROUTINGS))
        .prop_map(|(tree, routing)| format!("{tree} routing={routing}"));
    prop_oneof![trees, select(OTHERS).prop_map(str::to_owned)]
}

fn scenario() -> impl Strategy<Value = String> {
    let fabric = (topology(), select(FAULTS), select(LINKS));
    let switches = (select(BUFFERS), select(CHANNELS));
    let sources = (select(LOADS), select(INJECTIONS));
    let work = (select(TRAFFIC), select(RANKS), sources, select(WINDOWS), 1_u32..1000);
    (fabric, switches, work, select(MANAGEMENT)).prop_map(|(fabric, switches, work, management)| {
        let (topology, faults, links) = fabric;
        let (buffers, channels) = switches;
        let (traffic, ranks, (load, injection), window, seed) = work;
        let leads = TABLES.iter().any(|routing| topology.ends_with(&format!("={routing}")));
        let management = if leads { management } else { "" };
        // A window of microseconds is nothing where a packet takes milliseconds.
        let window = if links.contains("1Mbps") { "window=500ms" } else { window };
        format!(
            "{topology} {faults} {links} {buffers} {channels} traffic={traffic} {ranks} \
             load={load} {injection} {window} {management} seed={seed}"
        )
    })
}

/// What the random scenarios have met, so that the test says when it has become too easy.
#[derive(Default)]
struct Met {
    runs: Cell<u32>,
    saturated: Cell<u32>,
    deadlocked: Cell<u32>,
    managed: Cell<u32>,
}

#[test]
fn both_engines_deliver_every_packet_at_the_same_time() {
    let config = ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() };
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    let met = Met::default();
    let count = |cell: &Cell<u32>, is: bool| cell.set(cell.get() + u32::from(is));
    let outcome = runner.run(&scenario(), |text| {
        if let Some(report) = agree(&text) {
            count(&met.runs, report.packet_hops > 0);
            count(&met.saturated, report.saturated);
            count(&met.deadlocked, report.deadlock.is_some());
            count(&met.managed, report.management.is_some_and(|each| each.packets > 0));
        }
        Ok(())
    });
    assert!(outcome.is_ok(), "{}", outcome.err().map_or(String::new(), |error| error.to_string()));
    let met = [met.runs, met.saturated, met.deadlocked, met.managed].map(Cell::into_inner);
    assert!(met[0] >= 150 && met[1] >= 30 && met[2] >= 5 && met[3] >= 30, "{met:?}");
}

/// What chance may leave out.
#[test]
fn both_engines_agree_on_every_fabric_and_routing() {
    let pairs = TREES.iter().flat_map(|tree| TREE_ROUTINGS.iter().map(move |each| (tree, each)));
    let trees = pairs.map(|(tree, routing)| format!("{tree} routing={routing}"));
    let texts: Vec<String> = trees.chain(OTHERS.iter().map(|&text| text.to_owned())).collect();
    for text in &texts {
        let text = format!("{text} traffic=shift,by=1 load=0.8 warmup=1us window=3us buffer=2KiB");
        let report = agree(&text).unwrap_or_else(|| panic!("{text}"));
        assert!(report.packets > 0, "{text}");
    }
    let is_named = |name: &str| {
        texts.iter().any(|text| {
            let rest = text.split_once(" routing=").map(|(_, routing)| routing);
            rest.and_then(|routing| routing.split(',').next()) == Some(name)
        })
    };
    for routing in Routing::all() {
        assert!(is_named(routing.name()), "{} is missing", routing.name());
    }
    for topology in Topology::all() {
        let name = format!("topology={}", topology.name());
        let is_of = |text: &String| text.split([' ', ',']).next() == Some(&name);
        assert!(texts.iter().any(is_of), "{name} is missing");
    }
}

#[test]
fn runs_that_find_their_own_end_agree() {
    for text in [
        "topology=dragonfly,p=2,a=4,h=2 load=0.6",
        "topology=dragonfly,p=2,a=4,h=2 load=1",
        "topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement load=0.13",
        "topology=xgft,m=4.4.4,w=1.4.4 routing=dynamic_random load=0.9",
        "topology=xgft,m=4.4.4,w=1.2.2 routing=d_mod_k traffic=shift,by=21 load=0.5",
        "topology=torus,widths=8,p=2 routing=dimension_order load=0.4 buffer=1KiB,per=vc",
        "topology=slim_fly,q=5 load=0.95",
        "topology=dragonfly,p=1,a=2,h=1 load=0.000001",
        "topology=dragonfly,p=2,a=4,h=2 load=0.6 switching=wormhole,flit=64B packet=512B",
    ] {
        assert!(agree(text).is_some(), "{text}");
    }
}

/// Fabrics of so many ports that their switches are served in groups: credits and packets go from one
/// group to another, and sources are served before everything else of a window.
#[test]
fn larger_fabrics_agree() {
    let tree = "topology=xgft,m=8.8.8,w=1.8.8";
    let dragonfly = "topology=dragonfly,p=4,a=8,h=4";
    let tight = "buffer=512B,per=vc output_buffer=512B";
    let flits = "switching=wormhole,flit=64B";
    let (mut saturated, mut deadlocked) = (0, 0);
    for text in [
        &format!("{dragonfly} load=0.3"),
        &format!("{dragonfly} load=0.9"),
        &format!("{dragonfly} load=1 {tight}"),
        &format!("{dragonfly} routing=valiant load=0.4 faults=random,links=20,seed=7"),
        &format!("{tree} routing=up_down load=0.6 faults=random,links=20,switches=3,seed=7"),
        &format!("{dragonfly} load=0.8 latency=30ns,global=500ns bandwidth=100Gbps,local=200Gbps"),
        &format!("{dragonfly} traffic=bit_complement load=0.3"),
        &format!("{dragonfly} load=1 virtual_channels=1 buffer=256B,per=vc output_buffer=256B"),
        &format!("{dragonfly} routing=valiant,via=switch load=0.45"),
        &format!("{dragonfly} routing=valiant,via=group traffic=shift,by=32 load=1 {tight}"),
        &format!("{dragonfly} routing=ugal load=0.9"),
        &format!("{dragonfly} routing=ugal,via=group,threshold=0.01 load=1 {tight}"),
        &format!("{dragonfly} routing=ugal,candidates=2 load=0.9"),
        // Codes so long that the longest ways are kept in three parts.
        &format!("{dragonfly} routing=ugal load=0.9 virtual_channels=16"),
        &format!("{dragonfly} routing=valiant,via=switch load=0.3 virtual_channels=16"),
        &format!("{dragonfly} routing=ugal traffic=shift,by=32 load=0.4"),
        &format!("{tree} routing=d_mod_k load=0.9 packet=1KiB"),
        &format!("{tree} routing=dynamic_random traffic=shift,by=77 load=1 {tight}"),
        &format!("{tree} routing=ftree load=0.5 injection=periodic,packets=4 adapter_latency=9ns"),
        &format!("{tree} routing=up_down load=0.6 management=0.5"),
        &format!("{dragonfly} {flits} packet=256B load=0.3"),
        &format!("{dragonfly} {flits} packet=4KiB load=0.9 buffer=1KiB,per=vc"),
        &format!("{dragonfly} {flits} packet=1KiB routing=valiant,via=switch load=0.45"),
        &format!("{dragonfly} {flits} packet=1KiB routing=ugal load=0.9 virtual_channels=16"),
        &format!("{dragonfly} {flits} packet=512B load=1 virtual_channels=1 buffer=256B,per=vc"),
        &format!("{tree} {flits} packet=2KiB routing=dynamic_random load=0.8 output_buffer=256B"),
        &format!("{tree} {flits} packet=512B routing=up_down load=0.6 management=0.5"),
    ] {
        // It takes a while until progress stops, and until that is noticed.
        let window =
            if text.contains("virtual_channels=1 ") { "window=40us" } else { "window=1us" };
        let setup = setup(&format!("{text} warmup=1us {window}")).expect(text);
        assert!(setup.network.port_count() > 2400, "{text}");
        let [(fast, _), (plain, _)] = run(setup, 100_000);
        assert_eq!(fast, plain, "{text}");
        assert!(fast.packet_hops > 2_000, "{text}");
        saturated += u32::from(fast.saturated);
        deadlocked += u32::from(fast.deadlock.is_some());
    }
    assert!(saturated >= 5 && deadlocked >= 2, "{saturated} {deadlocked}");
}

/// Decisions by queues that are full, broken links and buffers of a packet included.
#[test]
fn adaptive_routes_agree_under_any_load() {
    let mut saturated = 0;
    for (topology, traffic) in [
        ("dragonfly,p=2,a=4,h=2", "shift,by=8"),
        ("dragonfly,p=2,a=4,h=2 faults=random,links=3,seed=2", "uniform"),
        ("mlfm,h=3", "shift,by=3"),
        ("oft,k=3 faults=random,links=2,seed=5", "uniform"),
    ] {
        for routing in ["c=1", "c=0.5,candidates=3,threshold=0.02", "information=global"] {
            let flits = "switching=wormhole,flit=64B packet=512B buffer=512B,per=vc";
            for rest in ["", "buffer=512B,per=vc output_buffer=512B", "latency=0ns", flits] {
                for load in ["0.1", "0.5", "1"] {
                    let text = format!(
                        "topology={topology} traffic={traffic} routing=ugal,{routing} {rest} \
                         load={load} warmup=2us window=4us"
                    );
                    saturated += u32::from(agree(&text).expect("a valid scenario").saturated);
                }
            }
        }
    }
    assert!(saturated >= 20, "{saturated}");
}

/// A credit of any virtual channel may come just when an output queue has room again, and lets a packet of
/// another one go.
#[test]
fn credits_agree_that_come_when_a_queue_has_room() {
    let fabrics = [
        "topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=switch",
        "topology=dragonfly,p=2,a=4,h=2 routing=ugal,via=group",
        "topology=slim_fly,q=3 routing=valiant",
        // Enough switches for several groups.
        "topology=dragonfly,p=3,a=6,h=3 routing=valiant,via=group",
    ];
    let latencies = [
        "",
        "latency=0ns switch_latency=0ns",
        "latency=1ps switch_latency=2ps",
        "latency=20.48ns switch_latency=0ns",
        "latency=500ns",
    ];
    let buffers = [
        "512B,per=vc output_buffer=256B",
        "768B,per=vc output_buffer=512B",
        "4KiB,per=vc output_buffer=512B",
        "512B,per=vc output_buffer=256B switching=wormhole,flit=256B packet=1KiB",
        "256B,per=vc output_buffer=128B switching=wormhole,flit=128B packet=1KiB",
    ];
    for (fabric, latencies) in fabrics.iter().flat_map(|one| latencies.map(|other| (one, other))) {
        for (buffer, seed) in buffers.iter().flat_map(|one| (1..=6).map(move |seed| (one, seed))) {
            let ends = "warmup=1us window=3us load=1";
            let text = format!("{fabric} {latencies} buffer={buffer} {ends} seed={seed}");
            agree(&text).unwrap();
        }
    }
}

#[test]
fn deadlocks_are_found_at_the_same_time_in_the_same_cycle() {
    for (text, expected) in [
        ("topology=torus,widths=8,p=1 routing=dimension_order traffic=shift,by=3", true),
        ("topology=torus,widths=5,p=2 routing=dimension_order traffic=shift,by=4", true),
        ("topology=torus,widths=4.4,p=1 routing=min_hop", true),
        ("topology=dragonfly,p=2,a=4,h=2", true),
        ("topology=mesh,widths=8,p=1 routing=dimension_order traffic=shift,by=3", false),
    ] {
        let tight = "virtual_channels=1 buffer=256B,per=vc output_buffer=256B load=1";
        let flits = "switching=wormhole,flit=64B packet=1KiB";
        for window in ["", "window=50us", "warmup=10us window=200us", flits] {
            let text = format!("{text} {tight} {window}");
            let report = agree(&text).expect("a valid scenario");
            assert_eq!(report.deadlock.is_some(), expected, "{text}");
        }
    }
}

/// The last that happens before nothing moves any more may be a delivery, which is later than anything that
/// the fast engine has an event for, or come when a batch has nearly ended.
#[test]
fn deadlocks_after_the_last_delivery_agree() {
    let tight = "buffer=256B,per=vc output_buffer=256B load=1 window=3us warmup=1us";
    let dragonfly = "topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=group,within=minimal \
                     traffic=worst_case injection=periodic,packets=16,ways=message \
                     virtual_channels=1";
    let of_dragonfly = [
        "bandwidth=100Gbps,endpoint=40Gbps adapter_latency=1us",
        "bandwidth=100Gbps,endpoint=4Gbps adapter_latency=0ns",
        "bandwidth=100Gbps,endpoint=1Gbps adapter_latency=10ns",
    ];
    // Packets of both virtual channels wait.
    let hyperx = "topology=hyperx,widths=3.3,p=6 routing=valiant virtual_channels=2";
    let of_hyperx = [
        "bandwidth=100Gbps,dimension1=25Gbps latency=1ns switch_latency=0ns",
        "bandwidth=100Gbps,dimension2=20Gbps latency=0ns switch_latency=1ns",
        "bandwidth=20Gbps,dimension1=100Gbps latency=2ns switch_latency=0ns",
    ];
    let mut deadlocked = [0; 2];
    for (channels, fabric, links) in [(0, dragonfly, of_dragonfly), (1, hyperx, of_hyperx)] {
        for (links, seed) in links.iter().flat_map(|links| (0..60).map(move |seed| (links, seed))) {
            for packets in ["", "switching=wormhole,flit=128B packet=1KiB"] {
                let text = format!("{fabric} {tight} {links} {packets} seed={seed}");
                let report = agree(&text).expect("a valid scenario");
                deadlocked[channels] += u32::from(report.deadlock.is_some());
            }
        }
    }
    assert!(deadlocked.iter().all(|count| *count > 100), "{deadlocked:?}");
}

/// Nothing happens for so long before a deadlock is found that the low bits of a time, which is all that is
/// kept of when a credit comes back, would tell nothing.
#[test]
fn deadlocks_of_slow_links_are_found_alike() {
    for (seed, window) in [(1, "window=500ms"), (2, "window=500ms"), (3, "warmup=500ms window=1s")]
    {
        for packets in ["", "switching=wormhole,flit=64B packet=512B"] {
            let text = format!(
                "topology=torus,widths=8,p=1 routing=dimension_order traffic=shift,by=3 load=1 \
                 virtual_channels=1 bandwidth=1Mbps latency=1ms buffer=256B,per=vc \
                 output_buffer=256B {packets} {window} seed={seed}"
            );
            assert!(agree(&text).expect("a valid scenario").deadlock.is_some(), "{text}");
        }
    }
    let text = "topology=dragonfly,p=1,a=4,h=1,local=flattened routing=valiant traffic=shift,by=7 \
                faults=random,endpoints=2,links=1 bandwidth=1Mbps latency=1ms packet=64B load=0.5 \
                buffer=2KiB,per=vc output_buffer=2KiB virtual_channels=1 window=500ms seed=1";
    assert!(agree(text).is_some());
}

#[test]
fn slices_of_any_length_give_the_same_report() {
    for packets in ["packet=256B", "switching=wormhole,flit=64B packet=512B"] {
        let text = format!(
            "topology=dragonfly,p=2,a=4,h=2 load=0.9 buffer=1KiB,per=vc window=10us {packets}"
        );
        let whole = run(setup(&text).expect("a valid scenario"), 1_000_000);
        for budget in [0, 1, 1000] {
            let [fast, _] = run(setup(&text).expect("a valid scenario"), budget);
            assert_eq!(fast.0, whole[1].0, "{packets} {budget}");
        }
    }
}

/// Fabrics of so many endpoints that sources take turns, each a packet at a time.
#[test]
fn fabrics_of_many_sources_agree() {
    let tree = "topology=k_ary_n_tree,k=17,n=3 warmup=200ns window=400ns";
    let dragonfly = "topology=dragonfly,p=6,a=12,h=6 warmup=200ns window=400ns";
    for text in [
        &format!("{tree} routing=d_mod_k load=0.9"),
        &format!("{tree} routing=s_mod_k load=0.6 placement=random"),
        &format!("{tree} routing=d_mod_k load=1 buffer=512B output_buffer=512B"),
        &format!("{dragonfly} load=0.3 placement=random ranks=5000"),
        &format!("{tree} routing=d_mod_k load=0.7 injection=bernoulli,packets=4"),
        &format!("{dragonfly} routing=ugal traffic=shift,by=72 load=0.8"),
        &format!("{tree} routing=d_mod_k load=0.9 switching=wormhole,flit=64B packet=256B"),
    ] {
        let sources = setup(text).map_or(0, |setup| setup.placement.len());
        assert!(sources > 4096, "{text}: {sources} sources");
        let report = agree(text);
        assert!(report.is_some_and(|report| report.packet_hops > 50_000), "{text}");
    }
}

/// A run goes on when it is done, and what goes over a channel then is the same, packet by packet;
/// what was measured before stays as it was.
#[test]
fn what_goes_over_a_channel_is_the_same() {
    let (mut channels, mut longest) = (0, 0);
    let others = OTHERS.iter().zip([3, 7, 5].into_iter().cycle());
    let many = "topology=dragonfly,p=2,a=4,h=2 packet=64B routing=ugal";
    let flits =
        "topology=dragonfly,p=2,a=4,h=2 switching=wormhole,flit=64B packet=128B routing=ugal";
    for (text, part) in others.chain([(&many, 2), (&flits, 2)]) {
        let text = format!("{text} traffic=uniform load=0.95 warmup=2us window=8us seed={part}");
        // Some have no traffic of this kind.
        let Some(setup) = setup(&text) else { continue };
        let network = setup.network.clone();
        let of_switches = |(port, _): &(PortId, _)| matches!(network.owner(*port), Node::Switch(_));
        let leave: Vec<PortId> =
            network.channels().filter(of_switches).map(|(port, _)| port).collect();
        for place in [0, leave.len() / part, leave.len() - 1] {
            let tap = |mut simulation: Simulation, budget| {
                while simulation.advance(budget) != Progress::Done {}
                let before = simulation.report();
                while simulation.tap(|_| Some(leave[place]), budget) {}
                let mut after = simulation.report();
                let crossings = after.crossings.take();
                assert_eq!(after, before, "{text}");
                crossings.expect("it was tapped")
            };
            let fast = tap(Simulation::new(setup.clone()), 1_000);
            let plain = tap(Simulation::plain(setup.clone()), 1_000_000);
            assert_eq!(fast, plain, "{text}: {}", network.channel_name(leave[place]));
            channels += usize::from(fast.packets.len() > 20);
            longest = longest.max(fast.packets.len());
        }
    }
    assert!(channels > 50 && longest == 1_000, "{channels}, {longest}");
}

/// Packets of up to a thousand flits, which are at many switches at once.
#[test]
fn long_packets_agree() {
    let tree = "topology=xgft,m=4.4,w=1.2 routing=d_mod_k switching=wormhole,flit=64B";
    let dragonfly = "topology=dragonfly,p=2,a=4,h=2 switching=wormhole,flit=64B";
    for text in [
        &format!("{tree} packet=64KiB load=0.6"),
        &format!("{tree} packet=64KiB load=1 buffer=512B,per=vc output_buffer=256B"),
        &format!("{dragonfly} packet=32KiB load=0.3 buffer=1KiB,per=vc"),
        &format!("{dragonfly} packet=32KiB load=0.5 routing=ugal"),
    ] {
        let report = agree(&format!("{text} warmup=100us window=400us")).expect(text);
        assert!(report.packet_hops > 100 && report.deadlock.is_none(), "{text}");
    }
}

/// Routes on which packets to every third endpoint have no way on from one switch.
struct Broken {
    routes: AnyRoutes,
    at: SwitchId,
}

impl Route for Broken {
    fn virtual_channels(&self) -> u8 {
        self.routes.route().virtual_channels()
    }
    fn inject(&self, pair: Pair, stream: &mut Stream, queues: &dyn Queues) -> Waypoints {
        self.routes.route().inject(pair, stream, queues)
    }
    fn first_stage(&self, pair: Pair) -> u8 {
        self.routes.route().first_stage(pair)
    }
    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let destination = header.destination;
        if at == self.at && destination.0.is_multiple_of(3) {
            return Err(Unroutable { at, destination });
        }
        self.routes.route().next(at, header)
    }
}

impl Oblivious for Broken {
    fn choices(&self, _pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints::default(), 1.0);
    }
}

/// Packets whose way ends at a switch are taken out there, flit by flit, and give back what they held.
#[test]
fn packets_that_lose_their_way_agree() {
    let mut lost = 0;
    for (topology, switches) in [
        ("topology=xgft,m=4.4,w=1.2 routing=d_mod_k", 6),
        ("topology=dragonfly,p=2,a=4,h=2 routing=minimal", 36),
    ] {
        for packets in [
            "packet=256B",
            "packet=1KiB buffer=1KiB,per=vc output_buffer=1KiB",
            "switching=wormhole,flit=64B packet=1KiB buffer=512B,per=vc",
            "switching=wormhole,flit=64B packet=64B",
        ] {
            let text = format!("{topology} {packets} load=0.5 warmup=5us window=20us");
            let whole = agree(&text).expect(&text).accepted;
            for at in (0..switches).step_by(5).map(SwitchId) {
                let setup = setup(&text).expect(&text);
                let broken = Broken { routes: setup.routes.clone(), at };
                let routes = AnyRoutes::from(Routes::Oblivious(Box::new(broken)));
                let [(fast, _), (plain, _)] = run(Setup { routes, ..setup }, 1_000);
                assert_eq!(fast, plain, "{text} at {}", at.0);
                assert!(fast.packet_hops > 200 && fast.deadlock.is_none(), "{text}");
                lost += u32::from(fast.accepted < 0.98 * whole);
            }
        }
    }
    assert!(lost >= 20, "only {lost} runs delivered less");
}

/// While nobody waits the fast engine has one event for each switch that a packet crosses, one for
/// each packet at its source, and none for credits and deliveries, however many groups of switches
/// it serves in turn; the plain one has a credit for each of them and a delivery more, the last of
/// which may come after the end. At full load, too, nobody waits where buffers are large.
#[test]
fn a_hop_is_one_event() {
    for text in [
        "topology=dragonfly,p=2,a=4,h=2 load=0.3 warmup=0ns window=200us",
        "topology=dragonfly,p=2,a=4,h=2 load=0.02 warmup=0ns window=200us",
        "topology=dragonfly,p=4,a=8,h=4 load=0.2 warmup=0ns window=20us",
        "topology=xgft,m=8.8,w=1.8 routing=dynamic_random load=0.1 warmup=0ns window=100us",
        "topology=dragonfly,p=2,a=4,h=2 load=0.9 warmup=0ns window=50us",
        "topology=dragonfly,p=2,a=4,h=2 load=1 warmup=0ns window=50us",
        "topology=dragonfly,p=4,a=8,h=4 load=0.9 warmup=0ns window=10us",
        "topology=xgft,m=8.8,w=1.8 routing=dynamic_random load=0.9 warmup=0ns window=20us",
    ] {
        let mut fast = Simulation::new(setup(text).expect("a valid scenario"));
        while fast.advance(1_000_000) != Progress::Done {}
        let mut plain = Simulation::plain(setup(text).expect("a valid scenario"));
        while plain.advance(1_000_000) != Progress::Done {}
        let (hops, packets) = (fast.packet_hops(), fast.packets_sent());
        assert!(hops > 1000 && packets > 500, "{text}");
        assert_eq!(fast.events(), hops + packets, "{text}: {hops} hops of {packets} packets");
        assert_eq!((plain.packet_hops(), plain.packets_sent()), (hops, packets), "{text}");
        assert!(plain.events() < 2 * hops + 2 * packets, "{text}");
    }
    // The same of flits, where packets never meet: at the end some of eight packets may be under way.
    let pairs = "topology=xgft,m=8,w=1 routing=d_mod_k traffic=shift,by=1 warmup=0ns window=100us \
                 load=0.1 switching=wormhole,flit=256B packet=2KiB";
    let base = setup(pairs).expect("a valid scenario");
    let ([fast, plain], [hops, packets, _]) = count_events(base);
    assert!(hops > 400 && packets - hops < 8, "{hops} hops of {packets} packets");
    assert!(fast.abs_diff(8 * (hops + packets)) < 8 * 8, "{fast} events of {hops} hops");
    assert!(plain > 3 * fast / 2, "{plain} events of the plain engine");
    // A plain run after the end of which nothing comes: nearly nothing is sent.
    let complete = |seed: &u32| {
        let text = format!(
            "topology=dragonfly,p=2,a=4,h=2 load=0.0005 warmup=0ns window=200us seed={seed}"
        );
        let mut plain = Simulation::plain(setup(&text).expect("a valid scenario"));
        while plain.advance(1_000_000) != Progress::Done {}
        let all = 2 * plain.packet_hops() + 2 * plain.packets_sent();
        assert!(plain.events() <= all, "{text}");
        plain.events() == all
    };
    assert!((1..=16).filter(complete).count() >= 2);
}

/// The numbers of events of both engines, and of the hops and packets sent and not delivered, of a run
/// whose window begins at time zero.
fn count_events(setup: Setup) -> ([u64; 2], [u64; 3]) {
    let mut fast = Simulation::new(setup.clone());
    while fast.advance(1_000_000) != Progress::Done {}
    let mut plain = Simulation::plain(setup);
    while plain.advance(1_000_000) != Progress::Done {}
    let (hops, packets) = (fast.packet_hops(), fast.packets_sent());
    ([fast.events(), plain.events()], [hops, packets, packets - fast.report().packets])
}

/// In saturation, too, every event of the fast engine has something to do, and what each can do is
/// limited:
///
/// - a packet arrives once at each switch, whether it has left it or waits there;
/// - a source has a turn for each of its packets, and before it, where no credit is left, at most one
///   that is put off until what is to come in the window is known, and one that finds none even then;
/// - a credit comes back once for each hop;
/// - an output has room again, which someone waits for, at most once for each packet that it sends: it
///   was full before, and will be full again only of another packet.
///
/// The plain engine has as many arrivals, credits and packets, and deliveries besides.
#[test]
fn events_are_limited_in_saturation() {
    let dragonfly = "topology=dragonfly,p=2,a=4,h=2";
    let larger = "topology=dragonfly,p=4,a=8,h=4";
    let tree = "topology=xgft,m=8.8,w=1.2 routing=d_mod_k";
    for (text, blocks_sources) in [
        (format!("{dragonfly} buffer=512B,per=vc output_buffer=512B window=100us"), true),
        (format!("{dragonfly} buffer=256B,per=vc output_buffer=256B window=100us"), true),
        (format!("{dragonfly} buffer=256B,per=vc output_buffer=100MB window=100us"), true),
        (format!("{dragonfly} buffer=100MB output_buffer=256B window=50us"), false),
        (format!("{larger} traffic=shift,by=32 buffer=4KiB output_buffer=4KiB window=50us"), true),
        (format!("{larger} routing=valiant buffer=4KiB output_buffer=4KiB window=20us"), true),
        (format!("{tree} buffer=4KiB output_buffer=4KiB window=50us"), true),
        (format!("{tree} buffer=4KiB output_buffer=4KiB latency=0ns window=50us"), true),
    ] {
        let setup = setup(&format!("{text} load=1 warmup=0ns")).expect("a valid scenario");
        let sources = setup.placement.len() as u64;
        let ([fast, plain], [hops, packets, inside]) = count_events(setup);
        assert!(hops > 10_000, "{text}");
        let idle = if blocks_sources { 2 * (packets + sources) } else { 0 };
        let (arrivals, credits, wakes) = (hops + inside, hops, hops);
        let most = arrivals + packets + idle + credits + wakes;
        assert!(fast > hops + packets, "{text}: nobody waits");
        assert!(fast <= most, "{text}: {fast} events, at most {most}");
        assert!(fast < plain, "{text}: {fast} events, {plain} of the plain engine");
    }
}

/// Two sources at full load send over one switch to one output that holds a packet at a time: each of
/// these but the first waits, and goes when the output has room, which is one event more, and nothing
/// else is one. Packets that have been sent and not crossed the switch have arrived there, but for those
/// on the links to it: 50 ns and 100 ns on the way to the allocator are less than eight packets of
/// 20.48 ns of each source.
#[test]
fn a_wait_for_room_is_one_event() {
    let text = "topology=xgft,m=3,w=1 routing=d_mod_k load=1 buffer=100MB output_buffer=256B \
                warmup=0ns window=100us";
    let to_the_last = Destinations::Fixed(vec![Some(Rank(2)), Some(Rank(2)), None]);
    let base = setup(text).expect("a valid scenario");
    let ([fast, _], [hops, packets, _]) =
        count_events(Setup { destinations: to_the_last.into(), ..base });
    assert!(hops > 4_000 && packets > 9_000);
    let most = packets + packets + hops;
    assert!((most - 20..=most).contains(&fast), "{fast} events, at most {most}");
}
