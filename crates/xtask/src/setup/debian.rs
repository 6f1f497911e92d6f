//! Installing packages on Debian and its relatives.

use std::path::Path;

use crate::error::{Error, Result};
use crate::process::{Task, find_program};

/// Whether this machine takes packages through apt.
pub fn is_debian() -> bool {
    Path::new("/etc/debian_version").exists() && find_program("apt-get").is_some()
}

/// Installs packages, or says how an administrator can.
pub fn install(packages: &[&str], purpose: &str) -> Result<()> {
    let list = packages.join(" ");
    let by_hand = format!("apt-get update && apt-get install --no-install-recommends {list}");
    if !is_root() {
        return Err(Error::missing(
            format!("{purpose} needs the packages {list}."),
            format!("Ask an administrator to run `{by_hand}`, then start again."),
        ));
    }
    println!("Installing {list} with apt: {purpose}. About one minute.");
    // The lists of a new machine are old or empty.
    apt(&["update"], &by_hand)?;
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(packages);
    apt(&arguments, &by_hand)
}

fn apt(arguments: &[&str], by_hand: &str) -> Result<()> {
    Task::new("apt-get")
        .arguments(["--quiet=2"])
        .arguments(arguments)
        .variable("DEBIAN_FRONTEND", "noninteractive")
        .run(&format!("Check the network and the package sources, then run `{by_hand}`."))
}

fn is_root() -> bool {
    let printed = Task::new("id").arguments(["-u"]).probe();
    printed.is_some_and(|user| user.trim() == "0")
}
