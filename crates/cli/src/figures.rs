//! `dragontree figures`: the documents' figures as data, and what this program makes of them.

use std::io::Write;

use serde::Serialize;

use crate::Finding;
use crate::arguments;
use crate::error::Failure;
use crate::work;

mod check;
mod page;
mod paper;
mod points;
mod task;

pub use check::{Checked, Verdict, check};
pub use page::page;
pub use paper::{Document, Expect, Figure, Form, Number, Quantity, Run, documents, shipped};

/// Runs the command.
pub(crate) fn command(arguments: &arguments::Figures) -> Result<Finding, Failure> {
    let documents = chosen(documents()?, &arguments.ids)?;
    let figures: Vec<Figure> = documents.iter().flat_map(|it| it.figure.clone()).collect();
    let form = match arguments.full {
        true => Form::Full,
        false => Form::Reduced,
    };
    let mut output = std::io::stdout().lock();
    let mut last = String::new();
    let (mut missed, mut differing) = (0, 0);
    let checked = check(&figures, form, work::threads(arguments.jobs), |checked| {
        missed += usize::from(matches!(checked.verdict, Verdict::Missed | Verdict::Failed));
        differing += usize::from(checked.verdict == Verdict::Differs);
        if arguments.html {
            return Ok(());
        }
        if arguments.json {
            writeln!(output, "{}", serde_json::to_string(checked)?)?;
        } else {
            if checked.id != last {
                last.clone_from(&checked.id);
                writeln!(output, "{}", heading(checked))?;
            }
            writeln!(output, "{}", line(checked))?;
        }
        Ok(())
    })?;
    if arguments.html {
        write!(output, "{}", page(&documents, &checked))?;
    } else if !arguments.json {
        let count = checked.len();
        let met = count - missed - differing;
        let also = match differing {
            0 => String::new(),
            _ => format!(", {differing} differ for a reason that is given"),
        };
        writeln!(output, "{met} of {count} checks met{also}")?;
    }
    output.flush()?;
    match missed {
        0 => Ok(Finding::Nothing),
        _ => Ok(Finding::Found),
    }
}

/// The figures whose id is one of `ids` or begins so; all without any.
fn chosen(mut documents: Vec<Document>, ids: &[String]) -> Result<Vec<Document>, Failure> {
    let begins = |figure: &Figure, id: &String| figure.id.starts_with(id.as_str());
    let figures = || documents.iter().flat_map(|document| &document.figure);
    for id in ids {
        if !figures().any(|figure| begins(figure, id)) {
            let known: Vec<&str> = figures().map(|figure| figure.id.as_str()).collect();
            return Err(Failure::Argument {
                name: "figures",
                given: id.clone(),
                allowed: known.join(", "),
            });
        }
    }
    for document in &mut documents {
        let wanted = |figure: &Figure| ids.is_empty() || ids.iter().any(|id| begins(figure, id));
        document.figure.retain(wanted);
    }
    documents.retain(|document| !document.figure.is_empty());
    Ok(documents)
}

fn heading(checked: &Checked) -> String {
    let note = checked.note.as_ref();
    let note = note.map_or_else(String::new, |note| format!("\n  note: {note}"));
    format!("{}  {} ({}){note}", checked.id, checked.claim, checked.source)
}

fn line(checked: &Checked) -> String {
    let got = checked.got.map_or("nothing".to_owned(), |got| with_spread(got, checked.three_sigma));
    let problem = checked.problem.as_ref();
    let problem = problem.map_or_else(String::new, |problem| format!(" — {problem}"));
    let point = checked.x.as_ref().map_or_else(String::new, |x| format!(" at {x}"));
    // A study of many cases has many checks; the curve tells which of them this is.
    let place = match (&checked.curve, checked.study.contains("case=")) {
        (Some(curve), true) => format!("{curve}{point}"),
        _ => checked.study.clone(),
    };
    format!(
        "  {:<7}  {} {}, got {got}  ({:.1} s)  {place}{problem}",
        checked.verdict.name(),
        checked.metric.name(),
        expectation(checked),
        checked.seconds,
    )
}

fn expectation(checked: &Checked) -> String {
    let mut words = Vec::new();
    if let Some(expected) = checked.expected {
        words.push(format!("expected {}", rounded(expected)));
        if checked.tolerance > 0.0 {
            words.push(format!("± {}", checked.tolerance));
        }
    }
    words.extend(checked.min.map(|min| format!("at least {}", rounded(min))));
    words.extend(checked.max.map(|max| format!("at most {}", rounded(max))));
    words.join(" ")
}

/// A number, and where it is a mean over several seeds three standard deviations of it.
fn with_spread(got: f64, three_sigma: Option<f64>) -> String {
    match three_sigma {
        Some(spread) => format!("{} (3σ {})", rounded(got), rounded(spread)),
        None => rounded(got),
    }
}

/// At most four decimals, none for whole numbers.
fn rounded(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

impl Verdict {
    /// The word for it in the output.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Met => "met",
            Verdict::Differs => "differs",
            Verdict::Missed => "missed",
            Verdict::Failed => "failed",
        }
    }
}

impl Serialize for Verdict {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_choose_by_their_beginning() {
        let figures = || documents().expect("the shipped figures read");
        let ids = |chosen: Vec<Document>| -> Vec<String> {
            let figures = chosen.into_iter().flat_map(|document| document.figure);
            figures.map(|figure| figure.id).collect()
        };
        assert_eq!(ids(chosen(figures(), &[]).expect("all")), ids(figures()));
        let some = ids(chosen(figures(), &["P-T4".to_owned()]).expect("some"));
        assert_eq!(some, ["P-T4.1", "P-T4.2"]);
        let error = chosen(figures(), &["Q".to_owned()]).expect_err("none");
        assert!(error.to_string().contains("P-T2.1"));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(rounded(16.0), "16");
        assert_eq!(rounded(1.0 / 18.0), "0.0556");
        assert_eq!(rounded(120.0), "120");
    }
}
