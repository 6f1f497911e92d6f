//! Ctrl-C while runs go on.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{command, text};

/// A run that is over at once, and one that takes hours.
const STUDY: &str = "topology=dragonfly,p=1,a=2,h=1 load=0.3 warmup=1us window=2us/1s";

fn started(form: &[&str]) -> Child {
    let mut command = command(&["run", STUDY, "--jobs", "1"]);
    command.args(form).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn interrupt(child: &Child) {
    let kill = Command::new("sh").arg("-c").arg(format!("kill -INT {}", child.id())).status();
    assert!(kill.unwrap().success());
}

fn is_interrupted(output: &Output) {
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(text(&output.stderr), "interrupted: 1 of 2 runs had finished\n");
}

/// The table has no other sign that its first run has finished than the time that the same takes with
/// `--json`, where each run is a line as soon as it has.
#[test]
fn what_has_finished_is_shown() {
    let start = Instant::now();
    let mut lines = started(&["--json"]);
    let mut output = BufReader::new(lines.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let first = start.elapsed();
    interrupt(&lines);
    is_interrupted(&lines.wait_with_output().unwrap());
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert!(line.contains("\"x\":2000.0") && rest.is_empty(), "{line}{rest}");

    let table = started(&[]);
    sleep(first * 5 + Duration::from_secs(2));
    interrupt(&table);
    let output = table.wait_with_output().unwrap();
    is_interrupted(&output);
    let shown = text(&output.stdout);
    assert!(shown.contains("\n    2 µs "), "{shown}");
    assert!(!shown.contains("1 s ") && !shown.contains(" d="), "{shown}");
}
