//! The worst traffic of minimal routing against the papers' formulas (Prisacari 2020, §6.2, §7.4.2).

use dragontree::scenario::{Experiment, Study};
use dragontree::traffic::Destinations;
use dragontree::units::Rank;

fn experiment(text: &str) -> Experiment {
    let text = format!("{text} traffic=worst_case routing=minimal load=1");
    let plan = Study::parse(&text).expect("a valid text").plan().expect("a plan");
    plan.jobs[0].build(None).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

fn bound(text: &str) -> f64 {
    experiment(text).analysis().limit.as_ref().expect("a bound").bound
}

#[test]
fn the_bound_is_that_of_the_formula() {
    for (text, share) in [
        ("topology=dragonfly,p=2,a=4,h=2", 8.0),
        ("topology=dragonfly,p=4,a=8,h=4", 32.0),
        ("topology=mlfm,h=4", 4.0),
        ("topology=mlfm,h=15", 15.0),
        ("topology=oft,k=4", 4.0),
        ("topology=oft,k=12", 12.0),
        ("topology=slim_fly,q=4,rounding=floor", 6.0),
        ("topology=slim_fly,q=5,rounding=floor", 6.0),
        ("topology=slim_fly,q=7,rounding=floor", 10.0),
        ("topology=slim_fly,q=8,rounding=floor", 12.0),
        ("topology=slim_fly,q=9,rounding=floor", 12.0),
        ("topology=slim_fly,q=13,rounding=floor", 18.0),
        ("topology=slim_fly,q=13,rounding=ceil", 20.0),
    ] {
        let found = bound(text);
        assert!((found - 1.0 / share).abs() < 1e-8, "{text}: {found}");
    }
}

#[test]
fn slim_flies_are_covered_by_chains_but_for_two_switches_at_most() {
    // Covers of so many chains are known; two switches or none are left over.
    for (q, p, chains) in [(5, 3, 12), (7, 5, 24), (8, 6, 32), (9, 6, 40), (13, 9, 84)] {
        let text = format!("topology=slim_fly,q={q},rounding=floor");
        let experiment = experiment(&text);
        // In each chain the two directions of the middle link carry the flows of two switches.
        let most = f64::from(2 * p);
        let analysis = experiment.analysis();
        let shared = analysis.report.utilization.iter().filter(|load| **load > most - 0.5);
        assert_eq!(shared.count(), 2 * chains, "{text}");
        let Destinations::Fixed(destinations) = &**experiment.destinations() else {
            panic!("{text} has no fixed destinations")
        };
        for (rank, to) in (0..).map(Rank).zip(destinations) {
            let to = to.unwrap_or_else(|| panic!("{text}: {rank:?} is silent"));
            assert_eq!(destinations[to.0 as usize], Some(rank), "{text}: both ways");
        }
    }
}

#[test]
fn a_network_without_a_known_worst_case_says_what_would_have_one() {
    let text = "topology=k_ary_n_tree,k=4,n=2 traffic=worst_case";
    let plan = Study::parse(text).unwrap().plan().unwrap();
    let problems = plan.jobs[0].build(None).err().expect("no worst case is known");
    let words = problems[0].to_string();
    assert!(words.contains("worst_case") && words.contains("Slim Fly"), "{words}");
}
