//! Events that have to be served one after the other.

use crate::random::mix;

use super::wheel::{Event, List};

/// What an event of [`List::Others`] is, told by its field `packet`.
pub(super) const CREDIT: u32 = 0;
pub(super) const WAKE: u32 = 1;
pub(super) const NOTHING: u32 = 2;

/// An event with its place in the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ordered {
    pub(super) time: u64,
    /// How often time has stood still: an event that another one of the same time brings about
    /// comes after all that were there before.
    pub(super) turn: u32,
    kind: u8,
    hash: u64,
    owner: u32,
    pub(super) list: List,
    pub(super) event: Event,
}

impl Ordered {
    /// The place of an event: by time, turn and kind, then by a hash of what it belongs to and of
    /// the time, so that over time no port comes first more often than another.
    pub(super) fn new(
        list: List,
        time: u64,
        turn: u32,
        event: Event,
        (seed, lane_bits): (u64, u32),
    ) -> Ordered {
        let port = event.buffer >> lane_bits;
        let lane = event.buffer & ((1 << lane_bits) - 1);
        let (kind, owner) = match (list, event.packet) {
            (List::Others, CREDIT) => (0, port ^ lane << 28),
            (List::Others, WAKE) => (1, port),
            (List::Arrivals, _) => (2, port),
            (List::Others, _) => (3, 0),
            (List::Sources, endpoint) => (4, endpoint),
        };
        let hash = mix(seed ^ time ^ u64::from(owner) << 32);
        Ordered { time, turn, kind, hash, owner, list, event }
    }

    fn key(&self) -> (u64, u32, u8, u64, u32) {
        (self.time, self.turn, self.kind, self.hash, self.owner)
    }
}

/// Events in order: those that come first last, so that they can be taken off the end.
#[derive(Default)]
pub(super) struct Order {
    sorted: Vec<Ordered>,
    /// Not yet among the sorted.
    fresh: Vec<Ordered>,
}

impl Order {
    pub(super) fn add(&mut self, event: Ordered) {
        self.fresh.push(event);
    }

    /// The first event of all.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Ordered> {
        if !self.fresh.is_empty() {
            self.sort();
        }
        self.sorted.pop()
    }

    fn sort(&mut self) {
        if self.sorted.is_empty() {
            std::mem::swap(&mut self.sorted, &mut self.fresh);
            self.sorted.sort_unstable_by_key(|event| std::cmp::Reverse(event.key()));
            return;
        }
        for event in self.fresh.drain(..) {
            let place = self.sorted.partition_point(|other| other.key() > event.key());
            self.sorted.insert(place, event);
        }
    }
}
