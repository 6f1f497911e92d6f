//! Fat trees: a row for each level, every switch in the middle of what lies below it.

use super::{Anchor, Sheet, slot};
use crate::network::Tree;

/// The height between endpoints and leaf switches, where that between levels is 1.
const FOOT: f32 = 0.5;

pub fn place(tree: &Tree) -> Sheet {
    let mut sheet = Sheet::new(true);
    let foot = (tree.levels() - 1) as f32 + FOOT;
    sheet.write("endpoints", Anchor::Row(foot));
    for level in (1..=tree.levels()).rev() {
        let y = (tree.levels() - level) as f32;
        sheet.write(&format!("level {level}"), Anchor::Row(y));
    }
    for level in 1..=tree.levels() {
        let y = (tree.levels() - level) as f32;
        // The switches of a level above the same endpoints follow one another.
        let together = (1..=level).map(|below| tree.parents(below)).product::<u32>();
        let subtrees = tree.width(level) / together;
        for index in 0..tree.width(level) {
            let (subtree, place) = (index / together, index % together);
            let x = (subtree as f32 + slot(place, together)) / subtrees as f32;
            // Only leaf switches have endpoints.
            let width = 1.0 / subtrees as f32;
            sheet.add([x, y], [slot(subtree, subtrees), foot], [width, 0.0]);
        }
    }
    sheet
}
