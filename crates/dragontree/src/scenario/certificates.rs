//! How good a scenario's routes are for its messages, phase by phase.

use std::sync::Arc;

use serde::Serialize;

use super::Scenario;
use crate::analysis::{LevelRecount, climbs, recount};
use crate::catalog::Problem;
use crate::network::{Network, Structure, Tree};
use crate::random::Stream;
use crate::routing::pattern_specific::{
    Heading, LevelBound, LowerBound, Shape, SolvedPhase, Status, summary,
};
use crate::routing::{Demand, Pair, Routes, Sent};

/// What is counted of routes on a tree, beside what there must be at least. Its JSON form is stable;
/// keys may be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Certificates {
    /// In a sentence.
    pub summary: String,
    /// How many phases have routes that cannot be better.
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
    /// What that comes to: `optimal`, `optimal by exhaustion` or `gap`.
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
    /// The arc (all links between a subtree and the level above, in one direction) by which that is
    /// known.
    pub witness: Option<Witness>,
}

/// Links that messages must take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// The subtree, of those below the switches of the level.
    pub subtree: u32,
    /// `up` or `down`.
    pub direction: &'static str,
    /// The messages that take one of the links.
    pub messages: u32,
    /// The links.
    pub links: u32,
}

impl Witness {
    fn of(known: &LevelBound) -> Option<Witness> {
        let arc = known.witness?;
        let direction = match arc.heading {
            Heading::Up => "up",
            Heading::Down => "down",
        };
        let LevelBound { messages, links, .. } = *known;
        Some(Witness { subtree: arc.subtree, direction, messages, links })
    }
}

impl Scenario {
    /// How good routes in a network, both this scenario's, are for its messages; none where there is
    /// no fixed traffic or exchange, where the network does not say which XGFT it is, or where a
    /// message has several ways.
    ///
    /// # Errors
    /// Every problem with exchange, traffic and placement.
    pub fn certificates(
        &self,
        network: &Arc<Network>,
        routes: &Routes,
    ) -> Result<Option<Certificates>, Vec<Problem>> {
        let Structure::Tree(tree) = network.structure() else { return Ok(None) };
        let Ok(shape) = Shape::of(tree) else { return Ok(None) };
        let Some(sending) = self.sending(network)? else { return Ok(None) };
        let demand = self.at_once(sending.demand());
        let solved = routes.oblivious().solved().map_or(&[][..], |solved| solved.phases());
        let judge = Judge { network, tree, shape: &shape, routes };
        let mut phases = Vec::new();
        for phase in 0..demand.phases() {
            let sent = demand.sent(phase);
            if sent.is_empty() {
                continue;
            }
            let place = solved.binary_search_by_key(&phase, |solved| solved.phase).ok();
            match judge.judge(phase, &sent, place.map(|place| &solved[place]), None) {
                Some(certificate) => phases.push(certificate),
                None => return Ok(None),
            }
        }
        Ok(Certificates::new(demand.as_ref(), phases))
    }
}

/// Counts what routes come to.
pub(super) struct Judge<'a> {
    pub network: &'a Network,
    pub tree: &'a Tree,
    pub shape: &'a Shape,
    pub routes: &'a Routes,
}

impl Judge<'_> {
    /// Follows the messages of a phase, each of whose ways is drawn where there are several and
    /// something to `draw` from.
    pub fn judge(
        &self,
        phase: u32,
        sent: &[Sent],
        solved: Option<&SolvedPhase>,
        draw: Option<&mut Stream>,
    ) -> Option<PhaseCertificate> {
        let messages: Vec<Pair> = sent.iter().map(|sent| sent.pair).collect();
        let climbs = climbs(self.network, self.tree, self.routes.oblivious(), sent, draw)?;
        let counted = recount(self.shape, &messages, &climbs).ok()?;
        let known = LowerBound::new(self.shape, &messages).ok()?;
        let row = |(level, (known, counted)): (u32, (&LevelBound, &LevelRecount))| LevelRow {
            level,
            bound: known.bound,
            achieved: counted.achieved,
            witness: Witness::of(known),
        };
        let levels = (0..).zip(known.levels.iter().zip(&counted.levels)).map(row);
        let levels: Vec<LevelRow> = levels.collect();
        let achieved = levels.iter().map(|level| level.achieved).max().unwrap_or(0);
        let least = levels.iter().map(|level| level.bound).max().unwrap_or(0);
        let (bound, verdict) = match solved.map(|solved| solved.certificate.status) {
            _ if achieved == least => (least, "optimal"),
            Some(Status::OptimalByExhaustion) => (achieved, "optimal by exhaustion"),
            Some(Status::Gap { bound, .. }) => (bound, "gap"),
            Some(Status::Optimal) | None => (least, "gap"),
        };
        let messages = messages.len() as u32;
        Some(PhaseCertificate { phase, messages, bound, achieved, verdict, levels })
    }
}

impl Certificates {
    /// None where no message goes anywhere.
    fn new(demand: &dyn Demand, phases: Vec<PhaseCertificate>) -> Option<Certificates> {
        let over = |phase: &PhaseCertificate| phase.achieved - phase.bound;
        let worst = phases.iter().rev().max_by_key(|phase| (over(phase), phase.achieved));
        let worst_phase = worst?.phase;
        let optimal = phases.iter().filter(|phase| phase.verdict != "gap").count();
        let most = phases.iter().map(|phase| phase.achieved).max().unwrap_or(0);
        let most_over = phases.iter().map(over).max().unwrap_or(0);
        let summary = summary(demand, phases.len(), optimal, most, most_over);
        let (at_once, optimal) = (demand.is_together(), optimal as u32);
        Some(Certificates { summary, optimal, at_once, worst_phase, phases })
    }
}
