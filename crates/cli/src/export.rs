//! `dragontree export`: a network as a file for other programs.

use std::io::Write;

use dragontree::interchange::{self, Format, Writing};
use dragontree::scenario::Plan;

use crate::Finding;
use crate::arguments::{Export, ExportFormat};
use crate::error::Failure;
use crate::input::Input;

/// Runs the command.
pub fn export(arguments: &Export) -> Result<Finding, Failure> {
    let Input { plan, .. } = Input::read(&arguments.text)?;
    let scenario = one_network(&plan)?;
    let network = scenario.network().map_err(|problems| Failure::input(&problems))?;
    let format = match arguments.to {
        ExportFormat::Ibnetdiscover => Format::Ibnetdiscover,
        ExportFormat::Edges => Format::Edges,
        ExportFormat::Anynet => Format::Anynet,
        ExportFormat::Dot => Format::Dot,
        ExportFormat::Json => Format::Json,
    };
    let Writing { text, losses } = interchange::write(format, &network);
    for loss in losses {
        eprintln!("{}: {loss}", format.name());
    }
    match &arguments.output {
        Some(path) => {
            let failed = |source| Failure::Writing { path: path.clone(), source };
            std::fs::write(path, text).map_err(failed)?;
        }
        None => {
            let mut output = std::io::stdout().lock();
            output.write_all(text.as_bytes())?;
            output.flush()?;
        }
    }
    Ok(Finding::Nothing)
}

/// The scenario whose network all runs have.
fn one_network(plan: &Plan) -> Result<&dragontree::scenario::Scenario, Failure> {
    let mut scenarios = plan.jobs.iter().map(|job| job.scenario());
    let several = |given: &str| Failure::Argument {
        name: "export",
        given: given.to_owned(),
        allowed: "a text with one network: topology, faults and links may not vary".to_owned(),
    };
    let first = scenarios.next().ok_or_else(|| several("no run"))?;
    match scenarios.all(|other| first.shares_network(other)) {
        true => Ok(first),
        false => Err(several("a study of several networks")),
    }
}
