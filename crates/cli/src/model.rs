//! `dragontree model`: the documents' formulas that apply to an experiment.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use dragontree::catalog::Problem;
use dragontree::interchange::csv::cell;
use dragontree::network::Network;
use dragontree::scenario::{Modelled, Scenario};
use serde::Serialize;

use crate::Finding;
use crate::arguments::Look;
use crate::audit::fabric;
use crate::error::Failure;
use crate::input;

/// One formula of one experiment; its JSON form is stable.
#[derive(Clone, Debug, Serialize)]
struct Row {
    topology: String,
    #[serde(flatten)]
    modelled: Modelled,
}

/// Runs the command.
pub fn model(arguments: &Look) -> Result<Finding, Failure> {
    let scenarios = input::exchanges(&arguments.text, &arguments.tables)?;
    let mut problems: Vec<Problem> = Vec::new();
    let mut rows = Vec::new();
    for scenario in &scenarios {
        let topology = fabric(&arguments.text, scenario);
        match scenario.network().and_then(|network| formulas(scenario, &network)) {
            Ok(found) => rows.extend(
                found.into_iter().map(|modelled| Row { topology: topology.clone(), modelled }),
            ),
            Err(found) => problems.extend(found),
        }
    }
    problems.dedup();
    if !problems.is_empty() {
        return Err(Failure::input(&problems));
    }
    let mut output = std::io::stdout().lock();
    if arguments.output.json {
        for row in &rows {
            writeln!(output, "{}", serde_json::to_string(row)?)?;
        }
    } else if arguments.output.csv {
        writeln!(output, "topology,name,source,value,unit")?;
        for Row { topology, modelled } in &rows {
            let [topology, name, source] =
                [topology, &modelled.name, &modelled.source].map(|text| cell(text));
            let value = modelled.value.map_or(String::new(), |value| value.to_string());
            writeln!(output, "{topology},{name},{source},{value},{}", modelled.unit)?;
        }
    } else {
        output.write_all(table(&rows).as_bytes())?;
    }
    output.flush()?;
    Ok(Finding::Nothing)
}

/// The formulas, and how long the reordering of a broadcast takes here.
fn formulas(scenario: &Scenario, network: &Arc<Network>) -> Result<Vec<Modelled>, Vec<Problem>> {
    let routes = scenario.routes_to_ask(network)?;
    let mut all = scenario.modelled(network, routes.as_deref())?;
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64() * 1e3;
    all.extend(scenario.timed_reordering(network, routes.as_deref(), &clock)?);
    Ok(all)
}

fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut last = None;
    if rows.is_empty() {
        text.push_str("no formula of the documents applies\n");
    }
    for Row { topology, modelled } in rows {
        if last != Some(topology) {
            text.push_str(&format!("{topology}\n"));
            last = Some(topology);
        }
        let value = modelled.value.map_or("no value".to_owned(), number);
        let Modelled { name, source, unit, .. } = modelled;
        text.push_str(&format!("  {value:>12} {unit:<19}  {name} ({source})\n"));
    }
    text
}

/// Whole, or with four digits behind the point.
fn number(value: f64) -> String {
    match value.fract() == 0.0 {
        true => format!("{value}"),
        false => format!("{value:.4}"),
    }
}
