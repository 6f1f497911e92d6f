//! A worker's bench: the study in hand, the run in progress, and what the last one leaves.

use std::sync::Arc;

use dragontree::catalog::{Files, Menu, Part, Problem};
use dragontree::faults::Intact;
use dragontree::interchange::Writing;
use dragontree::network::Network;
use dragontree::scenario::{Experiment, Job, Plan, Running, Scenario, Step, Study};

use crate::fabric::Parcel;
use crate::protocol::{Foresight, Misfit, Refusal, Reply, Request, Size};
use crate::trees::trees;
use crate::{fabric, files};

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
            Request::Fabric { generation, text, job, open, loads: true } => {
                self.start(Purpose::Loads { open }, (generation, job), &text, clock)
            }
            Request::Fabric { generation, text, job, open, loads: false } => {
                let reply = |parcel| Reply::Fabric { generation, job, loads: false, parcel };
                Some(answer(generation, job, self.picture(&text, job, open).map(reply)))
            }
            Request::Measure { generation, text, job } => {
                self.start(Purpose::Numbers, (generation, job), &text, clock)
            }
            Request::Export { generation, text, job, format } => {
                Some(answer(generation, job, self.export(generation, &text, job, &format)))
            }
            Request::Inspect { generation, job, .. } => Some(refused(generation, job, Vec::new())),
            Request::Open { generation, files } => Some(match files::open(&files) {
                Ok(opened) => Reply::Opened { generation, opened },
                Err(problems) => refused(generation, 0, problems),
            }),
            Request::Keep(file) => {
                self.files.add(file.name, &file.text);
                self.study = None;
                None
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
        let job_of = |job: Job| if purpose == Purpose::Numbers { job.measuring() } else { job };
        let found = self.job(text, job).map(job_of);
        let started = found.and_then(|job| job.start(self.earlier.as_ref()));
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
                let loads = fabric::loads(&network, &experiment.analysis().report, open);
                Reply::Fabric { generation, job, loads: true, parcel: loads.into() }
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
        let scenario = work.scenario();
        let network = scenario.network_like(self.earlier.as_ref())?;
        let broken = scenario.faults.name() != Intact.name();
        Ok(Reply::Surveyed {
            generation,
            job,
            size: Size::of(&network),
            misfits: misfits(scenario, &network),
            trees: trees(&network, broken),
        })
    }

    fn picture(&mut self, text: &str, job: u32, open: Option<u32>) -> Result<Parcel, Vec<Problem>> {
        let (network, failures) = self.job(text, job)?.scenario().fabric()?;
        Ok(fabric::picture(&network, &failures, open).into())
    }

    fn export(
        &mut self,
        generation: u32,
        text: &str,
        job: u32,
        format: &str,
    ) -> Result<Reply, Vec<Problem>> {
        let work = self.job(text, job)?;
        let network = work.scenario().network_like(self.earlier.as_ref())?;
        let Writing { text, losses } = files::write(work.scenario(), &network, format)?;
        let format = format.to_owned();
        Ok(Reply::Exported { generation, job, format, text, losses })
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
    use crate::Content;
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
        assert_eq!(bench.handle(ask(4, &text, true), &clock(1.0)), None);
        let refused = bench.work(&clock(1.0));
        assert!(matches!(refused, Some(Reply::Refused { generation: 4, .. })), "{refused:?}");
        assert_eq!(bench.handle(ask(5, TEXT, true), &clock(1.0)), None);
        match bench.work(&clock(1.0)) {
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
    fn a_file_is_opened_kept_and_measured() {
        let ring = "from,port,to,port,class,bandwidth,latency\n".to_owned()
            + "a,0,b,0,switch,,\nb,1,c,0,switch,,\nc,1,a,1,switch,,\n"
            + "x,0,a,2,endpoint,,\ny,0,b,2,endpoint,,\nz,0,c,2,endpoint,,\n";
        let file = Content { name: "ring.csv".to_owned(), text: ring };
        let mut bench = Bench::default();
        let open = Request::Open { generation: 1, files: vec![file.clone()] };
        let Some(Reply::Opened { opened, .. }) = bench.handle(open, &clock(1.0)) else {
            panic!("it is a fabric")
        };
        let token = opened.fabric.unwrap();
        assert!(token.starts_with("z."), "{token}");
        assert_eq!(opened.lfts, None);
        assert_eq!(bench.handle(Request::Keep(file), &clock(1.0)), None);
        let text = format!("topology=imported,data={token} load=0.1");
        let measure = Request::Measure { generation: 2, text: text.clone(), job: 0 };
        assert_eq!(bench.handle(measure, &clock(1.0)), None);
        let mut last = None;
        while bench.is_busy() {
            last = bench.work(&clock(1.0));
        }
        match last {
            Some(Reply::Measured { numbers, .. }) => {
                assert_eq!((numbers.endpoints, numbers.switches, numbers.diameter), (3, 3, Some(1)))
            }
            other => panic!("{other:?}"),
        }
        let format = "ibnetdiscover".to_owned();
        let export = Request::Export { generation: 3, text, job: 0, format };
        match bench.handle(export, &clock(1.0)) {
            Some(Reply::Exported { text, .. }) => assert!(text.contains("Switch\t3 \"S-")),
            other => panic!("{other:?}"),
        }
        let garbage = Content { name: "notes.txt".to_owned(), text: "garbage".to_owned() };
        let open = Request::Open { generation: 4, files: vec![garbage] };
        let refused = bench.handle(open, &clock(1.0));
        assert!(matches!(refused, Some(Reply::Refused { generation: 4, .. })), "{refused:?}");
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
