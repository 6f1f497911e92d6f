//! Tries all ways for few messages, and walks among them for more.

use super::super::Goal;
use super::super::exhaustion::{Exhaustion, Outcome};
use super::super::walk::Walk;
use super::{Solving, Stage};
use crate::random::Stream;

/// The part of the work that may go into trying all ways for one level, or before repairs begin.
const LEVEL_SHARE: u64 = 50;
/// The part that may go into a walk.
const WALK_SHARE: u64 = 20;
/// How many messages may be looked at, at most, in trying all ways before repairs begin: of few messages
/// that tells more than repairs do.
const EARLY: u64 = 1_000_000;

/// What came of trying all ways to have fewer messages on the links above a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    Not,
    All,
    TooMany,
}

/// What all ways are tried for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// That no link has more messages than counting asks for above its level.
    Bounds,
    /// One message less on the worst link; before repairs begin, or after.
    Worst { early: bool },
    /// One less on the links above a level, and nowhere more than now.
    Level(usize),
}

impl Solving {
    /// One message less than the worst link has, on every level.
    pub(super) fn below_worst(&self) -> Vec<u32> {
        let most = self.best.as_ref().map_or(0, |(score, _)| score.most);
        vec![most.saturating_sub(1); self.instance.levels()]
    }

    /// What is tried of few messages before repairs begin.
    pub(super) fn early(&mut self, aim: Aim) -> Stage {
        let (aim, is_open, targets) = match aim {
            Aim::Bounds if self.options.goal != Goal::Maximum => {
                let bounds = self.instance.levels.iter().map(|level| level.bound);
                (aim, !self.reaches(Goal::PerLevel), bounds.collect())
            }
            _ => (Aim::Worst { early: true }, !self.reaches(Goal::Maximum), self.below_worst()),
        };
        let search = Some(&self.instance).filter(|_| is_open);
        match search.and_then(|instance| Exhaustion::new(instance, &targets)) {
            Some(search) => Stage::Exhaustion { search: Box::new(search), aim },
            None => self.before_repairs(),
        }
    }

    /// A walk if the messages are few, and then repairs: of many these make more at once.
    pub(super) fn before_repairs(&mut self) -> Stage {
        match Exhaustion::takes(&self.instance) {
            true => self.walk(0).unwrap_or_else(|| self.next(Goal::Maximum, 0)),
            false => self.next(Goal::Maximum, 0),
        }
    }

    /// A walk to one message less on the worst link; none where nobody has less, or one has failed.
    pub(super) fn walk(&mut self, before: u32) -> Option<Stage> {
        let (score, digits) = self.best.as_ref()?;
        if self.reaches(Goal::Maximum) || self.walked == Some(score.most) {
            return None;
        }
        self.walked = Some(score.most);
        let stream = Stream::new(self.options.seed, "pattern_specific walk", u64::from(score.most));
        let walk = Walk::new(&self.instance, &self.below_worst(), digits, stream)?;
        Some(Stage::Walk { walk: Box::new(walk), before })
    }

    /// Goes on with what is no attempt; whether it is over.
    pub(super) fn step(&mut self) -> bool {
        let (work, is_spent) = (self.options.work, self.spent() > self.options.work);
        match &mut self.stage {
            Stage::Walk { walk, .. } => {
                self.found = walk.step();
                if self.found {
                    let digits = walk.digits(&self.instance);
                    self.keep(digits);
                    return true;
                }
                // Even if attempts have used the work up: it may find more than all of them.
                walk.visits > work / WALK_SHARE
            }
            Stage::Exhaustion { search, aim } => {
                let (aim, outcome) = (*aim, search.step(&self.instance));
                let part = work / LEVEL_SHARE;
                let most = match aim {
                    Aim::Bounds | Aim::Worst { early: true } => part.min(EARLY),
                    Aim::Level(_) => part,
                    Aim::Worst { early: false } => u64::MAX,
                };
                let is_enough = search.visits > most || is_spent;
                self.exhaust(aim, outcome, is_enough)
            }
            Stage::Attempt { .. } | Stage::Pairs { .. } | Stage::Over => true,
        }
    }

    /// All ways to have fewer messages above the next level that has more than counting asks for, and
    /// nowhere more than now.
    pub(super) fn levels(&mut self) -> Stage {
        let Some((score, _)) = &self.best else { return Stage::Over };
        if self.options.goal == Goal::Maximum || self.work >= self.options.work {
            return Stage::Over;
        }
        let bounds = self.instance.levels.iter().map(|level| level.bound);
        let over = score.per_level.iter().zip(bounds).map(|(achieved, bound)| *achieved > bound);
        let mut open = over.zip(&self.exhausted).map(|(over, tried)| over && *tried == Tried::Not);
        let Some(level) = open.position(|open| open) else { return Stage::Over };
        let mut targets = score.per_level.clone();
        targets[level] -= 1;
        match Exhaustion::new(&self.instance, &targets) {
            Some(search) => Stage::Exhaustion { search: Box::new(search), aim: Aim::Level(level) },
            None => Stage::Over,
        }
    }

    /// Takes what trying all ways has come to; whether that is all, or enough.
    pub(super) fn exhaust(&mut self, aim: Aim, outcome: Option<Outcome>, is_enough: bool) -> bool {
        self.found = matches!(outcome, Some(Outcome::Found(_)));
        match (outcome, aim) {
            (Some(Outcome::Found(digits)), _) => self.keep(digits),
            // Nobody finds less than what was found before. Routes that are found later have nowhere
            // more, so it holds of them, too.
            (Some(Outcome::Impossible), Aim::Level(level)) => self.exhausted[level] = Tried::All,
            (Some(Outcome::Impossible), Aim::Worst { .. }) => {
                self.proven = self.best.as_ref().map_or(0, |(score, _)| score.most);
            }
            (None, _) if !is_enough => return false,
            (None, Aim::Level(level)) => self.exhausted[level] = Tried::TooMany,
            (Some(Outcome::Impossible), Aim::Bounds) | (None, Aim::Bounds | Aim::Worst { .. }) => {}
        }
        true
    }
}
