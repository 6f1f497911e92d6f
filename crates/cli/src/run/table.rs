//! Results as tables for people.

use dragontree::exchange::Exchange;
use dragontree::scenario::{
    Detail, ExchangeMetrics, Metric, MetricKind, Metrics, Plan, Record, Study,
};
use dragontree::units::grouped;
use dragontree_plot::study::{self, Finished, Sampling, curve_name};
use dragontree_plot::{Chart, Format, Open, Point};

use super::{Results, provenance, reasons};
use crate::columns::aligned;

/// One table for each curve, its bound, and how to get the same results again.
pub fn tables(results: &Results<'_>) -> String {
    let tables = Tables::new(results);
    let mut text = format!("{}\n", results.study.text(Detail::Basic));
    for curve in 0..results.plan.curves.len() {
        text.push_str(&format!("\n{}\n", curve_name(results.plan, curve)));
        text.push_str(&tables.table(curve));
        text.push_str(&tables.samples(curve));
        text.push_str(&tables.notes(curve));
    }
    let again = provenance(results);
    let files = results.paths.iter().map(|path| format!(" --file \"{}\"", path.display()));
    let files: String = files.collect();
    text.push_str(&format!("\nagain: dragontree run \"{again}\"{files}\n"));
    text
}

/// Charts of everything that the tables show: they hold the pooled values.
struct Tables<'a> {
    plan: &'a Plan,
    finished: Vec<Finished<'a>>,
    order: Vec<Vec<u32>>,
    samplings: Vec<Vec<Option<Sampling>>>,
    charts: Vec<Chart>,
    /// What they show.
    kinds: Vec<MetricKind>,
    by_load: bool,
    /// Whether the only place of each curve is its name.
    is_named: bool,
}

impl<'a> Tables<'a> {
    fn new(results: &'a Results<'a>) -> Tables<'a> {
        let by_load = results.plan.x.is_load();
        let (finished, forecasts) = (results.finished(), results.forecasts());
        let shown = Study { y: metrics(results.study, results.plan), ..results.study.clone() };
        Tables {
            plan: results.plan,
            charts: study::charts(&shown, results.plan, &finished, &forecasts),
            kinds: shown.y.iter().map(|metric| metric.kind).collect(),
            order: study::order(results.plan, &finished),
            samplings: study::samplings(results.plan, &finished),
            finished,
            by_load,
            is_named: results.plan.x.is_of_names(),
        }
    }

    /// The runs of a point.
    fn runs(&self, curve: usize, row: usize) -> impl Iterator<Item = &Finished<'a>> + Clone {
        let points = self.order.get(curve);
        let point = points.and_then(|points| points.get(row)).copied();
        let here =
            move |run: &&Finished<'a>| run.curve as usize == curve && Some(run.point) == point;
        self.finished.iter().filter(here)
    }

    fn table(&self, curve: usize) -> String {
        let Some(first) = self.charts.first() else {
            return String::new();
        };
        let labels = self.charts.iter().map(|chart| chart.y.label.clone());
        let mut rows = vec![self.row(first.x.label.clone(), labels.chain([String::new()]))];
        for (row, point) in first.series[curve].points.iter().enumerate() {
            let values = self.charts.iter().map(|chart| {
                let value = chart.series[curve].points.get(row);
                value.map_or_else(String::new, |value| cell(value, chart.y.format))
            });
            let state = self.state(curve, row).to_owned();
            rows.push(self.row(first.x.text(point.x), values.chain([state])));
        }
        aligned(&rows)
    }

    /// What the points of traffic were measured on, and how evenly their sources were served.
    fn samples(&self, curve: usize) -> String {
        let Some(first) = self.charts.first() else { return String::new() };
        let rows = first.series[curve].points.iter().zip(&self.samplings[curve]);
        let cells = rows.filter_map(|(point, sampling)| {
            let Sampling { packets, warmup_ns, window_ns, fairness, worst_source } = (*sampling)?;
            let fairness = fairness.map_or("–".to_owned(), |index| format!("{index:.3}"));
            Some(self.row(
                first.x.text(point.x),
                [
                    Format::Nanoseconds.text(warmup_ns),
                    Format::Nanoseconds.text(window_ns),
                    grouped(packets),
                    fairness,
                    Format::Percent.text(worst_source),
                ],
            ))
        });
        let header = ["warm-up", "window", "packets", "fairness", "worst source"];
        let header = self.row(first.x.label.clone(), header.map(str::to_owned));
        let rows: Vec<Vec<String>> = std::iter::once(header).chain(cells).collect();
        if rows.len() > 1 { aligned(&rows) } else { String::new() }
    }

    /// A row of cells, after the place on the horizontal axis where there is one.
    fn row(&self, place: String, cells: impl IntoIterator<Item = String>) -> Vec<String> {
        (!self.is_named).then_some(place).into_iter().chain(cells).collect()
    }

    fn state(&self, curve: usize, row: usize) -> &'static str {
        let records = self.runs(curve, row).map(|run| run.record);
        let any = |finding: fn(&Metrics) -> bool| {
            records.clone().filter_map(|run| run.metrics.as_ref()).any(finding)
        };
        let own = |run: &Metrics| run.management.as_ref().is_some_and(|own| own.saturated);
        match Open::of(records.clone()) {
            None | Some(Open::NotSettled) if any(own) => "the switches' own traffic saturated",
            None | Some(Open::NotSettled) if any(|run| run.packets == 0 && run.offered > 0.0) => {
                "nothing arrived"
            }
            open => open.map_or("", Open::words),
        }
    }

    /// The places of a curve on the horizontal axis, with what is to be said of their runs.
    fn places(
        &self,
        curve: usize,
        say: impl Fn(&[&Record]) -> Option<String>,
    ) -> Vec<(String, Option<String>)> {
        let Some(first) = self.charts.first() else { return Vec::new() };
        let place = |(row, point): (usize, &Point)| {
            let records: Vec<&Record> = self.runs(curve, row).map(|run| run.record).collect();
            (first.x.text(point.x), say(&records))
        };
        first.series[curve].points.iter().enumerate().map(place).collect()
    }

    /// Why curves over something else than the load end where they do.
    fn reasons(&self, curve: usize) -> String {
        let say = |records: &[&Record]| {
            reasons::of_place(records.iter().filter_map(|record| record.metrics.as_ref()))
        };
        reasons::by_place("why", &self.places(curve, say))
    }

    /// Which buffers are too short, and where on the horizontal axis.
    fn short_buffers(&self, curve: usize) -> String {
        let short = |record: &&Record| match (&record.metrics, &record.exchange) {
            (Some(run), _) => run.short_buffer.as_ref().map(ToString::to_string),
            (_, Some(run)) => run.short_buffer.as_ref().map(ToString::to_string),
            _ => None,
        };
        let say = |records: &[&Record]| records.iter().find_map(short);
        reasons::by_place("warning", &self.places(curve, say))
    }

    /// How much less than the load endpoints offer on average, and where on the horizontal axis.
    fn offered(&self, curve: usize) -> String {
        let less = |record: &&Record| record.metrics.as_ref()?.offered_share();
        let say = |records: &[&Record]| {
            let share = Format::Percent.text(records.iter().find_map(less)?);
            Some(format!(
                "averaged over all endpoints, as accepted is, {share} of the load is offered: some \
                 send less, or nothing"
            ))
        };
        reasons::by_place("note", &self.places(curve, say))
    }

    /// The bound with its channel, and the first deadlock.
    fn notes(&self, curve: usize) -> String {
        let mut runs = self.finished.iter().filter(|run| run.curve as usize == curve);
        let certificate = runs.find_map(|run| run.record.certificate.as_ref());
        let certificate = certificate.map(|known| format!("  routes: {known}\n"));
        certificate.unwrap_or_default() + &self.measured_notes(curve)
    }

    fn measured_notes(&self, curve: usize) -> String {
        let runs = self.finished.iter();
        let runs = runs.filter(|run| run.curve as usize == curve);
        let runs = runs.filter_map(|run| run.record.metrics.as_ref());
        let Some(metrics) = runs.clone().next() else {
            return self.exchange_notes(curve);
        };
        let mut text = String::new();
        text.push_str(&match self.by_load {
            true => reasons::of_curve(metrics, self.follows_load(curve), runs.clone()),
            false => self.reasons(curve),
        });
        text.push_str(&self.offered(curve));
        if metrics.rounded {
            text.push_str("  a packet's time on a link is rounded up to a whole picosecond\n");
        }
        text.push_str(&self.short_buffers(curve));
        text + &self.deadlocks(runs)
    }

    fn follows_load(&self, curve: usize) -> bool {
        let mut jobs = self.plan.jobs.iter().filter(|job| job.curve as usize == curve);
        jobs.any(|job| job.scenario().routing.role().follows_load())
    }

    /// The first deadlock, and when those at other loads began.
    fn deadlocks<'m>(&self, runs: impl Iterator<Item = &'m Metrics>) -> String {
        let mut text = String::new();
        let mut last = None;
        for run in runs {
            let (Some(cycle), Some(since)) = (&run.deadlock, run.deadlock_ns) else { continue };
            if last.is_some_and(|last| !self.by_load || last == run.offered) {
                continue;
            }
            let at = match self.by_load && !self.is_named {
                true => format!(" at {}", Format::Percent.text(run.offered)),
                false => String::new(),
            };
            let told =
                if last.is_none() { format!(": {}", cycle.join("; ")) } else { String::new() };
            let since = Format::Nanoseconds.text(since);
            text.push_str(&format!("  deadlock since {since}{at}{told}\n"));
            last = Some(run.offered);
        }
        text
    }
}

impl Tables<'_> {
    /// How fast an exchange could be, and the first deadlock.
    fn exchange_notes(&self, curve: usize) -> String {
        let runs = self.finished.iter().filter(|run| run.curve as usize == curve);
        let mut runs = runs.filter_map(|run| run.record.exchange.as_ref());
        let Some(first) = runs.clone().next() else { return String::new() };
        let mut text = self.times_of_first_row(curve);
        if let Some(why) = self.why_no_bandwidth(curve) {
            text.push_str(&format!("  no bandwidth of a rank: {why}\n"));
        }
        if first.rounded {
            text.push_str("  a packet's time on a link is rounded up to a whole picosecond\n");
        }
        text.push_str(&self.short_buffers(curve));
        if let Some(run) = runs.clone().find(|run| run.stuck) {
            let ExchangeMetrics { messages, of_messages, .. } = &**run;
            text.push_str(&format!(
                "  incomplete: {messages} of {of_messages} messages arrived, and what the others \
                 wait for does not happen\n"
            ));
        }
        if let Some((cycle, since)) =
            runs.find_map(|run| Some((run.deadlock.as_ref()?, run.deadlock_ns?)))
        {
            let since = Format::Nanoseconds.text(since);
            text.push_str(&format!("  deadlock since {since}: {}\n", cycle.join("; ")));
        }
        text
    }
}

impl Tables<'_> {
    /// Why bandwidths of a rank that are asked for are not known.
    fn why_no_bandwidth(&self, curve: usize) -> Option<&'static str> {
        let mut runs = self.finished.iter().filter(|run| run.curve as usize == curve);
        runs.find_map(|run| self.kinds.iter().find_map(|kind| kind.why_unknown(run.record)))
    }

    /// How fast the exchange of the first row could be, as the mean over its seeds where these differ.
    fn times_of_first_row(&self, curve: usize) -> String {
        let runs = self.runs(curve, 0).filter_map(|run| run.record.exchange.as_deref());
        let runs: Vec<&ExchangeMetrics> = runs.collect();
        let mut text = String::new();
        if let Some((ideal, row)) = pooled(&runs, |run| run.ideal_ns) {
            text.push_str(&format!(
                "  ideal {ideal}: if no message waited for another's ({row})\n"
            ));
        }
        let formula = runs.first().and_then(|run| run.model.as_deref());
        if let (Some((time, row)), Some(formula)) = (pooled(&runs, |run| run.model_ns), formula) {
            let document = if formula.starts_with("Eq.") { "Prisacari 2020, " } else { "" };
            text.push_str(&format!("  modelled {time}: {document}{formula} ({row})\n"));
        }
        if let Some((bound, row)) = pooled(&runs, |run| run.bound_ns) {
            let busiest = runs.first().and_then(|run| run.busiest.as_deref());
            let same = runs.iter().all(|run| run.busiest.as_deref() == busiest);
            let busiest = busiest.filter(|_| same).unwrap_or("the busiest channel");
            let takes = format!("what {busiest} takes for all messages over it");
            text.push_str(&format!("  at least {bound}: {takes} ({row})\n"));
            let why = runs.first().and_then(|run| run.why.as_ref()).filter(|_| same);
            let of = if runs.len() == 1 { "" } else { ", of the first run" };
            text.extend(why.map(|why| format!("  why{of}: {why}\n")));
        }
        text
    }
}

/// The mean of a time, and of which runs of the first row it is.
fn pooled(
    runs: &[&ExchangeMetrics],
    time: fn(&ExchangeMetrics) -> Option<f64>,
) -> Option<(String, String)> {
    let times: Vec<f64> = runs.iter().copied().map(time).collect::<Option<_>>()?;
    let first = times.first()?;
    let row = match times.iter().all(|time| time == first) {
        true => "first row".to_owned(),
        false => format!("first row, mean of {} seeds", times.len()),
    };
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    Some((Format::Nanoseconds.text(mean), row))
}

/// What the text asks for, else throughput and latency; the bound where it varies along a curve.
fn metrics(study: &Study, plan: &Plan) -> Vec<Metric> {
    use MetricKind::{
        Accepted, Bound, Completion, EffectiveThroughput, Latency, LatencyP99, Management,
        MessageLatency, MessageLatencyMax, MessageLatencyMin, RankBandwidth, RankBandwidthMax,
        RankBandwidthMin,
    };
    if !study.y.is_empty() {
        return study.y.clone();
    }
    let all = |is: fn(&Exchange) -> bool| plan.jobs.iter().all(|job| is(&job.scenario().exchange));
    let mut kinds = match plan.exchanges() {
        true if all(|exchange| matches!(exchange, Exchange::PingPong(_))) => {
            vec![
                MessageLatencyMin,
                MessageLatency,
                MessageLatencyMax,
                RankBandwidthMin,
                RankBandwidth,
                RankBandwidthMax,
            ]
        }
        true if all(|exchange| matches!(exchange, Exchange::Ring(_))) => {
            vec![Completion, RankBandwidthMin, RankBandwidth, RankBandwidthMax]
        }
        true => vec![Completion, EffectiveThroughput, MessageLatency],
        false => vec![Accepted, Latency, LatencyP99],
    };
    if !plan.x.is_load() && !plan.exchanges() {
        kinds.push(Bound);
    }
    if plan.jobs.iter().any(|job| job.scenario().management.load.as_ppm() > 0) {
        kinds.push(Management);
    }
    let plain = |kind| Metric { kind, over: None };
    kinds.into_iter().map(plain).collect()
}

fn cell(point: &Point, format: Format) -> String {
    if point.y.is_nan() {
        return "–".to_owned();
    }
    if point.y.is_infinite() {
        return "unbounded".to_owned();
    }
    let value = format.text(point.y);
    // Less is only the rounding of sums.
    match point.error > 1e-9 * point.y.abs() {
        true => format!("{value} ± {}", format.text(point.error)),
        false => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_differ_by_the_seed_are_pooled() {
        let run = |bound| ExchangeMetrics { bound_ns: bound, ..ExchangeMetrics::default() };
        let runs = [run(Some(256.0)), run(Some(512.0))];
        let text = |runs: &[&ExchangeMetrics]| pooled(runs, |run| run.bound_ns);
        let both = Some(("384 ns".to_owned(), "first row, mean of 2 seeds".to_owned()));
        assert_eq!(text(&[&runs[0], &runs[1]]), both);
        let same = Some(("256 ns".to_owned(), "first row".to_owned()));
        assert_eq!(text(&[&runs[0], &runs[0]]), same);
        assert_eq!(text(&[&runs[0], &run(None)]), None);
    }

    #[test]
    fn cells_say_what_has_no_number() {
        let point = |y, error| Point { x: 0.0, y, error, open: None };
        let text = |y, error| cell(&point(y, error), Format::Percent);
        assert_eq!(text(f64::INFINITY, 0.0), "unbounded");
        assert_eq!(text(f64::NAN, 0.0), "–");
        assert_eq!(text(0.25, 0.001), "25 % ± 0.1 %");
    }
}
