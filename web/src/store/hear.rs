//! What the workers say.

use std::sync::Arc;

use dragontree::catalog::Problem;
use dragontree::scenario::{Job, KEYS, Plan, Scenario};
use dragontree_worker::{Foresight, Refusal, Reply};
use leptos::prelude::*;

use super::{Notice, Run, Store, Survey};
use crate::address::Start;
use crate::edit;
use crate::fabric::View;
use crate::pool::Event;

impl Store {
    pub(super) fn hear(self, event: Event) {
        match event {
            Event::Reply(reply) => self.hear_reply(reply),
            Event::Lost { generation, message } => {
                self.end_job(generation, None);
                self.with_desk(|desk| desk.lose(generation));
                let is_run = self.run.with_untracked(|run| run.generation == generation);
                let what = match (self.is_writing(generation), is_run) {
                    (true, _) => {
                        self.end_file(generation);
                        "Writing a file"
                    }
                    (false, true) => "A simulation",
                    (false, false) => "A calculation",
                };
                let text = format!("{what} failed twice and is left out: {message}");
                self.notice.set(Some(Notice::Lasting(text)));
            }
            Event::Stale => self.fail(Notice::Reload),
            Event::Unavailable { message } => self
                .fail(Notice::Lasting(format!("The simulator could not be started: {message}."))),
        }
    }

    fn fail(self, notice: Notice) {
        self.run.update(|run| run.active = false);
        self.writing.set(Run::default());
        self.notice.set(Some(notice));
    }

    fn hear_reply(self, reply: Reply) {
        let reply = self.hear_routes(reply).and_then(|reply| self.hear_file(reply));
        let Some(reply) = reply else { return };
        let running = self.run.with_untracked(|run| run.active.then_some(run.generation));
        let asked = Some(self.asked.get_value());
        match reply {
            Reply::Progress { generation, job, share } if Some(generation) == running => {
                self.run.update(|run| run.tell(job, share));
            }
            Reply::Done { generation, job, record, busy } if Some(generation) == running => {
                let key = self.keys.with_untracked(|keys| keys.get(job as usize).cloned());
                if let Some(key) = key {
                    self.shelf.update(|shelf| shelf.keep(key, *record, busy));
                }
                self.end_job(generation, Some(job));
            }
            Reply::Refused { generation, job, problems } if Some(generation) == running => {
                self.refuse(problems);
                self.end_job(generation, Some(job));
            }
            Reply::Refused { generation, problems, .. } if Some(generation) == asked => {
                self.refuse(problems);
                self.with_fabric(View::refuse);
            }
            Reply::Fabric { generation, job, open, loads, parcel } if Some(generation) == asked => {
                self.with_fabric(|view| view.hear_parcel(job, open, loads, parcel))
            }
            Reply::Surveyed { generation, size, misfits, trees, help, .. }
                if Some(generation) == asked =>
            {
                if !help.is_empty() {
                    self.help.set(help);
                }
                self.surveyed(Survey { generation, of: self.scenario(), size, misfits, trees })
            }
            Reply::Measured { generation, numbers, .. } if Some(generation) == asked => {
                self.numbers.set(Some(*numbers));
            }
            Reply::Opened { generation, opened } if Some(generation) == asked => {
                self.opened(opened)
            }
            Reply::Estimated { generation, fits, text } if Some(generation) == running => {
                self.estimated(fits, text)
            }
            Reply::Analyzed { generation, job, foresight } if Some(generation) == asked => {
                self.foresee(job, foresight)
            }
            _ => {}
        }
    }

    fn end_job(self, generation: u32, job: Option<u32>) {
        let mut over = false;
        self.run.update(|run| {
            if run.generation == generation && run.active {
                run.end(job);
                over = run.ended >= run.jobs;
                run.active = !over;
            }
        });
        if over {
            self.finished.update(|count| *count += 1);
        }
    }

    fn refuse(self, problems: Vec<Refusal>) {
        self.refusals.update(|refusals| {
            for problem in problems.into_iter().map(Problem::from) {
                if !refusals.contains(&problem) {
                    refusals.push(problem);
                }
            }
        });
    }

    fn foresee(self, job: u32, foresight: Foresight) {
        let curve =
            self.plan.with_untracked(|plan| plan.jobs.get(job as usize).map(|job| job.curve));
        if let Some(curve) = curve {
            self.foresights.update(|known| {
                if let Some(slot) = known.get_mut(curve as usize) {
                    *slot = Some(foresight);
                }
            });
        }
    }

    /// The first run's scenario.
    fn scenario(self) -> Arc<Scenario> {
        let first = |plan: &Plan| plan.jobs.first().map(Job::shared_scenario);
        self.plan.with_untracked(first).unwrap_or_default()
    }

    /// Whether what is known of the network is of another one than the study's.
    pub fn knows_another(self) -> bool {
        self.plan.with(|plan| {
            self.survey.with(|survey| {
                let known = survey.as_ref().zip(plan.jobs.first());
                known.is_some_and(|(known, job)| !known.of.shares_network(job.scenario()))
            })
        })
    }

    fn surveyed(self, survey: Survey) {
        // What fits may be told after the rest.
        let known = self.survey.with_untracked(|known| known.as_ref().map(|own| own.generation));
        let first = known != Some(survey.generation);
        let replaced = self.replace_misfits(&survey);
        self.survey.set(Some(survey));
        if !replaced {
            self.with_fabric(|view| view.permit());
            self.with_desk(|desk| desk.permit());
        }
        let auto = self.page.with_value(|page| page.start == Start::Auto);
        let sound = self.problems.with_untracked(Vec::is_empty);
        let waiting = self.found.with_untracked(|found| found.iter().any(Option::is_none));
        if first && !replaced && auto && sound && waiting && self.by_link.get_value() {
            self.start();
        }
    }

    /// A choice in the form may leave every alternative of another key unusable; then the first
    /// part that fits takes their place, and the reader is told. Links are never altered.
    fn replace_misfits(self, survey: &Survey) -> bool {
        if self.by_link.get_value() || self.draft.with_untracked(Option::is_some) {
            return false;
        }
        let study = self.study.get_untracked();
        for key in KEYS {
            let misfit = |part: &str| {
                survey.misfits.iter().find(|each| each.key == key.name && each.part == part)
            };
            let entries = study.entries(None, key);
            let reasons: Option<Vec<_>> =
                entries.iter().map(|entry| misfit(entry.part.as_deref()?)).collect();
            let Some(reason) = reasons.and_then(|all| all.first().map(|first| first.text.clone()))
            else {
                continue;
            };
            let parts = Scenario::parts(key.name);
            let Some(fitting) = parts.iter().find(|part| misfit(part.name).is_none()) else {
                continue;
            };
            let alone =
                (1..entries.len()).try_fold(study.clone(), |study, _| edit::remove(&study, key, 1));
            if let Ok(changed) = alone.and_then(|study| edit::choose(&study, key, 0, fitting.name))
            {
                self.adopt(changed);
                self.say(&format!("{} is now {}: {reason}.", key.label, fitting.label));
                return true;
            }
        }
        false
    }
}
