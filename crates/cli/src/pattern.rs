//! `dragontree pattern`: who sends to whom in each phase of an exchange, and what that crosses.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use dragontree::analysis::Crossings;
use dragontree::catalog::Problem;
use dragontree::network::Network;
use dragontree::scenario::{Detail, Exchanging, Scenario};

use crate::Finding;
use crate::arguments::Look;
use crate::audit::fabric;
use crate::columns::aligned;
use crate::contention::entry;
use crate::error::Failure;
use crate::input;

/// The most ranks whose destinations are printed as a table.
const MOST_COLUMNS: u32 = 32;

/// One exchange on one network.
struct Pattern {
    topology: String,
    exchange: String,
    exchanging: Exchanging,
    crossings: Vec<Crossings>,
    seconds: f64,
}

/// Runs the command.
pub fn pattern(arguments: &Look) -> Result<Finding, Failure> {
    let scenarios = input::exchanges(&arguments.text, &arguments.tables)?;
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let mut problems: Vec<Problem> = Vec::new();
    let mut patterns = Vec::new();
    for scenario in &scenarios {
        match Pattern::new(fabric(&arguments.text, scenario), scenario) {
            Ok(pattern) => patterns.push(pattern),
            Err(found) => problems.extend(found),
        }
    }
    problems.dedup();
    if !problems.is_empty() {
        return Err(Failure::input(&problems));
    }
    if arguments.output.csv {
        writeln!(output, "topology,exchange,phase,source,destination")?;
    }
    for pattern in &patterns {
        if arguments.output.json {
            pattern.json(&mut output)?;
        } else if arguments.output.csv {
            pattern.csv(&mut output)?;
        } else {
            output.write_all(pattern.table().as_bytes())?;
        }
    }
    output.flush()?;
    Ok(Finding::Nothing)
}

/// The exchange of a scenario, which must have one.
pub fn exchanging(scenario: &Scenario, network: &Arc<Network>) -> Result<Exchanging, Vec<Problem>> {
    scenario.exchanging(network)?.ok_or_else(|| {
        let names: Vec<&str> =
            Scenario::parts("exchange").into_iter().map(|part| part.name).collect();
        let allowed = format!("there is none to look at, allowed: {}", names[1..].join(", "));
        vec![Problem::new("exchange", "none", allowed)]
    })
}

impl Pattern {
    fn new(topology: String, scenario: &Scenario) -> Result<Pattern, Vec<Problem>> {
        let start = Instant::now();
        let network = scenario.network()?;
        let exchanging = exchanging(scenario, &network)?;
        scenario.check_ways_to_count(exchanging.exchanged.workload.messages())?;
        let crossings = exchanging.crossings(&network);
        Ok(Pattern {
            topology,
            exchange: entry(scenario, "exchange", Detail::Everything),
            exchanging,
            crossings,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// For each phase the destination of each rank; nothing for those of a list in which nobody sends.
    fn phases(&self) -> impl Iterator<Item = Vec<Option<u32>>> {
        let exchanged = &self.exchanging.exchanged;
        let ranks = exchanged.workload.ranks() as usize;
        let is_list = exchanged.phases.used() < exchanged.phases.count();
        exchanged.phases.each().map(move |phase| {
            if is_list && phase.is_empty() {
                return Vec::new();
            }
            let mut destinations = vec![None; ranks];
            phase.iter().for_each(|(from, to)| destinations[from.0 as usize] = Some(to.0));
            destinations
        })
    }

    /// Phase by phase: all of them may be more than fit into memory.
    fn json(&self, output: &mut impl Write) -> Result<(), Failure> {
        let workload = &self.exchanging.exchanged.workload;
        write!(output, "{{\"topology\":{}", serde_json::to_string(&self.topology)?)?;
        write!(output, ",\"exchange\":{}", serde_json::to_string(&self.exchange)?)?;
        write!(output, ",\"ranks\":{}", workload.ranks())?;
        write!(output, ",\"messages\":{}", workload.messages())?;
        write!(output, ",\"bytes\":{},\"phases\":[", workload.bytes().0)?;
        for (number, phase) in self.phases().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(output, "{comma}{}", serde_json::to_string(&phase)?)?;
        }
        write!(output, "],\"crossings\":{}", serde_json::to_string(&self.crossings)?)?;
        writeln!(output, ",\"seconds\":{}}}", self.seconds)?;
        Ok(())
    }

    fn csv(&self, output: &mut impl Write) -> Result<(), Failure> {
        let [topology, exchange] =
            [&self.topology, &self.exchange].map(|text| dragontree::interchange::csv::cell(text));
        for (number, phase) in self.phases().enumerate() {
            for (source, destination) in phase.into_iter().enumerate() {
                let Some(destination) = destination else { continue };
                writeln!(output, "{topology},{exchange},{number},{source},{destination}")?;
            }
        }
        Ok(())
    }

    fn table(&self) -> String {
        let workload = &self.exchanging.exchanged.workload;
        let phases = match self.exchanging.exchanged.phases.used() {
            1 => "1 phase".to_owned(),
            phases => format!("{phases} phases"),
        };
        let mut text = format!(
            "{}, {}: {} ranks, {} messages, {phases}\n",
            self.topology,
            self.exchange,
            workload.ranks(),
            workload.messages(),
        );
        let shown = workload.ranks() <= MOST_COLUMNS;
        let mut heading = vec!["phase".to_owned()];
        if shown {
            heading.extend((0..workload.ranks()).map(|rank| rank.to_string()));
        }
        for crossing in &self.crossings {
            heading.push(format!("across {}", crossing.level));
            heading.push("busiest".to_owned());
        }
        let mut lines = vec![heading];
        for (number, phase) in self.phases().enumerate().filter(|(_, phase)| !phase.is_empty()) {
            let mut line = vec![number.to_string()];
            if shown {
                line.extend(phase.iter().map(|to| to.map_or("·".to_owned(), |to| to.to_string())));
            }
            for crossing in &self.crossings {
                line.push(crossing.per_phase[number].to_string());
                line.push(crossing.busiest[number].to_string());
            }
            lines.push(line);
        }
        text.push_str(&aligned(&lines));
        text.push('\n');
        text
    }
}
