//! One attempt after the other, until the goal is reached or the work is used up.

use super::certificate::{Certificate, LevelCertificate, Status};
use super::exhaustion::Exhaustion;
use super::instance::{Instance, Score};
use super::layers::{Effort, Layers};
use super::walk::Walk;
use super::{Climbs, Goal, Malformed, Shape};
use crate::random::Stream;
use crate::routing::Pair;

mod trying;

use trying::{Aim, Tried};

/// How to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What to reach.
    pub goal: Goal,
    /// Seeds what is drawn at random.
    pub seed: u64,
    /// When to stop at the latest: how many messages may be looked at, each time that one is, at some
    /// twenty nanoseconds each. What has been begun is brought to an end.
    pub work: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { goal: Goal::PerArc, seed: 0, work: 100_000_000 }
    }
}

/// Routes, and what is known about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// How each message climbs.
    pub climbs: Climbs,
    /// How good that is.
    pub certificate: Certificate,
}

/// How hard is tried at most to reach a goal, after the first attempt.
const ATTEMPTS: u32 = 6;
/// How many attempts are as hard where endpoints have several links: with a layer more to choose in, it
/// tells more to begin anew than to try harder.
const AFRESH: u32 = 8;

/// Finds routes for messages, a little at a time.
pub struct Solving {
    instance: Instance,
    options: Options,
    stage: Stage,
    /// Attempts that have been made.
    attempts: u64,
    best: Option<(Score, Vec<u16>)>,
    /// What the most messages on one link cannot be below.
    proven: u32,
    /// For each level whether all ways were tried to have fewer messages on a link above it, or
    /// too many for the work.
    exhausted: Vec<Tried>,
    /// Whether the last walk or search through all ways found one.
    found: bool,
    /// The most messages on one link when the last walk began.
    walked: Option<u32>,
    work: u64,
}

enum Stage {
    /// An attempt at a goal, of which so many have been made before.
    Attempt {
        layers: Box<Layers>,
        goal: Goal,
        before: u32,
    },
    /// All ways to have fewer messages on links than were found.
    Exhaustion {
        search: Box<Exhaustion>,
        aim: Aim,
    },
    /// Messages are moved one at a time to have less on the worst link; so many attempts were made before.
    Walk {
        walk: Box<Walk>,
        before: u32,
    },
    /// What the pairs give, if repairs have led to more than that.
    Pairs {
        layers: Box<Layers>,
    },
    Over,
}

impl Solving {
    /// Begins.
    ///
    /// # Errors
    /// A message is from or to a leaf that is not there.
    pub fn new(shape: Shape, messages: Vec<Pair>, options: Options) -> Result<Solving, Malformed> {
        let instance = Instance::new(shape, messages)?;
        let proven = instance.bound();
        let exhausted = vec![Tried::Not; instance.levels()];
        let stage = Stage::Over;
        let mut solving = Solving {
            instance,
            options,
            stage,
            attempts: 0,
            best: None,
            proven,
            exhausted,
            found: false,
            walked: None,
            work: 0,
        };
        solving.stage = solving.attempt(solving.options.goal, 0);
        Ok(solving)
    }

    /// The share of the work that is done at least, of what may be done at most.
    pub fn share(&self) -> f64 {
        match self.stage {
            Stage::Over => 1.0,
            _ => (self.spent() as f64 / self.options.work.max(1) as f64).min(1.0),
        }
    }

    /// The whole of it at once.
    pub fn finish(mut self) -> Solution {
        loop {
            if let Some(solution) = self.advance(u64::MAX) {
                return solution;
            }
        }
    }

    /// Goes on until about `budget` more messages have been looked at, from one part of the work to
    /// the next; the solution when all is done.
    pub fn advance(&mut self, budget: u64) -> Option<Solution> {
        let end = self.spent().saturating_add(budget);
        loop {
            let is_over = match &mut self.stage {
                Stage::Attempt { layers, .. } | Stage::Pairs { layers } => {
                    layers.step(&self.instance)
                }
                Stage::Exhaustion { .. } | Stage::Walk { .. } => self.step(),
                Stage::Over => return Some(self.solution()),
            };
            if is_over {
                self.go_on();
            }
            if self.spent() >= end && !matches!(self.stage, Stage::Over) {
                return None;
            }
        }
    }

    /// Messages looked at so far.
    fn spent(&self) -> u64 {
        self.work
            + match &self.stage {
                Stage::Attempt { layers, .. } | Stage::Pairs { layers } => layers.visits(),
                Stage::Exhaustion { search, .. } => search.visits,
                Stage::Walk { walk, .. } => walk.visits,
                Stage::Over => 0,
            }
    }

    /// How many attempts are as hard as one another.
    fn alike(&self) -> u32 {
        if self.instance.shape.parents(1) > 1 { AFRESH } else { 1 }
    }

    fn attempt(&mut self, goal: Goal, before: u32) -> Stage {
        let harder = before / self.alike();
        let stream = Stream::new(self.options.seed, "pattern_specific", self.attempts);
        let weights = match goal {
            Goal::Maximum => [1, 0, 0],
            Goal::PerLevel => [4, 1, 0],
            Goal::PerArc => [16, 4, 1],
        };
        let effort = Effort {
            weights,
            rounds: 80 * (harder + 1),
            retries: 16 * (harder + 1),
            is_random: true,
        };
        self.attempts += 1;
        let layers = Box::new(Layers::new(&self.instance, effort, stream));
        Stage::Attempt { layers, goal, before }
    }

    /// Takes digits if they are better than what there is.
    fn keep(&mut self, digits: Vec<u16>) {
        let score = self.instance.score(&digits);
        if self.best.as_ref().is_none_or(|(best, _)| score < *best) {
            self.best = Some((score, digits));
        }
    }

    /// Whether a goal is reached, or as far as anybody could.
    fn reaches(&self, goal: Goal) -> bool {
        let Some((score, _)) = &self.best else { return false };
        match goal {
            Goal::Maximum => score.most <= self.proven,
            Goal::PerLevel => score.over_levels == 0,
            Goal::PerArc => score.over_arcs == 0,
        }
    }

    /// What comes after a stage that is over.
    fn go_on(&mut self) {
        self.work = self.spent();
        let stage = std::mem::replace(&mut self.stage, Stage::Over);
        let (goal, before) = match stage {
            Stage::Attempt { layers, goal, before } => {
                self.keep(layers.digits);
                // The first attempt is at everything at once.
                if self.attempts == 1 {
                    self.stage = self.early(Aim::Bounds);
                    return;
                }
                (goal, before + 1)
            }
            Stage::Exhaustion { aim: Aim::Bounds, .. } => {
                self.stage = self.early(Aim::Worst { early: true });
                return;
            }
            Stage::Exhaustion { aim: Aim::Worst { early: true }, .. } => {
                // Where less was found, still less may be.
                self.stage = match self.found {
                    true => self.early(Aim::Worst { early: true }),
                    false => self.before_repairs(),
                };
                return;
            }
            Stage::Walk { before, .. } => {
                self.stage = match self.found && before == 0 {
                    true => self.early(Aim::Worst { early: true }),
                    false => self.next(Goal::Maximum, before),
                };
                return;
            }
            Stage::Exhaustion { aim: Aim::Worst { early: false }, .. } => {
                (Goal::Maximum, self.alike() * ATTEMPTS)
            }
            Stage::Exhaustion { aim: Aim::Level(_), .. } => {
                self.stage = self.levels();
                return;
            }
            Stage::Pairs { layers } => {
                self.keep(layers.digits);
                self.stage = self.levels();
                return;
            }
            Stage::Over => return,
        };
        self.stage = self.next(goal, before);
    }

    fn next(&mut self, mut goal: Goal, mut before: u32) -> Stage {
        while self.work < self.options.work {
            if !self.reaches(goal) && before < self.alike() * ATTEMPTS {
                return self.attempt(goal, before);
            }
            if goal == Goal::Maximum && !self.reaches(goal) {
                if let Some(walk) = self.walk(before) {
                    return walk;
                }
                let aim = Aim::Worst { early: false };
                if let Some(search) = Exhaustion::new(&self.instance, &self.below_worst()) {
                    return Stage::Exhaustion { search: Box::new(search), aim };
                }
            }
            goal = match goal {
                _ if goal == self.options.goal => break,
                Goal::Maximum => Goal::PerLevel,
                Goal::PerLevel | Goal::PerArc => Goal::PerArc,
            };
            before = 0;
        }
        self.walk(self.alike() * ATTEMPTS).unwrap_or_else(|| self.pairs())
    }

    /// The routes that the pairs give, where these are needed to keep what is known of them.
    fn pairs(&mut self) -> Stage {
        let a_priori = self.instance.levels.iter().map(|level| level.a_priori).max().unwrap_or(0);
        match &self.best {
            Some((score, _)) if score.most > a_priori => {
                let effort = Effort { weights: [0; 3], rounds: 0, retries: 0, is_random: false };
                let stream = Stream::new(self.options.seed, "pattern_specific", 0);
                let layers = Box::new(Layers::new(&self.instance, effort, stream));
                Stage::Pairs { layers }
            }
            _ => self.levels(),
        }
    }

    fn solution(&self) -> Solution {
        let (instance, levels) = (&self.instance, self.instance.levels());
        let none = (instance.score(&[]), Vec::new());
        let (score, digits) = self.best.as_ref().unwrap_or(&none);
        let climb = |(digits, turn): (&[u16], &u8)| digits[..usize::from(*turn)].to_vec();
        let climbs: Vec<Vec<u16>> = digits.chunks(levels).zip(&instance.turns).map(climb).collect();
        let level = |((known, achieved), tried): ((&_, &u32), &Tried)| LevelCertificate {
            known: *known,
            achieved: *achieved,
            exhausted: *tried == Tried::All,
        };
        let achieved = instance.levels.iter().zip(&score.per_level);
        let status = if score.most == instance.bound() {
            Status::Optimal
        } else if score.most == self.proven {
            Status::OptimalByExhaustion
        } else {
            Status::Gap { bound: self.proven, achieved: score.most }
        };
        Solution {
            climbs: Climbs::new(&climbs),
            certificate: Certificate {
                levels: achieved.zip(&self.exhausted).map(level).collect(),
                arcs_used: instance.arcs_used(),
                arcs_over: score.over_arcs,
                status,
                seed: self.options.seed,
                work: self.work,
            },
        }
    }
}
