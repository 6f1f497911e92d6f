//! The `dragontree` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    dragontree_cli::main()
}
