//! Finds the routes of all phases, a little at a time.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::share::{Share, SharedPhase};
use super::solved::{Solved, SolvedPhase};
use super::ways::{Kept, MessageRoutes};
use super::{Malformed, Shape, Solution, Solving, tree};
use crate::catalog::Problem;
use crate::network::Network;
use crate::routing::climb::Climb;
use crate::routing::{Demand, Pair, Routes, Search, Sent};

/// The most messages that routes are found for.
const MOST_MESSAGES: u64 = 1 << 24;

/// About how many messages at most somebody else gets at once: their routes are some megabytes.
const MOST_SHARED: u64 = 1 << 19;

/// Finds the routes of one phase, a little at a time.
pub(in crate::routing) trait Attempt {
    /// Goes on until about `budget` more messages have been looked at; the routes when all is done.
    fn advance(&mut self, budget: u64) -> Option<Solution>;

    /// A guess of the share of the work that is done.
    fn share(&self) -> f64;
}

impl Attempt for Solving {
    fn advance(&mut self, budget: u64) -> Option<Solution> {
        Solving::advance(self, budget)
    }

    fn share(&self) -> f64 {
        Solving::share(self)
    }
}

/// Begins with the messages of a phase, which has this number.
pub(in crate::routing) type Begin =
    Box<dyn Fn(&Shape, Vec<Pair>, u64) -> Result<Box<dyn Attempt>, Malformed>>;

/// The search for routes.
pub(in crate::routing) struct Finding {
    climb: Climb,
    shape: Shape,
    begin: Begin,
    demand: Arc<dyn Demand>,
    /// The phases that are left to do.
    left: VecDeque<Range<u32>>,
    /// The phases that others have been given, and not yet brought back.
    away: Vec<Range<u32>>,
    solving: Option<Current>,
    phases: Vec<SolvedPhase>,
    /// How many phases are done.
    done: u32,
    /// For each source what its messages have come to.
    rows: Vec<Vec<Kept>>,
    /// Rows that are in order.
    sorted: usize,
}

/// The phase that is solved, and its messages.
struct Current {
    phase: u32,
    sent: Vec<Sent>,
    attempt: Box<dyn Attempt>,
}

impl Finding {
    /// The search for the routes of a part of this name.
    pub fn search(
        part: &'static str,
        network: &Arc<Network>,
        demand: &Arc<dyn Demand>,
        begin: Begin,
    ) -> Search {
        match Finding::new(part, network, demand, begin) {
            Ok(finding) => Search::solving(finding),
            Err(problems) => Search::over(Err(problems)),
        }
    }

    /// Begins.
    ///
    /// # Errors
    /// The network is no whole tree, or there are too many messages.
    fn new(
        part: &'static str,
        network: &Arc<Network>,
        demand: &Arc<dyn Demand>,
        begin: Begin,
    ) -> Result<Finding, Vec<Problem>> {
        let (climb, shape) = tree(part, network)?;
        let messages = demand.messages();
        if messages > MOST_MESSAGES {
            let allowed = format!(
                "its routes are kept message by message, and there are {messages}; allowed: up to \
                 {MOST_MESSAGES}{}",
                if demand.phases() > 1 { ", as a single phase has (phase=)" } else { "" }
            );
            return Err(vec![Problem::new("", "", allowed)]);
        }
        Ok(Finding {
            climb,
            shape,
            begin,
            demand: demand.clone(),
            left: std::iter::once(0..demand.phases()).collect(),
            away: Vec::new(),
            solving: None,
            phases: Vec::new(),
            done: 0,
            rows: vec![Vec::new(); network.endpoint_count() as usize],
            sorted: 0,
        })
    }

    /// A guess of the share of the work that is done.
    pub fn share(&self) -> f64 {
        let begun = self.solving.as_ref().map_or(0.0, |current| current.attempt.share());
        (f64::from(self.done) + begun) / f64::from(self.demand.phases().max(1))
    }

    /// Goes on until about `budget` more messages have been looked at; the routes when all is done.
    pub fn advance(&mut self, mut budget: u64) -> Option<Routes> {
        if !self.solve(&mut budget) {
            return None;
        }
        while budget > 0 && self.sorted < self.rows.len() {
            budget = budget.saturating_sub(self.sort());
        }
        (self.sorted == self.rows.len()).then(|| self.routes())
    }

    /// Goes on with phases; whether all are solved, here and elsewhere.
    pub fn solve(&mut self, budget: &mut u64) -> bool {
        while *budget > 0 {
            if self.solving.is_none() && !self.begin(budget) {
                return self.away.is_empty();
            }
            if let Some((sent, solved)) = self.solve_one(budget) {
                self.keep(&sent, solved);
            }
        }
        false
    }

    /// How many messages there are, at most.
    pub fn messages(&self) -> u64 {
        self.demand.messages()
    }

    /// Phases that somebody else is to solve: of those that are left one in so many, the last ones;
    /// none where too few are left.
    pub fn give(&mut self, one_in: u32) -> Option<Range<u32>> {
        let left: u32 = self.left.iter().map(|range| range.end - range.start).sum();
        let per_phase = self.demand.messages() / u64::from(self.demand.phases().max(1));
        let most = (MOST_SHARED / per_phase.max(1)).clamp(1, u64::from(u32::MAX)) as u32;
        let last = self.left.back_mut()?;
        let given = (left / one_in.max(1)).min(last.end - last.start).min(most);
        if given == 0 {
            return None;
        }
        let range = last.end - given..last.end;
        last.end = range.start;
        self.away.push(range.clone());
        Some(range)
    }

    /// Takes what somebody else has solved; if it is not what was given, that is solved here.
    pub fn take(&mut self, share: Share) {
        let Share { given, phases } = share;
        let Some(place) = self.away.iter().position(|away| *away == given) else { return };
        let sent: Vec<Vec<Sent>> =
            phases.iter().map(|solved| self.demand.sent(solved.phase.phase)).collect();
        let is_whole = sent.iter().zip(&phases).all(|(sent, solved)| {
            sent.len() == solved.codes.len() && given.contains(&solved.phase.phase)
        });
        if !is_whole {
            return self.take_back(&given);
        }
        self.away.swap_remove(place);
        let solved = phases.len() as u32;
        phases.into_iter().zip(sent).for_each(|(solved, sent)| self.keep(&sent, solved));
        self.done += given.end - given.start - solved;
    }

    /// Takes phases back unsolved.
    pub fn take_back(&mut self, given: &Range<u32>) {
        if let Some(place) = self.away.iter().position(|away| away == given) {
            self.left.push_back(self.away.swap_remove(place));
        }
    }

    /// Whether there is nothing to do until somebody else has solved what was given.
    pub fn is_waiting(&self) -> bool {
        self.solving.is_none() && self.left.is_empty() && !self.away.is_empty()
    }

    /// The routes of some phases, for [`take`](Self::take).
    pub fn share_of(mut self, given: Range<u32>) -> Share {
        self.left = std::iter::once(given.clone()).collect();
        let (mut phases, mut budget) = (Vec::new(), u64::MAX);
        while self.begin(&mut budget) {
            while self.solving.is_some() {
                budget = u64::MAX;
                phases.extend(self.solve_one(&mut budget).map(|(_, solved)| solved));
            }
        }
        Share { given, phases }
    }

    /// Begins with the next phase, unless none is left.
    fn begin(&mut self, budget: &mut u64) -> bool {
        let Some(range) = self.left.front_mut() else { return false };
        let Some(phase) = range.next() else {
            self.left.pop_front();
            return true;
        };
        let sent = self.demand.sent(phase);
        *budget = budget.saturating_sub(16);
        if sent.is_empty() {
            self.done += 1;
            return true;
        }
        let messages = sent.iter().map(|sent| in_tree(&self.climb, sent.pair)).collect();
        // All endpoints of a whole tree are leaves of its shape.
        match (self.begin)(&self.shape, messages, u64::from(phase)) {
            Ok(attempt) => self.solving = Some(Current { phase, sent, attempt }),
            Err(_) => self.done += 1,
        }
        true
    }

    /// Goes on with a phase; its messages and routes when they are found.
    fn solve_one(&mut self, budget: &mut u64) -> Option<(Vec<Sent>, SharedPhase)> {
        let current = self.solving.as_mut()?;
        // A part of the work, so that the budget is noticed between them.
        let part = (*budget).min(64 * (current.sent.len() as u64 + 1));
        *budget -= part;
        let Solution { climbs, certificate } = current.attempt.advance(part)?;
        let Current { phase, sent, .. } = self.solving.take()?;
        let ports = self.shape.parents(1);
        // Nothing tells the ports of an endpoint apart but their order: phases that overlap because
        // ranks do not wait for one another rather take them in turn.
        let code = |message| {
            let code = self.shape.code(climbs.of(message));
            let port = code % ports;
            code - port + (port + phase % ports) % ports
        };
        let codes = (0..sent.len()).map(code).collect();
        let phase = SolvedPhase { phase, messages: sent.len() as u32, certificate };
        Some((sent, SharedPhase { phase, codes }))
    }

    fn keep(&mut self, sent: &[Sent], SharedPhase { phase, codes }: SharedPhase) {
        for (sent, code) in sent.iter().zip(codes) {
            let Sent { label, pair, weight } = *sent;
            let (destination, label) = (pair.destination.0, label as u32);
            self.rows[pair.source.index()].push(Kept { destination, label, code, weight });
        }
        self.phases.push(phase);
        self.done += 1;
    }

    /// Brings the next row in order; what that costs.
    fn sort(&mut self) -> u64 {
        let row = &mut self.rows[self.sorted];
        let cost = row.len() as u64;
        row.sort_unstable_by_key(|kept| (kept.destination, kept.label));
        *row = merged(row);
        self.sorted += 1;
        cost
    }

    fn routes(&mut self) -> Routes {
        let mut phases = std::mem::take(&mut self.phases);
        phases.sort_unstable_by_key(|solved| solved.phase);
        let solved = Solved { shape: self.shape.clone(), demand: self.demand.clone(), phases };
        let rows = std::mem::take(&mut self.rows);
        let climb = self.climb.clone();
        Routes::Oblivious(Box::new(MessageRoutes::new(climb, rows, solved)))
    }
}

/// A pair of endpoints as leaves of the tree.
pub(super) fn in_tree(climb: &Climb, pair: Pair) -> Pair {
    let [source, destination] =
        [pair.source, pair.destination].map(|end| climb.slot(end).unwrap_or(end));
    Pair { source, destination }
}

/// Once what all messages of a pair have in common.
fn merged(row: &[Kept]) -> Vec<Kept> {
    let pairs = row.chunk_by(|one, other| one.destination == other.destination);
    let mut merged = Vec::with_capacity(row.len());
    for pair in pairs {
        match pair.iter().all(|kept| kept.code == pair[0].code) {
            true => merged.push(pair[0]),
            false => merged.extend_from_slice(pair),
        }
    }
    merged.shrink_to_fit();
    merged
}
