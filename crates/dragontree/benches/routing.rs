//! How fast forwarding tables are computed and written: `cargo bench -p dragontree --bench routing`.
//! First come the ratios to what others report; `-- NAME` leaves these out.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use dragontree::catalog::Menu;
use dragontree::interchange::{Source, lfts};
use dragontree::network::{Lfts, Network};
use dragontree::routing::{Dfsssp, Routes, Routing};
use dragontree::scenario::Study;

fn main() {
    if !std::env::args().skip(1).any(|argument| !argument.starts_with('-')) {
        print_ratios();
    }
    divan::main();
}

/// Seconds that OpenSM 3.3.23 took on a machine of this kind, but the LASH of 401 s and the sFtree,
/// which are those of sFtree 2012, §7.2.3.
const OTHERS: &[(&str, &str, f64)] = &[
    ("ftree", TREES[1], 2.2),
    ("min_hop", TREES[1], 2.0),
    ("up_down", TREES[1], 11.8),
    ("lash", FOUR_ARY, 31.0),
    ("lash", TREES[1], 401.0),
    ("sftree", RANGER, 28.0),
];

/// The least of five times in seconds.
fn seconds(name: &str, network: &Arc<Network>) -> f64 {
    let time = |_| {
        let start = Instant::now();
        black_box(tables(name, network));
        start.elapsed().as_secs_f64()
    };
    (0..5).map(time).fold(f64::INFINITY, f64::min)
}

fn print_ratios() {
    for (name, tree, theirs) in OTHERS {
        let ours = seconds(name, &network(tree));
        println!("{name} on {tree}: {ours:.3} s, others {theirs} s, ratio {:.0}", theirs / ours);
    }
    for tree in FAT_TREES {
        let network = network(tree);
        let [ftree, sftree] = ["ftree", "sftree"].map(|name| seconds(name, &network));
        let extra = 100.0 * (sftree / ftree - 1.0);
        println!("sftree on {tree}: {sftree:.3} s, {extra:.0} % more than ftree");
    }
}

/// The tree of 256 endpoints on which others report LASH's time.
const FOUR_ARY: &str = "m=4.4.4.4,w=1.4.4.4";

/// Rack switches below two trees of 3456 ports, like Ranger.
const RANGER: &str =
    "multi_core,pairs=288,hosts=12,cores=2,core_radix=24,core_levels=3,uplinks=6,horizontal=0";

/// Trees of 648, 3456 and 11664 endpoints.
const TREES: &[&str] = &["m=18.36,w=1.18", "m=12.12.24,w=1.12.12", "m=18.18.36,w=1.18.18"];

/// The same, and Ranger.
const FAT_TREES: &[&str] = &[TREES[0], TREES[1], TREES[2], RANGER];

fn network(tree: &str) -> Arc<Network> {
    let family = if tree.starts_with("m=") { "xgft," } else { "" };
    fabric(&format!("{family}{tree}"))
}

fn fabric(topology: &str) -> Arc<Network> {
    let plan = Study::parse(&format!("topology={topology}")).expect("a study").plan();
    plan.expect("a plan").jobs[0].scenario().network().expect("a tree")
}

fn tables(name: &str, network: &Arc<Network>) -> Routes {
    let mut routing = Routing::from(dragontree::routing::MinHop);
    assert!(routing.choose(name));
    routing.role().routes(network).unwrap_or_else(|needs| panic!("{needs}"))
}

#[divan::bench(args = TREES, sample_count = 3)]
fn min_hop(bencher: divan::Bencher<'_, '_>, tree: &str) {
    let network = network(tree);
    bencher.bench_local(|| tables("min_hop", &network));
}

#[divan::bench(args = TREES, sample_count = 3)]
fn up_down(bencher: divan::Bencher<'_, '_>, tree: &str) {
    let network = network(tree);
    bencher.bench_local(|| tables("up_down", &network));
}

#[divan::bench(args = TREES, sample_count = 3)]
fn down_up(bencher: divan::Bencher<'_, '_>, tree: &str) {
    let network = network(tree);
    bencher.bench_local(|| tables("down_up", &network));
}

/// The trees of 256 and 3456 endpoints on which others report LASH's time.
#[divan::bench(args = [FOUR_ARY, TREES[1], TREES[2]], sample_count = 3)]
fn lash(bencher: divan::Bencher<'_, '_>, tree: &str) {
    let network = network(tree);
    bencher.bench_local(|| tables("lash", &network));
}

#[divan::bench(args = TREES, sample_count = 3)]
fn dfsssp(bencher: divan::Bencher<'_, '_>, tree: &str) {
    let network = network(tree);
    bencher.bench_local(|| tables("dfsssp", &network));
}

/// Fabrics of about 10,000 endpoints: a dragonfly, a Slim Fly and a torus.
const DIRECT: &[&str] =
    &["dragonfly,p=8,a=16,h=8,groups=79", "slim_fly,q=19", "torus,widths=10.10.10,p=10"];

#[divan::bench(args = DIRECT, sample_count = 2)]
fn direct_min_hop(bencher: divan::Bencher<'_, '_>, topology: &str) {
    let network = fabric(topology);
    bencher.bench_local(|| tables("min_hop", &network));
}

/// On this torus LASH needs more layers than there are.
#[divan::bench(args = &DIRECT[..2], sample_count = 2)]
fn direct_lash(bencher: divan::Bencher<'_, '_>, topology: &str) {
    let network = fabric(topology);
    bencher.bench_local(|| tables("lash", &network));
}

#[divan::bench(args = DIRECT, sample_count = 1)]
fn direct_dfsssp(bencher: divan::Bencher<'_, '_>, topology: &str) {
    let network = fabric(topology);
    let layers = Routing::from(Dfsssp { layers: 15 });
    bencher.bench_local(|| {
        layers.role().routes(&network).map(|routes| match routes {
            Routes::Tables(tables) => println!("{topology}: {} layers", tables.layer_count()),
            Routes::Oblivious(_) => panic!("tables"),
        })
    });
}

#[divan::bench(args = FAT_TREES, sample_count = 3)]
fn ftree(bencher: divan::Bencher<'_, '_>, tree: &str) {
    let network = network(tree);
    bencher.bench_local(|| tables("ftree", &network));
}

#[divan::bench(args = FAT_TREES, sample_count = 3)]
fn sftree(bencher: divan::Bencher<'_, '_>, tree: &str) {
    let network = network(tree);
    bencher.bench_local(|| tables("sftree", &network));
}

fn lfts_of(tree: &str) -> (Arc<Network>, Lfts) {
    let network = network(tree);
    let Routes::Tables(tables) = tables("min_hop", &network) else { panic!("tables") };
    (network, tables.lfts().clone())
}

#[divan::bench(args = &TREES[..2], sample_count = 3)]
fn write_dump(bencher: divan::Bencher<'_, '_>, tree: &str) {
    let (network, tables) = lfts_of(tree);
    bencher.bench_local(|| lfts::write(&network, &tables));
}

#[divan::bench(args = &TREES[..2], sample_count = 3)]
fn read_dump(bencher: divan::Bencher<'_, '_>, tree: &str) {
    let (network, tables) = lfts_of(tree);
    let text = lfts::write(&network, &tables).expect("room enough");
    bencher.bench_local(|| lfts::read(&[Source { name: "dump", text: &text }], &network));
}
