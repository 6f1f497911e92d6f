//! `dragontree info`: the numbers of a study's networks.

use std::io::Write;
use std::time::Instant;

use dragontree::analysis::{Numbers, Survey};
use dragontree::catalog::Problem;
use dragontree::interchange::csv;
use dragontree::network::extraction::extract;
use dragontree::network::{Network, Structure};
use dragontree::scenario::{Detail, KEYS, Scenario};
use serde::Serialize;

use crate::Finding;
use crate::arguments::Info;
use crate::columns::aligned;
use crate::error::Failure;
use crate::input;
use crate::work::{self, Next, Worker};

/// Steps between two looks at the progress.
const BUDGET: u64 = 10_000_000;

/// One network; its JSON form is stable.
#[derive(Clone, Debug, Serialize)]
struct Row {
    /// The network in short.
    #[serde(skip)]
    name: String,
    topology: String,
    faults: String,
    seed: u64,
    #[serde(flatten)]
    numbers: Numbers,
    /// What is found in a network whose structure is not known.
    trees: Vec<String>,
    seconds: f64,
}

/// Runs the command.
pub fn info(arguments: &Info) -> Result<Finding, Failure> {
    let scenarios = input::networks(&arguments.text)?;
    let mut output = std::io::stdout().lock();
    let (mut rows, mut problems): (Vec<Row>, Vec<Problem>) = (Vec::new(), Vec::new());
    let run = |index: usize, _: &mut Worker<'_>| scenarios.get(index).map(Row::new);
    work::in_order(scenarios.len(), work::threads(arguments.jobs), run, |_, outcome| {
        match outcome {
            Ok(row) if problems.is_empty() => {
                if arguments.output.json {
                    writeln!(output, "{}", serde_json::to_string(&row)?)?;
                }
                rows.push(row);
            }
            Ok(_) => {}
            Err(found) => {
                let new = found.into_iter().filter(|problem| !problems.contains(problem));
                let new: Vec<Problem> = new.collect();
                problems.extend(new);
            }
        }
        Ok(Next::Simulate)
    })?;
    if !problems.is_empty() {
        return Err(Failure::input(&problems));
    }
    if arguments.output.csv {
        output.write_all(csv(&rows).as_bytes())?;
    } else if !arguments.output.json {
        output.write_all(table(&rows).as_bytes())?;
    }
    output.flush()?;
    Ok(Finding::Nothing)
}

impl Row {
    fn new(scenario: &Scenario) -> Result<Row, Vec<Problem>> {
        let start = Instant::now();
        let network = scenario.network()?;
        let mut survey = Survey::new(network.clone());
        while !survey.advance(BUDGET) {}
        let text = |name: &str, detail| {
            let key = KEYS.iter().find(|key| key.name == name);
            key.map_or_else(String::new, |key| scenario.entry_text(key, detail))
        };
        let (topology, faults) = (text("topology", Detail::Basic), text("faults", Detail::Least));
        Ok(Row {
            name: match &faults[..] {
                "none" => topology,
                _ => format!("{topology} faults={faults} seed={}", scenario.seed),
            },
            topology: text("topology", Detail::Everything),
            faults: text("faults", Detail::Everything),
            seed: scenario.seed,
            numbers: survey.numbers(),
            trees: trees(&network),
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Whether a number comes from a random sample.
    fn is_estimate(&self, name: &str) -> bool {
        let [distances, paths] = self.is_sampled();
        match name {
            "diameter" | "mean_distance" | "unconnected_pairs" => distances,
            "diversity_mean" | "diversity_max" => paths,
            _ => false,
        }
    }

    fn is_sampled(&self) -> [bool; 2] {
        let paths = self.numbers.diversity.is_some_and(|diversity| diversity.sampled);
        [self.numbers.distances_sampled, paths]
    }
}

/// The fat trees in a network whose structure is not known, a line each: their widths and every
/// deviation, or why a part of the network is none.
fn trees(network: &Network) -> Vec<String> {
    if *network.structure() != Structure::Irregular {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for fabric in extract(network).fabrics {
        match fabric.found {
            Ok(tree) => {
                lines.push(format!("a fat tree: {tree}"));
                let deviations = tree.deviations().iter();
                lines.extend(deviations.map(|deviation| deviation.text(network)));
            }
            Err(reason) => lines.push(format!("no fat tree: {}", reason.text(network))),
        }
    }
    lines
}

fn csv(rows: &[Row]) -> String {
    let mut text = format!(
        "topology,faults,seed,{},distances_sampled,diversity_sampled,seconds\n",
        Numbers::NAMES.join(",")
    );
    for row in rows {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let mut cells =
            vec![csv::cell(&row.topology), csv::cell(&row.faults), row.seed.to_string()];
        cells.extend(row.numbers.values().map(number));
        cells.extend(row.is_sampled().map(|sampled| sampled.to_string()));
        cells.push(row.seconds.to_string());
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// The columns of the table: a heading and the name of the number.
const COLUMNS: &[(&str, &str)] = &[
    ("endpoints", "endpoints"),
    ("switches", "switches"),
    ("links", "links"),
    ("radix", "radix"),
    ("ports/endpoint", "ports_per_endpoint"),
    ("links/endpoint", "links_per_endpoint"),
    ("diameter", "diameter"),
    ("distance", "mean_distance"),
    ("paths", "diversity_mean"),
    ("most paths", "diversity_max"),
    ("bisection", "bisection_per_endpoint"),
];

const LEGEND: &str = "
distances: links between switches on shortest paths between endpoints (largest, mean)
paths: shortest paths between switches with endpoints that are not adjacent (mean, most)
bisection: bandwidth per endpoint of the smallest cut found, an upper bound
";

fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let mut lines = vec![vec![String::new()]];
    lines[0].extend(COLUMNS.iter().map(|(heading, _)| (*heading).to_owned()));
    for row in rows {
        let mut cells = vec![format!("{:width$}", row.name)];
        let cell = |(_, name): &(&str, &str)| cell(row.numbers.get(name), row.is_estimate(name));
        cells.extend(COLUMNS.iter().map(cell));
        lines.push(cells);
    }
    let mut text = aligned(&lines) + LEGEND;
    if rows.iter().any(|row| row.is_sampled().contains(&true)) {
        text.push_str("~: from a random sample of the switches\n");
    }
    for row in rows {
        for line in &row.trees {
            text.push_str(&format!("{}: {line}\n", row.name));
        }
        if let Some(pairs @ 1..) = row.numbers.unconnected_pairs {
            let live = u64::from(row.numbers.endpoints);
            let all = live * live.saturating_sub(1);
            text.push_str(&format!("{}: {pairs} of {all} pairs have no path\n", row.name));
        }
    }
    text
}

fn cell(value: Option<f64>, estimate: bool) -> String {
    let Some(value) = value else {
        return "–".to_owned();
    };
    let mark = if estimate { "~" } else { "" };
    match value {
        _ if value >= 1e9 => format!("{mark}{value:.2e}"),
        _ if value.fract() == 0.0 => format!("{mark}{value}"),
        _ => format!("{mark}{value:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_short_and_say_what_is_uncertain() {
        assert_eq!(cell(Some(65536.0), false), "65536");
        assert_eq!(cell(Some(28.0 / 9.0), false), "3.1111");
        assert_eq!(cell(Some(2.25144e25), true), "~2.25e25");
        assert_eq!(cell(None, false), "–");
    }
}
