//! `dragontree saturation`: what a network carries of traffic at full load, by analysis alone.

use std::io::Write;

use dragontree::catalog::Problem;
use dragontree::interchange::csv::cell;
use dragontree::scenario::{Abscissa, Detail, Job, Plan, Saturating, Saturation};
use serde::Serialize;

use crate::Finding;
use crate::arguments::{self, Runs};
use crate::columns::aligned;
use crate::each::BUDGET;
use crate::error::Failure;
use crate::input;
use crate::work::{self, Next};

/// One run; its JSON form is stable.
#[derive(Clone, Debug, Serialize)]
struct Row {
    scenario: String,
    series: String,
    x: Option<Abscissa>,
    seed: u64,
    #[serde(flatten)]
    found: Saturation,
}

/// Runs the command.
pub fn saturation(arguments: &arguments::Saturation) -> Result<Finding, Failure> {
    let Runs { text, tables, output: form, jobs } = &arguments.runs;
    let plan = input::at_full_load(text, tables)?;
    let mut problems: Vec<Problem> = Vec::new();
    let mut rows = Vec::with_capacity(plan.jobs.len());
    let run = |index: usize, _: &mut work::Worker<'_>| {
        plan.jobs.get(index).map(|job| Row::of(job, &plan))
    };
    work::in_order(plan.jobs.len(), work::threads(*jobs), run, |_, outcome| {
        match outcome {
            Ok(row) => rows.push(row),
            Err(found) => problems.extend(found),
        }
        Ok(Next::Simulate)
    })?;
    problems.dedup();
    if !problems.is_empty() {
        return Err(Failure::input(&problems));
    }
    let mut output = std::io::stdout().lock();
    if form.json {
        for row in &rows {
            writeln!(output, "{}", serde_json::to_string(row)?)?;
        }
    } else if form.csv {
        writeln!(output, "series,x,seed,throughput,channel,fair_mean,why,unknown")?;
        rows.iter().try_for_each(|row| output.write_all(row.csv().as_bytes()))?;
    } else {
        output.write_all(table(&plan, &rows).as_bytes())?;
    }
    output.flush()?;
    Ok(Finding::Nothing)
}

impl Row {
    fn of(job: &Job, plan: &Plan) -> Result<Row, Vec<Problem>> {
        let scenario = job.scenario();
        let mut saturating = Saturating::start(scenario)?;
        let found = loop {
            if let Some(found) = saturating.advance(BUDGET)? {
                break found;
            }
        };
        Ok(Row {
            scenario: scenario.text(Detail::Everything),
            series: plan.curves.get(job.curve as usize).cloned().unwrap_or_default(),
            x: job.place(),
            seed: scenario.seed,
            found,
        })
    }

    fn csv(&self) -> String {
        let Saturation { throughput, channel, why, fair_mean, unknown } = &self.found;
        let x = self.x.as_ref().map_or(String::new(), Abscissa::to_string);
        let [series, x] = [&self.series, &x].map(|text| cell(text));
        let why = why.as_ref().map(|why| why.formula.as_str());
        let [channel, why, unknown] = [channel.as_deref(), why, unknown.as_deref()]
            .map(|text| cell(text.unwrap_or_default()));
        let number = |value: &Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let [throughput, fair_mean] = [throughput, fair_mean].map(number);
        let seed = self.seed;
        format!("{series},{x},{seed},{throughput},{channel},{fair_mean},{why},{unknown}\n")
    }

    /// What is said about the channel that fills first, and about what is not known.
    fn words(&self) -> Vec<String> {
        let Saturation { channel, why, unknown, throughput, .. } = &self.found;
        let mut lines = Vec::new();
        if let (Some(channel), Some(_)) = (channel, throughput) {
            let formula = why.as_ref().map(|why| format!("; {}", why.formula));
            lines.push(format!("fills first: {channel}{}", formula.unwrap_or_default()));
            let portions = why.iter().flat_map(|why| &why.largest);
            lines.extend(portions.map(|portion| {
                let noun = if portion.flows == 1 { "flow" } else { "flows" };
                let (flows, utilization) = (portion.flows, portion.utilization);
                let [from, to] = [&portion.from, &portion.to];
                format!("  {flows} {noun} from {from} to {to}, {utilization} times its rate")
            }));
        }
        lines.extend(unknown.as_ref().map(|why| format!("not known: {why}")));
        lines
    }
}

/// What a point is called.
fn name(plan: &Plan, row: &Row) -> String {
    let place = match &row.x {
        Some(_) if plan.x.is_load() || plan.x.is_of_names() => String::new(),
        Some(Abscissa::Word(word)) => word.clone(),
        Some(Abscissa::Number(number)) => format!("{} {number}", plan.x.label),
        None => String::new(),
    };
    let parts = [row.series.clone(), place].into_iter().filter(|part| !part.is_empty());
    let name = parts.collect::<Vec<_>>().join(", ");
    if name.is_empty() { "all".to_owned() } else { name }
}

/// The mean, where each has a value.
fn mean(values: impl Iterator<Item = Option<f64>>) -> String {
    let values: Option<Vec<f64>> = values.collect();
    values.filter(|values| !values.is_empty()).map_or("–".to_owned(), |values| {
        format!("{:.4}", values.iter().sum::<f64>() / values.len() as f64)
    })
}

/// A line for each point, then what fills first.
fn table(plan: &Plan, rows: &[Row]) -> String {
    let together: Vec<(&Job, &Row)> = plan.jobs.iter().zip(rows).collect();
    let points: Vec<&[(&Job, &Row)]> = together
        .chunk_by(|(one, _), (other, _)| (one.curve, one.point) == (other.curve, other.point))
        .collect();
    let names: Vec<String> = points.iter().map(|seeds| name(plan, seeds[0].1)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut lines = vec![["", "throughput", "fair mean", "seeds"].map(str::to_owned).to_vec()];
    let mut more = String::new();
    for (name, seeds) in names.iter().zip(&points) {
        let of = |which: fn(&Saturation) -> Option<f64>| {
            mean(seeds.iter().map(|(_, row)| which(&row.found)))
        };
        lines.push(vec![
            format!("{name:width$}"),
            of(|found| found.throughput),
            of(|found| found.fair_mean),
            seeds.len().to_string(),
        ]);
        let load = |(_, row): &&(&Job, &Row)| row.found.throughput.unwrap_or(f64::INFINITY);
        let first = seeds.iter().min_by(|one, other| load(one).total_cmp(&load(other)));
        let Some((_, first)) = first else { continue };
        let seed = if seeds.len() > 1 { format!(", seed {}", first.seed) } else { String::new() };
        more.push_str(&format!("\n{name}{seed}\n"));
        first.words().iter().for_each(|line| more.push_str(&format!("  {line}\n")));
    }
    let said = "throughput: the load at which the first channel fills; fair mean: the mean rate of all \
                endpoints\nat full load if flows share channels fairly (max-min)";
    format!("{}\n{said}\n{more}", aligned(&lines))
}
