//! How good a scenario's routes are for its messages, phase by phase.

use std::sync::Arc;

use serde::Serialize;

use super::Scenario;
use crate::catalog::Problem;
use crate::network::{EndpointId, Network, Node};
use crate::routing::pattern_specific::{Heading, LevelBound, TreePlaces, summary};
use crate::routing::{Demand, Routes};

mod certifying;
mod making;

pub use certifying::Certifying;
pub(super) use certifying::Judged;
pub(super) use making::Making;

/// What is counted of routes on a tree, beside what there must be at least. Its JSON form is stable;
/// keys may be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Certificates {
    /// In a sentence.
    pub summary: String,
    /// How many phases have routes that cannot be better on the worst link, nor on any level without
    /// being worse on another.
    pub optimal: u32,
    /// Whether the messages of all phases are taken for one.
    pub at_once: bool,
    /// The number of the phase that is worst.
    pub worst_phase: u32,
    /// Each phase in which messages go from endpoint to endpoint.
    pub phases: Vec<PhaseCertificate>,
}

/// How good the routes of a phase are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseCertificate {
    /// Its number.
    pub phase: u32,
    /// How many messages it has.
    pub messages: u32,
    /// The most messages on one link cannot be fewer than this.
    pub bound: u32,
    /// The most messages on one link, counted by following all of them.
    pub achieved: u32,
    /// What that comes to, on the worst link and on all levels: `optimal` if it is on each, `optimal by
    /// exhaustion` if all ways were tried for some, else `gap`.
    pub verdict: &'static str,
    /// For each level, from the endpoints' links up, what is counted there.
    pub levels: Vec<LevelRow>,
}

/// The links above a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LevelRow {
    /// From 0, the endpoints.
    pub level: u32,
    /// Some link carries at least so many messages.
    pub bound: u32,
    /// The most messages on one link.
    pub achieved: u32,
    /// What that comes to: `optimal` if it is the bound, `optimal by exhaustion` if all ways were tried
    /// and none has fewer here without more on another level, else `gap`.
    pub verdict: &'static str,
    /// The arc (all links between a subtree and the level above, in one direction) by which that is
    /// known.
    pub witness: Option<Witness>,
}

/// Links that messages must take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// The subtree, of those below the switches of the level; of level 0 the endpoint.
    pub subtree: u32,
    /// What the network calls the endpoint, or the first of the switches at the subtree's top, where it
    /// came with names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `up` or `down`.
    pub direction: &'static str,
    /// The messages that take one of the links.
    pub messages: u32,
    /// The links.
    pub links: u32,
}

/// How many messages may be looked at in trying all ways: some milliseconds.
const WORK: u64 = 200_000;
/// What routes come to.
const OPTIMAL: &str = "optimal";
const EXHAUSTED: &str = "optimal by exhaustion";
const GAP: &str = "gap";

impl Witness {
    fn of(known: &LevelBound, places: &TreePlaces) -> Option<Witness> {
        let arc = known.witness?;
        let direction = match arc.heading {
            Heading::Up => "up",
            Heading::Down => "down",
        };
        let LevelBound { messages, links, .. } = *known;
        let subtree = match arc.level {
            0 => places.endpoint(arc.subtree)?.0,
            _ => arc.subtree,
        };
        let network = places.network();
        let is_named = network.labels().is_some_and(|labels| !labels.names.is_empty());
        let node = || match arc.level {
            0 => Some(Node::Endpoint(EndpointId(subtree))),
            level => places.top(level as u32, subtree).map(Node::Switch),
        };
        let name = if is_named { node().map(|node| network.name(node)) } else { None };
        Some(Witness { subtree, name, direction, messages, links })
    }

    /// The place of the links in words: which endpoint, or which subtree of a level.
    pub fn place(&self, level: u32) -> String {
        match (level, &self.name) {
            (0, Some(name)) => name.clone(),
            (0, None) => format!("endpoint {}", self.subtree),
            (level, Some(name)) => format!("the subtree of {name} (level {level})"),
            (level, None) => format!("subtree {} of level {level}", self.subtree),
        }
    }
}

impl Scenario {
    /// How good routes in a network, both this scenario's, are for its messages; none where there is
    /// no fixed traffic or exchange, where the network neither says which XGFT it is nor is found to be
    /// one, or where a message has several ways.
    ///
    /// # Errors
    /// Every problem with exchange, traffic and placement.
    pub fn certificates(
        &self,
        network: &Arc<Network>,
        routes: &Arc<Routes>,
    ) -> Result<Option<Certificates>, Vec<Problem>> {
        Ok(self.certifying(network, routes)?.and_then(Certifying::finish))
    }

    /// Begins to find that out.
    ///
    /// # Errors
    /// As [`certificates`](Self::certificates).
    pub fn certifying(
        &self,
        network: &Arc<Network>,
        routes: &Arc<Routes>,
    ) -> Result<Option<Certifying>, Vec<Problem>> {
        let Some(places) = TreePlaces::of(network) else { return Ok(None) };
        let Some(sending) = self.sending_along(network, Some(routes))? else { return Ok(None) };
        let demand = self.at_once(sending.demand());
        Ok(Some(Certifying::new(network, &Arc::new(places), routes, &demand, None)))
    }
}

impl PhaseCertificate {
    /// By how much the most messages are above the bound: on the worst link, or at the level where
    /// that is most of those that may not be optimal.
    fn over(&self) -> u32 {
        let open = self.levels.iter().filter(|level| level.verdict == GAP);
        let of_level = open.map(|level| level.achieved - level.bound).max().unwrap_or(0);
        of_level.max(self.achieved - self.bound)
    }

    /// How many messages may have been looked at in trying all ways.
    fn tried(&self) -> u64 {
        let open = self.levels.iter().filter(|level| level.verdict != OPTIMAL).count() as u64;
        WORK * (open + u64::from(open > 0))
    }

    /// Whether the worst link could not be better, nor a level without another's being worse.
    pub(super) fn is_optimal(&self) -> bool {
        self.verdict != GAP
    }
}

impl Certificates {
    /// None where no message goes anywhere.
    fn new(demand: &dyn Demand, phases: Vec<PhaseCertificate>) -> Option<Certificates> {
        let worst = phases.iter().rev().max_by_key(|phase| (phase.over(), phase.achieved));
        let worst_phase = worst?.phase;
        let optimal = phases.iter().filter(|phase| phase.is_optimal()).count();
        let most = phases.iter().map(|phase| phase.achieved).max().unwrap_or(0);
        let most_over = phases.iter().map(PhaseCertificate::over).max().unwrap_or(0);
        let summary = summary(demand, phases.len(), optimal, most, most_over);
        let (at_once, optimal) = (demand.is_together(), optimal as u32);
        Some(Certificates { summary, optimal, at_once, worst_phase, phases })
    }
}
