//! `dragontree loads`: how busy each channel was.

use dragontree::catalog::Problem;
use dragontree::interchange::csv;
use dragontree::scenario::{Abscissa, Experiment, Job, Record, Step};
use dragontree_plot::Format;
use serde::Serialize;

use crate::Finding;
use crate::arguments;
use crate::columns::aligned;
use crate::each::{self, BUDGET, Printed};
use crate::error::Failure;

/// The rows of a table: the busiest channels.
const ROWS: usize = 20;

/// A run's channels; its JSON form is stable.
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
    channels: Vec<Channel>,
}

#[derive(Clone, Debug, Serialize)]
struct Channel {
    from: String,
    port: u32,
    to: String,
    /// What the analysis expects, as a multiple of the channel's rate; not known of adaptive routes
    /// and of exchanges.
    expected: Option<f64>,
    /// The share of the measuring window, or of the whole exchange, that it was busy.
    measured: f64,
}

/// Runs the command.
pub fn loads(arguments: &arguments::Loads) -> Result<Finding, Failure> {
    each::print::<Row>(&arguments.runs)
}

impl Printed for Row {
    const COLUMNS: &str = "series,x,seed,from,port,to,expected,measured";

    fn of(job: &Job) -> Result<Row, Vec<Problem>> {
        let mut running = job.start_simulating(None)?;
        while running.advance(BUDGET)? != Step::Done {}
        let unfinished = || vec![Problem::new("", "", "nothing is simulated, only looked at")];
        let record = running.record(0.0).ok_or_else(unfinished)?;
        let deadlock_ns = each::deadlock_ns(&record);
        let Record { scenario, series, x, seed, metrics, .. } = record;
        let saturated = metrics.map(|metrics| metrics.saturated);
        let measured = running.utilization().ok_or_else(unfinished)?;
        let channels = channels(running.experiment().ok_or_else(unfinished)?, &measured);
        Ok(Row { scenario, series, x, seed, saturated, deadlock_ns, channels })
    }

    fn csv(&self) -> String {
        let [series, x] = [&self.series, &self.x.to_string()].map(|text| csv::cell(text));
        let line = |channel: &Channel| {
            let Channel { from, port, to, expected, measured } = channel;
            let [from, to] = [from, to].map(|name| csv::cell(name));
            let expected = expected.map_or(String::new(), |expected| expected.to_string());
            format!("{series},{x},{},{from},{port},{to},{expected},{measured}\n", self.seed)
        };
        self.channels.iter().map(line).collect()
    }

    fn table(&self) -> String {
        let series = if self.series.is_empty() { "run" } else { &self.series };
        let mut busiest: Vec<&Channel> = self.channels.iter().collect();
        busiest.sort_by(|one, other| other.measured.total_cmp(&one.measured));
        let headings = ["from", "port", "to", "expected", "measured"];
        let mut rows = vec![headings.map(str::to_owned).to_vec()];
        let expected = |value: f64| Format::Percent.text(value);
        rows.extend(busiest.iter().take(ROWS).map(|channel| {
            let Channel { from, port, to, .. } = channel;
            let shares = [
                channel.expected.map(expected).unwrap_or_default(),
                Format::Percent.text(channel.measured),
            ];
            let names = [from.clone(), port.to_string(), to.clone()];
            names.into_iter().chain(shares).collect()
        }));
        let more = match self.channels.len().saturating_sub(ROWS) {
            0 => String::new(),
            more => format!("  {more} more, less busy: --csv or --json has all\n"),
        };
        let verdict = each::verdict(self.saturated, self.deadlock_ns);
        format!("{series}, x = {}, seed {}\n{}{more}{verdict}\n", self.x, self.seed, aligned(&rows))
    }
}

/// All channels with what was expected of them and measured.
fn channels(experiment: &Experiment, measured: &[f64]) -> Vec<Channel> {
    let (network, scenario) = (experiment.network(), experiment.scenario());
    let analysis = experiment.analysis();
    let known = analysis.limit.is_some() && !scenario.exchanges();
    let load = scenario.load.as_fraction();
    let channels = network.channels().filter_map(|(port, _)| {
        let to = network.name(network.neighbor(port)?);
        let expected = analysis.report.utilization.get(port.index()).map(|each| each * load);
        Some(Channel {
            from: network.name(network.owner(port)),
            port: network.shown_number(port),
            to,
            expected: expected.filter(|_| known),
            measured: measured.get(port.index()).copied().unwrap_or(0.0),
        })
    });
    channels.collect()
}
