//! Finds the routes of all phases, a little at a time.

use std::sync::Arc;

use super::solved::{Solved, SolvedPhase};
use super::ways::{Kept, MessageRoutes};
use super::{Malformed, Shape, Solution, Solving, tree};
use crate::catalog::Problem;
use crate::network::Network;
use crate::routing::climb::Climb;
use crate::routing::{Demand, Pair, Routes, Search, Sent};

/// The most messages that routes are found for.
const MOST_MESSAGES: u64 = 1 << 24;

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
    /// The phase that is solved, and its messages.
    solving: Option<(Box<dyn Attempt>, Vec<Sent>)>,
    /// The next phase.
    phase: u32,
    phases: Vec<SolvedPhase>,
    /// For each source what its messages have come to.
    rows: Vec<Vec<Kept>>,
    /// Rows that are in order.
    sorted: usize,
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
                 {MOST_MESSAGES}"
            );
            return Err(vec![Problem::new("", "", allowed)]);
        }
        Ok(Finding {
            climb,
            shape,
            begin,
            demand: demand.clone(),
            solving: None,
            phase: 0,
            phases: Vec::new(),
            rows: vec![Vec::new(); network.endpoint_count() as usize],
            sorted: 0,
        })
    }

    /// A guess of the share of the work that is done.
    pub fn share(&self) -> f64 {
        let begun = self.solving.as_ref().map_or(0.0, |(solving, _)| solving.share() - 1.0);
        (f64::from(self.phase) + begun).max(0.0) / f64::from(self.demand.phases().max(1))
    }

    /// Goes on until about `budget` more messages have been looked at; the routes when all is done.
    pub fn advance(&mut self, budget: u64) -> Option<Routes> {
        let mut left = budget;
        while left > 0 {
            let (solving, sent) = match &mut self.solving {
                Some((solving, sent)) => (solving, sent),
                None if self.phase < self.demand.phases() => {
                    left = left.saturating_sub(self.begin());
                    continue;
                }
                None if self.sorted < self.rows.len() => {
                    left = left.saturating_sub(self.sort());
                    continue;
                }
                None => return Some(self.routes()),
            };
            // A part of the work, so that the budget is noticed between them.
            let part = left.min(64 * (sent.len() as u64 + 1));
            left -= part;
            if let Some(solution) = solving.advance(part) {
                let sent = std::mem::take(sent);
                self.solving = None;
                self.keep(&sent, solution);
            }
        }
        None
    }

    /// Begins with the next phase; what that costs.
    fn begin(&mut self) -> u64 {
        let sent = self.demand.sent(self.phase);
        self.phase += 1;
        if sent.is_empty() {
            return 16;
        }
        let messages = sent.iter().map(|sent| in_tree(&self.climb, sent.pair)).collect();
        // All endpoints of a whole tree are leaves of its shape.
        let phase = u64::from(self.phase) - 1;
        if let Ok(solving) = (self.begin)(&self.shape, messages, phase) {
            self.solving = Some((solving, sent));
        }
        16
    }

    fn keep(&mut self, sent: &[Sent], Solution { climbs, certificate }: Solution) {
        for (message, sent) in sent.iter().enumerate() {
            let code = self.shape.code(climbs.of(message));
            let Sent { label, pair, weight } = *sent;
            let (destination, label) = (pair.destination.0, label as u32);
            self.rows[pair.source.index()].push(Kept { destination, label, code, weight });
        }
        let messages = sent.len() as u32;
        self.phases.push(SolvedPhase { phase: self.phase - 1, messages, certificate });
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
        let solved = Solved {
            shape: self.shape.clone(),
            demand: self.demand.clone(),
            phases: std::mem::take(&mut self.phases),
        };
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
