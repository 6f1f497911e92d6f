//! Starting and stopping.

use dragontree::scenario::Detail;
use dragontree_worker::Request;
use leptos::prelude::*;

use super::{Notice, Store};
use crate::browser;
use crate::shelf;

/// A study from a link with more endpoints to simulate, over all its runs, waits for consent.
const MODEST: u64 = 500_000;

/// How long a button that has just changed its meaning ignores clicks, in milliseconds.
const DOUBLE_CLICK: f64 = 400.0;

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Tells its replies from those of earlier runs.
    pub generation: u32,
    /// Whether it goes on.
    pub active: bool,
    /// How many simulations it consists of.
    pub jobs: usize,
    /// How many have ended, one way or another.
    pub ended: usize,
    /// When it began, in milliseconds.
    pub began: f64,
    /// How far those in hand are.
    pub shares: Vec<(u32, f64)>,
}

impl Run {
    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.jobs == 0 {
            return 0.0;
        }
        let begun: f64 = self.shares.iter().map(|(_, share)| share).sum();
        ((self.ended as f64 + begun) / self.jobs as f64).min(1.0)
    }
}

impl Store {
    /// Runs what is missing, or everything again when nothing is; a large study from a link only
    /// with consent.
    pub fn start(self) {
        if self.run.with_untracked(|run| run.active) {
            return;
        }
        match self.too_large() {
            Some(question) => self.notice.set(Some(Notice::Large(question))),
            None => self.start_anyway(),
        }
    }

    /// Runs without asking back.
    pub fn start_anyway(self) {
        self.cancel();
        self.by_link.set_value(false);
        self.notice.set(None);
        self.refusals.set(Vec::new());
        let verify = self.study.with_untracked(|study| study.digest.is_some());
        let wanted = self.found.with_untracked(|found| shelf::wanted(found, verify));
        if wanted.is_empty() {
            return;
        }
        let keys = self.keys.get_untracked();
        self.shelf.update(|shelf| {
            let stale = wanted.iter().filter_map(|job| keys.get(*job as usize));
            stale.for_each(|key| shelf.forget(key));
        });
        let generation = self.next_generation();
        self.run.set(Run {
            generation,
            active: true,
            jobs: wanted.len(),
            began: js_sys::Date::now(),
            ..Run::default()
        });
        self.step_address();
        self.send(generation, &wanted);
    }

    /// Makes the study a step of the history; the way back leads to the one before, as it was.
    fn step_address(self) {
        if self.embedded() {
            return;
        }
        let query = self.study.with_untracked(|study| study.query());
        let before = self.settled.get_value();
        if before != query {
            browser::write_address(&before, false);
            browser::write_address(&query, true);
            self.settled.set_value(query);
        }
    }

    /// Gives the runs to the workers, low points of all curves first.
    fn send(self, generation: u32, wanted: &[u32]) {
        let text =
            self.study.with_untracked(|study| crate::edit::unsigned(study).text(Detail::Least));
        let plan = self.plan.get_untracked();
        let points = plan.jobs.iter().map(|job| job.point + 1).max().unwrap_or(0);
        let mut requests = Vec::new();
        for point in 0..points {
            for job in wanted.iter().copied() {
                let known = plan.jobs.get(job as usize).filter(|known| known.point == point);
                let run = Request::Run { generation, text: text.clone(), job };
                requests.extend(known.map(|known| (run, known.curve)));
            }
        }
        self.with_pool(|pool| pool.run(requests));
    }

    /// Starts, or stops what goes on, for a button that does both.
    pub fn toggle(self) {
        let run = self.run.get_untracked();
        match run.active {
            // A click meant to start may arrive just after the study has started by itself.
            true if js_sys::Date::now() - run.began < DOUBLE_CLICK => {}
            true => self.cancel(),
            false => self.start(),
        }
    }

    /// Stops the run in progress; what is finished stays.
    pub fn cancel(self) {
        if self.run.with_untracked(|run| run.active) {
            self.run.update(|run| run.active = false);
            self.with_pool(crate::pool::Pool::cancel);
        }
    }

    /// Asks back, where a study from a stranger would keep the machine busy for long.
    fn too_large(self) -> Option<String> {
        if !self.by_link.get_value() {
            return None;
        }
        let jobs = self.plan.with_untracked(|plan| plan.jobs.len());
        let endpoints = self.survey.get_untracked()?.size.endpoints;
        let work = jobs as u64 * u64::from(endpoints);
        (work > MODEST).then(|| {
            format!(
                "This link asks for {} runs on a network of {} endpoints, which can keep this \
                 machine busy for a while.",
                crate::words::grouped(jobs as u64),
                crate::words::grouped(endpoints)
            )
        })
    }

    /// A number that no earlier request had.
    pub fn next_generation(self) -> u32 {
        self.generation.update_value(|generation| *generation += 1);
        self.generation.get_value()
    }
}
