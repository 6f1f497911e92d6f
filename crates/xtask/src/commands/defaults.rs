//! `cargo xtask defaults`: the results that the page shows first.

use std::fs;
use std::path::Path;

use super::{Command, expect_none};
use crate::error::{Error, Result};
use crate::process::Task;
use crate::setup::{Needs, Ready, prepare};
use crate::workspace::Workspace;

/// The command.
pub const COMMAND: Command = Command {
    name: "defaults",
    arguments: "",
    about: "Write the page's first results anew",
    details,
    run,
};

/// The results, one in JSON on each line: the runs, then the numbers of their network.
const FILE: &str = "static/default.jsonl";
/// The same as the page reads them.
const PACKED: &str = "static/default.bin";

fn details() -> String {
    format!(
        "Runs the default experiment and writes {FILE} and {PACKED}, which the page shows \
         before anything has run.\nNeeded after a change of the defaults or of the engine; tests \
         compare."
    )
}

fn run(arguments: &[String]) -> Result<()> {
    expect_none(arguments, "defaults")?;
    let ready = prepare(Workspace::find()?, Needs::NOTHING)?;
    println!("Running the default experiment: half a minute after the build.");
    let records = program(&ready)?;
    let [runs, network] = [records(&[])?, records(&["y=bisection"])?];
    let lines: Vec<String> = runs.lines().chain(network.lines()).map(without_seconds).collect();
    let path = ready.workspace.root.join(FILE);
    let text = lines.join("\n") + "\n";
    fs::write(&path, text).map_err(Error::io(format!("Could not write {}", path.display())))?;
    pack(&ready, &path)?;
    println!("{FILE} holds {} results.", lines.len());
    Ok(())
}

/// Builds the command-line program; gives what it prints for the default experiment with an addition.
fn program(ready: &Ready) -> Result<impl Fn(&[&str]) -> Result<String>> {
    ready
        .host_task("cargo")?
        .arguments(["build", "--quiet", "--profile", "cli", "--package", "dragontree-cli"])
        .run("The command-line program does not build; see above.")?;
    let program = format!("cli/dragontree{}", std::env::consts::EXE_SUFFIX);
    let program = ready.workspace.target().join(program);
    Ok(move |addition: &[&str]| {
        let printed = Task::new(&program).arguments(["run", "--json"]).arguments(addition).probe();
        printed.filter(|printed| !printed.is_empty()).ok_or_else(|| {
            Error::missing(
                format!("{} gave no results.", program.display()),
                "Run it with `run --json` to see why.",
            )
        })
    })
}

/// Writes the results of a file as the page reads them.
fn pack(ready: &Ready, from: &Path) -> Result<()> {
    ready
        .host_task("cargo")?
        .arguments(["run", "--quiet", "--package", "dragontree-worker"])
        .arguments(["--example", "pack_records", "--"])
        .arguments([from, ready.workspace.root.join(PACKED).as_path()])
        .run("The results could not be packed; see above.")
}

/// The same record as if it had taken no time, so that the file depends on nothing else.
fn without_seconds(line: &str) -> String {
    const KEY: &str = "\"seconds\":";
    let Some((before, after)) = line.split_once(KEY) else {
        return line.to_owned();
    };
    let end = after.find([',', '}']).unwrap_or(after.len());
    format!("{before}{KEY}0.0{}", &after[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_run_is_left_out() {
        let line = r#"{"x":0.5,"seconds":1.25e-3,"metrics":{}}"#;
        assert_eq!(without_seconds(line), r#"{"x":0.5,"seconds":0.0,"metrics":{}}"#);
        assert_eq!(without_seconds("{}"), "{}");
    }
}
