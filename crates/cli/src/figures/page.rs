//! The figures as a page to read: what the documents say, what came out, and links to the studies.

use std::fmt::Write;

use dragontree::scenario::{Abscissa, MetricKind, Study};

use super::check::{Checked, Verdict};
use super::paper::{Document, Expect, Figure, Form, Quantity, Run};
use super::{rounded, with_spread};

/// Where a figure has more studies than this, they are folded.
const OPEN: usize = 4;

/// The page, in HTML that stands beside the laboratory: its links lead there. `checked` are the checks
/// of all figures of these documents, in order.
pub fn page(documents: &[Document], checked: &[Checked]) -> String {
    let mut rest = checked.iter();
    let mut sections = String::new();
    for document in documents {
        sections.push_str(&section(document, &mut rest));
    }
    let list = documents.iter().map(entry).collect::<String>();
    format!("{HEAD}<ul class=\"documents\">\n{list}</ul>\n{sections}{FOOT}")
}

const HEAD: &str = r#"<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
    <title>Published figures – Dragontree</title>
    <meta name="description" content="Tables and figures of publications on interconnection networks, reproduced: the published number beside the one that comes out, and a link to each experiment.">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" type="image/svg+xml" href="icon.svg">
    <link rel="stylesheet" href="style.css">
    <link rel="stylesheet" href="reading.css">
  </head>
  <body class="reading">
<header class="top"><a class="brand" href="./"><span>Dragontree</span></a><a class="quiet" href="optimal_routes.html">Lesson: optimal routes</a></header>
<main>
<h1>Published figures</h1>
<p>What publications say about interconnection networks, and what comes out here. Each study is a link: it opens in the laboratory, where one thing can be changed. <code>dragontree figures</code> runs them all and prints the same numbers; <code>--full</code> runs the larger studies: more sizes, more seeds or longer windows. 3σ is three standard deviations over the seeds. Where a number is not met the reason stands beside it or in the note, and so does what was chosen where a document is silent.</p>
"#;

const FOOT: &str = "</main>\n</body>\n</html>\n";

fn entry(document: &Document) -> String {
    let Document { name, title, figure } = document;
    let links: Vec<String> =
        figure.iter().map(|Figure { id, .. }| format!("<a href=\"#{id}\">{id}</a>")).collect();
    format!("<li><b>{}</b>: {}<br>{}</li>\n", escaped(name), escaped(title), links.join(" "))
}

fn section<'a>(document: &Document, checked: &mut impl Iterator<Item = &'a Checked>) -> String {
    let figures = document.figure.iter().map(|figure| card(figure, checked)).collect::<String>();
    format!("<h2>{}</h2>\n{figures}", escaped(&document.name))
}

/// A figure: what the document says, and its studies with their numbers.
fn card<'a>(figure: &Figure, checked: &mut impl Iterator<Item = &'a Checked>) -> String {
    let Figure { id, claim, source, note, run } = figure;
    let studies = run.iter().map(|run| study(run, checked)).collect::<String>();
    let table = format!("<table>\n{TITLES}{studies}</table>\n");
    let table = match run.len() {
        0..=OPEN => table,
        count => format!("<details><summary>{count} studies</summary>\n{table}</details>\n"),
    };
    let note = note.as_ref().map(|note| format!("<p class=\"note\">{}</p>\n", marked(note)));
    format!(
        "<article id=\"{id}\">\n<h3>{}</h3>\n<p class=\"source\"><a href=\"#{id}\">{id}</a> · {}</p>\n\
         {}{table}</article>\n",
        escaped(claim),
        escaped(source),
        note.unwrap_or_default(),
    )
}

const TITLES: &str = "<thead><tr><th>Number</th><th>Published</th><th>Here</th></tr></thead>\n";

/// A study: its text, a link that opens it, and a row for each number.
fn study<'a>(run: &Run, checked: &mut impl Iterator<Item = &'a Checked>) -> String {
    let expected = run.expected(Form::Reduced);
    let rows = expected.map(|expect| row(expect, checked.next())).collect::<String>();
    let presented = presentation(run);
    let full = run.full.as_ref();
    let full = full.map(|full| format!(" · {}", link(full, presented, "Open the larger study")));
    format!(
        "<tbody>\n<tr><th colspan=\"3\" scope=\"rowgroup\"><code>{}</code>{}{}</th></tr>\n{rows}\
         </tbody>\n",
        escaped(&on_one_line(run)),
        link(run.text(Form::Reduced), presented, "Open"),
        full.unwrap_or_default(),
    )
}

fn on_one_line(run: &Run) -> String {
    run.text(Form::Reduced).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Words of the address for the page: where phases, formulas or contention of an exchange are expected,
/// they are shown at once; what is told without any simulation waits for one until the reader asks.
fn presentation(run: &Run) -> &'static str {
    use MetricKind::{Contention, ContentionMean};
    let exchanges = Study::parse(&run.study).is_ok_and(|study| study.exchanges());
    let any = |of: fn(Quantity) -> bool| run.expect.iter().any(|expect| of(expect.metric));
    let told = any(|it| matches!(it, Quantity::Crossings | Quantity::Formula));
    let shared = any(|it| matches!(it, Quantity::Metric(Contention | ContentionMean)));
    let measured = any(|it| matches!(it, Quantity::Metric(_) | Quantity::Deadlock));
    match (exchanges && (told || shared), measured) {
        (true, true) => "&show=messages",
        (true, false) => "&run=click&show=messages",
        (false, _) => "",
    }
}

/// A link that opens a study, with words for the page. A text that does not read is shown as it is;
/// running it says why.
fn link(text: &str, presented: &str, shown: &str) -> String {
    match Study::parse(text) {
        Ok(study) => {
            format!("<a href=\"./?{}\">{shown}</a>", escaped(&(study.query() + presented)))
        }
        Err(_) => shown.to_owned(),
    }
}

fn row(expect: &Expect, checked: Option<&Checked>) -> String {
    let got = checked.and_then(|it| it.got.map(|got| with_spread(got, it.three_sigma)));
    let class = match checked.map(|checked| checked.verdict) {
        Some(Verdict::Met) => "",
        Some(Verdict::Differs) => " class=\"differs\"",
        _ => " class=\"missed\"",
    };
    let origin = expect.origin.as_ref().map(|it| format!(" <small>{}</small>", escaped(it)));
    let reason = expect
        .differs
        .as_ref()
        .map(|it| format!("<tr class=\"reason\"><td colspan=\"3\">{}</td></tr>\n", escaped(it)));
    format!(
        "<tr><td>{}</td><td>{}{}</td><td{class}>{}</td></tr>\n{}",
        escaped(&quantity(expect)),
        escaped(&published(expect)),
        origin.unwrap_or_default(),
        got.as_deref().unwrap_or("nothing"),
        reason.unwrap_or_default(),
    )
}

/// What is compared, in words.
fn quantity(expect: &Expect) -> String {
    let of = expect.of.as_deref().unwrap_or_default();
    let mut words = match expect.metric {
        Quantity::Metric(kind) => kind.label().to_owned(),
        Quantity::Formula => of.to_owned(),
        Quantity::Crossings => format!("crossings of {of}"),
        Quantity::Deadlock => "packets that wait for each other in a circle".to_owned(),
        Quantity::Free(_) => format!("routes without cycles ({})", expect.metric.name()),
        Quantity::Network(name) => name.replace('_', " "),
    };
    if let Some(curve) = &expect.curve {
        let _ = write!(words, ", {curve}");
    }
    if let Some(over) = &expect.over {
        let _ = write!(words, " ÷ {over}");
    }
    if expect.successive {
        words.push_str(", from place to place");
    }
    match (&expect.x, expect.metric) {
        (Some(Abscissa::Number(x)), Quantity::Crossings) => {
            let _ = write!(words, " in phase {x}");
        }
        (Some(x), _) => {
            let _ = write!(words, " at {x}");
        }
        (None, _) => {}
    }
    words
}

/// The document's number, or what it leaves to be met.
fn published(expect: &Expect) -> String {
    let number = |number: f64| match expect.metric {
        Quantity::Metric(MetricKind::Completion) if expect.over.is_none() && !expect.successive => {
            format!("{} ns", rounded(number))
        }
        _ => rounded(number),
    };
    let range = |from: Option<f64>, to: Option<f64>| match (from, to) {
        (Some(from), Some(to)) => format!("{} to {}", number(from), number(to)),
        (Some(from), None) => format!("at least {}", number(from)),
        (None, Some(to)) => format!("at most {}", number(to)),
        (None, None) => String::new(),
    };
    let range = range(expect.min.map(|min| min.0), expect.max.map(|max| max.0));
    let expected = expect.expected.map(|expected| match expect.tolerance {
        0.0 => number(expected.0),
        tolerance => format!("{} ± {}", number(expected.0), rounded(tolerance)),
    });
    [expected.unwrap_or_default(), range]
        .into_iter()
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Text in which `code` is marked as such.
fn marked(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    let mark = |(place, piece): (usize, &str)| match place % 2 {
        0 => escaped(piece),
        _ => format!("<code>{}</code>", escaped(piece)),
    };
    pieces.map(mark).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::paper::documents;
    use super::*;

    #[test]
    fn every_study_is_a_link_that_reads_back() {
        let documents = documents().expect("the shipped figures read");
        let page = page(&documents, &[]);
        let links: Vec<&str> = page.split("href=\"./?").skip(1).collect();
        let runs = documents.iter().flat_map(|document| &document.figure).flat_map(|it| &it.run);
        let wanted: Vec<&Run> = runs.collect();
        let full = wanted.iter().filter(|run| run.full.is_some()).count();
        assert_eq!(links.len(), wanted.len() + full);
        for link in links {
            let query = link.split('"').next().unwrap_or_default().replace("&amp;", "&");
            let study = Study::parse(&query).expect("the address of the page reads");
            let presented = query.strip_prefix(&study.query());
            let known = ["", "&show=messages", "&run=click&show=messages"];
            assert!(presented.is_some_and(|words| known.contains(&words)), "{query}");
        }
    }

    #[test]
    fn phases_and_contention_of_exchanges_are_shown_at_once() {
        let all = documents().expect("the shipped figures read");
        let all: Vec<&Figure> = all.iter().flat_map(|document| &document.figure).collect();
        let of = |id: &str| {
            let figure = all.iter().find(|figure| figure.id == id).expect("it is shipped");
            figure.run.iter().map(presentation).collect::<Vec<_>>()
        };
        for id in ["P-F2.1", "P-F2.2", "P-F2.3", "P-F2.4a", "P-F4.1", "P-F4.2"] {
            assert!(of(id).iter().all(|words| *words == "&run=click&show=messages"), "{id}");
        }
        assert!(of("P-F2.4b").iter().all(|words| *words == "&show=messages"));
        // Halved roots are a formula of the tree alone; throughput has no messages to look at.
        assert!(of("P-T2.1").iter().chain(&of("P-F6.3")).all(|words| words.is_empty()));
    }

    #[test]
    fn what_was_missed_is_marked() {
        let expect: Expect = toml::from_str(
            "metric = \"completion\"\nover = \"ideal\"\nmin = 1\nmax = 1.5\nx = 64\ncurve = \"A<B\"",
        )
        .expect("it reads");
        let row = row(&expect, None);
        assert!(row.contains("completion time, A&lt;B ÷ ideal at 64"), "{row}");
        assert!(row.contains("<td>1 to 1.5</td><td class=\"missed\">nothing</td>"), "{row}");
    }
}
