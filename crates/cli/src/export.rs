//! `dragontree export`: a network, or its routes, as a file for other programs.

use std::fmt::Write as _;
use std::io::Write;

use dragontree::analysis::{Meant, PathOption, PathStep, Tracer};
use dragontree::catalog::{Menu, Problem};
use dragontree::interchange::{self, Format, Writing, lfts};
use dragontree::network::Node;
use dragontree::scenario::{Plan, Scenario};

use crate::Finding;
use crate::arguments::{Export, ExportFormat};
use crate::columns::quoted;
use crate::error::Failure;
use crate::input::Input;

/// Runs the command.
pub fn export(arguments: &Export) -> Result<Finding, Failure> {
    let Input { plan, .. } = Input::read(&arguments.text)?;
    let of_routes = matches!(arguments.to, ExportFormat::Lfts | ExportFormat::Paths);
    let scenario = one(&plan, of_routes)?;
    let text = match arguments.to {
        ExportFormat::Ibnetdiscover => network(scenario, Format::Ibnetdiscover)?,
        ExportFormat::Edges => network(scenario, Format::Edges)?,
        ExportFormat::Anynet => network(scenario, Format::Anynet)?,
        ExportFormat::Dot => network(scenario, Format::Dot)?,
        ExportFormat::Json => network(scenario, Format::Json)?,
        ExportFormat::Lfts => tables(scenario)?,
        ExportFormat::Paths => paths(scenario)?,
    };
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

/// The scenario whose network, and whose routes where these are wanted, all runs have.
fn one(plan: &Plan, of_routes: bool) -> Result<&Scenario, Failure> {
    let mut scenarios = plan.jobs.iter().map(|job| job.scenario());
    let several = |given: &str| Failure::Argument {
        name: "export",
        given: given.to_owned(),
        allowed: match of_routes {
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
    }
    Ok(first)
}

fn network(scenario: &Scenario, format: Format) -> Result<String, Failure> {
    let network = scenario.network().map_err(|problems| Failure::input(&problems))?;
    let Writing { text, losses } = interchange::write(format, &network);
    for loss in losses {
        eprintln!("{}: {loss}", format.name());
    }
    Ok(text)
}

fn refuse(scenario: &Scenario, reason: String) -> Failure {
    Failure::input(&[Problem::new("routing", scenario.routing.name(), reason)])
}

fn tables(scenario: &Scenario) -> Result<String, Failure> {
    let network = scenario.network().map_err(|problems| Failure::input(&problems))?;
    let routes = scenario.routes(&network).map_err(|problems| Failure::input(&problems))?;
    let Some(tables) = routes.oblivious().lfts() else {
        let reason = "its routes are no forwarding tables: they depend on more than the switch and \
                      the destination";
        return Err(refuse(scenario, reason.to_owned()));
    };
    lfts::write(&network, &tables).map_err(|unwritable| refuse(scenario, unwritable.to_string()))
}

/// The most pairs of endpoints whose paths are written.
const MOST_PAIRS: u64 = 20_000_000;

fn paths(scenario: &Scenario) -> Result<String, Failure> {
    let network = scenario.network().map_err(|problems| Failure::input(&problems))?;
    let routes = scenario.routes(&network).map_err(|problems| Failure::input(&problems))?;
    let count = u64::from(network.live_endpoint_count());
    let pairs = count * count.saturating_sub(1);
    if pairs > MOST_PAIRS {
        let reason = format!("there are {pairs} pairs of endpoints, allowed: up to {MOST_PAIRS}");
        return Err(refuse(scenario, reason));
    }
    let tracer = Tracer::new(&network, &routes);
    let live = || network.endpoints().filter(|endpoint| network.injection(*endpoint).is_some());
    let meant = |endpoint| Meant { node: Node::Endpoint(endpoint), port: None };
    let mut text = "source,destination,rail,probability,links,switches,problem\n".to_owned();
    for source in live() {
        for destination in live().filter(|other| *other != source) {
            let Ok(report) = tracer.trace(meant(source), meant(destination)) else { continue };
            let [from, to] = [&report.source.name, &report.destination.name].map(|n| quoted(n));
            for path in &report.paths {
                let PathOption { rail, probability, hops, steps, problem } = path;
                let problem = quoted(problem.as_deref().unwrap_or_default());
                let switches = quoted(&switches(steps));
                // Writing to a string does not fail.
                let _ =
                    writeln!(text, "{from},{to},{rail},{probability},{hops},{switches},{problem}");
            }
        }
    }
    Ok(text)
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
