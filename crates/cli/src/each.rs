//! Commands that print the runs of a study one by one.

use std::io::Write;

use dragontree::catalog::Problem;
use dragontree::scenario::{Job, Record};
use dragontree_plot::Format;
use serde::Serialize;

use crate::Finding;
use crate::arguments::Runs;
use crate::error::Failure;
use crate::input::Input;
use crate::work::{self, Next};

/// Events between two looks at whether a run is over.
pub const BUDGET: u64 = 1_000_000;

/// What a command prints of a run; its JSON form is stable.
pub trait Printed: Serialize + Send {
    /// The names of the columns of comma-separated values.
    const COLUMNS: &str;

    /// Does the run.
    ///
    /// # Errors
    /// Every problem with it.
    fn of(job: &Job) -> Result<Self, Vec<Problem>>
    where
        Self: Sized;

    /// Lines of comma-separated values.
    fn csv(&self) -> String;

    /// The same for people.
    fn table(&self) -> String;
}

/// Since when packets of a run have waited for each other in a circle.
pub fn deadlock_ns(record: &Record) -> Option<f64> {
    let of_traffic = record.metrics.as_ref().and_then(|metrics| metrics.deadlock_ns);
    of_traffic.or(record.exchange.as_ref().and_then(|exchange| exchange.deadlock_ns))
}

/// A line for people about how a run came out, where what it shows would mislead without.
pub fn verdict(saturated: Option<bool>, deadlock_ns: Option<f64>) -> String {
    match (deadlock_ns, saturated) {
        (Some(since), _) => {
            let since = Format::Nanoseconds.text(since);
            format!("  deadlock since {since}: dragontree run names the packets\n")
        }
        (None, Some(true)) => "  saturated: the sources fall ever further behind\n".to_owned(),
        (None, _) => String::new(),
    }
}

/// Prints each run, in order.
pub fn print<R: Printed>(runs: &Runs) -> Result<Finding, Failure> {
    let Runs { text, tables, output: form, jobs } = runs;
    let Input { plan, .. } = Input::read(text, tables)?;
    let mut output = std::io::stdout().lock();
    if form.csv {
        writeln!(output, "{}", R::COLUMNS)?;
    }
    let mut problems: Vec<Problem> = Vec::new();
    let run = |index: usize, _: &mut work::Worker<'_>| plan.jobs.get(index).map(R::of);
    work::in_order(plan.jobs.len(), work::threads(*jobs), run, |_, outcome| {
        match outcome {
            Err(found) => problems.extend(found),
            Ok(row) if form.json => writeln!(output, "{}", serde_json::to_string(&row)?)?,
            Ok(row) if form.csv => output.write_all(row.csv().as_bytes())?,
            Ok(row) => output.write_all(row.table().as_bytes())?,
        }
        Ok(Next::Simulate)
    })?;
    output.flush()?;
    problems.dedup();
    match problems.is_empty() {
        true => Ok(Finding::Nothing),
        false => Err(Failure::input(&problems)),
    }
}
