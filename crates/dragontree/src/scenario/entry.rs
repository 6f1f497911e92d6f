//! What a study says about one key.

use super::{Scenario, Values};
use crate::catalog::{Description, Problem, Tier};
use crate::scenario::notation::Detail;

/// The part (where the key takes one) and the settings given for a key, in canonical order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// The part's name; none where the key takes a value.
    pub part: Option<String>,
    /// The settings that were given; the empty key is the value itself.
    pub settings: Vec<(String, Values)>,
}

impl Entry {
    /// Whether it is an exchange, where the key is that of exchanges.
    pub fn is_exchange(&self) -> bool {
        self.part.as_deref().is_some_and(|part| part != "none")
    }

    /// Reads what stands behind `key=`, checking every value.
    ///
    /// # Errors
    /// Every problem found, with the entry made of what was right, when there is any.
    pub fn read(key: &str, text: &str) -> Result<Entry, (Option<Entry>, Vec<Problem>)> {
        let mut scenario = Scenario::default();
        let mut tokens = text.split(',');
        let head = tokens.next().unwrap_or_default();
        let mut entry = Entry::default();
        let mut given: Vec<(&str, &str)> = Vec::new();
        if Scenario::parts(key).is_empty() {
            given.push(("", head));
        } else {
            scenario.choose(key, head).map_err(|problem| (None, vec![problem]))?;
            entry.part = Some(head.to_owned());
        }
        let mut problems = Vec::new();
        for token in tokens {
            match token.split_once('=') {
                Some(("", _)) | None => {
                    problems.push(Problem::new(key, token, "expected SETTING=VALUE"));
                }
                Some((setting, _)) if given.iter().any(|(other, _)| *other == setting) => {
                    problems.push(Problem::new(key, token, "the setting is given twice"));
                }
                Some(pair) => given.push(pair),
            }
        }
        entry.read_settings(key, &given, &mut scenario, &mut problems);
        match problems.is_empty() {
            true => Ok(entry),
            false => Err((Some(entry), problems)),
        }
    }

    /// Takes the given settings in canonical order, with canonical values.
    fn read_settings(
        &mut self,
        key: &str,
        given: &[(&str, &str)],
        scenario: &mut Scenario,
        problems: &mut Vec<Problem>,
    ) {
        let known = scenario.describe(key);
        for (setting, text) in given {
            if !known.iter().any(|each| each.key == *setting) {
                problems.extend(scenario.set(key, setting, text).err());
            }
        }
        for description in &known {
            let Some((_, text)) = given.iter().find(|(setting, _)| *setting == description.key)
            else {
                continue;
            };
            match read_values(key, description, text, scenario) {
                Ok(values) => self.settings.push((description.key.to_owned(), values)),
                Err(found) => problems.extend(found),
            }
        }
    }

    /// The values given for a setting.
    pub fn get(&self, setting: &str) -> Option<&Values> {
        self.settings.iter().find(|(key, _)| key == setting).map(|(_, values)| values)
    }

    /// The same entry with other values for a setting, in canonical place.
    pub fn with(&self, key: &str, setting: &str, values: &str) -> Entry {
        let mut texts: Vec<(String, String)> =
            self.settings.iter().map(|(k, values)| (k.clone(), values.to_string())).collect();
        texts.retain(|(k, _)| k != setting);
        texts.push((setting.to_owned(), values.to_owned()));
        let given: Vec<(&str, &str)> =
            texts.iter().map(|(k, text)| (k.as_str(), text.as_str())).collect();
        let mut scenario = Scenario::default();
        let mut entry = Entry { part: self.part.clone(), settings: Vec::new() };
        if let Some(part) = &self.part
            && scenario.choose(key, part).is_err()
        {
            return self.clone();
        }
        entry.read_settings(key, &given, &mut scenario, &mut Vec::new());
        entry
    }

    /// The settings of the part with the values they come to: of several the first, and what
    /// shorthands stand for, too.
    pub fn describe(&self, key: &str) -> Vec<Description> {
        let mut scenario = Scenario::default();
        if let Some(part) = &self.part {
            // The part came from the catalog, so choosing it cannot fail.
            let _ = scenario.choose(key, part);
        }
        let shorthands = scenario.describe(key).into_iter().filter(|each| each.shorthand);
        let shorthands: Vec<&str> = shorthands.map(|each| each.key).collect();
        let is_shorthand = |(name, _): &&(String, Values)| shorthands.contains(&name.as_str());
        let first = self.settings.iter().filter(is_shorthand);
        for (setting, values) in
            first.chain(self.settings.iter().filter(|each| !is_shorthand(each)))
        {
            if let Some(value) = values.expand().first() {
                // Read before; a value that its neighbors rule out is told where it was given.
                let _ = scenario.set(key, setting, value);
            }
        }
        scenario.describe(key)
    }

    /// Prints the entry without its key, leaving out what `detail` leaves out.
    ///
    /// Beside a shorthand only what was given is printed: the shorthand decides the rest.
    pub fn print(&self, key: &str, detail: Detail) -> String {
        let mut scenario = Scenario::default();
        let mut text = String::new();
        if let Some(part) = &self.part {
            text.push_str(part);
            // The part came from the catalog, so choosing it cannot fail.
            let _ = scenario.choose(key, part);
        }
        let known = scenario.describe(key);
        let shortened = known.iter().any(|each| each.shorthand && self.get(each.key).is_some());
        for description in known {
            let values = self.get(description.key).map(Values::to_string);
            let shown = match detail {
                _ if shortened => values.is_some(),
                _ if description.shorthand => false,
                Detail::Everything => description.tier != Tier::Text,
                Detail::Basic => description.tier == Tier::Basic,
                Detail::Least => false,
            };
            let value = values.unwrap_or_else(|| description.value.clone());
            match description.key {
                "" => text.push_str(&value),
                _ if shown || value != description.value => {
                    text.push_str(&format!(",{}={value}", description.key));
                }
                _ => {}
            }
        }
        text
    }
}

/// Reads the values of one setting, each in canonical text.
fn read_values(
    key: &str,
    description: &Description,
    text: &str,
    scenario: &mut Scenario,
) -> Result<Values, Vec<Problem>> {
    let setting = description.key;
    let place = |problem: Problem| problem.within(setting).within(key);
    let values = Values::read(text, &description.kind, key == "load" && setting.is_empty())
        .map_err(|problem| vec![place(problem)])?;
    let mut problems = Vec::new();
    let mut canonical = Vec::new();
    for value in values.expand() {
        match scenario.set(key, setting, &value) {
            Ok(()) if description.shorthand => canonical.push(description.kind.canonical(&value)),
            Ok(()) => canonical.extend(
                scenario.describe(key).into_iter().find(|d| d.key == setting).map(|d| d.value),
            ),
            Err(problem) => problems.push(problem),
        }
        // One message per setting is enough for a range that leaves the allowed one.
        if problems.len() >= 3 {
            break;
        }
    }
    match (problems.is_empty(), values) {
        (false, _) => Err(problems),
        (true, Values::List(_)) => Ok(Values::List(canonical)),
        (true, range) => Ok(range),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shorthand_tells_what_the_other_settings_come_to() {
        let told = |text: &str| {
            let entry = Entry::read("topology", text).expect("an entry");
            let settings = entry.describe("topology");
            let preset = settings.into_iter().find(|setting| setting.key == "preset");
            preset.expect("a preset").value
        };
        assert_eq!(told("dragonfly,p=4,a=8,h=4"), "prisacari_4_8_4");
        assert_eq!(told("dragonfly,p=3,a=6,h=3"), told("dragonfly,p=3/4,a=6,h=3"));
        assert_ne!(told("dragonfly,p=3,a=6,h=3"), "prisacari_4_8_4");
        assert_eq!(told("xgft,preset=director_648"), "director_648");
        let entry = Entry::read("topology", "dragonfly,p=5,preset=prisacari_2_4_2");
        let settings = entry.expect("an entry").describe("topology");
        let values = ["p", "a", "h"].map(|key| {
            let own = settings.iter().find(|setting| setting.key == key);
            own.expect("a setting").value.clone()
        });
        assert_eq!(values, ["5", "4", "2"]);
    }
}
