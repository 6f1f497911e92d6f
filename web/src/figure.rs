//! The figure: one panel per metric, the legend, and the point that is read out.

use dragontree::scenario::Plan;
use dragontree_plot::Chart;
use dragontree_plot::study::{self, Finished, Forecast, Sampling};
use dragontree_worker::Foresight;
use leptos::prelude::*;

use crate::live::{follow, live, memo, on, when};
use crate::store::{Selected, Store};

mod glyph;
mod legend;
mod panel;
mod readout;
mod step;

pub use glyph::{Drawing, Glyph};
use legend::Legend;
use panel::Panel;

/// Looks at the finished runs and their places in the plan.
fn with_finished<R>(store: Store, look: impl FnOnce(&Plan, &[Finished<'_>]) -> R) -> R {
    let plan = store.plan.get_untracked();
    let found = store.found.get_untracked();
    let finished: Vec<Finished<'_>> = plan
        .jobs
        .iter()
        .zip(&found)
        .filter_map(|(job, kept)| {
            Some(Finished { curve: job.curve, point: job.point, record: &kept.as_ref()?.record })
        })
        .collect();
    look(&plan, &finished)
}

/// What a point of traffic was measured on, in words.
fn sampling(store: Store, Selected { curve, point }: Selected) -> Option<String> {
    let samplings = with_finished(store, study::samplings);
    samplings.get(curve)?.get(point)?.as_ref().map(Sampling::to_string)
}

/// The charts of the study as it stands, hidden curves left out.
pub fn charts(store: Store) -> Vec<Chart> {
    let study = store.study.get_untracked();
    let forecasts: Vec<Forecast> = store.foresights.with_untracked(|known| {
        let forecast = |(curve, foresight): (u32, &Option<Foresight>)| {
            let Foresight { bound, zero_load_ns, .. } = *foresight.as_ref()?;
            Some(Forecast { curve, bound, zero_load_ns })
        };
        (0..).zip(known).filter_map(forecast).collect()
    });
    let mut charts =
        with_finished(store, |plan, finished| study::charts(&study, plan, finished, &forecasts));
    let hidden = store.hidden.get_untracked();
    for chart in &mut charts {
        chart.series.retain(|series| !hidden.contains(&series.slot));
        chart.marks.retain(|mark| match mark {
            dragontree_plot::Mark::Vertical { slot, .. }
            | dragontree_plot::Mark::Horizontal { slot, .. }
            | dragontree_plot::Mark::Path { slot, .. } => {
                slot.is_none_or(|slot| !hidden.contains(&slot))
            }
        });
    }
    charts
}

/// The charts, drawn anew at most once per frame of the screen.
fn drawn(store: Store) -> Signal<Vec<Chart>> {
    let current = RwSignal::new(charts(store));
    let waiting = StoredValue::new(false);
    let started = StoredValue::new(false);
    follow(move || {
        store.study.track();
        store.found.track();
        store.foresights.track();
        store.hidden.track();
        // What stands there from the beginning is drawn already.
        if !started.get_value() || waiting.get_value() {
            started.set_value(true);
            return;
        }
        waiting.set_value(true);
        request_animation_frame(move || {
            waiting.set_value(false);
            current.set(charts(store));
        });
    });
    current.into()
}

/// The figure.
#[component]
pub fn Figure() -> impl IntoView {
    let store = expect_context::<Store>();
    let charts = drawn(store);
    let count = memo(move || charts.with(Vec::len));
    let front = RwSignal::new(0_usize);
    let spoken = RwSignal::new(String::new());
    let legend = store.page.with_value(|page| page.shows("legend"));
    let panels = move |count: usize| {
        let panel = |index| view! { <Panel charts index front spoken /> }.into_any();
        (0..count).map(panel).collect::<Vec<_>>()
    };
    view! {
        <section class="figure" aria-label="Results">
            {when(move || { count.get() > 1 }, move || view! { <Switch charts front /> }.into_any())}
            <div class="panels" class:single=live(move || count.get() == 1)>
                {live(move || panels(count.get()))}
            </div>
            {legend.then(|| view! { <Legend /> }.into_any())}
            <p class="visually-hidden" aria-live="polite">{live(move || spoken.get())}</p>
        </section>
    }
}

/// Chooses the panel in front where there is no room for all.
#[component]
fn Switch(charts: Signal<Vec<Chart>>, front: RwSignal<usize>) -> impl IntoView {
    let names = memo(move || {
        let name = |chart: &Chart| capitalized(&chart.y.label);
        charts.with(|charts| charts.iter().map(name).collect::<Vec<_>>())
    });
    let button = move |(index, name): (usize, String)| {
        view! {
            <button
                type="button"
                aria-pressed=live(move || (front.get() == index).to_string())
                on:click=on(move |_| front.set(index))
            >
                {name}
            </button>
        }
        .into_any()
    };
    let buttons = move || names.get().into_iter().enumerate().map(button).collect::<Vec<_>>();
    view! {
        <div class="switch" role="group" aria-label="Shown chart">
            {live(buttons)}
        </div>
    }
}

fn capitalized(label: &str) -> String {
    let mut label = label.to_owned();
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    label
}
