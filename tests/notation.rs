//! The text form: what is printed reads back, what is wrong is said, and nothing panics.

#![cfg(not(target_arch = "wasm32"))]

use dragontree::catalog::{Description, Kind, Problem, Tier, Unit};
use dragontree::scenario::{Detail, KEYS, MetricKind, Scenario, Study};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const DETAILS: [Detail; 3] = [Detail::Least, Detail::Basic, Detail::Everything];

/// Checks that every form of a study's text means the same study.
fn reads_back(study: &Study) -> Result<(), TestCaseError> {
    let plan = study.plan();
    prop_assert!(plan.is_ok(), "{plan:?}");
    for detail in DETAILS {
        let text = study.text(detail);
        let again = Study::parse(&text);
        prop_assert!(again.is_ok(), "{text}\n{again:?}");
        let again = again.expect("just seen");
        prop_assert_eq!(again.plan(), study.plan(), "{}", text);
        prop_assert_eq!(again.text(detail), text);
        prop_assert_eq!((&again.y, &again.x), (&study.y, &study.x));
    }
    let query = study.query();
    prop_assert_eq!(Study::parse(&format!("?{query}")).map(|again| again.query()), Ok(query));
    Ok(())
}

/// The settings that a text may give for a key: of one part, or of the key's own value.
#[derive(Clone, Debug)]
struct Given {
    key: &'static str,
    part: Option<&'static str>,
    settings: Vec<Description>,
}

/// Every part of every key, and every key that takes a value.
fn everything() -> Vec<Given> {
    let mut all = Vec::new();
    for key in KEYS {
        let parts = Scenario::parts(key.name);
        if parts.is_empty() {
            let settings = Scenario::default().describe(key.name);
            all.push(Given { key: key.name, part: None, settings });
        }
        all.extend(parts.into_iter().map(|part| Given {
            key: key.name,
            part: Some(part.name),
            settings: part.settings,
        }));
    }
    all
}

/// `key=part,setting=value,…` of settings with their values.
fn token(given: &Given, values: &[(&'static str, String)]) -> String {
    let mut text = format!("{}={}", given.key, given.part.unwrap_or_default());
    for (setting, value) in values {
        match *setting {
            "" => text.push_str(value),
            setting => text.push_str(&format!(",{setting}={value}")),
        }
    }
    text
}

/// A base value between two others, often one of them.
fn base(low: u64, high: u64) -> BoxedStrategy<u64> {
    let near = low.saturating_add(100).min(high);
    prop_oneof![1 => Just(low), 1 => Just(high), 3 => low..=near, 3 => low..=high].boxed()
}

fn value(kind: &Kind) -> BoxedStrategy<String> {
    match kind.clone() {
        Kind::Number { unit, low, high, word } => {
            let number = base(low, high).prop_map(move |base| unit.print(base));
            match word {
                Some(word) => prop_oneof![4 => number, 1 => Just(word.to_owned())].boxed(),
                None => number.boxed(),
            }
        }
        Kind::Numbers { low, high, longest } => {
            let numbers = prop::collection::vec(low..=high, 1..=longest);
            let join = |numbers: Vec<u32>| {
                numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
            };
            numbers.prop_map(join).boxed()
        }
        Kind::Choice(words) => select(words).prop_map(|(word, _)| word.to_owned()).boxed(),
        Kind::Written { example, .. } => Just(example.to_owned()).boxed(),
    }
}

/// Several values of a setting: alternatives, or a range of any form.
fn values(kind: &Kind) -> BoxedStrategy<String> {
    let list = prop::collection::vec(value(kind), 2..5).prop_map(|values| values.join("/"));
    match *kind {
        Kind::Number { unit, low, high, .. } if low < high => {
            prop_oneof![list, range(unit, low, high)].boxed()
        }
        _ => list.boxed(),
    }
}

fn range(unit: Unit, low: u64, high: u64) -> BoxedStrategy<String> {
    let ends = (base(low, high - 1), base(low + 1, high));
    let ends =
        ends.prop_map(|(first, last)| if first < last { (first, last) } else { (last - 1, last) });
    let spacing = prop_oneof![(2_u64..9).prop_map(Some), Just(None)];
    (ends, spacing, any::<bool>())
        .prop_map(move |((first, last), spacing, points)| {
            let (from, to) = (unit.print(first), unit.print(last));
            match spacing {
                Some(count) if points => format!("{from}..{to}:{count}"),
                Some(steps) => {
                    let by = unit.print((last - first).div_ceil(steps));
                    format!("{from}..{to}:by{by}")
                }
                None => {
                    let first = first.max(1).max(last >> 6);
                    let (first, last) = (first, last.max(first + 1));
                    format!("{}..{}:x2", unit.print(first), unit.print(last.min(high)))
                }
            }
        })
        .boxed()
}

/// One entry; `varied` is the place of a setting that has several values.
fn entry(given: Given, varied: Option<usize>) -> BoxedStrategy<String> {
    let settings: Vec<BoxedStrategy<Option<String>>> = given
        .settings
        .iter()
        .enumerate()
        .map(|(place, setting)| match setting {
            // Studies must stay within the limit of runs.
            _ if given.key == "seeds" => (1_u32..4).prop_map(|n| Some(n.to_string())).boxed(),
            _ if varied == Some(place) => values(&setting.kind).prop_map(Some).boxed(),
            _ if setting.key.is_empty() => value(&setting.kind).prop_map(Some).boxed(),
            _ => prop::option::of(value(&setting.kind)).boxed(),
        })
        .collect();
    settings
        .prop_map(move |values| {
            let settings = given.settings.iter().map(|setting| setting.key);
            let pairs = settings.zip(values);
            let pairs: Vec<_> = pairs.filter_map(|(key, value)| Some((key, value?))).collect();
            token(&given, &pairs)
        })
        .boxed()
}

/// An entry of single values for any key.
fn single() -> impl Strategy<Value = (&'static str, Vec<String>)> {
    select(everything()).prop_flat_map(|given| {
        let key = given.key;
        entry(given, None).prop_map(move |token| (key, vec![token]))
    })
}

/// Something that varies: a setting with several values, or several entries for a key.
fn axis() -> impl Strategy<Value = (&'static str, Vec<String>)> {
    let varied = (select(everything()), any::<Index>()).prop_flat_map(|(given, place)| {
        let key = given.key;
        let place = (!given.settings.is_empty()).then(|| place.index(given.settings.len()));
        entry(given, place).prop_map(move |token| (key, vec![token]))
    });
    let alternatives = select(KEYS).prop_flat_map(|key| {
        let all: Vec<Given> =
            everything().into_iter().filter(|given| given.key == key.name).collect();
        let one = select(all).prop_flat_map(|given| entry(given, None));
        prop::collection::vec(one, 2..5).prop_map(move |tokens| (key.name, tokens))
    });
    let automatic = (1_u32..20).prop_map(|count| ("load", vec![format!("load=auto:{count}")]));
    prop_oneof![4 => varied, 4 => alternatives, 1 => automatic]
}

/// Entries of single values and something that varies, for each key one of them.
fn section(singles: usize, axes: usize) -> impl Strategy<Value = Vec<String>> {
    let singles = prop::collection::vec(single(), 0..=singles);
    let axes = prop::collection::vec(axis(), 0..=axes);
    (singles, axes).prop_map(|(singles, axes)| {
        let mut chosen: Vec<(&str, Vec<String>)> = Vec::new();
        for (key, tokens) in singles.into_iter().chain(axes) {
            chosen.retain(|(other, _)| *other != key);
            chosen.push((key, tokens));
        }
        chosen.into_iter().flat_map(|(_, tokens)| tokens).collect()
    })
}

prop_compose! {
    /// The text of a study: a common section, cases, metrics.
    fn study_text()(
        common in section(5, 1),
        cases in prop::collection::vec(section(2, 0), 0..3),
        metrics in prop::collection::vec(select(MetricKind::ALL), 0..3),
        relative in any::<bool>(),
        separator in select(&[" ", "&", "\n", " \t ", "\n# note\n"][..]),
    ) -> String {
        let mut tokens = common;
        let over = if relative && !cases.is_empty() { ",over=c0" } else { "" };
        for (index, entries) in cases.into_iter().enumerate() {
            tokens.push(format!("case=c{index}"));
            tokens.extend(entries);
        }
        tokens.extend(metrics.iter().map(|kind| format!("y={}{over}", kind.name())));
        tokens.join(separator)
    }
}

/// Small damage: a piece of the text is replaced.
fn damaged() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(String::new()),
        "[=,./:#&%?0-9a-z ]{1,3}",
        any::<char>().prop_map(String::from),
        select(&["..", "/", "=", "case=", "x=load", "auto:3", "18446744073709551616"][..])
            .prop_map(str::to_owned),
    ];
    let wounds = prop::collection::vec((any::<Index>(), 0_usize..4, piece), 1..4);
    (study_text(), wounds).prop_map(|(text, wounds)| {
        let mut letters: Vec<char> = text.chars().collect();
        for (at, length, piece) in wounds {
            let at = at.index(letters.len() + 1);
            let end = (at + length).min(letters.len());
            letters.splice(at..end, piece.chars());
        }
        letters.into_iter().collect()
    })
}

/// Whatever a text says, everything can be asked of what became of it.
fn survives(text: &str) -> Result<(), TestCaseError> {
    match Study::parse(text) {
        Ok(study) => reads_back(&study),
        Err(problems) => {
            prop_assert!(!problems.problems.is_empty());
            for problem in &problems.problems {
                prop_assert!(!problem.allowed.is_empty(), "{problem:?}");
            }
            for detail in DETAILS {
                let _ = Study::parse(&problems.rest.text(detail));
            }
            Ok(())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn studies_read_back(text in study_text()) {
        match Study::parse(&text) {
            Ok(study) => reads_back(&study)?,
            // A case may fix what varies in the others, which leaves it without their axis; and what is
            // measured of traffic is not of exchanges.
            Err(problems) => {
                let known = [
                    "different horizontal axes",
                    "no axis in common",
                    "every run needs one",
                    "an exchange has none",
                    "no varying bytes=",
                ];
                let other = |problem: &Problem| {
                    !known.iter().any(|words| problem.allowed.contains(words))
                };
                prop_assert!(!problems.problems.iter().any(other), "{}\n{}", text, problems);
            }
        }
    }

    #[test]
    fn damaged_texts_are_refused_or_read_back(text in damaged()) {
        survives(&text)?;
    }

    #[test]
    fn no_text_is_too_strange(text in any::<String>(), bytes in any::<Vec<u8>>()) {
        survives(&text)?;
        survives(&String::from_utf8_lossy(&bytes))?;
        survives(&format!("https://host/?{text}"))?;
        survives(&format!("topology={text}&load={text} case={text} x={text} y={text}"))?;
    }

    #[test]
    fn every_wrong_value_is_named(
        picks in prop::collection::vec((any::<Index>(), any::<bool>()), 1..5)
    ) {
        let mut wrong: Vec<(String, String, String)> = Vec::new();
        for (pick, above) in picks {
            let all = outside(above);
            let (token, key, given) = all[pick.index(all.len())].clone();
            let taken = |other: &(String, _, _)| other.0.split('=').next() == token.split('=').next();
            if !wrong.iter().any(taken) {
                wrong.push((token, key, given));
            }
        }
        let text: Vec<&str> = wrong.iter().map(|(token, _, _)| token.as_str()).collect();
        let problems = Study::parse(&text.join(" ")).expect_err("all of it is wrong").problems;
        for (token, key, given) in &wrong {
            let named = problems.iter().any(|problem| {
                problem.key == *key && problem.given == *given && problem.allowed.contains("allowed")
            });
            prop_assert!(named, "{}\n{:?}", token, problems);
        }
    }
}

/// Values just outside of what is allowed, each with the key and the value that must be named.
fn outside(above: bool) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for given in everything() {
        let part = Given { settings: Vec::new(), ..given.clone() };
        if given.part.is_some() {
            let wrong = Given { part: Some("nothing"), ..part.clone() };
            found.push((token(&wrong, &[]), given.key.to_owned(), "nothing".to_owned()));
        }
        for setting in &given.settings {
            let wrong = match setting.kind {
                Kind::Number { unit, high, .. } if above && high < u64::MAX => unit.print(high + 1),
                Kind::Number { unit, low, .. } if !above && low > 0 => unit.print(low - 1),
                Kind::Numbers { high, .. } => format!("{}", u64::from(high) + 1),
                Kind::Choice(_) | Kind::Written { .. } => "nothing".to_owned(),
                Kind::Number { .. } => continue,
            };
            let key = match setting.key {
                "" => given.key.to_owned(),
                setting => format!("{},{setting}", given.key),
            };
            found.push((token(&part, &[(setting.key, wrong.clone())]), key, wrong));
        }
    }
    found
}

#[test]
fn every_part_reads_back_with_its_defaults() {
    for given in everything() {
        let full = given
            .settings
            .iter()
            .filter(|setting| !setting.shorthand && setting.tier != Tier::Text);
        let defaults = full.map(|setting| (setting.key, setting.value.clone()));
        let defaults: Vec<_> = defaults.collect();
        for values in [&defaults[..], &[]] {
            if given.part.is_none() && values.is_empty() {
                continue;
            }
            let text = token(&given, values);
            let study = Study::parse(&text).unwrap_or_else(|problems| panic!("{text}: {problems}"));
            reads_back(&study).unwrap_or_else(|error| panic!("{text}: {error}"));
            let again = study.entries(None, key(given.key))[0].print(given.key, Detail::Everything);
            assert_eq!(format!("{}={again}", given.key), token(&given, &defaults));
        }
    }
}

fn key(name: &str) -> &'static dragontree::scenario::Key {
    KEYS.iter().find(|key| key.name == name).expect("it is in the list")
}
