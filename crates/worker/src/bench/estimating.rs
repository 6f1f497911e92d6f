//! What a study would take: whether it may start by itself, or at all.

use dragontree::scenario::{Estimate, InWords, MEASURING_RUN, Step, Study};
use dragontree::units::Bytes;

use super::Bench;
use crate::protocol::Reply;

/// A study that keeps a processor busy for longer, in seconds, or takes more memory for a run, is
/// asked about.
const MODEST: (f64, Bytes) = (90.0, Bytes(1_000_000_000));
/// The most memory of a run: a worker's module reaches four gigabytes, some of it other than this.
const MOST: Bytes = Bytes(3_000_000_000);
/// Packet-hops of an unsaturated run of the default switch in a second where that cannot be measured.
const USUAL: f64 = 8e6;

impl Bench {
    /// What the study would take. What is wrong with it is left to be said by its runs.
    pub(super) fn estimate(
        &mut self,
        generation: u32,
        text: &str,
        clock: &dyn Fn() -> f64,
    ) -> Reply {
        let found = self.job(text, 0).and_then(|_| match &self.study {
            Some((_, plan)) => plan.estimate(),
            None => Ok(Estimate::default()),
        });
        let estimate = found.unwrap_or_default();
        let (fits, text) = judge(&estimate, || hops_per_second(clock).unwrap_or(USUAL));
        Reply::Estimated { generation, fits, text }
    }
}

/// Whether it can run in a page, and what to say of it.
fn judge(estimate: &Estimate, hops_per_second: impl FnOnce() -> f64) -> (bool, String) {
    let (seconds, memory) = MODEST;
    let rate = hops_per_second();
    let fits = estimate.memory <= MOST;
    if fits && estimate.memory <= memory && estimate.seconds(rate) <= seconds {
        return (true, String::new());
    }
    let InWords { packet_hops, takes, memory, .. } = estimate.in_words(rate, 1);
    let runs = if estimate.runs == 1 { "run" } else { "runs" };
    let work = format!(
        "{} {runs}: about {packet_hops} packet-hops, about {takes} of a processor of this machine, \
         and {memory} of memory for each",
        estimate.runs
    );
    match fits {
        true => (true, format!("This link asks for {work}.")),
        false => (
            false,
            format!(
                "This study is too large for a page, where a run may take {} GB of memory: {work}. \
                 The command line has no such limit.",
                MOST.0 / 1_000_000_000
            ),
        ),
    }
}

/// How fast this machine is just now, in packet-hops of a simulation. The clock counts milliseconds.
fn hops_per_second(clock: &dyn Fn() -> f64) -> Option<f64> {
    let plan = Study::parse(MEASURING_RUN).ok()?.plan().ok()?;
    let mut running = plan.jobs.first()?.start(None).ok()?;
    while running.experiment().is_none() {
        running.advance(u64::MAX).ok()?;
    }
    let began = clock();
    while running.advance(u64::MAX).ok()? != Step::Done {}
    let seconds = (clock() - began) / 1000.0;
    let hops = running.record(0.0)?.metrics?.packet_hops as f64;
    (seconds > 0.0).then(|| hops / seconds)
}
