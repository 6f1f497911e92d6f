//! Exact decimal numbers with unit suffixes, read and written without floating point.

use std::fmt;

use super::NotAQuantity;

/// A unit's name and how many base units it holds.
pub(super) struct Suffix(pub(super) &'static str, pub(super) u64);

/// A non-negative decimal number: `digits / 10^places`.
pub(super) struct Decimal {
    digits: u128,
    places: u32,
}

impl Decimal {
    /// Reads digits with at most one point between them; nothing else.
    pub(super) fn parse(text: &str) -> Option<Decimal> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !all_digits(whole) || !all_digits(fraction) || text.len() > 30 {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        let digits = format!("{whole}{fraction}").parse().ok()?;
        Some(Decimal { digits, places: u32::try_from(fraction.len()).ok()? })
    }

    /// The number times `factor`, when that is a whole number that fits.
    pub(super) fn times(&self, factor: u64) -> Option<u64> {
        let scaled = self.digits.checked_mul(u128::from(factor))?;
        let divisor = 10_u128.checked_pow(self.places)?;
        scaled.is_multiple_of(divisor).then(|| u64::try_from(scaled / divisor).ok())?
    }
}

/// Reads a number followed by one of `suffixes`, in base units.
pub(super) fn parse(
    text: &str,
    suffixes: &[Suffix],
    expected: &'static str,
) -> Result<u64, NotAQuantity> {
    let unit_start = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_start);
    suffixes
        .iter()
        .find(|suffix| suffix.0 == unit)
        .and_then(|suffix| Decimal::parse(number)?.times(suffix.1))
        .ok_or(NotAQuantity { expected })
}

/// Prints in the largest unit that the value reaches, with as many decimals as it takes.
pub(super) fn print(
    formatter: &mut fmt::Formatter<'_>,
    value: u64,
    suffixes: &[Suffix],
) -> fmt::Result {
    let Some(smallest) = suffixes.last() else {
        return Ok(());
    };
    let Suffix(unit, size) = suffixes.iter().find(|suffix| value >= suffix.1).unwrap_or(smallest);
    let (whole, mut rest) = (value / size, value % size);
    write!(formatter, "{whole}")?;
    if rest > 0 {
        formatter.write_str(".")?;
        let mut place = size / 10;
        while rest > 0 {
            write!(formatter, "{}", rest / place)?;
            rest %= place;
            place = (place / 10).max(1);
        }
    }
    formatter.write_str(unit)
}

/// Prints in the largest unit of which the value is a whole multiple.
pub(super) fn print_whole(
    formatter: &mut fmt::Formatter<'_>,
    value: u64,
    suffixes: &[Suffix],
) -> fmt::Result {
    let Some(smallest) = suffixes.last() else {
        return Ok(());
    };
    let Suffix(unit, size) = suffixes
        .iter()
        .find(|suffix| value > 0 && value.is_multiple_of(suffix.1))
        .unwrap_or(smallest);
    write!(formatter, "{}{unit}", value / size)
}
