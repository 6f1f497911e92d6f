//! Few messages on small trees, where all routes can be tried.

use dragontree::network::EndpointId;
use dragontree::random::Stream;
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Certificate, Goal, Options, Shape, Solving, Status};

use crate::exchange::phase;
use crate::random::permutation;
use crate::trees::{messages, shape, solve};

/// Whether all messages from the `next` on can be routed with no more on any link above a level than
/// `most` has for it. Of the
/// links up from level `l` the one from a subtree's node with digits `w_1..w_l` to its parent
/// `w_{l+1}` is number `subtree·W_1⋯W_{l+1}` plus the digits read as a number; likewise down.
fn is_possible(
    shape: &Shape,
    messages: &[Pair],
    next: usize,
    loads: &mut [[Vec<u32>; 2]],
    most: &[u32],
) -> bool {
    let Some(message) = messages.get(next) else { return true };
    let ends = [message.source.0, message.destination.0];
    let turn = (0..).find(|level| shape.subtree(*level, ends[0]) == shape.subtree(*level, ends[1]));
    let turn = turn.unwrap();
    let ways: u32 = (1..=turn).map(|level| shape.parents(level)).product();
    for way in 0..ways {
        let (mut rest, mut number) = (way, 0);
        let mut links = Vec::new();
        for level in 0..turn {
            let parents = shape.parents(level + 1);
            number = number * parents + rest % parents;
            rest /= parents;
            let all: u32 = (1..=level + 1).map(|level| shape.parents(level)).product();
            for (side, end) in ends.iter().enumerate() {
                links.push((level, side, (shape.subtree(level, *end) * all + number) as usize));
            }
        }
        let is_free =
            links.iter().all(|(level, side, link)| loads[*level][*side][*link] < most[*level]);
        if is_free {
            links.iter().for_each(|(level, side, link)| loads[*level][*side][*link] += 1);
            let is_possible = is_possible(shape, messages, next + 1, loads, most);
            links.iter().for_each(|(level, side, link)| loads[*level][*side][*link] -= 1);
            if is_possible {
                return true;
            }
        }
    }
    false
}

/// Whether all messages can be routed with no more on any link above a level than `most` has for it.
fn is_possible_within(shape: &Shape, messages: &[Pair], most: &[u32]) -> bool {
    let links = |level: usize| {
        let all: u32 = (1..=level + 1).map(|level| shape.parents(level)).product();
        vec![0; (shape.subtrees(level) * all) as usize]
    };
    let mut loads: Vec<[Vec<u32>; 2]> =
        (0..shape.levels()).map(|level| [links(level), links(level)]).collect();
    is_possible(shape, messages, 0, &mut loads, most)
}

/// The least contention there is.
fn brute_force(shape: &Shape, messages: &[Pair]) -> u32 {
    let most = |most: u32| vec![most; shape.levels()];
    (0..).find(|all| is_possible_within(shape, messages, &most(*all))).unwrap()
}

const TREES: [(&[u32], &[u32]); 20] = [
    (&[2, 2], &[1, 2]),
    (&[2, 2], &[2, 1]),
    (&[3, 2], &[1, 3]),
    (&[2, 3], &[2, 3]),
    (&[2, 2, 2], &[1, 2, 1]),
    (&[2, 2, 2], &[1, 2, 2]),
    (&[2, 2, 2], &[2, 1, 2]),
    (&[2, 3, 2], &[1, 3, 1]),
    (&[3, 2, 2], &[1, 2, 3]),
    (&[2, 2, 3], &[3, 1, 1]),
    (&[2, 4, 2], &[1, 4, 1]),
    (&[2, 2, 2, 2], &[1, 2, 1, 1]),
    // With several links per leaf the first layer is a choice, too.
    (&[3, 2], &[2, 1]),
    (&[2, 2, 2], &[2, 2, 1]),
    (&[2, 2, 2], &[3, 1, 1]),
    (&[2, 3], &[4, 1]),
    (&[2, 3, 2], &[2, 1, 1]),
    // Two layers of choice below others that leave none.
    (&[2, 2, 2, 2, 2], &[1, 2, 2, 1, 1]),
    (&[2, 2, 2, 2], &[1, 2, 3, 1]),
    (&[2, 2, 2, 2], &[2, 2, 1, 1]),
];

#[test]
fn nothing_is_better_than_what_is_found_and_nothing_is_left_open() {
    let (mut by_exhaustion, mut levels_by_exhaustion) = (0, 0);
    for (tree, (children, parents)) in TREES.into_iter().enumerate() {
        let shape = shape((children, parents));
        for number in 0..240 {
            let mut stream = Stream::new(number, "test", tree as u64);
            let count = 1 + stream.below(9);
            let mut draw = || stream.below(shape.leaves());
            let messages = match number % 2 {
                0 => messages((0..count).map(|_| (draw(), draw()))),
                _ => {
                    let mut to: Vec<u32> = (0..shape.leaves()).collect();
                    stream.shuffle(&mut to);
                    let mut all = messages((0..).zip(to));
                    all.truncate(9);
                    all
                }
            };
            let (solution, _) = solve(&shape, &messages, &Options::default());
            let achieved = solution.certificate.achieved();
            assert_eq!(achieved, brute_force(&shape, &messages), "{shape:?} {messages:?}");
            match solution.certificate.status {
                Status::Optimal => assert_eq!(achieved, solution.certificate.bound().0),
                Status::OptimalByExhaustion => {
                    assert!(achieved > solution.certificate.bound().0);
                    by_exhaustion += 1;
                }
                Status::Gap { .. } => panic!("{shape:?} {messages:?}"),
            }
            // Nor is anything better above one level that is nowhere worse.
            let levels = &solution.certificate.levels;
            assert!(solution.certificate.is_optimal(), "{shape:?} {messages:?}");
            let most: Vec<u32> = levels.iter().map(|level| level.achieved).collect();
            for (place, level) in levels.iter().enumerate().filter(|(_, level)| level.achieved > 0)
            {
                let mut less = most.clone();
                less[place] -= 1;
                assert!(!is_possible_within(&shape, &messages, &less), "{shape:?} {messages:?}");
                levels_by_exhaustion += u32::from(level.exhausted);
            }
        }
    }
    assert!(by_exhaustion > 0 && levels_by_exhaustion > 0);
}

/// Five messages of which each shares an arc for one of two links with the next, in a circle: from
/// the left half, within the switch of leaves 2 and 3, into that of 0 and 1, within that of 6 and 7,
/// into that of 4 and 5.
#[test]
fn a_circle_of_five_needs_a_third_color() {
    let shape = shape((&[2, 2, 2], &[1, 2, 1]));
    let messages = messages((0..).zip([3, 5, 1, 6, 7, 2, 0, 4]));
    let (solution, counted) = solve(&shape, &messages, &Options::default());
    assert!(counted.levels.iter().all(|level| level.bound <= 1));
    assert_eq!(solution.certificate.bound().0, 1);
    assert_eq!(solution.certificate.achieved(), 2);
    assert_eq!(solution.certificate.status, Status::OptimalByExhaustion);
    assert_eq!(brute_force(&shape, &messages), 2);
}

/// Prisacari 2020, Fig. 3.2: each of 4 leaves sends 4 messages across the root.
#[test]
fn the_example_of_the_thesis_has_contention_2_and_1() {
    let shape = shape((&[2, 2], &[3, 3]));
    let ends =
        (0..4).flat_map(|from| (0..4).map(move |which| (from, (from + 2) % 4 / 2 * 2 + which % 2)));
    let (_, counted) = solve(&shape, &messages(ends), &Options::default());
    let achieved: Vec<u32> = counted.levels.iter().map(|level| level.achieved).collect();
    assert_eq!(achieved, [2, 1]);
    assert_eq!(counted.arcs_over, 0);
}

#[test]
fn messages_to_oneself_and_repeated_ones_are_routed() {
    let shape = shape((&[2, 2], &[1, 2]));
    let none = messages([(0, 0), (3, 3)]);
    let (solution, counted) = solve(&shape, &none, &Options::default());
    assert_eq!((counted.arcs_used, solution.certificate.achieved()), (0, 0));
    assert_eq!(solution.certificate.bound(), (0, solution.certificate.bound().1));
    assert!((0..2).all(|message| solution.climbs.of(message).is_empty()));
    let five = messages([(0, 2); 5].into_iter().chain([(1, 1)]));
    let (solution, _) = solve(&shape, &five, &Options::default());
    // All leave by the same leaf's only link.
    assert_eq!(solution.certificate.achieved(), 5);
    let digits: u16 = (0..5).map(|message| solution.climbs.of(message)[1]).sum();
    assert!(digits == 2 || digits == 3);
    let (solution, _) = solve(&shape, &[], &Options::default());
    assert_eq!(solution.climbs.count(), 0);
    assert_eq!(solution.certificate.status, Status::Optimal);
}

#[test]
fn slices_of_work_change_nothing() {
    let shape = shape((&[8, 4, 4, 2], &[1, 8, 4, 2]));
    let messages = phase(&[8, 4, 4, 2], 77);
    let options = Options { seed: 5, ..Options::default() };
    let begin = || Solving::new(shape.clone(), messages.clone(), options.clone()).unwrap();
    let (mut solving, mut slices) = (begin(), 0);
    let solution = loop {
        slices += 1;
        assert!((0.0..=1.0).contains(&solving.share()));
        if let Some(solution) = solving.advance(100) {
            break solution;
        }
    };
    assert_eq!(solution, begin().finish());
    assert!(slices > 5, "{slices}");
}

#[test]
fn what_is_no_tree_or_no_leaf_is_refused() {
    for (children, parents) in [
        (&[][..], &[][..]),
        (&[2], &[1, 2]),
        (&[2, 0], &[1, 1]),
        (&[2, 2], &[1, 0]),
        (&[1 << 13, 1 << 13], &[1, 1]),
    ] {
        assert!(Shape::new(children, parents).is_err(), "{children:?} {parents:?}");
    }
    let shape = shape((&[2, 2], &[1, 2]));
    let pair = Pair { source: EndpointId(0), destination: EndpointId(4) };
    let options = Options { goal: Goal::Maximum, ..Options::default() };
    assert!(Solving::new(shape, vec![pair], options).is_err());
}

/// Where counting's bound is not reached, all ways are tried in reasonable time.
#[test]
fn nothing_is_left_open_on_small_trees() {
    let (mut reached, mut proven) = (0, 0);
    for (tree, (children, parents)) in SWEPT.into_iter().enumerate() {
        let shape = shape((children, parents));
        for number in 0..3000 {
            let mut stream = Stream::new(number, "test", 100 + tree as u64);
            let mut to: Vec<u32> = (0..shape.leaves()).collect();
            stream.shuffle(&mut to);
            let mut all = messages((0..).zip(to));
            let extra = stream.below(shape.leaves());
            let mut draw = || stream.below(shape.leaves());
            all.extend(messages((0..extra * (number % 2) as u32).map(|_| (draw(), draw()))));
            let options = Options { goal: Goal::Maximum, ..Options::default() };
            let (solution, _) = solve(&shape, &all, &options);
            match solution.certificate.status {
                Status::Optimal => reached += 1,
                Status::OptimalByExhaustion => proven += 1,
                Status::Gap { .. } => panic!("{shape:?} {all:?}"),
            }
        }
    }
    // What the page about optimal routes says.
    assert_eq!((reached, proven), (38_930, 70));
}

const SWEPT: [(&[u32], &[u32]); 13] = [
    (&[2, 2, 2], &[1, 2, 1]),
    (&[2, 2, 2], &[1, 2, 2]),
    (&[2, 3, 3], &[1, 2, 1]),
    (&[2, 4, 2], &[1, 4, 1]),
    (&[4, 2, 2], &[1, 3, 1]),
    (&[4, 4, 2], &[1, 4, 2]),
    (&[4, 2, 4], &[1, 2, 2]),
    (&[3, 3, 3], &[1, 3, 2]),
    (&[3, 3, 3], &[2, 2, 1]),
    (&[2, 2, 2, 2], &[1, 2, 2, 2]),
    (&[2, 2, 2, 2], &[1, 2, 1, 2]),
    (&[2, 2, 2, 2], &[1, 1, 2, 1]),
    (&[2, 2, 2, 4], &[1, 2, 2, 1]),
];

/// Repairs miss what is possible where two layers of choice lie below others that leave none; it is found
/// without trying all ways for long.
#[test]
fn nothing_is_left_open_where_two_layers_of_choice_lie_below_none() {
    let trees: [(&[u32], &[u32]); 4] = [
        (&[2, 2, 2, 2, 2], &[1, 2, 2, 1, 1]),
        (&[2, 2, 2, 2, 2], &[1, 2, 3, 1, 1]),
        (&[2, 3, 2, 2], &[1, 3, 2, 1]),
        (&[3, 3, 3], &[2, 3, 1]),
    ];
    for (tree, (children, parents)) in (0..).zip(trees) {
        let shape = shape((children, parents));
        for number in 0..100 {
            let mut stream = Stream::new(number, "test", 200 + tree);
            let all = permutation(shape.leaves(), &mut stream);
            let options = Options { goal: Goal::Maximum, ..Options::default() };
            let Certificate { status, work, .. } = solve(&shape, &all, &options).0.certificate;
            assert_eq!(status, Status::Optimal, "{shape:?} {number}");
            assert!(work < 5_000_000, "{shape:?} {number}: {work}");
        }
    }
}

/// Far more links than messages.
#[test]
fn wide_trees_are_routed_as_well() {
    let shape = shape((&[16, 16], &[1, 4093]));
    let all = messages((0..256).map(|from| (from, (from * 7 + 3) % 256)));
    let (_, counted) = solve(&shape, &all, &Options::default());
    assert_eq!(counted.levels.iter().map(|level| level.achieved).max(), Some(1));
}
