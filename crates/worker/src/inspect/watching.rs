//! A run that is watched: simulated once more, and filmed.

use dragontree::catalog::Problem;
use dragontree::network::Network;
use dragontree::scenario::{Experiment, Job, Running, Step};
use dragontree::simulation::{Film, Frame};

use super::{Finding, News, course};
use crate::fabric::Steps;

/// Events between two looks at the clock: about a millisecond.
const BUDGET: u64 = 10_000;

/// A run in progress, and its film so far.
pub struct Watching {
    running: Running,
    film: Film,
    /// Where its links are in the drawing.
    steps: Steps,
    step: Step,
}

impl Watching {
    /// Begins to watch a run on a network that is drawn with a block open.
    ///
    /// # Errors
    /// The run cannot be built, or nothing in it is simulated.
    pub fn start(
        job: &Job,
        earlier: Option<&Experiment>,
        drawn: &Network,
        open: Option<u32>,
    ) -> Result<Watching, Vec<Problem>> {
        Ok(Watching {
            running: job.start_simulating(earlier)?,
            film: Film::default(),
            steps: Steps::new(drawn, open),
            step: Step::Building(0.0),
        })
    }

    /// Goes on for about a millisecond; what was found out, at the end.
    ///
    /// # Errors
    /// There are no routes, or a pair that has traffic has none.
    pub fn advance(&mut self) -> Result<Option<Finding>, Vec<Problem>> {
        self.step = self.running.advance_filmed(&mut self.film, BUDGET)?;
        Ok((self.step == Step::Done).then(|| self.finding()))
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        match self.step {
            Step::Building(share) => share / 2.0,
            Step::Simulating(share) => 0.5 + share / 2.0,
            Step::Explaining | Step::Surveying(_) | Step::Done => 1.0,
        }
    }

    /// The run so far.
    pub fn news(&self) -> News {
        let Some(last) = self.film.frames().last() else { return News::default() };
        let mut picture = Vec::new();
        self.steps.add_picture(&last.busy, &mut picture);
        News { markup: self.markup(), picture, end_ns: last.end.as_ns() }
    }

    fn markup(&self) -> String {
        let course = self.running.course(&self.film).unwrap_or_default();
        let seen = course::Seen {
            course: &course,
            frames: self.film.frames(),
            is_over: self.step == Step::Done,
        };
        self.running.record(0.0).map_or(String::new(), |record| course::markup(&record, &seen))
    }

    fn finding(&self) -> Finding {
        let mut film = Vec::new();
        for Frame { busy, .. } in self.film.frames() {
            self.steps.add_picture(busy, &mut film);
        }
        let measured = self.running.utilization().unwrap_or_default();
        let mean: Vec<u8> = measured.iter().map(|share| (share * 255.0).round() as u8).collect();
        self.steps.add_picture(&mean, &mut film);
        Finding {
            markup: self.markup(),
            bundles: self.steps.bundles(),
            film,
            ends: self.film.frames().iter().map(|frame| frame.end.as_ns()).collect(),
            ..Finding::default()
        }
    }
}
