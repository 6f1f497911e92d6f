//! What can go wrong, each with a sentence that tells the user what to do.

use std::fmt;
use std::io;
use std::time::Duration;

/// The result of everything in this program that may fail.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure, worded for the person at the terminal.
#[derive(Debug)]
pub enum Error {
    /// The command line was not understood.
    Usage(String),
    /// Something that has to be on the machine is not there.
    Missing {
        /// What is missing.
        what: String,
        /// What to do about it.
        advice: String,
    },
    /// A program ended with an error.
    Failed {
        /// The command line that was run.
        command: String,
        /// How it ended.
        status: String,
        /// What to do about it.
        advice: String,
    },
    /// A program took longer than it may.
    TimedOut {
        /// The command line that was run.
        command: String,
        /// The time it was given.
        limit: Duration,
    },
    /// A file or program could not be reached.
    Io {
        /// What was being done.
        doing: String,
        /// The operating system's answer.
        source: io::Error,
    },
    /// The page has grown beyond its target.
    TooLarge {
        /// Compressed size in bytes.
        bytes: u64,
        /// Largest allowed size in bytes.
        ceiling: u64,
    },
}

impl Error {
    /// A missing thing and the remedy.
    pub fn missing(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Missing { what: what.into(), advice: advice.into() }
    }

    /// Wraps an operating system error, for use with `map_err`.
    pub fn io(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Io { doing, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) => write!(f, "{message}"),
            Self::Missing { what, advice } => write!(f, "{what}\n{advice}"),
            Self::Failed { command, status, advice } => {
                write!(f, "`{command}` ended with {status}.\n{advice}")
            }
            Self::TimedOut { command, limit } => write!(
                f,
                "`{command}` did not finish within {} s. Check the network and try again.",
                limit.as_secs()
            ),
            Self::Io { doing, source } => write!(f, "{doing}: {source}"),
            Self::TooLarge { bytes, ceiling } => write!(
                f,
                "The first load is {bytes} bytes compressed, more than the ceiling of {ceiling}. \
                 Look above for the file that grew, and at what was added to its dependencies."
            ),
        }
    }
}

impl std::error::Error for Error {}
