//! `dragontree audit` and `dragontree route`: what is wrong with a fabric and its routes.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use dragontree::analysis::{Acyclic, Audit, AuditReport, LoadedChannel, Pairs, RailReport, Weight};
use dragontree::catalog::{Menu, Problem};
use dragontree::network::Network;
use dragontree::routing::Routes;
use dragontree::scenario::{Detail, Scenario};
use dragontree::units::grouped;
use serde::Serialize;

use crate::Finding;
use crate::arguments::{self, FailOn, ReportOptions};
use crate::columns::aligned;
use crate::contention::{entry, flows};
use crate::error::Failure;
use crate::input::{self, Meant};

/// A report with the times that it took; its JSON form is stable.
#[derive(Clone, Debug, Serialize)]
struct Timed {
    #[serde(flatten)]
    report: AuditReport,
    seconds: f64,
    audit_seconds: f64,
}

/// Runs `dragontree route`.
pub fn route(arguments: &arguments::Audit) -> Result<Finding, Failure> {
    report(arguments, true)
}

/// Runs `dragontree audit`.
pub fn audit(arguments: &arguments::Audit) -> Result<Finding, Failure> {
    report(arguments, false)
}

/// `routed` says whether a routing is always meant, be it the default one.
fn report(arguments: &arguments::Audit, routed: bool) -> Result<Finding, Failure> {
    let Meant { scenarios, chooses: chosen, .. } =
        input::meant(&arguments.text, &arguments.tables)?;
    let routed = routed || chosen;
    let options = &arguments.report;
    let mut output = std::io::stdout().lock();
    let mut finding = Finding::Nothing;
    if options.output.csv && scenarios.len() > 1 {
        return Err(Failure::Argument {
            name: "--csv",
            given: format!("a text with {} routings or networks", scenarios.len()),
            allowed: "one; --json takes several".to_owned(),
        });
    }
    for (number, scenario) in scenarios.iter().enumerate() {
        let network = scenario.network().map_err(|problems| Failure::input(&problems))?;
        let start = Instant::now();
        let found = match routed {
            true => scenario.routes_with_notices(&network).map_err(|problems| {
                problems.iter().for_each(|problem| eprintln!("{problem}"));
                finding = Finding::Refused;
                reason(&problems)
            }),
            false => Err("no forwarding tables were given (--lfts)".to_owned()),
        };
        let seconds = start.elapsed().as_secs_f64();
        let timed = audited(scenario, &network, found, routed, options, seconds);
        if options.output.json {
            writeln!(output, "{}", serde_json::to_string(&timed)?)?;
        } else if options.output.csv {
            output.write_all(timed.report.csv().as_bytes())?;
        } else {
            if number > 0 {
                writeln!(output)?;
            }
            let topology = fabric(&arguments.text, scenario);
            let title = format!("{topology}, routing {}\n", timed.report.engine);
            let text = if timed.report.engine.is_empty() { topology + "\n" } else { title };
            output.write_all((text + &table(&timed)).as_bytes())?;
        }
        if finding == Finding::Nothing && is_found(&timed.report, &options.fail_on) {
            finding = Finding::Found;
        }
    }
    output.flush()?;
    Ok(finding)
}

/// The fabric in short: its files, or what the text says.
pub fn fabric(text: &arguments::Text, scenario: &Scenario) -> String {
    let words = input::uncommented(&text.text).iter().map(String::as_str);
    let files: Vec<&str> = words.filter(|word| input::is_file(word)).collect();
    match scenario.topology.name() == "imported" && !files.is_empty() {
        true => files.join(", "),
        false => entry(scenario, "topology", Detail::Basic),
    }
}

fn reason(problems: &[Problem]) -> String {
    let reasons: Vec<String> = problems.iter().map(|problem| problem.allowed.clone()).collect();
    reasons.join("; ")
}

fn audited(
    scenario: &Scenario,
    network: &Arc<Network>,
    found: Result<(Arc<Routes>, Vec<String>), String>,
    routed: bool,
    options: &ReportOptions,
    seconds: f64,
) -> Timed {
    let start = Instant::now();
    let mut question = scenario.question(network);
    question.anonymized = options.anonymize;
    let (routes, notices) = match found {
        Ok((routes, notices)) => (Ok(routes), notices),
        Err(reason) => (Err(reason), Vec::new()),
    };
    if routes.is_err() && !routed {
        question.engine.clear();
    }
    question.notices = notices;
    let routes = routes.as_ref().map_err(String::as_str);
    let report = Audit::new(network, routes, &question).finish();
    Timed { report, seconds, audit_seconds: start.elapsed().as_secs_f64() }
}

/// Whether something is found that was asked to be an error.
fn is_found(report: &AuditReport, asked: &[FailOn]) -> bool {
    let lost = |pairs: &Pairs| pairs.routed < pairs.total;
    asked.iter().any(|finding| match finding {
        FailOn::Deadlock => report.acyclic.endpoints == Some(false),
        FailOn::Unreachable => {
            let in_pieces = report.rails.iter().any(|rail| rail.pieces.len() > 1);
            in_pieces || report.endpoint_pairs.as_ref().is_some_and(lost)
        }
        FailOn::Saturation => report.contention.is_some_and(|found| found.worst > 1.0),
    })
}

fn table(timed: &Timed) -> String {
    let report = &timed.report;
    let mut text = format!(
        "{} endpoints, {} switches, {} links\n\n",
        grouped(report.endpoints),
        grouped(report.switches),
        grouped(report.links)
    );
    for remark in &report.findings {
        let mark = match remark.weight {
            Weight::Fault => "FAULT  ",
            Weight::Warning => "warning",
            Weight::Note => "note   ",
            Weight::Good => "ok     ",
        };
        text.push_str(&format!("{mark}  {}\n", remark.text));
    }
    numbers(timed, &mut text);
    report.rails.iter().zip(1..).for_each(|(rail, number)| {
        let on = if report.rails.len() > 1 { format!(" on rail {number}") } else { String::new() };
        of_rail(rail, &on, &mut text);
    });
    of_cabling(report, &mut text);
    let steps = report.cycle.iter().map(|step| {
        format!(
            "{} port {} to {}, virtual channel {} (from {} to {})",
            step.switch, step.port, step.to, step.virtual_channel, step.source, step.destination
        )
    });
    list(&mut text, "Cycle of channels", report.cycle.len() as u64, steps);
    let notices = report.notices.iter().cloned();
    list(&mut text, "Odd in the files", report.notices.len() as u64, notices);
    text
}

/// Where packets are lost, and the channels with the most flows.
fn of_rail(rail: &RailReport, on: &str, text: &mut String) {
    let gaps = rail.connectivity.gaps.iter();
    let gaps = gaps.map(|gap| {
        let nodes = if gap.sources == 1 { "node" } else { "nodes" };
        format!("{} (from {} {nodes})", gap.detail, gap.sources)
    });
    list(text, &format!("Where packets are lost{on}"), rail.connectivity.gap_count, gaps);
    let loaded = rail.most_loaded.iter().take(10).map(|channel| {
        let LoadedChannel { switch, port, to, flows: number, .. } = channel;
        format!("{} flows: {switch} port {port} to {to}", flows(*number))
    });
    list(text, &format!("Busiest channels{on}"), u64::from(rail.overloaded), loaded);
}

/// Ports that lead up, and what deviates from the trees.
fn of_cabling(report: &AuditReport, text: &mut String) {
    let uplinks = report.uplinks.iter().flat_map(|uplinks| uplinks.listed.iter().take(10));
    let uneven = report.uplinks.as_ref().map_or(0, |uplinks| u64::from(uplinks.uneven));
    let uplinks = uplinks.map(|uplink| {
        format!(
            "{}: {} destinations by {} ports, {} to {} each; {:.0} % usable",
            uplink.switch,
            uplink.destinations,
            uplink.ports,
            uplink.fewest,
            uplink.most,
            uplink.usable * 100.0
        )
    });
    list(text, "Ports that lead up, unevenly used", uneven, uplinks);
    for tree in &report.trees {
        let deviations = tree.deviations.iter().take(50);
        let deviations =
            deviations.map(|deviation| format!("{}: {}", deviation.kind, deviation.text));
        list(text, "Deviations", u64::from(tree.deviation_count), deviations);
    }
}

/// A heading and lines; nothing where there is nothing.
fn list(text: &mut String, heading: &str, count: u64, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return;
    }
    text.push_str(&format!("\n{heading} ({})\n", grouped(count)));
    for line in &lines {
        text.push_str(&format!("  {line}\n"));
    }
    if (lines.len() as u64) < count {
        text.push_str(&format!("  and {} more\n", grouped(count - lines.len() as u64)));
    }
}

/// Pairs, layers, cycles and contention.
fn numbers(timed: &Timed, text: &mut String) {
    let report = &timed.report;
    let mut rows = Vec::new();
    for (name, pairs) in
        [("endpoint pairs", &report.endpoint_pairs), ("switch pairs", &report.switch_pairs)]
    {
        if let Some(pairs) = pairs {
            let value = format!("{} routed of {}", grouped(pairs.routed), grouped(pairs.total));
            rows.push(vec![format!("{name:16}"), value]);
        }
    }
    if let Some(layers) = report.layers {
        rows.push(vec![format!("{:16}", "virtual layers"), layers.to_string()]);
        rows.push(vec![format!("{:16}", "free of cycles"), free(report.acyclic)]);
    }
    if let Some(found) = report.contention {
        let value = format!("worst {}, mean {}", flows(found.worst), flows(found.mean));
        rows.push(vec![format!("{:16}", "contention"), value]);
        let stages = grouped(found.stages);
        let value = format!("{stages} shifts over places {}", report.order);
        rows.push(vec![format!("{:16}", ""), value]);
    }
    if rows.is_empty() {
        return;
    }
    rows.push(vec![
        format!("{:16}", "seconds"),
        format!("{:.3} for the routes, {:.3} for the audit", timed.seconds, timed.audit_seconds),
    ]);
    let width = rows.iter().map(|row| row[1].chars().count()).max().unwrap_or(0);
    rows.iter_mut().for_each(|row| row[1] = format!("{:width$}", row[1]));
    text.push_str(&format!("\n{}", aligned(&rows)));
}

/// Whose routes form no cycle.
pub fn free(acyclic: Acyclic) -> String {
    let word = |free: Option<bool>| match free {
        Some(true) => "yes",
        Some(false) => "no",
        None => "–",
    };
    format!(
        "endpoints {}, switches {}, together {}",
        word(acyclic.endpoints),
        word(acyclic.switches),
        word(acyclic.together)
    )
}
