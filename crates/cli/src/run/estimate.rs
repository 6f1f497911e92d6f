//! What a study will take, before it runs.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Instant;

use dragontree::catalog::Problem;
use dragontree::scenario::{InWords, MEASURING_RUN, Plan, Study};
use dragontree::units::Bytes;
use serde_json::json;

use crate::arguments::Run;
use crate::columns::aligned;
use crate::error::Failure;

/// Prints what the study will take.
pub fn print(arguments: &Run, plan: &Plan, threads: NonZeroUsize) -> Result<(), Failure> {
    let estimate = plan.estimate().map_err(|problems| Failure::input(&problems))?;
    let rate = hops_per_second()?;
    let at_once = at_once(plan, threads);
    // What is only counted of routes or the fabric is not.
    let is_told = estimate.work > 0.0;
    let mut output = std::io::stdout().lock();
    if arguments.runs.output.json {
        let line = json!({
            "runs": estimate.runs,
            "packet_hops": estimate.packet_hops.round(),
            "simulated_ns": estimate.simulated.as_ns(),
            "packet_hops_per_second": rate.round(),
            "jobs": at_once,
            "seconds": is_told.then_some(estimate.seconds(rate) / at_once as f64),
            "memory_bytes": estimate.memory.0.saturating_mul(at_once),
        });
        writeln!(output, "{line}")?;
        return Ok(());
    }
    let processors = if at_once == 1 { "processor" } else { "processors" };
    let words = estimate.in_words(rate, at_once);
    let takes = match is_told {
        true => format!("{} on {at_once} {processors}", words.takes),
        false => "not estimated: nothing is simulated".to_owned(),
    };
    let row = |name: &str, text: String| vec![name.to_owned(), text];
    let rows = [
        row("runs", estimate.runs.to_string()),
        row("packet-hops", words.packet_hops),
        row("simulated", words.simulated),
        row("takes", takes),
        row("memory", words.memory),
    ];
    let csv = |row: &Vec<String>| row.join(",") + "\n";
    let text = match arguments.runs.output.csv {
        true => rows.iter().map(csv).collect(),
        false => aligned(&rows),
    };
    output.write_all(text.as_bytes())?;
    Ok(())
}

/// Refuses a study that needs more memory than there is.
///
/// # Errors
/// It does, or an input is bad.
pub fn check(arguments: &Run, plan: &Plan, threads: NonZeroUsize) -> Result<(), Failure> {
    let Some(limit) = arguments.memory.or_else(free_memory).filter(|_| !arguments.force) else {
        return Ok(());
    };
    let bad = |problems: Vec<Problem>| Failure::input(&problems);
    let at_once = at_once(plan, threads);
    // What cannot exceed it by far is not estimated, and what is wrong with a run the run says.
    if !plan.may_exceed(Bytes(limit.0 / at_once)).unwrap_or(false) {
        return Ok(());
    }
    let estimate = plan.estimate().map_err(bad)?;
    if estimate.memory.0.saturating_mul(at_once) <= limit.0 {
        return Ok(());
    }
    let InWords { packet_hops, takes, memory, .. } = estimate.in_words(hops_per_second()?, at_once);
    Err(Failure::Memory { packet_hops, takes, needed: memory, at_once, limit })
}

/// How many runs go on at once.
fn at_once(plan: &Plan, threads: NonZeroUsize) -> u64 {
    threads.get().min(plan.jobs.len()).max(1) as u64
}

/// Packet-hops that one processor of this machine simulates in a second.
fn hops_per_second() -> Result<f64, Failure> {
    let wrong = |problems: Vec<Problem>| Failure::input(&problems);
    let study = Study::parse(MEASURING_RUN).map_err(|wrong| Failure::input(&wrong.problems))?;
    let mut rate: f64 = 0.0;
    for job in study.plan().map_err(wrong)?.jobs {
        let mut simulation = job.build(None).map_err(wrong)?.simulation();
        let start = Instant::now();
        while simulation.advance(u64::MAX) != dragontree::simulation::Progress::Done {}
        rate = simulation.packet_hops() as f64 / start.elapsed().as_secs_f64().max(1e-6);
    }
    Ok(rate)
}

/// The memory that programs may take, as far as the system tells: Linux does.
fn free_memory() -> Option<Bytes> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(Bytes(kilobytes.saturating_mul(1024)))
}
