//! Starting and stopping.

use dragontree::scenario::{Detail, Job, Scenario};
use dragontree::units::Time;
use dragontree_worker::Request;
use leptos::prelude::*;

use super::{Notice, Store};
use crate::browser;
use crate::shelf;

/// A study with more endpoints to simulate, over all its runs, is estimated before it starts, as is
/// one of exchanges or in which packets are under way for longer.
const MODEST: u64 = 300_000;
const LONGEST: Time = Time::us(1);

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

    /// Hears how far one of its simulations is.
    pub(super) fn tell(&mut self, job: u32, share: f64) {
        self.shares.retain(|(other, _)| *other != job);
        self.shares.push((job, share));
    }

    /// One of its simulations has ended; which one is not always known.
    pub(super) fn end(&mut self, job: Option<u32>) {
        self.shares.retain(|(other, _)| Some(*other) != job);
        self.ended += 1;
    }
}

impl Store {
    /// Runs what is missing, or everything again when nothing is; a large study only if it fits and,
    /// from a link, with consent.
    pub fn start(self) {
        if self.run.with_untracked(|run| run.active) {
            return;
        }
        match self.is_doubtful() {
            true => {
                // As a run of its own, which a change or a click takes back.
                let generation = self.begin(1);
                let estimate = Request::Estimate { generation, text: self.own_text() };
                self.with_pool(|pool| pool.estimate(estimate));
            }
            false => self.start_anyway(),
        }
    }

    /// The same for another page, which need not consent, and in place of a run that goes on; what does not
    /// fit is refused all the same.
    pub fn start_unasked(self) {
        self.by_link.set_value(false);
        self.cancel();
        self.start();
    }

    /// Starts a study of which it is known what it takes, asks first, or refuses.
    pub(super) fn estimated(self, fits: bool, text: String) {
        if text.is_empty() || fits && !self.by_link.get_value() {
            return self.start_anyway();
        }
        self.cancel();
        let notice = if fits { Notice::Large(text) } else { Notice::Lasting(text) };
        self.notice.set(Some(notice));
    }

    /// Begins a run that consists of so many tasks; returns its generation.
    fn begin(self, jobs: usize) -> u32 {
        let generation = self.next_generation();
        let began = js_sys::Date::now();
        self.run.set(Run { generation, active: true, jobs, began, ..Run::default() });
        generation
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
        let generation = self.begin(wanted.len());
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
        let text = self.own_text();
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

    /// The text by which workers know the study.
    pub(super) fn own_text(self) -> String {
        self.study.with_untracked(|study| crate::edit::unsigned(study).text(Detail::Least))
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

    /// Whether it has to be looked at how much a study takes: not where all its runs are on the network
    /// whose size is known, which is small, and have nothing by which one could be long.
    fn is_doubtful(self) -> bool {
        let Some(survey) = self.survey.get_untracked() else { return true };
        let endpoints = u64::from(survey.size.endpoints);
        let usual = Scenario::default();
        let is_long = |job: &Job| {
            let own = job.scenario();
            own.exchanges()
                || own.warmup.or(own.window).is_some()
                || (own.switch, &own.switching) != (usual.switch, &usual.switching)
                || own.packet < usual.packet
                || own.switch_latency.max(own.adapter_latency) > LONGEST
                || own.links() != usual.links()
        };
        let is_unknown = |job: &Job| !survey.of.shares_network(job.scenario());
        self.plan.with_untracked(|plan| {
            let runs = &plan.jobs;
            let is_large = runs.len() as u64 * endpoints > MODEST;
            is_large || runs.iter().any(|job| is_unknown(job) || is_long(job))
        })
    }

    /// A number that no earlier request had.
    pub fn next_generation(self) -> u32 {
        self.generation.update_value(|generation| *generation += 1);
        self.generation.get_value()
    }
}
