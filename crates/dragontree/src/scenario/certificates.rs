//! How good a scenario's routes are for its messages, phase by phase.

use std::sync::Arc;

use serde::Serialize;

use super::Scenario;
use crate::analysis::{LevelRecount, climbs, recount};
use crate::catalog::Problem;
use crate::network::Network;
use crate::random::Stream;
use crate::routing::pattern_specific::{
    Certificate, Heading, LevelBound, LowerBound, Status, TreePlaces, cannot_be_less, summary,
};
use crate::routing::{Demand, Pair, Routes, Sent};

/// What is counted of routes on a tree, beside what there must be at least. Its JSON form is stable;
/// keys may be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Certificates {
    /// In a sentence.
    pub summary: String,
    /// How many phases have routes that cannot be better on any level without being worse on another.
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
    /// What that comes to on all levels: `optimal` if it is on each, `optimal by exhaustion` if it is
    /// that on some, else `gap`.
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
    /// `up` or `down`.
    pub direction: &'static str,
    /// The messages that take one of the links.
    pub messages: u32,
    /// The links.
    pub links: u32,
}

/// How many messages may be looked at in trying all ways: some milliseconds.
const WORK: u64 = 200_000;
/// Steps in the time in which a message is followed and counted.
const STEPS_PER_MESSAGE: u64 = 400;
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
        Some(Witness { subtree, direction, messages, links })
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
        let Some(sending) = self.sending(network)? else { return Ok(None) };
        let demand = self.at_once(sending.demand());
        Ok(Some(Certifying::new(network, &Arc::new(places), routes, &demand, None)))
    }
}

/// Counts what routes come to, a few phases at a time.
pub struct Certifying {
    network: Arc<Network>,
    places: Arc<TreePlaces>,
    routes: Arc<Routes>,
    demand: Arc<dyn Demand>,
    /// Seeds the draws of a way where a message has several.
    seed: Option<u64>,
    /// The phase that is next.
    next: u32,
    phases: Vec<PhaseCertificate>,
    is_drawn: bool,
    /// A message has several ways and none is drawn, or one that is not straight up and then down.
    is_lost: bool,
}

/// What is known of all phases.
pub(super) struct Judged {
    pub phases: Vec<PhaseCertificate>,
    /// Whether ways were drawn.
    pub is_drawn: bool,
}

impl Certifying {
    /// Begins with routes in a network with these places. Where a message has several ways, one is
    /// drawn if there is a seed.
    pub(super) fn new(
        network: &Arc<Network>,
        places: &Arc<TreePlaces>,
        routes: &Arc<Routes>,
        demand: &Arc<dyn Demand>,
        seed: Option<u64>,
    ) -> Certifying {
        Certifying {
            network: network.clone(),
            places: places.clone(),
            routes: routes.clone(),
            demand: demand.clone(),
            seed,
            next: 0,
            phases: Vec::new(),
            is_drawn: false,
            is_lost: false,
        }
    }

    /// The share of the phases that are judged.
    pub fn share(&self) -> f64 {
        f64::from(self.next) / f64::from(self.demand.phases().max(1))
    }

    /// Goes on for about `budget` steps of some ten nanoseconds each, at least by a phase; whether all
    /// is done.
    pub fn advance(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while !self.is_lost && self.next < self.demand.phases() {
            if left == 0 {
                return false;
            }
            let sent = self.demand.sent(self.next);
            left = left.saturating_sub(STEPS_PER_MESSAGE * (sent.len() as u64 + 1));
            if !sent.is_empty() {
                match self.certify(self.next, &sent) {
                    Some(certificate) => {
                        left = left.saturating_sub(certificate.tried());
                        self.phases.push(certificate);
                    }
                    None => self.is_lost = true,
                }
            }
            self.next += 1;
        }
        true
    }

    /// All of it: the phases, unless a message cannot be followed.
    pub(super) fn judged(mut self) -> Option<Judged> {
        self.advance(u64::MAX);
        let Certifying { phases, is_drawn, is_lost, .. } = self;
        (!is_lost).then_some(Judged { phases, is_drawn })
    }

    /// All of it; none where a message cannot be followed, or none goes anywhere.
    pub fn finish(self) -> Option<Certificates> {
        let demand = self.demand.clone();
        Certificates::new(demand.as_ref(), self.judged()?.phases)
    }

    fn certify(&mut self, phase: u32, sent: &[Sent]) -> Option<PhaseCertificate> {
        if let Some(certificate) = self.judge(phase, sent, None) {
            return Some(certificate);
        }
        self.is_drawn = true;
        let mut draw = Stream::new(self.seed?, "comparison", phase.into());
        self.judge(phase, sent, Some(&mut draw))
    }

    /// Follows the messages of a phase, each of whose ways is drawn where there are several and
    /// something to `draw` from. All that is taken over from what is known of solved routes is
    /// that all ways were tried; of few messages they are tried here, too.
    fn judge(
        &self,
        phase: u32,
        sent: &[Sent],
        draw: Option<&mut Stream>,
    ) -> Option<PhaseCertificate> {
        let solved = self.routes.oblivious().solved().map_or(&[][..], |solved| solved.phases());
        let place = solved.binary_search_by_key(&phase, |solved| solved.phase).ok();
        let solved: Option<&Certificate> = place.map(|place| &solved[place].certificate);
        let shape = self.places.shape();
        let messages: Option<Vec<Pair>> =
            sent.iter().map(|sent| self.places.leaves(sent.pair)).collect();
        let messages = messages?;
        let climbs = climbs(&self.network, &self.places, self.routes.oblivious(), sent, draw)?;
        let counted = recount(shape, &messages, &climbs).ok()?.levels;
        let known = LowerBound::new(shape, &messages).ok()?.levels;
        let most: Vec<u32> = counted.iter().map(|level| level.achieved).collect();
        let is_told = |level: usize| {
            let same = |solved: &&Certificate| {
                solved.levels.iter().map(|level| level.achieved).eq(most.iter().copied())
            };
            solved.filter(same).is_some_and(|solved| solved.levels[level].exhausted)
        };
        let tried = |level: usize| {
            is_told(level) || cannot_be_less(shape, &messages, &most, level, WORK).unwrap_or(false)
        };
        let row = |(level, (known, counted)): (usize, (&LevelBound, &LevelRecount))| LevelRow {
            level: level as u32,
            bound: counted.bound,
            achieved: counted.achieved,
            verdict: match counted.achieved == counted.bound {
                true => OPTIMAL,
                false if tried(level) => EXHAUSTED,
                false => GAP,
            },
            witness: Witness::of(known, &self.places).filter(|_| known.bound == counted.bound),
        };
        let levels: Vec<LevelRow> = known.iter().zip(&counted).enumerate().map(row).collect();
        let achieved = levels.iter().map(|level| level.achieved).max().unwrap_or(0);
        let least = levels.iter().map(|level| level.bound).max().unwrap_or(0);
        let proven = match solved.map(|solved| (solved.status, solved.achieved())) {
            Some((Status::OptimalByExhaustion, proven)) => proven.min(achieved),
            _ => 0,
        };
        let is = |verdict| levels.iter().any(|level| level.verdict == verdict);
        let verdict = [GAP, EXHAUSTED].into_iter().find(|verdict| is(*verdict)).unwrap_or(OPTIMAL);
        let (messages, bound) = (messages.len() as u32, least.max(proven));
        Some(PhaseCertificate { phase, messages, bound, achieved, verdict, levels })
    }
}

impl PhaseCertificate {
    /// By how much the most messages are above the bound, at the level where that is most of those
    /// that may not be optimal.
    fn over(&self) -> u32 {
        let open = self.levels.iter().filter(|level| level.verdict == GAP);
        open.map(|level| level.achieved - level.bound).max().unwrap_or(0)
    }

    /// How many messages may have been looked at in trying all ways.
    fn tried(&self) -> u64 {
        let open = self.levels.iter().filter(|level| level.verdict != OPTIMAL);
        WORK * open.count() as u64
    }

    /// Whether no level could be better without another's being worse.
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
