//! How latencies are spread.

use crate::units::Time;

/// Latencies on a logarithmic scale: 32 buckets per doubling, so a bucket is about 2 % wide.
#[derive(Clone, Debug, Default)]
pub(in crate::simulation) struct Histogram {
    counts: Vec<u32>,
}

impl Histogram {
    const FINE: u32 = 5;

    /// The bucket of a value.
    #[inline]
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
    pub(in crate::simulation) fn bars(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let full = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        full.map(|(bucket, count)| {
            (Histogram::start(bucket), Histogram::start(bucket + 1), u64::from(*count))
        })
    }

    /// Makes the bucket of a value one of the counts.
    #[inline]
    fn reach(&mut self, value: u64) {
        let bucket = Histogram::bucket(value);
        if bucket >= self.counts.len() {
            self.counts.resize(bucket + 1, 0);
        }
    }

    /// Adds a value.
    pub(in crate::simulation) fn add(&mut self, value: u64) {
        self.reach(value);
        self.counts[Histogram::bucket(value)] += 1;
    }

    /// Adds values, the largest of which is this.
    #[inline]
    pub(super) fn add_all(&mut self, values: &[u64], largest: u64) {
        self.reach(largest);
        for value in values {
            if let Some(count) = self.counts.get_mut(Histogram::bucket(*value)) {
                *count += 1;
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Histogram) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// The value below which so many percent lie.
    pub(in crate::simulation) fn percentile(&self, percent: u64) -> Option<Time> {
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
