//! How fast networks are built, analyzed and simulated: `cargo bench -p dragontree`.
//!
//! The simulator's counter is switches crossed by packets ("items"), the unit in which the work of
//! a run is estimated.

use divan::counter::{BytesCount, ItemsCount};
use dragontree::interchange::{self, Format, Source};
use dragontree::scenario::{Experiment, Job, Step, Study};

fn main() {
    divan::main();
}

const BUILDS: &[&str] = &[
    "topology=dragonfly,p=4,a=8,h=4",
    "topology=dragonfly,p=4,a=8,h=4 traffic=bit_complement",
    "topology=xgft,m=12.12.12,w=1.12.12 routing=d_mod_k traffic=shift",
    "topology=slim_fly,q=13",
    "topology=oft,k=32 traffic=bit_complement",
];

const RUNS: &[&str] = &[
    "topology=dragonfly,p=4,a=8,h=4 load=0.3",
    "topology=dragonfly,p=4,a=8,h=4 load=0.9",
    "topology=dragonfly,p=4,a=8,h=4 load=0.5 traffic=bit_complement",
    "topology=xgft,m=12.12.12,w=1.12.12 routing=d_mod_k load=0.9",
    "topology=slim_fly,q=13 load=0.9",
];

fn job(text: &str) -> Job {
    let plan = Study::parse(text).expect("a valid study").plan().expect("a plan");
    plan.jobs.into_iter().next().expect("one run")
}

/// Network, routes, placement, and the analysis that walks every path.
#[divan::bench(args = BUILDS, sample_count = 10)]
fn build_and_analyze(text: &str) -> f64 {
    let job = job(text);
    let experiment = Experiment::build(job.scenario(), None).expect("a valid experiment");
    experiment.analysis().report.bound
}

/// A run of fixed length: 2 µs of warm-up and 4 µs of measuring.
#[divan::bench(args = RUNS, sample_count = 5)]
fn simulate(bencher: divan::Bencher<'_, '_>, text: &str) {
    let job = job(&format!("{text} warmup=2us window=4us"));
    let experiment = Experiment::build(job.scenario(), None).expect("a valid experiment");
    let run = || {
        let mut running = job.start(Some(&experiment)).expect("a run");
        while running.advance(1_000_000) != Ok(Step::Done) {}
        let record = running.record(0.0).expect("it is built");
        record.metrics.expect("it is simulated").packet_hops
    };
    let hops = run();
    bencher.counter(ItemsCount::new(hops)).bench_local(run);
}

/// 5,024 switches and 15,072 endpoints; as `ibnetdiscover` prints them 310,000 lines.
const LARGE: &str = "topology=dragonfly,p=3,a=32,h=5,groups=157 load=0.5";

/// From a file's text to a network.
#[divan::bench(args = Format::ALL, sample_count = 5)]
fn read_a_fabric(bencher: divan::Bencher<'_, '_>, format: Format) {
    let scenario = job(LARGE).scenario().clone();
    let network = scenario.network().expect("a network");
    let text = interchange::write(format, &network).text;
    bencher.counter(BytesCount::new(text.len())).bench_local(|| {
        let reading = interchange::read(&[Source { name: "fabric", text: &text }]).expect("ours");
        reading.fabric.network(&scenario.links()).expect("a network").link_count()
    });
}

/// From a network to a file's text.
#[divan::bench(args = Format::ALL, sample_count = 5)]
fn write_a_fabric(bencher: divan::Bencher<'_, '_>, format: Format) {
    let network = job(LARGE).scenario().network().expect("a network");
    bencher.bench_local(|| interchange::write(format, &network).text.len());
}
