//! Endpoints of different speeds, by hand.

use dragontree::catalog::Files;
use dragontree::scenario::{Experiment, Study};
use dragontree::simulation::Progress;

/// One endpoint of four at a quarter of the others' rate, three times as far from the switch.
const STAR: &str = "from,port,to,port,class,bandwidth,latency
endpoint 0,0,switch 0,0,endpoint,100Gbps,50ns
endpoint 1,0,switch 0,1,endpoint,25Gbps,150ns
endpoint 2,0,switch 0,2,endpoint,100Gbps,50ns
endpoint 3,0,switch 0,3,endpoint,100Gbps,50ns
";

fn experiment(traffic: &str) -> Experiment {
    let mut files = Files::default();
    let digest = files.add("star.csv", STAR);
    let text = format!(
        "topology=imported,data=file.{digest:016x} routing=min_hop {traffic} load=0.001 \
         injection=periodic warmup=0ns window=20ms"
    );
    let mut plan = Study::parse(&text).expect(&text).plan().expect(&text);
    plan.attach(&files);
    plan.jobs[0].build(None).expect(&text)
}

/// A packet of 256 B takes 20.48 ns at 100 Gbit/s and 81.92 ns at 25. From or to the slow endpoint that
/// makes 150 + 100 + 50 + 81.92 ns, else 50 + 100 + 50 + 20.48. The slow one sends a quarter as many.
#[test]
fn mean_latencies_weigh_endpoints_by_the_packets_that_they_send() {
    let (slow, fast) = (381.92, 220.48);
    // Of a shift one flow leads to the slow endpoint; of uniform traffic a third of what each sends.
    let shift = (1.25 * slow + 2.0 * fast) / 3.25;
    let uniform = (0.25 * slow + 3.0 * (slow / 3.0 + fast * 2.0 / 3.0)) / 3.25;
    for (traffic, expected) in [("traffic=shift,by=1", shift), ("traffic=uniform", uniform)] {
        let experiment = experiment(traffic);
        let zero_load = experiment.analysis().report.zero_load().expect("one way each");
        assert!((zero_load - expected).abs() < 1e-3, "{traffic}: {zero_load}, not {expected}");
        let mut simulation = experiment.simulation();
        while simulation.advance(1_000_000) != Progress::Done {}
        let mean = simulation.report().latency.mean_ns.expect("packets arrived");
        // So few packets hardly meet.
        assert!((mean - expected).abs() < 0.01 * expected, "{traffic}: {mean}, not {expected}");
    }
}
