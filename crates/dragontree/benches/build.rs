//! How fast networks are built and surveyed, and what memory they take:
//! `cargo bench -p dragontree --bench build`.
//!
//! Every topology that can be chosen by its number of endpoints is built in three sizes, meshes
//! and tori as cubes, since no larger ones are balanced. "Items"
//! are endpoints; *max alloc* is the memory that building takes at most, *alloc* less *dealloc*
//! what the network keeps. `arrays` writes as many bytes as the network's arrays have, one after the
//! other; `ends` writes these arrays link by link, both ends of each, from a list of them: what a
//! builder does that computes and checks nothing.

use std::fmt;
use std::sync::Arc;

use divan::counter::{BytesCount, ItemsCount};
use divan::{AllocProfiler, Bencher};
use dragontree::analysis::Survey;
use dragontree::catalog::{Menu, PartChoice, read_setting};
use dragontree::network::{Links, Network};
use dragontree::topology::Topology;
use dragontree::units::{Bandwidth, Time};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Endpoints asked for; the nearest member of each family is taken.
const SIZES: [&str; 3] = ["1000", "10000", "60000"];

/// A topology with all its settings.
#[derive(Clone, PartialEq)]
struct Fabric {
    topology: Topology,
    endpoints: u32,
}

impl fmt::Display for Fabric {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.topology.part().name(), self.endpoints)
    }
}

impl fmt::Debug for Fabric {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Fabric {
    fn build(&self) -> Network {
        let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
        self.topology.role().build(&links).expect("a member of the family")
    }
}

/// Cubes of these sizes.
const CUBES: [&str; 3] = ["10.10.10", "22.22.22", "39.39.39"];

/// Every family that has a member of about that size, in each size.
fn fabrics() -> Vec<Fabric> {
    let mut fabrics: Vec<Fabric> = Vec::new();
    for family in Topology::all() {
        for (size, cube) in SIZES.into_iter().zip(CUBES) {
            let mut topology = family.clone();
            let (setting, value) = match family.part().name() {
                "mesh" | "torus" => ("widths", cube),
                _ => ("endpoints", size),
            };
            let chosen = read_setting(|form| Menu::settings(&mut topology, form), setting, value);
            if chosen.is_ok() {
                let mut fabric = Fabric { topology, endpoints: 0 };
                fabric.endpoints = fabric.build().live_endpoint_count();
                if !fabrics.contains(&fabric) {
                    fabrics.push(fabric);
                }
            }
        }
    }
    fabrics
}

#[divan::bench(args = fabrics(), sample_count = 10)]
fn build(bencher: Bencher<'_, '_>, fabric: &Fabric) {
    bencher.counter(ItemsCount::new(fabric.endpoints)).bench(|| fabric.build());
}

/// Writing arrays of the network's size.
#[divan::bench(args = fabrics(), sample_count = 10)]
fn arrays(bencher: Bencher<'_, '_>, fabric: &Fabric) {
    let bytes = fabric.build().memory();
    let items = ItemsCount::new(fabric.endpoints);
    let write = || (0..(bytes / 8)).collect::<Vec<u64>>();
    bencher.counter(items).counter(BytesCount::new(bytes)).bench(write);
}

/// Writing the network's arrays from a list of its links.
#[divan::bench(args = fabrics(), sample_count = 10)]
fn ends(bencher: Bencher<'_, '_>, fabric: &Fabric) {
    let network = fabric.build();
    let first_port = |node| network.ports(node).start;
    let starts: Vec<u32> = network.nodes().map(first_port).chain([network.port_count()]).collect();
    let links: Vec<[u32; 2]> = network.links().map(|(port, link)| [port.0, link.peer.0]).collect();
    let ports = network.port_count() as usize;
    let write = || {
        let mut owners = Vec::with_capacity(ports);
        for (node, range) in (0_u32..).zip(starts.windows(2)) {
            owners.extend((range[0]..range[1]).map(|_| node));
        }
        let (mut peers, mut kinds) = (vec![u32::MAX; ports], vec![0_u16; ports]);
        for [port, peer] in &links {
            for (port, peer) in [(*port, *peer), (*peer, *port)] {
                peers[port as usize] = peer;
                kinds[port as usize] = 1;
            }
        }
        (starts.clone(), owners, peers, kinds)
    };
    bencher.counter(ItemsCount::new(fabric.endpoints)).bench(write);
}

/// Counts, graph and symmetries.
#[divan::bench(args = fabrics(), sample_count = 3)]
fn survey_begin(bencher: Bencher<'_, '_>, fabric: &Fabric) {
    let network = Arc::new(fabric.build());
    bencher.counter(ItemsCount::new(fabric.endpoints)).bench(|| Survey::new(network.clone()));
}

/// Distances between all pairs of endpoints.
#[divan::bench(args = fabrics(), sample_count = 3)]
fn survey_distances(bencher: Bencher<'_, '_>, fabric: &Fabric) {
    let network = Arc::new(fabric.build());
    bencher
        .with_inputs(|| Survey::new(network.clone()))
        .bench_values(|survey| until(survey, |survey| survey.numbers().diameter.is_some()));
}

/// Numbers of shortest paths, and the first cut.
#[divan::bench(args = fabrics(), sample_count = 3)]
fn survey_paths(bencher: Bencher<'_, '_>, fabric: &Fabric) {
    let network = Arc::new(fabric.build());
    let measured = |survey: &Survey| survey.numbers().diameter.is_some();
    bencher
        .with_inputs(|| until(Survey::new(network.clone()), measured))
        .bench_values(|survey| until(survey, |survey| survey.sides().is_some()));
}

/// The search for the smallest cut, after the first one.
#[divan::bench(args = fabrics(), sample_count = 1)]
fn survey_bisection(bencher: Bencher<'_, '_>, fabric: &Fabric) {
    let network = Arc::new(fabric.build());
    bencher
        .with_inputs(|| until(Survey::new(network.clone()), |survey| survey.sides().is_some()))
        .bench_values(|survey| until(survey, |_| false));
}

/// Goes on until something holds or all is done.
fn until(mut survey: Survey, holds: impl Fn(&Survey) -> bool) -> Survey {
    while !holds(&survey) && !survey.advance(100_000) {}
    survey
}
