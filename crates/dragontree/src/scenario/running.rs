//! A run in progress.

use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;

#[cfg(feature = "complete")]
use super::Looked;
use super::building::{Building, ROUTING};
#[cfg(feature = "complete")]
use super::job::Wants;
use super::job::{AUTOMATIC_REACH, Where};
use super::record::{Abscissa, Record};
use super::route_search::Routed;
use super::route_survey::{RouteNumbers, RouteSurvey, Wanted};
use super::simulated::Simulated;
use super::{Detail, Experiment, Job, MetricKind, RouteSearch, Scenario};
use crate::analysis::{Numbers, Survey};
use crate::catalog::Problem;
use crate::network::Network;
use crate::routing::AnyRoutes;
use crate::simulation::Progress;
#[cfg(feature = "complete")]
use crate::simulation::{Course, Film};
use crate::units::Load;

/// A run: built and analyzed, then simulated; or its fabric and its routes looked at.
pub struct Running {
    job: Job,
    stage: Stage,
}

enum Stage {
    Building(Box<Building>),
    Simulating(Box<(Experiment, Simulated)>),
    Looking(Box<Looking>),
}

/// What is found out besides simulating: fabric first, then routes.
struct Looking {
    network: Arc<Network>,
    survey: Option<Survey>,
    /// Routes that are still being found.
    search: Option<Box<RouteSearch>>,
    /// The share of the work that was done before routes are looked at.
    before: f64,
    routes: Option<RouteSurvey>,
    /// What was simulated before.
    simulated: Option<Box<(Experiment, Simulated)>>,
}

/// How far a run is, with a guess of how much of the step is done, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Its routes are being found, or its paths analyzed.
    Building(f64),
    /// Its packets are on the way.
    Simulating(f64),
    /// What was measured is final, and what was the limit is looked at.
    Explaining,
    /// Its fabric or its routes are looked at, after those that are looked at alone are found.
    Surveying(f64),
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
            let survey = self.wants_fabric().then(|| Survey::new(network.clone()));
            let wanted = self.wants_routes();
            let (mut search, mut routes) = (None, None);
            match wanted.then(|| self.scenario.routed(earlier, &network)).transpose()? {
                Some(Routed::Found(found)) => {
                    routes = Some(self.survey_of_routes(&network, &found)?);
                }
                Some(Routed::Searching(begun)) => search = Some(begun),
                None => {}
            }
            let before = if search.is_some() { ROUTING } else { 0.0 };
            let looking = Looking { network, survey, search, before, routes, simulated: None };
            return Ok(Running { job: self.clone(), stage: Stage::Looking(Box::new(looking)) });
        }
        let building = Building::start(&self.scenario, earlier)?;
        Ok(Running { job: self.clone(), stage: Stage::Building(Box::new(building)) })
    }

    /// Begins the run, to be looked at over time.
    ///
    /// # Errors
    /// As [`start`](Self::start), and where nothing is simulated.
    #[cfg(feature = "complete")]
    pub fn start_simulating(&self, earlier: Option<&Experiment>) -> Result<Running, Vec<Problem>> {
        if !self.wants.simulation {
            let allowed = "nothing of what is asked for takes a simulation, allowed: metrics that do, \
                           such as accepted, latency or completion";
            return Err(vec![Problem::new("y", "", allowed)]);
        }
        self.start(earlier)
    }

    fn survey_of_routes(
        &self,
        network: &Arc<Network>,
        routes: &AnyRoutes,
    ) -> Result<RouteSurvey, Vec<Problem>> {
        let wants = |kinds: &[MetricKind]| kinds.iter().any(|k| self.wants.routes.contains(k));
        let wanted = Wanted {
            contention: wants(&[MetricKind::Contention, MetricKind::ContentionMean]),
            pairs: wants(&[MetricKind::Unrouted, MetricKind::UnroutedSwitches]),
        };
        RouteSurvey::new(&self.scenario, network, &self.scenario.fixed(routes)?, wanted)
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
        let reach =
            experiment.analysis().limit.as_ref().map_or(1.0, |limit| limit.bound * AUTOMATIC_REACH);
        let reach = (reach * 1e6).clamp(1.0, 1e6) as u64;
        let load = (reach * u64::from(step) / u64::from(count)).max(1);
        experiment.at_load(Load::ppm(u32::try_from(load).unwrap_or(1_000_000)))
    }
}

#[cfg(feature = "complete")]
impl Scenario {
    /// Begins to simulate this alone, whatever a study would look at besides.
    ///
    /// # Errors
    /// As [`Job::start`].
    pub fn run(&self) -> Result<Running, Vec<Problem>> {
        let wants = Wants { simulation: true, fabric: Vec::new(), routes: Vec::new() };
        let job = Job {
            curve: 0,
            point: 0,
            scenario: self.clone().into(),
            series: String::new(),
            place: Where::Load,
            automatic: None,
            wants,
        };
        job.start(None)
    }
}

impl Running {
    /// Goes on for about `budget` pairs of endpoints or events.
    ///
    /// # Errors
    /// There are no routes, or a pair that has traffic has none.
    pub fn advance(&mut self, budget: u64) -> Result<Step, Vec<Problem>> {
        match &mut self.stage {
            Stage::Building(building) => {
                let Some(experiment) = building.advance(budget)? else {
                    return Ok(Step::Building(building.share()));
                };
                if self.job.wants_routes() {
                    experiment.scenario().fixed(experiment.routes())?;
                }
                let experiment = self.job.at_its_load(experiment)?;
                let simulation = Simulated::start(&experiment);
                self.stage = Stage::Simulating(Box::new((experiment, simulation)));
                Ok(Step::Simulating(0.0))
            }
            Stage::Simulating(both) => match both.1.advance(budget) {
                Progress::Running { share, .. } => Ok(Step::Simulating(share)),
                Progress::Done => {
                    #[cfg(feature = "complete")]
                    if both.1.tap(&both.0, budget) {
                        return Ok(Step::Explaining);
                    }
                    if !self.job.looks_further() {
                        return Ok(Step::Done);
                    }
                    self.look_further()?;
                    Ok(Step::Surveying(0.0))
                }
            },
            Stage::Looking(looking) => match looking.advance(&self.job, budget)? {
                true => Ok(Step::Done),
                false => Ok(Step::Surveying(looking.share())),
            },
        }
    }

    /// Goes on as [`advance`](Self::advance), and films the simulation; whatever else is to be looked
    /// at is left out.
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "complete")]
    pub fn advance_filmed(&mut self, film: &mut Film, budget: u64) -> Result<Step, Vec<Problem>> {
        let Stage::Simulating(both) = &mut self.stage else { return self.advance(budget) };
        Ok(match both.1.advance_filmed(film, budget) {
            Progress::Running { share, .. } => Step::Simulating(share),
            Progress::Done => Step::Done,
        })
    }

    /// The search for its routes, while that goes on.
    #[cfg(feature = "complete")]
    pub fn search(&mut self) -> Option<&mut RouteSearch> {
        match &mut self.stage {
            Stage::Building(building) => building.search(),
            Stage::Simulating(_) => None,
            Stage::Looking(looking) => looking.search.as_deref_mut(),
        }
    }

    /// Goes on to fabric and routes, keeping what was simulated.
    fn look_further(&mut self) -> Result<(), Vec<Problem>> {
        let Stage::Simulating(both) = &self.stage else { return Ok(()) };
        let network = both.0.network().clone();
        let routes = match self.job.wants_routes() {
            false => None,
            true => Some(self.job.survey_of_routes(&network, both.0.routes())?),
        };
        let survey = self.job.wants_fabric().then(|| Survey::new(network.clone()));
        let (search, simulated) = (None, None);
        let looking = Looking { network, survey, search, before: 0.0, routes, simulated };
        let looking = Box::new(looking);
        if let Stage::Simulating(both) = std::mem::replace(&mut self.stage, Stage::Looking(looking))
            && let Stage::Looking(looking) = &mut self.stage
        {
            looking.simulated = Some(both);
        }
        Ok(())
    }

    fn simulated(&self) -> Option<&(Experiment, Simulated)> {
        match &self.stage {
            Stage::Building(_) => None,
            Stage::Simulating(both) => Some(both),
            Stage::Looking(looking) => looking.simulated.as_deref(),
        }
    }

    /// The experiment, once it is built, for the next run to take over from; none where only the
    /// fabric is looked at.
    pub fn experiment(&self) -> Option<&Experiment> {
        self.simulated().map(|both| &both.0)
    }

    /// The routes of a run that is not simulated, once they are found, for whoever looks at them next.
    #[cfg(feature = "complete")]
    pub fn looked(&self) -> Option<Looked> {
        let Stage::Looking(looking) = &self.stage else { return None };
        let alone = looking.routes.as_ref().filter(|_| looking.simulated.is_none());
        alone.map(|survey| Looked {
            scenario: self.job.scenario.as_ref().clone(),
            routes: survey.routes().clone(),
        })
    }

    /// How its simulation has gone so far, once it is built: batch by batch, of an exchange frame by
    /// frame of its film.
    #[cfg(feature = "complete")]
    pub fn course(&self, film: &Film) -> Option<Course> {
        Some(self.simulated()?.1.course(film))
    }

    /// For each port, the share of time that its channel has been busy, once it is built: of the
    /// measuring window, or of the exchange.
    #[cfg(feature = "complete")]
    pub fn utilization(&self) -> Option<Vec<f64>> {
        Some(self.simulated()?.1.utilization())
    }

    /// The results so far, once it is built; `seconds` is the time that the caller measured.
    pub fn record(&self, seconds: f64) -> Option<Record> {
        let simulated = self.simulated();
        let measured = simulated.map(|(experiment, simulated)| simulated.measured(experiment));
        let (network, fabric, routes) = match (&self.stage, simulated) {
            (Stage::Looking(looking), _) => {
                let fabric = looking.survey.as_ref().map(Survey::numbers);
                (&looking.network, fabric, looking.routes.as_ref().map(RouteSurvey::numbers))
            }
            (_, Some((experiment, _))) => (experiment.network(), None, None),
            (_, None) => return None,
        };
        let scenario = simulated.map_or(self.job.scenario.as_ref(), |(of, _)| of.scenario());
        let digest = match &measured {
            Some(measured) => measured.digest,
            None => digest(fabric.as_ref(), routes.as_ref()),
        };
        let (traffic, exchange) = measured.map_or((None, None), |of| (of.traffic, of.exchange));
        Some(Record {
            scenario: scenario.text(Detail::Everything),
            series: self.job.series.clone(),
            x: self.abscissa(scenario, network),
            seed: scenario.seed,
            engine_version: super::ENGINE_VERSION,
            digest: format!("{digest:016x}"),
            seconds,
            certificate: simulated.and_then(|(experiment, _)| experiment.certificate()),
            metrics: traffic,
            exchange,
            fabric,
            routes,
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

impl Job {
    fn looks_further(&self) -> bool {
        self.wants_fabric() || self.wants_routes()
    }

    /// Whether the fabric is measured, which only the complete build can.
    fn wants_fabric(&self) -> bool {
        cfg!(feature = "complete") && !self.wants.fabric.is_empty()
    }

    /// Whether routes are looked at, which only the complete build can.
    fn wants_routes(&self) -> bool {
        cfg!(feature = "complete") && !self.wants.routes.is_empty()
    }
}

impl Looking {
    /// A guess of the share of the work that is done; how long a fabric takes is not known.
    fn share(&self) -> f64 {
        match &self.search {
            Some(search) => self.before * search.share(),
            None => {
                let looked = self.routes.as_ref().map_or(0.0, RouteSurvey::share);
                self.before + (1.0 - self.before) * looked
            }
        }
    }

    /// Goes on for about `budget` steps; whether everything that is wanted is known.
    fn advance(&mut self, job: &Job, budget: u64) -> Result<bool, Vec<Problem>> {
        if job.wants_fabric()
            && let Some(survey) = &mut self.survey
        {
            let numbers = survey.numbers();
            let known = |kind: &MetricKind| kind.of_numbers(&numbers).is_some();
            if !job.wants.fabric.iter().all(known) && !survey.advance(budget) {
                return Ok(false);
            }
        }
        if let Some(search) = &mut self.search {
            if let Some(routes) = search.advance(budget) {
                self.routes = Some(job.survey_of_routes(&self.network, &routes?)?);
                self.search = None;
            }
            return Ok(false);
        }
        Ok(self.routes.as_mut().is_none_or(|routes| routes.advance(budget)))
    }
}

/// The digest of what is known of fabric and routes: of its counts, and of what is known as whole
/// numbers.
fn digest(fabric: Option<&Numbers>, routes: Option<&RouteNumbers>) -> u64 {
    let mut hasher = FnvHasher::default();
    let mut write = |count: u64| hasher.write(&count.to_le_bytes());
    if let Some(numbers) = fabric {
        let counts = [numbers.endpoints, numbers.switches, numbers.links, numbers.radix];
        let cut = numbers.bisection.map(|cut| cut.links);
        for count in counts.into_iter().chain(numbers.diameter).chain(cut) {
            write(u64::from(count));
        }
    }
    if let Some(numbers) = routes {
        write(u64::from(numbers.layers));
        numbers.unrouted.into_iter().chain(numbers.unrouted_switches).for_each(&mut write);
        // In millionths: the order of summation does not show there.
        let contention = numbers.contention.into_iter().chain(numbers.contention_mean);
        contention.for_each(|flows| write((flows * 1e6).round() as u64));
    }
    hasher.finish()
}
