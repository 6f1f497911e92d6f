//! The markup for other pages, with a preview.

use dragontree::catalog::Tier;
use dragontree::scenario::KEYS;
use leptos::prelude::*;

use super::copy;
use super::snippet::{Choices, address, markup};
use crate::headline::sentence;
use crate::live::{live, on, when};
use crate::store::Store;
use crate::summary::seen;

/// Pieces of an embedded figure that can be left out, beside the controls.
const PIECES: [(&str, &str); 2] = [("headline", "Headline"), ("legend", "Legend")];
/// The control that stays unless the author says otherwise.
const USUAL: &str = "routing";

/// The section of the dialog.
#[component]
pub fn Embedding() -> impl IntoView {
    let store = expect_context::<Store>();
    let usual = basic().filter(|(name, _)| *name != USUAL).map(|(name, _)| name);
    let choices = RwSignal::new(Choices { hide: usual.collect(), ..Choices::default() });
    let place = move || choices.with(|choices| address(&store.link(), choices));
    let text = move || markup(&place(), &sentence(&seen(store)));
    let preview = RwSignal::new(false);
    view! {
        <section>
            <h3>"Embed in another page"</h3>
            <div class="choices">
                {PIECES.into_iter().chain(basic()).map(|(name, label)| view! { <Piece name label choices /> }).collect_view()}
                <label>
                    <input type="checkbox" on:change=on(move |event| {
                        let locked = event_target_checked(&event);
                        choices.update(|choices| choices.lock = locked);
                    }) />
                    "Locked"
                </label>
            </div>
            <div class="choices">
                <Menu label="Runs" options=&[("", "when asked"), ("auto", "at once"), ("never", "never")] choose=move |value| choices.update(|choices| choices.run = value) />
                <Menu label="Theme" options=&[("", "the reader's"), ("light", "light"), ("dark", "dark")] choose=move |value| choices.update(|choices| choices.theme = value) />
            </div>
            <div class="copyable">
                <textarea readonly rows="3" aria-label="Markup" prop:value=live(text)></textarea>
                <button type="button" class="quiet" on:click=on(move |_| copy(store, untrack(text), "Copied"))>"Copy"</button>
            </div>
            <button type="button" class="link" aria-expanded=live(move || preview.get().to_string()) on:click=on(move |_| preview.update(|shown| *shown = !*shown))>
                {live(move || if preview.get() { "Hide the preview" } else { "Preview" })}
            </button>
            {when(move || preview.get(), move || view! {
                <iframe class="preview" title="Preview of the embedded figure" src=live(place)></iframe>
            }.into_any())}
        </section>
    }
}

/// The basic keys of the notation with their labels.
fn basic() -> impl Iterator<Item = (&'static str, &'static str)> {
    let keys = KEYS.iter().filter(|key| key.tier == Tier::Basic);
    keys.map(|key| (key.name, key.label))
}

#[component]
fn Piece(name: &'static str, label: &'static str, choices: RwSignal<Choices>) -> impl IntoView {
    let shown = move || choices.with(|choices| !choices.hide.contains(&name));
    let change = move |event| {
        let show = event_target_checked(&event);
        choices.update(|choices| {
            choices.hide.retain(|hidden| *hidden != name);
            if !show {
                choices.hide.push(name);
            }
        });
    };
    view! { <label><input type="checkbox" prop:checked=live(shown) on:change=on(change) />{label}</label> }
}

#[component]
fn Menu(
    label: &'static str,
    options: &'static [(&'static str, &'static str)],
    choose: impl Fn(String) + 'static,
) -> impl IntoView {
    let options =
        options.iter().map(|(value, text)| view! { <option value=*value>{*text}</option> });
    view! {
        <label>
            {label} " "
            <select on:change=on(move |event| choose(event_target_value(&event)))>{options.collect_view()}</select>
        </label>
    }
}
