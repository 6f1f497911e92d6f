//! The `dragontree` command.

use std::process::ExitCode;

/// A run of a large fabric reads all over its memory, and this allocator gives it huge pages, so that
/// fewer of its addresses have to be looked up.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    dragontree_cli::main()
}
