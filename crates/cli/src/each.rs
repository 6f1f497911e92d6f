//! Commands that print the runs of a study one by one.

use std::io::Write;

use dragontree::catalog::Problem;
use dragontree::scenario::Job;
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

/// Prints each run, in order.
pub fn print<R: Printed>(runs: &Runs) -> Result<Finding, Failure> {
    let Runs { text, output: form, jobs } = runs;
    let Input { plan, .. } = Input::read(text)?;
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
