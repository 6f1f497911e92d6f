//! The text of an experiment as it comes from the command line.

use std::io::Read;

use dragontree::catalog::Problem;
use dragontree::scenario::{Entry, Plan, Scenario, Study, Values};

use crate::error::Failure;

/// Reads a study from arguments joined by spaces, or from standard input for `-`.
pub fn study(arguments: &[String]) -> Result<Study, Failure> {
    Study::parse(&text(arguments)?).map_err(|problems| Failure::input(&problems.problems))
}

fn text(arguments: &[String]) -> Result<String, Failure> {
    let mut text = arguments.join(" ");
    if text == "-" {
        text.clear();
        std::io::stdin().read_to_string(&mut text).map_err(Failure::Reading)?;
    }
    Ok(text)
}

/// The scenarios of a study with different networks, in order. Nothing is loaded, so that load
/// and axes are of no importance, and two settings may vary besides the load.
pub fn networks(arguments: &[String]) -> Result<Vec<Scenario>, Failure> {
    let (mut study, mut problems) = match Study::parse(&text(arguments)?) {
        Ok(study) => (study, Vec::new()),
        Err(problems) => (*problems.rest, problems.problems),
    };
    let of_the_plan = study.plan().err().unwrap_or_default();
    problems.retain(|problem: &Problem| !of_the_plan.contains(problem));
    let one_load = Entry { part: None, settings: vec![(String::new(), Values::one("1"))] };
    study.common.entries_mut("load").clear();
    study.common.entries_mut("load").push(one_load);
    for case in &mut study.cases {
        case.section.entries_mut("load").clear();
    }
    (study.x, study.y) = (None, Vec::new());
    let plan = study.plan();
    problems.extend(plan.as_ref().err().into_iter().flatten().cloned());
    let mut networks: Vec<Scenario> = Vec::new();
    for job in plan.into_iter().flat_map(|plan| plan.jobs) {
        if !networks.iter().any(|known| known.shares_network(job.scenario())) {
            networks.push(job.scenario().clone());
        }
    }
    match problems.is_empty() {
        true => Ok(networks),
        false => Err(Failure::input(&problems)),
    }
}

/// The runs of a study.
pub fn plan(study: &Study) -> Result<Plan, Failure> {
    study.plan().map_err(|problems| Failure::input(&problems))
}
