//! A run: an engine and what watches it.

#[cfg(not(feature = "complete"))]
use super::Report;
use super::control::Control;
use super::engine::{Engine, Served};
#[cfg(feature = "complete")]
use super::tap::Over;
use super::{Progress, Setup};
use crate::units::Time;

/// An engine and what watches it.
pub(super) struct Run<E> {
    pub(super) engine: E,
    pub(super) control: Control,
    /// Once it is done and goes on with a tap.
    #[cfg(feature = "complete")]
    pub(super) over: Option<Box<Over>>,
}

impl<E: Engine> Run<E> {
    pub(super) fn new(setup: Setup) -> Run<E> {
        let control = Control::new(&setup);
        let statistics = control.statistics(&setup);
        Run {
            engine: E::new(setup, statistics),
            control,
            #[cfg(feature = "complete")]
            over: None,
        }
    }

    #[cfg(not(feature = "complete"))]
    pub(super) fn report(&self) -> Report {
        self.control.report(&self.engine)
    }

    /// Goes on for about `budget` events, but with nothing that comes at `until` or later; true once
    /// everything before that has been served and the run goes on.
    pub(super) fn advance(&mut self, budget: u64, until: u64) -> bool {
        let mut served = 0;
        while served <= budget && !self.control.is_done() {
            let boundary = self.control.boundary(self.engine.base());
            match self.engine.step(boundary.min(until)) {
                Served::Events(count) => served += count,
                Served::All if boundary <= until => {
                    self.control.cross(&mut self.engine);
                    served += 1;
                }
                Served::All => return true,
                Served::Last => self.control.stop(&mut self.engine),
            }
        }
        false
    }

    pub(super) fn progress(&self) -> Progress {
        let now = Time::ps(self.engine.base().now);
        match self.control.is_done() {
            true => Progress::Done,
            false => Progress::Running { now, share: self.control.share() },
        }
    }
}
