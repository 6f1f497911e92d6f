//! Finding routes, a little at a time.

#[cfg(feature = "complete")]
use std::ops::Range;

#[cfg(feature = "complete")]
use super::pattern_specific::{self, Share};
use super::tables::Unlayered;
use super::{AnyRoutes, Routes, dfsssp, lash};
use crate::catalog::Problem;

/// Routes that are being found.
pub struct Search(Stage);

enum Stage {
    /// There is nothing to do, or no more.
    Over(Option<Result<AnyRoutes, Vec<Problem>>>),
    /// Routes in virtual layers, of which so many are allowed.
    #[cfg(feature = "complete")]
    Layered { work: Work, allowed: u32 },
    /// Routes for messages.
    #[cfg(feature = "complete")]
    Solving(Box<pattern_specific::Finding>),
}

/// Steps in the time in which a message is looked at for its route.
#[cfg(feature = "complete")]
const STEPS_PER_MESSAGE: u64 = 2;

/// What takes long enough to be cut in slices.
pub(super) enum Work {
    Lash(Box<lash::Finding>),
    Dfsssp(Box<dfsssp::Finding>),
}

impl Work {
    fn advance(&mut self, budget: u64) -> Option<Result<Routes, Unlayered>> {
        match self {
            Work::Lash(finding) => finding.advance(budget),
            Work::Dfsssp(finding) => finding.advance(budget),
        }
    }

    #[cfg(feature = "complete")]
    fn share(&self) -> f64 {
        match self {
            Work::Lash(finding) => finding.share(),
            Work::Dfsssp(finding) => finding.share(),
        }
    }

    /// The whole of it at once.
    pub fn finish(mut self) -> Result<Routes, Unlayered> {
        loop {
            if let Some(found) = self.advance(u64::MAX) {
                return found;
            }
        }
    }
}

impl Search {
    /// One that is over already.
    pub(super) fn over(found: Result<AnyRoutes, Vec<Problem>>) -> Search {
        Search(Stage::Over(Some(found)))
    }

    /// One for routes in virtual layers, of which so many are allowed.
    pub(super) fn layered(work: Result<Work, Unlayered>, allowed: u32) -> Search {
        #[cfg(feature = "complete")]
        let found: Result<Routes, _> = match work {
            Ok(work) => return Search(Stage::Layered { work, allowed }),
            Err(unlayered) => Err(unlayered),
        };
        // Other builds do not hold these routings.
        #[cfg(not(feature = "complete"))]
        let found = work.and_then(Work::finish);
        let found = found.map(AnyRoutes::from);
        Search::over(found.map_err(|unlayered| vec![unlayered.problem(allowed)]))
    }

    /// One for routes of messages.
    #[cfg(feature = "complete")]
    pub(super) fn solving(finding: pattern_specific::Finding) -> Search {
        Search(Stage::Solving(Box::new(finding)))
    }

    /// A guess of the share of the work that is done.
    pub fn share(&self) -> f64 {
        match &self.0 {
            Stage::Over(_) => 1.0,
            #[cfg(feature = "complete")]
            Stage::Layered { work, .. } => work.share(),
            #[cfg(feature = "complete")]
            Stage::Solving(finding) => finding.share(),
        }
    }

    /// Goes on for about `budget` steps of some ten nanoseconds each; once, when all is done, the
    /// routes.
    ///
    /// # Errors
    /// Every problem with the network, with the settings on this network, and with the files that
    /// they name.
    #[cfg_attr(not(feature = "complete"), expect(unused_variables, reason = "nothing goes on"))]
    pub fn advance(&mut self, budget: u64) -> Option<Result<AnyRoutes, Vec<Problem>>> {
        match &mut self.0 {
            Stage::Over(found) => found.take(),
            #[cfg(feature = "complete")]
            Stage::Layered { work, allowed } => {
                let found = work.advance(budget)?;
                let found = found.map_err(|unlayered| vec![unlayered.problem(*allowed)]);
                self.0 = Stage::Over(None);
                Some(found.map(AnyRoutes::from))
            }
            #[cfg(feature = "complete")]
            Stage::Solving(finding) => {
                let found = finding.advance(budget / STEPS_PER_MESSAGE)?;
                self.0 = Stage::Over(None);
                Some(Ok(AnyRoutes::from(found)))
            }
        }
    }

    /// The whole of it at once.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn finish(mut self) -> Result<AnyRoutes, Vec<Problem>> {
        loop {
            if let Some(found) = self.advance(u64::MAX) {
                return found;
            }
        }
    }
}

/// Routes of messages can be found for several phases at the same time.
#[cfg(feature = "complete")]
impl Search {
    fn finding(&mut self) -> Option<&mut pattern_specific::Finding> {
        match &mut self.0 {
            Stage::Solving(finding) => Some(finding),
            _ => None,
        }
    }

    /// How many messages routes are found for; none where they are for pairs.
    pub fn messages(&mut self) -> Option<u64> {
        self.finding().map(|finding| finding.messages())
    }

    /// Phases that somebody else is to solve: of those that are left one in so many, the last ones.
    pub fn give(&mut self, one_in: u32) -> Option<Range<u32>> {
        self.finding()?.give(one_in)
    }

    /// Goes on with phases for about `budget` steps of some ten nanoseconds each; whether all are
    /// solved, here and elsewhere.
    pub fn solve(&mut self, budget: u64) -> bool {
        self.finding().is_none_or(|finding| finding.solve(&mut (budget / STEPS_PER_MESSAGE)))
    }

    /// Takes what somebody else has solved.
    pub fn take(&mut self, share: Share) {
        if let Some(finding) = self.finding() {
            finding.take(share);
        }
    }

    /// Takes phases back that nobody else has solved.
    pub fn take_back(&mut self, given: &Range<u32>) {
        if let Some(finding) = self.finding() {
            finding.take_back(given);
        }
    }

    /// Whether there is nothing to do until somebody else has solved what was given.
    pub fn is_waiting(&mut self) -> bool {
        self.finding().is_some_and(|finding| finding.is_waiting())
    }

    /// The routes of some phases only.
    pub fn share_of(self, phases: Range<u32>) -> Option<Share> {
        match self.0 {
            Stage::Solving(finding) => Some(finding.share_of(phases)),
            _ => None,
        }
    }
}
