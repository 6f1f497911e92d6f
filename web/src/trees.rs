//! The fat trees in a network, with what deviates from them.

use dragontree_worker::Tree;
use leptos::prelude::*;

use crate::live::live;
use crate::store::Store;
use crate::words::grouped;

/// What is known of the trees in a fabric from a file, and in a tree that is broken.
#[component]
pub fn Trees() -> impl IntoView {
    let store = expect_context::<Store>();
    live(move || {
        let trees = store.survey.with(|survey| survey.as_ref().map(|known| known.trees.clone()));
        let trees = trees.filter(|_| !store.knows_another());
        trees.unwrap_or_default().iter().map(shown).collect::<Vec<_>>()
    })
}

fn shown(tree: &Tree) -> AnyView {
    let Tree { from, switches, found, deviations, count: all } = tree;
    let part = from.as_ref().map(|from| {
        let noun = if *switches == 1 { "switch" } else { "switches" };
        format!("{} {noun} from {from}: ", grouped(*switches))
    });
    let part = part.unwrap_or_default();
    let (found, noun) = match (found, all) {
        (Err(reason), _) => {
            return view! { <p class="tree">{format!("{part}No fat tree: {reason}.")}</p> }
                .into_any();
        }
        (Ok(tree), 0) => {
            return view! { <p class="tree">{format!("{part}A fat tree, {tree}.")}</p> }.into_any();
        }
        (Ok(tree), 1) => (tree, "deviation"),
        (Ok(tree), _) => (tree, "deviations"),
    };
    let items: Vec<_> =
        deviations.iter().map(|text| view! { <li>{text.clone()}</li> }.into_any()).collect();
    let more = *all as usize - deviations.len();
    let rest =
        (more > 0).then(|| view! { <li>{format!("and {} more", grouped(more as u64))}</li> });
    view! {
        <details class="remarks tree">
            <summary>{format!("{part}A fat tree, {found}, with {} {noun}", grouped(*all))}</summary>
            <ul>{items}{rest}</ul>
        </details>
    }
    .into_any()
}
