//! The form of the files in `tests/papers`.

use dragontree::analysis::Numbers;
use dragontree::catalog::Problem;
use dragontree::scenario::{Abscissa, MetricKind};
use serde::{Deserialize, Serialize};

use crate::error::Failure;

const FILES: &[&str] = &[
    include_str!("../../../../tests/papers/zahavi.toml"),
    include_str!("../../../../tests/papers/prisacari.toml"),
    include_str!("../../../../tests/papers/bogdanski.toml"),
    include_str!("../../../../tests/papers/subramoni.toml"),
];

/// Every shipped figure.
///
/// # Errors
/// A file does not read.
pub fn shipped() -> Result<Vec<Figure>, Failure> {
    Ok(documents()?.into_iter().flat_map(|document| document.figure).collect())
}

/// The documents with their figures.
///
/// # Errors
/// A file does not read.
pub fn documents() -> Result<Vec<Document>, Failure> {
    let read = |text: &&str| toml::from_str(text);
    let documents: Result<Vec<Document>, toml::de::Error> = FILES.iter().map(read).collect();
    documents.map_err(|error| Failure::Figures(error.to_string()))
}

/// A document, or several of one author.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// How it is cited.
    pub name: String,
    /// Its authors, title and place.
    pub title: String,
    /// Its figures.
    pub figure: Vec<Figure>,
}

/// One figure, table or statement of a document.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// A short name: the document's letter and the figure's number.
    pub id: String,
    /// What the document says, in one sentence.
    pub claim: String,
    /// Where it says so.
    pub source: String,
    /// Why a number is not met, or what was chosen where the document is silent.
    pub note: Option<String>,
    /// The experiments.
    pub run: Vec<Run>,
}

/// One experiment and what must come out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The text of the experiment; at most some seconds of simulation.
    pub study: String,
    /// The larger text: more sizes, more seeds or longer windows, up to the document's own.
    pub full: Option<String>,
    /// What must come out.
    pub expect: Vec<Expect>,
}

/// Which of a figure's two experiments is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The quick one.
    Reduced,
    /// The larger one.
    Full,
}

impl Run {
    /// The text of one form.
    pub fn text(&self, form: Form) -> &str {
        match (form, &self.full) {
            (Form::Full, Some(full)) => full,
            _ => &self.study,
        }
    }

    /// What must come out of one form.
    pub fn expected(&self, form: Form) -> impl Iterator<Item = &Expect> {
        self.expect.iter().filter(move |each| form == Form::Full || !each.in_full)
    }
}

/// One number that must come out, at every chosen point.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// What is compared: a metric of runs, or a number of the network.
    pub metric: Quantity,
    /// Of a formula its name, of crossings the level.
    pub of: Option<String>,
    /// The curve; every one when left out.
    pub curve: Option<String>,
    /// The curve by whose number at the same place it is divided, or `ideal` for the time without
    /// contention.
    pub over: Option<String>,
    /// Whether the number at each place is divided by that at the place before it on the same curve:
    /// at least 1 where it must not fall.
    #[serde(default)]
    pub successive: bool,
    /// The place on the horizontal axis, a number or a name; every one when left out.
    pub x: Option<Abscissa>,
    /// The document's number.
    pub expected: Option<Number>,
    /// How far off the number may be; nothing when left out.
    #[serde(default)]
    pub tolerance: f64,
    /// The smallest accepted number.
    pub min: Option<Number>,
    /// The largest accepted number.
    pub max: Option<Number>,
    /// Where the number comes from, when it is not the figure's own source.
    pub origin: Option<String>,
    /// Whether it is expected of the document's own experiment only, not of the quick one.
    #[serde(default)]
    pub in_full: bool,
    /// Why the document's number is not met, where that has been looked into.
    pub differs: Option<String>,
}

impl Expect {
    /// How far a value lies outside of what is accepted; at most 0 when it is accepted.
    pub fn excess(&self, value: f64) -> f64 {
        let off = |Number(expected)| (value - expected).abs() - self.tolerance;
        let below = |Number(min)| min - value;
        let above = |Number(max)| value - max;
        let all = [self.expected.map(off), self.min.map(below), self.max.map(above)];
        all.into_iter().flatten().fold(f64::NEG_INFINITY, f64::max)
    }
}

/// A number, or a fraction written as `"1/18"`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Number(pub f64);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Fraction(String),
}

impl TryFrom<Written> for Number {
    type Error = String;

    fn try_from(written: Written) -> Result<Number, String> {
        match written {
            Written::Number(number) => Ok(Number(number)),
            Written::Fraction(text) => {
                let parts = text.split_once('/');
                let parts = parts.and_then(|(over, under)| {
                    Some((over.parse::<f64>().ok()?, under.parse::<f64>().ok()?))
                });
                match parts {
                    Some((over, under)) if under != 0.0 => Ok(Number(over / under)),
                    _ => Err(format!("“{text}” is no fraction such as 1/18")),
                }
            }
        }
    }
}

/// What a check compares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// A number of the network, by its name among [`Numbers::NAMES`].
    Network(&'static str),
    /// Whether routes are free of cycles, 1 or 0.
    Free(Free),
    /// The value of a formula of `dragontree model`, or of traffic the fair mean of `dragontree
    /// saturation`.
    Formula,
    /// What an exchange crosses in the phase `x`, or in every phase, as `dragontree pattern` counts it.
    Crossings,
    /// How many packets wait for each other in a circle.
    Deadlock,
    /// A metric of a run.
    Metric(MetricKind),
}

/// Whose routes are to be free of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Free {
    /// Those of endpoints.
    Endpoints,
    /// Those of switches.
    Switches,
    /// Those of both, which share channels.
    Together,
}

impl Free {
    const ALL: [Free; 3] = [Free::Endpoints, Free::Switches, Free::Together];
}

impl Quantity {
    /// The name in the files and in the output.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Network(name) => name,
            Quantity::Free(Free::Endpoints) => "free_endpoints",
            Quantity::Free(Free::Switches) => "free_switches",
            Quantity::Free(Free::Together) => "free_together",
            Quantity::Formula => "formula",
            Quantity::Crossings => "crossings",
            Quantity::Deadlock => "deadlock",
            Quantity::Metric(kind) => kind.name(),
        }
    }
}

impl TryFrom<String> for Quantity {
    type Error = String;

    fn try_from(name: String) -> Result<Quantity, String> {
        let numbers = Numbers::NAMES.into_iter().map(Quantity::Network);
        let metrics = MetricKind::ALL.iter().copied().map(Quantity::Metric);
        let free = Free::ALL.map(Quantity::Free);
        let all: Vec<Quantity> = numbers
            .chain(free)
            .chain([Quantity::Formula, Quantity::Crossings, Quantity::Deadlock])
            .chain(metrics)
            .collect();
        let found = all.iter().find(|quantity| quantity.name() == name);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|quantity| quantity.name()).collect();
            Problem::unknown("metric", &name, &names).to_string()
        })
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Quantity, D::Error> {
        let name = String::deserialize(deserializer)?;
        Quantity::try_from(name).map_err(serde::de::Error::custom)
    }
}

impl Serialize for Quantity {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expect(text: &str) -> Result<Expect, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn fractions_are_exact_and_ranges_closed() {
        let bound = expect("metric = \"bound\"\nexpected = \"1/18\"").expect("it reads");
        assert!(bound.excess(1.0 / 18.0) <= 0.0);
        assert!(bound.excess(0.0556) > 0.0);
        let range = expect("metric = \"accepted\"\nmin = 0.25\nmax = \"1/2\"").expect("it reads");
        assert!(range.excess(0.25) <= 0.0 && range.excess(0.5) <= 0.0);
        assert_eq!(range.excess(0.75), 0.25);
    }

    #[test]
    fn mistakes_in_a_file_are_named() {
        let error = expect("metric = \"acepted\"").expect_err("no such metric");
        assert!(error.to_string().contains("did you mean accepted?"));
        assert!(expect("metric = \"bound\"\nexpected = \"1/0\"").is_err());
        assert!(expect("metric = \"bound\"\nexpect = 1").is_err());
    }
}
