//! What is known of routes that were made for messages.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Certificate, Shape};
use crate::routing::Demand;

/// Routes that were made for messages: for which, and how good they are.
pub struct Solved {
    pub(super) shape: Shape,
    pub(super) demand: Arc<dyn Demand>,
    pub(super) phases: Vec<SolvedPhase>,
}

/// A phase in which messages are sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolvedPhase {
    /// Its number.
    pub phase: u32,
    /// How many messages it has.
    pub messages: u32,
    /// How good its routes are.
    pub certificate: Certificate,
}

impl Solved {
    /// The shape of the tree.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The messages.
    pub fn demand(&self) -> &Arc<dyn Demand> {
        &self.demand
    }

    /// The phases in which messages are sent, in order.
    pub fn phases(&self) -> &[SolvedPhase] {
        &self.phases
    }

    /// The most messages of one phase on one link.
    pub fn achieved(&self) -> u32 {
        self.phases.iter().map(|phase| phase.certificate.achieved()).max().unwrap_or(0)
    }

    /// How many phases nobody could route better above any level without doing worse above another.
    pub fn optimal(&self) -> usize {
        self.phases.iter().filter(|phase| phase.certificate.is_optimal()).count()
    }

    /// What the certificates come to, in a sentence.
    pub fn summary(&self) -> String {
        let over = self.phases.iter().map(|phase| phase.certificate.over()).max().unwrap_or(0);
        summary(self.demand.as_ref(), self.phases.len(), self.optimal(), self.achieved(), over)
    }
}

/// What is known of `all` phases of messages, `optimal` of which could not be better, of the most
/// messages of one on a link, and of the most by which one is above the bound of a level.
pub fn summary(demand: &dyn Demand, all: usize, optimal: usize, most: u32, over: u32) -> String {
    let only = match demand.is_together() {
        true => "The exchange, all phases at once, is",
        false => "The only phase is",
    };
    match all {
        0 => "No message goes from endpoint to endpoint.".to_owned(),
        1 if optimal == 1 => format!("{only} optimal: contention {most}."),
        1 => format!("{only} up to {over} above the bound of a level: contention {most}."),
        _ if optimal == all => format!("All {all} phases optimal: contention {most}."),
        _ => format!(
            "{optimal} of {all} phases optimal, the others up to {over} above the bound of a level: \
             contention {most}."
        ),
    }
}
