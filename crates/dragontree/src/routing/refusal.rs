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

impl From<Refusal> for Needs {
    fn from(refusal: Refusal) -> Needs {
        refusal.needs
    }
}

/// The whole reason, as the only problem.
impl From<Refusal> for Vec<Problem> {
    fn from(Refusal { needs, reason }: Refusal) -> Vec<Problem> {
        let text = match reason {
            Some(reason) => format!("{needs}: {reason}"),
            None => needs.to_string(),
        };
        vec![Problem::new("", "", text)]
    }
}

impl From<Needs> for Refusal {
    fn from(needs: Needs) -> Refusal {
        Refusal { needs, reason: None }
    }
}
