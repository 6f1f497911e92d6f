//! The `dragontree` command: the text of an experiment in, tables, JSON, CSV and SVG out.
//!
//! | module | what |
//! |---|---|
//! | `arguments` | the command line, declared for clap |
//! | `run`, `course`, `loads`, `info`, `list`, [`figures`], `export`, `contention`, `pattern`, `model`, `saturation`, `optimize`, `audit` (and `route`), `compare`, `path` (and `query`) | one subcommand each |
//! | `work` | runs shared out among threads, results in order |
//! | `columns` | tables as text |
//! | `input` | the text, from arguments, a link or standard input, and its files |
//! | `interrupt` | Ctrl-C while runs go on |
//! | [`error`] | why a command fails, and the exit status |
//!
//! Results go to standard output, everything else to standard error.

use std::process::ExitCode;

use clap::Parser;
use dragontree::scenario::Record;

mod arguments;
mod audit;
mod columns;
mod compare;
mod contention;
mod course;
mod each;
pub mod error;
mod export;
pub mod figures;
mod info;
mod input;
mod interrupt;
mod list;
mod loads;
mod model;
mod optimize;
mod path;
mod pattern;
mod run;
mod saturation;
mod solving;
mod work;

use arguments::{Arguments, Command};
use error::Failure;

/// What a command found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finding {
    /// Nothing that was asked to be an error.
    Nothing,
    /// Something that was asked to be an error.
    Found,
    /// A part of the input was bad, as has been said; the rest was done.
    Refused,
}

/// Runs every point of a study on as many threads as there are processors.
///
/// # Errors
/// Everything that is wrong with the text or with a run.
pub fn simulate(text: &str) -> Result<Vec<Record>, Failure> {
    let study = input::study(&[text.to_owned()])?;
    let plan = input::plan(&study)?;
    work::records(&plan.jobs, work::threads(None), |_, _| Ok(()))
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Course(arguments) => course::course(&arguments),
        Command::Loads(arguments) => loads::loads(&arguments),
        Command::Info(arguments) => info::info(&arguments),
        Command::List(arguments) => list::list(&arguments),
        Command::Figures(arguments) => figures::command(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Contention(arguments) => contention::contention(&arguments),
        Command::Pattern(arguments) => pattern::pattern(&arguments),
        Command::Model(arguments) => model::model(&arguments),
        Command::Saturation(arguments) => saturation::saturation(&arguments),
        Command::Optimize(arguments) => optimize::optimize(&arguments),
        Command::Route(arguments) => audit::route(&arguments),
        Command::Audit(arguments) => audit::audit(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Path(arguments) => path::path(&arguments),
        Command::Query(arguments) => path::query(&arguments),
    };
    match outcome {
        Ok(Finding::Nothing) => ExitCode::SUCCESS,
        Ok(Finding::Found) => ExitCode::from(1),
        Ok(Finding::Refused) => ExitCode::from(2),
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            // Ctrl-C ends what would have read the results, too.
            ExitCode::from(if interrupt::is_asked() { interrupt::STATUS } else { 0 })
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(failure.status())
        }
    }
}
