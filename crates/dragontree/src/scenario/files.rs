//! Files that settings name by their digests, given by whoever runs an experiment.

use super::{Content, KEYS, Key, Plan, Scenario};
use crate::catalog::{Files, data};
#[cfg(feature = "complete")]
use crate::interchange::goal;
use crate::sorting::sort_by_number;

impl Scenario {
    /// Gives the settings the files that they name.
    pub fn attach(&mut self, files: &Files) {
        for key in KEYS {
            self.content(key.name, |content| match content {
                Content::Part(menu) => data::attach(|form| menu.settings(form), files),
                Content::Value(value) => data::attach(|form| value.settings(form), files),
            });
        }
    }

    /// The digests of the files that the settings name and have not been given.
    pub fn missing(&self) -> Vec<u64> {
        let mut scenario = self.clone();
        let missing = |key: &Key| {
            scenario.content(key.name, |content| match content {
                Content::Part(menu) => data::missing(|form| menu.settings(form)),
                Content::Value(value) => data::missing(|form| value.settings(form)),
            })
        };
        KEYS.iter().filter_map(missing).flatten().collect()
    }
}

impl Plan {
    /// Gives every run the files that it names.
    pub fn attach(&mut self, files: &Files) {
        if !files.is_empty() {
            self.jobs.iter_mut().for_each(|job| job.scenario.attach(files));
        }
    }

    /// The digests of the files that runs name and have not been given, each once.
    pub fn missing(&self) -> Vec<u64> {
        let mut missing: Vec<u64> =
            self.jobs.iter().flat_map(|job| job.scenario.missing()).collect();
        sort_by_number(&mut missing, |digest| u128::from(*digest));
        missing.dedup();
        missing
    }
}

/// The key and the part that take a text which is no fabric: messages in the GOAL format, a matrix of
/// what ranks send, or the endpoints of ranks.
#[cfg(feature = "complete")]
pub fn part_of_file(text: &str) -> Option<(&'static str, &'static str)> {
    if goal::is_like(text) {
        return Some(("exchange", "messages"));
    }
    let lines = || text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut lines = lines().filter(|line| !line.is_empty()).take(LOOKED_AT).peekable();
    lines.peek()?;
    let first = lines.clone().next().unwrap_or_default();
    let is_number = |cell: &str| cell.trim().parse::<f64>().is_ok();
    if first.contains(',') && lines.clone().all(|line| line.split(',').all(is_number)) {
        return Some(("traffic", "matrix"));
    }
    let is_endpoint = |line: &str| line == "-" || line.parse::<u32>().is_ok();
    lines.all(is_endpoint).then_some(("placement", "ranks"))
}

/// How many lines decide what a text is.
#[cfg(feature = "complete")]
const LOOKED_AT: usize = 8;

#[cfg(all(test, feature = "complete"))]
mod tests {
    use super::part_of_file;

    #[test]
    fn files_are_told_by_what_they_say() {
        assert_eq!(part_of_file("# a\nnum_ranks 2\n"), Some(("exchange", "messages")));
        assert_eq!(part_of_file("0,1.5\n2,0\n"), Some(("traffic", "matrix")));
        assert_eq!(part_of_file("3\n-\n1 # one\n"), Some(("placement", "ranks")));
        for fabric in ["from,to\na,b\n", "router 0 router 1\n", "graph {\n", ""] {
            assert_eq!(part_of_file(fabric), None);
        }
    }
}
