//! The families of topologies, by the text that names them.

use dragontree::analysis::{Numbers, Survey};
use dragontree::scenario::Study;

use super::fabrics;

/// The numbers of `topology=` something, as far as they must be searched for.
fn searched(topology: &str, enough: impl Fn(&Numbers) -> bool) -> Numbers {
    let study = Study::parse(&format!("topology={topology} load=1")).expect(topology);
    let plan = study.plan().expect(topology);
    let mut survey = Survey::new(plan.jobs[0].scenario().network().expect(topology));
    while !enough(&survey.numbers()) && !survey.advance(1_000_000) {}
    survey.numbers()
}

fn counts(topology: &str) -> Numbers {
    searched(topology, |_| true)
}

fn numbers(topology: &str) -> Numbers {
    searched(topology, |_| false)
}

/// Prisacari 2020, Table 2.1: trees with half bisection at the top; Zahavi 2009, Table I, and
/// Prisacari 2020, Table 4.1: full ones.
#[test]
fn named_trees_have_half_or_full_bisection() {
    let halves = ["half_16", "half_32", "half_64", "half_128", "half_256", "half_512"];
    for preset in halves {
        let numbers = numbers(&format!("xgft,preset={preset}"));
        assert_eq!(numbers.bisection_per_endpoint, Some(0.5), "{preset}");
    }
    let full = ["full_16", "full_32", "full_64", "full_128", "full_256", "full_512", "pairs_32"];
    for preset in full {
        let numbers = numbers(&format!("xgft,preset={preset}"));
        assert_eq!(numbers.bisection_per_endpoint, Some(1.0), "{preset}");
    }
    for (slimming, expected) in [(1, 1.0), (2, 0.5), (4, 0.25)] {
        let numbers = numbers(&format!("fat_tree,levels=3,radix=16,slimming={slimming}"));
        assert_eq!(numbers.bisection_per_endpoint, Some(expected));
        assert_eq!(numbers.diameter, Some(4));
    }
}

/// Two levels cost 3 ports and 2 links per endpoint, three levels 5 and 3 (Prisacari 2020,
/// §7.2.2.1 and Fig. 7.3).
#[test]
fn fat_trees_cost_what_the_documents_say() {
    for (levels, ports, links) in [(2, 3.0, 2.0), (3, 5.0, 3.0)] {
        let numbers = numbers(&format!("fat_tree,levels={levels},radix=16"));
        assert_eq!((numbers.ports_per_endpoint, numbers.links_per_endpoint), (ports, links));
    }
}

/// Subnets joined by routers in place of the third stage keep full bisection (Bogdański et al.
/// 2013, §5): 144 and 432 endpoints, an even number of subnets.
#[test]
fn subnets_have_full_bisection() {
    for (count, endpoints) in [(2, 144), (6, 432)] {
        let numbers = numbers(&format!("subnets,count={count}"));
        assert_eq!((numbers.endpoints, numbers.unconnected_pairs), (endpoints, Some(0)));
        assert_eq!(numbers.bisection_per_endpoint, Some(1.0));
    }
}

/// Endpoints with switches of 64 ports (63 for a 2D HyperX, whose balanced members have multiples
/// of 3), and what an endpoint costs (Prisacari 2020, Table 7.1 and Fig. 7.3; the text's 36 K for
/// the MLFM and 33.7 K for the Slim Fly are swapped).
#[test]
fn families_scale_as_the_document_says() {
    let cases = [
        ("oft,radix=64", 63_552, 3.0, 2.0),
        ("fat_tree,levels=3,radix=64", 65_536, 5.0, 3.0),
        ("fat_tree,levels=2,radix=64", 2_048, 3.0, 2.0),
        ("mlfm,radix=64", 33_792, 3.0, 2.0),
        ("slim_fly,radix=64", 35_322, 64.0 / 21.0, 1.0 + 43.0 / 42.0),
        ("hyperx,radix=63", 10_164, 3.0, 2.0),
    ];
    for (family, endpoints, ports, links) in cases {
        let numbers = counts(family);
        assert_eq!(numbers.endpoints, endpoints, "{family}");
        assert_eq!((numbers.ports_per_endpoint, numbers.links_per_endpoint), (ports, links));
    }
}

/// Two hops between endpoints' switches, and the diversity of Slim Flies as counted elsewhere
/// (q = 23: Prisacari 2020, §7.2.3.3: about 1.1, at most 8).
#[test]
fn slim_flies_have_the_diversity_that_others_counted() {
    let table = [
        (3, 1.5, 2.0),
        (4, 1.2, 2.0),
        (5, 1.0, 1.0),
        (7, 1.2093, 3.0),
        (8, 1.0957, 2.0),
        (9, 1.0270, 2.0),
        (11, 1.1339, 3.0),
        (13, 1.0377, 3.0),
        (16, 1.0842, 6.0),
        (17, 1.0435, 4.0),
        (19, 1.1127, 7.0),
        (23, 1.0998, 8.0),
    ];
    for (q, mean, max) in table {
        let numbers = searched(&format!("slim_fly,q={q}"), |numbers| numbers.diversity.is_some());
        let paths = numbers.diversity.expect("pairs that are not adjacent");
        assert!((paths.mean - mean).abs() < 5e-5 && paths.max == max, "{q}: {paths:?}");
        assert_eq!((numbers.diameter, paths.sampled), (Some(2), false));
    }
}

/// The same networks from their formulas and from graphs made by hand.
#[test]
fn families_of_diameter_two_are_those_made_by_hand() {
    let (endpoints, links) = fabrics::oft(6);
    assert_eq!(numbers("oft,k=6"), fabrics::numbers(fabrics::fabric(&endpoints, &links)));
    let (endpoints, links) = fabrics::mlfm(5);
    assert_eq!(numbers("mlfm,h=5"), fabrics::numbers(fabrics::fabric(&endpoints, &links)));
    let fly = fabrics::fabric(&[3; 50], &fabrics::mms(5));
    assert_eq!(numbers("slim_fly,q=5,rounding=floor"), fabrics::numbers(fly));
}

/// No cut of an orthogonal fat tree is below 1 - √(k-1)/k per endpoint. Let x = ±1 tell the side
/// of each leaf and m the mean of x over the 2k leaves of an upper switch, which then has
/// k·(1 - |m|) links cut at least. The incidence A of points and lines has AᵀA = (k-1)·I + J, so
/// over all R upper switches Σm² ≤ R·(k-1)/k² for balanced sides, and Σ|m| ≤ R·√(k-1)/k.
#[test]
fn cuts_of_orthogonal_fat_trees_lie_between_bounds() {
    // For k = 3 the smallest of all 1716 balanced cuts; others' best otherwise.
    for (k, best_known) in [(3, 13.0 / 21.0), (4, 32.0 / 52.0), (6, 120.0 / 186.0), (9, 0.75)] {
        let per_endpoint = numbers(&format!("oft,k={k}")).bisection_per_endpoint.expect("a cut");
        let least = 1.0 - f64::from(k - 1).sqrt() / f64::from(k);
        assert!(least <= per_endpoint && per_endpoint <= best_known, "{k}: {per_endpoint}");
    }
}

/// HyperX is cut across one coordinate, s/(2p) for even s; a ring of odd width by
/// 2·(kⁿ - 1)/(k - 1) links, an open line by half as many (Leighton 1992, §1.10).
#[test]
fn cuts_of_grids_have_their_closed_forms() {
    let hyperx = numbers("hyperx,widths=8.8,p=4");
    assert_eq!((hyperx.diameter, hyperx.bisection_per_endpoint), (Some(2), Some(8.0 / 8.0)));
    let cases = [
        ("torus,widths=8.8.8,p=1", 128),
        ("torus,widths=16.8,p=2", 16),
        ("torus,widths=5.5.5,p=1", 62),
        ("torus,widths=7.7,p=1", 16),
        ("mesh,widths=5.5.5,p=1", 31),
        ("mesh,widths=7.7,p=1", 8),
        ("mesh,widths=16.8,p=1", 8),
        ("torus,widths=20.20.20,p=1", 800),
        ("torus,widths=21.21.21,p=1", 926),
    ];
    for (grid, links) in cases {
        let cut = numbers(grid).bisection.expect("a cut");
        assert_eq!((cut.links, cut.moved), (links, 0), "{grid}");
    }
}

/// Near 3000 endpoints the order is OFT, Slim Fly, MLFM (Prisacari 2020, Fig. 7.4).
#[test]
fn the_order_of_bisections_is_that_of_the_document() {
    let families = ["oft,k=12", "slim_fly,q=13,rounding=floor", "mlfm,h=15"];
    let values = families.map(|family| numbers(family).bisection_per_endpoint.expect("a cut"));
    assert!(values.is_sorted_by(|one, other| one > other), "{values:?}");
}

/// Sixty thousand endpoints, however few hops or many: everything is exact.
#[test]
fn large_networks_are_not_sampled() {
    let torus = searched("torus,widths=40.40.40,p=1", |numbers| numbers.diversity.is_some());
    let mean = 3.0 * 10.0 * 64_000.0 / 63_999.0;
    assert!((torus.mean_distance.expect("pairs") - mean).abs() < 1e-9);
    // 60!/(20!)³ orders of the steps to the far corner, two ways around each ring.
    let most = (1..=60).fold(8.0, |product, step| product * f64::from(step));
    let cube = (1..=20).fold(1.0, |product, step| product * f64::from(step));
    let most = most / (cube * cube * cube);
    let found = torus.diversity.expect("pairs").max;
    assert!((found / most - 1.0).abs() < 1e-12, "{found} for {most}");
    for family in ["dragonfly,p=11,a=22,h=11", "oft,k=32", "fat_tree,levels=3,radix=64"] {
        let numbers = searched(family, |numbers| numbers.diversity.is_some());
        let sampled = numbers.diversity.expect("pairs").sampled || numbers.distances_sampled;
        assert!(numbers.endpoints > 50_000 && !sampled, "{family}");
    }
}
