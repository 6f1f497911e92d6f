//! Files that settings name by their digests, given by whoever runs an experiment.

use std::sync::Arc;

use super::{Content, KEYS, Key, Plan, Scenario};
use crate::catalog::{Files, data};
#[cfg(feature = "complete")]
use crate::interchange::{Format, goal};
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
            self.jobs.iter_mut().for_each(|job| Arc::make_mut(&mut job.scenario).attach(files));
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
///
/// Where most of the cells of a table are numbers it is a matrix, so that what is wrong with the others
/// is told with their lines; it is traffic, and where exchange=matrix is asked for that may take it
/// instead. Names of endpoints are told by having a line each, without a space.
#[cfg(feature = "complete")]
pub fn part_of_file(text: &str) -> Option<(&'static str, &'static str)> {
    if goal::is_like(text) {
        return Some(("exchange", "messages"));
    }
    if Format::guess(text).is_some() {
        return None;
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).take(LOOKED_AT).collect();
    let is_number = |cell: &&str| cell.trim().parse::<f64>().is_ok();
    if lines.first()?.contains(',') {
        let cells = || lines.iter().flat_map(|line| line.split(','));
        let numbers = cells().filter(is_number).count();
        return (2 * numbers > cells().count()).then_some(("traffic", "matrix"));
    }
    let is_endpoint = |line: &&str| *line == "-" || line.parse::<u32>().is_ok();
    let is_name = |line: &&str| !line.contains([' ', '\t', ',', ';']);
    let are_names = lines.len() > 1 && lines.iter().all(is_name);
    (are_names || lines.iter().all(is_endpoint)).then_some(("placement", "ranks"))
}

/// The keys and parts that take files which are no fabrics.
#[cfg(feature = "complete")]
pub const PARTS_OF_FILES: [(&str, &str); 4] = [
    ("exchange", "messages"),
    ("exchange", "matrix"),
    ("traffic", "matrix"),
    ("placement", "ranks"),
];

/// How many lines decide what a text is.
#[cfg(feature = "complete")]
const LOOKED_AT: usize = 64;

#[cfg(all(test, feature = "complete"))]
mod tests {
    use super::part_of_file;

    #[test]
    fn files_are_told_by_what_they_say() {
        assert_eq!(part_of_file("# a\nnum_ranks 2\n"), Some(("exchange", "messages")));
        assert_eq!(part_of_file("0,1.5\n2,0\n"), Some(("traffic", "matrix")));
        assert_eq!(part_of_file("3\n-\n1 # one\n"), Some(("placement", "ranks")));
        assert_eq!(part_of_file("node-3\nnode-1\n-\n"), Some(("placement", "ranks")));
        assert_eq!(part_of_file("0,x,1\n2,0,1\n"), Some(("traffic", "matrix")));
        for other in
            ["from,to\na,b\n", "router 0 router 1\n", "graph {\n", "a,b\n1,2\n", "word\n", ""]
        {
            assert_eq!(part_of_file(other), None);
        }
    }
}
