//! The parts that come from npm: wasm-opt, and what drives the browser in tests.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::process::{Task, find_program};
use crate::workspace::Workspace;

const OLDEST_NODE: u32 = 20;

/// A copy of the lock file in node_modules: equal means up to date.
const STAMP: &str = "node_modules/.installed-lock.json";

/// The directory of the npm programs, installing them when missing or stale.
pub fn programs(workspace: &Workspace) -> Result<PathBuf> {
    let directory = workspace.browser_tests();
    check_node()?;
    if !is_fresh(&directory) {
        install(&directory)?;
    }
    Ok(directory.join("node_modules/.bin"))
}

fn check_node() -> Result<()> {
    let printed = Task::new("node").arguments(["--version"]).probe();
    let major = printed.as_deref().and_then(major_version);
    if major.is_some_and(|major| major >= OLDEST_NODE) && find_program("npm").is_some() {
        return Ok(());
    }
    Err(Error::missing(
        format!("Node.js {OLDEST_NODE} or later with npm is needed."),
        "Install Node.js from your system's packages (on Debian: `apt-get install nodejs npm`), \
         then start again.",
    ))
}

fn major_version(printed: &str) -> Option<u32> {
    let number = printed.trim().strip_prefix('v')?;
    number.split('.').next()?.parse().ok()
}

fn is_fresh(directory: &Path) -> bool {
    let lock = fs::read(directory.join("package-lock.json"));
    let stamp = fs::read(directory.join(STAMP));
    matches!((lock, stamp), (Ok(lock), Ok(stamp)) if lock == stamp)
}

fn install(directory: &Path) -> Result<()> {
    println!("Installing the npm parts of the build and the browser tests. Under one minute.");
    Task::new("npm")
        .arguments(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
        .arguments(["--loglevel", "error"])
        .directory(directory)
        .run("Check that the network reaches the npm registry, then start again.")?;
    let lock = directory.join("package-lock.json");
    fs::copy(&lock, directory.join(STAMP))
        .map(|_| ())
        .map_err(Error::io(format!("Could not copy {}", lock.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read() {
        assert_eq!(major_version("v20.20.2\n"), Some(20));
        assert_eq!(major_version("20.20.2"), None);
    }
}
