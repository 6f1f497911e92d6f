//! Frozen addresses: what a link of some version meant once, it means for ever.
//!
//! `links/good.txt` has pairs of lines: a link, then `=` and the full text of its meaning.
//! `links/bad.txt` has a link, then `!` and each message it must give; `…` stands for the rest of
//! a list of names, which grows. A new key may join a
//! version when its default reproduces the older results, so the meanings are compared, not the
//! characters.

#![cfg(not(target_arch = "wasm32"))]

use dragontree::scenario::{Detail, Study};

const GOOD: &str = include_str!("links/good.txt");
const BAD: &str = include_str!("links/bad.txt");

/// Each link with the lines that follow it, their mark taken away.
fn entries(file: &'static str, mark: char) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut entries: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in file.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("# ")) {
        match (line.strip_prefix(mark), entries.last_mut()) {
            (Some(rest), Some((_, lines))) => lines.push(rest.trim_start()),
            _ => entries.push((line, Vec::new())),
        }
    }
    entries
}

#[test]
fn links_mean_what_they_meant() {
    let entries = entries(GOOD, '=');
    assert!(entries.len() > 10);
    let mut differing = Vec::new();
    for (link, meaning) in entries {
        let study = Study::parse(link).unwrap_or_else(|problems| panic!("{link}\n{problems}"));
        let [meaning] = meaning[..] else {
            differing.push(format!("{link}\n= {}", study.text(Detail::Everything)));
            continue;
        };
        let meant = Study::parse(meaning).unwrap_or_else(|problems| panic!("{link}\n{problems}"));
        let same = study.plan() == meant.plan()
            && study.text(Detail::Everything) == meant.text(Detail::Everything)
            && study.query() == meant.query();
        if !same {
            differing.push(format!("{link}\n= {}", study.text(Detail::Everything)));
        }
    }
    assert!(differing.is_empty(), "these mean something else now:\n{}", differing.join("\n"));
}

#[test]
fn links_of_ours_are_short() {
    for (link, _) in entries(GOOD, '=') {
        let study = Study::parse(link).unwrap_or_else(|problems| panic!("{link}\n{problems}"));
        let query = study.query();
        assert!(query.len() < 300, "{query}");
        assert!(!query.contains([' ', '"', '\'', '(', ')', '{', '}', '<', '>', '%']), "{query}");
    }
}

#[test]
fn bad_links_say_everything_that_is_wrong() {
    let entries = entries(BAD, '!');
    assert!(entries.len() > 10);
    let mut differing = Vec::new();
    for (link, expected) in entries {
        let problems = Study::parse(link).err().map(|problems| problems.problems);
        let found: Vec<String> = problems.iter().flatten().map(ToString::to_string).collect();
        let fits = |(found, expected): (&String, &&str)| match expected.strip_suffix('…') {
            Some(beginning) => found.starts_with(beginning),
            None => found == expected,
        };
        if found.len() != expected.len() || !found.iter().zip(&expected).all(fits) {
            let lines: Vec<String> = found.iter().map(|line| format!("! {line}")).collect();
            differing.push(format!("{link}\n{}", lines.join("\n")));
        }
    }
    assert!(differing.is_empty(), "these say something else now:\n{}", differing.join("\n"));
}
