//! The documents' figures in their reduced form.

#![cfg(not(target_arch = "wasm32"))]

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use dragontree_cli::figures::{Form, Verdict, check, documents, page, shipped};

#[test]
fn every_figure_is_met_or_differs_for_a_reason() {
    let figures = shipped().expect("the shipped figures read");
    let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let checked = check(&figures, Form::Reduced, threads, |_| Ok(())).expect("nothing is written");
    let missed: Vec<String> = checked
        .iter()
        .filter(|check| !matches!(check.verdict, Verdict::Met | Verdict::Differs))
        .map(|check| {
            let (id, verdict, metric) = (&check.id, check.verdict.name(), check.metric.name());
            format!(
                "{id} {verdict}: {metric} expected {:?} ± {}, from {:?} to {:?}, got {:?} {}\n  {}",
                check.expected,
                check.tolerance,
                check.min,
                check.max,
                check.got,
                check.problem.as_deref().unwrap_or_default(),
                check.study
            )
        })
        .collect();
    assert!(missed.is_empty(), "\n{}\n", missed.join("\n"));
    let documents = documents().expect("the shipped figures read");
    let written = include_str!("../static/figures.html");
    assert!(page(&documents, &checked) == written, "`cargo xtask defaults` writes the page anew");
}

#[test]
fn every_figure_is_named_once() {
    let figures = shipped().expect("the shipped figures read");
    for (index, figure) in figures.iter().enumerate() {
        assert!(figures[..index].iter().all(|other| other.id != figure.id), "{}", figure.id);
    }
}
