//! `cargo xtask defaults`: the results that the page shows first, and the page of figures.

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
    about: "Write the page's first results and the page of figures anew",
    details,
    run,
};

/// The results, one in JSON on each line: the runs, then the numbers of their network.
const FILE: &str = "static/default.jsonl";
/// The same as the page reads them.
const PACKED: &str = "static/default.bin";
/// The documents' figures beside what comes out.
const FIGURES: &str = "static/figures.html";

fn details() -> String {
    format!(
        "Runs the default experiment and writes {FILE} and {PACKED}, which the page shows \
         before anything has run; runs the documents' figures and writes {FIGURES}.\nNeeded after \
         a change of the defaults, of the engine or of tests/papers; tests compare."
    )
}

fn run(arguments: &[String]) -> Result<()> {
    expect_none(arguments, "defaults")?;
    let ready = prepare(Workspace::find()?, Needs::NOTHING)?;
    println!("Running the default experiment: half a minute after the build.");
    let program = program(&ready)?;
    let [runs, network] = [&[][..], &["y=bisection"]]
        .map(|addition| program(&[&["run", "--json"], addition].concat()));
    let [runs, network] = [runs?, network?];
    let lines: Vec<String> = runs.lines().chain(network.lines()).map(without_seconds).collect();
    let path = ready.workspace.root.join(FILE);
    let text = lines.join("\n") + "\n";
    fs::write(&path, text).map_err(Error::io(format!("Could not write {}", path.display())))?;
    pack(&ready, &path)?;
    println!("{FILE} holds {} results.", lines.len());
    println!("Running the documents' figures: some minutes.");
    let figures = ready.workspace.root.join(FIGURES);
    fs::write(&figures, program(&["figures", "--html"])?)
        .map_err(Error::io(format!("Could not write {}", figures.display())))
}

/// Builds the command-line program; gives what it prints.
fn program(ready: &Ready) -> Result<impl Fn(&[&str]) -> Result<String>> {
    ready
        .host_task("cargo")?
        .arguments(["build", "--quiet", "--profile", "cli", "--package", "dragontree-cli"])
        .run("The command-line program does not build; see above.")?;
    let program = format!("cli/dragontree{}", std::env::consts::EXE_SUFFIX);
    let program = ready.workspace.target().join(program);
    Ok(move |arguments: &[&str]| {
        let printed = Task::new(&program).arguments(arguments).probe();
        printed.filter(|printed| !printed.is_empty()).ok_or_else(|| {
            Error::missing(
                format!("`{} {}` failed.", program.display(), arguments.join(" ")),
                "Run it to see why.",
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
