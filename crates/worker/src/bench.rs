//! A worker's bench: the study in hand, the run in progress, and what the last one leaves.

use dragontree::catalog::{Files, Problem};
#[cfg(feature = "complete")]
use dragontree::scenario::Looked;
use dragontree::scenario::{Experiment, Job, Plan, Running, Step, Study};

use crate::fabric::{self, Parcel};
use crate::protocol::{Foresight, Refusal, Remark, Reply, Request, Size};
use crate::trees::Tree;

#[cfg(feature = "complete")]
mod complete;
#[cfg(feature = "complete")]
mod estimating;
#[cfg(feature = "complete")]
mod exporting;
#[cfg(feature = "complete")]
mod inspecting;
#[cfg(feature = "complete")]
mod sharing;
#[cfg(not(feature = "complete"))]
mod small;

#[cfg(feature = "complete")]
use complete::fits;
#[cfg(feature = "complete")]
pub use sharing::Plea;
#[cfg(not(feature = "complete"))]
use small::fits;

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
    files: Files,
    earlier: Option<Experiment>,
    task: Option<Task>,
    /// Routes that the last run has found, where nothing was simulated on them.
    #[cfg(feature = "complete")]
    looked: Option<Looked>,
    /// How many workers the page keeps busy; 0 where it has not said.
    #[cfg(feature = "complete")]
    busy: u32,
    #[cfg(feature = "complete")]
    inspection: Option<inspecting::Inspecting>,
    #[cfg(feature = "complete")]
    exporting: Option<exporting::Exporting>,
}

/// What a form has to know of a network beyond its size.
#[derive(Default)]
struct Fitting {
    misfits: Vec<Remark>,
    trees: Vec<Tree>,
    help: Vec<Remark>,
}

/// The run in progress.
struct Task {
    purpose: Purpose,
    generation: u32,
    job: u32,
    running: Running,
    milliseconds: f64,
    reported: f64,
    /// The share that was reported while it was being built: none of a run that is built at once.
    built: f64,
}

/// What a run is in progress for.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    /// What analysis says, before packets are sent.
    Analysis,
    /// The loads of the links as analysis says, for a drawing.
    Loads {
        /// The block that is drawn open.
        open: Option<u32>,
    },
    /// The numbers of the network.
    Numbers,
    /// What the simulation says.
    Results,
}

impl Bench {
    /// Whether there is a run to go on with.
    pub fn is_busy(&self) -> bool {
        #[cfg(feature = "complete")]
        if self.inspection.is_some() || self.exporting.is_some() {
            return true;
        }
        self.task.is_some()
    }

    /// Takes a request; some are answered at once.
    pub fn handle(&mut self, request: Request, clock: &dyn Fn() -> f64) -> Option<Reply> {
        match request {
            Request::Survey { generation, text, job, fits } => {
                Some(answer(generation, job, self.survey(generation, &text, job, fits)))
            }
            Request::Analyze { generation, text, job } => {
                self.start(Purpose::Analysis, (generation, job), &text, clock)
            }
            Request::Run { generation, text, job } => {
                self.start(Purpose::Results, (generation, job), &text, clock)
            }
            Request::Fabric { generation, text, job, open, loads: true } => {
                self.start(Purpose::Loads { open }, (generation, job), &text, clock)
            }
            Request::Fabric { generation, text, job, open, loads: false } => {
                let reply = |parcel| Reply::Fabric { generation, job, open, loads: false, parcel };
                Some(answer(generation, job, self.picture(&text, job, open).map(reply)))
            }
            Request::Measure { generation, text, job } => {
                self.start(Purpose::Numbers, (generation, job), &text, clock)
            }
            Request::Open { .. }
            | Request::Keep { .. }
            | Request::Utilization { .. }
            | Request::Inspect { .. }
            | Request::Export { .. }
            | Request::Table { .. }
            | Request::Estimate { .. } => self.handle_large(request, clock),
            Request::Cancel { generation } => {
                #[cfg(feature = "complete")]
                if self.inspection.take_if(|own| own.generation == generation).is_some() {
                    return Some(Reply::Stopped { generation, job: 0 });
                }
                #[cfg(feature = "complete")]
                if let Some(own) = self.exporting.take_if(|own| own.generation == generation) {
                    return Some(Reply::Stopped { generation, job: own.job });
                }
                let canceled = self.task.take_if(|task| task.generation == generation)?;
                Some(Reply::Stopped { generation, job: canceled.job })
            }
        }
    }

    /// Goes on with the run for one slice.
    pub fn work(&mut self, clock: &dyn Fn() -> f64) -> Option<Reply> {
        #[cfg(feature = "complete")]
        if self.inspection.is_some() {
            return self.inspect_on(clock);
        }
        #[cfg(feature = "complete")]
        if self.exporting.is_some() {
            return self.export_on(clock);
        }
        let task = self.task.as_mut()?;
        let began = clock();
        loop {
            let step = task.running.advance(BUDGET);
            let now = clock();
            let over = now - began >= SLICE;
            let analyzed = !matches!(task.purpose, Purpose::Results | Purpose::Numbers)
                && task.running.experiment().is_some();
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
        let found = self.job(text, job).map(|job| match purpose {
            Purpose::Numbers => job.measuring(),
            Purpose::Analysis | Purpose::Loads { .. } => job.analyzing(),
            Purpose::Results => job,
        });
        let started = found.and_then(|job| job.start(self.earlier.as_ref()));
        match started {
            Ok(running) => {
                let reported = clock();
                let milliseconds = reported - began;
                self.task = Some(Task {
                    purpose,
                    generation,
                    job,
                    running,
                    milliseconds,
                    reported,
                    built: 0.0,
                });
                None
            }
            Err(problems) => Some(refused(generation, job, problems)),
        }
    }

    /// Ends the task with its answer; what it has built stays for the next.
    fn finish(&mut self) -> Option<Reply> {
        let Task { purpose, generation, job, running, milliseconds, .. } = self.task.take()?;
        let experiment = running.experiment().cloned();
        #[cfg(feature = "complete")]
        if experiment.is_some() || running.looked().is_some() {
            self.looked = running.looked();
        }
        let reply = match (purpose, &experiment) {
            (Purpose::Numbers, _) => {
                let numbers = Box::new(running.record(0.0)?.fabric?);
                Reply::Measured { generation, job, numbers }
            }
            (Purpose::Analysis, Some(experiment)) => {
                let foresight = Foresight::of(&experiment.analysis());
                Reply::Analyzed { generation, job, foresight }
            }
            (Purpose::Loads { open }, Some(experiment)) => {
                let (network, _) = experiment.scenario().fabric().ok()?;
                let analysis = experiment.analysis();
                // What an adaptive routing does to the channels is not known beforehand.
                let known = analysis.limit.is_some();
                let loads = known.then(|| fabric::loads(&network, &analysis.report, open).into());
                let parcel = loads.unwrap_or_default();
                Reply::Fabric { generation, job, open, loads: true, parcel }
            }
            _ => {
                let record = Box::new(running.record(milliseconds / 1000.0)?);
                #[cfg(feature = "complete")]
                let busy = complete::busy(&running);
                #[cfg(not(feature = "complete"))]
                let busy = None;
                Reply::Done { generation, job, record, busy }
            }
        };
        self.earlier = experiment.or(self.earlier.take());
        Some(reply)
    }

    fn survey(
        &mut self,
        generation: u32,
        text: &str,
        job: u32,
        fits: bool,
    ) -> Result<Reply, Vec<Problem>> {
        let work = self.job(text, job)?;
        let network = work.scenario().network_like(self.earlier.as_ref())?;
        let size = Size::of(&network);
        let Fitting { misfits, trees, help } = match fits {
            true => self::fits(work.scenario(), &network),
            false => Fitting::default(),
        };
        Ok(Reply::Surveyed { generation, job, size, misfits, trees, help })
    }

    fn picture(&mut self, text: &str, job: u32, open: Option<u32>) -> Result<Parcel, Vec<Problem>> {
        let (network, failures) = self.job(text, job)?.scenario().fabric()?;
        Ok(fabric::picture(&network, &failures, open).into())
    }

    /// A run of a study; the study is read only when it is not the one in hand.
    fn job(&mut self, text: &str, job: u32) -> Result<Job, Vec<Problem>> {
        if self.study.as_ref().is_none_or(|(known, _)| known != text) {
            let study = Study::parse(text).map_err(|wrong| wrong.problems)?;
            let mut plan = study.plan()?;
            plan.attach(&self.files);
            self.study = Some((text.to_owned(), plan));
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
            (Purpose::Results, Step::Building(share)) => {
                self.built = share / 2.0;
                let share = self.built;
                Some(Reply::Progress { generation: self.generation, job: self.job, share })
            }
            (Purpose::Results, Step::Simulating(share)) => {
                let share = self.built + (1.0 - self.built) * share;
                Some(Reply::Progress { generation: self.generation, job: self.job, share })
            }
            (Purpose::Results, Step::Surveying(share)) => {
                // What is simulated before takes longest.
                let share = if self.running.experiment().is_some() { 1.0 } else { share };
                Some(Reply::Progress { generation: self.generation, job: self.job, share })
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

#[cfg(test)]
#[cfg(feature = "complete")]
mod tests;
