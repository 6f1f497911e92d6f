//! `cargo xtask build`: the page as static files.

use super::{Command, expect_none};
use crate::error::Result;
use crate::setup::{Needs, Ready, prepare};
use crate::shorten;
use crate::trunk;
use crate::workspace::Workspace;

/// The command.
pub const COMMAND: Command = Command {
    name: "build",
    arguments: "",
    about: "Build the page into dist/, ready for any static host",
    details,
    run,
};

fn details() -> String {
    "The directory dist/ can be copied anywhere, also into a subfolder.".to_string()
}

fn run(arguments: &[String]) -> Result<()> {
    expect_none(arguments, "build")?;
    let ready = prepare(Workspace::find()?, Needs::PAGE)?;
    println!("Building the page: about five minutes the first time, one when little changed.");
    build(&ready)?;
    println!("The page is in {}.", ready.workspace.dist().display());
    Ok(())
}

/// Builds the page into dist/.
pub fn build(ready: &Ready) -> Result<()> {
    trunk::task(ready, "build")?
        .run("Read the first error above; it is in the page, the worker or the core.")?;
    shorten::folder(&ready.workspace.dist())
}
