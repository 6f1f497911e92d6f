//! `dragontree contention`: how many flows share a channel, shift by shift or phase by phase.

use std::io::Write;
use std::time::Instant;

use dragontree::analysis::{Contending, Contention, Levels, rails_of};
use dragontree::catalog::{Menu, Problem};
use dragontree::interchange::csv;
use dragontree::network::Network;
use dragontree::routing::Routes;
use dragontree::scenario::{Certificates, Detail, Exchanging, KEYS, Scenario};
use serde::Serialize;

use crate::Finding;
use crate::arguments::Look;
use crate::audit::fabric;
use crate::columns::aligned;
use crate::each::BUDGET;
use crate::error::Failure;
use crate::input;
use crate::solving::routes;
use crate::work::threads;

mod certified;
mod judging;

/// One routing of one network; its JSON form is stable.
#[derive(Clone, Debug, Serialize)]
struct Row {
    /// The network in short.
    topology: String,
    engine: String,
    order: String,
    /// What is sent instead of the shifts.
    exchange: Option<String>,
    /// The numbers of the exchange's phases that are counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    phases: Vec<u32>,
    /// The rail where it is worst.
    #[serde(flatten)]
    worst: Contention,
    /// Where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rails: Vec<Contention>,
    /// How good the routes are for the phases, where that can be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<Certificates>,
    /// Why that is not known of phases on a tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    uncertified: Option<String>,
    seconds: f64,
}

/// Runs the command.
pub fn contention(arguments: &Look) -> Result<Finding, Failure> {
    let scenarios = input::routings(&arguments.text, &arguments.tables)?;
    let mut output = std::io::stdout().lock();
    let mut problems: Vec<Problem> = Vec::new();
    let mut rows = Vec::new();
    for scenario in &scenarios {
        match Row::new(fabric(&arguments.text, scenario), scenario) {
            Ok(row) => rows.push(row),
            Err(found) => problems.extend(found),
        }
    }
    problems.dedup();
    if !problems.is_empty() {
        return Err(Failure::input(&problems));
    }
    if arguments.output.json {
        for row in &rows {
            writeln!(output, "{}", serde_json::to_string(row)?)?;
        }
    } else if arguments.output.csv {
        output.write_all(csv(&rows).as_bytes())?;
    } else {
        output.write_all(table(&rows).as_bytes())?;
    }
    output.flush()?;
    Ok(Finding::Nothing)
}

/// What stands behind a key of a scenario.
pub fn entry(scenario: &Scenario, name: &str, detail: Detail) -> String {
    let key = KEYS.iter().find(|key| key.name == name);
    key.map_or_else(String::new, |key| scenario.entry_text(key, detail))
}

impl Row {
    /// Network, routing and exchange in short.
    fn name(&self) -> String {
        let exchange = self.exchange.iter().map(|exchange| format!(" {exchange}"));
        format!("{} {}{}", self.topology, self.engine, exchange.collect::<String>())
    }

    fn new(topology: String, scenario: &Scenario) -> Result<Row, Vec<Problem>> {
        let start = Instant::now();
        let network = scenario.network()?;
        let routed = |scenario: &Scenario| routes(scenario, &network, threads(None));
        let asked = scenario.goes_by_ways().then(|| routed(scenario)).transpose()?;
        let exchanging = sent(scenario, &network, asked.as_deref())?;
        let scenario = &match &exchanging {
            Some(_) => scenario.clone(),
            None => scenario.for_shifts(&network),
        };
        let routes = asked.map_or_else(|| routed(scenario), Ok)?;
        let certifying = match exchanging {
            Some(_) => scenario.certifying(&network, &routes)?,
            None => None,
        };
        let count = || {
            let counting = rails_of(&network, &routes).into_iter().map(|rail| {
                let levels = Levels::found(&network);
                let contending = match &exchanging {
                    Some(exchanging) => exchanging.contending(&network, &routes, levels, &rail),
                    None => {
                        let places = scenario.places(&network, &rail.ports)?;
                        Contending::shifts(&network, &routes, levels, &places)
                    }
                };
                finish(contending, scenario)
            });
            counting.collect::<Result<Vec<Contention>, Vec<Problem>>>()
        };
        let (found, certified) = judging::beside(count, certifying, threads(None));
        let found = found?;
        let mut worst = 0;
        for (place, other) in found.iter().enumerate() {
            if (other.worst, other.mean) > (found[worst].worst, found[worst].mean) {
                worst = place;
            }
        }
        Ok(Row {
            topology,
            engine: scenario.routing.name().to_owned(),
            order: entry(scenario, "placement", Detail::Everything),
            exchange: exchanging.as_ref().map(|_| {
                let key = if scenario.exchanges() { "exchange" } else { "traffic" };
                entry(scenario, key, Detail::Everything)
            }),
            phases: exchanging.as_ref().map_or_else(Vec::new, Exchanging::sending_phases),
            worst: found[worst].clone(),
            uncertified: certified.as_ref().err().cloned(),
            certificate: certified.ok().flatten(),
            rails: if found.len() > 1 { found } else { Vec::new() },
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// Counts to the end, unless that would take far too long.
fn finish(mut contending: Contending, scenario: &Scenario) -> Result<Contention, Vec<Problem>> {
    loop {
        scenario.check_ways_to_count(contending.ways())?;
        if let Some(found) = contending.advance(BUDGET) {
            return Ok(found);
        }
    }
}

/// What is sent instead of the shifts: an exchange, or traffic that the text names and that tells who
/// sends to whom.
fn sent(
    scenario: &Scenario,
    network: &Network,
    routes: Option<&Routes>,
) -> Result<Option<Exchanging>, Vec<Problem>> {
    match scenario.exchanges() || scenario.traffic != Scenario::default().traffic {
        true => scenario.sending_along(network, routes),
        false => Ok(None),
    }
}

/// Each shift of each row.
fn csv(rows: &[Row]) -> String {
    let is_exchange = rows.iter().any(|row| row.exchange.is_some());
    let stage = if is_exchange { "exchange,phase" } else { "shift" };
    let is_certified = rows.iter().any(|row| row.certificate.is_some());
    let cells = |row: &Row, phase: u32| match is_certified {
        true => certified::cells(row.certificate.as_ref(), phase),
        false => String::new(),
    };
    let also = if is_certified { certified::HEADING } else { "" };
    let mut text = format!("topology,engine,order,{stage},flows{also}\n");
    for row in rows {
        if let Some(exchange) = &row.exchange {
            let [topology, order, exchange] =
                [&row.topology, &row.order, exchange].map(|text| csv::cell(text));
            for (flows, phase) in row.worst.per_stage.iter().zip(&row.phases) {
                let (engine, known) = (&row.engine, cells(row, *phase));
                text.push_str(&format!(
                    "{topology},{engine},{order},{exchange},{phase},{flows}{known}\n"
                ));
            }
            continue;
        }
        let [topology, order] = [&row.topology, &row.order].map(|text| csv::cell(text));
        for (flows, shift) in row.worst.per_stage.iter().zip(1..) {
            let stage = if is_exchange { format!("none,{shift}") } else { shift.to_string() };
            let (engine, none) = (&row.engine, cells(row, shift));
            text.push_str(&format!("{topology},{engine},{order},{stage},{flows}{none}\n"));
        }
    }
    text
}

/// A number of flows: whole, or with three digits.
pub fn flows(number: f64) -> String {
    match number.fract() == 0.0 {
        true => format!("{number}"),
        false => format!("{number:.3}"),
    }
}

fn table(rows: &[Row]) -> String {
    let names: Vec<String> = rows.iter().map(Row::name).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let is_exchange = rows.iter().any(|row| row.exchange.is_some());
    let stages = if is_exchange { "phases" } else { "shifts" };
    let headings = ["", stages, "worst", "mean", "unrouted"];
    let mut lines = vec![headings.map(str::to_owned).to_vec()];
    for (name, row) in names.iter().zip(rows) {
        let found = &row.worst;
        lines.push(vec![
            format!("{name:width$}"),
            found.stages.to_string(),
            flows(found.worst),
            flows(found.mean),
            found.unrouted.to_string(),
        ]);
    }
    let mut text = aligned(&lines);
    text.push_str(&format!(
        "\nflows on the busiest channel between switches, over all {stages} of the places\n"
    ));
    for (name, row) in names.iter().zip(rows) {
        text.push_str(&format!("\n{name}, places {}\n", row.order));
        if !row.rails.is_empty() {
            text.push_str(&format!("the worst of {} rails\n", row.rails.len()));
        }
        let mut lines = vec![["channels", "", "worst", "mean"].map(str::to_owned).to_vec()];
        for level in &row.worst.per_level {
            let direction = level.direction.map_or("", |direction| direction.word());
            lines.push(vec![
                level.channels.to_string(),
                format!("{} {direction}", level.level),
                flows(level.worst),
                flows(level.mean),
            ]);
        }
        text.push_str(&aligned(&lines));
        let bar = |bar: &dragontree::analysis::Bar| match bar.flows {
            0 => format!("{} never used", bar.channels),
            flows => format!("{} × {flows}", bar.channels),
        };
        let bars: Vec<String> = row.worst.histogram.iter().map(bar).collect();
        text.push_str(&format!("  channels × most flows: {}\n", bars.join(", ")));
        if let Some(certificate) = &row.certificate {
            text.push_str(&certified::table(certificate));
        }
        if let Some(why) = &row.uncertified {
            text.push_str(&format!("  no certificate: {why}\n"));
        }
    }
    text
}
