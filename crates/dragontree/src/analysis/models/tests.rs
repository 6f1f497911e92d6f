//! Numbers of the documents, recomputed independently.

use super::*;
use crate::units::{Bandwidth, Bytes, Time};

/// Prisacari 2020, Table 2.1.
const TREES: [&[u32]; 7] =
    [&[4, 2, 2], &[4, 4, 2], &[8, 4, 2], &[8, 8, 2], &[8, 4, 4, 2], &[8, 8, 4, 2], &[8, 8, 8, 2]];

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

#[test]
fn the_least_loads_of_the_documents_trees() {
    let vectors: [(&[u32], &[u64]); 10] = [
        (&[4, 2], &[2]),
        (TREES[0], &[3, 4]),
        (TREES[1], &[4, 8]),
        (TREES[2], &[7, 16]),
        (TREES[3], &[8, 32]),
        (TREES[4], &[8, 28, 64]),
        (TREES[5], &[8, 56, 128]),
        (TREES[6], &[8, 60, 256]),
        (&[4, 3, 3], &[4, 8]),
        (&[3, 5, 2], &[3, 8]),
    ];
    for (children, expected) in vectors {
        assert_eq!(least_load(children), expected);
    }
}

#[test]
fn what_halved_roots_save() {
    let switches = [0.20, 0.25, 0.286, 0.333, 0.222, 0.25, 0.286];
    for (children, expected) in TREES.iter().zip(switches) {
        near(switches_saved(children), expected, 0.0005);
    }
    near(links_saved(3), 1.0 / 6.0, 1e-12);
    near(links_saved(4), 0.125, 1e-12);
}

/// Messages of so many bytes in flits of 64 B at 10 Gbit/s.
fn hops(bytes: u64, times: [u64; 3]) -> Hops {
    let [link, switch, adapter] = times.map(Time::ns);
    let leave = |bytes| Bandwidth::gbps(10).serialization(Bytes(bytes));
    Hops { link, switch, adapter, message: leave(bytes), acknowledgement: leave(64) }
}

const REAL: [u64; 3] = [100, 50, 500];

#[test]
fn ideal_times_are_the_documents() {
    let without = [49.920, 103.168, 209.664, 422.656, 848.640, 1700.608, 3404.544];
    let with = [99.420, 207.068, 419.964, 850.556, 1846.140, 3702.908, 7454.844];
    for ((children, without), with) in TREES.iter().zip(without).zip(with) {
        near(ideal_all_to_all(children, hops(4096, [0; 3])).as_ns() / 1e3, without, 5e-4);
        near(ideal_all_to_all(children, hops(4096, REAL)).as_ns() / 1e3, with, 5e-4);
    }
    for (bytes, time) in [(64, 2054.626), (512, 2237.769), (32768, 15424.022)] {
        near(ideal_all_to_all(TREES[5], hops(bytes, REAL)).as_ns() / 1e3, time, 5e-4);
    }
}

#[test]
fn what_exclusive_or_takes_longer() {
    let shares = [26.4, 25.3, 25.0, 24.7, 22.7, 22.7, 22.5];
    for (children, share) in TREES.iter().zip(shares) {
        near(100.0 * xor_overhead(children, hops(4096, REAL)), share, 0.05);
    }
    let by_size = [(64, 0.6), (512, 4.7), (1024, 8.6), (4096, 22.7), (8192, 31.2), (32768, 43.5)];
    for (bytes, share) in by_size {
        near(100.0 * xor_overhead(TREES[5], hops(bytes, REAL)), share, 0.05);
    }
}

#[test]
fn uniform_throughput_is_the_documents() {
    let vectors = [
        ([2, 4, 2], 1.0),
        ([2, 3, 2], 0.8077),
        ([2, 5, 2], 1.0),
        ([2, 4, 1], 0.625),
        ([3, 6, 3], 1.0),
        ([3, 5, 3], 0.8602),
        ([3, 7, 3], 1.0),
        ([4, 8, 4], 1.0),
        ([4, 7, 4], 0.8904),
        ([4, 9, 4], 1.0),
        ([4, 8, 3], 0.7812),
    ];
    for (widths, expected) in vectors {
        near(uniform_throughput(widths, 1.0, 1.0), expected, 5e-5);
    }
}
