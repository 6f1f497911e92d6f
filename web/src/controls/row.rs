//! One setting: its name, its control, what it does, and what is wrong with it.

use dragontree::catalog::{Kind, Problem, Tier};
use dragontree::scenario::{Entry, Values};
use leptos::prelude::*;

use super::Row;
use super::number::{Number, Range};
use crate::edit;
use crate::live::{live, memo, on};
use crate::store::Store;

/// What a control needs to show and change its setting.
#[derive(Clone, Copy)]
pub struct Handle {
    /// The name of the setting.
    pub label: &'static str,
    /// The values it has now.
    pub values: Memo<Values>,
    /// What is wrong with the latest input.
    pub wrong: RwSignal<Option<Problem>>,
    store: Store,
    row: StoredValue<Row>,
}

impl Handle {
    fn new(store: Store, row: Row) -> Handle {
        let row = StoredValue::new(row);
        let values = memo(move || {
            row.with_value(|row| {
                let entries = store.study.with(|study| study.entries(None, row.key));
                let entry = entries.get(row.index);
                let given = entry.and_then(|entry| entry.get(row.setting.key)).cloned();
                given.or_else(|| follows(row, entry?)).unwrap_or(Values::one(&row.setting.value))
            })
        });
        Handle {
            label: row.with_value(|row| row.setting.label),
            values,
            wrong: RwSignal::new(None),
            store,
            row,
        }
    }

    /// Takes what was entered.
    pub fn set(self, text: &str) {
        if self.values.with_untracked(|values| values.to_string() == text.trim()) {
            self.wrong.set(None);
            return;
        }
        let edited = self.row.with_value(|row| {
            self.store
                .study
                .with_untracked(|study| edit::set(study, row.key, row.index, row.setting.key, text))
        });
        match edited {
            Ok(study) => {
                self.wrong.set(None);
                self.store.adopt(study);
            }
            Err(problems) => self.wrong.set(problems.into_iter().next()),
        }
    }
}

/// The value of a setting that is not given: a shorthand decides the others, and those decide what
/// a shorthand shows.
fn follows(row: &Row, entry: &Entry) -> Option<Values> {
    let settings = entry.describe(row.key.name);
    let own = settings.into_iter().find(|each| each.key == row.setting.key)?;
    Some(Values::one(own.value))
}

/// The row of a setting.
#[component]
pub fn SettingRow(row: Row) -> impl IntoView {
    let store = expect_context::<Store>();
    let setting = row.setting.clone();
    let (key, part, name) = (row.key, row.part.clone(), setting.key);
    let tier = key.tier;
    let handle = Handle::new(store, row);
    let explained = RwSignal::new(false);
    let help = memo(move || store.explain(key.name, part.as_deref().unwrap_or_default(), name));
    let own_field = setting.key.is_empty() && tier == Tier::Basic;
    let allowed = setting.kind.allowed();
    let ranged = memo(move || {
        handle
            .values
            .with(|values| matches!(values, Values::Points { .. } | Values::Automatic { .. }))
    });
    let kind = setting.kind.clone();
    let control = move || match (&kind, ranged.get()) {
        (Kind::Number { .. }, true) => view! { <Range handle /> }.into_any(),
        (Kind::Number { unit, low, high, word }, false) => {
            view! { <Number handle unit=*unit low=*low high=*high word=*word /> }.into_any()
        }
        (Kind::Choice(words), _) => view! { <Words handle words /> }.into_any(),
        (Kind::Numbers { .. } | Kind::Written { .. }, _) => {
            view! { <TextBox handle wide=true /> }.into_any()
        }
    };
    view! {
        <div class="row" class:ranged=live(move || ranged.get())>
            <button
                type="button"
                class="label"
                aria-expanded=live(move || explained.get().to_string())
                title=live(move || help.get())
                on:click=on(move |_| explained.update(|open| *open = !*open))
            >
                {live(move || match (own_field, ranged.get()) {
                    (true, true) => "From, to",
                    (true, false) => "Value",
                    (false, _) => setting.label,
                })}
            </button>
            {live(control)}
            <p class="help" hidden=live(move || !explained.get())>
                {live(move || help.get())} " Allowed: " {allowed} "; several with / between them."
            </p>
            <Correction handle />
        </div>
    }
}

/// What is wrong with the input, and a way out.
#[component]
fn Correction(handle: Handle) -> impl IntoView {
    live(move || {
        handle.wrong.get().map(|problem| {
            let fix = problem.nearest.clone().map(|nearest| {
                let shown = nearest.clone();
                view! {
                    <button type="button" class="link" on:click=on(move |_| handle.set(&nearest))>
                        "Use " <code>{shown}</code>
                    </button>
                }
            });
            view! { <p class="wrong" role="alert">{problem.allowed} ". " {fix}</p> }.into_any()
        })
    })
}

/// A box for text in the notation.
#[component]
pub fn TextBox(
    /// The setting.
    handle: Handle,
    /// Whether it takes the whole width beside the name.
    #[prop(optional)]
    wide: bool,
) -> impl IntoView {
    let text = move || handle.values.with(ToString::to_string);
    let varies = move || handle.values.with(|values| values.count() > 1);
    view! {
        <input
            type="text"
            class="box"
            class:wide=wide
            class:varied=live(varies)
            aria-label=handle.label
            aria-invalid=live(move || handle.wrong.with(Option::is_some).to_string())
            autocomplete="off"
            spellcheck="false"
            prop:value=live(text)
            on:change=on(move |event| handle.set(&event_target_value(&event)))
        />
    }
}

/// A menu of words; a box where several of them are alternatives.
#[component]
fn Words(handle: Handle, words: &'static [(&'static str, &'static str)]) -> impl IntoView {
    let several = memo(move || handle.values.with(|values| values.count() > 1));
    let menu = move || {
        let options = words.iter().map(|(word, label)| {
            let chosen = move || handle.values.with(|values| values.to_string() == *word);
            view! { <option value=*word prop:selected=live(chosen)>{*label}</option> }
        });
        view! {
            <select
                class="box wide"
                aria-label=handle.label
                on:change=on(move |event| handle.set(&event_target_value(&event)))
            >
                {options.collect_view()}
            </select>
        }
    };
    live(move || match several.get() {
        true => view! { <TextBox handle wide=true /> }.into_any(),
        false => menu().into_any(),
    })
}
