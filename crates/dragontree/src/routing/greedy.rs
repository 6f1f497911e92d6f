//! Greedy routes for known messages on a tree: what a careful programmer does without solving
//! anything, to compare [`pattern_specific`] with.
//!
//! The messages of a phase are taken in random order. Each gets, of all ways up to the nearest common
//! ancestors of its ends, the one whose busiest link carries least so far; of equally good ones that
//! with the smallest sum of squares of its links' messages, then the first. None is moved again. (The
//! heuristic of Prisacari 2020, §3.5.2, is not defined there.)

use std::sync::Arc;

#[cfg(feature = "complete")]
use super::Pair;
#[cfg(feature = "complete")]
use super::pattern_specific::{
    Attempt, Certificate, Climbs, Finding, LevelCertificate, LowerBound, Malformed, Shape,
    Solution, Status,
};
use super::{Algorithm, AtOnce, Demand, Routes, Search, pattern_specific};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Needs, Network};
#[cfg(feature = "complete")]
use crate::random::Stream;

/// Greedy routes for the messages of an exchange, or of fixed traffic: who sends to whom is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Greedy {
    /// Seeds the order of the messages.
    pub seed: u64,
    /// Which messages share the links.
    pub at_once: AtOnce,
}

impl Settings for Greedy {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::number(
                "seed",
                "Order seed",
                "Seed of the order in which messages get their ways; runs with other seeds keep it.",
                &mut self.seed,
                0..=u64::MAX,
            )
            .advanced(),
        );
        form.setting(self.at_once.setting());
    }
}

impl Part for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }
    fn label(&self) -> &'static str {
        "Greedy"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "On a tree, each message of an exchange, or of fixed traffic, has the way whose links \
             carry least of what was routed before it; the order is random.",
        )
    }
}

impl Algorithm for Greedy {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        self.fits(network)?;
        Err(Needs { part: self.name(), structure: "messages", found: "none that are known" })
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        Err(vec![pattern_specific::needs_messages(self, network)])
    }

    fn needs_messages(&self) -> bool {
        true
    }

    fn at_once(&self) -> AtOnce {
        self.at_once
    }

    #[cfg(feature = "complete")]
    fn begin_for(&self, network: &Arc<Network>, demand: &Arc<dyn Demand>, _seed: u64) -> Search {
        let seed = self.seed;
        let begin = move |shape: &Shape, messages, phase| -> Result<Box<dyn Attempt>, Malformed> {
            Ok(Box::new(Assigning::new(shape, messages, Stream::new(seed, "greedy", phase))?))
        };
        Finding::search(self.name(), network, demand, Box::new(begin))
    }

    #[cfg(not(feature = "complete"))]
    fn begin_for(&self, network: &Arc<Network>, _demand: &Arc<dyn Demand>, seed: u64) -> Search {
        self.begin(network, seed)
    }

    #[cfg(feature = "complete")]
    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        Ok(pattern_specific::tree(self.name(), network).map(drop)?)
    }
}

/// Gives the messages of a phase their ways, one after the other.
#[cfg(feature = "complete")]
pub struct Assigning {
    shape: Shape,
    messages: Vec<Pair>,
    bound: LowerBound,
    /// The messages in the order in which they are routed, and how many have been.
    order: Vec<u32>,
    routed: usize,
    /// For each level and direction, up first, the messages on each link: that of a subtree by the
    /// digits that lead to it is number `subtree·W_1⋯W_{l+1}` plus these digits.
    loads: Vec<[Vec<u32>; 2]>,
    climbs: Vec<Vec<u16>>,
    work: u64,
}

/// What a way, or the beginning of one, costs: the messages on its busiest link, and the sum of the
/// squares of those on all.
#[cfg(feature = "complete")]
type Cost = (u32, u64);

#[cfg(feature = "complete")]
impl Assigning {
    /// Begins.
    ///
    /// # Errors
    /// A message's end is no leaf of the tree.
    pub fn new(
        shape: &Shape,
        messages: Vec<Pair>,
        mut stream: Stream,
    ) -> Result<Assigning, Malformed> {
        let bound = LowerBound::new(shape, &messages)?;
        let mut order: Vec<u32> = (0..messages.len() as u32).collect();
        stream.shuffle(&mut order);
        let links = |level| vec![0; (shape.subtrees(level) * shape.links(level)) as usize];
        Ok(Assigning {
            loads: (0..shape.levels()).map(|level| [links(level), links(level)]).collect(),
            climbs: vec![Vec::new(); messages.len()],
            shape: shape.clone(),
            messages,
            bound,
            order,
            routed: 0,
            work: 0,
        })
    }

    /// All at once.
    pub fn finish(mut self) -> Solution {
        loop {
            if let Some(solution) = self.advance(u64::MAX) {
                return solution;
            }
        }
    }

    /// Goes on until about `budget` more ways have been looked at; the routes when all is done.
    pub fn advance(&mut self, budget: u64) -> Option<Solution> {
        let end = self.work.saturating_add(budget);
        while let Some(message) = self.order.get(self.routed).copied() {
            if self.work >= end {
                return None;
            }
            self.routed += 1;
            self.route(message as usize);
        }
        Some(self.solution())
    }

    /// The messages in the order in which they get their ways.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Gives the next message its way.
    fn route(&mut self, message: usize) {
        let pair = self.messages[message];
        let turn = self.shape.turn(pair);
        let mut search = Way { best: None, digits: Vec::with_capacity(turn) };
        self.try_all(pair, turn, 0, (0, 0), &mut search);
        let climb = search.best.map_or_else(Vec::new, |(_, digits)| digits);
        let mut code = 0;
        for (level, digit) in climb.iter().enumerate() {
            code += u32::from(*digit) * self.shape.spread(level);
            let links = self.links(pair, level, code);
            links.into_iter().zip(&mut self.loads[level]).for_each(|(link, on)| on[link] += 1);
        }
        self.climbs[message] = climb;
    }

    /// The two links of a pair above a level, up and down, by the digits that lead to them.
    fn links(&self, pair: Pair, level: usize, code: u32) -> [usize; 2] {
        [pair.source, pair.destination].map(|end| {
            let subtree = self.shape.subtree(level, end.0);
            (subtree * self.shape.links(level) + code) as usize
        })
    }

    /// Tries all ways that begin with certain digits, of this number and cost, unless they cannot be
    /// better than what is known.
    fn try_all(&mut self, pair: Pair, turn: usize, code: u32, cost: Cost, search: &mut Way) {
        self.work += 1;
        if search.best.as_ref().is_some_and(|(best, _)| cost >= *best) {
            return;
        }
        let level = search.digits.len();
        if level == turn {
            search.best = Some((cost, search.digits.clone()));
            return;
        }
        for digit in 0..self.shape.parents(level + 1) {
            let on = code + digit * self.shape.spread(level);
            let links = self.links(pair, level, on);
            let loads = [0, 1].map(|side: usize| self.loads[level][side][links[side]]);
            let squares = loads.map(|load| u64::from(load).pow(2)).iter().sum::<u64>();
            let cost = (cost.0.max(loads[0]).max(loads[1]), cost.1 + squares);
            search.digits.push(digit as u16);
            self.try_all(pair, turn, on, cost, search);
            search.digits.pop();
        }
    }

    /// The routes, with what they come to.
    fn solution(&mut self) -> Solution {
        let most = |level: usize| {
            let loads = self.loads[level].iter().flatten();
            loads.copied().max().unwrap_or(0)
        };
        let known = self.bound.levels.iter().enumerate();
        let levels: Vec<LevelCertificate> = known
            .map(|(level, known)| LevelCertificate {
                known: *known,
                achieved: most(level),
                exhausted: false,
            })
            .collect();
        let bound = levels.iter().map(|level| level.known.bound).max().unwrap_or(0);
        let achieved = levels.iter().map(|level| level.achieved).max().unwrap_or(0);
        let (arcs_used, arcs_over) = self.arcs();
        Solution {
            climbs: Climbs::new(&self.climbs),
            certificate: Certificate {
                levels,
                arcs_used,
                arcs_over,
                status: match achieved == bound {
                    true => Status::Optimal,
                    false => Status::Gap { bound, achieved },
                },
                seed: 0,
                work: self.work,
            },
        }
    }

    /// How many arcs are used, and how many have a link with more than an even spread's messages.
    fn arcs(&self) -> (u32, u32) {
        let (mut used, mut over) = (0, 0);
        for (level, loads) in self.loads.iter().enumerate() {
            let links = self.shape.links(level);
            for arc in loads.iter().flat_map(|side| side.chunks(links as usize)) {
                let all: u32 = arc.iter().sum();
                let most = arc.iter().copied().max().unwrap_or(0);
                used += u32::from(all > 0);
                over += u32::from(most > all.div_ceil(links));
            }
        }
        (used, over)
    }
}

/// The search for a message's way.
#[cfg(feature = "complete")]
struct Way {
    /// The best way so far, as its digits.
    best: Option<(Cost, Vec<u16>)>,
    /// Those of the way that is looked at.
    digits: Vec<u16>,
}

#[cfg(feature = "complete")]
impl Attempt for Assigning {
    fn advance(&mut self, budget: u64) -> Option<Solution> {
        Assigning::advance(self, budget)
    }

    fn share(&self) -> f64 {
        self.routed as f64 / self.order.len().max(1) as f64
    }
}
