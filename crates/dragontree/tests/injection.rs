//! When sources send and in what messages, against closed forms.

use std::sync::Arc;

use dragontree::network::{EndpointId, Node};
use dragontree::scenario::{Experiment, Study};
use dragontree::simulation::{Progress, Report, Setup, Simulation};
use dragontree::traffic::Destinations;
use dragontree::units::{Rank, Time};

fn setup(text: &str) -> Setup {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    Experiment::build(plan.jobs[0].scenario(), None).expect(text).setup()
}

fn run(text: &str) -> Report {
    finish(setup(text))
}

fn finish(setup: Setup) -> Report {
    let mut simulation = Simulation::new(setup);
    while simulation.advance(1_000_000) != Progress::Done {}
    simulation.report()
}

/// 256 bytes at 100 Gbit/s take 20.48 ns.
const SLOT: u64 = 20_480;
/// Two links and a switch, and a packet's time.
const ALONE: u64 = 2 * 50_000 + 100_000 + SLOT;

/// A source that is alone never waits, since its messages follow one another no faster than the link
/// takes them; so every message takes as long as the last of its packets, at any load.
#[test]
fn a_message_takes_as_long_as_its_packets() {
    for injection in ["bernoulli", "periodic"] {
        for packets in [1, 2, 7, 64] {
            for load in ["0.1", "0.5", "1"] {
                let text = format!(
                    "topology=xgft,m=2,w=1 routing=d_mod_k traffic=shift,by=1 warmup=10us \
                     window=100us load={load} injection={injection},packets={packets}"
                );
                let report = run(&text);
                let wanted = Time::ps(ALONE + (packets - 1) * SLOT);
                assert_eq!(report.latency.max, Some(wanted), "{text}");
                assert_eq!(report.latency.mean_ns, Some(wanted.as_ns()), "{text}");
                let experiment = {
                    let plan = Study::parse(&text).expect("a text").plan().expect("a plan");
                    Experiment::build(plan.jobs[0].scenario(), None).expect("an experiment")
                };
                let zero_load = experiment.analysis().report.zero_load_ns;
                assert!((zero_load - wanted.as_ns()).abs() < 1e-9, "{text}: {zero_load}");
            }
        }
    }
}

/// Where packets of a message go ways that take different times, its last may come on any of them, so that
/// its latency is not that of one way. Messages that go one way, or whose ways take the same time, have
/// that latency; on channels slower than the endpoints' it is that of one way only if all go over them, and
/// not because those before them wait there.
#[test]
fn latency_at_zero_load_is_known_where_packets_of_a_message_arrive_in_order() {
    let dragonfly = "topology=dragonfly,p=2,a=4,h=2 load=0.001";
    let tree = "topology=xgft,m=4.4,w=1.4 routing=dynamic_random load=0.001";
    let shared = "topology=xgft,m=4.4.4,w=1.1.4 routing=dynamic_random load=0.001";
    let slow = "bandwidth=100Gbps,level2=25Gbps";
    for (text, packets, known) in [
        (format!("{dragonfly} routing=valiant"), "1", true),
        (format!("{dragonfly} routing=valiant"), "4", false),
        (format!("{dragonfly} routing=valiant"), "4,ways=message", true),
        (format!("{dragonfly} routing=minimal"), "4", true),
        ("topology=oft,k=3 load=0.001 routing=valiant".to_owned(), "4", true),
        (tree.to_owned(), "4", true),
        (format!("{tree} {slow}"), "4", false),
        (format!("{tree} {slow}"), "4,ways=message", true),
        (format!("{shared} {slow}"), "4", true),
        (format!("{dragonfly} routing=ugal"), "4", true),
        (format!("{dragonfly} routing=ugal bandwidth=100Gbps,local=25Gbps"), "64", false),
    ] {
        let text = format!("{text} injection=periodic,packets={packets} warmup=0ns window=30ms");
        let experiment = {
            let plan = Study::parse(&text).expect("a text").plan().expect("a plan");
            Experiment::build(plan.jobs[0].scenario(), None).expect("an experiment")
        };
        let report = experiment.analysis().report.clone();
        assert_eq!(report.zero_load().is_some(), known, "{text}");
        let mean = run(&text).latency.mean_ns.expect("messages arrived");
        let off = mean / report.zero_load_ns - 1.0;
        assert_eq!(off.abs() < 0.01, known, "{text}: {mean} {}", report.zero_load_ns);
    }
}

/// Periodic sources offer exactly their load, also where the period is no whole number of
/// picoseconds: in a window as many packets as it has periods, give or take one for each source.
#[test]
fn periodic_sources_send_exactly_what_they_offer() {
    for (load, packets) in [(0.3, 1), (0.7, 1), (0.123_457, 3), (1.0, 2)] {
        let text = format!(
            "topology=xgft,m=8,w=1 routing=d_mod_k traffic=shift,by=1 warmup=10us window=1ms \
             load={load} injection=periodic,packets={packets}"
        );
        let report = run(&text);
        let each = load * 1e9 / SLOT as f64;
        let most = 8.0 * packets as f64;
        assert!((report.packets as f64 - 8.0 * each).abs() <= most, "{text}: {}", report.packets);
    }
}

/// Periodic sources that share an output below its rate: in every period one packet of each comes, so
/// that none waits for more than one of each other source (the ΣDᵢ/D/1 queue). Sources at random
/// make longer queues.
#[test]
fn periodic_sources_wait_for_one_packet_of_each_other() {
    let sources = 15;
    let of = |injection: &str| {
        let text = format!(
            "topology=xgft,m=16,w=1 routing=d_mod_k traffic=uniform \
             load=0.0633 warmup=20us window=500us injection={injection}"
        );
        let to_the_last = (0..16).map(|rank| (rank < 15).then_some(Rank(15))).collect();
        let destinations = Arc::new(Destinations::Fixed(to_the_last));
        finish(Setup { destinations, ..setup(&text) })
    };
    let periodic = of("periodic");
    let waited = periodic.latency.max.expect("packets arrived").as_ps() - ALONE;
    assert!(waited <= (sources - 1) * SLOT, "{waited}");
    assert!(waited > 2 * SLOT, "{waited}");
    let random = of("bernoulli").latency.max.expect("packets arrived").as_ps() - ALONE;
    assert!(random > sources * SLOT, "{random}");
}

/// Of routes that choose at random, the packets of a message choose alike where that is asked: one
/// message in the window then takes one way up the tree.
#[test]
fn packets_of_a_message_go_one_way_where_that_is_asked() {
    let ways = |ways: &str| {
        // 64 packets every 100 periods of a message: one message in the window.
        let setup = setup(&format!(
            "topology=xgft,m=2.2,w=1.8 routing=dynamic_random traffic=shift,by=2 ranks=4 load=0.01 \
             injection=periodic,packets=64,ways={ways} warmup=0ns window=131072ns"
        ));
        let network = setup.network.clone();
        let report = finish(setup);
        let from = |endpoint: u32| {
            let switch = network.switch_of(EndpointId(endpoint));
            let ports = network.channels().filter(|(port, _)| {
                let up = matches!(network.neighbor(*port), Some(Node::Switch(_)));
                Some(network.owner(*port)) == switch.map(Node::Switch) && up
            });
            ports.filter(|(port, _)| report.utilization[port.index()] > 0.0).count()
        };
        from(0)
    };
    // Two endpoints of the first switch send a message each.
    assert!(ways("message") <= 2, "{}", ways("message"));
    assert!(ways("packet") > 6, "{}", ways("packet"));
}

#[test]
fn adaptive_routes_choose_for_each_packet() {
    let text = "topology=dragonfly routing=ugal injection=bernoulli,packets=4,ways=message";
    let plan = Study::parse(text).expect("a text").plan().expect("a plan");
    let problems = Experiment::build(plan.jobs[0].scenario(), None).err().expect("a problem");
    let said = problems[0].to_string();
    assert!(said.contains("injection") && said.contains("ways=packet"), "{said}");
}

/// The same where messages are cut at random: the last bit of one comes when it would in one piece.
#[test]
fn a_message_takes_as_long_however_it_is_cut() {
    for (injection, packets) in [("bernoulli", 1), ("bernoulli", 5), ("periodic", 1)] {
        for load in ["0.1", "0.5", "1"] {
            let text = format!(
                "topology=xgft,m=2,w=1 routing=d_mod_k traffic=shift,by=1 warmup=10us window=100us \
                 load={load} injection={injection},packets={packets},shortest=16B"
            );
            let report = run(&text);
            let wanted = Time::ps(ALONE + (packets - 1) * SLOT);
            assert_eq!(report.latency.max, Some(wanted), "{text}");
            assert_eq!(report.latency.mean_ns, Some(wanted.as_ns()), "{text}");
        }
    }
}

/// How many pieces a length is cut into on average, if each is as likely to be any from the shortest to
/// the longest: 1 and what the rest is cut into.
fn pieces(length: usize, shortest: usize, longest: usize) -> f64 {
    let mut mean = vec![0.0; length + 1];
    for own in 1..=length {
        let lengths = shortest..=longest;
        let rest: f64 = lengths.clone().map(|each| mean[own.saturating_sub(each)]).sum();
        mean[own] = 1.0 + rest / lengths.count() as f64;
    }
    mean[length]
}

#[test]
fn messages_are_cut_into_as_many_packets_as_chance_makes_of_them() {
    for (packets, shortest) in [(1, 16), (1, 200), (3, 64), (1, 1)] {
        let text = format!(
            "topology=xgft,m=8,w=1 routing=d_mod_k traffic=shift,by=1 warmup=0ns window=1ms load=1 \
             injection=periodic,packets={packets},shortest={shortest}B"
        );
        let run = |text: &str| {
            let mut simulation = Simulation::new(setup(text));
            while simulation.advance(1_000_000) != Progress::Done {}
            (simulation.packets_sent() as f64, simulation.report())
        };
        let (sent, report) = run(&text);
        // Bytes are as many as ever, and both runs are as long.
        let (whole_sent, whole) = run(&text.replace(&format!(",shortest={shortest}B"), ""));
        assert!(report.packets.abs_diff(whole.packets) <= 8 * packets as u64, "{text}");
        let found = sent / whole_sent;
        let wanted = pieces(256 * packets, shortest, 256) / packets as f64;
        assert!((found / wanted - 1.0).abs() < 0.005, "{text}: {found}, expected {wanted}");
        assert!((report.accepted - 1.0).abs() < 0.001, "{text}: {}", report.accepted);
    }
}

/// Periodic sources offer exactly their load; a window holds as many packets as it has slots, give or
/// take a few of each source.
#[test]
fn lengths_that_vary_are_accepted_as_offered_by_any_switch() {
    let dragonfly = "topology=dragonfly,p=2,a=4,h=2 load=0.3";
    let subnets = "topology=subnets,count=3 routing=min_hop load=0.1";
    // Of three ranks of an endpoint, two others are at home.
    let leaving = 0.3 * 213.0 / 215.0;
    for (text, offered, packet) in [
        (dragonfly.to_owned(), 0.3, 256),
        (format!("{dragonfly} routing=valiant packet=2KiB"), 0.3, 2048),
        (format!("{dragonfly} routing=ugal"), 0.3, 256),
        (format!("{dragonfly} switch=fifo_inputs"), 0.3, 256),
        (format!("{dragonfly} switch=output_buffered"), 0.3, 256),
        (format!("{dragonfly} switch=input_output_buffered"), 0.3, 256),
        (format!("{dragonfly} arbitration=weights,low=3.1"), 0.3, 256),
        (format!("{dragonfly} ranks_per_endpoint=3"), leaving, 256),
        (format!("{subnets} traffic=hot_spot packet=2KiB"), 0.1, 2048),
    ] {
        let text = format!("{text} injection=periodic,shortest=84B warmup=5us window=40us");
        let report = run(&text);
        let slot = f64::from(packet) * 0.08 / 40_000.0;
        let off = (report.accepted - offered).abs();
        assert!(off < 3.0 * slot + 0.001, "{text}: {}", report.accepted);
        assert!(!report.saturated && report.deadlock.is_none(), "{text}");
    }
}

/// Where the shortest packet is as long as all, the fast engine takes them as ever.
#[test]
fn a_shortest_packet_as_long_as_all_changes_nothing() {
    let text = "topology=dragonfly,p=2,a=4,h=2 load=0.5 window=5us warmup=1us";
    let usual = run(text);
    assert_eq!(run(&format!("{text} injection=bernoulli,shortest=256B")), usual);
    assert_eq!(run(&format!("{text} injection=bernoulli,shortest=packet")), usual);
    let cut = run(&format!("{text} injection=bernoulli,shortest=255B"));
    assert_ne!(cut.digest, usual.digest);
}

#[test]
fn runs_with_lengths_that_vary_repeat_in_slices_of_any_length_and_stop_for_good() {
    let text = "topology=torus,widths=8,p=1 routing=dimension_order virtual_channels=1 load=1 \
                traffic=shift,by=3 buffer=256B,per=vc output_buffer=256B injection=bernoulli,shortest=32B";
    let whole = run(text);
    assert!(whole.deadlock.is_some(), "{whole:?}");
    let mut simulation = Simulation::new(setup(text));
    while simulation.advance(7) != Progress::Done {}
    assert_eq!(simulation.report(), whole);
    // What switches send is of one length.
    let managed = run(
        "topology=xgft,m=4.4,w=1.2 routing=sftree management=0.5 load=0.3 window=200us warmup=20us \
         injection=bernoulli,shortest=32B",
    );
    let management = managed.management.expect("switches send");
    let off = (management.accepted / management.offered - 1.0).abs();
    // They send at random: so much is three standard deviations of their number.
    let chance = 3.0 / (management.packets as f64).sqrt();
    assert!(off < chance && !managed.saturated, "{management:?}");
}
