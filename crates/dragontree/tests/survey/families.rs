//! The families of topologies, by the text that names them.

use std::sync::Arc;

use dragontree::analysis::Numbers;
use dragontree::scenario::Study;

use super::fabrics;

/// The numbers of `topology=` something.
fn numbers(topology: &str) -> Numbers {
    let study = Study::parse(&format!("topology={topology} load=1")).expect(topology);
    let plan = study.plan().expect(topology);
    let network = plan.jobs[0].scenario().network().expect(topology);
    fabrics::numbers(Arc::unwrap_or_clone(network))
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
