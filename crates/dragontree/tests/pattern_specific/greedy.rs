//! Greedy routes, against a plain reading of what they are.

use dragontree::analysis::recount;
use dragontree::random::Stream;
use dragontree::routing::Pair;
use dragontree::routing::greedy::Assigning;
use dragontree::routing::pattern_specific::{Climbs, Options, Shape, Status};

use crate::exchange::phase;
use crate::random::permutation;
use crate::trees::{TABLE, messages, shape, solve};

/// Every way of a message, as digits, the first digit slowest.
fn ways(shape: &Shape, turn: usize) -> Vec<Vec<u16>> {
    (0..turn).fold(vec![Vec::new()], |ways, level| {
        let parents = 0..shape.parents(level + 1) as u16;
        let longer = |way: Vec<u16>| parents.clone().map(move |w| [&way[..], &[w]].concat());
        ways.into_iter().flat_map(longer).collect()
    })
}

/// Each message in turn takes the way with the least of what the ones before have put on its links,
/// counted anew each time.
fn plainly(shape: &Shape, all: &[Pair], order: &[u32]) -> Vec<Vec<u16>> {
    let mut climbs: Vec<Vec<u16>> = vec![Vec::new(); all.len()];
    let mut done: Vec<usize> = Vec::new();
    for message in order.iter().map(|message| *message as usize) {
        let turn = shape.turn(all[message]);
        let on = |way: &Vec<u16>, level: usize, side: usize| {
            let end = |pair: Pair| [pair.source.0, pair.destination.0][side];
            let subtree = shape.subtree(level, end(all[message]));
            let shares = |other: &&usize| {
                shape.turn(all[**other]) > level
                    && shape.subtree(level, end(all[**other])) == subtree
                    && climbs[**other][..=level] == way[..=level]
            };
            done.iter().filter(shares).count() as u64
        };
        let cost = |way: &Vec<u16>| {
            let loads = (0..turn).flat_map(|level| [on(way, level, 0), on(way, level, 1)]);
            let loads: Vec<u64> = loads.collect();
            let squares: u64 = loads.iter().map(|load| load * load).sum();
            (loads.into_iter().max().unwrap_or(0), squares)
        };
        let best = ways(shape, turn).into_iter().min_by_key(cost).unwrap();
        climbs[message] = best;
        done.push(message);
    }
    climbs
}

#[test]
fn each_message_takes_what_is_best_when_its_turn_comes() {
    let trees: [(&[u32], &[u32]); 6] = [
        (&[2, 2, 2], &[1, 2, 1]),
        (&[2, 2, 2], &[2, 1, 2]),
        (&[3, 2, 2], &[1, 2, 3]),
        (&[4, 4], &[1, 3]),
        (&[2, 2, 2, 2], &[1, 2, 2, 1]),
        (&[4, 3, 2], &[1, 3, 2]),
    ];
    for tree in trees {
        let shape = shape(tree);
        for seed in 0..8 {
            let mut stream = Stream::new(seed, "test", 0);
            let mut ends = || stream.below(shape.leaves());
            let all = messages((0..24).map(|_| (ends(), ends())));
            let greedy =
                Assigning::new(&shape, all.clone(), Stream::new(seed, "greedy", 0)).unwrap();
            let order = greedy.order().to_vec();
            let solution = greedy.finish();
            let plainly = Climbs::new(&plainly(&shape, &all, &order));
            assert_eq!(solution.climbs, plainly, "{shape:?} {seed}");
            // What it says of itself is what following the messages comes to.
            let counted = recount(&shape, &all, &solution.climbs).unwrap();
            for (level, counted) in solution.certificate.levels.iter().zip(&counted.levels) {
                assert_eq!(level.achieved, counted.achieved);
            }
            assert_eq!(solution.certificate.arcs_over, counted.arcs_over);
        }
    }
}

/// What an independent program found on XGFT(4: 16,8,4,2: 1,16,8,2): contention 1 for the shift by one,
/// which any order of messages keeps, and 2 for a phase of OPT, where optimal routes need 1.
#[test]
fn good_is_not_optimal() {
    let tree = TABLE[6];
    let shape = shape(tree);
    assert_eq!(shape.leaves(), 1024);
    let achieved = |all: Vec<Pair>| {
        let greedy = Assigning::new(&shape, all, Stream::new(0, "greedy", 0)).unwrap();
        greedy.finish().certificate
    };
    let shift = messages((0..1024).map(|leaf| (leaf, (leaf + 1) % 1024)));
    assert_eq!(achieved(shift).status, Status::Optimal);
    let opt = achieved(phase(tree.0, 1));
    assert_eq!(opt.status, Status::Gap { bound: 1, achieved: 2 });
}

/// Layers to choose in below some that leave no choice: repairs alone end in worse than greedy routes
/// there.
const SLIMMED: [(&[u32], &[u32]); 9] = [
    (&[2, 2, 2, 2], &[2, 2, 1, 1]),
    (&[4, 4, 2], &[2, 2, 1]),
    (&[2, 2, 2, 2, 2], &[1, 2, 2, 1, 1]),
    (&[2, 2, 2, 2, 2], &[2, 2, 1, 1, 1]),
    (&[2, 3, 2, 2], &[1, 3, 2, 1]),
    (&[3, 3, 3], &[2, 3, 1]),
    (&[2, 2, 2, 3], &[1, 2, 3, 1]),
    (&[3, 3, 2, 2], &[1, 3, 3, 1]),
    (&[4, 4, 4, 2], &[1, 3, 2, 1]),
];

#[test]
fn nothing_that_greedy_routes_reach_is_missed() {
    for tree in SLIMMED {
        let shape = shape(tree);
        for seed in 0..30 {
            let all = permutation(shape.leaves(), &mut Stream::new(seed, "test", 1));
            let greedy = (0..20).map(|order| {
                let stream = Stream::new(order, "greedy", 0);
                let greedy = Assigning::new(&shape, all.clone(), stream).unwrap();
                greedy.finish().certificate.achieved()
            });
            let options = Options { work: 2_000_000, ..Options::default() };
            let (solution, _) = solve(&shape, &all, &options);
            let found = solution.certificate.achieved();
            assert!(found <= greedy.min().unwrap(), "{tree:?} {seed}: {found}");
        }
    }
}
