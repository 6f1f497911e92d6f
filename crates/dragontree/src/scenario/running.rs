//! A run in progress.

use super::building::Building;
use super::job::{AUTOMATIC_REACH, Where};
use super::record::{Abscissa, Record};
use super::{Detail, Experiment, Job};
use crate::catalog::Problem;
use crate::simulation::{Progress, Simulation};
use crate::units::Load;

/// A run: first built and analyzed, then simulated.
pub struct Running {
    job: Job,
    stage: Stage,
}

enum Stage {
    Building(Box<Building>),
    Simulating(Box<(Experiment, Simulation)>),
}

/// How far a run is, with a guess of how much of the step is done, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Its paths are being analyzed.
    Building(f64),
    /// Its packets are on the way.
    Simulating(f64),
    /// It has ended; the record is final.
    Done,
}

impl Job {
    /// Begins the run, taking over from `earlier` what the two have in common.
    ///
    /// # Errors
    /// Every problem with the scenario, each naming its setting.
    pub fn start(&self, earlier: Option<&Experiment>) -> Result<Running, Vec<Problem>> {
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
                Progress::Done => Ok(Step::Done),
            },
        }
    }

    /// The experiment, once it is built, for the next run to take over from.
    pub fn experiment(&self) -> Option<&Experiment> {
        match &self.stage {
            Stage::Building(_) => None,
            Stage::Simulating(both) => Some(&both.0),
        }
    }

    /// The results so far, once it is built; `seconds` is the time that the caller measured.
    pub fn record(&self, seconds: f64) -> Option<Record> {
        let Stage::Simulating(both) = &self.stage else { return None };
        let (experiment, simulation) = &**both;
        let report = simulation.report();
        let scenario = experiment.scenario();
        let x = match &self.job.place {
            Where::Number(number) => Abscissa::Number(*number),
            Where::Word(word) => Abscissa::Word(word.clone()),
            Where::Derived(derived) => {
                Abscissa::Number(f64::from(derived.of(experiment.network())))
            }
            Where::Load => Abscissa::Number(scenario.load.as_fraction()),
        };
        Some(Record {
            scenario: scenario.text(Detail::Everything),
            series: self.job.series.clone(),
            x,
            seed: scenario.seed,
            engine_version: super::ENGINE_VERSION,
            digest: format!("{:016x}", report.digest),
            seconds,
            metrics: super::experiment::metrics(experiment, &report),
        })
    }
}
