//! The choice of one part of a list.

use dragontree::catalog::PartDescription;
use dragontree::scenario::{Key, Scenario};
use leptos::prelude::*;

use crate::edit;
use crate::live::{live, memo, on};
use crate::store::Store;

/// Why a part cannot be chosen for the present network.
pub fn misfit(store: Store, key: &Key, part: &str) -> Option<String> {
    store.survey.with(|survey| {
        let misfits = &survey.as_ref()?.misfits;
        let own = misfits.iter().find(|each| each.key == key.name && each.part == part)?;
        Some(own.text.clone())
    })
}

/// The name of an entry's part.
pub fn chosen(store: Store, key: &'static Key, index: usize) -> Option<String> {
    let entries = store.study.with(|study| study.entries(None, key));
    entries.into_iter().nth(index)?.part
}

/// A menu of the parts of a key.
#[component]
pub fn PartSelect(
    /// The key.
    key: &'static Key,
    /// Which of its entries.
    index: usize,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let now = memo(move || chosen(store, key, index).unwrap_or_default());
    let parts = StoredValue::new(Scenario::parts(key.name));
    let help = move || store.explain(key.name, &now.get(), "");
    let choose = move |event| {
        let part = event_target_value(&event);
        let edited = store.study.with_untracked(|study| edit::choose(study, key, index, &part));
        match edited {
            Ok(study) => store.adopt(study),
            Err(problems) => store.refusals.set(problems),
        }
    };
    let options = parts.with_value(|parts| {
        parts
            .iter()
            .map(|part| view! { <Choice key part=part.clone() now /> }.into_any())
            .collect::<Vec<_>>()
    });
    view! {
        <select class="part" aria-label=key.label title=live(help) on:change=on(choose)>
            {options}
        </select>
    }
}

#[component]
fn Choice(key: &'static Key, part: PartDescription, now: Memo<String>) -> impl IntoView {
    let store = expect_context::<Store>();
    let PartDescription { name, label, .. } = part;
    let reason = memo(move || misfit(store, key, name));
    let is_chosen = move || now.get() == name;
    let text = move || match reason.get() {
        Some(reason) if !is_chosen() => format!("{label} (not here: {reason})"),
        _ => label.to_owned(),
    };
    view! {
        <option
            value=name
            prop:selected=live(is_chosen)
            disabled=live(move || reason.get().is_some() && !is_chosen())
        >
            {live(text)}
        </option>
    }
}
