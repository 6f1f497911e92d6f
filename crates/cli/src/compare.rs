//! `dragontree compare`: every routing on a fabric, or for the messages of an exchange.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use dragontree::analysis::{CompareStep, Comparing, Engine, Pairs, comparison_csv, engines};
use dragontree::network::Network;
use dragontree::scenario::{Detail, Scenario};

use crate::Finding;
use crate::arguments::Look;
use crate::audit::fabric;
use crate::columns::aligned;
use crate::contention::{entry, flows};
use crate::error::Failure;
use crate::input::{self, Meant};

mod messages;

/// Steps between two looks at what is done.
const BUDGET: u64 = 10_000_000;

/// Runs the command.
pub fn compare(arguments: &Look) -> Result<Finding, Failure> {
    let Meant { scenarios, files, .. } = input::meant(&arguments.text, &arguments.tables)?;
    let [scenario] = &scenarios[..] else {
        return Err(Failure::Argument {
            name: "compare",
            given: format!("a text with {} scenarios", scenarios.len()),
            allowed:
                "one network, one seed, one placement, and one exchange or traffic; all routings \
                      are compared on it"
                    .to_owned(),
        });
    };
    let network = scenario.network().map_err(|problems| Failure::input(&problems))?;
    if scenario.exchanges() || scenario.traffic != Scenario::default().traffic {
        let topology = fabric(&arguments.text, scenario);
        messages::compare(arguments, &topology, scenario, &network, &files)?;
        return Ok(Finding::Nothing);
    }
    let scenario = &scenario.for_shifts(&network);
    let mut output = std::io::stdout().lock();
    let rows = rows(scenario, &network, |row| {
        if arguments.output.json {
            writeln!(output, "{}", serde_json::to_string(row)?)?;
            output.flush()?;
        }
        Ok(())
    })?;
    if arguments.output.csv {
        output.write_all(comparison_csv(&rows).as_bytes())?;
    } else if !arguments.output.json {
        output.write_all(table(&fabric(&arguments.text, scenario), scenario, &rows).as_bytes())?;
    }
    output.flush()?;
    Ok(Finding::Nothing)
}

fn rows(
    scenario: &Scenario,
    network: &Arc<Network>,
    mut take: impl FnMut(&Engine) -> Result<(), Failure>,
) -> Result<Vec<Engine>, Failure> {
    let question = scenario.question(network);
    let mut comparing = Comparing::new(network, engines(&scenario.routing), &question);
    let mut taken = 0;
    loop {
        let start = Instant::now();
        match comparing.advance(BUDGET) {
            CompareStep::Routing => comparing.took(start.elapsed().as_secs_f64()),
            CompareStep::Working => {}
            CompareStep::Done => return Ok(comparing.done().to_vec()),
        }
        for row in &comparing.done()[taken..] {
            take(row)?;
            taken += 1;
        }
    }
}

const HEADINGS: [&str; 8] =
    ["", "worst", "mean", "endpoint pairs", "switch pairs", "layers", "free of cycles", "seconds"];

const LEGEND: &str = "
worst, mean: flows on the busiest channel between switches over all shifts of the places
free of cycles: routes of endpoints, of switches, of both together
";

fn table(fabric: &str, scenario: &Scenario, rows: &[Engine]) -> String {
    let name = |row: &Engine| row.engine.clone();
    let width = rows.iter().map(|row| name(row).chars().count()).max().unwrap_or(0);
    let mut lines = vec![HEADINGS.map(str::to_owned).to_vec()];
    for row in rows.iter().filter(|row| row.refused.is_none()) {
        let contention = row.contention;
        let cell = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), flows);
        lines.push(vec![
            format!("{:width$}", name(row)),
            cell(contention.map(|found| found.worst)),
            cell(contention.map(|found| found.mean)),
            pairs(row.endpoint_pairs),
            pairs(row.switch_pairs),
            row.layers.map_or_else(String::new, |layers| layers.to_string()),
            free(row),
            row.seconds.map_or_else(String::new, |seconds| format!("{seconds:.3}")),
        ]);
    }
    let mut text =
        format!("{fabric}, places {}\n", entry(scenario, "placement", Detail::Everything));
    text.push_str(&aligned(&lines));
    text.push_str(LEGEND);
    for row in rows {
        if let Some(reason) = row.refused.as_ref().or(row.left_out.as_ref()) {
            text.push_str(&format!("{}: {reason}\n", row.engine));
        }
    }
    text
}

fn pairs(pairs: Option<Pairs>) -> String {
    match pairs {
        None => "–".to_owned(),
        Some(pairs) if pairs.routed == pairs.total => "all".to_owned(),
        Some(pairs) => format!("{} of {}", pairs.routed, pairs.total),
    }
}

fn free(row: &Engine) -> String {
    let word = |free: Option<bool>| match free {
        Some(true) => "yes",
        Some(false) => "no",
        None => "–",
    };
    [row.acyclic.endpoints, row.acyclic.switches, row.acyclic.together].map(word).join(" ")
}
