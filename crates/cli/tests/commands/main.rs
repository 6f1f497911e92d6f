//! The command as a script sees it.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

mod exchanges;
mod experiments;
mod files;
#[cfg(target_os = "linux")]
mod interrupts;
mod routes;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dragontree"));
    command.args(arguments);
    command
}

/// Runs a command with nothing on its standard input.
fn dragontree(arguments: &[&str]) -> Output {
    command(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Runs a command with this on its standard input.
fn told(arguments: &[&str], input: &str) -> Output {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A directory of its own, removed with the test.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("dragontree-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
