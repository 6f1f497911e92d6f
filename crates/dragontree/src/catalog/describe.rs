//! Descriptions of settings, for forms and help.

use super::{Field, Form, Part, Setting, Tier, Unit};

/// One setting of a part: what a form or a help text needs to know.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The key in the notation; empty for the value right after the entry's name.
    pub key: &'static str,
    /// The name in the form.
    pub label: &'static str,
    /// What it does; empty without the feature `complete`.
    pub help: &'static str,
    /// Where the form shows it.
    pub tier: Tier,
    /// Whether it only sets other settings.
    pub shorthand: bool,
    /// What the value may be.
    pub kind: Kind,
    /// The value it had when described, in canonical text.
    pub value: String,
}

/// What a setting's value may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A number or quantity from `low` to `high`, in base units of `unit`; `word` leaves it to a
    /// rule.
    Number {
        /// How it is written.
        unit: Unit,
        /// The smallest allowed value.
        low: u64,
        /// The largest allowed value.
        high: u64,
        /// The word that stands for "left to a rule", where there is one.
        word: Option<&'static str>,
    },
    /// Whole numbers with dots between them.
    Numbers {
        /// The smallest allowed member.
        low: u32,
        /// The largest allowed member.
        high: u32,
        /// The largest number of members.
        longest: usize,
    },
    /// One of these words, each with its label.
    Choice(&'static [(&'static str, &'static str)]),
    /// A syntax of its own.
    Written {
        /// What is allowed, in words.
        allowed: &'static str,
        /// An allowed value.
        example: &'static str,
    },
}

impl Kind {
    pub(super) fn of(field: &Field<'_>) -> Kind {
        match field {
            Field::Number { value, range } => Kind::Number {
                unit: value.unit(),
                low: *range.start(),
                high: *range.end(),
                word: None,
            },
            Field::Optional { value, word, range } => Kind::Number {
                unit: value.unit(),
                low: *range.start(),
                high: *range.end(),
                word: Some(word),
            },
            Field::Numbers { range, longest, .. } => {
                Kind::Numbers { low: *range.start(), high: *range.end(), longest: *longest }
            }
            Field::Choice { value } => Kind::Choice(value.words()),
            Field::Written { value } => {
                Kind::Written { allowed: value.allowed(), example: value.example() }
            }
        }
    }

    /// A valid value in canonical text.
    pub fn canonical(&self, text: &str) -> String {
        match self {
            Kind::Number { unit, .. } => {
                unit.parse(text).map_or_else(|_| text.to_owned(), |base| unit.print(base))
            }
            _ => text.to_owned(),
        }
    }

    /// What is allowed, in words.
    pub fn allowed(&self) -> String {
        match self {
            Kind::Number { unit, low, high, word } => {
                let (low, high) = (unit.print(*low), unit.print(*high));
                let or = word.map(|word| format!(" or {word}")).unwrap_or_default();
                format!("{low} to {high}{or}")
            }
            Kind::Numbers { low, high, longest } => {
                format!("1 to {longest} whole numbers from {low} to {high}, joined by dots")
            }
            Kind::Choice(words) => {
                words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")
            }
            Kind::Written { allowed, .. } => (*allowed).to_owned(),
        }
    }
}

/// One part of a list with all its settings at their defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct PartDescription {
    /// The name in the notation.
    pub name: &'static str,
    /// The name in menus.
    pub label: &'static str,
    /// What it is, and its source; empty without the feature `complete`.
    pub help: &'static str,
    /// Its settings in canonical order.
    pub settings: Vec<Description>,
}

impl PartDescription {
    /// Describes a part as it stands.
    pub fn of(part: &mut dyn Part) -> PartDescription {
        PartDescription {
            name: part.name(),
            label: part.label(),
            help: part.help(),
            settings: describe(|form| part.settings(form)),
        }
    }
}

/// Describes every setting that `show` shows.
pub fn describe(show: impl FnOnce(&mut dyn Form)) -> Vec<Description> {
    struct Describer(Vec<Description>);
    impl Form for Describer {
        fn setting(&mut self, setting: Setting<'_>) {
            self.0.push(Description {
                key: setting.key,
                label: setting.label,
                help: setting.help,
                tier: setting.tier,
                shorthand: setting.shorthand,
                kind: Kind::of(&setting.field),
                value: setting.field.print(),
            });
        }
    }
    let mut describer = Describer(Vec::new());
    show(&mut describer);
    describer.0
}
