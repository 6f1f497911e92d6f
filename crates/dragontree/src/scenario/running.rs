//! A run in progress.

use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;

use super::building::Building;
use super::job::{AUTOMATIC_REACH, Where};
use super::record::{Abscissa, Record};
use super::{Detail, Experiment, Job, MetricKind, Scenario};
use crate::analysis::{Numbers, Survey};
use crate::catalog::Problem;
use crate::network::Network;
use crate::simulation::{Progress, Simulation};
use crate::units::Load;

/// A run: built and analyzed, then simulated; or its fabric looked at.
pub struct Running {
    job: Job,
    stage: Stage,
}

enum Stage {
    Building(Box<Building>),
    Simulating(Box<(Experiment, Simulation)>),
    /// Also with what was simulated before.
    Surveying(Arc<Network>, Box<Survey>, Option<Box<(Experiment, Simulation)>>),
}

/// How far a run is, with a guess of how much of the step is done, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Its paths are being analyzed.
    Building(f64),
    /// Its packets are on the way.
    Simulating(f64),
    /// Its fabric is looked at.
    Surveying,
    /// It has ended; the record is final.
    Done,
}

impl Job {
    /// Begins the run, taking over from `earlier` what the two have in common.
    ///
    /// # Errors
    /// Every problem with the scenario, each naming its setting.
    pub fn start(&self, earlier: Option<&Experiment>) -> Result<Running, Vec<Problem>> {
        if !self.wants.simulation {
            let network = self.scenario.network_like(earlier)?;
            let survey = Box::new(Survey::new(network.clone()));
            let stage = Stage::Surveying(network, survey, None);
            return Ok(Running { job: self.clone(), stage });
        }
        let building = Building::start(&self.scenario, earlier)?;
        Ok(Running { job: self.clone(), stage: Stage::Building(Box::new(building)) })
    }

    /// Builds and analyzes the run in one go.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn build(&self, earlier: Option<&Experiment>) -> Result<Experiment, Vec<Problem>> {
        self.at_its_load(Experiment::build(&self.scenario, earlier)?)
    }

    /// The experiment with the load that an automatic range gives this run.
    fn at_its_load(&self, experiment: Experiment) -> Result<Experiment, Vec<Problem>> {
        let Some((step, count)) = self.automatic else { return Ok(experiment) };
        let bound = experiment.analysis().report.bound;
        let reach = (bound * AUTOMATIC_REACH * 1e6).clamp(1.0, 1e6) as u64;
        let load = (reach * u64::from(step) / u64::from(count)).max(1);
        experiment.at_load(Load::ppm(u32::try_from(load).unwrap_or(1_000_000)))
    }
}

impl Running {
    /// Goes on for about `budget` pairs of endpoints or events.
    ///
    /// # Errors
    /// A pair that has traffic has no route.
    pub fn advance(&mut self, budget: u64) -> Result<Step, Vec<Problem>> {
        match &mut self.stage {
            Stage::Building(building) => {
                let Some(experiment) = building.advance(budget)? else {
                    return Ok(Step::Building(building.share()));
                };
                let experiment = self.job.at_its_load(experiment)?;
                let simulation = experiment.simulation();
                self.stage = Stage::Simulating(Box::new((experiment, simulation)));
                Ok(Step::Simulating(0.0))
            }
            Stage::Simulating(both) => match both.1.advance(budget) {
                Progress::Running { share, .. } => Ok(Step::Simulating(share)),
                Progress::Done if self.job.wants.fabric.is_empty() => Ok(Step::Done),
                Progress::Done => {
                    self.survey_next();
                    Ok(Step::Surveying)
                }
            },
            Stage::Surveying(_, survey, _) => {
                let numbers = survey.numbers();
                let known = |kind: &MetricKind| kind.of_numbers(&numbers).is_some();
                let enough = self.job.wants.fabric.iter().all(known);
                match enough || survey.advance(budget) {
                    true => Ok(Step::Done),
                    false => Ok(Step::Surveying),
                }
            }
        }
    }

    /// Goes on to the fabric, keeping what was simulated.
    fn survey_next(&mut self) {
        let Some(network) = self.experiment().map(|built| built.network().clone()) else { return };
        let survey = Box::new(Survey::new(network.clone()));
        let next = Stage::Surveying(network, survey, None);
        if let Stage::Simulating(both) = std::mem::replace(&mut self.stage, next)
            && let Stage::Surveying(_, _, simulated) = &mut self.stage
        {
            *simulated = Some(both);
        }
    }

    fn simulated(&self) -> Option<&(Experiment, Simulation)> {
        match &self.stage {
            Stage::Building(_) => None,
            Stage::Simulating(both) => Some(both),
            Stage::Surveying(_, _, both) => both.as_deref(),
        }
    }

    /// The experiment, once it is built, for the next run to take over from; none where only the
    /// fabric is looked at.
    pub fn experiment(&self) -> Option<&Experiment> {
        self.simulated().map(|both| &both.0)
    }

    /// The results so far, once it is built; `seconds` is the time that the caller measured.
    pub fn record(&self, seconds: f64) -> Option<Record> {
        let report =
            self.simulated().map(|(experiment, simulation)| (experiment, simulation.report()));
        let fabric = match &self.stage {
            Stage::Building(_) => return None,
            Stage::Simulating(_) => None,
            Stage::Surveying(_, survey, _) => Some(survey.numbers()),
        };
        let network = match (&self.stage, &report) {
            (Stage::Surveying(network, ..), _) => network,
            (_, Some((experiment, _))) => experiment.network(),
            (_, None) => return None,
        };
        let scenario = report.as_ref().map_or(&self.job.scenario, |(of, _)| of.scenario());
        let digest = match (&report, &fabric) {
            (Some((_, report)), _) => report.digest,
            (None, Some(numbers)) => digest(numbers),
            (None, None) => 0,
        };
        Some(Record {
            scenario: scenario.text(Detail::Everything),
            series: self.job.series.clone(),
            x: self.abscissa(scenario, network),
            seed: scenario.seed,
            engine_version: super::ENGINE_VERSION,
            digest: format!("{digest:016x}"),
            seconds,
            metrics: report
                .map(|(experiment, report)| super::experiment::metrics(experiment, &report)),
            fabric,
        })
    }

    fn abscissa(&self, scenario: &Scenario, network: &Network) -> Abscissa {
        match &self.job.place {
            Where::Number(number) => Abscissa::Number(*number),
            Where::Word(word) => Abscissa::Word(word.clone()),
            Where::Derived(derived) => Abscissa::Number(f64::from(derived.of(network))),
            Where::Load => Abscissa::Number(scenario.load.as_fraction()),
        }
    }
}

/// The digest of a fabric's numbers: of its counts, and of what is known as whole numbers.
fn digest(numbers: &Numbers) -> u64 {
    let mut hasher = FnvHasher::default();
    let counts = [numbers.endpoints, numbers.switches, numbers.links, numbers.radix];
    let cut = numbers.bisection.map(|cut| cut.links);
    for count in counts.into_iter().chain(numbers.diameter).chain(cut) {
        hasher.write(&u64::from(count).to_le_bytes());
    }
    hasher.finish()
}
