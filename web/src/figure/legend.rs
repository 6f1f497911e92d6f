//! The legend: which curve is which, and switches to leave some out.

use dragontree::scenario::Plan;
use dragontree_plot::study::curve_name;
use leptos::prelude::*;

use super::{Drawing, Glyph};
use crate::live::{live, memo, on, when};
use crate::store::Store;

/// A piece of the line that marks a bound.
const DOTTED: &str = "<svg class=\"glyph\" viewBox=\"0 0 8 16\" width=\"8\" height=\"16\">\
                      <path d=\"M4 0V16\" class=\"dotted\"/></svg>";

/// The names of the curves.
#[component]
pub fn Legend() -> impl IntoView {
    let store = expect_context::<Store>();
    let names = memo(move || {
        let curves = |plan: &Plan| 0..plan.curves.len();
        let names = |plan: &Plan| curves(plan).map(|curve| curve_name(plan, curve)).collect();
        store.plan.with::<Vec<String>>(names)
    });
    let entry = |(curve, name)| view! { <Entry curve name /> }.into_any();
    view! {
        <ul class="legend" aria-label="Curves">
            {live(move || names.get().into_iter().enumerate().map(entry).collect::<Vec<_>>())}
            {when(move || has_bound(store), || view! {
                <li class="legend-note" title="The offered load at which the busiest channel is full, by analysis">
                    <Drawing drawing=DOTTED.to_owned() />
                    "bound: the busiest link is full, in theory"
                </li>
            }.into_any())}
        </ul>
    }
}

/// Whether some curve has a bound.
fn has_bound(store: Store) -> bool {
    let by_load = store.plan.with(|plan| plan.x.is_load());
    by_load
        && store.foresights.with(|known| known.iter().flatten().any(|curve| curve.bound.is_some()))
}

#[component]
fn Entry(curve: usize, name: String) -> impl IntoView {
    let store = expect_context::<Store>();
    let shown = move || !store.hidden.with(|hidden| hidden.contains(&curve));
    let toggle = move |_| {
        store.selected.set(None);
        store.hidden.update(|hidden| match hidden.iter().position(|each| *each == curve) {
            Some(place) => {
                hidden.remove(place);
            }
            None => hidden.push(curve),
        });
    };
    let alone = move || store.plan.with(|plan| plan.curves.len() < 2);
    view! {
        <li>
            <button
                type="button"
                class="legend-entry"
                disabled=live(alone)
                aria-pressed=live(move || shown().to_string())
                title=live(move || if alone() { "" } else { "Show or hide this curve" })
                on:click=on(toggle)
            >
                <Glyph curve=curve />
                <span>{name}</span>
            </button>
        </li>
    }
}
