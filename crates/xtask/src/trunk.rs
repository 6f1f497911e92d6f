//! Calling Trunk so that it downloads nothing by itself.

use std::env;

use crate::error::Result;
use crate::process::Task;
use crate::setup::Ready;

/// Prepares `trunk build` or `trunk serve`, optimized, with the tools of the set-up.
pub fn task(ready: &Ready, subcommand: &str) -> Result<Task> {
    let task = ready
        .wasm_task("trunk")?
        .arguments([subcommand, "--release", "--locked"])
        // A tool of another version would otherwise be fetched without a word.
        .arguments(["--offline", "true", "--skip-version-check"]);
    // Trunk wants a truth value, where others take any text.
    Ok(match env::var_os("NO_COLOR") {
        Some(value) if !value.is_empty() => task.variable("NO_COLOR", "true"),
        _ => task.without("NO_COLOR"),
    })
}
