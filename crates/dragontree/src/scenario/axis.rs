//! Which settings of a study vary, and over what.

use super::job::Wants;
use super::{Case, Entry, KEYS, Key, Scenario, Study, Values};
use crate::catalog::{Kind, Problem, Unit};
use crate::scenario::notation::Detail;
use crate::scenario::values::MOST_VALUES;

/// Something that varies.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// The key it belongs to.
    pub key: &'static Key,
    /// The setting that varies; empty for the key's own value or part.
    pub setting: String,
    /// The name in the form.
    pub label: String,
    /// How its numbers are written, where they are numbers.
    pub unit: Option<Unit>,
    /// What it runs through.
    pub options: Vec<Choice>,
}

/// One value on an axis.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// What the legend calls it.
    pub label: String,
    /// Its value in base units, when it is a number.
    pub number: Option<u64>,
    change: Change,
}

#[derive(Clone, Debug)]
enum Change {
    Entry(Entry),
    Setting(String),
    /// So many of so many steps up to just beyond the analytic bound.
    Automatic(u32, u32),
}

impl Axis {
    /// An axis; where an option is no number, all of them are names.
    fn new(
        key: &'static Key,
        setting: String,
        label: String,
        unit: Option<Unit>,
        mut options: Vec<Choice>,
    ) -> Axis {
        let automatic = |choice: &Choice| matches!(choice.change, Change::Automatic(..));
        let numeric = options.iter().all(|choice| choice.number.is_some() || automatic(choice));
        if !numeric {
            options.iter_mut().for_each(|choice| choice.number = None);
        }
        Axis { key, setting, label, unit: unit.filter(|_| numeric), options }
    }

    /// What it is called in the notation.
    pub fn name(&self) -> String {
        match self.setting.as_str() {
            "" => self.key.name.to_owned(),
            setting => format!("{}.{setting}", self.key.name),
        }
    }

    /// Whether `name` means this axis: its key, its setting, or both with a dot between them.
    pub fn is_called(&self, name: &str) -> bool {
        let key = self.key.name;
        match self.setting.as_str() {
            "" => name == key,
            setting => {
                name == setting
                    || name.split_once('.').is_some_and(|(k, s)| k == key && s == setting)
            }
        }
    }

    /// Applies one of the options to a scenario; what is left open is the step of an automatic
    /// load.
    pub fn apply(
        &self,
        choice: &Choice,
        scenario: &mut Scenario,
    ) -> Result<Option<(u32, u32)>, Problem> {
        match &choice.change {
            Change::Entry(entry) => {
                apply_entry(self.key, entry, scenario)?;
                Ok(None)
            }
            Change::Setting(text) => {
                scenario.set(self.key.name, &self.setting, text)?;
                Ok(None)
            }
            Change::Automatic(step, count) => Ok(Some((*step, *count))),
        }
    }
}

/// The scenario of a case (or of the common section) with everything fixed that does not vary,
/// and the axes.
pub(super) fn axes(
    study: &Study,
    case: Option<&Case>,
) -> Result<(Scenario, Vec<Axis>), Vec<Problem>> {
    let mut scenario = Scenario::default();
    let mut axes = Vec::new();
    let mut problems = Vec::new();
    // Nothing of a fabric or of an exchange depends on the load, so its range is no axis there.
    let unloaded = !Wants::of(study).simulation || study.exchanges();
    for key in KEYS.iter().filter(|key| !unloaded || key.name != "load") {
        let entries = study.entries(case, key);
        let outcome = match &entries[..] {
            [entry] => one_entry(key, entry, &mut scenario, &mut axes),
            _ => several_entries(key, &entries).map(|axis| axes.push(axis)),
        };
        problems.extend(outcome.err());
    }
    if axes.len() > 2 {
        let names: Vec<String> = axes.iter().map(Axis::name).collect();
        let allowed = format!("{} settings vary ({}), allowed: 2", axes.len(), names.join(", "));
        problems.push(Problem::new(names[2].clone(), "", allowed));
    }
    if problems.is_empty() { Ok((scenario, axes)) } else { Err(problems) }
}

/// Fixes what an entry fixes and adds an axis for each setting with several values.
fn one_entry(
    key: &'static Key,
    entry: &Entry,
    scenario: &mut Scenario,
    axes: &mut Vec<Axis>,
) -> Result<(), Problem> {
    let (fixed, varied): (Vec<_>, Vec<_>) =
        entry.settings.iter().cloned().partition(|(_, values)| is_single(values));
    apply_entry(key, &Entry { part: entry.part.clone(), settings: fixed }, scenario)?;
    for (setting, values) in varied {
        let description = scenario.describe(key.name).into_iter().find(|d| d.key == setting);
        let unit = match description.as_ref().map(|d| &d.kind) {
            Some(Kind::Number { unit, .. }) => Some(*unit),
            _ => None,
        };
        let label = description.map_or(key.label, |d| d.label).to_owned();
        let options = match values {
            Values::Automatic { count } => (1..=count)
                .map(|step| Choice {
                    label: format!("{step}/{count}"),
                    number: None,
                    change: Change::Automatic(step, count),
                })
                .collect(),
            _ => values.expand().into_iter().map(|text| setting_choice(unit, text)).collect(),
        };
        axes.push(Axis::new(key, setting, label, unit, options));
    }
    Ok(())
}

fn setting_choice(unit: Option<Unit>, text: String) -> Choice {
    let number = unit.and_then(|unit| unit.parse(&text).ok());
    Choice { label: text.clone(), number, change: Change::Setting(text) }
}

fn is_single(values: &Values) -> bool {
    values.count() == 1 && !matches!(values, Values::Automatic { .. })
}

/// One axis that runs through entries, alternatives inside them included.
fn several_entries(key: &'static Key, entries: &[Entry]) -> Result<Axis, Problem> {
    let unit = match Scenario::default().describe(key.name).first().map(|d| (d.key, d.kind.clone()))
    {
        Some(("", Kind::Number { unit, .. })) => Some(unit),
        _ => None,
    };
    let automatic = |(_, values): &(String, Values)| matches!(values, Values::Automatic { .. });
    if entries.iter().any(|entry| entry.settings.iter().any(automatic)) {
        return Err(Problem::new(key.name, "", "auto loads cannot be mixed with others"));
    }
    let count = |entry: &Entry| {
        entry
            .settings
            .iter()
            .fold(1, |product: u64, (_, values)| product.saturating_mul(values.count() as u64))
    };
    let count = entries.iter().map(count).fold(0, u64::saturating_add);
    if count > MOST_VALUES {
        let allowed = format!("{count} alternatives are given, allowed: {MOST_VALUES}");
        return Err(Problem::new(key.name, "", allowed));
    }
    let option = |entry: Entry| {
        let text = entry.print(key.name, Detail::Least);
        let number = unit.and_then(|unit| unit.parse(&text).ok());
        let label = entry_label(key, &entry, &text);
        Choice { label, number, change: Change::Entry(entry) }
    };
    let options = entries.iter().flat_map(single_entries).map(option).collect();
    Ok(Axis::new(key, String::new(), key.label.to_owned(), unit, options))
}

/// The entries that alternatives inside an entry stand for.
fn single_entries(entry: &Entry) -> Vec<Entry> {
    let start = Entry { part: entry.part.clone(), settings: Vec::new() };
    let mut entries = vec![start];
    for (setting, values) in &entry.settings {
        let mut extended = Vec::new();
        for text in values.expand() {
            extended.extend(entries.iter().cloned().map(|mut entry: Entry| {
                entry.settings.push((setting.clone(), Values::one(&text)));
                entry
            }));
        }
        entries = extended;
    }
    entries
}

/// The part's name in menus with the settings that are not its defaults.
fn entry_label(key: &Key, entry: &Entry, text: &str) -> String {
    let parts = Scenario::parts(key.name);
    let part = parts.iter().find(|part| Some(part.name) == entry.part.as_deref());
    match (part, text.split_once(',')) {
        (Some(part), None) => part.label.to_owned(),
        (Some(part), Some((_, settings))) => {
            format!("{}, {}", part.label, settings.replace(',', ", "))
        }
        (None, _) => text.to_owned(),
    }
}

/// Sets a key to what an entry of single values says, the rest to the part's defaults.
fn apply_entry(key: &Key, entry: &Entry, scenario: &mut Scenario) -> Result<(), Problem> {
    if let Some(part) = &entry.part {
        scenario.choose(key.name, part)?;
    }
    for (setting, values) in &entry.settings {
        for text in values.expand() {
            scenario.set(key.name, setting, &text)?;
        }
    }
    Ok(())
}
