//! Counts of an exchange.

use std::hash::Hasher;

use fnv::FnvHasher;

use super::super::LatencyReport;
use super::super::statistics::Histogram;
use crate::exchange::Message;
use crate::random::mix;
use crate::units::{Bytes, Time};

/// What has been delivered so far. Times in picoseconds.
#[derive(Clone, Debug, Default)]
pub(in crate::simulation) struct Tally {
    /// Messages delivered, with their bytes and packets.
    pub(in crate::simulation) messages: u64,
    pub(in crate::simulation) bytes: Bytes,
    /// Bytes of messages that have left their endpoints, and how many these were.
    pub(in crate::simulation) carried: Bytes,
    timed: u64,
    pub(in crate::simulation) packets: u64,
    /// Messages of which the source has heard that they arrived.
    pub(in crate::simulation) acknowledged: u64,
    /// When the last message was delivered or acknowledged.
    end: u64,
    latencies: u64,
    shortest: Option<u64>,
    longest: u64,
    histogram: Histogram,
    /// A wrapping sum of a hash of every message and the time of its delivery.
    deliveries: u64,
}

impl Tally {
    /// Counts a message that might be sent from `posted` on and has been delivered.
    pub(in crate::simulation) fn deliver(&mut self, message: &Message, posted: u64, now: u64) {
        self.keep(message, now);
        let latency = now - posted;
        self.carried.0 += message.bytes.0;
        self.timed += 1;
        self.latencies = self.latencies.wrapping_add(latency);
        self.shortest = Some(self.shortest.map_or(latency, |shortest| shortest.min(latency)));
        self.longest = self.longest.max(latency);
        self.histogram.add(latency);
    }

    /// Counts a message that stays within its endpoint: it takes no link and no time.
    pub(super) fn keep(&mut self, message: &Message, now: u64) {
        self.messages += 1;
        self.bytes.0 += message.bytes.0;
        self.deliveries = self.deliveries.wrapping_add(mix(mix(message.label) ^ now));
        self.end = self.end.max(now);
    }

    /// Counts an acknowledgement.
    pub(in crate::simulation) fn acknowledge(&mut self, now: u64) {
        self.acknowledged += 1;
        self.end = self.end.max(now);
    }

    /// When the last message was delivered or acknowledged.
    pub(in crate::simulation) fn end(&self) -> Time {
        Time::ps(self.end)
    }

    /// The smallest latency.
    pub(super) fn shortest(&self) -> Option<Time> {
        self.shortest.map(Time::ps)
    }

    /// Latencies of messages that have left their endpoints.
    pub(super) fn latency(&self) -> LatencyReport {
        let Some(shortest) = self.shortest else { return LatencyReport::default() };
        // A bucket's middle may lie outside of what was seen.
        let percentile = |percent| {
            let time = self.histogram.percentile(percent)?;
            Some(Time::ps(time.as_ps().clamp(shortest, self.longest)))
        };
        LatencyReport {
            mean_ns: Some(self.latencies as f64 / self.timed as f64 / 1e3),
            median: percentile(50),
            p99: percentile(99),
            max: Some(Time::ps(self.longest)),
        }
    }

    /// How the latencies of messages are spread.
    pub(in crate::simulation) fn latencies(&self) -> &Histogram {
        &self.histogram
    }

    /// FNV-1a over the run's integers.
    pub(super) fn digest(&self) -> u64 {
        let mut hasher = FnvHasher::default();
        for value in
            [self.packets, self.bytes.0, self.latencies, self.longest, self.end, self.deliveries]
        {
            hasher.write(&value.to_le_bytes());
        }
        hasher.finish()
    }
}
