//! Every routing of a tree for the messages of an exchange, or of fixed traffic.

use std::io::Write;
use std::sync::Arc;

use dragontree::catalog::{Files, Problem};
use dragontree::interchange::csv::cell;
use dragontree::network::Network;
use dragontree::scenario::{Compared, ComparedRow, Scenario};
use serde::Serialize;

use super::BUDGET;
use crate::arguments::Look;
use crate::columns::aligned;
use crate::error::Failure;
use crate::{input, work};

/// One routing; its JSON form is stable.
#[derive(Serialize)]
struct Row {
    topology: String,
    #[serde(flatten)]
    compared: ComparedRow,
    phases: u32,
    at_once: bool,
    /// Nanoseconds that the exchange takes, simulated; and that it would without contention.
    completion_ns: Option<f64>,
    ideal_ns: Option<f64>,
}

/// Compares, simulates and prints.
pub fn compare(
    arguments: &Look,
    topology: &str,
    scenario: &Scenario,
    network: &Arc<Network>,
    files: &Files,
) -> Result<(), Failure> {
    let refuse = |problems: Vec<Problem>| Failure::input(&problems);
    let mut comparing = scenario.comparing(network, None).map_err(refuse)?;
    while !comparing.advance(BUDGET) {}
    let Compared { phases, at_once, rows, .. } = comparing.finish();
    let mut all = Vec::new();
    for compared in rows {
        let [completion_ns, ideal_ns] = simulated(scenario, &compared, files)?;
        let topology = topology.to_owned();
        all.push(Row { topology, compared, phases, at_once, completion_ns, ideal_ns });
    }
    let mut output = std::io::stdout().lock();
    if arguments.output.json {
        for row in &all {
            writeln!(output, "{}", serde_json::to_string(row)?)?;
        }
    } else if arguments.output.csv {
        output.write_all(csv(&all).as_bytes())?;
    } else {
        output.write_all(table(topology, &all).as_bytes())?;
    }
    output.flush()?;
    Ok(())
}

/// How long the exchange takes with a routing, and the ideal; neither of traffic, nor where the routing
/// is counted on the tree alone.
fn simulated(
    scenario: &Scenario,
    compared: &ComparedRow,
    files: &Files,
) -> Result<[Option<f64>; 2], Failure> {
    if !scenario.exchanges() || compared.refused.is_some() || compared.text.is_empty() {
        return Ok([None; 2]);
    }
    let mut plan = input::plan(&input::study(std::slice::from_ref(&compared.text))?)?;
    plan.attach(files);
    let records = work::records(&plan.jobs, work::threads(None), |_, _| Ok(()))?;
    let exchange = records.first().and_then(|record| record.exchange.as_ref());
    let both = exchange.map(|exchange| [exchange.completion_ns, exchange.ideal_ns]);
    Ok(both.unwrap_or_default())
}

fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "topology,routing,phases,worst,mean,optimal,drawn,completion_ns,ideal_ns,refused",
    );
    let count = rows.iter().map(|row| row.compared.levels.len()).max().unwrap_or(0);
    for level in 0..count {
        text.push_str(&format!(",above_{level}_bound,above_{level}_worst,above_{level}_mean"));
    }
    text.push('\n');
    let number = |number: Option<f64>| number.map_or_else(String::new, |value| value.to_string());
    for Row { topology, compared, phases, completion_ns, ideal_ns, .. } in rows {
        let ComparedRow { routing, worst, mean, optimal, is_drawn, refused, levels, .. } = compared;
        text.push_str(&format!(
            "{},{},{phases},{worst},{mean},{optimal},{is_drawn},{},{},{}",
            cell(topology),
            cell(routing),
            number(*completion_ns),
            number(*ideal_ns),
            cell(refused.as_deref().unwrap_or_default()),
        ));
        for level in 0..count {
            text.push_str(&levels.get(level).map_or(",,,".to_owned(), |level| {
                format!(",{},{},{}", level.bound, level.worst, level.mean)
            }));
        }
        text.push('\n');
    }
    text
}

const LEGEND: &str = "
worst, mean: messages of a phase on the busiest link, in the worst phase and over all
above …: the worst on links above a level of switches (0: the endpoints); in brackets what there
must be at least, where that is less; optimal: phases in which nobody could do with less there
without more elsewhere
";

fn table(topology: &str, rows: &[Row]) -> String {
    let routed = || rows.iter().filter(|row| row.compared.refused.is_none());
    let best = routed().filter_map(|row| row.completion_ns).reduce(f64::min);
    let levels = routed().map(|row| row.compared.levels.len()).max().unwrap_or(0);
    let mut headings: Vec<String> = ["", "worst", "mean"].map(str::to_owned).to_vec();
    headings.extend((0..levels).map(|level| format!("above {level}")));
    headings.push("optimal".to_owned());
    if best.is_some() {
        headings.extend(["completion", "÷ ideal", "÷ best"].map(str::to_owned));
    }
    let width = routed().map(|row| row.compared.routing.chars().count()).max().unwrap_or(0);
    let mut lines = vec![headings];
    for row in routed() {
        lines.push(cells(row, width, best));
    }
    let mut text = format!("{topology}\n{}{LEGEND}", aligned(&lines));
    if rows.iter().any(|row| row.at_once) {
        text.push_str("at_once=all: the messages of all phases count as those of one\n");
    }
    if routed().any(|row| row.compared.text.is_empty()) {
        text.push_str(
            "without a time: counted on the tree alone, since what is simulated of such routings uses \
             an endpoint's first link only\n",
        );
    }
    for Row { compared, .. } in rows {
        if let Some(why) = &compared.refused {
            text.push_str(&format!("{}: {why}\n", compared.routing));
        }
        if compared.is_drawn {
            let routing = &compared.routing;
            text.push_str(&format!(
                "{routing}: counted of one draw of ways; each run draws its own\n"
            ));
        }
    }
    text
}

fn cells(row: &Row, width: usize, best: Option<f64>) -> Vec<String> {
    let ComparedRow { routing, worst, mean, optimal, levels, .. } = &row.compared;
    let mut cells = vec![format!("{routing:width$}"), worst.to_string(), format!("{mean:.3}")];
    let level = |level: &dragontree::scenario::ComparedLevel| match level.worst == level.bound {
        true => level.worst.to_string(),
        false => format!("{} ({})", level.worst, level.bound),
    };
    cells.extend(levels.iter().map(level));
    cells.push(format!("{optimal} of {}", row.phases));
    if let Some(best) = best {
        let over = |divisor: Option<f64>| match row.completion_ns.zip(divisor) {
            Some((time, divisor)) => format!("{:.3}", time / divisor),
            None => "–".to_owned(),
        };
        let time = row.completion_ns.map(|time| format!("{:.2} µs", time / 1e3));
        cells.extend([time.unwrap_or("–".to_owned()), over(row.ideal_ns), over(Some(best))]);
    }
    cells
}
