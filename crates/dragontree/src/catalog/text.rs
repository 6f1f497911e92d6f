//! Reading and printing settings, and what to say when they are wrong.

use std::fmt;

use super::{Field, Form, Kind, Setting};
use crate::sorting::sort_by_number;

/// One thing wrong with a description: the key, what was given, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problem {
    /// The key, with the setting after a comma where it is one (`topology,p`).
    pub key: String,
    /// What was given; empty when something is missing.
    pub given: String,
    /// What is allowed or what was expected, as the end of a sentence.
    pub allowed: String,
    /// A valid value close to what was given.
    pub nearest: Option<String>,
}

impl Problem {
    /// A problem with what was given for `key`.
    pub fn new(
        key: impl Into<String>,
        given: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Problem {
        Problem { key: key.into(), given: given.into(), allowed: allowed.into(), nearest: None }
    }

    /// A word that is none of `known`.
    pub fn unknown(key: impl Into<String>, given: &str, known: &[&str]) -> Problem {
        let nearest = nearest(given, known).map(str::to_owned);
        let allowed = format!("allowed: {}", known.join(", "));
        Problem { nearest, ..Problem::new(key, given, allowed) }
    }

    /// Parts written like alternatives of a setting, with strokes between them.
    pub fn several(key: &str, given: &str) -> Problem {
        let each = given.replace('/', &format!(" {key}="));
        Problem::new(key, given, format!("write {key}={each}"))
    }

    /// The same problem within `outer` (`p` in `topology` becomes `topology,p`).
    pub fn within(mut self, outer: &str) -> Problem {
        self.key =
            if self.key.is_empty() { outer.to_owned() } else { format!("{outer},{}", self.key) };
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.key.is_empty() {
            write!(formatter, "{}: ", self.key)?;
        }
        if !self.given.is_empty() {
            write!(formatter, "“{}” was given; ", shortened(&self.given))?;
        }
        formatter.write_str(&self.allowed)?;
        match &self.nearest {
            Some(nearest) => write!(formatter, " (did you mean {nearest}?)"),
            None => Ok(()),
        }
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(['…']).collect()
}

/// The known word with the fewest edits from `given`, when that is close enough to be meant.
pub fn nearest<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    if given.is_empty() || given.len() > 40 {
        return None;
    }
    let scored = known.iter().map(|word| (edits(given, word), *word));
    let (distance, word) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + word.len() / 4 && distance < word.len()).then_some(word)
}

/// Levenshtein distance.
fn edits(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, from) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in right.iter().enumerate() {
            let substitute = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

impl Field<'_> {
    /// The value in canonical text.
    pub fn print(&self) -> String {
        match self {
            Field::Number { value, .. } => value.unit().print(value.base()),
            Field::Optional { value, word, .. } => match value.base() {
                Some(base) => value.unit().print(base),
                None => (*word).to_owned(),
            },
            Field::Numbers { value, .. } => {
                value.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
            }
            Field::Choice { value } => {
                value.words().get(value.chosen()).map_or("", |(word, _)| *word).to_owned()
            }
            Field::Written { value } => value.print(),
        }
    }

    /// Takes the value from text.
    fn read(self, text: &str, kind: &Kind) -> Result<(), Problem> {
        match self {
            Field::Number { value, range } => {
                let base =
                    value.unit().parse(text).map_err(|error| form_error(text, &error, kind))?;
                in_range(base, &range, text, kind)?;
                value.set(base);
            }
            Field::Optional { value, word, .. } if text == word => value.set(None),
            Field::Optional { value, range, .. } => {
                let base =
                    value.unit().parse(text).map_err(|error| form_error(text, &error, kind))?;
                in_range(base, &range, text, kind)?;
                value.set(Some(base));
            }
            Field::Numbers { value, range, longest } => {
                let numbers: Option<Vec<u32>> = text
                    .split('.')
                    .map(|part| super::Unit::Count.parse(part).ok()?.try_into().ok())
                    .collect();
                let fits = |numbers: &Vec<u32>| {
                    numbers.len() <= longest && numbers.iter().all(|each| range.contains(each))
                };
                *value = numbers.filter(fits).ok_or_else(|| not_allowed(text, kind))?;
            }
            Field::Choice { value } => {
                let words: Vec<&str> = value.words().iter().map(|(word, _)| *word).collect();
                match words.iter().position(|word| *word == text) {
                    Some(index) => value.choose(index),
                    None => return Err(Problem::unknown("", text, &words)),
                }
            }
            Field::Written { value } => {
                if !value.read(text) {
                    let refusal = value.refusal(text).map(|why| Problem::new("", text, why));
                    return Err(refusal.unwrap_or_else(|| not_allowed(text, kind)));
                }
            }
        }
        Ok(())
    }
}

fn not_allowed(text: &str, kind: &Kind) -> Problem {
    Problem::new("", text, format!("allowed: {}", kind.allowed()))
}

fn form_error(text: &str, error: &crate::units::NotAQuantity, kind: &Kind) -> Problem {
    Problem::new("", text, format!("{error}; allowed: {}", kind.allowed()))
}

fn in_range(
    base: u64,
    range: &std::ops::RangeInclusive<u64>,
    text: &str,
    kind: &Kind,
) -> Result<(), Problem> {
    if range.contains(&base) {
        return Ok(());
    }
    let mut problem = not_allowed(text, kind);
    if let Kind::Number { unit, low, high, .. } = kind {
        problem.nearest = Some(unit.print(base.clamp(*low, *high)));
    }
    Err(problem)
}

/// Reads `text` into the setting `key` among those that `show` shows.
pub fn read_setting(
    show: impl FnOnce(&mut dyn Form),
    key: &str,
    text: &str,
) -> Result<(), Problem> {
    struct Reader<'t> {
        key: &'t str,
        text: &'t str,
        /// The keys, each with whether it is a shorthand.
        known: Vec<(bool, &'static str)>,
        outcome: Option<Result<(), Problem>>,
    }
    impl Form for Reader<'_> {
        fn setting(&mut self, setting: Setting<'_>) {
            self.known.push((setting.shorthand, setting.key));
            if setting.key == self.key {
                let kind = Kind::of(&setting.field);
                self.outcome = Some(setting.field.read(self.text, &kind));
            }
        }
    }
    let mut reader = Reader { key, text, known: Vec::new(), outcome: None };
    show(&mut reader);
    sort_by_number(&mut reader.known, |(shorthand, _)| u128::from(*shorthand));
    let known: Vec<&str> =
        reader.known.iter().map(|(_, key)| *key).filter(|key| !key.is_empty()).collect();
    match reader.outcome {
        Some(outcome) => outcome.map_err(|problem| problem.within(key)),
        None if known.is_empty() => Err(Problem::new("", key, "it has no such setting")),
        None => Err(Problem::unknown("", key, &known)),
    }
}
