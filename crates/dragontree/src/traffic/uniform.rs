//! Uniform random traffic: every message to any other rank (Prisacari 2020, §6.4.1).

use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Settings};
use crate::placement::Unfit;

/// Every message goes to another rank, each equally likely.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Uniform;

impl Settings for Uniform {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for Uniform {
    fn name(&self) -> &'static str {
        "uniform"
    }
    fn label(&self) -> &'static str {
        "Uniform random"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Every message goes to another rank, each equally likely (Prisacari 2020, §6.4.1).",
        )
    }
}

impl Pattern for Uniform {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        Ok(Destinations::Uniform { ranks: site.ranks() })
    }
}
