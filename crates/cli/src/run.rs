//! `dragontree run`: simulates a study.

use std::io::Write;
use std::path::PathBuf;

use dragontree::scenario::{Detail, ENGINE_VERSION, Plan, Record, Study, csv, study_digest};
use dragontree_plot::study::{Finished, Forecast};

use crate::Finding;
use crate::arguments::{FailOn, Run, Runs};
use crate::error::Failure;
use crate::input::Input;
use crate::work;

mod estimate;
mod picture;
mod reasons;
mod table;

/// Results with everything that is needed to show them.
struct Results<'a> {
    study: &'a Study,
    plan: &'a Plan,
    records: &'a [Record],
    /// The files that belong to the study.
    paths: &'a [PathBuf],
}

impl Results<'_> {
    /// The records with their places in the plan.
    fn finished(&self) -> Vec<Finished<'_>> {
        let pairs = self.plan.jobs.iter().zip(self.records);
        let finished = |(job, record): (&dragontree::scenario::Job, _)| Finished {
            curve: job.curve,
            point: job.point,
            record,
        };
        pairs.map(finished).collect()
    }

    /// What analysis says about each curve.
    fn forecasts(&self) -> Vec<Forecast> {
        Forecast::of(&self.finished())
    }
}

/// Runs the command.
pub fn run(arguments: &Run) -> Result<Finding, Failure> {
    let Runs { text, output: form, jobs } = &arguments.runs;
    let Input { study, plan, paths } = Input::read(text)?;
    let threads = work::threads(*jobs);
    if arguments.estimate {
        estimate::print(arguments, &plan, threads)?;
        return Ok(Finding::Nothing);
    }
    estimate::check(arguments, &plan, threads)?;
    let mut output = std::io::stdout().lock();
    let records = work::records(&plan.jobs, threads, |record| {
        if form.json {
            writeln!(output, "{}", record.json()?)?;
        }
        Ok(())
    })?;
    let results = Results { study: &study, plan: &plan, records: &records, paths: &paths };
    if form.csv {
        output.write_all(csv(&records).as_bytes())?;
    } else if !form.json {
        output.write_all(table::tables(&results).as_bytes())?;
    }
    output.flush()?;
    if let Some(path) = &arguments.svg {
        picture::write(&results, path)?;
    }
    compare(&study, &records);
    Ok(finding(&records, &arguments.fail_on))
}

/// Says whether the results are those that the text speaks of.
fn compare(study: &Study, records: &[Record]) {
    if study.engine.is_none() && study.digest.is_none() {
        return;
    }
    let digest = study_digest(records);
    let engine = match study.engine {
        Some(engine) if engine != ENGINE_VERSION => {
            format!("made with engine {engine}, this is engine {ENGINE_VERSION}")
        }
        _ => format!("engine {ENGINE_VERSION}"),
    };
    match study.digest {
        Some(expected) if expected == digest => eprintln!("reproduced: {engine}, d={digest:016x}"),
        Some(expected) => {
            eprintln!("numbers differ: {engine}, expected d={expected:016x}, got d={digest:016x}");
        }
        None => eprintln!("{engine}; there is no digest (d=) to compare with"),
    }
}

/// The text that says how to get these results again.
fn provenance(study: &Study, records: &[Record]) -> String {
    let made = Study {
        engine: Some(ENGINE_VERSION),
        digest: Some(study_digest(records)),
        ..study.clone()
    };
    made.text(Detail::Least)
}

fn finding(records: &[Record], asked: &[FailOn]) -> Finding {
    let found = |record: &Record| {
        let metrics = record.metrics.as_ref();
        let lost = record.routes.and_then(|routes| routes.unrouted);
        asked.iter().any(|finding| match finding {
            FailOn::Saturation => metrics.is_some_and(|metrics| metrics.saturated),
            FailOn::Deadlock => {
                let of_exchange = record.exchange.as_ref().and_then(|run| run.deadlock.as_ref());
                of_exchange.is_some() || metrics.is_some_and(|run| run.deadlock.is_some())
            }
            FailOn::Unreachable => lost.is_some_and(|pairs| pairs > 0),
        })
    };
    match records.iter().any(found) {
        true => Finding::Found,
        false => Finding::Nothing,
    }
}
