//! What is said of runs that saturate below their bound, where theory says that they must.

use dragontree::catalog::{Data, Files, Written};
use dragontree::scenario::{Metrics, Plan, Step, Study};

/// The only run of a text.
fn run(text: &str) -> Metrics {
    finished(&Study::parse(text).expect(text).plan().expect(text), 0)
}

/// A run of a plan.
fn finished(plan: &Plan, index: usize) -> Metrics {
    let mut running = plan.jobs[index].start(None).expect("a run");
    while running.advance(1_000_000) != Ok(Step::Done) {}
    running.record(0.25).expect("results").metrics.expect("a run at an offered load")
}

/// What a run accepts at full load, of which more is possible as far as links go, and what is said.
fn saturated(text: &str) -> (f64, String) {
    let run = run(text);
    assert_eq!(run.bound, Some(1.0), "{text}");
    assert!(run.saturated && run.accepted < 0.95, "{text}: {}", run.accepted);
    (run.accepted, run.below_bound.unwrap_or_else(|| panic!("nothing is said of {text}")))
}

/// A run of the same at which nothing is in the way carries nearly everything, and nothing is said.
fn carries(text: &str) {
    let run = run(text);
    assert!(run.accepted > 0.95, "{text}: {}", run.accepted);
    assert_eq!(run.below_bound, None, "{text}");
}

/// A single switch under uniform traffic. With FIFO inputs it carries 2 - √2 of the rate and a little
/// more for few ports (Karol, Hluchyj & Morgan 1987, Table I); the more packets an output has room
/// for, the fewer wait in front of it and block others.
#[test]
fn small_queues_lie_between_first_in_first_out_inputs_and_large_ones() {
    let with = |switch: &str| {
        format!("topology=xgft,m=16,w=1 load=1 warmup=50us window=200us switch={switch}")
    };
    let (fifo, why) = saturated(&with("fifo_inputs"));
    assert!((0.58..0.62).contains(&fifo) && why.contains("58.6 %"), "{fifo}: {why}");
    // A queue of one packet, and of three.
    let queues = |bytes: u32| with(&format!("output_buffered output_buffer={bytes}B"));
    let (one, why) = saturated(&queues(256));
    assert!(why.contains("room for few packets"), "{why}");
    let (three, why) = saturated(&queues(768));
    assert!(why.contains("room for few packets"), "{why}");
    assert!(fifo + 0.05 < one && one + 0.05 < three, "{fifo} {one} {three}");
    // Four are no longer few, but packets at the inputs still wait for others' outputs.
    let (four, why) = saturated(&queues(1024));
    assert!(why.contains("Packets that wait for one channel fill the buffers"), "{why}");
    assert!(three < four, "{three} {four}");
    carries(&queues(64 * 1024));
    // Virtual output queues do not block one another, whatever room the outputs have.
    carries(&with("voq output_buffer=256B"));
}

/// Also just above what it carries, where it loses little of what is offered.
#[test]
fn what_holds_a_run_back_is_told_at_every_load_above_that() {
    for (text, offered, reason) in [
        ("topology=xgft,m=64,w=1 switch=fifo_inputs load=0.6", 0.6, "58.6 %"),
        ("topology=dragonfly,p=2,a=4,h=2 load=0.064 buffer=512B", 0.064, "256 B of the 2756 B"),
    ] {
        let run = run(&format!("{text} warmup=200us window=500us"));
        assert!(run.saturated && run.accepted > 0.9 * offered, "{text}: {}", run.accepted);
        let below = run.below_bound.unwrap_or_else(|| panic!("nothing is said of {text}"));
        assert!(below.contains(reason), "{text}: {below}");
    }
}

/// Messages of many packets make sources fall behind now and then; no setting holds back what accepts all
/// that is offered but what chance explains, and a bound above full load makes no difference.
#[test]
fn what_fell_behind_by_chance_has_no_other_reason() {
    let tree = "topology=xgft,m=4.4,w=1.4 injection=bernoulli,packets=256 warmup=5us window=50us";
    for more in ["load=0.9 seed=47", "load=0.5 seed=27"] {
        let run = run(&format!("{tree} traffic=permutation {more}"));
        assert!(run.saturated && run.accepted > run.offered, "{more}: {}", run.accepted);
        assert!(run.below_bound.expect(more).contains("no more than chance"), "{more}");
    }
    let shared = (1..=20)
        .map(|seed| run(&format!("{tree} load=0.9 ranks=4 ranks_per_endpoint=2 seed={seed}")));
    // Two of 16 endpoints send, two packets of three over the network.
    let offered = 0.9 * 2.0 / 16.0 * 2.0 / 3.0;
    let lucky: Vec<Metrics> =
        shared.filter(|run| run.saturated && run.accepted > offered).collect();
    assert!(!lucky.is_empty() && lucky[0].bound > Some(1.1), "{lucky:?}");
    let chance = |run: &Metrics| run.below_bound.as_ref().is_some_and(|it| it.contains("chance"));
    assert!(lucky.iter().all(chance), "{lucky:?}");
    // Each flow has its links to itself, so that nothing can be in its way, however much is missing.
    let run =
        run("topology=xgft,m=4.4,w=1.4 warmup=5us window=200us injection=bernoulli,packets=1000 \
                   load=0.9 traffic=shift,by=4 routing=d_mod_k seed=69");
    assert!(run.saturated && run.accepted < 0.95 * run.offered, "{run:?}");
    assert!(chance(&run), "{run:?}");
}

/// What is generated in a short window differs from what is offered by much more than the batches of the
/// window differ from each other.
#[test]
fn few_messages_fall_behind_by_chance() {
    let text = "topology=xgft,m=4.4,w=1.4 injection=bernoulli,packets=256 warmup=5us window=50us \
                traffic=shift,by=4 routing=d_mod_k load=0.5 seed=42";
    let run = run(text);
    let interval = run.interval.accepted.expect("batches");
    assert!(run.saturated && run.accepted + interval < run.offered, "{run:?}");
    assert!(run.below_bound.is_some_and(|why| why.contains("no more than chance")));
}

/// Each flow has its links to itself. At equal intervals, too, chance decides which messages are for the
/// endpoint itself: half of them in all rows but the first.
#[test]
fn what_stays_at_home_by_chance_is_chance() {
    let row = |from: u32| {
        let share = if from == 0 { "1" } else { "0.5" };
        let cell = |to: u32| if to == (from + 4) % 16 { share } else { "0" };
        (0..16).map(cell).collect::<Vec<_>>().join(",")
    };
    let matrix: Vec<String> = (0..16).map(row).collect();
    let mut files = Files::default();
    let data = Data::files(&[files.add("matrix", &matrix.join("\n"))]).print();
    let text = format!(
        "topology=xgft,m=4.4,w=1.4 routing=d_mod_k traffic=matrix,data={data} load=0.5 warmup=5us \
         window=200us injection=periodic,packets=1000 seeds=30"
    );
    let mut plan = Study::parse(&text).expect("a text").plan().expect("a plan");
    plan.attach(&files);
    let runs: Vec<Metrics> = (0..plan.jobs.len()).map(|index| finished(&plan, index)).collect();
    let told: Vec<&String> = runs.iter().filter_map(|run| run.below_bound.as_ref()).collect();
    assert!(
        !told.is_empty() && told.iter().all(|why| why.contains("no more than chance")),
        "{told:?}"
    );
    // The destinations of packets are drawn at random here, and the interval leaves more open.
    let short = run("topology=dragonfly,p=2,a=4,h=2 injection=bernoulli,packets=16 load=0.9 \
                     warmup=10us window=10us seed=7");
    let interval = short.interval.accepted.expect("batches");
    assert!(short.saturated && short.accepted + interval > 0.9, "{short:?}");
    assert!(short.below_bound.is_some_and(|why| why.contains("no more than chance")));
}

/// Sources at equal intervals, or at full load, send what they are to send: what a short buffer leaves of
/// that, as many bytes in a round trip and a packet as it has, is no chance, however few messages these are.
#[test]
fn what_leaves_nothing_to_chance_has_a_reason() {
    let tree = "topology=xgft,m=4.4,w=1.4 routing=d_mod_k traffic=shift,by=4 latency=50ns";
    for (more, bytes) in [
        ("load=0.5 injection=periodic,packets=256 warmup=100us window=50us", 1024),
        ("load=0.4 injection=periodic,packets=16 warmup=20us window=20us", 1024),
        ("load=1 injection=bernoulli,packets=64 warmup=40us window=20us", 2560),
    ] {
        let run = run(&format!("{tree} {more} buffer={bytes}B,per=vc"));
        let left = f64::from(bytes) / 2756.0;
        assert!((run.accepted - left).abs() < 0.003, "{more}: {}", run.accepted);
        let why = run.below_bound.unwrap_or_else(|| panic!("nothing is said of {more}"));
        assert!(why.contains(&format!("{bytes} B of the 2756 B")), "{more}: {why}");
    }
}

/// One endpoint of 72 sends into another group, over a channel whose buffer takes two fifths of a round
/// trip: all together lack little, but this one lacks more than chance takes.
#[test]
fn one_source_that_starves_does_not_lack_by_chance() {
    let row = |from: u32| {
        // Its neighbor and that of its destination are silent.
        let to = match from {
            0 => Some(14),
            1 | 14 | 15 => None,
            _ => Some(from ^ 1),
        };
        let cell = |other| if Some(other) == to { "1" } else { "0" };
        let cells: Vec<&str> = (0..72).map(cell).collect();
        cells.join(",")
    };
    let matrix: Vec<String> = (0..72).map(row).collect();
    let mut files = Files::default();
    let digest = files.add("matrix", &matrix.join("\n"));
    for (load, seed) in [(0.45, 1), (0.45, 2), (0.45, 3), (0.45, 4), (0.955, 1)] {
        let text = format!(
            "topology=dragonfly,p=2,a=4,h=2 latency=50ns,global=5us load={load} warmup=50us \
             window=200us seed={seed} traffic=matrix,data={}",
            Data::files(&[digest]).print()
        );
        let mut plan = Study::parse(&text).expect("a text").plan().expect("a plan");
        plan.attach(&files);
        let run = finished(&plan, 0);
        assert!(run.saturated && run.accepted > 0.98 * load * 69.0 / 72.0, "{run:?}");
        let why = run.below_bound.unwrap_or_else(|| panic!("nothing is said of seed {seed}"));
        assert!(why.contains("49920 B of the 126506 B"), "{why}");
    }
}

/// What a short buffer leaves is more than the run accepts, so that it cannot be all.
#[test]
fn a_second_reason_is_named_where_a_short_buffer_is_not_all() {
    let text = "topology=dragonfly,p=2,a=4,h=2 load=0.95 output_buffer=256B";
    let (accepted, why) = saturated(&format!("{text} buffer=5500B"));
    assert!(accepted < 0.9 * 2560.0 / 2756.0, "{accepted}");
    assert!(why.contains("2560 B of the 2756 B") && why.contains("room for few packets"), "{why}");
}

/// One flow a direction blocks nobody, so that FIFO inputs are not what holds it back but the credits of a
/// short buffer, which carries as many bytes in a round trip and a packet as it has.
#[test]
fn the_tighter_of_two_reasons_is_named() {
    let text = "topology=mesh,widths=2 traffic=shift routing=dimension_order virtual_channels=1 load=1 \
                warmup=50us window=200us buffer=2560B";
    let [fifo, voq] = ["fifo_inputs", "voq"].map(|switch| {
        let (accepted, why) = saturated(&format!("{text} switch={switch}"));
        assert!(why.contains("2560 B of the 2756 B"), "{switch}: {why}");
        assert!((accepted - 2560.0 / 2756.0).abs() < 0.001, "{switch}: {accepted}");
        accepted
    });
    assert!((fifo - voq).abs() < 1e-6, "{fifo} {voq}");
    // Where half of the endpoints send, they accept half as much on average.
    let half =
        run("topology=xgft,m=4.4,w=1.4 routing=d_mod_k traffic=shift,by=4 load=1 buffer=2304B \
                    switch=fifo_inputs ranks=8 warmup=50us window=200us");
    assert!((half.accepted - 0.5 * 2304.0 / 2756.0).abs() < 0.001, "{half:?}");
    let why = half.below_bound.expect("it is saturated");
    assert!(why.contains("2304 B of the 2756 B") && !why.contains("58.6 %"), "{why}");
}

/// What each of several settings costs is not known, so all are named.
#[test]
fn all_settings_that_hold_back_are_named() {
    let text = "topology=xgft,m=4.4,w=1.4 routing=min_hop traffic=shift,by=4 load=1 switch=fifo_inputs \
                management=0.5,bandwidth=100Gbps warmup=20us window=100us";
    let (_, why) = saturated(text);
    assert!(why.contains("first-in-first-out") && why.contains("send one another"), "{why}");
}

/// Each endpoint has an up link and a down link of its own, which its traffic alone fills: what the
/// switches send one another over these has to go at its expense.
#[test]
fn packets_of_switches_take_what_the_bound_gives_to_endpoints() {
    let text = "topology=xgft,m=4.4,w=1.4 traffic=shift,by=4 routing=min_hop load=1 warmup=20us \
                window=100us";
    let with = |load: &str| format!("{text} management={load},bandwidth=100Gbps");
    let (half, why) = saturated(&with("0.5"));
    assert!(why.contains("Packets that switches send one another"), "{why}");
    // All that a leaf sends shares four links.
    let (all, _) = saturated(&with("1"));
    assert!(all < half && half < 1.0 - 0.5 / 4.0 + 0.01, "{all} {half}");
    carries(&with("0"));
}

/// A worm that waits keeps the channels behind it from others where the buffer in front of the channel
/// that it waits for has no room for the rest of it.
#[test]
fn worms_that_wait_keep_channels_that_they_do_not_use() {
    let with = |buffer: &str| {
        format!(
            "topology=xgft,m=4.4,w=1.4 routing=d_mod_k load=1 warmup=50us window=200us \
             switching=wormhole,flit=64B packet=8KiB buffer={buffer},per=vc"
        )
    };
    let (_, why) = saturated(&with("8KiB"));
    assert!(why.contains("from its first flit to its last"), "{why}");
    // With room for eight worms, outputs are seldom idle.
    carries(&with("64KiB"));
}

/// The bound of adaptive routes is not known; where no channel was busy all the time, none is the reason.
#[test]
fn adaptive_routes_are_held_back_by_what_leaves_channels_idle() {
    let with = |rest: &str| {
        let text = format!("topology=dragonfly,p=2,a=4,h=2 routing=ugal load=1 window=50us {rest}");
        let run = run(&text);
        assert_eq!(run.bound, None, "{text}");
        let busiest = run.measured_busiest.expect("it is saturated").utilization;
        (busiest, run.below_bound)
    };
    let (busiest, why) = with("buffer=512B");
    let why = why.expect("no channel was busy");
    assert!(busiest < 0.2 && why.contains("256 B of the 2756 B"), "{busiest} {why}");
    let (busiest, why) = with("switch=fifo_inputs");
    let why = why.expect("no channel was busy");
    assert!(busiest < 0.9 && why.contains("58.6 %"), "{busiest} {why}");
    // A channel that was full is the reason, whatever else there is.
    let (busiest, why) = with("traffic=adversarial");
    assert!(busiest > 0.99 && why.is_none(), "{busiest} {why:?}");
}
