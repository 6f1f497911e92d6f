//! The trees in the fabrics that OpenSM has configured, against the widths that their generator
//! stated, and why the others are none.

use dragontree::network::extraction::extract;

use crate::network;
use crate::opensm::opensm;

/// Children, parents and parallel links per level from the leaves up, as the generator stated
/// them.
const TREES: &[(&str, &str)] = &[
    ("k4n2", "m=4.4 w=1.4 p=1.1"),
    ("k2n4", "m=2.2.2.2 w=1.2.2.2 p=1.1.1.1"),
    ("k4n3", "m=4.4.4 w=1.4.4 p=1.1.1"),
    ("half-k4n3", "m=4.4.2 w=1.4.4 p=1.1.1"),
    ("half-k4n3-b-cbb2-l1", "m=4.2.4 w=1.2.2 p=1.1.1"),
    ("half-k4n3-b", "m=4.2.4 w=1.2.2 p=1.2.2"),
    ("k4n2-merged-inter", "m=4.4 w=1.2 p=1.2"),
    ("k4n2-merged-reordered", "m=4.4 w=1.2 p=1.2"),
    ("k4n3-partial", "m=4.4.4 w=1.4.4 p=1.1.1"),
    ("var422", "m=4.2.2 w=1.2.2 p=1.1.1"),
    ("xgft-3-432-122", "m=4.3.2 w=1.2.2 p=1.1.1"),
    ("bip12-2x2", "m=6.2 w=1.2 p=1.3"),
    ("ft648", "m=18.36 w=1.18 p=1.1"),
];

#[test]
fn trees_are_found_with_their_widths() {
    for (name, widths) in TREES {
        let network = network(&opensm(name));
        let extraction = extract(&network);
        assert_eq!(extraction.fabrics.len(), 1, "{name}");
        let found = extraction.fabrics[0].found.as_ref();
        let found = found.unwrap_or_else(|reason| panic!("{name}: {}", reason.text(&network)));
        assert_eq!(found.to_string(), *widths, "{name}");
        if *name != "k4n3-partial" {
            assert_eq!(found.deviations(), [], "{name}");
        }
    }
}

#[test]
fn what_is_no_tree_is_refused_with_a_reason() {
    for name in ["ring5", "torus4x4", "dragonfly-1-2-1"] {
        let network = network(&opensm(name));
        let extraction = extract(&network);
        for fabric in &extraction.fabrics {
            let reason = fabric.found.as_ref().expect_err(name).text(&network);
            assert!(!reason.is_empty(), "{name}");
            println!("{name}: {reason}");
        }
    }
}
