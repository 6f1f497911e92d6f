//! How fast networks are built, analyzed and simulated: `cargo bench -p dragontree`.
//!
//! The simulator's counter is switches crossed by packets ("items"), the unit in which the work of
//! a run is estimated.

use std::sync::Arc;

use divan::counter::{BytesCount, ItemsCount};
use dragontree::interchange::{self, Format, Source};
use dragontree::network::Links;
use dragontree::routing::{self, Routing};
use dragontree::scenario::{Experiment, Job, Step, Study};
use dragontree::simulation::{Progress, ReferenceSimulation, Setup, Simulation};
use dragontree::topology::{Dragonfly, Topology, Xgft};
use dragontree::traffic::Destinations;
use dragontree::units::{Bandwidth, Bytes, Load, Time};

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

/// A fabric under uniform traffic, by its size.
#[derive(Clone, Copy, Debug)]
enum Fabric {
    /// A balanced dragonfly with so many endpoints on a switch, and minimal routing.
    Dragonfly(u32),
    /// A tree of three levels of switches with so many children each, and D-mod-K.
    Tree(u32),
}

use Fabric::{Dragonfly as D, Tree as T};

/// 1,056, 1,000, 5,256, 16,512, 15,625, 58,806 and 64,000 endpoints, at two loads.
const SIZES: [(Fabric, f64); 14] = [
    (D(4), 0.3),
    (D(4), 0.9),
    (T(10), 0.3),
    (T(10), 0.9),
    (D(6), 0.3),
    (D(6), 0.9),
    (D(8), 0.3),
    (D(8), 0.9),
    (T(25), 0.3),
    (T(25), 0.9),
    (D(11), 0.3),
    (D(11), 0.9),
    (T(40), 0.3),
    (T(40), 0.9),
];

/// A run of a fabric: a microsecond of warm-up and two of measuring.
fn setup((fabric, load): (Fabric, f64)) -> Setup {
    let (topology, routing, virtual_channels) = match fabric {
        D(p) => {
            let dragonfly = Dragonfly {
                endpoints: p,
                switches: 2 * p,
                global_links: p,
                ..Dragonfly::default()
            };
            (Topology::from(dragonfly), Routing::from(routing::Minimal), 2)
        }
        T(k) => {
            let (children, parents) = (vec![k, k, k], vec![1, k, k]);
            let tree = Xgft { children, parents, parallel: vec![1], ..Xgft::default() };
            (Topology::from(tree), Routing::from(routing::DModK), 1)
        }
    };
    let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
    let network = Arc::new(topology.role().build(&links).expect("a network"));
    Setup {
        routes: Arc::new(routing.role().routes(&network).expect("routes")),
        placement: network.endpoints().collect(),
        destinations: Arc::new(Destinations::Uniform { ranks: network.endpoint_count() }),
        network,
        load: Load::ppm((load * 1e6) as u32),
        packet: Bytes(256),
        switch_latency: Time::ns(100),
        adapter_latency: Time::ZERO,
        buffer: Bytes(100_000 / virtual_channels),
        output_buffer: Bytes(100_000),
        virtual_channels: virtual_channels as u8,
        warmup: Some(Time::us(1)),
        window: Some(Time::us(2)),
        precision: Load::ppm(10_000),
        seed: 1,
    }
}

/// The engine of every run.
#[divan::bench(args = SIZES, sample_count = 3)]
fn fast_engine(bencher: divan::Bencher<'_, '_>, size: (Fabric, f64)) {
    let setup = setup(size);
    let run = || {
        let mut simulation = Simulation::new(setup.clone());
        while simulation.advance(10_000_000) != Progress::Done {}
        simulation.report().packet_hops
    };
    bencher.counter(ItemsCount::new(run())).bench_local(run);
}

/// The plain engine that it is compared with.
#[divan::bench(args = &SIZES[..6], sample_count = 1)]
fn reference_engine(bencher: divan::Bencher<'_, '_>, size: (Fabric, f64)) {
    let setup = setup(size);
    let run = || {
        let mut simulation = ReferenceSimulation::new(setup.clone());
        while simulation.advance(10_000_000) != Progress::Done {}
        simulation.report().packet_hops
    };
    bencher.counter(ItemsCount::new(run())).bench_local(run);
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
