//! Why the figure looks as it does.

use dragontree::scenario::{Abscissa, Record};
use dragontree_plot::Format;
use dragontree_plot::study::curve_name;
use leptos::prelude::*;

use crate::headline::{capped, causes};
use crate::live::{live, memo};
use crate::store::Store;
use crate::summary::seen;

/// The reasons, below the figure.
#[component]
pub fn Why() -> impl IntoView {
    let store = expect_context::<Store>();
    let cause = memo(move || {
        let seen = seen(store);
        let mut said = stuck(store);
        said.extend(if seen.exchanges { busiest(store) } else { causes(&seen) });
        said.extend(certificate(store));
        said.extend(no_bandwidth(store));
        // A fraction stays on one line.
        (!said.is_empty()).then(|| said.join("\n").replace(" / ", "\u{a0}/\u{a0}"))
    });
    live(move || {
        cause
            .get()
            .map(|cause| view! { <p class="why"><b>"Why?"</b> <span>{cause}</span></p> }.into_any())
    })
}

/// What is said of the first or the last run of each curve of which something is said, or where there are
/// words on the horizontal axis of the run at each; with a name where there are several.
fn of_each(store: Store, last: bool, say: fn(&Record) -> Option<String>) -> Vec<String> {
    let plan = store.plan.get();
    let found = store.found.get();
    let several = plan.curves.len() > 1;
    let mut said: Vec<(String, String)> = Vec::new();
    for (job, kept) in plan.jobs.iter().zip(&found) {
        let record = kept.as_ref().map(|kept| &kept.record);
        let Some((record, text)) = record.and_then(|record| Some((record, say(record)?))) else {
            continue;
        };
        let curve = if several { curve_name(&plan, job.curve as usize) } else { String::new() };
        let name = match &record.x {
            Abscissa::Word(word) if several => format!("{curve}, {word}"),
            Abscissa::Word(word) if plan.jobs.len() > 1 => word.clone(),
            _ => curve,
        };
        match said.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) if last => *known = text,
            Some(_) => {}
            None => said.push((name, text)),
        }
    }
    let line = |(name, text): (String, String)| match name.is_empty() {
        true => text,
        false => format!("{name}: {text}"),
    };
    capped(said.into_iter().map(line).collect())
}

/// What the busiest channel says about exchanges.
fn busiest(store: Store) -> Vec<String> {
    of_each(store, true, |record| {
        let exchange = record.exchange.as_ref()?;
        exchange.why.clone().filter(|_| exchange.deadlock.is_none())
    })
}

/// How good the last run's routes are, where they were made for its messages.
fn certificate(store: Store) -> Option<String> {
    let found = store.found.get();
    found.iter().rev().flatten().find_map(|kept| kept.record.certificate.clone())
}

/// Why bandwidths of a rank that the figure is asked for are not known.
fn no_bandwidth(store: Store) -> Option<String> {
    let kinds = store.study.with(|study| study.y.clone());
    let found = store.found.get();
    let why = found
        .iter()
        .flatten()
        .find_map(|kept| kinds.iter().find_map(|metric| metric.kind.why_unknown(&kept.record)));
    Some(format!("No bandwidth of a rank: {}.", why?))
}

/// The packets of each deadlock.
fn stuck(store: Store) -> Vec<String> {
    of_each(store, false, |Record { metrics, exchange, .. }| {
        let of_traffic = metrics.as_ref().map(|run| (&run.deadlock, run.deadlock_ns));
        let of_exchange = exchange.as_ref().map(|run| (&run.deadlock, run.deadlock_ns));
        let (circle, since) = of_traffic.or(of_exchange)?;
        let (circle, since) = (circle.as_ref()?.join("; "), Format::Nanoseconds.text(since?));
        Some(format!("Since {since} these wait for one another: {circle}."))
    })
}
