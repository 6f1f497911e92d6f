//! The fat trees in a network, as the page tells them.

use crate::wire::wire_struct;

#[cfg(feature = "complete")]
mod find;

#[cfg(feature = "complete")]
pub use find::trees;

/// A fat tree in a network, or a connected part of the switches that is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Its first switch by name, where it is one of several.
    pub from: Option<String>,
    /// How many switches it has.
    pub switches: u32,
    /// Its widths, or why it is none.
    pub found: Result<String, String>,
    /// What deviates from it, a sentence each: the first of them.
    pub deviations: Vec<String>,
    /// How many there are.
    pub count: u32,
}

wire_struct! { Tree { from, switches, found, deviations, count } }
