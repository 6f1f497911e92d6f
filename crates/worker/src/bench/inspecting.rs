//! Inspections on the bench: in place of a run, slice by slice.

use dragontree::scenario::RouteSearch;

use super::{Bench, QUIET, SLICE, refused};
use crate::inspect::{Inspection, Inspector, News, Slice};
use crate::protocol::Reply;

/// The inspection in progress.
pub(super) struct Inspecting {
    pub generation: u32,
    job: u32,
    inspector: Inspector,
    reported: f64,
}

impl Inspecting {
    /// The search for routes of messages, while that goes on, and for which run that is.
    pub fn search(&mut self) -> Option<(&mut RouteSearch, u32)> {
        Some((self.inspector.search()?, self.job))
    }
}

impl Bench {
    /// Begins an inspection.
    pub(super) fn inspect(
        &mut self,
        generation: u32,
        (text, job): (&str, u32),
        open: Option<u32>,
        what: &Inspection,
    ) -> Option<Reply> {
        let started = self.job(text, job).and_then(|work| {
            let known = (self.looked.as_ref(), self.earlier.as_ref());
            Inspector::start(&work, known, open, what)
        });
        match started {
            Ok(inspector) => {
                self.inspection = Some(Inspecting { generation, job, inspector, reported: 0.0 });
                None
            }
            Err(problems) => Some(refused(generation, job, problems)),
        }
    }

    /// Goes on with the inspection for one slice.
    pub(super) fn inspect_on(&mut self, clock: &dyn Fn() -> f64) -> Option<Reply> {
        let own = self.inspection.as_mut()?;
        let generation = own.generation;
        let end = clock() + SLICE;
        match own.inspector.work(clock, end) {
            Slice::Over(finding) => {
                self.inspection = None;
                Some(Reply::Inspected { generation, finding: Box::new(finding) })
            }
            Slice::Refused(problems) => {
                let job = own.job;
                self.inspection = None;
                Some(refused(generation, job, problems))
            }
            Slice::Goes(share, is_new) => {
                let now = clock();
                if !is_new && now - own.reported < QUIET {
                    return None;
                }
                own.reported = now;
                let News { markup, picture, end_ns } = own.inspector.news();
                Some(Reply::Inspecting { generation, share, markup, picture, end_ns })
            }
        }
    }
}
