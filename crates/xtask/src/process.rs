//! Running other programs with a known environment.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

const POLL: Duration = Duration::from_millis(200);

/// A program about to be run, with the variables of the outer `cargo run` taken away.
pub struct Task {
    command: Command,
}

impl Task {
    /// Prepares a program, named by a path or to be found on PATH.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        for (name, _) in env::vars_os() {
            if name.to_str().is_some_and(is_set_by_cargo_run) {
                command.env_remove(name);
            }
        }
        Self { command }
    }

    /// Adds command-line arguments.
    pub fn arguments<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets the directory to run in.
    pub fn directory(mut self, directory: &Path) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// Sets an environment variable.
    pub fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes an environment variable away.
    pub fn without(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Starts the program with the terminal's output.
    pub fn spawn(mut self) -> Result<Child> {
        let shown = self.shown();
        self.command.spawn().map_err(Error::io(format!("Could not start `{shown}`")))
    }

    /// Runs to the end; `advice` is what to do when the program fails.
    pub fn run(mut self, advice: &str) -> Result<()> {
        let shown = self.shown();
        let status =
            self.command.status().map_err(Error::io(format!("Could not start `{shown}`")))?;
        check(shown, status, advice)
    }

    /// Runs to the end, but kills the program after `limit`.
    pub fn run_within(self, limit: Duration, advice: &str) -> Result<()> {
        let shown = self.shown();
        let mut child = self.spawn()?;
        let start = Instant::now();
        loop {
            let ended = child.try_wait().map_err(Error::io(format!("Lost sight of `{shown}`")))?;
            if let Some(status) = ended {
                return check(shown, status, advice);
            }
            if start.elapsed() >= limit {
                stop(&mut child);
                return Err(Error::TimedOut { command: shown, limit });
            }
            thread::sleep(POLL);
        }
    }

    /// Runs quietly; `None` when the program is not there or fails.
    pub fn probe(mut self) -> Option<String> {
        let output = self.command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        if !output.status.success() {
            return None;
        }
        String::from_utf8(output.stdout).ok()
    }

    fn shown(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
        words.join(" ")
    }
}

/// Ends a child that is no longer wanted.
pub fn stop(child: &mut Child) {
    // Both fail only when the child has already ended.
    let _ = child.kill();
    let _ = child.wait();
}

/// The file that a command of this name would run.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|directory| directory.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
        .find(|file| file.is_file())
}

/// PATH with some directories in front.
pub fn path_with(first: &[PathBuf]) -> Result<OsString> {
    let old = env::var_os("PATH").unwrap_or_default();
    let all = first.iter().cloned().chain(env::split_paths(&old));
    env::join_paths(all).map_err(|_| {
        Error::missing(
            "A directory needed on PATH has a character that PATH cannot hold.",
            "Set DRAGONTREE_CACHE to a directory with a plain name.",
        )
    })
}

fn check(command: String, status: ExitStatus, advice: &str) -> Result<()> {
    if status.success() {
        return Ok(());
    }
    Err(Error::Failed { command, status: status.to_string(), advice: advice.to_string() })
}

/// The toolchain is passed to each child on purpose, never inherited from the outer cargo.
fn is_set_by_cargo_run(name: &str) -> bool {
    const NAMES: [&str; 6] = [
        "CARGO",
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "CARGO_PRIMARY_PACKAGE",
        "RUSTUP_TOOLCHAIN",
        "RUSTUP_TOOLCHAIN_SOURCE",
    ];
    NAMES.contains(&name) || name.starts_with("CARGO_PKG_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_the_outer_cargo_are_known() {
        assert!(is_set_by_cargo_run("CARGO"));
        assert!(is_set_by_cargo_run("CARGO_PKG_NAME"));
        assert!(!is_set_by_cargo_run("CARGO_HOME"));
        assert!(!is_set_by_cargo_run("CARGO_TARGET_DIR"));
    }

    #[test]
    fn directories_are_put_in_front_of_path() -> Result<()> {
        let path = path_with(&[PathBuf::from("first")])?;
        assert_eq!(env::split_paths(&path).next(), Some(PathBuf::from("first")));
        Ok(())
    }

    #[test]
    fn an_absent_program_is_no_answer() {
        assert_eq!(Task::new("no-such-program-here").probe(), None);
        assert_eq!(find_program("no-such-program-here"), None);
    }
}
