//! Ctrl-C while runs go on.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::text;

/// A run that is over at once, and one that takes hours.
const STUDY: &str = "topology=dragonfly,p=4,a=8,h=4 load=0.3 warmup=1us window=2us/1s";

/// A command that is ended with the test.
struct Running(Child);

impl Running {
    /// Starts the study as from a terminal: in the background of a script Ctrl-C would do nothing.
    fn start(form: &[&str]) -> Running {
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_dragontree"), "run", STUDY]);
        command.args(["--jobs", "1"]).args(form);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Running(command.spawn().unwrap())
    }

    /// What is left of its output after Ctrl-C; none where that came before its first run had finished.
    fn interrupt(mut self, mut output: impl Read) -> Option<String> {
        let kill = format!("kill -INT {}", self.0.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        let (mut rest, mut said) = (Vec::new(), Vec::new());
        output.read_to_end(&mut rest).unwrap();
        self.0.stderr.take().unwrap().read_to_end(&mut said).unwrap();
        assert_eq!(self.0.wait().unwrap().code(), Some(130));
        let said = text(&said);
        if said == "interrupted: 0 of 2 runs had finished\n" {
            return None;
        }
        assert_eq!(said, "interrupted: 1 of 2 runs had finished\n");
        Some(text(&rest))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
    }
}

/// The table has no other sign that its first run has finished than the time that the same takes with
/// `--json`, where each run is a line as soon as it has. On a busy machine it takes longer, so it is tried again.
#[test]
fn what_has_finished_is_shown() {
    let start = Instant::now();
    let mut lines = Running::start(&["--json"]);
    let mut output = BufReader::new(lines.0.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let first = start.elapsed();
    let rest = lines.interrupt(output).expect("a line of it was read");
    assert!(line.contains("\"x\":2000.0") && rest.is_empty(), "{line}{rest}");

    let shown = (1..100).find_map(|factor| {
        let mut table = Running::start(&[]);
        let output = table.0.stdout.take().unwrap();
        sleep(factor * (first + Duration::from_millis(500)));
        table.interrupt(output)
    });
    let shown = shown.expect("its first run takes no hour");
    assert!(shown.contains("\n    2 µs "), "{shown}");
    assert!(!shown.contains("1 s ") && !shown.contains(" d="), "{shown}");
}
