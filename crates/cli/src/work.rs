//! Runs shared out among threads, with results in order.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use dragontree::catalog::Problem;
use dragontree::scenario::{Experiment, Job, Record, Step};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::error::Failure;
use crate::interrupt;
use crate::solving::share_out;

/// Events between two looks at the progress; some milliseconds.
const BUDGET: u64 = 200_000;
/// Steps of the progress bar for each run.
const STEPS: u64 = 100;

/// What one run came to.
pub type Outcome = Result<Record, Vec<Problem>>;

/// What becomes of the runs that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// They are simulated.
    Simulate,
    /// They are only built, to find their problems.
    Build,
}

/// As many threads as asked for, else as many as there are processors.
pub fn threads(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    let processors = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.unwrap_or_else(processors)
}

/// Runs every job, or those that have finished when Ctrl-C is pressed: `take` gets the place of each among
/// the jobs, in order, and its result.
///
/// # Errors
/// Every problem of every job, in the order of the jobs; `take` gets nothing after the first.
pub fn records(
    jobs: &[Job],
    threads: NonZeroUsize,
    mut take: impl FnMut(usize, &Record) -> Result<(), Failure>,
) -> Result<Vec<Record>, Failure> {
    let mut records = Vec::with_capacity(jobs.len());
    let mut problems: Vec<Problem> = Vec::new();
    let run = |index: usize, worker: &mut Worker<'_>| match jobs.get(index) {
        Some(job) => worker.simulate(job),
        None => None,
    };
    in_order(jobs.len(), threads, run, |place, outcome| {
        match outcome {
            Ok(record) if problems.is_empty() => {
                take(place, &record)?;
                records.push(record);
                return Ok(Next::Simulate);
            }
            Ok(_) => {}
            Err(found) => {
                for problem in found {
                    if !problems.contains(&problem) {
                        problems.push(problem);
                    }
                }
            }
        }
        Ok(Next::Build)
    })?;
    match problems.is_empty() {
        true => Ok(records),
        false => Err(Failure::input(&problems)),
    }
}

/// Calls `run` for every number below `count` and hands what it gives to `take`, in order.
/// Nothing is handed over of runs that were given up: those still going when Ctrl-C is pressed, if it is
/// [watched](crate::interrupt::watch).
///
/// # Errors
/// The first failure of `take`; the remaining runs are given up.
pub fn in_order<T: Send>(
    count: usize,
    threads: NonZeroUsize,
    run: impl Fn(usize, &mut Worker<'_>) -> Option<T> + Sync,
    mut take: impl FnMut(usize, T) -> Result<Next, Failure>,
) -> Result<(), Failure> {
    let desk = Desk::new(count, threads.get() / count.clamp(1, threads.get()) - 1);
    let (sender, receiver) = channel();
    let outcome = std::thread::scope(|scope| {
        for _ in 0..threads.get().min(count) {
            let (desk, run, sender) = (&desk, &run, sender.clone());
            scope.spawn(move || desk.work(run, &sender));
        }
        drop(sender);
        let mut waiting: Vec<Option<T>> = (0..count).map(|_| None).collect();
        let mut next = 0;
        for (index, outcome) in receiver {
            waiting[index] = Some(outcome);
            while let Some(outcome) = waiting.get_mut(next).and_then(Option::take) {
                match desk.bar.suspend(|| take(next, outcome)) {
                    Ok(Next::Simulate) => {}
                    Ok(Next::Build) => desk.only_build.store(true, Ordering::Relaxed),
                    Err(failure) => {
                        desk.stopped.store(true, Ordering::Relaxed);
                        return Err(failure);
                    }
                }
                next += 1;
            }
        }
        for (index, outcome) in waiting.into_iter().enumerate() {
            if let Some(outcome) = outcome {
                desk.bar.suspend(|| take(index, outcome))?;
            }
        }
        Ok(())
    });
    desk.bar.finish_and_clear();
    outcome
}

/// What the threads share.
struct Desk {
    count: usize,
    /// How many more threads each of them may take.
    spare: usize,
    next: AtomicUsize,
    stopped: AtomicBool,
    only_build: AtomicBool,
    bar: ProgressBar,
}

impl Desk {
    fn new(count: usize, spare: usize) -> Desk {
        Desk {
            count,
            spare,
            next: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            only_build: AtomicBool::new(false),
            bar: progress_bar(count as u64),
        }
    }

    /// Whether the runs that go on are given up.
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || interrupt::is_asked()
    }

    /// Takes runs until none is left; each builds on what the one before has built.
    fn work<T>(
        &self,
        run: impl Fn(usize, &mut Worker<'_>) -> Option<T>,
        sender: &Sender<(usize, T)>,
    ) {
        let mut worker = Worker { desk: self, earlier: None, shown: 0 };
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.count || self.is_stopped() {
                return;
            }
            worker.shown = 0;
            let Some(outcome) = run(index, &mut worker) else {
                return;
            };
            worker.show(1.0);
            if sender.send((index, outcome)).is_err() {
                return;
            }
        }
    }
}

/// One thread's side of the work.
pub struct Worker<'a> {
    desk: &'a Desk,
    earlier: Option<Experiment>,
    shown: u64,
}

impl Worker<'_> {
    /// Runs a job to its end; nothing when the work was stopped.
    pub fn simulate(&mut self, job: &Job) -> Option<Outcome> {
        let start = Instant::now();
        let mut running = match job.start(self.earlier.as_ref()) {
            Ok(running) => running,
            Err(problems) => return Some(Err(problems)),
        };
        if let Some(search) = running.search()
            && let Ok(network) = job.scenario().network()
        {
            let goes_on = || !self.desk.is_stopped();
            share_out(search, job.scenario(), &network, self.desk.spare, goes_on);
        }
        loop {
            match running.advance(BUDGET) {
                // What was measured is final.
                Ok(Step::Explaining) if self.desk.is_stopped() => break,
                Ok(Step::Building(_) | Step::Explaining | Step::Surveying(_)) => {}
                Ok(Step::Simulating(share)) => self.show(share),
                Ok(Step::Done) => break,
                Err(problems) => return Some(Err(problems)),
            }
            if self.desk.is_stopped() {
                return None;
            }
            let built = running.experiment().is_some();
            if built && self.desk.only_build.load(Ordering::Relaxed) {
                return Some(Err(Vec::new()));
            }
        }
        self.earlier = running.experiment().cloned();
        let record = running.record(start.elapsed().as_secs_f64());
        Some(record.ok_or_else(Vec::new))
    }

    /// Builds a job without simulating it: only what analysis says is in the record.
    pub fn foresee(&mut self, job: &Job) -> Outcome {
        let start = Instant::now();
        let mut running = job.start(self.earlier.as_ref())?;
        while running.experiment().is_none() && running.advance(BUDGET)? != Step::Done {}
        self.earlier = running.experiment().cloned();
        running.record(start.elapsed().as_secs_f64()).ok_or_else(Vec::new)
    }

    fn show(&mut self, share: f64) {
        let reached = (share.clamp(0.0, 1.0) * STEPS as f64) as u64;
        if reached > self.shown {
            self.desk.bar.inc(reached - self.shown);
            self.shown = reached;
        }
    }
}

/// A bar on standard error; hidden when that is no terminal.
fn progress_bar(runs: u64) -> ProgressBar {
    let target = ProgressDrawTarget::stderr();
    let bar = ProgressBar::with_draw_target(Some(runs * STEPS), target);
    let template = "{bar:30} {percent:>3} % of {msg}, {elapsed} so far, {eta} to go";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(match runs {
        1 => "1 run".to_owned(),
        _ => format!("{runs} runs"),
    });
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
