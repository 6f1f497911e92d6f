//! The nearest-neighbor exchange of a torus of ranks (Prisacari 2020, §7.4.4).

use super::steps::{check_fit, to_neighbors};
use super::{Closed, Exchanged, Refused, Site};
use crate::catalog::{Form, Part, Setting, Settings};

/// Every rank sends a message to both neighbors along each dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct TorusNeighbor {
    /// Ranks along each dimension.
    pub widths: Vec<u32>,
}

impl Default for TorusNeighbor {
    fn default() -> TorusNeighbor {
        TorusNeighbor { widths: vec![4; 3] }
    }
}

impl Settings for TorusNeighbor {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::numbers(
            "widths",
            "Widths",
            "Ranks along each dimension, the first running fastest; more ranks stay silent.",
            &mut self.widths,
            1..=1_000_000,
            8,
        ));
    }
}

impl Part for TorusNeighbor {
    fn name(&self) -> &'static str {
        "torus_neighbor"
    }
    fn label(&self) -> &'static str {
        "Torus neighbors"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Ranks on a torus send to all their neighbors at once (Prisacari 2020, §7.4.4).",
        )
    }
}

impl Closed for TorusNeighbor {
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        check_fit("widths", &self.widths, site.ranks())?;
        let bytes = vec![site.bytes; self.widths.len()];
        to_neighbors(site.ranks(), &self.widths, &bytes)
    }
}
