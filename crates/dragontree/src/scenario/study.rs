//! A scenario with up to two free axes, and named cases.

use super::notation::{self, Detail, Problems};
use super::{Entry, KEYS, Key, Metric, NOTATION_VERSION, Scenario, Values};
use crate::catalog::{Problem, Tier, Unit};

/// The most cases a study may have.
const MOST_CASES: usize = 64;
/// The longest name of a case.
const LONGEST_NAME: usize = 40;

/// What is said about each key; a key that is not mentioned has its default.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    entries: Vec<Vec<Entry>>,
}

impl Default for Section {
    fn default() -> Section {
        Section { entries: vec![Vec::new(); KEYS.len()] }
    }
}

impl Section {
    fn place(key: &str) -> usize {
        KEYS.iter().position(|each| each.name == key).unwrap_or(0)
    }

    /// The entries given for a key; several are alternatives.
    pub fn entries(&self, key: &str) -> &[Entry] {
        &self.entries[Section::place(key)]
    }

    /// The entries of a key, to change them.
    pub fn entries_mut(&mut self, key: &str) -> &mut Vec<Entry> {
        &mut self.entries[Section::place(key)]
    }

    /// Adds a token per entry; common sections leave out defaults or show them as `detail` says.
    /// Keys that are `idle` need not be shown.
    pub(super) fn print(
        &self,
        detail: Detail,
        common: bool,
        idle: &[&str],
        tokens: &mut Vec<String>,
    ) {
        for key in KEYS {
            let default = default_entry(key);
            let given = self.entries(key.name);
            let always = match detail {
                Detail::Everything => true,
                Detail::Basic => key.tier == Tier::Basic && !idle.contains(&key.name),
                Detail::Least => false,
            };
            if given.is_empty() {
                if common && always {
                    tokens.push(format!("{}={}", key.name, default.print(key.name, detail)));
                }
                continue;
            }
            let is_default = given.len() == 1
                && given[0].print(key.name, Detail::Everything)
                    == default.print(key.name, Detail::Everything);
            if common && is_default && !always {
                continue;
            }
            tokens.extend(
                given.iter().map(|entry| format!("{}={}", key.name, entry.print(key.name, detail))),
            );
        }
    }
}

/// What a key has when a study does not mention it.
pub(super) fn default_entry(key: &Key) -> Entry {
    if key.name == "load" {
        let values = Values::Points { unit: Unit::Load, first: 50_000, last: 1_000_000, count: 20 };
        return Entry { part: None, settings: vec![(String::new(), values)] };
    }
    let part = Scenario::default()
        .content(key.name, |content| match content {
            super::Content::Part(menu) => Some(menu.name().to_owned()),
            super::Content::Value(_) => None,
        })
        .flatten();
    Entry { part, settings: Vec::new() }
}

impl Study {
    /// Whether there is an exchange in every alternative of every case.
    pub fn exchanges(&self) -> bool {
        let Some(key) = KEYS.iter().find(|key| key.name == "exchange") else { return false };
        let has = |case: Option<&Case>| self.entries(case, key).iter().all(Entry::is_exchange);
        match self.cases.is_empty() {
            true => has(None),
            false => self.cases.iter().all(|case| has(Some(case))),
        }
    }
}

/// A text without what it need not say: defaults, and of an exchange the load.
#[cfg(feature = "complete")]
pub(super) fn least(text: String) -> String {
    let Ok(mut study) = Study::parse(&text) else { return text };
    if study.exchanges() {
        study.common.entries_mut("load").clear();
    }
    study.text(Detail::Least)
}

/// A section with a name, whose entries override the common ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The name shown in the legend.
    pub name: String,
    /// What differs from the common section.
    pub section: Section,
}

/// A whole experiment as a text describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The version of the notation, which fixes the defaults.
    pub version: u32,
    /// What all cases share.
    pub common: Section,
    /// Named variants.
    pub cases: Vec<Case>,
    /// Which axis is the horizontal one, when it is said.
    pub x: Option<String>,
    /// Which metrics are shown, when it is said.
    pub y: Vec<Metric>,
    /// The engine that made the results a link speaks of.
    pub engine: Option<u32>,
    /// The digest of those results.
    pub digest: Option<u64>,
}

impl Default for Study {
    fn default() -> Study {
        Study {
            version: NOTATION_VERSION,
            common: Section::default(),
            cases: Vec::new(),
            x: None,
            y: Vec::new(),
            engine: None,
            digest: None,
        }
    }
}

impl Study {
    /// Reads a study from its text or from a link.
    ///
    /// # Errors
    /// Everything that is wrong with the text, and the study made of the rest.
    pub fn parse(text: &str) -> Result<Study, Problems> {
        notation::read(text)
    }

    /// Prints the study as words separated by spaces.
    pub fn text(&self, detail: Detail) -> String {
        notation::print(self, detail, " ")
    }

    /// Prints the study as the query of a link, without the question mark.
    pub fn query(&self) -> String {
        notation::print(self, Detail::Least, "&")
    }

    /// Every entry in force for a key in a case (or in the common section).
    pub fn entries(&self, case: Option<&Case>, key: &Key) -> Vec<Entry> {
        let own = case.map_or(&[][..], |case| case.section.entries(key.name));
        let common = self.common.entries(key.name);
        match (own.is_empty(), common.is_empty()) {
            (false, _) => own.to_vec(),
            (true, false) => common.to_vec(),
            (true, true) => vec![default_entry(key)],
        }
    }

    /// Opens a case; what follows in the text belongs to it.
    pub(super) fn open_case(&mut self, name: &str) -> Result<(), Problem> {
        let allowed = format!("expected a name of 1 to {LONGEST_NAME} letters, digits, - or _");
        let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_' || c == '.';
        let well_formed =
            !name.is_empty() && name.chars().count() <= LONGEST_NAME && name.chars().all(plain);
        let problem = if !well_formed {
            Some(Problem::new("case", name, allowed))
        } else if self.cases.iter().any(|case| case.name == name) {
            Some(Problem::new("case", name, "the name is taken by another case"))
        } else if self.cases.len() >= MOST_CASES {
            Some(Problem::new("case", name, format!("allowed: up to {MOST_CASES} cases")))
        } else {
            None
        };
        // A section must be opened all the same: what follows is not meant for the one before.
        let name =
            if problem.is_none() { name.to_owned() } else { format!("case{}", self.cases.len()) };
        self.cases.push(Case { name, section: Section::default() });
        problem.map_or(Ok(()), Err)
    }

    /// What is wrong with the study as a whole.
    pub(super) fn check(&self) -> Vec<Problem> {
        match self.plan() {
            Ok(_) => Vec::new(),
            Err(problems) => problems,
        }
    }
}
