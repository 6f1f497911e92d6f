//! `cargo xtask test`: every check, the fast ones first.

mod size;
mod steps;

use std::time::{Duration, Instant};

use super::Command;
use crate::error::{Error, Result};
use crate::setup::{Needs, Ready, prepare};
use crate::workspace::Workspace;
use steps::{STEPS, Step};

/// The command.
pub const COMMAND: Command = Command {
    name: "test",
    arguments: "[STEP...]",
    about: "Run every check, or only the named ones",
    details,
    run,
};

fn details() -> String {
    let mut text = String::from("Steps, in the order they run:\n");
    for step in &STEPS {
        text.push_str(&format!("  {:<11} {} ({})\n", step.name, step.does, step.takes));
    }
    text.push_str("\nThe first failure ends the run. Times are for two cores.");
    text
}

fn run(arguments: &[String]) -> Result<()> {
    let steps = select(arguments)?;
    let needs = steps.iter().fold(Needs::NOTHING, |all, step| all.and(step.needs));
    let start = Instant::now();
    let ready = prepare(Workspace::find()?, needs)?;
    let mut times = vec![("set-up", start.elapsed())];
    let result = steps.iter().try_for_each(|step| {
        let start = Instant::now();
        let result = run_step(step, &ready);
        times.push((step.name, start.elapsed()));
        result
    });
    print_times(&times);
    result?;
    println!("Everything passed.");
    Ok(())
}

fn run_step(step: &Step, ready: &Ready) -> Result<()> {
    println!("\n{}: {} ({})", step.name, step.does, step.takes);
    (step.run)(ready).inspect_err(|_| {
        println!(
            "\nThe step {0} failed. When that is mended, `cargo xtask test {0}` tries it alone.",
            step.name
        );
    })
}

/// The named steps in their own order; all of them when none is named.
fn select(names: &[String]) -> Result<Vec<&'static Step>> {
    for name in names {
        if !STEPS.iter().any(|step| step.name == name) {
            let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
            return Err(Error::Usage(format!(
                "There is no step `{name}`. The steps are {}.",
                known.join(", ")
            )));
        }
    }
    let chosen = |step: &&Step| names.is_empty() || names.iter().any(|name| step.name == name);
    Ok(STEPS.iter().filter(chosen).collect())
}

fn print_times(times: &[(&str, Duration)]) {
    println!();
    for (name, time) in times {
        println!("{name:<11} {:>7.1} s", time.as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(arguments: &[&str]) -> Vec<&'static str> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let steps = select(&arguments).unwrap_or_default();
        steps.iter().map(|step| step.name).collect()
    }

    #[test]
    fn without_names_every_step_runs() {
        assert_eq!(names(&[]).len(), STEPS.len());
    }

    #[test]
    fn named_steps_keep_their_order() {
        assert_eq!(names(&["size", "fmt", "size"]), ["fmt", "size"]);
    }

    #[test]
    fn an_unknown_step_is_refused() {
        assert_eq!(names(&["fmt", "lint"]), Vec::<&str>::new());
    }
}
