//! Files that settings name by their digests, given by whoever runs an experiment.

use super::{Content, KEYS, Key, Plan, Scenario};
use crate::catalog::{Files, data};
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
