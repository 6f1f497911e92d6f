//! `dragontree export`: a network, or its routes, as a file for other programs.

use std::io::Write;
use std::sync::Arc;

use clap::ValueEnum;
use dragontree::catalog::Problem;
use dragontree::interchange::{self, Format, Writing, lfts};
use dragontree::network::Network;
use dragontree::scenario::{MessageWays, Plan, Scenario, WaysFormat};

use crate::Finding;
use crate::arguments::{Export, ExportFormat, Tables};
use crate::error::Failure;
use crate::input::Input;

/// Runs the command.
pub fn export(arguments: &Export) -> Result<Finding, Failure> {
    let Input { plan, .. } = Input::read(&arguments.text, &Tables::default())?;
    let of_messages = match arguments.to {
        ExportFormat::MessagePaths => Some(WaysFormat::Csv),
        ExportFormat::MessagePathsJson => Some(WaysFormat::JsonLines),
        ExportFormat::SourceTables => Some(WaysFormat::SourceTables),
        _ => None,
    };
    let of_routes = of_messages.is_some()
        || matches!(arguments.to, ExportFormat::Lfts | ExportFormat::Levels | ExportFormat::Paths);
    let scenario = one(&plan, of_routes, of_messages.is_some())?;
    let network = scenario.network().map_err(|problems| Failure::input(&problems))?;
    if let Some(format) = of_messages {
        let ways = scenario.message_ways(&network, MOST_MESSAGES);
        return write_ways(&ways.map_err(|problems| Failure::input(&problems))?, format, arguments);
    }
    let writing = match arguments.to {
        ExportFormat::Ibnetdiscover => interchange::write(Format::Ibnetdiscover, &network),
        ExportFormat::Edges => interchange::write(Format::Edges, &network),
        ExportFormat::Anynet => interchange::write(Format::Anynet, &network),
        ExportFormat::Dot => interchange::write(Format::Dot, &network),
        ExportFormat::Json => interchange::write(Format::Json, &network),
        of_routes => {
            written(scenario, &network, of_routes).map_err(|problems| Failure::input(&problems))?
        }
    };
    let Writing { text, losses } = writing;
    for loss in losses {
        eprintln!("{}: {loss}", name(arguments.to));
    }
    match &arguments.output {
        Some(path) => {
            let failed = |source| Failure::Writing { path: path.clone(), source };
            std::fs::write(path, text).map_err(failed)?;
        }
        None => {
            let mut output = std::io::stdout().lock();
            output.write_all(text.as_bytes())?;
            output.flush()?;
        }
    }
    Ok(Finding::Nothing)
}

/// Writes the ways of messages part by part.
fn write_ways(
    ways: &MessageWays,
    format: WaysFormat,
    arguments: &Export,
) -> Result<Finding, Failure> {
    let mut parts = (0..ways.parts(format))
        .map(|part| ways.part(format, part).map_err(|problems| Failure::input(&problems)));
    // What is refused is refused before a file is begun.
    let first = parts.next().transpose()?;
    let mut output: Box<dyn Write> = match &arguments.output {
        Some(path) => {
            let failed = |source| Failure::Writing { path: path.clone(), source };
            Box::new(std::fs::File::create(path).map_err(failed)?)
        }
        None => Box::new(std::io::stdout().lock()),
    };
    for part in first.map(Ok).into_iter().chain(parts) {
        output.write_all(part?.as_bytes())?;
    }
    output.flush()?;
    Ok(Finding::Nothing)
}

/// The scenario whose network, and whose routes and messages where these are wanted, all runs have.
fn one(plan: &Plan, of_routes: bool, of_messages: bool) -> Result<&Scenario, Failure> {
    let mut scenarios = plan.jobs.iter().map(|job| job.scenario());
    let several = |given: &str| Failure::Argument {
        name: "export",
        given: given.to_owned(),
        allowed: match of_routes {
            true if of_messages => {
                "a text with one network, one routing and one exchange".to_owned()
            }
            true => "a text with one network and one routing".to_owned(),
            false => "a text with one network: topology, faults and links may not vary".to_owned(),
        },
    };
    let first = scenarios.next().ok_or_else(|| several("no run"))?;
    for other in scenarios {
        if !first.shares_network(other) {
            return Err(several("a study of several networks"));
        }
        if of_routes && first.routing != other.routing {
            return Err(several("a study of several routings"));
        }
        if of_messages && !first.shares_demand(other) {
            return Err(several("a study of several exchanges"));
        }
    }
    Ok(first)
}

/// A format as `--to` calls it.
fn name(format: ExportFormat) -> String {
    format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Routes as forwarding tables, pair by pair, or as service levels.
fn written(
    scenario: &Scenario,
    network: &Arc<Network>,
    format: ExportFormat,
) -> Result<Writing, Vec<Problem>> {
    let routes = scenario.routes(network)?;
    let text = match format {
        ExportFormat::Lfts => {
            let file = scenario.lfts_file(network, &routes, lfts::MOST_MEGABYTES)?;
            return Ok(file.write());
        }
        ExportFormat::Levels => scenario.levels_file(network, &routes, MOST_PAIRS)?,
        _ => scenario.paths_file(network, &routes, MOST_PAIRS)?.csv(),
    };
    Ok(Writing { text, losses: Vec::new() })
}

/// The most pairs of endpoints whose paths or service levels are written.
const MOST_PAIRS: u64 = 20_000_000;

/// The most messages whose ways are written, which takes some ten gigabytes.
const MOST_MESSAGES: u64 = 100_000_000;
