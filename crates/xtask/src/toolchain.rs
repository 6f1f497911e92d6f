//! Rust toolchains: which one does what, and whether it can build for WebAssembly.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::process::{Task, find_program, path_with};

/// The target that the page and its worker are built for.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// How the names of toolchains linked by this program begin.
pub const LINKED_PREFIX: &str = "dragontree-wasm-";

/// A Rust toolchain, by rustup's name where there is a rustup.
#[derive(Clone, Debug)]
pub struct Toolchain {
    name: Option<String>,
}

impl Toolchain {
    /// A toolchain of rustup.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()) }
    }

    /// The user's ordinary toolchain, with clippy and rustfmt.
    pub fn host(root: &Path) -> Self {
        let outer = env::var("RUSTUP_TOOLCHAIN").ok();
        let outer = outer.filter(|name| !name.starts_with(LINKED_PREFIX));
        let name = outer.or_else(|| {
            let active = Task::new("rustup")
                .arguments(["show", "active-toolchain"])
                .directory(root)
                .probe()?;
            active.split_whitespace().next().map(str::to_string)
        });
        Self { name }
    }

    /// The name for messages.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or("the installed rustc")
    }

    /// Prepares a program that is to use this toolchain, with `first` in front of PATH.
    pub fn task(&self, program: &str, first: &[PathBuf]) -> Result<Task> {
        let mut directories = first.to_vec();
        let mut task = Task::new(program);
        if let Some(name) = &self.name {
            // Another cargo earlier on PATH would not look at RUSTUP_TOOLCHAIN.
            directories.extend(rustup_directory());
            task = task.variable("RUSTUP_TOOLCHAIN", name);
        }
        Ok(task.variable("PATH", path_with(&directories)?))
    }

    /// Whether programs for WebAssembly can be built, with link-time optimization.
    pub fn builds_wasm(&self) -> bool {
        let arguments = ["--print", "target-libdir", "--target", WASM_TARGET];
        let Ok(task) = self.task("rustc", &[]) else {
            return false;
        };
        // The directory is printed even when nothing is installed in it.
        let printed = task.arguments(arguments).probe();
        printed.is_some_and(|directory| has_wasm_std(Path::new(directory.trim())))
    }

    /// Where the toolchain is installed.
    pub fn sysroot(&self) -> Option<PathBuf> {
        let arguments = ["--print", "sysroot"];
        let printed = self.task("rustc", &[]).ok()?.arguments(arguments).probe()?;
        Some(PathBuf::from(printed.trim()))
    }
}

/// Whether there is a rustup on PATH.
pub fn has_rustup() -> bool {
    find_program("rustup").is_some()
}

/// A field of what `rustc -vV` prints.
pub fn version_field(printed: &str, field: &str) -> Option<String> {
    let mut lines = printed.lines();
    lines.find_map(|line| {
        let rest = line.strip_prefix(field)?.strip_prefix(": ")?;
        Some(rest.to_string())
    })
}

fn rustup_directory() -> Option<PathBuf> {
    find_program("rustup")?.parent().map(Path::to_path_buf)
}

fn has_wasm_std(directory: &Path) -> bool {
    let Ok(entries) = fs::read_dir(directory) else {
        return false;
    };
    let mut files = entries.flatten().map(|entry| entry.path());
    files.any(|file| is_std(&file) && fs::read(&file).is_ok_and(|bytes| has_bitcode(&bytes)))
}

fn is_std(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("libstd-") && name.ends_with(".rlib"))
}

/// A standard library without bitcode fails only at the end of an optimized build.
fn has_bitcode(bytes: &[u8]) -> bool {
    let wanted = b"llvmbc";
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_the_version_are_found() {
        let printed = "rustc 1.96.0 (ac68faa20 2026-05-25)\nhost: x86_64-unknown-linux-gnu\n\
                       release: 1.96.0\nLLVM version: 22.1.8\n";
        assert_eq!(version_field(printed, "release"), Some("1.96.0".into()));
        assert_eq!(version_field(printed, "host"), Some("x86_64-unknown-linux-gnu".into()));
        assert_eq!(version_field(printed, "commit"), None);
    }

    #[test]
    fn only_the_standard_library_counts() {
        assert!(is_std(Path::new("lib/libstd-0123.rlib")));
        assert!(!is_std(Path::new("lib/libstd_detect-0123.rlib")));
        assert!(!is_std(Path::new("lib/libcore-0123.rlib")));
        assert!(has_bitcode(b"xx.llvmbcxx"));
        assert!(!has_bitcode(b"xx.llvm"));
    }
}
