//! Quantities: time, bandwidth, bytes, load and rank, each a type of its own.
//!
//! All are integers, so that the same experiment has the same bits everywhere. Each reads the
//! text form used in the notation (`50ns`, `100Gbps`, `4KiB`, `0.05`) and prints it back in one
//! canonical way.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

mod decimal;
mod grouped;
mod lanes;

pub use grouped::grouped;

use decimal::{Decimal, Suffix};

/// Why a piece of text is not a quantity; the message says what form is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct NotAQuantity {
    /// The accepted form, with an example.
    pub expected: &'static str,
}

/// A duration or a point in simulated time, in whole picoseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Time(u64);

impl Time {
    /// No time at all.
    pub const ZERO: Time = Time(0);
    /// Later than anything that happens.
    pub const MAX: Time = Time(u64::MAX);

    const SUFFIXES: &'static [Suffix] = &[
        Suffix("s", 1_000_000_000_000),
        Suffix("ms", 1_000_000_000),
        Suffix("us", 1_000_000),
        Suffix("ns", 1_000),
        Suffix("ps", 1),
    ];
    const EXPECTED: &'static str = "a time such as 50ns, 1.5us or 800ps";

    /// A time of so many picoseconds.
    pub const fn ps(picoseconds: u64) -> Time {
        Time(picoseconds)
    }

    /// A time of so many nanoseconds.
    pub const fn ns(nanoseconds: u64) -> Time {
        Time(nanoseconds * 1_000)
    }

    /// A time of so many microseconds.
    pub const fn us(microseconds: u64) -> Time {
        Time(microseconds * 1_000_000)
    }

    /// The time in picoseconds.
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// The time in nanoseconds, for display and statistics.
    pub fn as_ns(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    /// The difference, zero when `other` is later.
    pub const fn saturating_sub(self, other: Time) -> Time {
        Time(self.0.saturating_sub(other.0))
    }
}

impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        Time(self.0 + other.0)
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        self.0 += other.0;
    }
}

impl Sub for Time {
    type Output = Time;
    fn sub(self, other: Time) -> Time {
        Time(self.0 - other.0)
    }
}

impl Mul<u64> for Time {
    type Output = Time;
    fn mul(self, count: u64) -> Time {
        Time(self.0 * count)
    }
}

impl FromStr for Time {
    type Err = NotAQuantity;
    fn from_str(text: &str) -> Result<Time, NotAQuantity> {
        decimal::parse(text, Time::SUFFIXES, Time::EXPECTED).map(Time)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => formatter.write_str("0ns"),
            picoseconds => decimal::print(formatter, picoseconds, Time::SUFFIXES),
        }
    }
}

/// A data rate in bits per second (payload rate, after line coding).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bandwidth(u64);

impl Bandwidth {
    const SUFFIXES: &'static [Suffix] = &[
        Suffix("Tbps", 1_000_000_000_000),
        Suffix("Gbps", 1_000_000_000),
        Suffix("Mbps", 1_000_000),
        Suffix("kbps", 1_000),
        Suffix("bps", 1),
    ];
    const EXPECTED: &'static str = "a data rate such as 100Gbps, 2.5Gbps or 4xQDR";

    /// A rate of so many gigabits per second.
    pub const fn gbps(gigabits: u64) -> Bandwidth {
        Bandwidth(gigabits * 1_000_000_000)
    }

    /// A rate of so many bits per second.
    pub const fn bps(bits: u64) -> Bandwidth {
        Bandwidth(bits)
    }

    /// The rate in bits per second.
    pub const fn as_bps(self) -> u64 {
        self.0
    }

    /// The time that `bytes` need to pass at this rate, rounded up to whole picoseconds.
    pub fn serialization(self, bytes: Bytes) -> Time {
        let bit_picoseconds = u128::from(bytes.0) * 8 * 1_000_000_000_000;
        let time = bit_picoseconds.div_ceil(u128::from(self.0.max(1)));
        Time(u64::try_from(time).unwrap_or(u64::MAX))
    }

    /// Whether [`serialization`](Self::serialization) of `bytes` had to be rounded.
    pub fn rounds(self, bytes: Bytes) -> bool {
        !(u128::from(bytes.0) * 8 * 1_000_000_000_000).is_multiple_of(u128::from(self.0.max(1)))
    }
}

impl Default for Bandwidth {
    /// One bit per second, the smallest.
    fn default() -> Bandwidth {
        Bandwidth(1)
    }
}

impl FromStr for Bandwidth {
    type Err = NotAQuantity;
    fn from_str(text: &str) -> Result<Bandwidth, NotAQuantity> {
        match Bandwidth::infiniband(text) {
            Some(rate) => Ok(rate),
            None => decimal::parse(text, Bandwidth::SUFFIXES, Bandwidth::EXPECTED).map(Bandwidth),
        }
    }
}

impl fmt::Display for Bandwidth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        decimal::print(formatter, self.0, Bandwidth::SUFFIXES)
    }
}

/// An amount of data in bytes. `KiB` is 1024 bytes, `kB` is 1000.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Bytes(pub u64);

impl Bytes {
    const SUFFIXES: &'static [Suffix] = &[
        Suffix("TiB", 1 << 40),
        Suffix("TB", 1_000_000_000_000),
        Suffix("GiB", 1 << 30),
        Suffix("GB", 1_000_000_000),
        Suffix("MiB", 1 << 20),
        Suffix("MB", 1_000_000),
        Suffix("KiB", 1 << 10),
        Suffix("kB", 1_000),
        Suffix("B", 1),
    ];
    const EXPECTED: &'static str = "an amount of data such as 256B, 4KiB (4096 B) or 100kB";
}

impl FromStr for Bytes {
    type Err = NotAQuantity;
    fn from_str(text: &str) -> Result<Bytes, NotAQuantity> {
        decimal::parse(text, Bytes::SUFFIXES, Bytes::EXPECTED).map(Bytes)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        decimal::print_whole(formatter, self.0, Bytes::SUFFIXES)
    }
}

/// A fraction of a link's rate in parts per million; 1 000 000 is the full rate.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Load(u32);

impl Load {
    /// The full rate of the link.
    pub const FULL: Load = Load(1_000_000);
    const EXPECTED: &'static str = "a fraction such as 0.05, with at most six decimals";

    /// A load of so many parts per million.
    pub const fn ppm(parts: u32) -> Load {
        Load(parts)
    }

    /// The load in parts per million.
    pub const fn as_ppm(self) -> u32 {
        self.0
    }

    /// The load as a fraction.
    pub fn as_fraction(self) -> f64 {
        f64::from(self.0) / 1_000_000.0
    }
}

impl FromStr for Load {
    type Err = NotAQuantity;
    fn from_str(text: &str) -> Result<Load, NotAQuantity> {
        let expected = NotAQuantity { expected: Load::EXPECTED };
        let decimal = Decimal::parse(text).ok_or_else(|| expected.clone())?;
        let parts = decimal.times(1_000_000).ok_or_else(|| expected.clone())?;
        u32::try_from(parts).map(Load).map_err(|_| expected)
    }
}

impl fmt::Display for Load {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        decimal::print(formatter, u64::from(self.0), &[Suffix("", 1_000_000)])
    }
}

/// The number of a process of the parallel job, from 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Rank(pub u32);

impl fmt::Display for Rank {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantities_print_in_the_largest_unit_that_stays_exact() {
        assert_eq!(Time::ns(50).to_string(), "50ns");
        assert_eq!(Time::ps(20_480).to_string(), "20.48ns");
        assert_eq!(Time::us(200).to_string(), "200us");
        assert_eq!(Time::ZERO.to_string(), "0ns");
        assert_eq!(Bandwidth::gbps(100).to_string(), "100Gbps");
        assert_eq!(Bandwidth::bps(2_500_000_000).to_string(), "2.5Gbps");
        assert_eq!(Bytes(4096).to_string(), "4KiB");
        assert_eq!(Bytes(100_000).to_string(), "100kB");
        assert_eq!(Bytes(256).to_string(), "256B");
        assert_eq!(Load::ppm(50_000).to_string(), "0.05");
        assert_eq!(Load::FULL.to_string(), "1");
    }

    #[test]
    fn what_is_not_a_quantity_is_refused_with_the_expected_form() {
        for text in ["", "50", "ns", "-1ns", "1e3ns", "50 ns", "0.0001ps", "99999999999s"] {
            let error = text.parse::<Time>().expect_err(text);
            assert!(error.to_string().contains("50ns"), "{text}");
        }
        assert!("0.0000001".parse::<Load>().is_err());
        assert!("100GBps".parse::<Bandwidth>().is_err());
        assert!("1.5B".parse::<Bytes>().is_err());
    }

    #[test]
    fn serialization_is_exact_where_it_can_be_and_rounds_up_where_not() {
        assert_eq!(Bandwidth::gbps(100).serialization(Bytes(256)), Time::ps(20_480));
        assert!(!Bandwidth::gbps(100).rounds(Bytes(256)));
        let fdr = Bandwidth::bps(54_545_454_545);
        assert!(fdr.rounds(Bytes(1)));
        assert_eq!(fdr.serialization(Bytes(1)), Time::ps(147));
    }

    proptest! {
        #[test]
        fn every_value_reads_back(value in any::<u64>(), parts in any::<u32>()) {
            prop_assert_eq!(Time::ps(value).to_string().parse(), Ok(Time::ps(value)));
            prop_assert_eq!(Bytes(value).to_string().parse(), Ok(Bytes(value)));
            prop_assert_eq!(Bandwidth::bps(value).to_string().parse(), Ok(Bandwidth::bps(value)));
            prop_assert_eq!(Load::ppm(parts).to_string().parse(), Ok(Load::ppm(parts)));
        }
    }
}
