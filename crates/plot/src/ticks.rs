//! Round numbers along an axis.
//!
//! Powers of ten are read from their decimal form and never computed with a logarithm, whose last
//! bit, and with it the choice of a step, would depend on the platform.

use crate::chart::{Axis, Scale};
use crate::format::{Format, Unit, exponent, fixed, significant};
use crate::mapping::within;
use crate::metrics;
use crate::sheet::SMALL;

/// A labelled value on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub value: f64,
    pub label: String,
}

const MANTISSAS: [u32; 3] = [1, 2, 5];

// A step may miss the end of the range by rounding: 3 × 0.1 exceeds 0.3.
const SLACK: f64 = 1e-9;

// More candidates than pixels could ever be wanted; guards the loops against absurd ranges.
const MOST: f64 = 200.0;

/// The smallest round number at or above a positive value; 1 where there is none.
pub fn nice_ceiling(value: f64) -> f64 {
    if !value.is_finite() || value <= 0.0 {
        return 1.0;
    }
    let power = exponent(value);
    let rounds = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let candidates = rounds.into_iter().map(|round| scaled(round, power));
    candidates.into_iter().find(|&round| round >= value * (1.0 - SLACK)).unwrap_or(value)
}

/// The finest set of ticks that `fits` accepts; no ticks when it accepts none.
pub(crate) fn choose(axis: &Axis, fits: impl Fn(&[Tick]) -> bool) -> Vec<Tick> {
    if !axis.names.is_empty() {
        return named(axis, fits);
    }
    let (low, high) = axis.range;
    if axis.scale == Scale::Log {
        let ladder = ladder(axis);
        for stride in ladder.strides {
            let ticks = rungs(axis, ladder.binary, stride);
            if ticks.len() > 1 && fits(&ticks) {
                return ticks;
            }
        }
    }
    let unit = axis_unit(axis);
    let (low, high) = (low / unit.factor, high / unit.factor);
    let power = exponent(high - low);
    for power in power - 2..=power + 1 {
        for mantissa in MANTISSAS {
            let ticks = multiples(axis, unit, (low, high), mantissa, power);
            if !ticks.is_empty() && fits(&ticks) {
                return ticks;
            }
        }
    }
    Vec::new()
}

/// A tick for each name, shortened where needed; for every so many names where that is too short.
fn named(axis: &Axis, fits: impl Fn(&[Tick]) -> bool) -> Vec<Tick> {
    let tick = |(place, name): (usize, &String), room: f64| Tick {
        value: place as f64,
        label: metrics::shortened(name, f64::from(SMALL), room),
    };
    let (low, high) = axis.range;
    let shown: Vec<_> = axis
        .names
        .iter()
        .enumerate()
        .filter(|(place, _)| (low..=high).contains(&(*place as f64)))
        .collect();
    for stride in 1..=shown.len() {
        for room in NAME_ROOMS {
            let names = shown.iter().step_by(stride);
            let ticks: Vec<Tick> = names.map(|name| tick(*name, room)).collect();
            if fits(&ticks) {
                return ticks;
            }
        }
    }
    Vec::new()
}

/// The widths to which names are shortened, in pixels; below the last one they say nothing.
const NAME_ROOMS: [f64; 6] = [f64::INFINITY, 180.0, 130.0, 100.0, 75.0, 50.0];

/// The unit of a whole linear axis.
pub(crate) fn axis_unit(axis: &Axis) -> Unit {
    // Halved, so that an axis to 1,000 ns is not cut into tenths of a microsecond.
    axis.format.unit(axis.range.1.abs().max(axis.range.0.abs()) / 2.0)
}

/// What follows the axis label: its unit, where the tick labels do not carry it.
pub(crate) fn title_suffix(axis: &Axis) -> String {
    let carried = axis.scale == Scale::Log && axis.format != Format::Percent;
    match axis_unit(axis).suffix {
        suffix if carried || suffix.is_empty() || axis.label.is_empty() => String::new(),
        suffix => format!(", {suffix}"),
    }
}

fn multiples(axis: &Axis, unit: Unit, range: (f64, f64), mantissa: u32, power: i32) -> Vec<Tick> {
    let step = scaled(f64::from(mantissa), power);
    let first = (range.0 / step - SLACK).ceil();
    let last = (range.1 / step + SLACK).floor();
    if step <= 0.0 || !(0.0..=MOST).contains(&(last - first)) {
        return Vec::new();
    }
    let decimals = (-power).max(0) as usize;
    let tick = |index: u32| {
        let shown = scaled((first + f64::from(index)) * f64::from(mantissa), power);
        let value = within(shown * unit.factor, axis.range.0, axis.range.1);
        let label = match axis.scale {
            Scale::Linear if shown == 0.0 => "0".to_owned(),
            Scale::Linear => fixed(shown, decimals),
            Scale::Log => log_label(axis, value),
        };
        Tick { value, label }
    };
    (0..=(last - first) as u32).map(tick).collect()
}

/// The strides to try on a logarithmic axis, from fine to coarse.
struct Ladder {
    binary: bool,
    strides: Vec<Stride>,
}

#[derive(Clone, Copy)]
enum Stride {
    /// 1, 2 and 5 in every power.
    Within,
    /// Every so many powers.
    Powers(usize),
}

fn ladder(axis: &Axis) -> Ladder {
    let binary = axis.format == Format::Bytes;
    let decades = exponent(axis.range.1) - exponent(axis.range.0);
    let mut strides: Vec<_> = [1, 2, 3, 5, 10, 20, 50].map(Stride::Powers).to_vec();
    if !binary && decades <= 2 {
        strides.insert(0, Stride::Within);
    }
    Ladder { binary, strides }
}

fn rungs(axis: &Axis, binary: bool, stride: Stride) -> Vec<Tick> {
    let (low, high) = axis.range;
    let (low, high) = (low * (1.0 - SLACK), high * (1.0 + SLACK));
    let (mantissas, every): (&[f64], _) = match stride {
        Stride::Within => (&[1.0, 2.0, 5.0], 1),
        Stride::Powers(every) => (&[1.0], every),
    };
    let power_of = |power| {
        if binary { doubled(power) } else { scaled(1.0, power) }
    };
    let reach = if binary { 332 } else { 100 };
    // Within a power there may be rungs below its first multiple.
    let first = (-reach..reach).find(|&power| power_of(power) >= low).unwrap_or(reach);
    let first = if mantissas.len() > 1 { first - 1 } else { first };
    let mut ticks = Vec::new();
    for power in (first..=reach).step_by(every) {
        for mantissa in mantissas {
            let value = if binary { doubled(power) } else { scaled(*mantissa, power) };
            if (low..=high).contains(&value) {
                let value = within(value, axis.range.0, axis.range.1);
                ticks.push(Tick { value, label: log_label(axis, value) });
            }
        }
    }
    ticks
}

fn log_label(axis: &Axis, value: f64) -> String {
    // A rounded power of ten may lie a hair below its unit.
    let unit = axis.format.unit(value * (1.0 + SLACK));
    let number = significant(value / unit.factor, 4);
    match (axis.format, unit.suffix) {
        (Format::Percent, _) | (_, "") => number,
        (_, suffix) => format!("{number} {suffix}"),
    }
}

/// `value` times a power of ten, rounded once.
fn scaled(value: f64, power: i32) -> f64 {
    if power < 0 { value / ten(-power) } else { value * ten(power) }
}

/// A power of ten, exact up to 10^22; reading it from text would bring a table of ten kilobytes.
pub(crate) fn ten(power: i32) -> f64 {
    (0..power).fold(1.0, |value, _| value * 10.0)
}

fn doubled(power: i32) -> f64 {
    let factor = if power < 0 { 0.5 } else { 2.0 };
    (0..power.abs()).fold(1.0, |value, _| value * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, most: usize) -> Vec<String> {
        choose(axis, |ticks| ticks.len() <= most).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(labels(&Axis::percent("load"), 7), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(&Axis::percent_to("load", 0.55), 4), ["0", "20", "40", "60"]);
        let latency = Axis::linear("latency", (0.0, 2500.0), Format::Nanoseconds);
        assert_eq!(labels(&latency, 6), ["0", "0.5", "1.0", "1.5", "2.0", "2.5"]);
        assert_eq!(title_suffix(&latency), ", µs");
    }

    #[test]
    fn names_are_shortened_before_they_are_left_out() {
        let names = ["contiguous", "random", "round robin"].map(str::to_owned).to_vec();
        let axis = Axis::named("placement", names.clone());
        assert_eq!(labels(&axis, 3), names);
        assert_eq!(labels(&axis, 2), ["contiguous", "round robin"]);
        let narrow = |ticks: &[Tick]| ticks.iter().all(|tick| tick.label.chars().count() < 10);
        let shortened = choose(&axis, narrow);
        assert_eq!(shortened.len(), 3);
        assert!(shortened[0].label.ends_with('…'), "{shortened:?}");
        assert_eq!((axis.text(1.0), axis.text(0.5)), ("random".to_owned(), "0.5".to_owned()));
    }

    #[test]
    fn log_ticks_are_powers() {
        let bytes = Axis::log("message", (1024.0, 32768.0), Format::Bytes);
        assert_eq!(labels(&bytes, 3), ["1 KiB", "4 KiB", "16 KiB"]);
        let latency = Axis::log("latency", (100.0, 1e5), Format::Nanoseconds);
        assert_eq!(labels(&latency, 5), ["100 ns", "1 µs", "10 µs", "100 µs"]);
        let short = Axis::log("count", (1.0, 20.0), Format::Number);
        assert_eq!(labels(&short, 6), ["1", "2", "5", "10", "20"]);
    }

    #[test]
    fn ceilings_are_round() {
        assert_eq!(nice_ceiling(0.47), 0.5);
        assert_eq!(nice_ceiling(1000.0), 1000.0);
        assert_eq!(nice_ceiling(3001.0), 4000.0);
        assert_eq!(nice_ceiling(f64::NAN), 1.0);
        assert_eq!(nice_ceiling(-3.0), 1.0);
    }
}
