//! One run of a figure, and what is found out about it.

use std::time::Instant;

use dragontree::analysis::{Acyclic, Audit, Crossings, Numbers, Survey};
use dragontree::catalog::Problem;
use dragontree::scenario::{
    Abscissa, Job, MetricKind, Modelled, Record, Saturating, Saturation, Scenario,
};

use super::paper::{Expect, Free, Quantity};
use crate::work::Worker;

/// Steps of a survey between two looks at what is known.
const BUDGET: u64 = 1_000_000;

/// How much of an experiment is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    Network,
    Analysis,
    Simulation,
}

/// What the checks of a case need to know.
#[derive(Clone)]
pub struct Needed {
    pub depth: Depth,
    /// Names of the network's numbers.
    pub numbers: Vec<&'static str>,
    /// Whether it is asked if the routes are free of cycles.
    pub audited: bool,
    /// Whether formulas or crossings are.
    pub looked: bool,
    /// Whether what the network carries of traffic by analysis is one of the formulas.
    pub carried: bool,
}

/// One run of one case.
pub struct Task {
    pub case: usize,
    pub job: Job,
    pub needed: Needed,
}

/// What a task found.
pub struct Facts {
    pub curve: u32,
    pub point: u32,
    pub seconds: f64,
    numbers: Option<Numbers>,
    acyclic: Acyclic,
    modelled: Vec<Modelled>,
    crossings: Vec<Crossings>,
    record: Option<Record>,
}

impl Task {
    /// Does what is needed; nothing when the work is broken off.
    pub fn run(&self, worker: &mut Worker<'_>) -> Option<Result<Facts, Vec<Problem>>> {
        let start = Instant::now();
        let outcome = match self.needed.depth {
            Depth::Network => Ok(None),
            Depth::Analysis => worker.foresee(&self.job).map(Some),
            Depth::Simulation => worker.simulate(&self.job)?.map(Some),
        };
        Some(outcome.and_then(|record| {
            let (modelled, crossings) = self.look()?;
            Ok(Facts {
                modelled,
                crossings,
                curve: self.job.curve,
                point: self.job.point,
                numbers: self.survey()?,
                acyclic: if self.needed.audited { self.audit()? } else { Acyclic::default() },
                record,
                seconds: start.elapsed().as_secs_f64(),
            })
        }))
    }

    /// The formulas that apply, and what the exchange crosses.
    fn look(&self) -> Result<(Vec<Modelled>, Vec<Crossings>), Vec<Problem>> {
        if !self.needed.looked {
            return Ok((Vec::new(), Vec::new()));
        }
        let scenario = self.job.scenario();
        let network = scenario.network()?;
        let routes = scenario.routes_to_ask(&network)?;
        let exchanging = scenario.exchanging_along(&network, routes.as_deref())?;
        let crossings = exchanging.map(|exchanging| exchanging.crossings(&network));
        let mut modelled = scenario.modelled(&network, routes.as_deref())?;
        if self.needed.carried {
            modelled.extend(saturation(scenario)?.formulas());
        }
        Ok((modelled, crossings.unwrap_or_default()))
    }

    /// Whose routes are free of cycles.
    fn audit(&self) -> Result<Acyclic, Vec<Problem>> {
        let scenario = self.job.scenario();
        let network = scenario.network()?;
        let routes = scenario.routes(&network)?;
        Ok(Audit::new(&network, Ok(&routes), &scenario.question(&network)).finish().acyclic)
    }

    /// The network's numbers, as far as they are needed.
    fn survey(&self) -> Result<Option<Numbers>, Vec<Problem>> {
        if self.needed.numbers.is_empty() {
            return Ok(None);
        }
        let mut survey = Survey::new(self.job.scenario().network()?);
        loop {
            let numbers = survey.numbers();
            let known = self.needed.numbers.iter().all(|name| numbers.get(name).is_some());
            if known || survey.advance(BUDGET) {
                return Ok(Some(survey.numbers()));
            }
        }
    }
}

/// What the network carries of a scenario's traffic.
fn saturation(scenario: &Scenario) -> Result<Saturation, Vec<Problem>> {
    let mut saturating = Saturating::start(scenario)?;
    loop {
        if let Some(found) = saturating.advance(BUDGET)? {
            return Ok(found);
        }
    }
}

impl Facts {
    fn free(&self, whose: Free) -> Option<f64> {
        let free = match whose {
            Free::Endpoints => self.acyclic.endpoints,
            Free::Switches => self.acyclic.switches,
            Free::Together => self.acyclic.together,
        };
        free.map(|free| f64::from(u8::from(free)))
    }

    /// A metric of the run.
    pub fn metric(&self, kind: MetricKind) -> Option<f64> {
        kind.value(self.record.as_ref()?)
    }

    /// What is compared with what is expected; of crossings in several phases the number that is furthest
    /// off.
    pub fn value(&self, expect: &Expect) -> Option<f64> {
        let named = |name: &String| expect.of.as_ref() == Some(name);
        match expect.metric {
            Quantity::Network(name) => self.numbers.as_ref()?.get(name),
            Quantity::Free(whose) => self.free(whose),
            Quantity::Metric(kind) => self.metric(kind),
            Quantity::Deadlock => {
                let circle = self.record.as_ref()?.metrics.as_ref()?.deadlock.as_ref();
                Some(circle.map_or(0.0, |circle| circle.len() as f64))
            }
            Quantity::Formula => self.modelled.iter().find(|each| named(&each.name))?.value,
            Quantity::Crossings => {
                let level = self.crossings.iter().find(|each| named(&each.level))?;
                let phase = |number: usize| match &expect.x {
                    Some(Abscissa::Number(phase)) => number as f64 == *phase,
                    Some(Abscissa::Word(_)) => false,
                    None => true,
                };
                let phases = level.per_phase.iter().enumerate().filter(|(n, _)| phase(*n));
                let numbers = phases.map(|(_, number)| f64::from(*number));
                numbers.max_by(|one, other| expect.excess(*one).total_cmp(&expect.excess(*other)))
            }
        }
    }

    /// Whether the run stands at the place that is expected.
    pub fn is_chosen(&self, expect: &Expect) -> bool {
        expect.metric == Quantity::Crossings || expect.x.as_ref().is_none_or(|x| self.is_at(x))
    }

    fn is_at(&self, x: &Abscissa) -> bool {
        match (self.record.as_ref().map(|record| &record.x), x) {
            (Some(Abscissa::Number(number)), Abscissa::Number(x)) => (number - x).abs() < 1e-9,
            (Some(Abscissa::Word(word)), Abscissa::Word(x)) => word == x,
            _ => false,
        }
    }
}
