//! The simulator against closed forms.

use std::sync::Arc;

use super::*;
use crate::analysis::{self, Latencies};
use crate::network::{Links, Network};
use crate::random::Stream;
use crate::routing::{self, Pair, Routing};
use crate::topology::{Dragonfly, Topology, Torus, Xgft};
use crate::units::{Bandwidth, Rank};

mod film;

fn setup(
    topology: impl Into<Topology>,
    routing: impl Into<Routing>,
    destinations: Destinations,
) -> Setup {
    let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
    let network = Arc::new(topology.into().role().build(&links).expect("a network"));
    let routes = routing.into().role().find_any(&network, 1).expect("routes");
    Setup {
        placement: network.endpoints().collect(),
        virtual_channels: routes.route().virtual_channels(),
        network,
        routes,
        destinations: Arc::new(destinations),
        load: Load::ppm(50_000),
        injection: Injection::default(),
        management: None,
        packet: Bytes(256),
        model: Model::default(),
        switch_latency: Time::ns(100),
        adapter_latency: Time::ns(7),
        buffer: Bytes(50_000),
        output_buffer: Bytes(100_000),
        warmup: None,
        window: None,
        bound: None,
        precision: Load::ppm(10_000),
        seed: 1,
    }
}

fn run(setup: Setup) -> Report {
    let mut simulation = Simulation::new(setup);
    while simulation.advance(100_000) != Progress::Done {}
    simulation.report()
}

fn only(ranks: u32, source: u32, destination: u32) -> Destinations {
    let chosen = |rank| (rank == source).then_some(Rank(destination));
    Destinations::Fixed((0..ranks).map(chosen).collect())
}

fn small_dragonfly() -> Dragonfly {
    Dragonfly { endpoints: 2, switches: 4, global_links: 2, ..Dragonfly::default() }
}

fn every_pair_is_exact(base: &Setup) {
    let network: &Network = &base.network;
    let routes = base.routes.unloaded().oblivious();
    let latencies = Latencies {
        switch: base.switch_latency,
        adapter: base.adapter_latency,
        flits: base.model.flits(base.packet),
        apart: false,
        adapts: false,
    };
    let serialization = Bandwidth::gbps(100).serialization(base.packet);
    let ranks = network.endpoint_count();
    for source in 0..ranks {
        for destination in (0..ranks).filter(|other| *other != source) {
            let pair = Pair {
                source: base.placement[source as usize],
                destination: base.placement[destination as usize],
            };
            let mut expected = None;
            let walked = analysis::paths(network, routes, pair, &mut |path, _| {
                let time = |port| network.channel(port).map(|c| c.serialization(base.unit()));
                expected = Some(latencies.along(network, path, time));
                let switches = path.len() as u64 - 1;
                let hop = Time::ns(150);
                let closed_form = Time::ns(14) + hop * switches + Time::ns(50) + serialization;
                assert_eq!(expected, Some(closed_form));
            });
            walked.expect("a route");
            let report = run(Setup {
                destinations: Arc::new(only(ranks, source, destination)),
                warmup: Some(Time::ZERO),
                window: Some(serialization * 200),
                seed: u64::from(source),
                ..base.clone()
            });
            let mean = report.latency.mean_ns.expect("some packets");
            assert_eq!(Some(mean), expected.map(Time::as_ns), "{source} to {destination}");
            assert_eq!(report.latency.max, expected);
        }
    }
}

#[test]
fn zero_load_latency_is_exact_on_every_pair_of_a_dragonfly() {
    every_pair_is_exact(&setup(
        small_dragonfly(),
        routing::Minimal,
        Destinations::Uniform { ranks: 72 },
    ));
}

#[test]
fn zero_load_latency_is_exact_on_every_pair_of_a_tree() {
    let tree = Xgft {
        children: vec![4, 2, 4],
        parents: vec![1, 2, 2],
        parallel: vec![1, 2, 2],
        ..Xgft::default()
    };
    every_pair_is_exact(&setup(tree, routing::DModK, Destinations::Uniform { ranks: 32 }));
}

#[test]
fn zero_load_latency_of_worms_is_exact_on_every_pair() {
    let tree = Xgft { children: vec![4, 4], parents: vec![1, 2], ..Xgft::default() };
    let base = setup(tree, routing::DModK, Destinations::Uniform { ranks: 16 });
    for switch in [
        SwitchModel::VirtualOutputQueues,
        SwitchModel::FifoInputs,
        SwitchModel::OutputBuffered,
        SwitchModel::InputOutputBuffered,
    ] {
        let model = Model { switch, flit: Some(Bytes(64)), ..Model::default() };
        every_pair_is_exact(&Setup { model, packet: Bytes(2048), ..base.clone() });
    }
}

/// However long packets wait, the search for deadlocks is given none of them while buffers tell that
/// they will move: it took most of the time of saturated runs otherwise.
#[test]
fn packets_that_move_in_the_end_are_not_searched() {
    let torus = Torus { widths: vec![8, 8], endpoints: 2 };
    let uniform = Destinations::Uniform { ranks: 128 };
    let base = setup(torus, routing::DimensionOrder, uniform);
    let mut run = Run::<Fast>::new(Setup { load: Load::FULL, ..base });
    let mut waiting = 0;
    while !run.control.is_done() {
        run.advance(50_000, u64::MAX);
        waiting += run.engine.waiting();
        assert_eq!(run.engine.stuck_since(u64::MAX), []);
    }
    assert!(waiting > 100_000, "{waiting}");
}

#[test]
fn saturated_inputs_share_an_output_equally() {
    // Eleven endpoints of other switches and the same one all send to endpoint 0.
    let tree =
        Xgft { children: vec![4, 3], parents: vec![1, 4], parallel: vec![1], ..Xgft::default() };
    let destinations =
        Destinations::Fixed((0..12).map(|rank| (rank > 0).then_some(Rank(0))).collect());
    let base = setup(tree, routing::DModK, destinations);
    let report = run(Setup { load: Load::FULL, ..base });
    // Three local sources and two uplinks (from eight sources) meet at one output.
    assert!((report.accepted * 12.0 - 1.0).abs() < 0.01, "{}", report.accepted);
    assert!(report.saturated);
    let one_switch =
        Xgft { children: vec![9], parents: vec![1], parallel: vec![1], ..Xgft::default() };
    let destinations =
        Destinations::Fixed((0..9).map(|rank| (rank > 0).then_some(Rank(0))).collect());
    let base = setup(one_switch, routing::DModK, destinations);
    let report = run(Setup { load: Load::FULL, ..base });
    assert!(report.fairness.is_some_and(|index| index > 0.999), "{:?}", report.fairness);
    assert!((report.worst_source * 8.0 - 1.0).abs() < 0.02, "{}", report.worst_source);
}

#[test]
fn a_permutation_without_contention_is_delivered_in_full() {
    let tree = Xgft {
        children: vec![4, 4, 4],
        parents: vec![1, 4, 4],
        parallel: vec![1],
        ..Xgft::default()
    };
    for by in [1, 5, 16, 21] {
        let destinations =
            Destinations::Fixed((0..64).map(|rank| Some(Rank((rank + by) % 64))).collect());
        let report =
            run(Setup { load: Load::FULL, ..setup(tree.clone(), routing::DModK, destinations) });
        assert!(report.accepted > 0.999, "{by}: {}", report.accepted);
        assert!(!report.saturated);
    }
}

#[test]
fn accepted_follows_offered_below_the_bound() {
    for load in [50_000, 500_000, 900_000] {
        let base = setup(small_dragonfly(), routing::Minimal, Destinations::Uniform { ranks: 72 });
        let report = run(Setup { load: Load::ppm(load), ..base });
        let offered = f64::from(load) / 1e6;
        assert!((report.accepted / offered - 1.0).abs() < 0.02, "{load}: {}", report.accepted);
        assert!(!report.saturated && report.settled, "{load}");
    }
}

#[test]
fn too_few_virtual_channels_deadlock_and_say_so() {
    let ranks = 72;
    let mut stream = Stream::new(5, "test", 0);
    let mut order: Vec<u32> = (0..ranks).collect();
    stream.shuffle(&mut order);
    let base = setup(small_dragonfly(), routing::Minimal, Destinations::Uniform { ranks });
    let report =
        run(Setup { virtual_channels: 1, buffer: Bytes(256), load: Load::FULL, ..base.clone() });
    let cycle = report.deadlock.expect("a cycle of waiting packets");
    assert!(cycle.len() >= 2);
    for (waiting, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
        assert_eq!(waiting.needs, next.holds);
    }
    let report = run(Setup { buffer: Bytes(256), load: Load::FULL, ..base });
    assert_eq!(report.deadlock, None);
}

#[test]
fn the_budget_does_not_change_the_result() {
    let base = setup(small_dragonfly(), routing::Minimal, Destinations::Uniform { ranks: 72 });
    let whole = run(base.clone());
    let mut sliced = Simulation::new(base);
    while sliced.advance(7) != Progress::Done {}
    assert_eq!(sliced.report(), whole);
}

#[test]
fn no_virtual_channel_starves_behind_a_queue_of_whole_packets() {
    let destinations =
        Destinations::Fixed((0..72).map(|rank| Some(Rank((rank + 17) % 72))).collect());
    for packets in [1, 2, 16] {
        let base = setup(small_dragonfly(), routing::Minimal, destinations.clone());
        let report = run(Setup {
            load: Load::FULL,
            output_buffer: Bytes(256 * packets),
            warmup: Some(Time::us(50)),
            window: Some(Time::us(100)),
            ..base
        });
        assert!(report.worst_source > 0.05, "{packets}: {}", report.worst_source);
    }
}

#[test]
fn short_windows_tell_the_truth() {
    let base = setup(small_dragonfly(), routing::Minimal, Destinations::Uniform { ranks: 72 });
    let short = |warmup, window, load| {
        let window = Some(window);
        run(Setup { warmup, window, load: Load::ppm(load), ..base.clone() })
    };
    let from_empty = short(Some(Time::ZERO), Time::us(1), 50_000);
    assert!(!from_empty.saturated);
    let tiny = short(Some(Time::us(5)), Time::ns(100), 300_000);
    // Three switches, the adapters of this set-up, links and the packet's own time.
    assert!(tiny.latency.mean_ns.expect("packets") > 234.0, "{:?}", tiny.latency);
    assert!(tiny.latency.median <= tiny.latency.max);
    for window in [Time::ns(100), Time::us(1), Time::us(3)] {
        let found = short(None, window, 300_000);
        assert_eq!(found.window, window);
        assert!(found.warmup > Time::us(1));
    }
}

#[test]
fn slightly_more_than_the_network_carries_is_saturation() {
    let destinations = Destinations::Fixed((0..72).map(|rank| Some(Rank(71 - rank))).collect());
    let base = setup(small_dragonfly(), routing::Minimal, destinations);
    let at = |load| run(Setup { load: Load::ppm(load), ..base.clone() });
    // The busiest channels fill at one eighth.
    assert!(!at(115_000).saturated);
    let beyond = at(132_000);
    assert!(beyond.saturated && beyond.latency.mean_ns.is_none());
}

#[test]
fn one_saturated_flow_among_many_is_saturation() {
    // Two sources share a destination and offer 1.2 times its link; the others are alone.
    let destinations = Destinations::Fixed(
        (0..72).map(|rank| Some(Rank(if rank == 1 { 36 } else { (rank + 36) % 72 }))).collect(),
    );
    let base = setup(small_dragonfly(), routing::Minimal, destinations);
    let report = run(Setup { load: Load::ppm(600_000), precision: Load::ppm(1_000), ..base });
    assert!(report.saturated, "{}", report.accepted);
}

#[test]
fn a_deadlock_before_the_window_leaves_no_nonsense() {
    let base = setup(small_dragonfly(), routing::Minimal, Destinations::Uniform { ranks: 72 });
    let report = run(Setup {
        virtual_channels: 1,
        buffer: Bytes(256),
        output_buffer: Bytes(256),
        load: Load::FULL,
        warmup: Some(Time::us(1_000)),
        window: Some(Time::us(1)),
        ..base
    });
    assert!(report.deadlock.is_some());
    assert!(report.worst_source <= 1.0 && report.max_utilization <= 1.0 && report.accepted <= 1.0);
}
