//! How values are written.

use crate::ticks::ten;

/// How the values of an axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A fraction: 0.25 is written 25 and carries %.
    Percent,
    /// A duration in nanoseconds, written in ns, µs, ms or s as fits.
    Nanoseconds,
    /// A plain number.
    Number,
    /// A count of bytes, written in B, KiB, MiB, GiB or TiB as fits.
    Bytes,
}

/// What one written unit stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    /// The value that is written as 1.
    pub factor: f64,
    /// What follows the number; may be empty.
    pub suffix: &'static str,
}

const KIBI: f64 = 1024.0;

const DURATIONS: [Unit; 4] = [
    Unit { factor: 1e9, suffix: "s" },
    Unit { factor: 1e6, suffix: "ms" },
    Unit { factor: 1e3, suffix: "µs" },
    Unit { factor: 1.0, suffix: "ns" },
];

const BYTES: [Unit; 5] = [
    Unit { factor: KIBI * KIBI * KIBI * KIBI, suffix: "TiB" },
    Unit { factor: KIBI * KIBI * KIBI, suffix: "GiB" },
    Unit { factor: KIBI * KIBI, suffix: "MiB" },
    Unit { factor: KIBI, suffix: "KiB" },
    Unit { factor: 1.0, suffix: "B" },
];

impl Format {
    /// One value with its unit in three significant digits, as in "46.9 %" or "1.25 µs"; counts
    /// have all of theirs.
    ///
    /// ```
    /// use dragontree_plot::Format;
    ///
    /// assert_eq!(Format::Percent.text(0.4687), "46.9 %");
    /// assert_eq!(Format::Nanoseconds.text(1250.0), "1.25 µs");
    /// assert_eq!(Format::Bytes.text(32768.0), "32 KiB");
    /// assert_eq!(Format::Number.text(63552.0), "63,552");
    /// ```
    pub fn text(self, value: f64) -> String {
        if self == Format::Number && value.abs() < 1e12 && value.fract() == 0.0 {
            return fixed(value, 0);
        }
        let unit = self.unit(value.abs());
        let number = significant(value / unit.factor, 3);
        match unit.suffix {
            "" => number,
            _ if !value.is_finite() => number,
            suffix => format!("{number} {suffix}"),
        }
    }

    /// The largest unit that does not exceed `magnitude`.
    pub(crate) fn unit(self, magnitude: f64) -> Unit {
        let fitting = |units: &[Unit]| {
            let smallest =
                Unit { factor: 1.0, suffix: units.last().map_or("", |unit| unit.suffix) };
            units.iter().copied().find(|unit| magnitude >= unit.factor).unwrap_or(smallest)
        };
        match self {
            Self::Percent => Unit { factor: 0.01, suffix: "%" },
            Self::Number => Unit { factor: 1.0, suffix: "" },
            Self::Nanoseconds => fitting(&DURATIONS),
            Self::Bytes => fitting(&BYTES),
        }
    }
}

/// A number with so many significant digits at most, without trailing zeros.
pub(crate) fn significant(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "?".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞".to_owned() } else { "−∞".to_owned() };
    }
    let rounded = format!("{value:.*e}", digits.saturating_sub(1));
    let exponent = exponent(value);
    if value != 0.0 && !(-5..=11).contains(&exponent) {
        return signed(&rounded);
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    let text = fixed(read(&rounded).unwrap_or(value), decimals);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A number with so many decimals, its thousands grouped; very large ones in powers of ten.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= 1e12 || decimals > 6 {
        return signed(&format!("{value:e}"));
    }
    let text = format!("{:.*}", decimals, value.abs());
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let zero = text.chars().all(|character| matches!(character, '0' | '.'));
    let sign = if value < 0.0 && !zero { "−" } else { "" };
    format!("{sign}{grouped}{fraction}")
}

/// The power of ten of the first digit; exact, unlike a logarithm.
pub(crate) fn exponent(value: f64) -> i32 {
    let text = format!("{value:e}");
    text.split_once('e').and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0)
}

/// Reads a number like `-4.69e1`: exactly, with up to 15 digits and the first of them within 10^22.
fn read(text: &str) -> Option<f64> {
    let (digits, power) = text.split_once('e')?;
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let whole = digits.replace('.', "").parse::<i64>().ok()? as f64;
    let power = power.parse::<i32>().ok()? - decimals as i32;
    Some(if power < 0 { whole / ten(-power) } else { whole * ten(power) })
}

fn signed(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_trimmed() {
        assert_eq!(fixed(1056.0, 0), "1,056");
        assert_eq!(fixed(-1234567.25, 1), "−1,234,567.2");
        assert_eq!(fixed(-0.001, 1), "0.0");
        assert_eq!(significant(0.0, 3), "0");
        assert_eq!(significant(999.9, 3), "1,000");
        assert_eq!(significant(0.05, 3), "0.05");
        assert_eq!(significant(1e30, 3), "1.00e30");
    }

    #[test]
    fn units_fit_the_value() {
        assert_eq!(Format::Nanoseconds.text(950.0), "950 ns");
        assert_eq!(Format::Nanoseconds.text(2.5e6), "2.5 ms");
        assert_eq!(Format::Bytes.text(512.0), "512 B");
        assert_eq!(Format::Number.text(2508.0), "2,508");
        assert_eq!(Format::Nanoseconds.text(f64::INFINITY), "∞");
    }
}
