//! `dragontree optimize`: the best ways to cut and place a nearest-neighbor exchange.

use std::io::Write;

use dragontree::catalog::Problem;
use dragontree::interchange::csv::cell;
use dragontree::scenario::{Choice, Optimized, Search, Strategy};
use serde::Serialize;

use crate::Finding;
use crate::arguments::{Optimize, Tables, Tried};
use crate::audit::fabric;
use crate::columns::aligned;
use crate::error::Failure;
use crate::input;

/// One choice for one experiment; its JSON form is stable.
#[derive(Clone, Debug, Serialize)]
struct Row<'a> {
    topology: &'a str,
    rank: Option<usize>,
    worth: Option<f64>,
    compared: u64,
    #[serde(flatten)]
    choice: &'a Choice,
}

/// Runs the command.
pub fn optimize(arguments: &Optimize) -> Result<Finding, Failure> {
    let search = search(arguments);
    let scenarios = input::exchanges(&arguments.text, &Tables::default())?;
    let mut problems: Vec<Problem> = Vec::new();
    let mut all = Vec::new();
    for scenario in &scenarios {
        match scenario.optimized(&search) {
            Ok(found) => all.push((fabric(&arguments.text, scenario), found)),
            Err(found) => problems.extend(found),
        }
    }
    problems.dedup();
    if !problems.is_empty() {
        return Err(Failure::input(&problems));
    }
    let mut output = std::io::stdout().lock();
    if arguments.output.csv {
        let header = "topology,rank,tasks,block,groups,strategy,demand,source,bandwidth,limit,\
                      bytes_per_task,completion_ns,text";
        writeln!(output, "{header}")?;
    }
    for (topology, found) in &all {
        if arguments.output.json {
            for row in rows(topology, found) {
                writeln!(output, "{}", serde_json::to_string(&row)?)?;
            }
        } else if arguments.output.csv {
            rows(topology, found).try_for_each(|row| writeln!(output, "{}", line(&row)))?;
        } else {
            output.write_all(table(topology, found).as_bytes())?;
        }
    }
    output.flush()?;
    Ok(Finding::Nothing)
}

fn search(arguments: &Optimize) -> Search {
    let strategy = |tried: &Tried| match tried {
        Tried::BlocksMinimal => Strategy::BlocksMinimal,
        Tried::BlocksValiant => Strategy::BlocksValiant,
        Tried::RandomMinimal => Strategy::RandomMinimal,
    };
    let chosen: Vec<Strategy> = arguments.strategies.iter().map(strategy).collect();
    let wanted = |each: &Strategy| chosen.is_empty() || chosen.contains(each);
    let strategies = Strategy::ALL.into_iter().filter(wanted).collect();
    Search { top: arguments.top.get(), keep_tasks: arguments.keep_tasks, strategies }
}

fn rows<'a>(topology: &'a str, found: &'a Optimized) -> impl Iterator<Item = Row<'a>> {
    let Optimized { worth, compared, .. } = *found;
    let best = (1..).map(Some).zip(&found.best);
    let worst = found.worst.iter().map(|worst| (None, worst));
    best.chain(worst).map(move |(rank, choice)| Row { topology, rank, worth, compared, choice })
}

/// Numbers with points between them, as in a text.
fn widths(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
}

fn line(row: &Row<'_>) -> String {
    let Choice { demand, bandwidth, limit, bytes_per_task, completion_ns, .. } = row.choice;
    let rank = row.rank.map_or("worst".to_owned(), |rank| rank.to_string());
    let [tasks, block] = [&row.choice.tasks, &row.choice.block].map(|numbers| widths(numbers));
    let [topology, strategy, source, text] =
        [row.topology, row.choice.strategy.label(), &row.choice.source, &row.choice.text].map(cell);
    let groups = row.choice.groups;
    format!(
        "{topology},{rank},{tasks},{block},{groups},{strategy},{demand},{source},{bandwidth},\
         {limit},{bytes_per_task},{completion_ns},{text}"
    )
}

fn table(topology: &str, found: &Optimized) -> String {
    let header = [
        "",
        "tasks",
        "block",
        "groups",
        "placed, routed",
        "demand",
        "bandwidth",
        "limit",
        "MiB per task",
        "completion",
    ];
    let mut lines = vec![header.map(str::to_owned).to_vec()];
    for Row { rank, choice, .. } in rows(topology, found) {
        lines.push(vec![
            rank.map_or("worst".to_owned(), |rank| rank.to_string()),
            widths(&choice.tasks),
            widths(&choice.block),
            choice.groups.to_string(),
            choice.strategy.label().to_owned(),
            format!("{:.4}", choice.demand),
            format!("{:.4}", choice.bandwidth),
            choice.limit.clone(),
            format!("{:.4}", choice.bytes_per_task as f64 / f64::from(1 << 20)),
            format!("{:.4} ms", choice.completion_ns / 1e6),
        ]);
    }
    let Optimized { tasks, compared, .. } = found;
    let mut text = format!("{topology}\n{tasks} tasks, {compared} choices compared\n");
    text.push_str(&aligned(&lines));
    if let Some(worth) = found.worth {
        text.push_str(&format!("the worst takes {worth:.2} times as long as the best\n"));
    }
    for Row { rank, choice, .. } in
        rows(topology, found).filter(|row| row.rank.is_none_or(|rank| rank == 1))
    {
        let name = if rank.is_some() { "best" } else { "worst" };
        text.push_str(&format!("{name}: dragontree run \"{}\"\n", choice.text));
    }
    text
}
