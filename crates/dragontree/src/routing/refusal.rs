//! Why a network cannot be routed, with what shows it.

use crate::catalog::Problem;
use crate::network::Needs;

/// Why a network cannot be routed.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::routing) struct Refusal {
    /// In short.
    pub needs: Needs,
    /// What shows it.
    pub reason: Option<String>,
}

impl Refusal {
    /// The whole reason.
    pub fn problem(self) -> Problem {
        let text = match self.reason {
            Some(reason) => format!("{}: {reason}", self.needs),
            None => self.needs.to_string(),
        };
        Problem::new("", "", text)
    }
}

impl From<Needs> for Refusal {
    fn from(needs: Needs) -> Refusal {
        Refusal { needs, reason: None }
    }
}
