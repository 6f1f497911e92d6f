//! No faults.

use super::Break;
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::{Failures, Network};

/// Nothing is broken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intact;

impl Settings for Intact {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for Intact {
    fn name(&self) -> &'static str {
        "none"
    }
    fn label(&self) -> &'static str {
        "None"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help("Every link and switch works.")
    }
}

impl Break for Intact {
    fn failures(&self, _network: &Network, _seed: u64) -> Result<Failures, Problem> {
        Ok(Failures::default())
    }
}
