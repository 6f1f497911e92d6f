//! Trunk and the wasm-bindgen command line, compiled once per user.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::process::{Task, find_program};
use crate::toolchain::Toolchain;
use crate::workspace::Workspace;

const TRUNK_VERSION: &str = "0.21.14";

/// A program that has to be there in one exact version.
struct Tool {
    package: &'static str,
    version: String,
    /// The programs the package brings; each must answer `--version`.
    programs: &'static [&'static str],
    /// Whether to build with the versions its authors tested; a mirror may lack some of them.
    locked: bool,
    minutes: &'static str,
}

/// The directories of the tools, to be put in front of PATH.
pub fn directories(workspace: &Workspace, host: &Toolchain) -> Result<Vec<PathBuf>> {
    let tools = [
        Tool {
            package: "trunk",
            version: TRUNK_VERSION.to_string(),
            programs: &["trunk"],
            locked: true,
            minutes: "five to eight minutes",
        },
        // Generated code works only with the crate of exactly the same version.
        Tool {
            package: "wasm-bindgen-cli",
            version: workspace.locked_version("wasm-bindgen")?,
            programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
            locked: false,
            minutes: "two to three minutes",
        },
    ];
    let directories = tools.iter().map(|tool| tool.directory(workspace, host));
    directories.collect()
}

impl Tool {
    fn directory(&self, workspace: &Workspace, host: &Toolchain) -> Result<PathBuf> {
        let cached = self.root(workspace).join("bin");
        if self.is_in(&cached) {
            return Ok(cached);
        }
        let program = find_program(self.programs[0]);
        let on_path = program.and_then(|program| program.parent().map(Path::to_path_buf));
        if let Some(directory) = on_path.filter(|directory| self.is_in(directory)) {
            return Ok(directory);
        }
        self.install(workspace, host)?;
        Ok(cached)
    }

    fn root(&self, workspace: &Workspace) -> PathBuf {
        let name = self.programs[0];
        let directory = format!("tools/{name}-{}", self.version);
        workspace.cache.join(directory)
    }

    fn is_in(&self, directory: &Path) -> bool {
        self.programs.iter().all(|program| {
            let printed = Task::new(directory.join(program)).arguments(["--version"]).probe();
            printed.is_some_and(|printed| printed_version(&printed) == Some(&self.version))
        })
    }

    fn install(&self, workspace: &Workspace, host: &Toolchain) -> Result<()> {
        let root = self.root(workspace);
        fs::create_dir_all(&root)
            .map_err(Error::io(format!("Could not create {}", root.display())))?;
        println!(
            "Compiling {} {} into {}: once, {}.",
            self.package,
            self.version,
            root.display(),
            self.minutes
        );
        let mut options = Vec::new();
        if self.locked {
            options.push("--locked");
        }
        if !io::stdout().is_terminal() {
            options.push("--quiet");
        }
        host.task("cargo", &[])?
            .arguments(["install", "--force", self.package])
            .arguments(["--version", &self.version])
            .arguments(["--root".as_ref(), root.as_os_str()])
            .arguments(options)
            // Outside the repository, whose settings are not meant for tools.
            .directory(&workspace.cache)
            .without("CARGO_TARGET_DIR")
            .without("CARGO_BUILD_TARGET")
            .run("Check that the network reaches the crate registry, then start again.")
    }
}

/// The version in a line such as `trunk 0.21.14`.
fn printed_version(printed: &str) -> Option<&str> {
    printed.split_whitespace().nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_tools_print() {
        assert_eq!(printed_version("trunk 0.21.14\n"), Some("0.21.14"));
        assert_eq!(printed_version("wasm-bindgen 0.2.130 (1a2b)"), Some("0.2.130"));
        assert_eq!(printed_version("trunk"), None);
    }
}
