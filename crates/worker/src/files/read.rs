//! Reading and writing them.

use std::sync::Arc;

use dragontree::catalog::{Data, Menu, Problem, Written, data};
use dragontree::interchange::{self, Format, Source, Writing};
use dragontree::network::Network;
use dragontree::scenario::{Scenario, WaysFormat, part_of_file};

use super::{Content, Opened};

/// Tells what files are: a fabric, several being its rails; dumps of forwarding tables and of
/// service levels, which mean something on their fabric only; and what ranks send or where they are.
pub fn open(contents: &[Content]) -> Result<Opened, Vec<Problem>> {
    let (mut fabric, mut tables, mut levels) = (Vec::new(), Vec::new(), Vec::new());
    let mut parts = Vec::new();
    for file in contents {
        if let Some((key, part)) = part_of_file(&file.text) {
            parts.push([key, part, &Data::token(&file.text)].map(str::to_owned).to_vec());
            continue;
        }
        let kind = if file.text.lines().any(|line| line.starts_with(TABLES)) {
            &mut tables
        } else if interchange::levels::is_like(&file.text) {
            &mut levels
        } else {
            &mut fabric
        };
        kind.push(file);
    }
    let sources: Vec<Source<'_>> =
        fabric.iter().map(|file| Source { name: &file.name, text: &file.text }).collect();
    let mut notices = Vec::new();
    let others = !tables.is_empty() || !levels.is_empty() || !parts.is_empty();
    if !fabric.is_empty() || !others {
        let reading = interchange::read(&sources).map_err(|error| {
            let names: Vec<&str> = fabric.iter().map(|file| file.name.as_str()).collect();
            vec![Problem::new("file", names.join(", "), error.to_string())]
        })?;
        notices = reading.notices.iter().map(ToString::to_string).collect();
    }
    let [fabric, lfts, levels] = [&fabric, &tables, &levels].map(|files| token(files));
    Ok(Opened { fabric, lfts, levels, parts, notices })
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

/// A scenario's network as a file, or its routes as forwarding tables, pair by pair or message by
/// message, or how good they are.
///
/// # Errors
/// There is no such format, the routes are no tables, or there are too many pairs or messages.
pub fn write(
    scenario: &Scenario,
    network: &Arc<Network>,
    format: &str,
) -> Result<Writing, Vec<Problem>> {
    if let Some(format) = WaysFormat::ALL.into_iter().find(|known| known.name() == format) {
        return message_ways(scenario, network, format).map(whole);
    }
    match format {
        "lfts" => scenario.lfts_file(network),
        "levels" => scenario.levels_file(network, MOST_PAIRS).map(whole),
        "paths" => scenario.paths_file(network, MOST_PAIRS).map(whole),
        "certificate" => certificate(scenario, network).map(whole),
        _ => match Format::ALL.into_iter().find(|known| known.name() == format) {
            Some(format) => Ok(interchange::write(format, network)),
            None => Err(vec![Problem::new("format", format, "there is no such")]),
        },
    }
}

fn message_ways(
    scenario: &Scenario,
    network: &Arc<Network>,
    format: WaysFormat,
) -> Result<String, Vec<Problem>> {
    let ways = scenario.message_ways(network, MOST_PAIRS)?;
    (0..ways.parts(format)).map(|part| ways.part(format, part)).collect()
}

/// What is counted of the messages of each phase, level by level, as JSON: what there must be at least,
/// by which arc, and what there is.
fn certificate(scenario: &Scenario, network: &Arc<Network>) -> Result<String, Vec<Problem>> {
    let messages = scenario.demand(network)?.messages();
    if messages > MOST_PAIRS {
        let reason = format!("there are {messages} messages, allowed here: up to {MOST_PAIRS}");
        return Err(vec![Problem::new("exchange", scenario.exchange.name(), reason)]);
    }
    let refused = |allowed: &str| vec![Problem::new("routing", scenario.routing.name(), allowed)];
    let known = scenario.certificates(network, &scenario.routes(network)?)?;
    let known = known.ok_or_else(|| {
        refused("messages are certified on trees without parallel links, where each has one way")
    })?;
    serde_json::to_string(&known).map_err(|error| refused(&error.to_string()))
}

/// A file in which nothing is left out.
fn whole(text: String) -> Writing {
    Writing { text, losses: Vec::new() }
}

/// The most pairs of endpoints whose paths or service levels are written, and the most messages.
const MOST_PAIRS: u64 = 500_000;
