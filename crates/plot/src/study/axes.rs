//! The axes of a study's charts, as far as possible from what is known before the first run.

use dragontree::catalog::Unit;
use dragontree::scenario::{Abscissa, MetricKind, Plan, Study, Values};

use super::{Finished, Forecast, View, words};
use crate::{Axis, Format, Scale, nice_ceiling};

/// The horizontal axis and how places turn into values on it.
pub(super) struct Horizontal {
    pub axis: Axis,
    /// Whether it is the offered load.
    pub by_load: bool,
    /// Where the axis has names: the places that they stand for.
    named: Vec<Abscissa>,
}

impl Horizontal {
    pub fn new(
        study: &Study,
        plan: &Plan,
        finished: &[Finished<'_>],
        forecasts: &[Forecast],
    ) -> Horizontal {
        let by_load = plan.x.is_load();
        let places = places(plan, finished);
        let number = |place: &Abscissa| match place {
            Abscissa::Number(number) => Some(*number),
            Abscissa::Word(_) => None,
        };
        let values: Option<Vec<f64>> = places.iter().map(number).collect();
        let (axis, named) = match values {
            Some(values) if by_load => (by_loads(study, &values, forecasts), Vec::new()),
            Some(values) => (by_numbers(plan, values), Vec::new()),
            None => (by_names(plan, &places), places),
        };
        Horizontal { axis, by_load, named }
    }

    /// Where a place stands.
    pub fn position(&self, place: &Abscissa) -> f64 {
        match place {
            Abscissa::Number(number) if self.named.is_empty() => *number,
            _ => {
                let found = self.named.iter().position(|known| known == place);
                found.map_or(f64::NAN, |index| index as f64)
            }
        }
    }
}

/// Every place on the horizontal axis, in the order of the plan; what the plan cannot know comes
/// from the finished runs.
fn places(plan: &Plan, finished: &[Finished<'_>]) -> Vec<Abscissa> {
    let planned = plan.jobs.iter().filter_map(|job| job.place());
    let measured = finished.iter().map(|run| run.record.x.clone());
    let mut places = Vec::new();
    for place in planned.chain(measured) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

fn by_names(plan: &Plan, places: &[Abscissa]) -> Axis {
    let format = format(plan);
    let name = |place: &Abscissa| match place {
        Abscissa::Number(number) => format.text(*number),
        Abscissa::Word(word) => word.clone(),
    };
    Axis::named(&words::horizontal_label(plan), places.iter().map(name).collect())
}

fn format(plan: &Plan) -> Format {
    match plan.x.unit {
        Some(Unit::Time) => Format::Nanoseconds,
        Some(Unit::Bytes) => Format::Bytes,
        Some(Unit::Load) => Format::Percent,
        _ => Format::Number,
    }
}

fn by_loads(study: &Study, planned: &[f64], forecasts: &[Forecast]) -> Axis {
    let sections = study.cases.iter().map(|case| &case.section);
    let automatic = sections.chain([&study.common]).any(|section| {
        let entries = section.entries("load").iter();
        entries
            .flat_map(|entry| entry.get(""))
            .any(|values| matches!(values, Values::Automatic { .. }))
    });
    // Automatic loads end at one and a half times the bound, or where that is not known at full load.
    let reach = forecasts.iter().map(|forecast| forecast.bound.map_or(1.0, |bound| 1.5 * bound));
    let reach = if automatic { reach.fold(0.0, f64::max).min(1.0) } else { 0.0 };
    let highest = planned.iter().copied().fold(reach, f64::max);
    // A load alone would stand on the edge, and what it measures, a little more or less, beyond it.
    let alone = planned.len() == 1 && !automatic;
    let highest = if alone { (1.5 * highest).min(1.0) } else { highest };
    Axis::percent_to("offered load", highest)
}

fn by_numbers(plan: &Plan, mut values: Vec<f64>) -> Axis {
    let label = words::horizontal_label(plan);
    let format = format(plan);
    crate::sorting::sort(&mut values, f64::total_cmp);
    values.dedup();
    match values[..] {
        [low, second, .., before, high] if low > 0.0 && high - before > 3.0 * (second - low) => {
            Axis::log(&label, (low, high), format)
        }
        [low, second, high] if low > 0.0 && high - second > 1.5 * (second - low) => {
            Axis::log(&label, (low, high), format)
        }
        // A number alone would stand on the edge; of those that only runs tell, more may come.
        [only] if only > 0.0 && plan.jobs.iter().all(|job| job.place().is_some()) => {
            Axis::linear(&label, (0.0, nice_ceiling(1.5 * only)), format)
        }
        _ => {
            let high = nice_ceiling(values.last().copied().unwrap_or(1.0));
            Axis::linear(&label, (0.0, high), format)
        }
    }
}

/// Whether saturation makes the metric unbounded.
pub(super) fn is_latency(kind: MetricKind) -> bool {
    use MetricKind::{Latency, LatencyMax, LatencyMedian, LatencyP99};
    matches!(kind, Latency | LatencyMedian | LatencyP99 | LatencyMax)
}

/// The vertical axis of a metric; `highest` counts only where nothing is known beforehand.
pub(super) fn vertical(kind: MetricKind, label: &str, view: &View<'_>, highest: f64) -> Axis {
    match kind {
        MetricKind::Accepted | MetricKind::WorstSource => {
            let offered = match view.horizontal.by_load {
                true => view.horizontal.axis.range.1,
                false => 1.0,
            };
            Axis::percent_to(label, offered)
        }
        MetricKind::Fairness => Axis::linear(label, (0.0, 1.0), Format::Number),
        MetricKind::Utilization => Axis::percent(label),
        MetricKind::Management => Axis::percent_to(label, doubled(0.01, highest)),
        MetricKind::Bound => {
            let bounds = view.forecasts.iter().filter_map(|forecast| forecast.bound);
            let bounds = bounds.filter(|bound| bound.is_finite());
            Axis::percent_to(label, bounds.fold(highest, f64::max))
        }
        MetricKind::EffectiveThroughput => Axis::percent_to(label, doubled(0.01, highest).min(1.0)),
        _ if is_time(kind) => time(kind, label, view, highest),
        _ if is_latency(kind) => latency(kind, label, view),
        _ => Axis::linear(label, (0.0, doubled(8.0, highest)), Format::Number),
    }
}

/// Whether it is a time of an exchange or of its messages.
fn is_time(kind: MetricKind) -> bool {
    use MetricKind::{Completion, Ideal, MessageLatency, MessageLatencyMax, MessageLatencyMin};
    matches!(kind, Completion | Ideal | MessageLatency | MessageLatencyMax | MessageLatencyMin)
}

/// An axis of times of which nothing is known beforehand; by ratios where the horizontal axis is.
fn time(kind: MetricKind, label: &str, view: &View<'_>, highest: f64) -> Axis {
    let spots = view.curves.iter().flatten();
    let modelled = |spot: &super::Spot<'_>| spot.time(&|run| run.model_ns);
    let times = spots.flat_map(|spot| {
        let measured = spot.measured(kind).map(|measured| measured.value);
        [measured, spot.time(&|run| run.ideal_ns), spot.time(&|run| run.bound_ns), modelled(spot)]
    });
    let times: Vec<f64> = times.flatten().collect();
    if times.is_empty() {
        // Numbers would only mislead.
        return Axis { range: (0.0, 1.0), ..Axis::named(label, vec![String::new()]) };
    }
    let lowest = times.into_iter().fold(highest, f64::min);
    let high = nice_ceiling(highest.max(1.0));
    match view.horizontal.axis.scale {
        // At most as much as the lowest, since round numbers are at most this far apart.
        Scale::Log if lowest > 0.0 => {
            Axis::log(label, (nice_ceiling(0.4 * lowest), high), Format::Nanoseconds)
        }
        _ => Axis::linear(label, (0.0, high), Format::Nanoseconds),
    }
}

fn latency(kind: MetricKind, label: &str, view: &View<'_>) -> Axis {
    let forecast = view.forecasts.iter().map(|forecast| forecast.zero_load_ns);
    let measured = view.curves.iter().flatten();
    let measured = measured.map(super::Spot::least_latency_ns);
    let zero_load = forecast.chain(measured).flatten().fold(0.0, f64::max);
    // The tail of the distribution lies so much further out.
    let tail = match kind {
        MetricKind::LatencyP99 => 2.0,
        MetricKind::LatencyMax => 4.0,
        _ => 1.0,
    };
    match zero_load {
        0.0 => Axis::latency(label, UNKNOWN_LATENCY),
        _ => Axis::latency(label, tail * zero_load),
    }
}

/// A zero-load latency in nanoseconds, until one is known.
const UNKNOWN_LATENCY: f64 = 500.0;

/// The axis of a value relative to another.
pub(super) fn ratio(label: &str, highest: f64) -> Axis {
    Axis::linear(label, (0.0, doubled(2.0, highest)), Format::Number)
}

fn doubled(least: f64, highest: f64) -> f64 {
    let steps = std::iter::successors(Some(least), |step| Some(step * 2.0));
    steps.take(64).find(|step| *step >= highest).unwrap_or(highest)
}
