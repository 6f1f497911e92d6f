//! What the settings of the search do.

use dragontree::random::Stream;
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Certificate, Goal, Options, Shape, Solution, Status};
use dragontree::scenario::{Scenario, Study};

use crate::trees::{messages, shape, solve};

fn permuted(shape: &Shape, number: u64) -> Vec<Pair> {
    let mut to: Vec<u32> = (0..shape.leaves()).collect();
    Stream::new(number, "test", 0).shuffle(&mut to);
    messages((0..).zip(to))
}

/// How many levels have a link with more messages than counting asks for.
fn levels_over(certificate: &Certificate) -> usize {
    certificate.levels.iter().filter(|level| level.achieved > level.known.bound).count()
}

/// One attempt finds most routes, but not all: that of little work says that it may not be the end.
#[test]
fn work_stops_the_search_and_a_gap_is_told() {
    let mut gaps = 0;
    for tree in [(&[2, 3, 3][..], &[1, 2, 1][..]), (&[2, 2, 2], &[1, 2, 1])] {
        let shape = shape(tree);
        for number in 0..200 {
            let all = permuted(&shape, number);
            let of = |work| solve(&shape, &all, &Options { work, ..Options::default() }).0;
            let [little, much] = [1, Options::default().work].map(|work| of(work).certificate);
            assert!(little.work <= much.work && little.achieved() >= much.achieved());
            assert!(!matches!(much.status, Status::Gap { .. }), "{tree:?} {number}");
            if let Status::Gap { bound, achieved } = little.status {
                assert!(bound < achieved && little.work < much.work, "{tree:?} {number}");
                gaps += 1;
            }
        }
    }
    assert!(gaps > 10, "{gaps}");
}

/// Leaf 0 sends to eight others over its only link, so that what happens above does not show in the
/// largest number: only the other goals care.
#[test]
fn goals_are_reached_and_no_more_is_sought() {
    let shape = shape((&[4, 4, 4], &[1, 2, 2]));
    let goals = [Goal::Maximum, Goal::PerLevel, Goal::PerArc];
    let (mut levels, mut arcs) = ([0; 3], [0; 3]);
    for number in 0..60 {
        let mut all = permuted(&shape, number);
        all.extend(messages((1..9).map(|to| (0, 7 * to))));
        for (place, goal) in goals.into_iter().enumerate() {
            let found = solve(&shape, &all, &Options { goal, ..Options::default() }).0.certificate;
            assert_eq!(found.status, Status::Optimal, "{number} {goal:?}");
            levels[place] += levels_over(&found);
            arcs[place] += found.arcs_over;
        }
    }
    assert_eq!((levels[1], levels[2], arcs[2]), (0, 0, 0));
    assert!(levels[0] > 0 && arcs[0] > arcs[1] && arcs[1] > 0, "{levels:?} {arcs:?}");
}

#[test]
fn a_seed_gives_its_routes_again_and_another_one_others() {
    let shape = shape((&[4, 4, 4], &[1, 3, 3]));
    let all = permuted(&shape, 1);
    let of = |seed| -> Solution { solve(&shape, &all, &Options { seed, ..Options::default() }).0 };
    assert_eq!(of(7), of(7));
    assert_ne!(of(7).climbs, of(8).climbs);
    assert_eq!([of(7), of(8)].map(|found| found.certificate.seed), [7, 8]);
}

fn scenario(text: &str) -> Scenario {
    Study::parse(text).expect(text).plan().expect(text).jobs[0].scenario().clone()
}

/// What a text says comes to the search.
#[test]
fn settings_of_a_text_are_those_of_the_search() {
    let solved = |tree: &str, settings: &str| -> Vec<Certificate> {
        let of = |seed: u32| {
            let scenario = scenario(&format!(
                "topology=xgft,{tree} exchange=ring,order=random seed={seed} \
                 routing=pattern_specific{settings}"
            ));
            let routes = scenario.routes(&scenario.network().unwrap()).unwrap();
            let solved = routes.oblivious().solved().unwrap().phases();
            solved.iter().map(|phase| phase.certificate.clone()).collect::<Vec<_>>()
        };
        (0..40).flat_map(of).collect()
    };
    let arcs = |settings: &str| -> u32 {
        solved("m=4.4.4,w=1.2.2", settings).iter().map(|found| found.arcs_over).sum()
    };
    assert_eq!(arcs(""), 0);
    assert!(arcs(",goal=maximum") > 0);
    let seeded = solved("m=4.4.4,w=1.2.2", ",seed=7");
    assert!(seeded.iter().all(|certificate| certificate.seed == 7));
    let work = |settings: &str| -> u64 {
        solved("m=2.3.3,w=1.2.1", settings).iter().map(|found| found.work).sum()
    };
    assert!(work(",work=1") < work(""));
}

#[test]
fn parallel_links_of_an_endpoint_are_refused() {
    for routing in ["pattern_specific", "greedy"] {
        let text = format!("topology=xgft,m=4.4,w=1.2,p=2.1 exchange=all_to_all routing={routing}");
        let scenario = scenario(&text);
        let problems = scenario.routes(&scenario.network().unwrap()).err().unwrap();
        assert_eq!(problems.len(), 1, "{problems:?}");
        let said =
            format!("{routing} needs a whole XGFT; this network has a tree with parallel links");
        assert_eq!((problems[0].key.as_str(), &problems[0].allowed), ("routing", &said));
    }
}
