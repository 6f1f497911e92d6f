//! How fast forwarding tables are computed and written: `cargo bench -p dragontree --bench routing`.

use std::sync::Arc;

use dragontree::catalog::Menu;
use dragontree::interchange::{Source, lfts};
use dragontree::network::{Lfts, Network};
use dragontree::routing::{Routes, Routing};
use dragontree::scenario::Study;

fn main() {
    divan::main();
}

/// Trees of 648, 3456 and 11664 endpoints.
const TREES: &[&str] = &["m=18.36,w=1.18", "m=12.12.24,w=1.12.12", "m=18.18.36,w=1.18.18"];

/// The same, and rack switches below two trees of 3456 ports, like Ranger.
const FAT_TREES: &[&str] = &[
    TREES[0],
    TREES[1],
    TREES[2],
    "multi_core,pairs=288,hosts=12,cores=2,core_radix=24,core_levels=3,uplinks=6,horizontal=0",
];

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
#[divan::bench(args = ["m=4.4.4.4,w=1.4.4.4", TREES[1], TREES[2]], sample_count = 3)]
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

#[divan::bench(args = DIRECT, consts = [0, 1, 2], sample_count = 2)]
fn direct<const ENGINE: usize>(bencher: divan::Bencher<'_, '_>, topology: &str) {
    let network = fabric(topology);
    bencher.bench_local(|| tables(["min_hop", "lash", "dfsssp"][ENGINE], &network));
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
