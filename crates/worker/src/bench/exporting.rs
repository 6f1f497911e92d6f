//! Files on the bench: in place of a run, slice by slice.

use dragontree::interchange::Writing;

use super::{Bench, QUIET, SLICE, refused};
use crate::files::{self, Writer};
use crate::protocol::Reply;

/// Steps between two looks at the clock: about a millisecond.
const BUDGET: u64 = 300_000;

/// The file that is being written.
pub(super) struct Exporting {
    pub generation: u32,
    pub job: u32,
    pub writer: Writer,
    format: String,
    reported: f64,
}

impl Bench {
    /// Begins to write a file; it comes with the slices that follow.
    pub(super) fn export(
        &mut self,
        generation: u32,
        (text, job): (&str, u32),
        format: String,
        clock: &dyn Fn() -> f64,
    ) -> Option<Reply> {
        let started = self.job(text, job).and_then(|work| {
            let (scenario, earlier) = (work.scenario(), self.earlier.as_ref());
            let network = scenario.network_like(earlier)?;
            let routed = || scenario.routed_like(self.looked.as_ref(), earlier, &network);
            Writer::start(scenario, &network, &routed, &format)
        });
        match started {
            Ok(writer) => {
                let reported = clock();
                self.exporting = Some(Exporting { generation, job, writer, format, reported });
                None
            }
            Err(problems) => Some(refused(generation, job, problems)),
        }
    }

    /// Goes on with the file for one slice.
    pub(super) fn export_on(&mut self, clock: &dyn Fn() -> f64) -> Option<Reply> {
        let own = self.exporting.as_mut()?;
        let (generation, job) = (own.generation, own.job);
        let end = clock() + SLICE;
        loop {
            match own.writer.advance(BUDGET) {
                Ok(Some(Writing { text, losses })) => {
                    let name = files::name(&own.format).to_owned();
                    self.exporting = None;
                    return Some(Reply::Exported { generation, job, name, text, losses });
                }
                Err(problems) => {
                    self.exporting = None;
                    return Some(refused(generation, job, problems));
                }
                Ok(None) => {}
            }
            let now = clock();
            if now >= end {
                if now - own.reported < QUIET {
                    return None;
                }
                own.reported = now;
                let share = own.writer.share();
                return Some(Reply::Progress { generation, job, share });
            }
        }
    }
}
