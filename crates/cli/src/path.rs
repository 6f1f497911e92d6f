//! `dragontree path` and `dragontree query`: the ways between two nodes.

use std::io::{BufRead, Write};
use std::path::Path;

use dragontree::analysis::{Directory, PathOption, PathReport, PathStep, Tracer};
use dragontree::scenario::Scenario;

use crate::Finding;
use crate::arguments::{Ends, Text};
use crate::columns::aligned;
use crate::error::Failure;
use crate::input;

/// Answers questions about one fabric.
struct Service {
    directory: Directory,
    tracer: Tracer,
}

impl Service {
    fn new(arguments: &Ends, words: &[String]) -> Result<Service, Failure> {
        let text = Text { text: words.to_vec(), files: arguments.files.clone() };
        let scenarios = input::routings(&text, &arguments.tables)?;
        let [scenario] = &scenarios[..] else {
            return Err(Failure::Argument {
                name: "path",
                given: format!("a text with {} networks or routings", scenarios.len()),
                allowed: "one network and one routing".to_owned(),
            });
        };
        Service::of(scenario)
    }

    fn of(scenario: &Scenario) -> Result<Service, Failure> {
        let network = scenario.network().map_err(|problems| Failure::input(&problems))?;
        let routes = scenario.routes(&network).map_err(|problems| Failure::input(&problems))?;
        Ok(Service { directory: Directory::new(&network), tracer: Tracer::new(&network, &routes) })
    }

    fn ask(&self, ends: &str) -> Result<PathReport, String> {
        let (source, destination) =
            self.directory.pair(ends).map_err(|unknown| unknown.to_string())?;
        self.tracer.trace(source, destination).map_err(|untold| untold.to_string())
    }
}

/// The pair among the words, which is the last one, and the others.
fn split(words: &[String]) -> Result<(&str, &[String]), Failure> {
    match words.split_last() {
        Some((ends, rest)) if *ends == "-" || is_pair(ends) => Ok((ends, rest)),
        other => Err(Failure::Argument {
            name: "A:B",
            given: other.map_or_else(String::new, |(last, _)| last.clone()),
            allowed: "two nodes with a colon between them as the last word".to_owned(),
        }),
    }
}

fn is_pair(word: &str) -> bool {
    word.contains(':') && !Path::new(word).is_file() && !word.starts_with("http")
}

/// Runs `dragontree path`.
pub fn path(arguments: &Ends) -> Result<Finding, Failure> {
    answer(arguments, table)
}

/// Runs `dragontree query`.
pub fn query(arguments: &Ends) -> Result<Finding, Failure> {
    answer(arguments, line)
}

fn answer(arguments: &Ends, write: fn(&str, &PathReport) -> String) -> Result<Finding, Failure> {
    let (ends, words) = split(&arguments.words)?;
    let service = Service::new(arguments, words)?;
    let mut output = std::io::stdout().lock();
    let mut finding = Finding::Nothing;
    let mut answer = |ends: &str| -> Result<(), Failure> {
        match service.ask(ends) {
            Ok(report) if arguments.json => {
                writeln!(output, "{}", serde_json::to_string(&report)?)?;
            }
            Ok(report) => output.write_all(write(ends, &report).as_bytes())?,
            Err(reason) => {
                writeln!(output, "error: {reason}")?;
                finding = Finding::Refused;
            }
        }
        Ok(output.flush()?)
    };
    if ends != "-" {
        return match service.ask(ends) {
            Ok(_) => answer(ends).map(|()| Finding::Nothing),
            Err(reason) => Err(Failure::Fabric(reason)),
        };
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(Failure::Reading)?;
        let line = line.trim();
        if !line.is_empty() {
            answer(line.strip_prefix("query ").unwrap_or(line).trim())?;
        }
    }
    Ok(finding)
}

/// Source, switches, destination. Nodes are called as in the question where it says names.
fn line(ends: &str, report: &PathReport) -> String {
    let Some(path) = report.paths.first() else { return String::new() };
    if let Some(problem) = &path.problem {
        return format!("error: {ends}: {problem}\n");
    }
    let word = |step: &PathStep| match step.is_switch {
        true => step.node.guid.clone(),
        false => step.node.name.clone(),
    };
    let words: Vec<String> = path.steps.iter().map(word).collect();
    format!("{}\n", words.join(" "))
}

fn table(_ends: &str, report: &PathReport) -> String {
    let end = |end: &dragontree::analysis::PathEnd| {
        format!("{} ({}, lid {})", end.name, end.guid, end.lid)
    };
    let mut text = format!("{} to {}\n", end(&report.source), end(&report.destination));
    let rails = report.paths.iter().any(|path| path.rail != report.paths[0].rail);
    for path in &report.paths {
        text.push_str(&heading(path, rails));
        let width = path.steps.iter().map(|step| step.node.name.chars().count()).max().unwrap_or(0);
        let headings = ["", "guid", "lid", "in", "out", "vc", "entry"];
        let mut lines = vec![headings.map(str::to_owned).to_vec()];
        let number = |number: Option<u32>| number.map_or_else(String::new, |n| n.to_string());
        for step in &path.steps {
            let entry = step.entry.map(|lid| format!("lid {lid}"));
            lines.push(vec![
                format!("{:width$}", step.node.name),
                step.node.guid.clone(),
                step.node.lid.to_string(),
                number(step.in_port),
                number(step.out_port),
                number(step.virtual_channel.map(u32::from)),
                entry.unwrap_or_default(),
            ]);
        }
        text.push_str(&aligned(&lines));
        if let Some(problem) = &path.problem {
            text.push_str(&format!("  does not arrive: {problem}\n"));
        }
    }
    if report.omitted > 0 {
        text.push_str(&format!("\nand {} more paths\n", report.omitted));
    }
    text
}

fn heading(path: &PathOption, rails: bool) -> String {
    let rail = if rails { format!("rail {}, ", path.rail + 1) } else { String::new() };
    let hops = match path.hops {
        1 => "1 link between switches".to_owned(),
        hops => format!("{hops} links between switches"),
    };
    format!("\n{rail}probability {:.4}, {hops}\n", path.probability)
}
