//! Counts per batch of simulated time, and what follows from them.

use std::hash::Hasher;
use std::ops::Range;

#[cfg(feature = "complete")]
use fnv::FnvHashMap;
use fnv::FnvHasher;

use crate::random::mix;
use crate::units::Time;

#[cfg(feature = "complete")]
mod bytes;

#[cfg(feature = "complete")]
pub(super) use bytes::Part;

/// Latencies on a logarithmic scale: 32 buckets per doubling, so a bucket is about 2 % wide.
#[derive(Clone, Debug, Default)]
pub(super) struct Histogram {
    counts: Vec<u32>,
}

impl Histogram {
    const FINE: u32 = 5;

    fn bucket(value: u64) -> usize {
        let exponent = 63 - (value | 1 << Histogram::FINE).leading_zeros();
        let shift = exponent - Histogram::FINE;
        ((u64::from(shift) << Histogram::FINE) + (value >> shift)) as usize
    }

    /// The middle of a bucket.
    fn value(bucket: usize) -> u64 {
        let bucket = bucket as u64;
        let shift = (bucket >> Histogram::FINE).saturating_sub(1);
        let low = (bucket - (shift << Histogram::FINE)) << shift;
        low + ((1 << shift) >> 1)
    }

    /// The smallest value of a bucket.
    #[cfg(feature = "complete")]
    fn start(bucket: usize) -> u64 {
        let bucket = bucket as u64;
        let shift = (bucket >> Histogram::FINE).saturating_sub(1);
        (bucket - (shift << Histogram::FINE)) << shift
    }

    /// From where to where each bucket that holds something reaches, and how much it holds.
    #[cfg(feature = "complete")]
    pub(super) fn bars(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let full = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        full.map(|(bucket, count)| {
            (Histogram::start(bucket), Histogram::start(bucket + 1), u64::from(*count))
        })
    }

    pub(super) fn add(&mut self, value: u64) {
        let bucket = Histogram::bucket(value);
        if bucket >= self.counts.len() {
            self.counts.resize(bucket + 1, 0);
        }
        self.counts[bucket] += 1;
    }

    fn merge(&mut self, other: &Histogram) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// The value below which so many percent lie.
    pub(super) fn percentile(&self, percent: u64) -> Option<Time> {
        let total: u64 = self.counts.iter().map(|count| u64::from(*count)).sum();
        let target = (total * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let bucket = self.counts.iter().position(|count| {
            seen += u64::from(*count);
            seen >= target
        });
        bucket.map(|bucket| Time::ps(Histogram::value(bucket)))
    }
}

/// What happened in one batch of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// Packets delivered in it.
    pub(super) delivered: u64,
    /// Messages whose last packet was, and their latencies together.
    messages: u64,
    latency: u64,
    /// Switches that they crossed together.
    switches: u64,
    /// Messages generated in it and delivered since.
    born: u64,
    born_latency: u64,
    born_longest: u64,
    born_shortest: Option<u64>,
    born_histogram: Histogram,
    /// How many packets were in the network at its end.
    pub(super) inside: u64,
    /// About how many packets were generated but not delivered at its end.
    pub(super) backlog: u64,
    /// How long the longest-waiting packet at any source had waited at its end.
    pub(super) oldest: u64,
}

impl Batch {
    /// Counts a packet delivered in it.
    #[inline(always)]
    fn count_packet(&mut self, delivery: &Delivery) {
        self.delivered += 1;
        self.switches += u64::from(delivery.switches);
    }

    /// Counts a message of which the last packet was delivered in it.
    #[inline(always)]
    fn count_message(&mut self, latency: u64) {
        self.messages += 1;
        self.latency += latency;
    }

    /// Mean latency of the messages delivered in it, in nanoseconds; none without any.
    pub(super) fn mean_latency_ns(&self) -> Option<f64> {
        (self.messages > 0).then(|| self.latency as f64 / self.messages as f64 / 1e3)
    }
}

/// Counts of a whole run.
pub(super) struct Statistics {
    /// Where the first batch begins.
    origin: u64,
    /// Length of a batch.
    pub(super) length: u64,
    batches: Vec<Batch>,
    /// Packets of a message.
    #[cfg(feature = "complete")]
    together: u32,
    /// Of the messages that have been delivered in part: how many packets, and when the last was.
    #[cfg(feature = "complete")]
    partial: FnvHashMap<u64, (u32, u64)>,
    /// The same where the lengths of packets vary.
    #[cfg(feature = "complete")]
    parts: bytes::Parts,
    /// The batches of the last delivery and of the last delivered packet's generation, and when they
    /// begin and end.
    recent: [(usize, Range<u64>); 2],
    /// Packets delivered, per source endpoint.
    pub(super) per_source: Vec<u32>,
    pub(super) delivered: u64,
    latencies: u64,
    longest: u64,
    /// A wrapping sum of a hash of every packet and the time of its delivery.
    deliveries: u64,
    /// Switches crossed so far.
    pub(super) packet_hops: u64,
}

/// A delivered packet.
pub(super) struct Delivery {
    pub(super) source: u32,
    pub(super) number: u32,
    pub(super) born: u64,
    pub(super) switches: u8,
}

impl Statistics {
    pub(super) fn new(origin: u64, length: u64, sources: usize, together: u32) -> Statistics {
        // Other builds know messages of one packet only.
        #[cfg(not(feature = "complete"))]
        let _ = together;
        Statistics {
            origin,
            length,
            batches: Vec::new(),
            #[cfg(feature = "complete")]
            together,
            #[cfg(feature = "complete")]
            partial: FnvHashMap::default(),
            #[cfg(feature = "complete")]
            parts: bytes::Parts::default(),
            recent: [(0, 0..0), (0, 0..0)],
            per_source: vec![0; sources],
            delivered: 0,
            latencies: 0,
            longest: 0,
            deliveries: 0,
            packet_hops: 0,
        }
    }

    /// The same without counts, for packets that are messages.
    pub(super) fn alike(&self) -> Statistics {
        Statistics::new(self.origin, self.length, self.per_source.len(), 1)
    }

    /// The end of batch number `count - 1`.
    pub(super) fn end_of(&self, count: usize) -> u64 {
        self.origin.saturating_add(self.length.saturating_mul(count as u64))
    }

    /// The batch that holds a time; none before the origin.
    pub(super) fn batch(&mut self, time: u64) -> Option<&mut Batch> {
        let index = (time.checked_sub(self.origin)? / self.length) as usize;
        if index >= self.batches.len() {
            self.batches.resize(index + 1, Batch::default());
        }
        self.batches.get_mut(index)
    }

    /// The same, for times most of which lie in the batch that was asked for last.
    #[inline]
    fn batch_again(&mut self, which: usize, time: u64) -> Option<&mut Batch> {
        if !self.recent[which].1.contains(&time) {
            self.move_on(which, time)?;
        }
        self.batches.get_mut(self.recent[which].0)
    }

    /// Makes the batch of a time the one that was asked for last.
    #[cold]
    fn move_on(&mut self, which: usize, time: u64) -> Option<()> {
        self.batch(time)?;
        let index = ((time - self.origin) / self.length) as usize;
        self.recent[which] = (index, self.end_of(index)..self.end_of(index + 1));
        Some(())
    }

    /// Reads what is counted of a source, so that it comes into the near caches. What it returns means
    /// nothing, but has to be used.
    #[inline]
    pub(super) fn touch(&self, source: u32) -> u32 {
        self.per_source.get(source as usize).copied().unwrap_or(0)
    }

    /// Counts a delivery.
    #[inline(always)]
    pub(super) fn deliver(&mut self, now: u64, delivery: &Delivery) {
        self.per_source[delivery.source as usize] += 1;
        self.delivered += 1;
        let id = u64::from(delivery.source) << 32 | u64::from(delivery.number);
        self.deliveries = self.deliveries.wrapping_add(mix(mix(id) ^ now));
        #[cfg(feature = "complete")]
        if self.together > 1 {
            return self.deliver_part(now, delivery);
        }
        let latency = now - delivery.born;
        if let Some(batch) = self.batch_again(0, now) {
            batch.count_packet(delivery);
            batch.count_message(latency);
        }
        self.count_born(delivery.born, latency);
    }

    /// Counts a packet of a message of several, and the message with the last of them.
    #[cfg(feature = "complete")]
    #[cold]
    fn deliver_part(&mut self, now: u64, delivery: &Delivery) {
        if let Some(batch) = self.batch_again(0, now) {
            batch.count_packet(delivery);
        }
        let message = delivery.number / self.together;
        let message = u64::from(delivery.source) << 32 | u64::from(message);
        let (count, last) = self.partial.entry(message).or_default();
        *count += 1;
        *last = now.max(*last);
        let (count, last) = (*count, *last);
        if count == self.together {
            self.partial.remove(&message);
            self.complete(last, delivery.born);
        }
    }

    /// Counts a message when its last packet has been delivered.
    #[cfg(feature = "complete")]
    fn complete(&mut self, now: u64, born: u64) {
        let latency = now - born;
        if let Some(batch) = self.batch_again(0, now) {
            batch.count_message(latency);
        }
        self.count_born(born, latency);
    }

    /// Counts the latency of a message by the time at which it was generated.
    #[inline(always)]
    fn count_born(&mut self, born: u64, latency: u64) {
        self.latencies = self.latencies.wrapping_add(latency);
        self.longest = self.longest.max(latency);
        if let Some(batch) = self.batch_again(1, born) {
            batch.born += 1;
            batch.born_latency += latency;
            batch.born_longest = batch.born_longest.max(latency);
            batch.born_shortest = Some(batch.born_shortest.map_or(latency, |s| s.min(latency)));
            batch.born_histogram.add(latency);
        }
    }

    /// The batches from `start` to before `end`.
    pub(super) fn window(&self, start: usize, end: usize) -> &[Batch] {
        let end = end.min(self.batches.len());
        &self.batches[start.min(end)..end]
    }

    /// Packets delivered per batch.
    pub(super) fn rates(&self, start: usize, end: usize) -> Vec<f64> {
        self.window(start, end).iter().map(|batch| batch.delivered as f64).collect()
    }

    /// Mean latency, in nanoseconds, of the messages delivered in each batch; a batch without any
    /// has that of the one before.
    pub(super) fn latencies(&self, start: usize, end: usize) -> Vec<f64> {
        let mut last = 0.0;
        let mean = |batch: &Batch| {
            last = batch.mean_latency_ns().unwrap_or(last);
            last
        };
        self.window(start, end).iter().map(mean).collect()
    }

    /// Mean number of switches crossed by the packets delivered in the batches.
    pub(super) fn mean_switches(&self, start: usize, end: usize) -> f64 {
        let window = self.window(start, end);
        let switches: u64 = window.iter().map(|batch| batch.switches).sum();
        let delivered: u64 = window.iter().map(|batch| batch.delivered).sum();
        switches as f64 / (delivered as f64).max(1.0)
    }

    /// How the latencies of the messages generated in the batches are spread.
    pub(super) fn histogram(&self, start: usize, end: usize) -> Histogram {
        let mut histogram = Histogram::default();
        self.window(start, end).iter().for_each(|batch| histogram.merge(&batch.born_histogram));
        histogram
    }

    /// Latencies of the messages generated in the batches.
    pub(super) fn latency(&self, start: usize, end: usize) -> super::LatencyReport {
        let window = self.window(start, end);
        let histogram = self.histogram(start, end);
        let count: u64 = window.iter().map(|batch| batch.born).sum();
        let sum: u64 = window.iter().map(|batch| batch.born_latency).sum();
        let longest = window.iter().map(|batch| batch.born_longest).max().unwrap_or(0);
        let shortest = window.iter().filter_map(|batch| batch.born_shortest).min().unwrap_or(0);
        // A bucket's middle may lie outside of what was seen.
        let percentile = |percent| {
            let time = histogram.percentile(percent)?;
            Some(Time::ps(time.as_ps().clamp(shortest, longest)))
        };
        super::LatencyReport {
            mean_ns: (count > 0).then(|| sum as f64 / count as f64 / 1e3),
            median: percentile(50),
            p99: percentile(99),
            max: (count > 0).then(|| Time::ps(longest)),
        }
    }

    /// FNV-1a over the run's integers.
    pub(super) fn digest(&self, end: u64, packet: u64) -> u64 {
        let mut hasher = FnvHasher::default();
        for value in [
            self.delivered,
            self.delivered * packet,
            self.latencies,
            self.longest,
            end,
            self.deliveries,
        ] {
            hasher.write(&value.to_le_bytes());
        }
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_monotone_and_about_two_percent_wide() {
        let mut last = 0;
        for value in (0..5_000).chain((13..50).map(|power| 1_u64 << power)) {
            let middle = Histogram::value(Histogram::bucket(value));
            assert!(middle.abs_diff(value) <= value / 31, "{value} became {middle}");
            assert!(middle >= last);
            last = middle;
        }
    }

    #[test]
    fn percentiles_are_those_of_the_values() {
        let mut histogram = Histogram::default();
        (1..=1000).for_each(|value| histogram.add(value * 1000));
        let near = |percent, expected: u64| {
            let found = histogram.percentile(percent).expect("values").as_ps();
            assert!(found.abs_diff(expected) * 50 <= expected, "{percent}: {found}");
        };
        near(50, 500_000);
        near(99, 990_000);
        assert_eq!(Histogram::default().percentile(50), None);
    }
}
