//! `cargo xtask`: sets up the machine, then builds, serves and tests Dragontree.

mod commands;
mod error;
mod process;
mod setup;
mod shorten;
mod toolchain;
mod trunk;
mod workspace;

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match commands::dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\n{error}");
            ExitCode::FAILURE
        }
    }
}
