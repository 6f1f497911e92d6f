//! Deliveries that are counted together.

use std::ops::RangeInclusive;

use super::{Delivery, Statistics};

impl Statistics {
    /// Counts some deliveries in a range of times, each as [`Statistics::deliver`] does.
    ///
    /// Most come in one batch, and the packets were generated in one: then what is summed up stays in
    /// registers, of which two loops need fewer at a time than one.
    #[inline]
    pub(in crate::simulation) fn deliver_all(
        &mut self,
        times: RangeInclusive<u64>,
        deliveries: impl Iterator<Item = (u64, Delivery)> + Clone,
    ) {
        if !self.are_messages() {
            return deliveries.for_each(|(now, delivery)| self.deliver(now, &delivery));
        }
        let (mut hashes, mut switches, mut sum) = (0_u64, 0, 0);
        let (mut first, mut last) = (u64::MAX, 0);
        let per_source = &mut self.per_source[..];
        let latencies = deliveries.clone().map(|(now, delivery)| {
            if let Some(count) = per_source.get_mut(delivery.source as usize) {
                *count += 1;
            }
            hashes = hashes.wrapping_add(delivery.hash(now));
            switches += u64::from(delivery.switches);
            (first, last) = (first.min(delivery.born), last.max(delivery.born));
            let latency = now - delivery.born;
            sum += latency;
            latency
        });
        self.fresh.clear();
        self.fresh.extend(latencies);
        self.delivered += self.fresh.len() as u64;
        self.deliveries = self.deliveries.wrapping_add(hashes);
        match (self.only_batch(0, times), self.only_batch(1, first..=last)) {
            (Some(arrival), Some(birth)) => self.count_fresh((arrival, birth), switches, sum),
            _ => deliveries.for_each(|(now, delivery)| self.count(now, &delivery)),
        }
    }

    /// The number of the batch that holds all of a range of times, if one does.
    fn only_batch(&mut self, which: usize, times: RangeInclusive<u64>) -> Option<usize> {
        self.batch_again(which, *times.start());
        let (batch, all) = &self.recent[which];
        all.contains(times.end()).then_some(*batch)
    }

    /// Counts the fresh latencies, of packets that were all delivered in one batch and generated in one.
    fn count_fresh(&mut self, (arrival, birth): (usize, usize), switches: u64, sum: u64) {
        let count = self.fresh.len() as u64;
        if let Some(batch) = self.batches.get_mut(arrival) {
            batch.delivered += count;
            batch.switches += switches;
            batch.messages += count;
            batch.latency += sum;
        }
        self.latencies = self.latencies.wrapping_add(sum);
        let (mut shortest, mut longest) = (u64::MAX, 0);
        for latency in &self.fresh {
            (shortest, longest) = (shortest.min(*latency), longest.max(*latency));
        }
        self.longest = self.longest.max(longest);
        let Some(batch) = self.batches.get_mut(birth) else { return };
        batch.born += count;
        batch.born_latency += sum;
        batch.born_longest = batch.born_longest.max(longest);
        batch.born_shortest = Some(batch.born_shortest.map_or(shortest, |s| s.min(shortest)));
        batch.born_histogram.add_all(&self.fresh, longest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// Of any deliveries, in the same batches or not, as much is counted together as one by one.
    #[test]
    fn deliveries_count_as_much_together_as_one_by_one() {
        const SOURCES: u32 = 5;
        let mut stream = Stream::new(1, "test", 0);
        let statistics = || Statistics::new(700, 1_000, SOURCES as usize, 1);
        let (mut together, mut each) = (statistics(), statistics());
        for (number, span) in
            [(0, 100), (1, 3_000), (2, 1), (3, 900), (4, 20_000)].repeat(8).into_iter()
        {
            let start = u64::from(stream.below(9_000));
            let mut deliveries = Vec::new();
            for _ in 0..=stream.below(40) {
                let born = start + u64::from(stream.below(span));
                let now = start + 100 + u64::from(span) + u64::from(stream.below(span));
                let (source, switches) = (stream.below(SOURCES), stream.below(5) as u8);
                deliveries.push((now, Delivery { source, number, born, switches }));
            }
            deliveries.iter().for_each(|(now, delivery)| each.deliver(*now, delivery));
            let times = deliveries.iter().map(|(now, _)| *now);
            let (first, last) = (times.clone().min().expect("some"), times.max().expect("some"));
            let times = first - u64::from(stream.below(2))..=last + u64::from(stream.below(300));
            together.deliver_all(times, deliveries.into_iter());
        }
        assert_eq!(together.per_source, each.per_source);
        assert_eq!(together.digest(0, 1), each.digest(0, 1));
        assert_eq!(format!("{:?}", together.batches), format!("{:?}", each.batches));
    }
}
