//! What the page asks its workers at every change, before anything is simulated.

use std::time::Duration;

use dragontree::scenario::{Job, Plan, Scenario};
use dragontree_worker::{Content, Foresight, Remark, Request};
use leptos::prelude::*;

use super::Store;
use crate::pool::Pool;
use crate::{browser, kept};

/// How long a change waits for the next one before it is acted on.
const PAUSE: Duration = Duration::from_millis(150);
/// How long the address waits; browsers refuse to write it more often.
const ADDRESS_PAUSE: Duration = Duration::from_millis(300);
/// The most workers of a full page, and of a figure that may be one of many.
const MOST_WORKERS: (usize, usize) = (6, 2);

impl Store {
    /// The handle to the workers; none of them is started before there is work.
    pub(super) fn open_pool(self) {
        let (full, embedded) = MOST_WORKERS;
        let most = if self.embedded() { embedded } else { full };
        let limit = browser::spare_cores().min(most);
        let is_large =
            move |request: &Request| self.plan.with_untracked(|plan| request.is_large(plan));
        let pool = Pool::new(limit, is_large, move |event| self.hear(event));
        self.pool.set_value(Some(pool));
    }

    pub(super) fn with_pool(self, act: impl FnOnce(&Pool)) {
        // A handle outside the store: what the pool says may reach back into it.
        if let Some(pool) = self.pool.get_value() {
            act(&pool);
        }
    }

    /// Acts on a change once no other follows.
    pub(super) fn changed(self) {
        // Answers about the study before are of no use any more.
        self.asked.set_value(self.next_generation());
        self.fitting.set_value(true);
        let seen = self.study.get_untracked();
        let same = move || self.study.with_untracked(|study| *study == seen);
        let act = same.clone();
        set_timeout(
            move || {
                if act() {
                    self.ask();
                }
            },
            PAUSE,
        );
        if self.embedded() {
            return;
        }
        set_timeout(
            move || {
                if same() {
                    let query = self.study.with_untracked(|study| study.query());
                    browser::write_address(&query, false);
                }
            },
            ADDRESS_PAUSE,
        );
    }

    /// The generation of the latest questions.
    pub fn question(self) -> u32 {
        self.asked.get_value()
    }

    /// Asks one more question of the same generation.
    pub fn ask_also(self, question: Request) {
        self.with_pool(|pool| pool.also(question));
    }

    /// Asks a question of the reader's, who waits for the answer.
    pub fn ask_first(self, question: Request) {
        self.with_pool(|pool| pool.first(question));
    }

    /// Takes one question back.
    pub fn leave(self, generation: u32) {
        self.with_pool(|pool| pool.leave(generation));
    }

    /// Gives a file to every worker, for studies that name it by its digest.
    pub fn hand(self, digest: u64, file: Content) {
        if self.handed.with_value(|handed| !handed.contains(&digest)) {
            self.handed.update_value(|handed| handed.push(digest));
            self.with_pool(|pool| pool.keep(Request::Keep { file }));
        }
    }

    /// Asks for what the study's figure needs, once the files that it names are fetched from where
    /// the browser keeps them; without them the workers say what is missing.
    pub(super) fn ask(self) {
        self.foresights.set(self.known_foresights());
        let named = self.plan.with_untracked(Plan::missing);
        let handed = self.handed.get_value();
        let missing: Vec<u64> =
            named.into_iter().filter(|digest| !handed.contains(digest)).collect();
        if missing.is_empty() {
            return self.ask_workers();
        }
        let generation = self.next_generation();
        self.asked.set_value(generation);
        browser::spawn(async move {
            for digest in missing {
                if let Some(file) = kept::fetch(digest).await {
                    self.keeps.set(true);
                    self.hand(digest, file);
                }
            }
            if self.asked.get_value() == generation {
                self.ask_workers();
            }
        });
    }

    /// Asks for the network in numbers, and for the bound of each curve that has no point yet.
    fn ask_workers(self) {
        let plan = self.plan.get_untracked();
        if plan.jobs.is_empty() {
            return;
        }
        let text = self.own_text();
        let generation = self.next_generation();
        let held = plan.jobs.first().is_some_and(Job::is_held);
        let survey = |fits| Request::Survey { generation, text: text.clone(), job: 0, fits };
        let mut questions = vec![survey(!held)];
        // The bound of a large network takes longest: what can be shown without it comes first.
        let is_default = |job: &Job| job.scenario().shares_network(&Scenario::default());
        let shipped =
            self.shipped.get_value().filter(|_| plan.jobs.first().is_some_and(is_default));
        if shipped.is_none() && !self.embedded() {
            questions.push(Request::Measure { generation, text: text.clone(), job: 0 });
        }
        self.numbers.set(shipped);
        let known = self.foresights.get_untracked();
        let curves = 0..plan.curves.len() as u32;
        let curves = curves.filter(|_| plan.jobs.iter().any(Job::simulates));
        let unknown = |curve: &u32| known.get(*curve as usize).is_none_or(Option::is_none);
        for curve in curves.filter(unknown) {
            let first = plan.jobs.iter().position(|job| job.curve == curve);
            questions.extend(first.map(|job| Request::Analyze {
                generation,
                text: text.clone(),
                job: job as u32,
            }));
        }
        questions.extend((held && self.fitting.get_value()).then(|| survey(true)));
        self.asked.set_value(generation);
        self.with_pool(|pool| pool.ask(questions));
    }

    /// Asks which parts fit the network, which takes a complete worker: from the moment when
    /// somebody is about to choose among them.
    pub fn ask_what_fits(self) {
        if !self.fitting.get_value() {
            self.fitting.set_value(true);
            let text = self.own_text();
            let generation = self.question();
            self.ask_also(Request::Survey { generation, text, job: 0, fits: true });
        }
    }

    /// What a part is or a setting does, where that is known already.
    pub fn explain(self, key: &str, part: &str, setting: &str) -> String {
        let said = |each: &&Remark| {
            [&each.key, &each.part, &each.setting].map(String::as_str) == [key, part, setting]
        };
        let find = |help: &Vec<Remark>| help.iter().find(said).map(|each| each.text.clone());
        self.help.with(find).unwrap_or_default()
    }

    /// What the finished runs say about their curves' bounds.
    pub(super) fn known_foresights(self) -> Vec<Option<Foresight>> {
        let plan = self.plan.get_untracked();
        let found = self.found.get_untracked();
        let mut known = vec![None; plan.curves.len()];
        for (job, kept) in plan.jobs.iter().zip(&found) {
            let slot = known.get_mut(job.curve as usize).filter(|slot| slot.is_none());
            if let (Some(slot), Some(kept)) = (slot, kept) {
                let metrics = kept.record.metrics.as_ref();
                *slot = metrics.map(|metrics| Foresight {
                    bound: metrics.bound,
                    busiest: metrics.busiest.clone(),
                    why: metrics.why.clone(),
                    zero_load_ns: metrics.latency_ns.zero_load,
                    hops_mean: metrics.hops_mean,
                });
            }
        }
        known
    }
}
