//! Shift traffic: rank s to s + k (Zahavi 2009, §1).

use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::placement::Unfit;

/// Rank s sends to (s + by) mod N.
#[derive(Clone, Debug, PartialEq)]
pub struct Shift {
    /// The distance; taken modulo the number of ranks.
    pub by: u32,
}

impl Default for Shift {
    fn default() -> Shift {
        Shift { by: 1 }
    }
}

impl Settings for Shift {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::number(
            "by",
            "Shift by",
            "Rank s sends to s + by, modulo the number of ranks.",
            &mut self.by,
            0..=1_000_000,
        ));
    }
}

impl Part for Shift {
    fn name(&self) -> &'static str {
        "shift"
    }
    fn label(&self) -> &'static str {
        "Shift"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Rank s sends to s + by: one stage of a shift all-to-all (Zahavi 2009, §1).",
        )
    }
}

impl Pattern for Shift {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let ranks = site.ranks();
        let shifted = |rank| (u64::from(rank) + u64::from(self.by)) % u64::from(ranks);
        Ok(Destinations::fixed(ranks, |rank| shifted(rank) as u32))
    }
}
