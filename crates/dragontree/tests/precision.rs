//! How precisely a run knows what it measures.

use dragontree::scenario::{Metrics, Step, Study};

fn run(text: &str) -> Metrics {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let mut running = plan.jobs[0].start(None).expect(text);
    while running.advance(1_000_000) != Ok(Step::Done) {}
    running.record(0.0).expect("results").metrics.expect("a run at an offered load")
}

/// Runs end by themselves: throughput is known to within the precision and latency to within three times that; what is known less
/// precisely takes less.
#[test]
fn a_run_that_settles_is_as_precise_as_was_asked_for() {
    for text in [
        "topology=dragonfly,p=2,a=4,h=2 load=0.3",
        "topology=dragonfly,p=2,a=4,h=2 load=0.8 packet=1KiB",
        "topology=dragonfly,p=2,a=4,h=2 load=0.3 routing=valiant traffic=adversarial",
        "topology=dragonfly,p=2,a=4,h=2 load=0.3 routing=ugal",
        "topology=xgft,m=8,w=1 load=0.5 switch=fifo_inputs",
        "topology=xgft,m=4.4,w=1.4 routing=d_mod_k load=0.7 injection=bernoulli,packets=8",
        "topology=torus,widths=4.4 routing=dimension_order load=0.5 injection=periodic",
        "topology=slim_fly,q=5 load=0.6 switching=wormhole packet=512B",
        "topology=xgft,m=8.8,w=1.4 routing=min_hop traffic=permutation load=0.2",
    ] {
        let mut taken = Vec::new();
        for precision in [0.004, 0.01, 0.03] {
            let run = run(&format!("{text} precision={precision}"));
            assert!(run.settled && !run.saturated, "{text} precision={precision}: {run:?}");
            let (throughput, latency) = (run.interval.accepted, run.interval.latency_ns);
            let throughput = throughput.expect("batches") / run.accepted;
            let latency = latency.expect("batches") / run.latency_ns.mean.expect("bounded");
            assert!(throughput <= precision, "{text} precision={precision}: {throughput}");
            assert!(latency <= 3.0 * precision, "{text} precision={precision}: {latency}");
            taken.push(run.packet_hops);
        }
        assert!(taken.is_sorted_by(|one, other| one >= other), "{text}: {taken:?}");
        assert!(taken[0] > taken[2], "{text}: {taken:?}");
    }
}

/// A packet of 256 B takes 20 480 ps at 100 Gb/s, but no whole number of them at the rate of a 4x FDR link.
#[test]
fn a_rate_that_does_not_come_out_in_picoseconds_is_told() {
    let rounds = |rate: &str| {
        run(&format!("topology=dragonfly,p=2,a=4,h=2 load=0.1 window=5us bandwidth={rate}")).rounded
    };
    assert!(!rounds("100Gbps"));
    assert!(rounds("4xFDR"));
    assert!(rounds("100Gbps,local=4xFDR"));
}
