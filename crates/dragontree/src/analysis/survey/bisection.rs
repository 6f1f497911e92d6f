//! The smallest cut that leaves half of the endpoints on each side.
//!
//! Finding the smallest is hard in general, so this searches: multilevel bisection (Karypis and
//! Kumar 1998) from many starts, with Fiduccia-Mattheyses refinement. **The cut found is an upper
//! bound of the bisection**; it proves what the network cannot carry, not what it can.
//!
//! Whole switches change sides, with their endpoints. Where that leaves the sides unequal, by no
//! more than the most endpoints of one switch, single endpoints are moved to make up for it, and
//! the link of each of them counts as cut.

use level::Level;
use refine::{Goal, Refiner, Score};

use super::graph::Graph;
use crate::network::Network;
use crate::random::Stream;

mod capacity;
mod level;
mod orders;
mod refine;

pub(super) use capacity::Cut;

/// Rounds of the search, and the work after which no further one begins.
const MOST_ROUNDS: u32 = 400;
const MOST_WORK: u64 = 300_000_000;
/// Rounds that are made whatever they cost, besides those along the structure.
const LEAST_ROUNDS: u32 = 2;
/// A graph with so few vertices is cut without making it coarser.
const COARSEST: u32 = 60;
/// Starts on the coarsest graph.
const STARTS: u32 = 8;

/// The search for a cut.
pub(super) struct Bisector {
    finest: Level,
    refiner: Refiner,
    /// Cuts along the structure that have not been tried yet.
    given: Vec<Vec<bool>>,
    best: Option<(Score, Vec<bool>)>,
    round: Option<Round>,
    rounds: u32,
    work: u64,
    stream: Stream,
}

/// One way from the finest graph to the coarsest and back.
struct Round {
    /// Coarser and coarser graphs, and into which vertex of each those of the finer one went.
    coarser: Vec<(Level, Vec<u32>)>,
    way: Way,
}

enum Way {
    /// To the coarsest, keeping the sides of a cut apart where there is one.
    Down(Option<Vec<bool>>),
    /// Back, with the sides of the graph in hand.
    Up(Vec<bool>),
}

impl Bisector {
    pub(super) fn new(network: &Network, graph: &Graph) -> Bisector {
        let (finest, endpoint_capacity) = capacity::level(network, graph);
        let goal = Goal {
            endpoints: graph.endpoint_count(),
            allowed: u64::from(finest.heaviest()),
            endpoint_capacity,
        };
        let orders = orders::orders(network);
        let given = orders.into_iter().map(|order| first_half(&finest, goal, &order)).collect();
        Bisector {
            finest,
            refiner: Refiner::new(goal),
            given,
            best: None,
            round: None,
            rounds: 0,
            work: 0,
            stream: Stream::new(0, "bisection", 0),
        }
    }

    /// Goes on with the search; the work done, or none when all is done.
    pub(super) fn step(&mut self) -> Option<u64> {
        let round = match self.round.take() {
            Some(round) => round,
            None => self.begin()?,
        };
        let (next, work) = match round.way {
            Way::Down(guide) => self.coarsen(round.coarser, guide),
            Way::Up(sides) => self.refine(round.coarser, sides),
        };
        self.round = next;
        self.work += work;
        Some(work)
    }

    /// The sides of the vertices in the best cut so far.
    pub(super) fn sides(&self) -> Option<&[bool]> {
        self.best.as_ref().map(|(_, sides)| &sides[..])
    }

    /// The next round: cuts along the structure, then in turn new ones and changes of the best.
    fn begin(&mut self) -> Option<Round> {
        let nothing_left = self.best.as_ref().is_some_and(|(score, _)| *score <= Score::BEST);
        let long = self.work >= MOST_WORK && self.rounds >= LEAST_ROUNDS;
        if self.given.is_empty() && (self.rounds >= MOST_ROUNDS || long || nothing_left) {
            return None;
        }
        let guide = match self.given.pop() {
            Some(given) => Some(given),
            None => {
                self.rounds += 1;
                match (self.rounds % 2, &self.best) {
                    (0, Some((_, sides))) => Some(self.perturbed(sides.clone())),
                    _ => None,
                }
            }
        };
        Some(Round { coarser: Vec::new(), way: Way::Down(guide) })
    }

    /// One step towards coarser graphs, or the turn back.
    fn coarsen(
        &mut self,
        mut coarser: Vec<(Level, Vec<u32>)>,
        guide: Option<Vec<bool>>,
    ) -> (Option<Round>, u64) {
        let level = coarser.last().map_or(&self.finest, |(level, _)| level);
        let work = level.arc_count() + u64::from(level.vertex_count());
        if level.vertex_count() > COARSEST {
            let most = (self.refiner.goal().endpoints / 16) as u32;
            let most = most.max(self.finest.heaviest());
            let (coarse, into) = level.coarsen(guide.as_deref(), most, &mut self.stream);
            // Where hardly anything can be merged the way ends early.
            if coarse.vertex_count() < level.vertex_count() / 10 * 9 {
                let guide = guide.map(|sides| {
                    let mut coarse_sides = vec![false; coarse.vertex_count() as usize];
                    for (to, side) in into.iter().zip(sides) {
                        coarse_sides[*to as usize] = side;
                    }
                    coarse_sides
                });
                coarser.push((coarse, into));
                return (Some(Round { coarser, way: Way::Down(guide) }), 3 * work);
            }
        }
        let (sides, more) = match guide {
            Some(sides) => (sides, 0),
            None => start(level, &mut self.refiner, &mut self.stream),
        };
        (Some(Round { coarser, way: Way::Up(sides) }), work + more)
    }

    /// One pass over the graph in hand, or the step to the finer one.
    fn refine(
        &mut self,
        mut coarser: Vec<(Level, Vec<u32>)>,
        mut sides: Vec<bool>,
    ) -> (Option<Round>, u64) {
        let level = coarser.last().map_or(&self.finest, |(level, _)| level);
        let (work, improved) = self.refiner.pass(level, &mut sides, &mut self.stream);
        if improved {
            return (Some(Round { coarser, way: Way::Up(sides) }), work);
        }
        if let Some((_, into)) = coarser.pop() {
            let finer = into.iter().map(|to| sides[*to as usize]).collect();
            return (Some(Round { coarser, way: Way::Up(finer) }), work);
        }
        let score = self.refiner.score(&self.finest, &sides);
        if self.best.as_ref().is_none_or(|(best, _)| score <= *best) {
            self.best = Some((score, sides));
        }
        (None, work)
    }

    /// A cut with some of its vertices on the other side.
    fn perturbed(&mut self, mut sides: Vec<bool>) -> Vec<bool> {
        let count = self.finest.vertex_count();
        for _ in 0..1 + self.stream.below(count / 8 + 1) {
            sides[self.stream.below(count) as usize] ^= true;
        }
        sides
    }
}

/// The best of some cuts that grow from one vertex, and the work done.
fn start(level: &Level, refiner: &mut Refiner, stream: &mut Stream) -> (Vec<bool>, u64) {
    let mut best: Option<(Score, Vec<bool>)> = None;
    let mut work = 0;
    for _ in 0..STARTS {
        let mut sides = vec![true; level.vertex_count() as usize];
        if let Some(side) = sides.get_mut(stream.below(level.vertex_count()) as usize) {
            *side = false;
        }
        loop {
            let (steps, improved) = refiner.pass(level, &mut sides, stream);
            work += steps;
            if !improved {
                break;
            }
        }
        let score = refiner.score(level, &sides);
        if best.as_ref().is_none_or(|(known, _)| score < *known) {
            best = Some((score, sides));
        }
    }
    (best.map_or_else(Vec::new, |(_, sides)| sides), work)
}

/// The sides when the vertices change over in this order until half of the endpoints have.
fn first_half(level: &Level, goal: Goal, order: &[u32]) -> Vec<bool> {
    let mut sides = vec![true; level.vertex_count() as usize];
    let mut left = goal.endpoints / 2;
    for vertex in order {
        let weight = u64::from(level.weight(*vertex));
        if weight > left {
            break;
        }
        left -= weight;
        sides[*vertex as usize] = false;
    }
    sides
}
