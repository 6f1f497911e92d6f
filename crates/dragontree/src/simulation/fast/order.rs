//! The order of events: by time, then as stated.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::random::mix;

use super::wheel::Event;

/// What an event is that has no path, told by its field `packet`; with a path it is the arrival of
/// that packet at a switch, out of `buffer`.
///
/// A credit for `buffer`, which is named after the channel that leads into it.
pub(super) const CREDIT: u32 = 0;
/// The output queue of the port of `buffer` has room.
pub(super) const WAKE: u32 = 1;
/// A time at which nothing has to be done.
pub(super) const NOTHING: u32 = 2;
/// The endpoint `buffer` may have a packet ready.
pub(super) const SOURCE: u32 = 3;

/// The place among events of one time and turn: by kind, then by a hash of what an event belongs
/// to and of the time, so that over time no port comes first more often than another.
pub(super) type Place = (u8, u64, u32);

/// The place of an event of this kind that belongs to `owner`.
pub(super) fn place(kind: u8, owner: u32, time: u64, seed: u64) -> Place {
    (kind, mix(seed ^ time ^ u64::from(owner) << 32), owner)
}

/// An event that another one has brought about in the same window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ordered {
    pub(super) time: u64,
    /// How often time has stood still: an event that another one of the same time brings about
    /// comes after all that were there before.
    pub(super) turn: u32,
    pub(super) place: Place,
    pub(super) event: Event,
}

/// Such events; the first comes out first.
pub(super) type Order = BinaryHeap<Reverse<Ordered>>;
