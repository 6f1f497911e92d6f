//! From a slider's position to a value and back.

use dragontree::catalog::Unit;

/// How a slider's positions stand for values in base units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Evenly, a step of so many base units per position.
    Even {
        /// The value of position 0.
        low: u64,
        /// The value of one position.
        step: u64,
        /// The last position.
        last: u32,
    },
    /// Whole numbers, one by one up to 16, then eight to each doubling.
    Ladder {
        /// The smallest value.
        low: u64,
        /// The largest value.
        high: u64,
    },
    /// Each position multiplies; zero, where allowed, has the first position to itself.
    Ratio {
        /// The smallest value beside zero.
        low: u64,
        /// The largest value.
        high: u64,
        /// Whether position 0 is zero.
        zero: bool,
        /// Whether values are powers of two rather than round decimals.
        binary: bool,
    },
}

/// The last position of a multiplying slider.
const LAST: u32 = 120;
/// The most positions of a slider that gives each whole number one.
const MOST_EVEN: u64 = 30;
/// The largest whole number that a slider reaches.
const MOST_COUNT: u64 = 1 << 24;
/// A percent in parts per million.
const PERCENT: u64 = 10_000;

impl Scale {
    /// The scale for a range of values; none where a slider would not help.
    pub fn of(unit: Unit, low: u64, high: u64) -> Option<Scale> {
        match unit {
            Unit::Load if high == 100 * PERCENT => {
                Some(Scale::Even { low: PERCENT, step: PERCENT, last: 99 })
            }
            Unit::Count if high - low <= MOST_EVEN => {
                Some(Scale::Even { low, step: 1, last: (high - low) as u32 })
            }
            Unit::Count if high <= MOST_COUNT => Some(Scale::Ladder { low, high }),
            Unit::Count => None,
            _ => {
                let zero = low == 0;
                let low = if zero { (high / 1_000_000).max(1) } else { low };
                let binary = unit == Unit::Bytes;
                Some(Scale::Ratio { low, high, zero, binary })
            }
        }
    }

    /// The last position.
    pub fn last(self) -> u32 {
        match self {
            Scale::Even { last, .. } => last,
            Scale::Ladder { high, .. } => self.position(high),
            Scale::Ratio { .. } => LAST,
        }
    }

    /// The value at a position.
    pub fn value(self, position: u32) -> u64 {
        match self {
            Scale::Even { low, step, last } => low + step * u64::from(position.min(last)),
            Scale::Ladder { low, high } => rung(position + rung_of(low)).clamp(low, high),
            Scale::Ratio { zero: true, .. } if position == 0 => 0,
            Scale::Ratio { low, high, binary, .. } => {
                let share = f64::from(position) / f64::from(LAST);
                let exact = low as f64 * raised(high as f64 / low as f64, share);
                let round = if binary { power_of_two(exact) } else { two_digits(exact) };
                round.clamp(low, high)
            }
        }
    }

    /// The position nearest to a value.
    pub fn position(self, value: u64) -> u32 {
        match self {
            Scale::Even { low, step, last } => {
                let steps = (value.saturating_sub(low) + step / 2) / step;
                (steps as u32).min(last)
            }
            Scale::Ladder { low, .. } => rung_of(value).saturating_sub(rung_of(low)),
            Scale::Ratio { .. } => {
                let distance = |position: &u32| {
                    let there = self.value(*position).max(1) as f64;
                    let ratio = value.max(1) as f64 / there;
                    ratio.max(1.0 / ratio)
                };
                let first = u32::from(value > 0);
                (first..=LAST)
                    .min_by(|one, other| distance(one).total_cmp(&distance(other)))
                    .unwrap_or(0)
            }
        }
    }
}

/// The whole number at a place of the ladder: 0, 1, … 16, 18, … 32, 36, … 64, 72, …
fn rung(place: u32) -> u64 {
    match place.checked_sub(17) {
        None => u64::from(place),
        Some(above) => (18 + 2 * u64::from(above % 8)) << (above / 8).min(40),
    }
}

/// The first place of the ladder that is not below a number.
fn rung_of(number: u64) -> u32 {
    let places = 0..400;
    places.into_iter().find(|place| rung(*place) >= number).unwrap_or(400)
}

/// A power with a share from 0 to 1 as its exponent, by repeated roots: close enough for a slider.
fn raised(base: f64, share: f64) -> f64 {
    let (mut result, mut root, mut rest) = (1.0, base, share);
    for _ in 0..30 {
        if rest >= 1.0 {
            result *= root;
            rest -= 1.0;
        }
        root = root.sqrt();
        rest *= 2.0;
    }
    result
}

fn two_digits(value: f64) -> u64 {
    let mut unit = 1.0;
    while value / unit >= 100.0 {
        unit *= 10.0;
    }
    ((value / unit).round() * unit) as u64
}

fn power_of_two(value: f64) -> u64 {
    let mut power = 1_u64;
    while (power as f64) * std::f64::consts::SQRT_2 < value && power < 1 << 62 {
        power *= 2;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_go_one_by_one_and_then_in_growing_steps() {
        let scale = Scale::of(Unit::Count, 1, 64).unwrap();
        let values: Vec<u64> = (0..=scale.last()).map(|place| scale.value(place)).collect();
        assert_eq!(values[..17], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18]);
        assert_eq!(values[23..], [32, 36, 40, 44, 48, 52, 56, 60, 64]);
        assert_eq!(scale.position(4), 3);
        let scale = Scale::of(Unit::Count, 2, 4_000_000).unwrap();
        assert_eq!((scale.value(0), scale.value(scale.last())), (2, 4_000_000));
    }

    #[test]
    fn small_counts_have_a_position_each() {
        let scale = Scale::of(Unit::Count, 1, 16).unwrap();
        assert_eq!((scale.last(), scale.value(0), scale.value(15)), (15, 1, 16));
    }

    #[test]
    fn loads_go_by_percent() {
        let scale = Scale::of(Unit::Load, 1, 1_000_000).unwrap();
        assert_eq!(scale.value(scale.position(500_000)), 500_000);
        assert_eq!(scale.value(scale.last()), 1_000_000);
    }

    #[test]
    fn wide_ranges_reach_both_ends_in_round_values() {
        let rate = Scale::of(Unit::Bandwidth, 1_000_000, 10_000_000_000_000).unwrap();
        assert_eq!(rate.value(0), 1_000_000);
        assert_eq!(rate.value(rate.last()), 10_000_000_000_000);
        let time = Scale::of(Unit::Time, 0, 1_000_000_000).unwrap();
        assert_eq!((time.value(0), time.position(0)), (0, 0));
        let bytes = Scale::of(Unit::Bytes, 1, 1 << 30).unwrap();
        assert_eq!(bytes.value(bytes.position(4096)), 4096);
    }

    #[test]
    fn seeds_have_no_slider() {
        assert_eq!(Scale::of(Unit::Count, 0, u64::MAX), None);
    }
}
