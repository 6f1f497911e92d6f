//! The headline, what was simulated, and how far the run is.

use dragontree::catalog::Unit;
use dragontree::scenario::{
    Abscissa, Job, MetricKind, Metrics, Plan, Record, Scenario, most_telling,
};
use dragontree_plot::Format;
use dragontree_plot::study::{Finished, curve_name};
use leptos::prelude::*;

use crate::headline::{Curve, Point, Seen, sentence};
use crate::live::{follow, live, memo};
use crate::store::{Run, Store, Verdict};
use crate::words;

/// The sentence over the figure, and the line below it.
#[component]
pub fn Summary() -> impl IntoView {
    let store = expect_context::<Store>();
    let sentence = memo(move || sentence(&seen(store)));
    let detail = memo(move || detail(store));
    let shows = store.page.with_value(|page| page.shows("headline"));
    follow(move || {
        if !store.embedded() {
            document().set_title(&format!("{} · Dragontree", sentence.get()));
        }
    });
    view! {
        <div class="summary">
            {shows.then(|| view! {
                <h1>{live(move || sentence.get())}</h1>
                <p class="detail">{live(move || detail.get())} <Reproduced /></p>
            })}
            {bar(store.run, "Simulation")}
        </div>
    }
}

/// A line that fills while the study is simulated, or files are written.
pub fn bar(run: RwSignal<Run>, label: &'static str) -> impl IntoView {
    let active = memo(move || run.with(|run| run.active));
    let percent = move || run.with(|run| (run.share() * 1000.0).floor() / 10.0);
    view! {
        <div
            class="progress"
            class:active=live(move || active.get())
            role="progressbar"
            aria-label=label
            aria-valuemin="0"
            aria-valuemax="100"
            aria-valuenow=live(move || format!("{:.0}", percent()))
            aria-hidden=live(move || (!active.get()).to_string())
        >
            <div style:width=live(move || format!("{}%", percent()))></div>
        </div>
    }
}

/// Whether the results are those that the link spoke of.
#[component]
fn Reproduced() -> impl IntoView {
    let store = expect_context::<Store>();
    live(move || {
        store.verdict().map(|verdict| match verdict {
            Verdict::Reproduced => view! {
                <span class="verdict same" title="Bit for bit the results that the link was made with">
                    "Reproduced"
                </span>
            }
            .into_any(),
            Verdict::Differs(engine) => view! {
                <span class="verdict other" title="The digest of the results is not the one in the link">
                    {format!("Numbers differ from the link's (made with engine {engine})")}
                </span>
            }
            .into_any(),
        })
    })
}

/// What is known about each curve.
pub fn seen(store: Store) -> Seen {
    let plan = store.plan.get();
    let found = store.found.get();
    let foresights = store.foresights.get();
    let of_fabric = of_fabric(store);
    let format = format(&plan);
    let curve = |curve: usize| {
        let runs = plan.jobs.iter().zip(&found);
        let own = runs.filter(|(job, _)| job.curve as usize == curve);
        let finished: Vec<Finished<'_>> = own
            .filter_map(|(job, kept)| {
                Some(Finished {
                    curve: job.curve,
                    point: job.point,
                    record: &kept.as_ref()?.record,
                })
            })
            .collect();
        let any = finished.first().and_then(|run| run.record.metrics.as_ref());
        let foresight = foresights.get(curve).and_then(Option::as_ref);
        let known = foresight
            .map(|known| (known.bound, &known.busiest, &known.why))
            .or(any.map(|known| (known.bound, &known.busiest, &known.why)));
        let has_no_bound = known.is_some_and(|(bound, ..)| bound.is_none());
        let tightest = tightest(&finished).filter(|_| !plan.x.is_load());
        let known = tightest.map(|(run, _)| (run.bound, &run.busiest, &run.why)).or(known);
        let (bound, busiest, why) = known
            .map(|(bound, busiest, why)| (bound, busiest.clone(), why.clone()))
            .unwrap_or_default();
        let runs = || finished.iter().filter_map(|run| run.record.metrics.as_ref());
        let mut jobs = plan.jobs.iter().filter(|job| job.curve as usize == curve);
        Curve {
            name: subject(&plan, curve),
            managed: jobs.any(|job| job.scenario().management.load.as_ppm() > 0),
            points: points(&finished, of_fabric),
            bound,
            busiest,
            has_no_bound,
            why,
            place: tightest.map(|(_, place)| match place {
                Abscissa::Number(number) => format.text(*number),
                Abscissa::Word(word) => word.clone(),
            }),
            measured: runs().filter_map(|run| run.measured_busiest.clone()).next_back(),
            below: most_telling(runs()).and_then(|run| run.below_bound.clone()),
        }
    };
    Seen {
        curves: (0..plan.curves.len()).map(curve).collect(),
        by_load: plan.x.is_load() && of_fabric.is_none(),
        exchanges: plan.exchanges() && of_fabric.is_none(),
        format,
        fabric: of_fabric.map(MetricKind::label),
        axis: if plan.x.is_of_names() { String::new() } else { plan.x.label.clone() },
        complete: found.iter().all(Option::is_some),
        running: store.run.with(|run| run.active),
        // Nothing is asked about a plan without runs.
        refused: plan.jobs.is_empty() || store.refusals.with(|refusals| !refusals.is_empty()),
    }
}

/// How the places on the horizontal axis are written.
fn format(plan: &Plan) -> Format {
    match plan.x.unit {
        Some(Unit::Bytes) => Format::Bytes,
        Some(Unit::Time) => Format::Nanoseconds,
        _ => Format::Number,
    }
}

/// Of the runs whose bound has a reason, that with the lowest, and where it stands.
fn tightest<'a>(finished: &[Finished<'a>]) -> Option<(&'a Metrics, &'a Abscissa)> {
    let runs = finished.iter().filter_map(|run| Some((run.record.metrics.as_ref()?, run)));
    let limited = runs.filter(|(run, _)| run.why.is_some() && run.deadlock.is_none());
    let bound = |run: &Metrics| run.bound.unwrap_or(f64::INFINITY);
    let first = limited.min_by(|one, other| bound(one.0).total_cmp(&bound(other.0)));
    first.map(|(metrics, run)| (metrics, &run.record.x))
}

/// The first number of the fabrics that the study asks for, where it asks for nothing else.
fn of_fabric(store: Store) -> Option<MetricKind> {
    let simulates = store.plan.with(|plan| plan.jobs.iter().any(Job::simulates));
    let first = store.study.with(|study| study.y.first().map(|metric| metric.kind));
    first.filter(|_| !simulates)
}

/// The name of a curve in a sentence: a routing alone says that it is one.
fn subject(plan: &Plan, curve: usize) -> String {
    let name = curve_name(plan, curve);
    let first = plan.jobs.iter().find(|job| job.curve as usize == curve);
    match first.is_some_and(|job| job.scenario().routing.part().label() == name) {
        true => format!("{name} routing"),
        false => name,
    }
}

/// The points of a curve in ascending order, several seeds of one place pooled.
fn points(finished: &[Finished<'_>], of_fabric: Option<MetricKind>) -> Vec<Point> {
    let last = finished.iter().map(|run| run.point + 1).max().unwrap_or(0);
    let pooled = |place: u32| {
        let seeds: Vec<_> = finished.iter().filter(|run| run.point == place).collect();
        let first = seeds.first()?;
        let metrics: Vec<&Metrics> =
            seeds.iter().filter_map(|run| run.record.metrics.as_ref()).collect();
        let total: f64 = metrics.iter().map(|metrics| metrics.accepted).sum();
        let mean = |kind: MetricKind| {
            let sum: Option<f64> = seeds.iter().map(|run| kind.value(run.record)).sum();
            Some(sum? / seeds.len() as f64)
        };
        if let Some(exchange) = &first.record.exchange {
            let deadlock = exchange.deadlock.is_some();
            let known = mean(MetricKind::Completion);
            return Some(Point {
                x: x(first.record, place),
                value: if deadlock { f64::INFINITY } else { known? },
                deadlock,
                ideal: mean(MetricKind::Ideal),
                ..Point::default()
            });
        }
        Some(Point {
            x: x(first.record, place),
            value: match of_fabric {
                Some(kind) => kind.value(first.record)?,
                None => total / metrics.len().max(1) as f64,
            },
            saturated: metrics.iter().any(|metrics| metrics.saturated),
            open: metrics.iter().any(|metrics| !metrics.settled),
            deadlock: metrics.iter().any(|metrics| metrics.deadlock.is_some()),
            ideal: None,
        })
    };
    let mut points: Vec<Point> = Vec::new();
    for point in (0..last).filter_map(pooled) {
        let place = points.iter().position(|other| other.x > point.x);
        points.insert(place.unwrap_or(points.len()), point);
    }
    points
}

/// Where a run stands on the horizontal axis; a name by its place among all.
fn x(record: &Record, place: u32) -> f64 {
    match record.x {
        Abscissa::Number(number) => number,
        Abscissa::Word(_) => f64::from(place),
    }
}

/// What was simulated and how sure it is.
fn detail(store: Store) -> String {
    let plan = store.plan.get();
    let found = store.found.get();
    let Some(job) = plan.jobs.first() else {
        return String::new();
    };
    let endpoints = store.survey.get().map(|survey| survey.size.endpoints);
    let present = found.iter().flatten().count();
    if of_fabric(store).is_some() {
        let networks = words::grouped(found.len() as u64);
        return match present {
            all if all == found.len() => format!("{networks} networks built and measured."),
            some => format!("{some} of {networks} networks built and measured."),
        };
    }
    let mut text = setting(&plan, job.scenario(), endpoints);
    text.push_str(&match present {
        0 => format!(" {} to simulate.", points_in_words(found.len())),
        all if all == found.len() => format!(" {} simulated", points_in_words(all)),
        some => format!(" Simulated {some} of {}", points_in_words(found.len())),
    });
    match present {
        0 => {}
        _ if store.embedded() => text.push('.'),
        _ => text.push_str(&certainty(store)),
    }
    text
}

fn points_in_words(count: usize) -> String {
    let noun = if count == 1 { "point" } else { "points" };
    format!("{} {noun}", words::grouped(count as u64))
}

/// Network, traffic and placement, as far as all runs share them.
fn setting(plan: &Plan, scenario: &Scenario, endpoints: Option<u32>) -> String {
    let shared = |of: fn(&Scenario) -> &'static str| {
        plan.jobs.iter().all(|job| of(job.scenario()) == of(scenario)).then(|| of(scenario))
    };
    let one_network = plan.jobs.iter().all(|job| job.scenario().topology == scenario.topology);
    let size = endpoints
        .filter(|_| one_network)
        .map_or(String::new(), |count| format!(" with {} endpoints", words::grouped(count)));
    let network = shared(|each| each.topology.part().label()).unwrap_or("Several networks");
    let traffic = match plan.exchanges() {
        true => shared(|each| each.exchange.part().label()).unwrap_or("several exchanges"),
        false => shared(|each| each.traffic.part().label()).unwrap_or("several kinds of"),
    };
    let kind = if plan.exchanges() { "" } else { " traffic" };
    let placement = match shared(|each| each.placement.part().label()) {
        Some(label) => format!("{} placement", words::lowered(label)),
        None => "several placements".to_owned(),
    };
    format!("{network}{size}, {}{kind}, {placement}.", words::lowered(traffic))
}

/// The widest interval, and what did not settle.
fn certainty(store: Store) -> String {
    let found = store.found.get();
    let runs = found.iter().flatten().filter_map(|kept| kept.record.metrics.as_ref());
    let steady = runs.clone().filter(|metrics| metrics.settled && metrics.accepted > 0.0);
    let width = |metrics: &Metrics| Some(metrics.interval.accepted? / metrics.accepted);
    let widest = steady.filter_map(width).fold(0.0, f64::max);
    let mut text = match widest > 0.0 {
        true => format!(
            "; 95\u{a0}% intervals of the throughput within ±\u{a0}{}.",
            Format::Percent.text((widest * 1000.0).ceil() / 1000.0)
        ),
        false => ".".to_owned(),
    };
    let open = |run: &&Metrics| !run.settled && run.deadlock.is_none();
    let open = runs.clone().filter(open).count();
    if open > 0 {
        text.push_str(&format!(" {} ended before settling.", points_in_words(open)));
    }
    let least = runs.clone().filter_map(Metrics::offered_share).fold(1.0, f64::min);
    if least < 1.0 {
        let share = Format::Percent.text(least);
        text.push_str(&format!(" Endpoints offer at least {share} of the load on average."));
    }
    let own = |run: &&Metrics| run.management.as_ref().is_some_and(|own| own.saturated);
    let own = runs.clone().filter(own).count();
    if own > 0 {
        let points = points_in_words(own);
        text.push_str(&format!(" {points}: more traffic of the switches than is carried."));
    }
    let exchanges = found.iter().flatten().filter_map(|kept| kept.record.exchange.as_ref());
    let left = exchanges.clone().filter(|run| run.stuck).count();
    if left > 0 {
        text.push_str(&format!(" {} did not come to an end.", points_in_words(left)));
    }
    if runs.clone().any(|run| run.rounded) || exchanges.clone().any(|run| run.rounded) {
        text.push_str(" A packet's time on a link is rounded up to a whole picosecond.");
    }
    let short = runs.clone().filter_map(|metrics| metrics.short_buffer.as_ref());
    let short = short.chain(exchanges.filter_map(|metrics| metrics.short_buffer.as_ref()));
    if let Some(short) = short.max_by_key(|short| short.needed.saturating_sub(short.bytes)) {
        text.push_str(&format!(" Warning: {short}."));
    }
    text
}
