//! The exchange OPT, which asks of a tree's links as little as an all-to-all can, on the trees that
//! have just enough of them (Prisacari 2020, §3.6).

use dragontree::exchange::{Hierarchy, Phased};
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Options, Status};
use dragontree::units::Bytes;

use crate::trees::{TABLE, messages, shape, solve};

/// The messages of a phase of OPT.
fn phase(children: &[u32], phase: u32) -> Vec<Pair> {
    let hierarchy = Hierarchy::new(children.to_vec());
    let order: Vec<u32> = (1..=children.len() as u32).rev().collect();
    let phased = Phased::of_digits(&hierarchy, &order, Bytes(64));
    let sent = phased.phase(phase);
    messages((0..).zip(sent).filter_map(|(from, to)| Some((from, to?.0))))
}

fn check(tree: usize, phases: impl Iterator<Item = u32>) {
    let (children, parents) = TABLE[tree];
    let shape = shape((children, parents));
    for number in phases {
        let messages = phase(children, number);
        let (solution, counted) = solve(&shape, &messages, &Options::default());
        assert!(
            counted.levels.iter().all(|level| level.achieved <= 1),
            "{tree} {number} {counted:?} {:?}",
            solution.certificate
        );
        assert_eq!(solution.certificate.status, Status::Optimal);
        assert_eq!(counted.arcs_over, 0);
        if number % 97 == 0 {
            eprintln!("{tree} {number} {}", solution.certificate.work / messages.len() as u64);
        }
    }
}

#[test]
fn all_phases_to_512_endpoints_have_contention_1() {
    for tree in 0..6 {
        let count = TABLE[tree].0.iter().product();
        check(tree, 0..count);
    }
}
