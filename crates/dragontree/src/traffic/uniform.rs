//! Uniform random traffic: every message to any other rank (Prisacari 2020, §6.4.1).

use super::{Aim, Law, Site};
use crate::catalog::{Form, Part, Settings};
use crate::network::Needs;

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
        "Every message goes to another rank, each equally likely (Prisacari 2020, §6.4.1)."
    }
}

impl Aim for Uniform {
    fn aim(&self, site: Site<'_>) -> Result<Law, Needs> {
        Ok(Law::Uniform { ranks: site.ranks() })
    }
}
