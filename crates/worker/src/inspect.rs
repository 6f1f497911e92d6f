//! What is asked of a run and its routes, and what is answered: markup, and what it shows in the
//! drawing.

#[cfg(feature = "complete")]
mod circle;
#[cfg(feature = "complete")]
mod compared;
#[cfg(feature = "complete")]
mod comparison;
#[cfg(feature = "complete")]
mod course;
#[cfg(feature = "complete")]
mod curves;
#[cfg(feature = "complete")]
mod markup;
#[cfg(feature = "complete")]
mod messages;
#[cfg(feature = "complete")]
mod paths;
#[cfg(feature = "complete")]
mod report;
#[cfg(feature = "complete")]
mod sending;
#[cfg(feature = "complete")]
mod timing;
#[cfg(feature = "complete")]
mod watching;
mod words;
#[cfg(feature = "complete")]
mod work;

pub use words::escaped;
#[cfg(feature = "complete")]
pub use work::{Inspector, News, Slice};

use dragontree::scenario::HeldBuffer;

use crate::fabric::Parcel;
use crate::wire::{wire_enum, wire_struct};

/// What is to be found out about a run or its routes.
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
    /// How the run goes over time: it is simulated and filmed.
    Course,
    /// Its messages: phases, contention, certificate, formulas, the best placements.
    Sending,
    /// Who sends to whom in its phases from one on, as pictures.
    Phases {
        /// The number of the first.
        first: u32,
    },
    /// Where the packets of its deadlock wait.
    Circle {
        /// The buffers that they hold, one after the other.
        held: Vec<HeldBuffer>,
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
    /// How busy the links were, picture after picture: for each bundle its busiest link from its
    /// first end to its second, in 255ths, then that back. The last picture is the mean of the
    /// measuring window, or of the whole exchange.
    pub film: Vec<u8>,
    /// When each picture but the last ended, in nanoseconds.
    pub ends: Vec<f64>,
}

wire_enum! { Inspection {
    0 => Report {}
    1 => Comparison {}
    2 => Paths { from, to }
    3 => File { format }
    4 => Course {}
    5 => Sending {}
    6 => Circle { held }
    7 => Phases { first }
} }
wire_struct! { Finding { markup, flows, most, bundles, trails, film, ends } }
