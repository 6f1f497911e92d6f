//! The trees that the documents use, by name.

use super::Xgft;
use crate::topology::cabling::Cabling;
use crate::topology::size::Presets;

/// One named tree: m, w and p.
type Named = (&'static [u32], &'static [u32], &'static [u32]);

pub(super) const NAMED: Presets<Xgft> = Presets { words: WORDS, parts };

const WORDS: &[(&str, &str)] = &[
    ("own", "None of these"),
    // Prisacari 2020, Table 2.1: half bisection at the top.
    ("half_16", "16 endpoints, half bisection"),
    ("half_32", "32 endpoints, half bisection"),
    ("half_64", "64 endpoints, half bisection"),
    ("half_128", "128 endpoints, half bisection"),
    ("half_256", "256 endpoints, half bisection"),
    ("half_512", "512 endpoints, half bisection"),
    ("half_1024", "1024 endpoints, half bisection"),
    // Table 3.1, where it differs from Table 2.1.
    ("half_16_flat", "16 endpoints on two levels, half bisection"),
    ("half_1024_wide", "1024 endpoints, 16 per leaf, half bisection"),
    ("half_2048", "2048 endpoints, half bisection"),
    ("half_4096", "4096 endpoints, half bisection"),
    ("half_8192", "8192 endpoints, half bisection"),
    // Table 4.1: full bisection.
    ("full_16", "16 endpoints, full bisection"),
    ("full_32", "32 endpoints, full bisection: half of a 4-ary 3-tree"),
    ("full_64", "64 endpoints, full bisection"),
    ("full_128", "128 endpoints, full bisection"),
    ("full_243", "243 endpoints, full bisection"),
    ("full_256", "256 endpoints, full bisection"),
    ("full_385", "385 endpoints, full bisection"),
    ("full_512", "512 endpoints, full bisection"),
    ("full_625", "625 endpoints, full bisection"),
    ("full_1001", "1001 endpoints, full bisection"),
    ("full_1024", "1024 endpoints, full bisection"),
    // Zahavi 2009, Fig. 5 and Table I.
    ("pairs_32", "32 endpoints, links in pairs"),
    ("pairs_32_slim_leaves", "32 endpoints, single links above the leaves"),
    ("pairs_32_slim_roots", "32 endpoints, single links below the roots"),
    ("three_quarter_4_ary_3_tree", "Three quarters of a 4-ary 3-tree"),
    // Vendors' switches.
    ("director_288", "288-port switch of 24-port chips"),
    ("director_648", "648-port switch of 36-port chips"),
    ("director_3456", "3456-port switch of 24-port chips"),
];

/// In the order of the words after the first.
const TREES: &[Named] = &[
    (&[4, 2, 2], &[1, 4, 1], &[1]),
    (&[4, 4, 2], &[1, 4, 2], &[1]),
    (&[8, 4, 2], &[1, 8, 2], &[1]),
    (&[8, 8, 2], &[1, 8, 4], &[1]),
    (&[8, 4, 4, 2], &[1, 8, 4, 2], &[1]),
    (&[8, 8, 4, 2], &[1, 8, 8, 2], &[1]),
    (&[8, 8, 8, 2], &[1, 8, 8, 4], &[1]),
    (&[8, 2], &[1, 4], &[1]),
    (&[16, 8, 4, 2], &[1, 16, 8, 2], &[1]),
    (&[8, 8, 4, 4, 2], &[1, 8, 8, 4, 2], &[1]),
    (&[8, 8, 8, 4, 2], &[1, 8, 8, 8, 2], &[1]),
    (&[8, 8, 8, 8, 2], &[1, 8, 8, 8, 4], &[1]),
    (&[4, 2, 2], &[1, 4, 2], &[1]),
    (&[4, 4, 2], &[1, 4, 4], &[1]),
    (&[8, 4, 2], &[1, 8, 4], &[1]),
    (&[8, 8, 2], &[1, 8, 8], &[1]),
    (&[9, 9, 3], &[1, 9, 9], &[1]),
    (&[8, 4, 4, 2], &[1, 8, 4, 4], &[1]),
    (&[11, 7, 5], &[1, 11, 7], &[1]),
    (&[8, 8, 4, 2], &[1, 8, 8, 4], &[1]),
    (&[5, 5, 5, 5], &[1, 5, 5, 5], &[1]),
    (&[13, 11, 7], &[1, 13, 11], &[1]),
    (&[16, 8, 4, 2], &[1, 16, 8, 4], &[1]),
    (&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]),
    (&[4, 2, 4], &[1, 2, 2], &[1]),
    (&[4, 2, 4], &[1, 2, 2], &[1, 2, 1]),
    (&[4, 4, 3], &[1, 4, 4], &[1]),
    (&[12, 24], &[1, 12], &[1]),
    (&[18, 36], &[1, 18], &[1]),
    (&[12, 12, 24], &[1, 12, 12], &[1]),
];

fn parts() -> Vec<Xgft> {
    let tree = |(children, parents, parallel): &Named| Xgft {
        children: children.to_vec(),
        parents: parents.to_vec(),
        parallel: parallel.to_vec(),
        cabling: Cabling::default(),
    };
    TREES.iter().map(tree).collect()
}
