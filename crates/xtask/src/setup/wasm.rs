//! Finding or installing a toolchain that builds for WebAssembly: detection first, downloads last.

use std::env;
use std::time::Duration;

use super::{debian, sysroot};
use crate::error::{Error, Result};
use crate::process::Task;
use crate::toolchain::{Toolchain, WASM_TARGET, has_rustup};
use crate::workspace::Workspace;

const DOWNLOAD_LIMIT: Duration = Duration::from_secs(300);

/// The toolchain to use for WebAssembly, installing what is missing.
pub fn toolchain(workspace: &Workspace, host: &Toolchain) -> Result<Toolchain> {
    if host.builds_wasm() {
        return Ok(host.clone());
    }
    if !has_rustup() {
        return Err(without_rustup());
    }
    if let Some(linked) = sysroot::existing() {
        return Ok(linked);
    }
    if may_download() && add_target(host) {
        return Ok(host.clone());
    }
    if debian::is_debian() {
        return sysroot::install(workspace, host);
    }
    Err(Error::missing(
        format!("The target {WASM_TARGET} is not installed in {}.", host.label()),
        format!("Run `rustup target add {WASM_TARGET}`, then start again."),
    ))
}

fn without_rustup() -> Error {
    Error::missing(
        format!("rustc has no {WASM_TARGET} target, and there is no rustup to add it with."),
        format!(
            "Install Rust with rustup, or your distribution's package of the standard library \
             for {WASM_TARGET}, then start again."
        ),
    )
}

fn may_download() -> bool {
    env::var("RUSTUP_AUTO_INSTALL").map_or(true, |value| value != "0")
}

/// Whether rustup could add the target; a failure is left to the next way.
fn add_target(host: &Toolchain) -> bool {
    println!("Adding the target {WASM_TARGET} with rustup. Usually under a minute.");
    let advice = format!("Try `rustup target add {WASM_TARGET}` by hand.");
    let added = host.task("rustup", &[]).and_then(|task: Task| {
        task.arguments(["target", "add", WASM_TARGET]).run_within(DOWNLOAD_LIMIT, &advice)
    });
    if let Err(error) = added {
        eprintln!("{error}");
        return false;
    }
    host.builds_wasm()
}
