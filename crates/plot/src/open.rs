//! Why a value is not to be relied on.

use dragontree::scenario::{Metrics, Record};

/// Why a value is no steady state, or none that is known well enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// Less was accepted than offered.
    Saturated,
    /// The same, and what was accepted is not known to the precision asked for.
    SaturatedAndNotSettled,
    /// It is not known to the precision asked for.
    NotSettled,
    /// Packets wait for each other.
    Deadlock,
    /// An exchange did not come to an end.
    Incomplete,
}

impl Open {
    /// Why what these runs found together is open, if it is.
    pub fn of<'a>(mut runs: impl Iterator<Item = &'a Record> + Clone) -> Option<Open> {
        let broken = |run: &Record| {
            let exchange = run.exchange.as_ref().filter(|run| run.completion_ns.is_none())?;
            Some(if exchange.deadlock.is_some() { Open::Deadlock } else { Open::Incomplete })
        };
        let metrics = runs.clone().filter_map(|run| run.metrics.as_ref());
        let any = |finding: fn(&Metrics) -> bool| metrics.clone().any(finding);
        let traffic = if any(|run| run.deadlock.is_some()) {
            Open::Deadlock
        } else if any(|run| run.saturated && !run.settled) {
            Open::SaturatedAndNotSettled
        } else if any(|run| run.saturated) {
            Open::Saturated
        } else if any(|run| !run.settled) {
            Open::NotSettled
        } else {
            return runs.find_map(broken);
        };
        Some(traffic)
    }

    /// In words that follow a value.
    pub fn words(self) -> &'static str {
        match self {
            Open::Saturated => "saturated",
            Open::SaturatedAndNotSettled => "saturated, not settled",
            Open::NotSettled => "not settled",
            Open::Deadlock => "deadlock",
            Open::Incomplete => "incomplete",
        }
    }
}
