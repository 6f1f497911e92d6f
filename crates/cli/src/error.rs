//! Why a command fails.

use std::fmt;
use std::io;
use std::path::PathBuf;

use dragontree::catalog::Problem;
use dragontree::units::Bytes;
use dragontree_plot::PlotError;

use crate::interrupt;

/// Why a command fails.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The text describes no experiment.
    #[error("{0}")]
    Input(Lines),
    /// A word is neither part of a text nor a file.
    #[error("“{0}” was given; expected KEY=VALUE or a file, and there is none of that name")]
    Missing(String),
    /// An argument is not allowed.
    #[error("{name}: “{given}” was given; allowed: {allowed}")]
    Argument {
        /// The argument.
        name: &'static str,
        /// What was given.
        given: String,
        /// What would be right.
        allowed: String,
    },
    /// Standard input cannot be read.
    #[error("standard input could not be read: {0}")]
    Reading(#[source] io::Error),
    /// A file cannot be read.
    #[error("{} could not be read: {source}", path.display())]
    Opening {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A study needs more memory than there is.
    #[error(
        "the study takes about {packet_hops} packet-hops, {takes} and, with {at_once} at once of its \
         runs, {needed} of memory; allowed: memory up to {limit} (--memory sets it, --jobs runs fewer \
         at once, --force runs it anyway)"
    )]
    Memory {
        /// Switches that packets cross in all its runs.
        packet_hops: String,
        /// How long it goes on.
        takes: String,
        /// The memory that it needs.
        needed: String,
        /// How many runs go on at once.
        at_once: u64,
        /// What is allowed.
        limit: Bytes,
    },
    /// A file does not describe a fabric.
    #[error("{0}")]
    Fabric(String),
    /// A file cannot be written.
    #[error("{} could not be written: {source}", path.display())]
    Writing {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Standard output cannot be written.
    #[error("the output could not be written: {0}")]
    Output(#[from] io::Error),
    /// A result cannot be written as JSON.
    #[error("a result could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A chart cannot be drawn.
    #[error("{0}")]
    Chart(#[from] PlotError),
    /// Ctrl-C before all runs had finished.
    #[error("interrupted: {finished} of {runs} runs had finished")]
    Interrupted {
        /// Runs with a result.
        finished: usize,
        /// All of them.
        runs: usize,
    },
    /// A shipped figure does not read.
    #[error("the figures do not read: {0}")]
    Figures(String),
}

impl Failure {
    /// The status that the program ends with.
    pub fn status(&self) -> u8 {
        match self {
            Failure::Interrupted { .. } => interrupt::STATUS,
            _ => 2,
        }
    }

    /// What is wrong with a text, one line each.
    pub fn input(problems: &[Problem]) -> Failure {
        Failure::Input(Lines(problems.iter().map(Problem::to_string).collect()))
    }
}

/// Lines of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines(Vec<String>);

impl fmt::Display for Lines {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.join("\n"))
    }
}
