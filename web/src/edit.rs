//! Changes to a study, one at a time: what the form does, without the form.

use dragontree::catalog::Problem;
use dragontree::exchange::Exchange;
use dragontree::scenario::{Entry, Key, Study};
use dragontree_worker::Broken;

/// What a change gives: the changed study, or why it is refused.
pub type Edited = Result<Study, Vec<Problem>>;

/// Chooses the part of one of a key's entries, with its default settings.
pub fn choose(study: &Study, key: &Key, index: usize, part: &str) -> Edited {
    change(&cleared(study, key, part), key, |entries| {
        let entry = read(key, part)?;
        if let Some(slot) = entries.get_mut(index) {
            *slot = entry;
        }
        Ok(())
    })
}

/// Ranks send at an offered load or exchange messages: what was said about the other kind goes, and the
/// length of messages that have their own.
fn cleared(study: &Study, key: &Key, part: &str) -> Study {
    let mut study = study.clone();
    if key.name != "exchange" {
        return study;
    }
    let idle: &[&str] = match part {
        "none" => &["bytes"],
        own if Exchange::OWN_LENGTHS.contains(&own) => &["traffic", "load", "management", "bytes"],
        _ => &["traffic", "load", "management"],
    };
    idle.iter().for_each(|key| study.common.entries_mut(key).clear());
    study.y.retain(|metric| metric.kind.is_of_fabric() || metric.kind.is_of_routes());
    study.x = study.x.take().filter(|x| !idle.contains(&x.as_str()));
    study
}

/// Makes a part the only one of a key, with its default settings.
pub fn only(study: &Study, key: &Key, part: &str) -> Edited {
    change(&cleared(study, key, part), key, |entries| {
        *entries = vec![read(key, part)?];
        Ok(())
    })
}

/// Gives a setting of one of a key's entries other values; the empty setting is the key's own.
pub fn set(study: &Study, key: &Key, index: usize, setting: &str, values: &str) -> Edited {
    change(study, key, |entries| {
        let Some(entry) = entries.get_mut(index) else {
            return Ok(());
        };
        *entry = read(key, &with(entry, setting, values.trim()))?;
        Ok(())
    })
}

/// Adds an alternative: another curve.
pub fn add(study: &Study, key: &Key, part: &str) -> Edited {
    change(study, key, |entries| {
        entries.push(read(key, part)?);
        Ok(())
    })
}

/// Takes an alternative away; the last one stays.
pub fn remove(study: &Study, key: &Key, index: usize) -> Edited {
    change(study, key, |entries| {
        if entries.len() > 1 && index < entries.len() {
            entries.remove(index);
        }
        Ok(())
    })
}

/// Whether the whole study has the same faults, so that one can be added.
pub fn can_fail(study: &Study) -> bool {
    let entries = study.common.entries("faults");
    let plain = |entry: &Entry| entry.settings.iter().all(|(_, values)| values.count() == 1);
    entries.len() < 2
        && entries.iter().all(plain)
        && study.cases.iter().all(|case| case.section.entries("faults").is_empty())
}

/// Writes out what is broken.
pub fn fail(study: &Study, key: &Key, broken: &Broken) -> Edited {
    let mut text = "list".to_owned();
    let links = broken.links.iter().map(|[switch, port]| format!("{switch}-{port}")).collect();
    let numbers = |all: &[u32]| all.iter().map(u32::to_string).collect::<Vec<_>>();
    let lists: [(&str, Vec<String>); 3] = [
        ("link", links),
        ("switch", numbers(&broken.switches)),
        ("endpoint", numbers(&broken.endpoints)),
    ];
    for (setting, items) in lists.into_iter().filter(|(_, items)| !items.is_empty()) {
        text.push_str(&format!(",{setting}={}", items.join(".")));
    }
    let text = if *broken == Broken::default() { "none" } else { &text };
    change(study, key, |entries| {
        *entries = vec![read(key, text)?];
        Ok(())
    })
}

/// The study without what a link said about its results.
pub fn unsigned(study: &Study) -> Study {
    Study { engine: None, digest: None, ..study.clone() }
}

fn change(
    study: &Study,
    key: &Key,
    edit: impl FnOnce(&mut Vec<Entry>) -> Result<(), Vec<Problem>>,
) -> Edited {
    let mut entries = study.entries(None, key);
    edit(&mut entries)?;
    let mut changed = unsigned(study);
    *changed.common.entries_mut(key.name) = entries;
    changed.plan()?;
    Ok(changed)
}

fn read(key: &Key, text: &str) -> Result<Entry, Vec<Problem>> {
    Entry::read(key.name, text).map_err(|(_, problems)| problems)
}

/// The text of an entry with other values for a setting.
fn with(entry: &Entry, setting: &str, values: &str) -> String {
    let head = match &entry.part {
        Some(part) => part.clone(),
        None if setting.is_empty() => values.to_owned(),
        None => entry.get("").map(ToString::to_string).unwrap_or_default(),
    };
    let others = entry
        .settings
        .iter()
        .filter(|(key, _)| !key.is_empty() && key != setting)
        .map(|(key, values)| format!(",{key}={values}"));
    let mut text: String = std::iter::once(head).chain(others).collect();
    if !setting.is_empty() {
        text.push_str(&format!(",{setting}={values}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragontree::scenario::KEYS;

    fn key(name: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.name == name)
    }

    fn topology() -> &'static Key {
        key("topology").unwrap()
    }

    #[test]
    fn a_setting_changes_and_the_others_stay() {
        let study = Study::parse("topology=dragonfly,p=2,h=2").unwrap();
        let study = set(&study, topology(), 0, "p", "3").unwrap();
        assert_eq!(study.query(), "v=1&topology=dragonfly,p=3,h=2");
    }

    #[test]
    fn a_bad_value_is_refused_with_what_is_allowed() {
        let problems = set(&Study::default(), topology(), 0, "p", "900").unwrap_err();
        assert_eq!(problems[0].key, "topology,p");
        assert_eq!(problems[0].nearest.as_deref(), Some("64"));
    }

    #[test]
    fn a_setting_may_become_an_axis() {
        let study = set(&Study::default(), topology(), 0, "p", "2/4").unwrap();
        assert_eq!(study.plan().unwrap().curves.len(), 2);
    }

    #[test]
    fn a_third_axis_is_refused() {
        let study = set(&Study::default(), topology(), 0, "p", "2/4").unwrap();
        assert!(set(&study, topology(), 0, "h", "2/4").is_err());
    }

    #[test]
    fn alternatives_come_and_go_but_the_last_stays() {
        let routing = key("routing").unwrap();
        let two = add(&Study::default(), routing, "d_mod_k").unwrap();
        assert_eq!(two.plan().unwrap().curves.len(), 2);
        let one = remove(&two, routing, 0).unwrap();
        assert_eq!(one.query(), "v=1&routing=d_mod_k");
        assert_eq!(remove(&one, routing, 0).unwrap(), one);
    }

    #[test]
    fn a_change_forgets_the_results_of_the_link() {
        let study = Study::parse("seed=7 e=1 d=00000000000000ff").unwrap();
        let study = choose(&study, topology(), 0, "xgft").unwrap();
        assert_eq!((study.engine, study.digest), (None, None));
    }

    #[test]
    fn messages_with_lengths_of_their_own_leave_out_the_others() {
        let study = Study::parse("exchange=all_to_all bytes=1KiB/2KiB x=bytes").unwrap();
        let exchange = key("exchange").unwrap();
        let ring = choose(&study, exchange, 0, "ring").unwrap();
        assert_eq!(ring.query(), "v=1&exchange=ring&bytes=1KiB/2KiB&x=bytes");
        let neighbors = choose(&study, exchange, 0, "nearest_neighbor").unwrap();
        assert_eq!(neighbors.query(), "v=1&exchange=nearest_neighbor");
    }

    #[test]
    fn what_breaks_is_written_out_and_what_is_mended_leaves_no_trace() {
        let faults = key("faults").unwrap();
        let broken = Broken { links: vec![[5, 2], [7, 1]], switches: vec![3], endpoints: vec![] };
        let study = fail(&Study::default(), faults, &broken).unwrap();
        assert_eq!(study.query(), "v=1&faults=list,link=5-2.7-1,switch=3");
        let mended = fail(&study, faults, &Broken::default()).unwrap();
        assert_eq!(mended.query(), "v=1");
    }

    #[test]
    fn faults_that_vary_are_left_to_the_text() {
        assert!(can_fail(&Study::default()));
        assert!(can_fail(&Study::parse("faults=random,links=3").unwrap()));
        assert!(!can_fail(&Study::parse("faults=random,links=1/3").unwrap()));
        assert!(!can_fail(&Study::parse("faults=none faults=random").unwrap()));
        assert!(!can_fail(&Study::parse("case=a faults=random case=b").unwrap()));
    }

    #[test]
    fn a_value_key_takes_a_range() {
        let load = key("load").unwrap();
        let study = set(&Study::default(), load, 0, "", "0.1..0.5:5").unwrap();
        assert_eq!(study.query(), "v=1&load=0.1..0.5:5");
    }
}
