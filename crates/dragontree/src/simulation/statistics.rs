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
mod histogram;
mod together;

#[cfg(feature = "complete")]
pub(super) use bytes::Part;
pub(super) use histogram::Histogram;

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
    fn count_packet(&mut self, delivery: &Delivery) {
        self.delivered += 1;
        self.switches += u64::from(delivery.switches);
    }

    /// Counts a message of which the last packet was delivered in it.
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
    /// The batches in which deliveries and the generations of packets were looked up last, and when they
    /// begin and end.
    recent: [(usize, Range<u64>); 2],
    /// The latencies of the packets that are being counted; kept for its memory.
    fresh: Vec<u64>,
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
#[derive(Clone, Copy)]
pub(super) struct Delivery {
    pub(super) source: u32,
    pub(super) number: u32,
    pub(super) born: u64,
    pub(super) switches: u8,
}

impl Delivery {
    /// A hash of the packet and the time of its delivery.
    #[inline(always)]
    fn hash(&self, now: u64) -> u64 {
        let id = u64::from(self.source) << 32 | u64::from(self.number);
        mix(mix(id) ^ now)
    }
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
            fresh: Vec::new(),
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

    /// The same, for times most of which lie in the batch that was asked for last. Those before the origin
    /// are in none, which has a number beyond all.
    #[inline]
    fn batch_again(&mut self, which: usize, time: u64) -> Option<&mut Batch> {
        if !self.recent[which].1.contains(&time) {
            self.move_on(which, time);
        }
        self.batches.get_mut(self.recent[which].0)
    }

    /// Makes the batch of a time the one that was asked for last.
    #[cold]
    fn move_on(&mut self, which: usize, time: u64) {
        self.recent[which] = match self.batch(time) {
            Some(_) => {
                let index = ((time - self.origin) / self.length) as usize;
                (index, self.end_of(index)..self.end_of(index + 1))
            }
            None => (usize::MAX, 0..self.origin),
        };
    }

    /// Reads what is counted of a source, so that it comes into the near caches. What it returns means
    /// nothing, but has to be used.
    #[inline]
    pub(super) fn touch(&self, source: u32) -> u32 {
        self.per_source.get(source as usize).copied().unwrap_or(0)
    }

    /// Whether every packet is a message.
    fn are_messages(&self) -> bool {
        #[cfg(feature = "complete")]
        return self.together <= 1;
        #[cfg(not(feature = "complete"))]
        true
    }

    /// Counts a delivery.
    pub(super) fn deliver(&mut self, now: u64, delivery: &Delivery) {
        self.per_source[delivery.source as usize] += 1;
        self.delivered += 1;
        self.deliveries = self.deliveries.wrapping_add(delivery.hash(now));
        #[cfg(feature = "complete")]
        if !self.are_messages() {
            return self.deliver_part(now, delivery);
        }
        self.count(now, delivery);
    }

    /// Counts a message of one packet by the times at which it was delivered and generated.
    fn count(&mut self, now: u64, delivery: &Delivery) {
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
