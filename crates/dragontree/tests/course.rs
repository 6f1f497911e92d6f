//! How runs go over time, against what is known of them.

use dragontree::catalog::{Data, Files, Written};
use dragontree::scenario::{Running, Step, Study};
use dragontree::simulation::{Course, Film};

fn run(text: &str) -> Running {
    let plan = Study::parse(text).expect("a study").plan().expect("a plan");
    let mut running = plan.jobs[0].start(None).expect("it fits together");
    while running.advance(1_000_000) != Ok(Step::Done) {}
    running
}

fn course(text: &str) -> Course {
    run(text).course(&Film::default()).expect("it was simulated")
}

#[test]
fn the_window_has_the_throughput_and_the_packets_of_the_result() {
    for text in [
        "topology=dragonfly,p=2,a=4,h=2 load=0.6",
        "topology=k_ary_n_tree,k=4,n=2 routing=d_mod_k traffic=shift,by=1 load=0.9 switch=fifo_inputs",
        "topology=dragonfly,p=2,a=4,h=2 load=0.3 warmup=5us window=20us",
    ] {
        let running = run(text);
        let metrics = running.record(0.0).and_then(|record| record.metrics).expect("simulated");
        let course = running.course(&Film::default()).expect("simulated");
        let [start, end] = course.window_ns.expect("it has ended");
        assert!((metrics.window_ns - (end - start)).abs() < 1e-6, "{text}");
        let inside = |end_ns: f64| start < end_ns && end_ns <= end;
        let measured: Vec<f64> =
            course.moments.iter().filter(|m| inside(m.end_ns)).map(|m| m.accepted).collect();
        let mean = measured.iter().sum::<f64>() / measured.len() as f64;
        assert!((mean - metrics.accepted).abs() < 1e-9, "{text}: {mean} {}", metrics.accepted);
        // All packets of the window have arrived, and their latencies lie in the ranges.
        let of = |percent: f64| {
            let total: u64 = course.latencies.iter().map(|bar| bar.packets).sum();
            let mut seen = 0;
            let reached = |seen: u64| seen as f64 >= percent / 100.0 * total as f64;
            let bar = course.latencies.iter().find(|bar| {
                seen += bar.packets;
                reached(seen)
            });
            bar.copied().expect("packets")
        };
        for (percent, own) in [(50.0, metrics.latency_ns.p50), (99.0, metrics.latency_ns.p99)] {
            let (bar, own) = (of(percent), own.expect("bounded"));
            assert!(bar.from_ns <= own && own < bar.to_ns, "{text} {percent}: {own} {bar:?}");
        }
    }
}

#[test]
fn an_empty_network_fills_and_a_deadlocked_one_stops() {
    // Below saturation the packets under way are load times rate times latency (Little's law).
    let text = "topology=dragonfly,p=2,a=4,h=2 load=0.3 precision=0.005";
    let found = course(text);
    let slot_ns = 256.0 * 8.0 / 100.0;
    let last = found.moments.last().expect("batches");
    let expected = 72.0 * 0.3 / slot_ns * last.latency_ns.expect("deliveries");
    let means = found.moments.iter().map(|moment| (moment.in_network + moment.at_sources) as f64);
    let mean = means.clone().sum::<f64>() / means.count() as f64;
    assert!((mean / expected - 1.0).abs() < 0.1, "{mean} {expected}");

    let ring = "topology=torus,widths=5,p=1 traffic=shift,by=2 load=1 routing=min_hop";
    let stopped = course(ring);
    let last = stopped.moments.last().expect("batches");
    assert_eq!((last.accepted, last.latency_ns), (0.0, None));
    assert!(last.in_network > 0 && last.at_sources > 0);
    // Where all stops before the window begins, there is none.
    let early = course(&format!("{ring} warmup=100us window=20us"));
    assert_eq!(early.window_ns, None);
    let since = run(ring).record(0.0).and_then(|record| record.metrics?.deadlock_ns);
    for later in (0..300).step_by(20) {
        let warmup = since.expect("it stops").floor() + f64::from(later);
        let window = course(&format!("{ring} warmup={warmup}ns window=20us")).window_ns;
        assert!(window.is_none_or(|[start, end]| start < end), "{window:?}");
    }
}

/// Endpoint 3 sends to its neighbor on the same switch, by no channel of the ring in which five flows
/// wait for each other: it goes on, a tenth of what ten endpoints could take.
#[test]
fn what_does_not_wait_for_a_deadlock_goes_on() {
    let flows = [(0, 4), (4, 8), (8, 2), (2, 6), (6, 0), (3, 2)];
    let row = |from: u32| {
        let cell = |to: u32| if flows.contains(&(from, to)) { "1" } else { "0" };
        (0..10).map(cell).collect::<Vec<_>>().join(",")
    };
    let mut files = Files::default();
    let digest = files.add("matrix", &(0..10).map(row).collect::<Vec<_>>().join("\n"));
    let data = Data::files(&[digest]).print();
    let text = format!(
        "topology=torus,widths=5,p=2 routing=min_hop load=1 virtual_channels=1 \
         traffic=matrix,data={data}"
    );
    let mut plan = Study::parse(&text).expect("a study").plan().expect("a plan");
    plan.attach(&files);
    let mut running = plan.jobs[0].start(None).expect("it fits together");
    while running.advance(10_000) != Ok(Step::Done) {}
    let metrics = running.record(0.0).expect("simulated").metrics.expect("traffic");
    let since = metrics.deadlock_ns.expect("a circle of five");
    let course = running.course(&Film::default()).expect("simulated");
    let after: Vec<f64> = course
        .moments
        .windows(2)
        .filter(|pair| pair[0].end_ns > since)
        .map(|pair| pair[1].accepted)
        .collect();
    assert!(!after.is_empty(), "{course:?}");
    assert!(after.iter().all(|accepted| (accepted - 0.1).abs() < 1e-3), "{after:?}");
    let end = metrics.warmup_ns + metrics.window_ns;
    assert_eq!(course.window_ns, Some([metrics.warmup_ns, end]));
}

#[test]
fn past_saturation_ever_more_packets_wait_at_the_sources() {
    let found = course("topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement load=0.5");
    let at_sources: Vec<u64> = found.moments.iter().map(|moment| moment.at_sources).collect();
    // The buffers of the switches fill first.
    let filled = &at_sources[at_sources.iter().filter(|packets| **packets == 0).count()..];
    assert!(filled.len() > 3 && filled.windows(2).all(|pair| pair[0] < pair[1]), "{at_sources:?}");
}

/// Filming changes nothing in an exchange; every endpoint's link is busy for as long as what it
/// receives takes, 15 messages of 10 kB at 100 Gb/s; and in the end everything has arrived.
#[test]
fn an_exchange_is_told_until_everything_has_arrived() {
    let text = "topology=xgft,m=4.4,w=1.4 routing=d_mod_k exchange=all_to_all,acks=no bytes=10kB";
    for switch in ["voq", "output_buffered"] {
        let text = format!("{text} packet=1kB switch={switch}");
        let plan = Study::parse(&text).expect("a study").plan().expect("a plan");
        let mut running = plan.jobs[0].start_simulating(None).expect("it fits together");
        let mut film = Film::default();
        while running.advance_filmed(&mut film, 100) != Ok(Step::Done) {}
        let record = running.record(0.0).expect("simulated");
        assert_eq!(record, run(&text).record(0.0).expect("simulated"), "{text}");

        let course = running.course(&film).expect("simulated");
        assert!((64..=128).contains(&course.moments.len()), "{}", course.moments.len());
        let arrived = course.moments.iter().map(|moment| moment.messages);
        assert!(arrived.clone().is_sorted());
        assert_eq!(arrived.max().flatten(), Some(240));
        let completion = record.exchange.and_then(|exchange| exchange.completion_ns);
        assert_eq!(course.moments.last().map(|moment| moment.end_ns), completion);
        assert_eq!(course.latencies.iter().map(|bar| bar.packets).sum::<u64>(), 240);

        let length = film.frames()[0].end.as_ns();
        let busy: f64 = film.frames().iter().map(|frame| frame.accepted * length).sum();
        let expected = 15.0 * 10_000.0 * 8.0 / 100.0;
        assert!((busy / expected - 1.0).abs() < 1e-6, "{text}: {busy} {expected}");
    }
}
