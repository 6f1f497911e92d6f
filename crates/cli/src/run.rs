//! `dragontree run`: simulates a study.

use std::io::Write;
use std::path::PathBuf;

use dragontree::scenario::{Detail, ENGINE_VERSION, Plan, Record, Study, csv, study_digest};
use dragontree_plot::study::{Finished, Forecast};

use crate::Finding;
use crate::arguments::{FailOn, Run, Runs};
use crate::error::Failure;
use crate::input::Input;
use crate::interrupt;
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
    /// Whether these are the results of all of the study's runs.
    is_whole: bool,
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
    let Runs { text, tables, output: form, jobs } = &arguments.runs;
    let Input { study, plan, paths } = Input::read(text, tables)?;
    let threads = work::threads(*jobs);
    if arguments.estimate {
        estimate::print(arguments, &plan, threads)?;
        return Ok(Finding::Nothing);
    }
    estimate::check(arguments, &plan, threads)?;
    let mut output = std::io::stdout().lock();
    let mut places = Vec::new();
    interrupt::watch();
    let records = work::records(&plan.jobs, threads, |place, record| {
        places.push(place);
        if form.json {
            writeln!(output, "{}", record.json()?)?;
        }
        Ok(())
    })?;
    let runs = plan.jobs.len();
    let is_whole = records.len() == runs;
    let interrupted = Failure::Interrupted { finished: records.len(), runs };
    if records.is_empty() && !is_whole {
        return Err(interrupted);
    }
    let plan = if is_whole { plan } else { part(plan, &places) };
    let results =
        Results { study: &study, plan: &plan, records: &records, paths: &paths, is_whole };
    if form.csv {
        output.write_all(csv(&records).as_bytes())?;
    } else if !form.json {
        output.write_all(table::tables(&results).as_bytes())?;
    }
    output.flush()?;
    if !is_whole {
        return Err(interrupted);
    }
    if let Some(path) = &arguments.svg {
        picture::write(&results, path)?;
    }
    compare(&study, &records);
    Ok(finding(&records, &arguments.fail_on))
}

/// The plan with no runs but those at these places, in their order.
fn part(plan: Plan, places: &[usize]) -> Plan {
    let jobs = places.iter().filter_map(|place| plan.jobs.get(*place)).cloned().collect();
    Plan { jobs, ..plan }
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
fn provenance(results: &Results<'_>) -> String {
    let made = Study {
        engine: Some(ENGINE_VERSION),
        digest: results.is_whole.then(|| study_digest(results.records)),
        ..results.study.clone()
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
