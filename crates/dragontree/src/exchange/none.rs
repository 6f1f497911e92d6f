//! No exchange.

use super::{Closed, Exchanged, Refused, Site};
use crate::catalog::{Form, Part, Settings};

/// Ranks send at an offered load, as traffic says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nothing;

impl Settings for Nothing {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for Nothing {
    fn name(&self) -> &'static str {
        "none"
    }
    fn label(&self) -> &'static str {
        "None"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help("Ranks send at the offered load, as the traffic says.")
    }
}

impl Closed for Nothing {
    fn exchanged(&self, _site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        Ok(None)
    }
}
