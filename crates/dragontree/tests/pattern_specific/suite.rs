//! All kinds of messages on all kinds of trees: that the bound is reached is not proven for them, but
//! has always been so.

use dragontree::random::Stream;
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Options, Shape};

use crate::trees::{TABLE, messages, shape, solve};

/// Trees that are not in the table: of full bisection, slimmed, of odd and composite widths, and of
/// several links per leaf.
const OTHERS: [(&[u32], &[u32]); 12] = [
    (&[16, 16, 4], &[1, 16, 16]),
    (&[16, 16, 4], &[1, 8, 8]),
    (&[12, 12, 4], &[1, 6, 6]),
    (&[12, 12, 4], &[1, 9, 7]),
    (&[8, 4, 4, 4], &[1, 4, 2, 2]),
    (&[6, 5, 7, 3], &[1, 5, 3, 3]),
    (&[4, 4, 4, 4], &[1, 3, 3, 3]),
    (&[4, 4, 4], &[2, 4, 4]),
    (&[6, 5, 4], &[3, 2, 4]),
    (&[5, 6, 4], &[6, 5, 2]),
    (&[4, 4, 4, 3], &[2, 3, 2, 2]),
    (&[18, 18, 4], &[1, 18, 9]),
];

/// The number with its digits on the tree in reverse order.
fn reversed(shape: &Shape, leaf: u32) -> u32 {
    let (mut rest, mut reversed) = (leaf, 0);
    for level in 1..=shape.levels() {
        let children = shape.children(level);
        reversed = reversed * children + rest % children;
        rest /= children;
    }
    reversed
}

fn permutation(leaves: u32, stream: &mut Stream) -> Vec<u32> {
    let mut to: Vec<u32> = (0..leaves).collect();
    stream.shuffle(&mut to);
    to
}

fn workloads(shape: &Shape, stream: &mut Stream) -> Vec<(&'static str, Vec<Pair>)> {
    let leaves = shape.leaves();
    let by = stream.below(leaves);
    let shift = messages((0..leaves).map(|from| (from, (from + by) % leaves)));
    let complement = messages((0..leaves).map(|from| (from, leaves - 1 - from)));
    let reversal = messages((0..leaves).map(|from| (from, reversed(shape, from))));
    let permutations: Vec<Vec<u32>> = (0..4).map(|_| permutation(leaves, stream)).collect();
    let union = permutations.iter().flat_map(|to| (0..).zip(to.iter().copied()));
    let (one, four) = (messages((0..).zip(permutations[0].clone())), messages(union));
    let mut random = |times: u32| {
        let mut end = || stream.below(leaves);
        messages((0..leaves * times).map(|_| (end(), end())))
    };
    let (once, often) = (random(1), random(4));
    let few = leaves.div_ceil(16);
    let hot = messages((0..leaves).map(|from| (from, stream.below(few))));
    let near = shape.leaves() / shape.subtrees(1);
    let local = messages((0..3 * leaves).map(|number| {
        let from = number % leaves;
        let close = from / near * near + stream.below(near);
        (from, if number < leaves { close } else { stream.below(leaves) })
    }));
    vec![
        ("shift", shift),
        ("complement", complement),
        ("reversal", reversal),
        ("permutation", one),
        ("four permutations", four),
        ("random", once),
        ("four times random", often),
        ("hot spots", hot),
        ("local mix", local),
    ]
}

fn check(trees: &[(&[u32], &[u32])], seeds: std::ops::Range<u64>) {
    let mut missed = Vec::new();
    let mut cases = 0;
    for tree in trees {
        let shape = shape(*tree);
        for seed in seeds.clone() {
            let mut stream = Stream::new(seed, "test", 0);
            for (name, all) in workloads(&shape, &mut stream) {
                let options = Options { seed, ..Options::default() };
                let (_, counted) = solve(&shape, &all, &options);
                cases += 1;
                if counted.arcs_over > 0 {
                    missed.push(format!("{name}, seed {seed}, {tree:?}: {counted:?}"));
                }
            }
        }
    }
    assert!(missed.is_empty(), "of {cases} these:\n{}", missed.join("\n"));
}

#[test]
fn each_arc_is_at_its_bound() {
    check(&TABLE[..5], 0..4);
    check(&OTHERS, 0..1);
}

/// A family on which bounds are not always reached, as the page about optimal routes says.
#[test]
#[ignore = "a minute"]
fn few_patterns_on_deep_slim_trees_keep_a_gap() {
    let shape = shape((&[2, 4, 4, 4, 4], &[1, 2, 2, 2, 1]));
    let mut over = Vec::new();
    for seed in 0..40 {
        let mut stream = Stream::new(seed, "test", 0);
        for (name, all) in workloads(&shape, &mut stream) {
            let (solution, _) = solve(&shape, &all, &Options { seed, ..Options::default() });
            if !solution.certificate.is_optimal() {
                over.push((name, seed, solution.certificate.over()));
            }
        }
    }
    assert_eq!(over.len(), 7, "{over:?}");
    assert_eq!(over.iter().map(|(.., over)| *over).max(), Some(2), "{over:?}");
}

/// Four links per leaf and no more above its switch. A few of these take attempt after attempt.
#[test]
fn each_arc_of_a_tree_with_no_more_links_above_is_at_its_bound() {
    check(&[(&[8, 4, 4], &[4, 1, 2])], 0..40);
}

#[test]
fn each_arc_of_large_trees_is_at_its_bound() {
    check(&TABLE[5..], 4..10);
    check(&OTHERS, 4..40);
}
