//! The lengths of packets, and how long each takes on each kind of channel.

use std::collections::BTreeMap;

use crate::units::{Bandwidth, Bytes};

/// The lengths that packets of a run have had. There are few: whole packets, acknowledgements, and
/// the last packets of messages.
pub(super) struct Sizes {
    /// The rates of the kinds of channels; none without a cable.
    rates: Vec<Option<Bandwidth>>,
    bytes: Vec<u32>,
    /// For each length, the time on each kind of channel, in picoseconds.
    times: Vec<u64>,
    places: BTreeMap<u32, u32>,
    latest: u32,
}

impl Sizes {
    /// For channels of kinds with these rates.
    pub(super) fn new(rates: Vec<Option<Bandwidth>>) -> Sizes {
        let (bytes, times) = (Vec::new(), Vec::new());
        Sizes { rates, bytes, times, places: BTreeMap::new(), latest: 0 }
    }

    /// The place of a length among those known.
    pub(super) fn place(&mut self, bytes: u32) -> u32 {
        if self.bytes.get(self.latest as usize) != Some(&bytes) {
            let new = self.bytes.len() as u32;
            self.latest = *self.places.entry(bytes).or_insert(new);
            if self.latest == new {
                self.bytes.push(bytes);
                let time = |rate: Bandwidth| rate.serialization(Bytes(bytes.into())).as_ps();
                self.times.extend(self.rates.iter().map(|rate| rate.map_or(0, time)));
            }
        }
        self.latest
    }

    #[inline(always)]
    pub(super) fn bytes(&self, place: u32) -> u32 {
        self.bytes[place as usize]
    }

    /// The time of a length on a channel of a kind.
    #[inline(always)]
    pub(super) fn time(&self, place: u32, kind: u16) -> u64 {
        self.times[place as usize * self.rates.len() + usize::from(kind)]
    }
}
