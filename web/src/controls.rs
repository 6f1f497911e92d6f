//! The form, generated from the catalog: whatever the catalog lists appears here by itself.

use dragontree::catalog::{Description, Tier};
use dragontree::scenario::{Entry, Job, KEYS, Key, Scenario, Values};
use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use crate::facts::Facts;
use crate::import::OpenFabric;
use crate::live::{live, memo, on, when};
use crate::store::Store;
use crate::trees::Trees;

mod chips;
mod number;
mod part;
mod row;
mod scale;

use chips::Chips;
use part::PartSelect;
use row::SettingRow;

/// The key whose alternatives are the curves of a figure.
const CURVES: &str = "routing";

/// The keys that say what is sent, at an offered load or in an exchange: of no use to a study that
/// only looks at fabrics, nor those of the other kind.
const SENT: [&str; 2] = ["traffic", "load"];
const EXCHANGED: &str = "bytes";

/// The key whose part none says that ranks send at an offered load.
const EXCHANGE: &str = "exchange";

/// The keys with a setting for each class of links, behind the one for all links.
const PER_CLASS: [&str; 2] = ["bandwidth", "latency"];

/// One setting of one entry of a key.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    key: &'static Key,
    index: usize,
    part: Option<String>,
    setting: Description,
}

impl Row {
    /// Tells rows apart, so that those that stay keep their state.
    fn id(&self) -> (&'static str, usize, Option<String>, &'static str) {
        (self.key.name, self.index, self.part.clone(), self.setting.key)
    }
}

/// The rows of one entry of a key.
fn rows(store: Store, key: &'static Key, index: usize, tier: Option<Tier>) -> Vec<Row> {
    let given = store.study.with(|study| study.entries(None, key)).into_iter().nth(index);
    let part = given.as_ref().and_then(|entry| entry.part.clone());
    let settings = match &part {
        Some(name) => {
            let parts = Scenario::parts(key.name);
            parts.into_iter().find(|part| part.name == name).map(|part| part.settings)
        }
        None => Some(Scenario::default().describe(key.name)),
    };
    let classes = PER_CLASS.contains(&key.name).then(|| link_classes(store));
    let has_class = |(place, setting): &(usize, Description)| {
        let is_there = |classes: u32| *place == 0 || classes >> (place - 1) & 1 == 1;
        let is_given = || given.as_ref().is_some_and(|entry| entry.get(setting.key).is_some());
        classes.is_none_or(is_there) || is_given()
    };
    settings
        .unwrap_or_default()
        .into_iter()
        .enumerate()
        .filter(has_class)
        .map(|(_, setting)| setting)
        .filter(|setting| tier.is_none_or(|tier| setting.tier == tier))
        .map(|setting| Row { key, index, part: part.clone(), setting })
        .collect()
}

/// The classes of links, a bit for each, that rows are shown for: those of the network, and all of
/// them while the study has several networks.
fn link_classes(store: Store) -> u32 {
    let is_one = |values: &Values| matches!(values, Values::List(texts) if texts.len() == 1);
    let is_same = store.study.with(|study| {
        let topologies = KEYS.iter().filter(|key| key.name == "topology");
        let mut entries = topologies.map(|key| study.entries(None, key));
        let is_single = |entries: Vec<Entry>| match &entries[..] {
            [entry] => entry.settings.iter().all(|(_, values)| is_one(values)),
            _ => false,
        };
        study.cases.is_empty() && entries.all(is_single)
    });
    match is_same {
        true => store.survey.with(|survey| survey.as_ref().map_or(0, |known| known.size.classes)),
        false => u32::MAX,
    }
}

/// How many entries a key has.
fn entry_count(store: Store, key: &'static Key) -> usize {
    store.study.with(|study| study.entries(None, key).len())
}

/// The whole form.
#[component]
pub fn Controls() -> impl IntoView {
    let basic = KEYS.iter().filter(|key| key.tier == Tier::Basic);
    let fields = basic.map(|key| {
        view! {
            <Field key />
            {(key.name == "topology").then(|| view! { <Facts /> <Trees /> <OpenFabric /> })}
        }
    });
    let store = expect_context::<Store>();
    view! {
        <form
            class="controls"
            aria-label="Experiment"
            on:submit=on(|event: SubmitEvent| event.prevent_default())
            on:pointerover=on(move |_| store.ask_what_fits())
            on:focusin=on(move |_| store.ask_what_fits())
        >
            {fields.collect_view()}
            <Cases />
            <More />
        </form>
    }
}

/// One key of the notation.
#[component]
pub fn Field(
    /// The key.
    key: &'static Key,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let (shown, unlocked) =
        store.page.with_value(|page| (page.shows(key.name), page.unlocked(key.name)));
    let has_parts = !Scenario::parts(key.name).is_empty();
    let several = memo(move || key.name == CURVES || entry_count(store, key) > 1);
    let body = move || match (has_parts, several.get()) {
        (false, _) => view! { <Rows key index=0 tier=None /> }.into_any(),
        (true, true) => view! { <Chips key /> }.into_any(),
        (true, false) => view! {
            <PartSelect key index=0 />
            <Rows key index=0 tier=Some(Tier::Basic) />
        }
        .into_any(),
    };
    let used = move || {
        let given = || store.study.with(|study| !study.common.entries(key.name).is_empty());
        store.plan.with(|plan| match key.name {
            EXCHANGED => plan.jobs.iter().any(takes_a_length) || given(),
            // A figure for others to turn a knob of keeps to its kind.
            EXCHANGE => !store.embedded() || plan.exchanges() || given(),
            sent if SENT.contains(&sent) => match plan.exchanges() {
                true => given(),
                false => plan.jobs.iter().any(Job::simulates),
            },
            _ => true,
        })
    };
    let note = move || several.get().then(|| view! { <small>" · one curve each"</small> });
    shown.then(|| {
        view! {
            <fieldset class=format!("field field-{}", key.name) disabled=!unlocked hidden=live(move || !used())>
                <legend>{key.label} {note}</legend>
                {body}
            </fieldset>
        }
    })
}

/// Whether messages of one length are exchanged.
fn takes_a_length(job: &Job) -> bool {
    let scenario = job.scenario();
    scenario.exchanges() && !scenario.exchange.has_own_lengths()
}

/// The settings of one entry.
#[component]
fn Rows(key: &'static Key, index: usize, tier: Option<Tier>) -> impl IntoView {
    let store = expect_context::<Store>();
    let rows = memo(move || rows(store, key, index, tier));
    view! {
        <For each=move || rows.get() key=Row::id let:row>
            <SettingRow row />
        </For>
    }
}

/// What the form cannot show: sections with settings of their own.
#[component]
fn Cases() -> impl IntoView {
    let store = expect_context::<Store>();
    let names = move || {
        let names = |case: &dragontree::scenario::Case| case.name.clone();
        store.study.with(|study| study.cases.iter().map(names).collect::<Vec<_>>())
    };
    live(move || {
        let names = names();
        (!names.is_empty()).then(|| {
            view! {
                <p class="cases">
                    {format!("What is set here holds for all cases ({}) unless they say otherwise in the text.", names.join(", "))}
                </p>
            }
            .into_any()
        })
    })
}

/// Everything else, folded away.
#[component]
fn More() -> impl IntoView {
    let store = expect_context::<Store>();
    let changed = memo(move || {
        let advanced = KEYS.iter().filter(|key| key.tier == Tier::Advanced);
        store
            .study
            .with(|study| advanced.filter(|key| !study.common.entries(key.name).is_empty()).count())
    });
    let of_parts = KEYS.iter().filter(|key| key.tier == Tier::Basic).map(|key| {
        let has = memo(move || {
            !Scenario::parts(key.name).is_empty()
                && key.name != CURVES
                && entry_count(store, key) == 1
                && !rows(store, key, 0, Some(Tier::Advanced)).is_empty()
        });
        view! {
            {when(move || has.get(), move || view! {
                <fieldset class="field" disabled=!store.page.with_value(|page| page.unlocked(key.name))>
                    <legend>{key.label}</legend>
                    <Rows key index=0 tier=Some(Tier::Advanced) />
                </fieldset>
            }.into_any())}
        }
    });
    let others = KEYS.iter().filter(|key| key.tier == Tier::Advanced).map(|key| {
        let locked = store.page.with_value(|page| !page.unlocked(key.name));
        view! { <fieldset class="bare" disabled=locked><Rows key index=0 tier=None /></fieldset> }
    });
    view! {
        <details class="more">
            <summary>
                "Links, switches, buffers, statistics"
                {live(move || (changed.get() > 0).then(|| format!(" · {} changed", changed.get())))}
            </summary>
            {of_parts.collect_view()}
            <div class="field" role="group" aria-label="Links, switches, buffers, statistics">
                {others.collect_view()}
            </div>
        </details>
    }
}
