//! Fabrics from files that the reader opens, and into files that the page offers.

use crate::wire::wire_struct;

#[cfg(feature = "complete")]
mod read;
#[cfg(feature = "complete")]
mod write;

#[cfg(feature = "complete")]
pub use read::open;
#[cfg(feature = "complete")]
pub use write::{Writer, name};

/// A file with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    /// Its name, for messages only.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What opening files came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// What stands for a fabric's files in the notation: `data=` takes it.
    pub fabric: Option<String>,
    /// What stands for dumps of forwarding tables: `lfts=` takes it.
    pub lfts: Option<String>,
    /// What stands for the service levels of pairs: `levels=` takes it.
    pub levels: Option<String>,
    /// For each file that says what ranks send, or where they are: the key and the part that take it,
    /// and what stands for it.
    pub parts: Vec<Vec<String>>,
    /// What is odd in the files of the fabric, a sentence each.
    pub notices: Vec<String>,
}

wire_struct! { Content { name, text } }
wire_struct! { Opened { fabric, lfts, levels, parts, notices } }
