//! Routes of messages that other workers help to find: each solves some of the phases.

use std::ops::Range;

use dragontree::catalog::Problem;
use dragontree::routing::pattern_specific::Share;
use dragontree::scenario::{RouteSearch, Study};
use serde::{Deserialize, Serialize};

use super::Bench;

/// So few messages have their routes before a helper has begun.
const FEW: u64 = 100_000;

/// What a helper is asked: the routes of some phases of a run.
#[derive(Serialize, Deserialize)]
pub struct Plea {
    text: String,
    job: u32,
    phases: Range<u32>,
}

impl Plea {
    /// As it goes to a helper.
    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What a helper says: the routes, or nothing.
    pub fn answer(text: &str) -> String {
        let plea = serde_json::from_str::<Plea>(text).ok();
        let share = plea.and_then(|plea| plea.share().ok());
        serde_json::to_string(&share).unwrap_or_default()
    }

    fn share(self) -> Result<Share, Vec<Problem>> {
        let study = Study::parse(&self.text).map_err(|wrong| wrong.problems)?;
        let plan = study.plan()?;
        let gone = || vec![Problem::new("", self.job.to_string(), "the study has fewer runs")];
        let scenario = plan.jobs.get(self.job as usize).ok_or_else(gone)?.scenario();
        scenario.share_of_routes(&scenario.network()?, self.phases)
    }
}

impl Bench {
    /// Hears how many workers the page keeps busy, this one included.
    pub fn share_with(&mut self, busy: u32) {
        self.busy = busy;
    }

    /// How many helpers are of use, of so many processors: those that are busy have equal shares. Until
    /// the page has said how many, all runs of the study are taken for busy.
    pub fn helpers(&mut self, processors: u32) -> u32 {
        let runs = self.study.as_ref().map_or(1, |(_, plan)| plan.jobs.len() as u32);
        let busy = if self.busy > 0 { self.busy } else { runs };
        let shared = self.search().and_then(|(search, _)| search.messages());
        match shared.is_some_and(|messages| messages >= FEW) {
            true => (processors / busy.max(1)).saturating_sub(1),
            false => 0,
        }
    }

    /// What one of so many helpers can do.
    pub fn ask(&mut self, helpers: u32) -> Option<Plea> {
        let (search, job) = self.search()?;
        let phases = search.give(2 * (helpers + 1))?;
        let (text, _) = self.study.as_ref()?;
        Some(Plea { text: text.clone(), job, phases })
    }

    /// What became of a plea: what the helper said, if it did.
    pub fn hear(&mut self, plea: &Plea, answer: Option<&str>) {
        let is_same = self.study.as_ref().is_some_and(|(text, _)| *text == plea.text);
        let Some((search, job)) = self.search() else { return };
        if !is_same || job != plea.job {
            return;
        }
        let share = answer.and_then(|text| serde_json::from_str::<Option<Share>>(text).ok());
        match share.flatten().filter(|share| *share.phases() == plea.phases) {
            Some(share) => search.take(share),
            None => search.take_back(&plea.phases),
        }
    }

    /// Whether there is nothing to do until a helper has answered.
    pub fn is_waiting(&mut self) -> bool {
        self.search().is_some_and(|(search, _)| search.is_waiting())
    }

    /// The search for routes in progress, and for which of the study's runs that is.
    pub(super) fn search(&mut self) -> Option<(&mut RouteSearch, u32)> {
        if let Some(inspection) = &mut self.inspection {
            return inspection.search();
        }
        if let Some(exporting) = &mut self.exporting {
            return Some((exporting.writer.search()?, exporting.job));
        }
        let task = self.task.as_mut()?;
        Some((task.running.search()?, task.job))
    }
}
