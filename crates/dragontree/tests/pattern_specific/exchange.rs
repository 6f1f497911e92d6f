//! The exchange OPT, which asks of a tree's links as little as an all-to-all can, on the trees that
//! have just enough of them: no two messages of a phase ever share a link (Prisacari 2020, §3.6).

use dragontree::exchange::{Hierarchy, Phased};
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Options, Status};
use dragontree::units::Bytes;

use crate::trees::{TABLE, messages, shape, solve};

/// The messages of a phase of OPT.
pub fn phase(children: &[u32], phase: u32) -> Vec<Pair> {
    let hierarchy = Hierarchy::new(children.to_vec());
    let order: Vec<u32> = (1..=children.len() as u32).rev().collect();
    let sent = Phased::of_digits(&hierarchy, &order, Bytes(64)).phase(phase);
    messages((0..).zip(sent).filter_map(|(from, to)| Some((from, to?.0))))
}

fn check((children, parents): (&[u32], &[u32]), phases: impl Iterator<Item = u32>) {
    let shape = shape((children, parents));
    for number in phases {
        let messages = phase(children, number);
        let (solution, counted) = solve(&shape, &messages, &Options::default());
        let case = format!("phase {number} on {children:?}");
        assert!(counted.levels.iter().all(|level| level.achieved <= 1), "{case}: {counted:?}");
        assert_eq!(solution.certificate.status, Status::Optimal, "{case}");
        assert_eq!(counted.arcs_over, 0, "{case}");
    }
}

fn endpoints(tree: (&[u32], &[u32])) -> u32 {
    tree.0.iter().product()
}

/// So many phases, spread over all.
fn sampled(tree: (&[u32], &[u32]), samples: u32) -> impl Iterator<Item = u32> {
    let all = u64::from(endpoints(tree));
    (0..u64::from(samples)).map(move |sample| (sample * 2_654_435_761 % all) as u32)
}

#[test]
fn all_phases_up_to_512_endpoints_have_contention_1() {
    TABLE[..6].iter().for_each(|tree| check(*tree, 0..endpoints(*tree)));
}

#[test]
fn all_phases_of_1024_endpoints_and_64_of_each_larger_tree_have_contention_1() {
    check(TABLE[6], 0..1024);
    TABLE[7..].iter().for_each(|tree| check(*tree, sampled(*tree, 64)));
}

#[test]
#[ignore = "many minutes"]
fn all_phases_have_contention_1() {
    TABLE[7..].iter().for_each(|tree| check(*tree, 0..endpoints(*tree)));
}
