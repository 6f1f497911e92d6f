//! What stands for a setting in a study: one value, alternatives, or a range.

use std::fmt;

use crate::catalog::{Kind, Problem, Unit};

/// The largest number of values that one setting may take.
pub const MOST_VALUES: u64 = 1000;
// What is said of a malformed range has the number in it.
const _: () = assert!(MOST_VALUES == 1000);

/// The values that a setting takes, in canonical text.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Named one by one; several are written with slashes between them (`0.5/1/2`).
    List(Vec<String>),
    /// Evenly spaced, first and last included (`0.05..1:20`).
    Points {
        /// How the values are written.
        unit: Unit,
        /// The first value, in base units.
        first: u64,
        /// The last value, in base units.
        last: u64,
        /// How many there are, at least 2.
        count: u32,
    },
    /// Each so many times the one before (`1KiB..32KiB:x2`).
    Powers {
        /// How the values are written.
        unit: Unit,
        /// The first value, in base units.
        first: u64,
        /// None is larger, in base units.
        last: u64,
        /// The factor, at least 2.
        factor: u32,
    },
    /// A fixed distance apart (`0..50:by5`).
    Steps {
        /// How the values are written.
        unit: Unit,
        /// The first value, in base units.
        first: u64,
        /// None is larger, in base units.
        last: u64,
        /// The distance, in base units.
        by: u64,
    },
    /// So many loads around the load at which the busiest channel fills (`auto:20`).
    Automatic {
        /// How many there are.
        count: u32,
    },
}

impl Values {
    /// A single value.
    pub fn one(text: impl Into<String>) -> Values {
        Values::List(vec![text.into()])
    }

    /// Reads values of this kind; `automatic` tells whether `auto:n` is allowed.
    ///
    /// # Errors
    /// The form is not one of those above. Single values are checked by the caller.
    pub fn read(text: &str, kind: &Kind, automatic: bool) -> Result<Values, Problem> {
        if let Some(count) = text.strip_prefix("auto:").filter(|_| automatic) {
            let count =
                Unit::Count.parse(count).ok().filter(|count| (1..=MOST_VALUES).contains(count));
            let count = count.ok_or_else(|| {
                Problem::new("", text, format!("expected auto:COUNT with 1 to {MOST_VALUES}"))
            })?;
            return Ok(Values::Automatic { count: count as u32 });
        }
        match kind {
            Kind::Number { unit, .. } if text.contains("..") => read_range(text, *unit),
            _ => {
                let texts: Vec<String> = text.split('/').map(str::to_owned).collect();
                if texts.len() as u64 > MOST_VALUES {
                    let allowed =
                        format!("{} values are given, allowed: {MOST_VALUES}", texts.len());
                    return Err(Problem::new("", text, allowed));
                }
                Ok(Values::List(texts))
            }
        }
    }

    /// Every value, in canonical text; none for [`Values::Automatic`].
    pub fn expand(&self) -> Vec<String> {
        match self {
            Values::List(texts) => texts.clone(),
            Values::Automatic { .. } => Vec::new(),
            Values::Points { unit, .. }
            | Values::Powers { unit, .. }
            | Values::Steps { unit, .. } => {
                self.bases().into_iter().map(|base| unit.print(base)).collect()
            }
        }
    }

    fn bases(&self) -> Vec<u64> {
        match *self {
            Values::Points { first, last, count, .. } => {
                let gaps = u128::from(count - 1);
                let span = u128::from(last - first);
                let mut bases: Vec<u64> = (0..u128::from(count))
                    .map(|index| first + ((span * index * 2 + gaps) / (2 * gaps)) as u64)
                    .collect();
                bases.dedup();
                bases
            }
            Values::Powers { first, last, factor, .. } => {
                std::iter::successors(Some(first), |base| base.checked_mul(u64::from(factor)))
                    .take_while(|base| *base <= last)
                    .collect()
            }
            Values::Steps { first, last, by, .. } => {
                std::iter::successors(Some(first), |base| base.checked_add(by))
                    .take_while(|base| *base <= last)
                    .collect()
            }
            Values::List(_) | Values::Automatic { .. } => Vec::new(),
        }
    }

    /// How many values there are.
    pub fn count(&self) -> usize {
        match self {
            Values::List(texts) => texts.len(),
            Values::Automatic { count } => *count as usize,
            _ => self.bases().len(),
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::List(texts) => formatter.write_str(&texts.join("/")),
            Values::Points { unit, first, last, count } => {
                write!(formatter, "{}..{}:{count}", unit.print(*first), unit.print(*last))
            }
            Values::Powers { unit, first, last, factor } => {
                write!(formatter, "{}..{}:x{factor}", unit.print(*first), unit.print(*last))
            }
            Values::Steps { unit, first, last, by } => {
                let [first, last, by] = [first, last, by].map(|base| unit.print(*base));
                write!(formatter, "{first}..{last}:by{by}")
            }
            Values::Automatic { count } => write!(formatter, "auto:{count}"),
        }
    }
}

fn read_range(text: &str, unit: Unit) -> Result<Values, Problem> {
    let malformed = || {
        Problem::new(
            "",
            text,
            "expected FIRST..LAST:COUNT, FIRST..LAST:xFACTOR or FIRST..LAST:bySTEP, COUNT and FACTOR \
             from 2 to 1000",
        )
    };
    let (first, rest) = text.split_once("..").ok_or_else(malformed)?;
    let (last, spacing) = rest.rsplit_once(':').ok_or_else(malformed)?;
    let quantity = |part: &str| {
        let refused = |error| Problem::new("", part, format!("{error}"));
        unit.parse(part).map_err(refused)
    };
    let (first, last) = (quantity(first)?, quantity(last)?);
    if first >= last {
        return Err(Problem::new("", text, "the last value must be larger than the first"));
    }
    let small = |part: &str, low: u64| {
        let number = Unit::Count.parse(part).ok();
        number.filter(|number| (low..=MOST_VALUES).contains(number)).ok_or_else(malformed)
    };
    let values = if let Some(factor) = spacing.strip_prefix('x') {
        let factor = small(factor, 2)? as u32;
        if first == 0 {
            return Err(Problem::new("", text, "a range of powers cannot start at 0"));
        }
        Values::Powers { unit, first, last, factor }
    } else if let Some(by) = spacing.strip_prefix("by") {
        let by = quantity(by)?;
        if by == 0 || (last - first) / by >= MOST_VALUES {
            return Err(Problem::new("", text, format!("allowed: up to {MOST_VALUES} steps")));
        }
        Values::Steps { unit, first, last, by }
    } else {
        Values::Points { unit, first, last, count: small(spacing, 2)? as u32 }
    };
    Ok(values)
}
