//! How fast the messages of exchanges move, by the engine of every run and by the plain one that it
//! is compared with: `cargo bench -p dragontree --bench exchange`.
//!
//! The counter is switches crossed by packets and acknowledgements ("items"), per second. Contention and
//! crossings are of all phases of 1,024 and of 1,056 ranks, with the routes made already.

use std::sync::Arc;

use divan::counter::ItemsCount;
use dragontree::analysis::{Levels, rails_of};
use dragontree::scenario::{Experiment, Job, Study};
use dragontree::simulation::{ExchangeSetup, Exchanging, Progress};

fn main() {
    divan::main();
}

/// Full trees of 256 and 1,024 ranks, one with random ways, and a dragonfly.
const SMALL: &[&str] = &[
    "topology=xgft,m=8.8.4,w=1.8.8 routing=d_mod_k exchange=all_to_all bytes=8KiB packet=2KiB",
    "topology=xgft,m=8.8.4,w=1.8.8 routing=d_mod_k exchange=all_to_all,acks=no bytes=8KiB \
     packet=2KiB",
    "topology=xgft,m=8.8.4,w=1.8.8 routing=dynamic_random exchange=all_to_all bytes=8KiB \
     packet=2KiB",
    "topology=dragonfly,p=3,a=6,h=3 exchange=all_to_all,acks=no bytes=8KiB packet=2KiB",
];
const LARGE: &[&str] =
    &["topology=xgft,m=16.8.8,w=1.16.8 routing=d_mod_k exchange=all_to_all bytes=8KiB packet=2KiB"];

fn job(text: &str) -> Job {
    let plan = Study::parse(text).expect("a valid study").plan().expect("a plan");
    plan.jobs.into_iter().next().expect("one run")
}

/// The exchange of a text, with the fabric of the same text without it.
fn setup(text: &str) -> ExchangeSetup {
    let exchange = job(text);
    let words = text.split_whitespace().filter(|word| !word.starts_with("exchange="));
    let fabric = job(&words.collect::<Vec<_>>().join(" "));
    let experiment = Experiment::build(fabric.scenario(), None).expect("a valid experiment");
    let base = experiment.setup();
    let exchanging = exchange.scenario().exchanging(&base.network).expect("ranks that fit");
    let exchanging = exchanging.expect("an exchange");
    ExchangeSetup {
        network: base.network,
        routes: base.routes,
        placement: exchanging.placement.into(),
        workload: Arc::new(exchanging.exchanged.workload),
        packet: base.packet,
        acknowledgement: ExchangeSetup::ACKNOWLEDGEMENT,
        model: base.model,
        switch_latency: base.switch_latency,
        adapter_latency: base.adapter_latency,
        buffer: base.buffer,
        output_buffer: base.output_buffer,
        virtual_channels: base.virtual_channels,
        ways: base.injection.ways,
        seed: base.seed,
    }
}

fn measure(bencher: divan::Bencher<'_, '_>, text: &str, begin: fn(ExchangeSetup) -> Exchanging) {
    let setup = setup(text);
    let run = || {
        let mut run = begin(setup.clone());
        while run.advance(1_000_000) != Progress::Done {}
        assert!(run.report().completion.is_some());
        run
    };
    let hops = run().packet_hops();
    bencher.counter(ItemsCount::new(hops)).bench_local(run);
}

#[divan::bench(args = SMALL, sample_count = 5, sample_size = 1)]
fn fast(bencher: divan::Bencher<'_, '_>, text: &str) {
    measure(bencher, text, Exchanging::new);
}

#[divan::bench(args = SMALL, sample_count = 2, sample_size = 1)]
fn plain(bencher: divan::Bencher<'_, '_>, text: &str) {
    measure(bencher, text, Exchanging::plain);
}

#[divan::bench(args = LARGE, sample_count = 3, sample_size = 1)]
fn fast_large(bencher: divan::Bencher<'_, '_>, text: &str) {
    measure(bencher, text, Exchanging::new);
}

#[divan::bench(args = LARGE, sample_count = 1, sample_size = 1)]
fn plain_large(bencher: divan::Bencher<'_, '_>, text: &str) {
    measure(bencher, text, Exchanging::plain);
}

/// All phases of 1,024 ranks on a full tree in four orders, and of 1,056 on a dragonfly by classes of ways.
const PHASES: &[&str] = &[
    "topology=xgft,m=16.8.8,w=1.16.8 routing=d_mod_k exchange=all_to_all,order=lin",
    "topology=xgft,m=16.8.8,w=1.16.8 routing=d_mod_k exchange=all_to_all,order=xor",
    "topology=xgft,m=16.8.8,w=1.16.8 routing=d_mod_k exchange=all_to_all,order=ghe",
    "topology=xgft,m=16.8.8,w=1.16.8 routing=d_mod_k exchange=all_to_all,order=bgh",
    "topology=dragonfly,p=4,a=8,h=4 exchange=all_to_all,order=lat",
];

#[divan::bench(args = PHASES, sample_count = 5, sample_size = 1)]
fn contention(bencher: divan::Bencher<'_, '_>, text: &str) {
    let job = job(text);
    let network = job.scenario().network().expect("a network");
    let routes = job.scenario().routes(&network).expect("routes");
    let exchanging = job.scenario().exchanging(&network).expect("ranks that fit");
    let exchanging = exchanging.expect("an exchange");
    let rails = rails_of(&network, &routes);
    bencher.bench_local(|| {
        exchanging.contending(&network, &routes, Levels::new(&network), &rails[0]).finish().worst
    });
}

#[divan::bench(args = PHASES, sample_count = 5, sample_size = 1)]
fn crossings(bencher: divan::Bencher<'_, '_>, text: &str) {
    let job = job(text);
    let network = job.scenario().network().expect("a network");
    let exchanging = job.scenario().exchanging(&network).expect("ranks that fit");
    let exchanging = exchanging.expect("an exchange");
    bencher.bench_local(|| exchanging.crossings(&network));
}
