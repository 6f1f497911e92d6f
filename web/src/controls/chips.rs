//! Alternatives of a key as chips in the colors of their curves.

use dragontree::catalog::PartDescription;
use dragontree::scenario::{Detail, Entry, Key, Plan, Scenario, Values};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::Rows;
use super::part::{PartSelect, misfit};
use crate::edit;
use crate::live::{live, memo, on, when};
use crate::store::Store;

/// The alternatives of a key.
#[component]
pub fn Chips(
    /// The key.
    key: &'static Key,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let open = RwSignal::new(None::<usize>);
    let chips = memo(move || {
        let entries = store.study.with(|study| study.entries(None, key));
        let slots = store.plan.with(|plan| slots(plan, &entries));
        let chip = |(index, (entry, slot)): (usize, (&Entry, Option<usize>))| Chip {
            index,
            slot,
            label: label(key, entry),
            part: entry.part.clone().unwrap_or_default(),
        };
        entries.iter().zip(slots).enumerate().map(chip).collect::<Vec<_>>()
    });
    let alone = memo(move || chips.with(|chips| chips.len() == 1));
    let shown = move |chip| view! { <ChipView key chip open alone /> }.into_any();
    let settings = move |index| {
        view! {
            <div class="chip-settings">
                <PartSelect key index />
                <Rows key index tier=None />
            </div>
        }
        .into_any()
    };
    let opened = move || open.get().filter(|index| chips.with(|chips| *index < chips.len()));
    view! {
        <div class="chips">
            {live(move || chips.get().into_iter().map(shown).collect::<Vec<_>>())}
            <Add key />
        </div>
        {live(move || opened().map(settings))}
    }
}

/// One alternative.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Chip {
    index: usize,
    slot: Option<usize>,
    label: String,
    part: String,
}

#[component]
fn ChipView(
    key: &'static Key,
    chip: Chip,
    open: RwSignal<Option<usize>>,
    alone: Memo<bool>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let Chip { index, slot, label, part } = chip;
    let reason = memo(move || misfit(store, key, &part));
    let is_open = move || open.get() == Some(index);
    let toggle =
        move |_| open.update(|open| *open = if *open == Some(index) { None } else { Some(index) });
    let remove = move |_| {
        open.set(None);
        if let Ok(study) = store.study.with_untracked(|study| edit::remove(study, key, index)) {
            store.adopt(study);
        }
    };
    let class = slot.map_or_else(|| "chip".to_owned(), |slot| format!("chip s{}", slot % 6));
    let remove_label = format!("Remove {label}");
    view! {
        <span class=class class:misfit=live(move || reason.get().is_some()) title=live(move || reason.get())>
            <button
                type="button"
                aria-expanded=live(move || is_open().to_string())
                title="Settings of this curve"
                on:click=on(toggle)
            >
                <i aria-hidden="true"></i>
                {label}
            </button>
            <button
                type="button"
                class="remove"
                hidden=live(move || alone.get())
                aria-label=remove_label
                on:click=on(remove)
            >
                "×"
            </button>
        </span>
    }
}

/// The button that adds an alternative, with its menu.
#[component]
fn Add(key: &'static Key) -> impl IntoView {
    let open = RwSignal::new(false);
    let close = move |event: KeyboardEvent| {
        if event.key() == "Escape" && open.get_untracked() {
            event.prevent_default();
            open.set(false);
        }
    };
    let parts = StoredValue::new(Scenario::parts(key.name));
    let items = move || {
        parts.with_value(|parts| {
            parts
                .iter()
                .map(|part| view! { <Item key part=part.clone() open /> }.into_any())
                .collect::<Vec<_>>()
        })
    };
    view! {
        <div class="add" on:keydown=on(close)>
            <button
                type="button"
                class="add-button"
                aria-expanded=live(move || open.get().to_string())
                aria-label=format!("Add {}", crate::words::lowered(key.label))
                on:click=on(move |_| open.update(|open| *open = !*open))
            >
                "+ add"
            </button>
            {when(move || open.get(), move || view! { <ul class="menu">{items()}</ul> }.into_any())}
        </div>
    }
}

#[component]
fn Item(key: &'static Key, part: PartDescription, open: RwSignal<bool>) -> impl IntoView {
    let store = expect_context::<Store>();
    let PartDescription { name, label, .. } = part;
    let reason = memo(move || misfit(store, key, name));
    let add = move |_| {
        if reason.get_untracked().is_some() {
            return;
        }
        open.set(false);
        match store.study.with_untracked(|study| edit::add(study, key, name)) {
            Ok(study) => store.adopt(study),
            Err(problems) => store.refusals.set(problems),
        }
    };
    view! {
        <li>
            <button type="button" aria-disabled=live(move || reason.get().is_some().to_string()) on:click=on(add)>
                <b>{label}</b>
                <small>{live(move || store.explain(key.name, name, ""))}</small>
                {live(move || reason.get().map(|reason| view! { <small class="reason">"Not here: " {reason} "."</small> }.into_any()))}
            </button>
        </li>
    }
}

/// The name of a part with the settings that are not its defaults.
fn label(key: &Key, entry: &Entry) -> String {
    let text = entry.print(key.name, Detail::Least);
    let (name, settings) = text.split_once(',').unwrap_or((&text, ""));
    let parts = Scenario::parts(key.name);
    let label = parts.iter().find(|part| part.name == name).map_or(name, |part| part.label);
    match settings {
        "" => label.to_owned(),
        settings => format!("{label}, {}", settings.replace(',', ", ")),
    }
}

/// The color of each entry's (first) curve, where entries and curves go together.
fn slots(plan: &Plan, entries: &[Entry]) -> Vec<Option<usize>> {
    let widths = entries.iter().map(|entry| {
        let counts = entry.settings.iter().map(|(_, values)| values.count());
        counts.product::<usize>()
    });
    let starts: Vec<usize> = widths
        .scan(0, |next, width| {
            let start = *next;
            *next += width;
            Some(start)
        })
        .collect();
    let total: usize = entries
        .iter()
        .map(|entry| {
            entry.settings.iter().map(|(_, values)| Values::count(values)).product::<usize>()
        })
        .sum();
    let together = plan.curves.len() == total;
    starts.into_iter().map(|start| together.then_some(start)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragontree::scenario::{KEYS, Study};

    fn colors(text: &str) -> Vec<Option<usize>> {
        let study = Study::parse(text).unwrap();
        let routing = KEYS.iter().find(|key| key.name == "routing").unwrap();
        slots(&study.plan().unwrap(), &study.entries(None, routing))
    }

    #[test]
    fn chips_have_the_colors_of_their_curves() {
        assert_eq!(colors("routing=minimal"), [Some(0)]);
        assert_eq!(colors("routing=minimal routing=d_mod_k"), [Some(0), Some(1)]);
    }

    #[test]
    fn a_chip_that_has_several_curves_has_no_color() {
        assert_eq!(colors("routing=minimal packet=64B/256B"), [None]);
    }

    #[test]
    fn labels_come_from_the_catalog() {
        let routing = KEYS.iter().find(|key| key.name == "routing").unwrap();
        let entry = Entry::read("routing", "d_mod_k").unwrap();
        assert_eq!(label(routing, &entry), "D-mod-K");
    }
}
