//! What is asked of a run's routes, and what is answered: markup, and what it shows in the drawing.

#[cfg(feature = "complete")]
mod comparison;
#[cfg(feature = "complete")]
mod curves;
#[cfg(feature = "complete")]
mod markup;
#[cfg(feature = "complete")]
mod paths;
#[cfg(feature = "complete")]
mod report;
mod words;
#[cfg(feature = "complete")]
mod work;

pub use words::escaped;
#[cfg(feature = "complete")]
pub use work::{Inspector, Slice};

use crate::fabric::Parcel;
use crate::wire::{wire_enum, wire_struct};

/// What is to be found out about the routes of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inspection {
    /// Contention, connectivity and deadlocks.
    Report,
    /// The same in short for every routing of the catalog on this fabric.
    Comparison,
    /// The routes of a pair; each end by name, GUID or local id.
    Paths {
        /// Where they begin.
        from: String,
        /// Where they lead.
        to: String,
    },
    /// The report as a file.
    File {
        /// The name of the format.
        format: String,
    },
}

/// What was found out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// The words, as markup; of a file its text.
    pub markup: String,
    /// Flows on the bundles of the drawing, as shares of the most.
    pub flows: Option<Parcel>,
    /// The most flows on a channel.
    pub most: f32,
    /// How many bundles the drawing has that flows and ways belong to.
    pub bundles: u32,
    /// Ways through the drawing: bundle by bundle twice its number, and 1 more against its sense.
    pub trails: Vec<Vec<u32>>,
}

wire_enum! { Inspection {
    0 => Report {}
    1 => Comparison {}
    2 => Paths { from, to }
    3 => File { format }
} }
wire_struct! { Finding { markup, flows, most, bundles, trails } }
