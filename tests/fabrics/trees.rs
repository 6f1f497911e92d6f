//! The trees in the fabrics that OpenSM has configured, against the widths that their generator
//! stated, and why the others are none.

use dragontree::catalog::Files;
use dragontree::network::Node;
use dragontree::network::extraction::extract;
use dragontree::scenario::{Exchanging, Study};

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

/// The exchange of a text in which `@` stands for a fabric, on it.
fn exchanging(text: &str, fabric: &str) -> Result<Exchanging, String> {
    let mut files = Files::default();
    let digest = files.add("fabric", fabric);
    let text = text.replace('@', &format!("imported,data=file.{digest:016x}"));
    let mut plan = Study::parse(&text).expect(&text).plan().expect(&text);
    plan.attach(&files);
    let scenario = plan.jobs[0].scenario();
    let network = scenario.network_like(None).expect(&text);
    let found = scenario.exchanging(&network);
    Ok(found.map_err(|problems| problems[0].to_string())?.expect(&text))
}

/// Digit by digit of the widths that are found, rank by rank along the slots: as on the tree that is
/// told to be one.
#[test]
fn all_to_alls_go_by_the_layers_of_trees_that_are_found() {
    for (name, m, w) in [
        ("k4n3", "4.4.4", "1.4.4"),
        ("half-k4n3", "4.4.2", "1.4.4"),
        ("xgft-3-432-122", "4.3.2", "1.2.2"),
    ] {
        let file = opensm(name);
        let network = network(&file);
        let tree = extract(&network).fabrics.remove(0).found.expect(name);
        let slot = |slot: u32| network.peer(tree.slot(slot)[0]).map(|port| network.owner(port));
        for order in ["opt", "ghe", "bgh", "permuted,permutation=2.3.1"] {
            let text = format!("exchange=all_to_all,order={order} topology=");
            let found = exchanging(&(text.clone() + "@"), &file).expect(name);
            let told = exchanging(&format!("{text}xgft,m={m},w={w}"), &file).expect(name);
            assert_eq!(found.exchanged.phases, told.exchanged.phases, "{name} {order}");
            for (rank, endpoint) in (0..).zip(&found.placement) {
                assert_eq!(slot(rank), Some(Node::Endpoint(*endpoint)), "{name} {order}");
            }
        }
    }
    // Empty slots are places: kept, or refused.
    let partial = opensm("k4n3-partial");
    let refused = exchanging("topology=@ exchange=all_to_all,order=opt", &partial);
    let refused = refused.expect_err("a slot is empty");
    assert!(refused.contains("the layers (1·4·4·4) have 64 places"), "{refused}");
    let kept = "topology=@ exchange=all_to_all,order=opt placement=contiguous,keepers=yes";
    let kept = exchanging(kept, &partial).expect("slots are kept");
    assert_eq!((kept.placement.len(), kept.exchanged.phases.count()), (51, 64));
    let ring = exchanging("topology=@ exchange=all_to_all,order=opt", &opensm("ring5"));
    let ring = ring.expect_err("it is no tree");
    assert!(ring.contains("order=opt needs a tree or groups"), "{ring}");
}
