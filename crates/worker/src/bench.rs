//! A worker's bench: the study in hand, the run in progress, and what the last one leaves.

use std::sync::Arc;

use dragontree::catalog::Problem;
use dragontree::network::Network;
use dragontree::scenario::{Experiment, Job, Plan, Running, Scenario, Study};
use dragontree::simulation::Progress;

use crate::fabric::{self, Parcel};
use crate::protocol::{Foresight, Misfit, Refusal, Reply, Request, Size};

/// Events between two looks at the clock.
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
    generation: u32,
    job: u32,
    running: Running,
    milliseconds: f64,
    reported: f64,
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
                Some(answer(generation, job, self.analysis(generation, &text, job)))
            }
            Request::Fabric { generation, text, job, open, loads } => {
                let parcel = match loads {
                    false => self.picture(&text, job, open),
                    true => self.loads(&text, job, open),
                };
                let reply = |parcel| Reply::Fabric { generation, job, loads, parcel };
                Some(answer(generation, job, parcel.map(reply)))
            }
            Request::Run { generation, text, job } => self.start(generation, &text, job, clock),
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
            let progress = task.running.advance(BUDGET);
            let now = clock();
            let over = now - began >= SLICE;
            match progress {
                Progress::Done => {
                    task.milliseconds += now - began;
                    return self.finish();
                }
                Progress::Running { share, .. } if over => {
                    task.milliseconds += now - began;
                    return task.report(now, share);
                }
                Progress::Running { .. } => {}
            }
        }
    }

    fn start(
        &mut self,
        generation: u32,
        text: &str,
        job: u32,
        clock: &dyn Fn() -> f64,
    ) -> Option<Reply> {
        let began = clock();
        let earlier = self.earlier.take();
        let started = self.job(text, job).and_then(|job| job.start(earlier.as_ref()));
        match started {
            Ok(running) => {
                let reported = clock();
                self.earlier = Some(running.experiment().clone());
                self.task = Some(Task {
                    generation,
                    job,
                    running,
                    milliseconds: reported - began,
                    reported,
                });
                None
            }
            Err(problems) => {
                self.earlier = earlier;
                Some(refused(generation, job, problems))
            }
        }
    }

    fn finish(&mut self) -> Option<Reply> {
        let task = self.task.take()?;
        Some(Reply::Done {
            generation: task.generation,
            job: task.job,
            record: Box::new(task.running.record(task.milliseconds / 1000.0)),
        })
    }

    fn survey(&mut self, generation: u32, text: &str, job: u32) -> Result<Reply, Vec<Problem>> {
        let work = self.job(text, job)?;
        let network = Experiment::network_of(work.scenario(), self.earlier.as_ref())?;
        Ok(Reply::Surveyed {
            generation,
            job,
            size: Size::of(&network),
            misfits: misfits(work.scenario(), &network),
        })
    }

    fn analysis(&mut self, generation: u32, text: &str, job: u32) -> Result<Reply, Vec<Problem>> {
        let work = self.job(text, job)?;
        let experiment = Experiment::build(work.scenario(), self.earlier.as_ref())?;
        let foresight = Foresight::of(&experiment.analysis());
        self.earlier = Some(experiment);
        Ok(Reply::Analyzed { generation, job, foresight })
    }

    fn picture(&mut self, text: &str, job: u32, open: Option<u32>) -> Result<Parcel, Vec<Problem>> {
        let (network, failures) = self.job(text, job)?.scenario().fabric()?;
        Ok(fabric::picture(&network, &failures, open).into())
    }

    fn loads(&mut self, text: &str, job: u32, open: Option<u32>) -> Result<Parcel, Vec<Problem>> {
        let work = self.job(text, job)?;
        let experiment = Experiment::build(work.scenario(), self.earlier.as_ref())?;
        let analysis = experiment.analysis();
        self.earlier = Some(experiment);
        let (network, _) = work.scenario().fabric()?;
        Ok(fabric::loads(&network, &analysis.report, open).into())
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
    /// Tells how far the run is, unless that was said a moment ago.
    fn report(&mut self, now: f64, share: f64) -> Option<Reply> {
        if now - self.reported < QUIET {
            return None;
        }
        self.reported = now;
        Some(Reply::Progress { generation: self.generation, job: self.job, share })
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
        let needs = other.routing.role().routes(network).err()?;
        Some(Misfit { key: "routing".to_owned(), part: part.to_owned(), reason: needs.to_string() })
    };
    let parts = Scenario::parts("routing");
    parts.iter().filter_map(|part| misfit(part.name)).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::fabric::{Loads, Picture};

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
                assert_eq!(record.metrics.offered, 0.2)
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
    fn a_drawing_comes_without_analysis_and_its_loads_with_it() {
        let mut bench = Bench::default();
        // Broken as it is, minimal routing does not reach everywhere; it can be drawn all the same.
        let text = format!("{TEXT} faults=list,link=0-1");
        let ask = |generation, text: &str, loads| {
            let text = text.to_owned();
            Request::Fabric { generation, text, job: 1, open: None, loads }
        };
        match bench.handle(ask(3, &text, false), &clock(1.0)) {
            Some(Reply::Fabric { generation: 3, job: 1, loads: false, parcel }) => {
                let picture = Picture::unpack(&parcel).unwrap();
                assert_eq!((picture.node_count(), &picture.broken.links[..]), (12, &[[0, 1]][..]));
            }
            other => panic!("{other:?}"),
        }
        let refused = bench.handle(ask(4, &text, true), &clock(1.0));
        assert!(matches!(refused, Some(Reply::Refused { generation: 4, .. })), "{refused:?}");
        match bench.handle(ask(5, TEXT, true), &clock(1.0)) {
            Some(Reply::Fabric { loads: true, parcel, .. }) => {
                assert_eq!(Loads::unpack(parcel).unwrap().bundles.len(), 2 * (6 + 3 + 3));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_survey_counts_what_works() {
        let mut bench = Bench::default();
        let text = format!("{TEXT} faults=list,link=0-1");
        bench.handle(request(0), &clock(1.0));
        let survey = Request::Survey { generation: 1, text, job: 0 };
        match bench.handle(survey, &clock(1.0)) {
            Some(Reply::Surveyed { size, .. }) => assert_eq!(size.links, 11),
            other => panic!("{other:?}"),
        }
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
