//! The text of an experiment as it comes from the command line.

use std::io::Read;

use dragontree::scenario::{Plan, Study};

use crate::error::Failure;

/// Reads a study from arguments joined by spaces, or from standard input for `-`.
pub fn study(arguments: &[String]) -> Result<Study, Failure> {
    let mut text = arguments.join(" ");
    if text == "-" {
        text.clear();
        std::io::stdin().read_to_string(&mut text).map_err(Failure::Reading)?;
    }
    Study::parse(&text).map_err(|problems| Failure::input(&problems.problems))
}

/// The runs of a study.
pub fn plan(study: &Study) -> Result<Plan, Failure> {
    study.plan().map_err(|problems| Failure::input(&problems))
}
