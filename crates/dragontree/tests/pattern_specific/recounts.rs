//! What is refused in counting routes anew.

use dragontree::analysis::{Unfit, recount};
use dragontree::routing::pattern_specific::{Climbs, Shape};

use crate::trees::{messages, shape};

/// Sixteen leaves on switches of four, each with two parents.
fn tree() -> Shape {
    shape((&[4, 4], &[1, 2]))
}

/// Why climbs are no routes for these messages.
fn refused(ends: &[(u32, u32)], climbs: &[&[u16]]) -> Unfit {
    let climbs: Vec<Vec<u16>> = climbs.iter().map(|climb| climb.to_vec()).collect();
    recount(&tree(), &messages(ends.iter().copied()), &Climbs::new(&climbs)).unwrap_err()
}

#[test]
fn what_fits_is_counted() {
    let climbs = Climbs::new(&[vec![0], vec![0, 1], vec![]]);
    let counted = recount(&tree(), &messages([(0, 1), (1, 4), (5, 5)]), &climbs).unwrap();
    let levels: Vec<u32> = counted.levels.iter().map(|level| level.achieved).collect();
    assert_eq!((levels, counted.arcs_over), (vec![1, 1], 0));
}

#[test]
fn every_message_has_one_climb() {
    let unfit = refused(&[(0, 1), (1, 2)], &[&[0]]);
    assert_eq!(unfit, Unfit::Count { climbs: 1, messages: 2 });
    assert_eq!(unfit.to_string(), "there are 1 climbs for 2 messages");
}

#[test]
fn its_ends_are_leaves_of_the_tree() {
    for ends in [(16, 0), (0, 16)] {
        let unfit = refused(&[(0, 1), ends], &[&[0], &[0, 0]]);
        assert_eq!(unfit, Unfit::Leaf { message: 1 });
    }
    let text = "message 0 is from or to a leaf that is not there";
    assert_eq!(refused(&[(99, 0)], &[&[0, 0]]).to_string(), text);
}

#[test]
fn it_climbs_to_parents_that_are_there() {
    let unfit = refused(&[(0, 4)], &[&[0, 2]]);
    assert_eq!(unfit, Unfit::Parent { message: 0, level: 1 });
    let text = "message 0 climbs from level 1 to a parent that is not there";
    assert_eq!(unfit.to_string(), text);
    assert_eq!(refused(&[(0, 4)], &[&[1, 0]]), Unfit::Parent { message: 0, level: 0 });
}

#[test]
fn it_climbs_as_far_as_it_must() {
    let unfit = refused(&[(0, 1), (0, 4)], &[&[0], &[0]]);
    assert_eq!(unfit, Unfit::Short { message: 1, level: 1 });
    let text = "message 1 climbs to level 1, from where it cannot come to its end";
    assert_eq!(unfit.to_string(), text);
    assert_eq!(refused(&[(0, 1)], &[&[]]), Unfit::Short { message: 0, level: 0 });
}

#[test]
fn it_climbs_no_farther() {
    let unfit = refused(&[(0, 1)], &[&[0, 1]]);
    assert_eq!(unfit, Unfit::Long { message: 0, level: 1 });
    assert_eq!(unfit.to_string(), "message 0 climbs beyond level 1, where it could turn");
    assert_eq!(refused(&[(3, 3)], &[&[0]]), Unfit::Long { message: 0, level: 0 });
}
