//! Fabrics from files that the reader opens, and into files that the page offers.

use std::sync::Arc;

use dragontree::analysis::{Meant, PathStep, Tracer};
use dragontree::catalog::{Data, Menu, Problem, Written, data};
use dragontree::interchange::{self, Format, Source, Writing, lfts};
use dragontree::network::{Network, Node};
use dragontree::scenario::Scenario;
use serde::{Deserialize, Serialize};

/// A file with its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// Its name, for messages only.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What opening files came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// What stands for a fabric's files in the notation: `data=` takes it.
    pub fabric: Option<String>,
    /// What stands for dumps of forwarding tables: `lfts=` takes it.
    pub lfts: Option<String>,
    /// What is odd in the files of the fabric, a sentence each.
    pub notices: Vec<String>,
}

/// Tells what files are: a fabric, several being its rails, and dumps of forwarding tables, which
/// mean something on their fabric only.
pub fn open(contents: &[Content]) -> Result<Opened, Vec<Problem>> {
    let (tables, fabric): (Vec<&Content>, Vec<&Content>) =
        contents.iter().partition(|file| file.text.lines().any(|line| line.starts_with(TABLES)));
    let sources: Vec<Source<'_>> =
        fabric.iter().map(|file| Source { name: &file.name, text: &file.text }).collect();
    let mut notices = Vec::new();
    if !fabric.is_empty() || tables.is_empty() {
        let reading = interchange::read(&sources).map_err(|error| {
            let names: Vec<&str> = fabric.iter().map(|file| file.name.as_str()).collect();
            vec![Problem::new("file", names.join(", "), error.to_string())]
        })?;
        notices = reading.notices.iter().map(ToString::to_string).collect();
    }
    Ok(Opened { fabric: token(&fabric), lfts: token(&tables), notices })
}

/// What every table in a dump begins with.
const TABLES: &str = "Unicast lids";

/// What stands for files in the notation.
fn token(contents: &[&Content]) -> Option<String> {
    match contents {
        [] => None,
        [only] => Some(Data::token(&only.text)),
        _ => {
            let digests: Vec<u64> = contents.iter().map(|file| data::digest(&file.text)).collect();
            Some(Data::files(&digests).print())
        }
    }
}

/// A scenario's network as a file, or its routes as forwarding tables or pair by pair.
///
/// # Errors
/// There is no such format, the routes are no tables, or there are too many pairs.
pub fn write(
    scenario: &Scenario,
    network: &Arc<Network>,
    format: &str,
) -> Result<Writing, Vec<Problem>> {
    match format {
        "lfts" => return tables(scenario, network),
        "paths" => return paths(scenario, network),
        _ => {}
    }
    match Format::ALL.into_iter().find(|known| known.name() == format) {
        Some(format) => Ok(interchange::write(format, network)),
        None => Err(vec![Problem::new("format", format, "there is no such")]),
    }
}

/// The routes as OpenSM's engine `file` loads them.
fn tables(scenario: &Scenario, network: &Arc<Network>) -> Result<Writing, Vec<Problem>> {
    let routes = scenario.routes(network)?;
    let name = scenario.routing.name();
    let refused = |allowed: String| vec![Problem::new("routing", name, allowed)];
    let lfts = routes.oblivious().lfts().ok_or_else(|| {
        refused(
            "these routes depend on more than the destination, so no tables can hold them".into(),
        )
    })?;
    let text = lfts::write(network, &lfts).map_err(|error| refused(error.to_string()))?;
    Ok(Writing { text, losses: Vec::new() })
}

/// The most pairs of endpoints whose paths are written.
const MOST_PAIRS: u64 = 500_000;

/// The paths of every pair of endpoints, in the columns of `dragontree export --to paths`.
fn paths(scenario: &Scenario, network: &Arc<Network>) -> Result<Writing, Vec<Problem>> {
    let routes = scenario.routes(network)?;
    let count = u64::from(network.live_endpoint_count());
    let pairs = count * count.saturating_sub(1);
    if pairs > MOST_PAIRS {
        let allowed = format!(
            "there are {pairs} pairs of endpoints, allowed in the page: up to {MOST_PAIRS}; \
             `dragontree export --to paths` writes more"
        );
        return Err(vec![Problem::new("routing", scenario.routing.name(), allowed)]);
    }
    let tracer = Tracer::new(network, &routes);
    let live = || network.endpoints().filter(|endpoint| network.injection(*endpoint).is_some());
    let meant = |endpoint| Meant { node: Node::Endpoint(endpoint), port: None };
    let mut text = "source,destination,rail,probability,links,switches,problem\n".to_owned();
    for source in live() {
        for destination in live().filter(|other| *other != source) {
            let Ok(report) = tracer.trace(meant(source), meant(destination)) else { continue };
            for path in &report.paths {
                let cells = [
                    quoted(&report.source.name),
                    quoted(&report.destination.name),
                    path.rail.to_string(),
                    path.probability.to_string(),
                    path.hops.to_string(),
                    quoted(&switches(&path.steps)),
                    quoted(path.problem.as_deref().unwrap_or_default()),
                ];
                text.push_str(&cells.join(","));
                text.push('\n');
            }
        }
    }
    Ok(Writing { text, losses: Vec::new() })
}

/// The switches of a path, each with the port by which packets leave and their virtual channel.
fn switches(steps: &[PathStep]) -> String {
    let word = |step: &PathStep| {
        let number = |number: Option<u32>| number.map_or_else(String::new, |n| n.to_string());
        let vc = number(step.virtual_channel.map(u32::from));
        format!("{} [{}] vc {vc}", step.node.name, number(step.out_port))
    };
    let words: Vec<String> = steps.iter().filter(|step| step.is_switch).map(word).collect();
    words.join("; ")
}

/// A cell of comma-separated values.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
