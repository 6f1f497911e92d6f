//! `dragontree course`: how runs go over time.

use dragontree::catalog::Problem;
use dragontree::interchange::csv;
use dragontree::scenario::{Abscissa, Job, Record, Step};
use dragontree::simulation::{Course, Film, LatencyBar, Moment};
use dragontree::units::grouped;
use dragontree_plot::Format;
use serde::Serialize;

use crate::Finding;
use crate::arguments;
use crate::columns::aligned;
use crate::each::{self, BUDGET, Printed};
use crate::error::Failure;

/// The most rows of latencies.
const ROWS: usize = 16;
/// The longest bar, in characters.
const LONGEST: f64 = 40.0;

/// One run over time; its JSON form is stable.
#[derive(Clone, Debug, Serialize)]
struct Row {
    scenario: String,
    series: String,
    x: Abscissa,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    saturated: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlock_ns: Option<f64>,
    #[serde(flatten)]
    course: Course,
}

/// Runs the command.
pub fn course(arguments: &arguments::Course) -> Result<Finding, Failure> {
    each::print::<Row>(&arguments.runs)
}

impl Printed for Row {
    const COLUMNS: &str = "series,x,seed,end_ns,accepted,latency_ns,in_network,at_sources,messages";

    fn of(job: &Job) -> Result<Row, Vec<Problem>> {
        let mut running = job.start_simulating(None)?;
        let mut film = Film::default();
        while running.advance_filmed(&mut film, BUDGET)? != Step::Done {}
        let unfinished = || vec![Problem::new("", "", "the run came to no end")];
        let record = running.record(0.0).ok_or_else(unfinished)?;
        let deadlock_ns = each::deadlock_ns(&record);
        let Record { scenario, series, x, seed, metrics, .. } = record;
        let saturated = metrics.map(|metrics| metrics.saturated);
        let course = running.course(&film).ok_or_else(unfinished)?;
        Ok(Row { scenario, series, x, seed, saturated, deadlock_ns, course })
    }

    fn csv(&self) -> String {
        let [series, x] = [&self.series, &self.x.to_string()].map(|text| csv::cell(text));
        let line = |moment: &Moment| {
            let Moment { end_ns, accepted, in_network, at_sources, .. } = moment;
            let latency = moment.latency_ns.map_or(String::new(), |latency| latency.to_string());
            let messages = moment.messages.map_or(String::new(), |messages| messages.to_string());
            let start = format!("{series},{x},{},{end_ns},{accepted},{latency}", self.seed);
            format!("{start},{in_network},{at_sources},{messages}\n")
        };
        self.course.moments.iter().map(line).collect()
    }

    fn table(&self) -> String {
        let series = if self.series.is_empty() { "run" } else { &self.series };
        let mut text = format!("{series}, x = {}, seed {}\n", self.x, self.seed);
        let headings = match self.saturated {
            Some(_) => ["until", "accepted", "latency", "in network", "at sources", ""],
            None => ["until", "busy ends", "messages", "in network", "at sources", ""],
        };
        let mut rows = vec![headings.map(str::to_owned).to_vec()];
        rows.extend(self.course.moments.iter().map(|moment| self.row(moment)));
        text.push_str(&aligned(&rows));
        let what = if self.saturated.is_some() { "packets" } else { "messages" };
        text.push_str(&latencies(&self.course.latencies, what));
        text.push_str(&each::verdict(self.saturated, self.deadlock_ns));
        text.push('\n');
        text
    }
}

impl Row {
    fn row(&self, moment: &Moment) -> Vec<String> {
        let measured = self
            .course
            .window_ns
            .is_some_and(|[start, end]| start < moment.end_ns && moment.end_ns <= end);
        let latency = moment.latency_ns.map(|latency| Format::Nanoseconds.text(latency));
        let messages = moment.messages.map(grouped);
        vec![
            Format::Nanoseconds.text(moment.end_ns),
            Format::Percent.text(moment.accepted),
            latency.or(messages).unwrap_or_default(),
            moment.in_network.to_string(),
            moment.at_sources.to_string(),
            if measured { "measured" } else { "" }.to_owned(),
        ]
    }
}

/// How the latencies of packets or messages are spread, in at most so many rows.
fn latencies(bars: &[LatencyBar], what: &str) -> String {
    let step = bars.len().div_ceil(ROWS).max(1);
    let total: u64 = bars.iter().map(|bar| bar.packets).sum();
    let rows: Vec<(f64, f64, u64)> = bars
        .chunks(step)
        .map(|part| {
            let packets = part.iter().map(|bar| bar.packets).sum();
            (part[0].from_ns, part[part.len() - 1].to_ns, packets)
        })
        .collect();
    let most = rows.iter().map(|row| row.2).max().unwrap_or(1).max(1);
    let cells = rows.iter().map(|(from, to, packets)| {
        let length = (*packets as f64 / most as f64 * LONGEST).round() as usize;
        let [from, to] = [from, to].map(|time| Format::Nanoseconds.text(*time));
        let share = Format::Percent.text(*packets as f64 / total.max(1) as f64);
        vec![
            from,
            format!("to {to}"),
            share,
            format!("{:LONGEST$}", "#".repeat(length), LONGEST = LONGEST as usize),
        ]
    });
    let cells: Vec<Vec<String>> = cells.collect();
    if cells.is_empty() {
        String::new()
    } else {
        format!("\n  latencies of {total} {what}\n{}", aligned(&cells))
    }
}
