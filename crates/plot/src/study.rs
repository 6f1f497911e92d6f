//! From a study and its finished runs to charts.
//!
//! The axes follow from the plan and from what analysis says before the first run, so that
//! nothing moves while points arrive. Only what neither can know (a horizontal axis that follows
//! from the networks, a ratio, a count of switches) grows, by doubling.

use dragontree::scenario::{ExchangeMetrics, Metric, MetricKind, Plan, Record, Study};

use crate::{Chart, Format, Mark, Point, Series};

mod axes;
mod pool;
mod sampling;
mod words;

use axes::Horizontal;
use pool::Spot;

pub use sampling::{Sampling, samplings};

/// A finished run and its place in the plan.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// The curve that it belongs to.
    pub curve: u32,
    /// Its place on the curve.
    pub point: u32,
    /// Its results.
    pub record: &'a Record,
}

/// What analysis says about a curve, known before its first run has finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The curve.
    pub curve: u32,
    /// The offered load at which the busiest channel fills; not known of an adaptive routing, nor
    /// where finding it takes too long.
    pub bound: Option<f64>,
    /// Mean latency in an otherwise empty network, in nanoseconds, where it is known.
    pub zero_load_ns: Option<f64>,
}

impl Forecast {
    /// What analysis says about each curve, taken from its first finished run.
    pub fn of(finished: &[Finished<'_>]) -> Vec<Forecast> {
        let mut forecasts: Vec<Forecast> = Vec::new();
        for run in finished {
            let known = forecasts.iter().any(|forecast| forecast.curve == run.curve);
            if let Some(metrics) = run.record.metrics.as_ref().filter(|_| !known) {
                let (bound, zero_load_ns) = (metrics.bound, metrics.latency_ns.zero_load);
                forecasts.push(Forecast { curve: run.curve, bound, zero_load_ns });
            }
        }
        forecasts
    }
}

/// The charts of a study: those it asks for with `y=`, else throughput and mean latency.
///
/// Every curve of the plan is a series, in the same order, also before its first point.
pub fn charts(
    study: &Study,
    plan: &Plan,
    finished: &[Finished<'_>],
    forecasts: &[Forecast],
) -> Vec<Chart> {
    let view = View {
        plan,
        horizontal: Horizontal::new(study, plan, finished, forecasts),
        curves: pool::spots(plan, finished),
        forecasts,
    };
    let usual = match plan.exchanges() {
        true => [MetricKind::Completion, MetricKind::EffectiveThroughput],
        false => [MetricKind::Accepted, MetricKind::Latency],
    };
    let usual = usual.map(|kind| Metric { kind, over: None });
    let metrics = if study.y.is_empty() { &usual[..] } else { &study.y[..] };
    metrics.iter().map(|metric| view.chart(metric)).collect()
}

/// For each curve, the place in the plan of every point that [`charts`] shows, in its order.
pub fn order(plan: &Plan, finished: &[Finished<'_>]) -> Vec<Vec<u32>> {
    let curves = pool::spots(plan, finished);
    let points = |spots: Vec<Spot<'_>>| spots.into_iter().map(|spot| spot.point).collect();
    curves.into_iter().map(points).collect()
}

/// The name of a curve in the legend; a single curve without one is called by its routing,
/// or by its topology where nothing is simulated.
pub fn curve_name(plan: &Plan, curve: usize) -> String {
    let name = plan.curves.get(curve).map_or("", String::as_str);
    let first = plan.jobs.iter().find(|job| job.curve as usize == curve);
    match (name, first) {
        ("", Some(job)) if job.simulates() => job.scenario().routing.part().label().to_owned(),
        ("", Some(job)) => job.scenario().topology.part().label().to_owned(),
        _ => name.to_owned(),
    }
}

/// A time of a run as a metric shows it.
type Shown = fn(&ExchangeMetrics, f64) -> Option<f64>;

/// What all charts of a study share.
struct View<'a> {
    plan: &'a Plan,
    horizontal: Horizontal,
    curves: Vec<Vec<Spot<'a>>>,
    forecasts: &'a [Forecast],
}

impl View<'_> {
    fn chart(&self, metric: &Metric) -> Chart {
        let series = match &metric.over {
            Some(over) => self.ratios(metric.kind, over),
            None => self.values(metric.kind),
        };
        let mut marks = self.bounds();
        if metric.over.is_none() && axes::is_latency(metric.kind) {
            marks.extend(self.zero_loads());
        }
        marks.extend(self.models(metric));
        let points = series.iter().flat_map(|each| &each.points).map(|point| point.y);
        let highest = points
            .chain(marks.iter().map(Mark::height))
            .filter(|value| value.is_finite())
            .fold(0.0, f64::max);
        let label = words::vertical_label(self.plan, metric);
        let y = match metric.over {
            Some(_) => axes::ratio(&label, highest),
            None => axes::vertical(metric.kind, &label, self, highest),
        };
        Chart {
            title: words::title(&label, &self.horizontal.axis.label),
            description: words::description(&series, &self.horizontal.axis, &y),
            x: self.horizontal.axis.clone(),
            y,
            series,
            marks,
        }
    }

    fn values(&self, kind: MetricKind) -> Vec<Series> {
        self.series(|spot| spot.measured(kind))
    }

    /// Each value divided by that of the curve called `over` at the same place.
    fn ratios(&self, kind: MetricKind, over: &str) -> Vec<Series> {
        let reference = self.plan.find_curve(over);
        if reference.is_none() && over == Metric::IDEAL {
            return self.series(|spot| {
                pool::ratio(spot.measured(kind)?, spot.measured(MetricKind::Ideal)?)
            });
        }
        let divisors = reference.and_then(|curve| self.curves.get(curve));
        self.series(|spot| {
            let alone = self.plan.x.is_of_names();
            let same = |other: &&Spot<'_>| alone || self.place(other) == self.place(spot);
            let divisor = divisors.and_then(|spots| spots.iter().find(same))?;
            pool::ratio(spot.measured(kind)?, divisor.measured(kind)?)
        })
    }

    fn series(&self, measured: impl Fn(&Spot<'_>) -> Option<pool::Measured>) -> Vec<Series> {
        let point = |spot: &Spot<'_>| {
            let value = measured(spot).unwrap_or(pool::Measured::NOTHING);
            Point { x: self.place(spot), y: value.value, error: value.error, open: spot.open() }
        };
        self.curves
            .iter()
            .enumerate()
            .map(|(curve, spots)| Series {
                name: curve_name(self.plan, curve),
                slot: curve,
                points: spots.iter().map(point).collect(),
                ghost: false,
            })
            .collect()
    }

    fn place(&self, spot: &Spot<'_>) -> f64 {
        self.horizontal.position(spot.place())
    }

    /// The bounds of the curves where the horizontal axis is the load; equal ones share a mark.
    fn bounds(&self) -> Vec<Mark> {
        if !self.horizontal.by_load {
            return Vec::new();
        }
        let text = |bound: f64| format!("bound {}", Format::Percent.text(bound));
        let merged = merged(self.forecasts, |forecast| forecast.bound, text);
        let mark = |(x, label, slot)| Mark::Vertical { x, label, slot };
        merged.into_iter().map(mark).collect()
    }

    /// What is known beforehand of a metric of exchanges, where it follows from times: those without
    /// contention, the least ones that the busiest channels allow, and those of models.
    fn models(&self, metric: &Metric) -> Vec<Mark> {
        let shown: (Shown, Format) = match (metric.kind, metric.over.as_deref()) {
            (MetricKind::Completion, None) => (|_, time| Some(time), Format::Nanoseconds),
            (MetricKind::Completion, Some(over))
                if over == Metric::IDEAL && self.plan.find_curve(over).is_none() =>
            {
                (|run, time| Some(time / run.ideal_ns?), Format::Number)
            }
            (MetricKind::EffectiveThroughput, None) => (
                |run, time| Some(run.effective_throughput? * run.completion_ns? / time),
                Format::Percent,
            ),
            _ => return Vec::new(),
        };
        let mut marks = self.dashed("no contention", &|run| run.ideal_ns, shown);
        marks.extend(self.dashed("busiest channel never idle", &|run| run.bound_ns, shown));
        let mut formulas: Vec<&str> = Vec::new();
        for formula in self.curves.iter().flatten().filter_map(Spot::formula) {
            if !formulas.contains(&formula) {
                formulas.push(formula);
                let own = |run: &ExchangeMetrics| run.model.as_deref() == Some(formula);
                let time = |run: &ExchangeMetrics| run.model_ns.filter(|_| own(run));
                marks.extend(self.dashed(&format!("by {formula}"), &time, shown));
            }
        }
        marks
    }

    /// Times known beforehand, as a metric shows them; curves that have the same share a mark.
    fn dashed(
        &self,
        name: &str,
        time: &dyn Fn(&ExchangeMetrics) -> Option<f64>,
        (shown, format): (Shown, Format),
    ) -> Vec<Mark> {
        type Places = Vec<(f64, f64)>;
        let value = |run: &ExchangeMetrics| shown(run, time(run)?);
        let mut found: Vec<(Places, Option<usize>)> = Vec::new();
        for (slot, spots) in self.curves.iter().enumerate() {
            let known = |spot: &Spot<'_>| Some((self.place(spot), spot.time(&value)?));
            let points: Places = spots.iter().filter_map(known).collect();
            match found.iter_mut().find(|(known, _)| *known == points) {
                Some((_, shared)) => *shared = None,
                None if !points.is_empty() => found.push((points, Some(slot))),
                None => {}
            }
        }
        let mark = |(points, slot): (Places, Option<usize>)| match points[..] {
            [(_, y)] => {
                let label = format!("{name}: {}", format.text(y));
                Mark::Horizontal { y, label, slot }
            }
            _ => Mark::Path { points, label: name.to_owned(), slot },
        };
        found.into_iter().map(mark).collect()
    }

    fn zero_loads(&self) -> Vec<Mark> {
        if !self.horizontal.by_load {
            return Vec::new();
        }
        let text = |time: f64| format!("zero load {}", Format::Nanoseconds.text(time));
        let merged = merged(self.forecasts, |forecast| forecast.zero_load_ns, text);
        let mark = |(y, label, slot)| Mark::Horizontal { y, label, slot };
        merged.into_iter().map(mark).collect()
    }
}

/// One value for each text, where it is known; it has the curve's slot unless several curves share it.
fn merged(
    forecasts: &[Forecast],
    value: impl Fn(&Forecast) -> Option<f64>,
    text: impl Fn(f64) -> String,
) -> Vec<(f64, String, Option<usize>)> {
    let mut found: Vec<(f64, String, Option<usize>)> = Vec::new();
    for forecast in forecasts {
        let Some(value) = value(forecast) else { continue };
        let slot = forecast.curve as usize;
        let label = text(value);
        match found.iter_mut().find(|(_, known, _)| *known == label) {
            Some((_, _, other)) if *other != Some(slot) => *other = None,
            Some(_) => {}
            None if value.is_finite() => found.push((value, label, Some(slot))),
            None => {}
        }
    }
    found
}

#[cfg(test)]
mod tests;
