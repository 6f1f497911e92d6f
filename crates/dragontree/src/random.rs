//! The seeded generator and its named streams.
//!
//! Every purpose (placement, traffic, routing, …) draws from a stream of its own, derived from
//! the run's seed, the purpose's name and an index, so that changing one part of an experiment
//! leaves the draws of the others untouched and the order of evaluation does not matter.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

/// A stream of random numbers, 8 bytes of state.
#[derive(Clone, Debug)]
pub struct Stream(SplitMix64);

impl Stream {
    /// The stream of `purpose` under `seed`; `index` tells streams of one purpose apart
    /// (one per endpoint, say).
    pub fn new(seed: u64, purpose: &str, index: u64) -> Stream {
        let name = purpose.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Stream(SplitMix64::seed_from_u64(mix(mix(seed ^ name).wrapping_add(mix(index)))))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A stream of its own, which takes one draw of this one, however much is drawn from it.
    #[inline]
    pub fn split(&mut self) -> Stream {
        Stream(SplitMix64::seed_from_u64(self.bits()))
    }

    /// A number in `0..count`, each equally likely (Lemire's multiply-and-reject).
    /// Zero when `count` is zero.
    #[inline]
    pub fn below(&mut self, count: u32) -> u32 {
        let mut product = (self.bits() >> 32) * u64::from(count);
        // The threshold is below the count, and a division away.
        if (product as u32) < count {
            let threshold = count.wrapping_neg() % count;
            while (product as u32) < threshold {
                product = (self.bits() >> 32) * u64::from(count);
            }
        }
        (product >> 32) as u32
    }

    /// Brings `items` into a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(u32::try_from(last + 1).unwrap_or(u32::MAX));
            items.swap(last, other as usize);
        }
    }
}

/// Scrambles 64 bits one-to-one (the finalizer of SplitMix64).
pub fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Gaps between successes of independent trials, drawn by table lookup in whole numbers only.
///
/// A gap longer than the table restarts it, which is exact because the law has no memory.
#[derive(Clone, Debug)]
pub struct Geometric {
    /// `thresholds[k]`: probability of a gap of at most `k + 1`, in units of 2^-64.
    thresholds: Vec<u64>,
    /// For each value of a draw's first byte, how many thresholds every such draw reaches.
    reached: [u16; 256],
}

impl Geometric {
    const TABLE: usize = 256;

    /// The law for a chance of success of `parts_per_million` in each trial; a chance of zero is
    /// treated as one in a million, a chance of one or more as certain.
    pub fn new(parts_per_million: u32) -> Geometric {
        if parts_per_million >= 1_000_000 {
            return Geometric { thresholds: Vec::new(), reached: [0; 256] };
        }
        let miss = 1_000_000 - u128::from(parts_per_million.max(1));
        let mut tail: u128 = 1 << 64;
        let thresholds: Vec<u64> = (0..Geometric::TABLE)
            .map(|_| {
                tail = tail * miss / 1_000_000;
                u64::try_from((1_u128 << 64) - tail).unwrap_or(u64::MAX)
            })
            .collect();
        let reached = |byte| thresholds.partition_point(|each| *each <= (byte as u64) << 56) as u16;
        Geometric { reached: std::array::from_fn(reached), thresholds }
    }

    /// The number of trials up to and including the next success, at least 1.
    #[inline]
    pub fn gap(&self, stream: &mut Stream) -> u64 {
        if self.thresholds.is_empty() {
            return 1;
        }
        let mut trials = 1;
        loop {
            let draw = stream.bits();
            let mut below = usize::from(self.reached[usize::from((draw >> 56) as u8)]);
            while self.thresholds.get(below).is_some_and(|threshold| *threshold <= draw) {
                below += 1;
            }
            trials += below as u64;
            if below < self.thresholds.len() {
                return trials;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_matches_the_published_sequence() {
        // Reference outputs for seed 1234567 from the generator's authors' C code.
        let mut generator = SplitMix64::seed_from_u64(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!([generator.next_u64(), generator.next_u64()], expected);
    }

    #[test]
    fn streams_differ_by_seed_name_and_index() {
        let first = |seed, name, index| Stream::new(seed, name, index).bits();
        let draws = [first(1, "traffic", 0), first(2, "traffic", 0), first(1, "routing", 0)];
        assert!(draws[0] != draws[1] && draws[0] != draws[2]);
        assert_ne!(draws[0], first(1, "traffic", 1));
        assert_eq!(draws[0], first(1, "traffic", 0));
    }

    #[test]
    fn a_stream_split_off_takes_one_draw() {
        let mut streams = [(); 3].map(|()| Stream::new(5, "test", 0));
        streams[0].bits();
        let mut own = streams[1].split();
        let draws = [own.bits(), own.bits()];
        assert_eq!(streams[0].bits(), streams[1].bits());
        assert!(!draws.contains(&streams[1].bits()) && draws[0] != draws[1]);
        let mut again = streams[2].split();
        assert_eq!([again.bits(), again.bits()], draws);
    }

    #[test]
    fn draws_are_uniform() {
        let mut stream = Stream::new(7, "test", 0);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[stream.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
        assert_eq!(stream.below(0), 0);
    }

    #[test]
    fn gaps_have_the_mean_and_the_tail_of_the_geometric_law() {
        for parts in [1_000_u32, 50_000, 300_000, 900_000] {
            let law = Geometric::new(parts);
            let mut stream = Stream::new(3, "test", u64::from(parts));
            let draws: Vec<u64> = (0..200_000).map(|_| law.gap(&mut stream)).collect();
            let mean = draws.iter().sum::<u64>() as f64 / draws.len() as f64;
            let expected = 1e6 / f64::from(parts);
            assert!((mean / expected - 1.0).abs() < 0.01, "{parts}: {mean} for {expected}");
            let ones = draws.iter().filter(|gap| **gap == 1).count() as f64 / 200_000.0;
            assert!((ones - f64::from(parts) / 1e6).abs() < 0.004);
        }
        assert_eq!(Geometric::new(1_000_000).gap(&mut Stream::new(1, "test", 0)), 1);
    }
}
