//! The simulator against queueing theory and against what analysis expects.

use std::sync::Arc;

use dragontree::network::Links;
use dragontree::routing::{self, Routing};
use dragontree::scenario::{Experiment, Study};
use dragontree::simulation::{Injection, Model, Progress, Report, Setup, Simulation};
use dragontree::topology::{Topology, Xgft};
use dragontree::traffic::Destinations;
use dragontree::units::{Bandwidth, Bytes, Load, Rank, Time};

/// Time of a packet on a link, in nanoseconds.
const PACKET: f64 = 20.48;

fn run(setup: Setup) -> Report {
    let mut simulation = Simulation::new(setup);
    while simulation.advance(1_000_000) != Progress::Done {}
    simulation.report()
}

/// One switch with so many endpoints.
fn one_switch(endpoints: u32, destinations: Destinations, load: Load) -> Setup {
    let switch =
        Xgft { children: vec![endpoints], parents: vec![1], parallel: vec![1], ..Xgft::default() };
    let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
    let network = Arc::new(Topology::from(switch).role().build(&links).expect("a switch"));
    let routing = Routing::from(routing::DModK);
    Setup {
        routes: routing.role().find_any(&network, 1).expect("routes"),
        placement: network.endpoints().collect(),
        network,
        destinations: Arc::new(destinations),
        load,
        injection: Injection::default(),
        management: None,
        packet: Bytes(256),
        model: Model::default(),
        switch_latency: Time::ns(100),
        adapter_latency: Time::ZERO,
        buffer: Bytes(100_000),
        output_buffer: Bytes(100_000),
        virtual_channels: 1,
        warmup: None,
        window: None,
        precision: Load::ppm(10_000),
        seed: 1,
    }
}

/// Everybody sends to the last endpoint.
fn to_the_last(endpoints: u32) -> Destinations {
    let last = endpoints - 1;
    Destinations::Fixed((0..endpoints).map(|rank| (rank < last).then_some(Rank(last))).collect())
}

#[test]
fn virtual_output_queues_carry_nearly_everything() {
    // First-in first-out inputs would carry 2 - √2 = 0.586 (Karol, Hluchyj & Morgan 1987).
    let report = run(one_switch(64, Destinations::Uniform { ranks: 64 }, Load::FULL));
    assert!(report.accepted > 0.98, "{}", report.accepted);
    assert!(report.worst_source > 0.95, "{}", report.worst_source);
}

#[test]
fn saturated_inputs_get_equal_shares() {
    for inputs in [2, 3, 5, 8, 16, 33, 64] {
        let setup = one_switch(inputs + 1, to_the_last(inputs + 1), Load::FULL);
        let report = run(Setup {
            warmup: Some(Time::us(200)),
            window: Some(Time::us(100 * u64::from(inputs))),
            ..setup
        });
        let share = 1.0 / f64::from(inputs);
        assert!((report.worst_source / share - 1.0).abs() < 0.01, "{inputs}: {report:?}");
        assert!(
            report.fairness.is_some_and(|index| index > 0.9999),
            "{inputs}: {:?}",
            report.fairness
        );
        assert!((report.accepted * f64::from(inputs + 1) - 1.0).abs() < 0.001, "{inputs}");
    }
}

/// Many sources of low load are a Poisson process, an output serves packets of constant length: the
/// mean wait is `ρ / 2(1 - ρ)` packets (Pollaczek-Khinchine).
#[test]
fn an_output_waits_as_an_md1_queue() {
    const SOURCES: u32 = 1000;
    for utilization in [0.3, 0.5, 0.7, 0.8] {
        let load = Load::ppm((utilization * 1e6) as u32 / SOURCES);
        let setup = one_switch(SOURCES + 1, to_the_last(SOURCES + 1), load);
        let report = run(Setup {
            buffer: Bytes(1_000_000),
            output_buffer: Bytes(1_000_000),
            warmup: Some(Time::us(100)),
            window: Some(Time::us(40_000)),
            ..setup
        });
        let empty = 2.0 * 50.0 + 100.0 + PACKET;
        let wait = report.latency.mean_ns.expect("packets") - empty;
        let expected = PACKET * utilization / (2.0 * (1.0 - utilization));
        let half = report.latency_interval_ns.expect("an interval");
        assert!(half < 0.03 * expected, "{utilization}: {half} of {expected}");
        assert!((wait - expected).abs() < half, "{utilization}: {wait} ± {half}, not {expected}");
    }
}

/// A run that ends by itself says how well it knows the latency: of 95 % intervals about as many hold
/// what theory says, also where a queue outlasts a batch, so that batches are alike.
#[test]
fn intervals_of_the_latency_hold_the_wait_of_an_md1_queue() {
    const SOURCES: u32 = 400;
    const SEEDS: u64 = 60;
    for utilization in [0.9, 0.97] {
        let load = Load::ppm((utilization * 1e6) as u32 / SOURCES);
        let others = f64::from(SOURCES - 1) / f64::from(SOURCES);
        let wait = others * PACKET * utilization / (2.0 * (1.0 - utilization));
        let expected = 2.0 * 50.0 + 100.0 + PACKET + wait;
        let holds = |seed: &u64| {
            let setup = one_switch(SOURCES + 1, to_the_last(SOURCES + 1), load);
            let room = Bytes(1_000_000);
            let report = run(Setup { buffer: room, output_buffer: room, seed: *seed, ..setup });
            let half = report.latency_interval_ns.expect("an interval");
            (report.latency.mean_ns.expect("packets") - expected).abs() < half
        };
        let holding = (1..=SEEDS).filter(holds).count();
        assert!(holding >= 51, "{utilization}: {holding} of {SEEDS}");
    }
}

/// Through a random intermediate group every message takes two global links where the minimal way has
/// one, so that a balanced dragonfly carries half of the load, and this of any pattern (Prisacari 2020,
/// §6.4).
#[test]
fn valiant_carries_half_of_any_pattern() {
    for traffic in ["uniform", "adversarial"] {
        let run = |rest: &str| {
            let text = format!(
                "topology=dragonfly,p=4,a=8,h=4 routing=valiant,via=group traffic={traffic} {rest}"
            );
            let plan = Study::parse(&text).expect(&text).plan().expect(&text);
            run(Experiment::build(plan.jobs[0].scenario(), None).expect(&text).setup())
        };
        let most = run("load=0.6 warmup=60us window=20us");
        assert!(most.saturated && (most.accepted - 0.5).abs() < 0.02, "{traffic}: {most:?}");
        let less = run("load=0.46 warmup=20us window=20us");
        assert!(!less.saturated && (less.accepted - 0.46).abs() < 0.01, "{traffic}: {less:?}");
    }
}

/// What crosses a channel is a sum of independent packets, so it lies within a few standard
/// deviations of a Poisson law around what analysis expects.
#[test]
fn channels_carry_what_analysis_expects() {
    for text in [
        "topology=dragonfly,p=2,a=4,h=2 routing=minimal",
        "topology=dragonfly,p=2,a=4,h=2,wiring=consecutive routing=minimal",
        "topology=slim_fly,q=5 routing=minimal",
        "topology=hyperx,widths=3.4,p=2 routing=minimal",
        "topology=hyperx,widths=3.4,p=2 routing=dimension_order",
        "topology=torus,widths=4.5,p=1 routing=dimension_order",
        "topology=mesh,widths=4.3,p=1 routing=up_down",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=d_mod_k",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=s_mod_k",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=static_random",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=dynamic_random",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=min_hop",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=down_up",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=ftree",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=sftree",
        "topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=switch",
        "topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=group",
        "topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=group,within=minimal",
        "topology=slim_fly,q=5 routing=valiant",
        "topology=hyperx,widths=3.4,p=2 routing=valiant",
        "topology=oft,k=3 routing=minimal",
        "topology=oft,k=3 routing=valiant",
        "topology=mlfm,h=3 routing=minimal",
        "topology=sspt,r1=2,r2=2 routing=minimal",
        "topology=torus,widths=4.5,p=1 routing=lash",
        "topology=torus,widths=4.5,p=1 routing=dfsssp",
        "topology=multi_core routing=min_hop",
        "topology=subnets routing=min_hop",
        "topology=dragonfly,p=2,a=4,h=2 routing=minimal ranks_per_endpoint=3 placement=random",
        "topology=dragonfly,p=2,a=4,h=2 routing=minimal injection=periodic",
    ] {
        for traffic in ["uniform", "shift,by=5"] {
            let text = format!("{text} traffic={traffic} load=0.1 warmup=5us window=400us");
            let plan = Study::parse(&text).expect(&text).plan().expect("a plan");
            let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(&text);
            let expected = &experiment.analysis().report.utilization;
            let report = run(experiment.setup());
            let packets = report.window.as_ns() / PACKET;
            for (port, (found, expected)) in report.utilization.iter().zip(expected).enumerate() {
                let (found, expected) = (found * packets, expected * 0.1 * packets);
                let allowed = 5.0 * expected.sqrt() + 1.0;
                assert!(
                    (found - expected).abs() <= allowed,
                    "{text}: {found} packets over channel {port}, expected {expected}"
                );
            }
        }
    }
}

/// All endpoints of a group send to the next one, so a·p of them share one global link.
#[test]
fn adversarial_traffic_gets_one_global_link_per_group() {
    for (p, a, h) in [(2, 4, 2), (3, 6, 3), (4, 8, 4)] {
        let group = a * p;
        let bound = 1.0 / f64::from(group);
        let text = format!(
            "topology=dragonfly,p={p},a={a},h={h} routing=minimal traffic=shift,by={group} load={:.4} \
             warmup=50us window=500us",
            2.0 * bound
        );
        let plan = Study::parse(&text).expect(&text).plan().expect("a plan");
        let report = run(Experiment::build(plan.jobs[0].scenario(), None).expect(&text).setup());
        assert!((report.accepted / bound - 1.0).abs() < 0.0005, "{text}: {}", report.accepted);
        assert!(report.saturated, "{text}");
    }
}

/// Past saturation a network delivers more while congestion still spreads than it does for good.
/// Here the sources, with one queue each, all come to wait for the busiest channels, so that what is
/// accepted in the end does not depend on what is
/// offered: a run that begins after a millisecond, ten times as long as the buffers take, finds it.
#[test]
fn a_saturated_run_waits_until_its_buffers_are_full() {
    let accepted = |rest: &str| {
        let text = format!("topology=k_ary_n_tree,k=4,n=3 routing=min_hop traffic=uniform {rest}");
        let plan = Study::parse(&text).expect(&text).plan().expect("a plan");
        let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(&text);
        let report = run(experiment.setup());
        assert!(report.saturated && report.settled, "{text}");
        report.accepted
    };
    let settled = accepted("load=0.8 warmup=1ms window=100us");
    for load in ["0.6", "0.75", "0.8", "0.85", "1"] {
        let found = accepted(&format!("load={load}"));
        assert!((found / settled - 1.0).abs() < 0.02, "{load}: {found}, not {settled}");
    }
}
