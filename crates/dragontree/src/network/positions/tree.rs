//! Fat trees: a row for each level, every switch in the middle of what lies below it.

use super::{Bend, Caption, Sheet, slot};
use crate::network::Tree;

/// The height between endpoints and leaf switches, where that between levels is 1.
const FOOT: f32 = 0.5;

pub fn place(tree: &Tree) -> Sheet {
    let mut switches = Vec::new();
    let mut captions = Vec::new();
    for level in 1..=tree.levels() {
        let y = (tree.levels() - level) as f32;
        // The switches of a level above the same endpoints follow one another.
        let together = (1..=level).map(|below| tree.parents(below)).product::<u32>();
        let subtrees = (tree.width(level) / together) as usize;
        switches.extend((0..tree.width(level)).map(|index| {
            let (subtree, place) = ((index / together) as f32, (index % together) as usize);
            [(subtree + slot(place, together as usize)) / subtrees as f32, y]
        }));
        captions.push(Caption::row(format!("level {level}"), y));
    }
    let foot = (tree.levels() - 1) as f32 + FOOT;
    captions.push(Caption::row("endpoints", foot));
    captions.reverse();
    let count = tree.width(0) as usize;
    Sheet {
        switches,
        endpoints: (0..count).map(|index| Some([slot(index, count), foot])).collect(),
        stretches: true,
        captions,
        bend: Bend::None,
    }
}
