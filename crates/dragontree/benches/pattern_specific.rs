//! How fast optimal routes are found: `cargo bench -p dragontree --bench pattern_specific`. *Max alloc*
//! is the memory that this takes beside the messages, whose number "items" has.

use std::time::{Duration, Instant};

use dragontree::exchange::{Hierarchy, Phased};
use dragontree::network::EndpointId;
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Options, Shape, Solution, Solving};
use dragontree::units::Bytes;

// What the thesis solves instead, for comparison.
#[allow(dead_code, clippy::unwrap_used, reason = "the tests use all of it")]
#[path = "../tests/pattern_specific/integer/program.rs"]
mod program;

#[global_allocator]
static ALLOCATIONS: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
    // With names of benchmarks, only these were asked for.
    if std::env::args().skip(1).all(|argument| argument.starts_with('-')) {
        print_ratios();
    }
}

/// How many times as long the integer program takes as the solver, each at its best of a few times.
fn print_ratios() {
    println!("\nthe integer program takes, in times of the solver:");
    for (children, parents) in SMALL {
        let shape = Shape::new(children, parents).expect("a tree");
        let messages = middle(children);
        let program = best_of(3, || {
            assert!(program::layered(&shape, &messages, program::ELIMINATED).is_some());
        });
        let solver = best_of(64, || {
            divan::black_box(solve((children, parents), messages.clone()));
        });
        let ratio = program.as_secs_f64() / solver.as_secs_f64();
        println!("{:4} endpoints, {children:?} by {parents:?}: {ratio:.0}", shape.leaves());
    }
}

fn best_of(times: u32, mut work: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..times).map(time).min().unwrap_or_default()
}

/// Trees of 16 to 128 endpoints that an integer program can do: the second and the last are in
/// Prisacari 2020, Table 3.1, the others are like them.
const SMALL: &[(&[u32], &[u32])] = &[
    (&[4, 2, 2], &[1, 4, 1]),
    (&[4, 4, 2], &[1, 4, 2]),
    (&[4, 4, 4], &[1, 4, 4]),
    (&[8, 8, 2], &[1, 8, 4]),
];

/// The trees of 512, 1024, 2048, 4096 and 8192 endpoints of Prisacari 2020, Table 3.1.
const TREES: &[(&[u32], &[u32])] = &[
    (&[8, 8, 4, 2], &[1, 8, 8, 2]),
    (&[16, 8, 4, 2], &[1, 16, 8, 2]),
    (&[8, 8, 4, 4, 2], &[1, 8, 8, 4, 2]),
    (&[8, 8, 8, 4, 2], &[1, 8, 8, 8, 2]),
    (&[8, 8, 8, 8, 2], &[1, 8, 8, 8, 4]),
];

/// The messages of a phase of OPT.
fn phase(children: &[u32], phase: u32) -> Vec<Pair> {
    let hierarchy = Hierarchy::new(children.to_vec());
    let order: Vec<u32> = (1..=children.len() as u32).rev().collect();
    let sent = Phased::of_digits(&hierarchy, &order, Bytes(64)).phase(phase);
    let pair = |(from, to): (u32, Option<dragontree::units::Rank>)| {
        Some(Pair { source: EndpointId(from), destination: EndpointId(to?.0) })
    };
    (0..).zip(sent).filter_map(pair).collect()
}

fn solve((children, parents): (&[u32], &[u32]), messages: Vec<Pair>) -> Solution {
    let shape = Shape::new(children, parents).expect("a tree");
    let solving = Solving::new(shape, messages, Options::default());
    solving.expect("messages between its leaves").finish()
}

/// One phase at a time, so many of them, spread over all.
#[divan::bench(args = [512, 1024, 2048, 4096, 8192], sample_count = 64, sample_size = 1)]
fn opt(bencher: divan::Bencher<'_, '_>, endpoints: u32) {
    let size = |tree: &&(&[u32], &[u32])| tree.0.iter().product::<u32>() == endpoints;
    let tree = TREES.iter().find(size).expect("one of the trees");
    let mut number = 0;
    let next = || {
        number = (number + endpoints / 64 + 1) % endpoints;
        phase(tree.0, number)
    };
    let messages = |messages: &Vec<Pair>| divan::counter::ItemsCount::new(messages.len());
    let timed = bencher.with_inputs(next).input_counter(messages);
    timed.bench_local_values(|messages| solve(*tree, messages));
}

/// A phase in the middle of OPT by the relaxed programs of §3.4.5, layer by layer.
#[divan::bench(args = [0, 1, 2, 3], sample_count = 3, sample_size = 1)]
fn integer_program(bencher: divan::Bencher<'_, '_>, tree: usize) {
    let (children, parents) = SMALL[tree];
    let shape = Shape::new(children, parents).expect("a tree");
    let messages = middle(children);
    bencher.bench_local(|| program::layered(&shape, &messages, program::ELIMINATED).is_some());
}

/// The same by the solver.
#[divan::bench(args = [0, 1, 2, 3], sample_count = 64, sample_size = 1)]
fn same_by_solver(bencher: divan::Bencher<'_, '_>, tree: usize) {
    let messages = middle(SMALL[tree].0);
    bencher.with_inputs(|| messages.clone()).bench_local_values(|all| solve(SMALL[tree], all));
}

fn middle(children: &[u32]) -> Vec<Pair> {
    phase(children, children.iter().product::<u32>() / 2 + 1)
}
