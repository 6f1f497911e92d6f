//! Breaking links and switches, and mending them: changes to the experiment's text.

use dragontree::scenario::{KEYS, Study};
use dragontree_worker::{Broken, Kind};
use leptos::prelude::*;

use super::scene::{Scene, Spot};
use crate::edit;
use crate::store::Store;

/// More faults than this are not written out.
const MOST: usize = 100;

/// What can be done to a spot: words for a button, and the faults after it.
pub fn changes(scene: &Scene, spot: Spot) -> Vec<(&'static str, Broken)> {
    let now = &scene.picture.broken;
    if now.links.len() + now.switches.len() + now.endpoints.len() >= MOST {
        return Vec::new();
    }
    let change = |words, edit: &dyn Fn(&mut Broken)| {
        let mut after = now.clone();
        edit(&mut after);
        (words, after)
    };
    match spot {
        Spot::Link { bundle, .. } => {
            let bundle = scene.bundle(bundle);
            let one = bundle.links == 1;
            let fail = bundle.working.map(|link| {
                let words = if one { "Break this link" } else { "Break one of them" };
                change(words, &|after| after.links.push(link))
            });
            let mend = bundle.failed.map(|link| {
                let words = if one { "Mend this link" } else { "Mend one of them" };
                change(words, &|after| after.links.retain(|known| *known != link))
            });
            fail.into_iter().chain(mend).collect()
        }
        Spot::Node(node) => {
            let dot = scene.node(node);
            let words = match (dot.kind, dot.broken) {
                (Kind::Switch, false) => "Break this switch",
                (Kind::Switch, true) => "Mend this switch",
                (Kind::Endpoint, false) => "Take it out",
                (Kind::Endpoint, true) => "Put it back",
                (Kind::Block, _) => return Vec::new(),
            };
            let toggled = change(words, &|after| {
                let list = match dot.kind {
                    Kind::Switch => &mut after.switches,
                    _ => &mut after.endpoints,
                };
                match dot.broken {
                    true => list.retain(|id| *id != dot.id),
                    false => list.push(dot.id),
                }
            });
            vec![toggled]
        }
    }
}

/// Whether the experiment's faults can be changed here.
pub fn possible(store: Store) -> bool {
    let unlocked = store.page.with_value(|page| page.unlocked("faults"));
    let sound = store.problems.with(Vec::is_empty);
    unlocked && sound && store.study.with(edit::can_fail)
}

/// Makes these the faults of the experiment.
pub fn apply(store: Store, broken: &Broken) {
    let changed: Option<edit::Edited> = KEYS
        .iter()
        .find(|key| key.name == "faults")
        .map(|key| store.study.with_untracked(|study: &Study| edit::fail(study, key, broken)));
    match changed {
        Some(Ok(study)) => store.adopt(study),
        Some(Err(problems)) => store.refusals.set(problems),
        None => {}
    }
}
