//! A worker's bench: the study in hand, the run in progress, and what the last one leaves.

use std::sync::Arc;

use dragontree::catalog::Problem;
use dragontree::network::Network;
use dragontree::scenario::{Experiment, Job, Plan, Running, Scenario, Step, Study};

use crate::protocol::{Foresight, Misfit, Refusal, Reply, Request, Size};

/// Events, or pairs of endpoints, between two looks at the clock.
const BUDGET: u64 = 20_000;
/// How long to work before listening again, in milliseconds.
const SLICE: f64 = 25.0;
/// How long to be silent between two reports of progress, in milliseconds.
const QUIET: f64 = 100.0;

/// Does what the page asks, a slice at a time. The clock is the caller's, in milliseconds.
#[derive(Default)]
pub struct Bench {
    study: Option<(String, Plan)>,
    earlier: Option<Experiment>,
    task: Option<Task>,
}

/// The run in progress.
struct Task {
    purpose: Purpose,
    generation: u32,
    job: u32,
    running: Running,
    milliseconds: f64,
    reported: f64,
}

/// What a run is in progress for.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    /// What analysis says, before packets are sent.
    Analysis,
    /// What the simulation says.
    Results,
}

impl Bench {
    /// Whether there is a run to go on with.
    pub fn is_busy(&self) -> bool {
        self.task.is_some()
    }

    /// Takes a request; some are answered at once.
    pub fn handle(&mut self, request: Request, clock: &dyn Fn() -> f64) -> Option<Reply> {
        match request {
            Request::Survey { generation, text, job } => {
                Some(answer(generation, job, self.survey(generation, &text, job)))
            }
            Request::Analyze { generation, text, job } => {
                self.start(Purpose::Analysis, (generation, job), &text, clock)
            }
            Request::Run { generation, text, job } => {
                self.start(Purpose::Results, (generation, job), &text, clock)
            }
            Request::Cancel { generation } => {
                let canceled = self.task.take_if(|task| task.generation == generation)?;
                Some(Reply::Stopped { generation, job: canceled.job })
            }
        }
    }

    /// Goes on with the run for one slice.
    pub fn work(&mut self, clock: &dyn Fn() -> f64) -> Option<Reply> {
        let task = self.task.as_mut()?;
        let began = clock();
        loop {
            let step = task.running.advance(BUDGET);
            let now = clock();
            let over = now - began >= SLICE;
            let analyzed = task.purpose == Purpose::Analysis && task.running.experiment().is_some();
            match step {
                Err(problems) => {
                    let (generation, job) = (task.generation, task.job);
                    self.task = None;
                    return Some(refused(generation, job, problems));
                }
                Ok(Step::Done) => {
                    task.milliseconds += now - began;
                    return self.finish();
                }
                Ok(_) if analyzed => return self.finish(),
                Ok(step) if over => {
                    task.milliseconds += now - began;
                    return task.report(now, step);
                }
                Ok(_) => {}
            }
        }
    }

    fn start(
        &mut self,
        purpose: Purpose,
        (generation, job): (u32, u32),
        text: &str,
        clock: &dyn Fn() -> f64,
    ) -> Option<Reply> {
        let began = clock();
        let started = self.job(text, job).and_then(|job| job.start(self.earlier.as_ref()));
        match started {
            Ok(running) => {
                let reported = clock();
                let milliseconds = reported - began;
                self.task =
                    Some(Task { purpose, generation, job, running, milliseconds, reported });
                None
            }
            Err(problems) => Some(refused(generation, job, problems)),
        }
    }

    /// Ends the task with its answer; what it has built stays for the next.
    fn finish(&mut self) -> Option<Reply> {
        let Task { purpose, generation, job, running, milliseconds, .. } = self.task.take()?;
        let experiment = running.experiment().cloned();
        let reply = match (purpose, &experiment) {
            (Purpose::Analysis, Some(experiment)) => {
                let foresight = Foresight::of(&experiment.analysis());
                Reply::Analyzed { generation, job, foresight }
            }
            _ => {
                let record = Box::new(running.record(milliseconds / 1000.0)?);
                Reply::Done { generation, job, record }
            }
        };
        self.earlier = experiment.or(self.earlier.take());
        Some(reply)
    }

    fn survey(&mut self, generation: u32, text: &str, job: u32) -> Result<Reply, Vec<Problem>> {
        let work = self.job(text, job)?;
        let network = work.scenario().network_like(self.earlier.as_ref())?;
        Ok(Reply::Surveyed {
            generation,
            job,
            size: Size::of(&network),
            misfits: misfits(work.scenario(), &network),
        })
    }

    /// A run of a study; the study is read only when it is not the one in hand.
    fn job(&mut self, text: &str, job: u32) -> Result<Job, Vec<Problem>> {
        if self.study.as_ref().is_none_or(|(known, _)| known != text) {
            let study = Study::parse(text).map_err(|wrong| wrong.problems)?;
            self.study = Some((text.to_owned(), study.plan()?));
        }
        let jobs = self.study.as_ref().map(|(_, plan)| &plan.jobs[..]);
        let found = jobs.and_then(|jobs| jobs.get(job as usize)).cloned();
        found.ok_or_else(|| vec![Problem::new("", job.to_string(), "the study has fewer runs")])
    }
}

impl Task {
    /// Tells how far it is, unless that was said a moment ago.
    fn report(&mut self, now: f64, step: Step) -> Option<Reply> {
        if now - self.reported < QUIET {
            return None;
        }
        self.reported = now;
        match (self.purpose, step) {
            (Purpose::Results, Step::Simulating(share)) => {
                Some(Reply::Progress { generation: self.generation, job: self.job, share })
            }
            (Purpose::Results, Step::Surveying) => {
                Some(Reply::Progress { generation: self.generation, job: self.job, share: 0.0 })
            }
            _ => Some(Reply::Working),
        }
    }
}

fn answer(generation: u32, job: u32, found: Result<Reply, Vec<Problem>>) -> Reply {
    found.unwrap_or_else(|problems| refused(generation, job, problems))
}

fn refused(generation: u32, job: u32, problems: Vec<Problem>) -> Reply {
    let problems = problems.into_iter().map(Refusal::from).collect();
    Reply::Refused { generation, job, problems }
}

/// The routings of the catalog that do not work on a network.
fn misfits(scenario: &Scenario, network: &Arc<Network>) -> Vec<Misfit> {
    let misfit = |part: &str| {
        let mut other = scenario.clone();
        other.choose("routing", part).ok()?;
        let needs = other.routing.role().fits(network).err()?;
        Some(Misfit { key: "routing".to_owned(), part: part.to_owned(), reason: needs.to_string() })
    };
    let parts = Scenario::parts("routing");
    parts.iter().filter_map(|part| misfit(part.name)).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const TEXT: &str = "topology=dragonfly,p=1,a=2,h=1 load=0.1/0.2";

    fn request(job: u32) -> Request {
        Request::Run { generation: 7, text: TEXT.to_owned(), job }
    }

    /// A clock that moves on by so much at every look.
    fn clock(step: f64) -> impl Fn() -> f64 {
        let now = Cell::new(0.0);
        move || {
            now.set(now.get() + step);
            now.get()
        }
    }

    #[test]
    fn a_run_ends_with_its_record() {
        let mut bench = Bench::default();
        let clock = clock(1.0);
        assert_eq!(bench.handle(request(1), &clock), None);
        let mut last = None;
        while bench.is_busy() {
            last = bench.work(&clock);
        }
        match last {
            Some(Reply::Done { generation: 7, job: 1, record }) => {
                assert_eq!(record.metrics.map(|metrics| metrics.offered), Some(0.2))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_the_named_generation_is_canceled() {
        let mut bench = Bench::default();
        let clock = clock(1.0);
        bench.handle(request(0), &clock);
        assert_eq!(bench.handle(Request::Cancel { generation: 6 }, &clock), None);
        assert!(bench.is_busy());
        let stopped = Reply::Stopped { generation: 7, job: 0 };
        let cancel = Request::Cancel { generation: 7 };
        assert_eq!(bench.handle(cancel, &clock), Some(stopped));
        assert!(!bench.is_busy());
    }

    #[test]
    fn a_survey_counts_and_names_what_does_not_fit() {
        let survey = Request::Survey { generation: 1, text: TEXT.to_owned(), job: 0 };
        match Bench::default().handle(survey, &clock(1.0)) {
            Some(Reply::Surveyed { size, misfits, .. }) => {
                assert_eq!((size.endpoints, size.switches, size.radix), (6, 6, 3));
                assert!(misfits.iter().any(|misfit| misfit.part == "d_mod_k"));
                assert!(misfits.iter().all(|misfit| misfit.part != "minimal"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn analysis_is_given_bit_by_bit_and_can_be_left() {
        let ask = |generation| Request::Analyze { generation, text: TEXT.to_owned(), job: 0 };
        let mut bench = Bench::default();
        assert_eq!(bench.handle(ask(3), &clock(1.0)), None);
        let cancel = Request::Cancel { generation: 3 };
        let stopped = Reply::Stopped { generation: 3, job: 0 };
        assert_eq!(bench.handle(cancel, &clock(1.0)), Some(stopped));
        assert_eq!(bench.handle(ask(4), &clock(1.0)), None);
        match bench.work(&clock(1.0)) {
            Some(Reply::Analyzed { generation: 4, foresight, .. }) => {
                assert!(foresight.bound > 0.0)
            }
            other => panic!("{other:?}"),
        }
        assert!(!bench.is_busy());
    }

    #[test]
    fn what_cannot_be_built_is_refused_with_its_key() {
        let text = "topology=xgft routing=minimal load=0.1".to_owned();
        let ask = Request::Analyze { generation: 1, text, job: 0 };
        match Bench::default().handle(ask, &clock(1.0)) {
            Some(Reply::Refused { problems, .. }) => {
                let problem = Problem::from(problems[0].clone());
                assert_eq!(problem.key, "routing");
            }
            other => panic!("{other:?}"),
        }
    }
}
