//! What is simulated: traffic at an offered load, or an exchange.

use super::Experiment;
use super::record::{ExchangeMetrics, Metrics};
#[cfg(feature = "complete")]
use crate::simulation::{Course, Exchanging, Film};
use crate::simulation::{Progress, Simulation};

/// A simulation of either kind.
pub(super) enum Simulated {
    /// Sources that send at an offered load.
    Traffic(Box<Simulation>),
    /// Messages that wait for one another.
    #[cfg(feature = "complete")]
    Exchange(Box<Exchanging>),
}

/// What was measured of either.
pub(super) struct Measured {
    pub digest: u64,
    pub traffic: Option<Metrics>,
    pub exchange: Option<Box<ExchangeMetrics>>,
}

impl Simulated {
    /// Sets up the simulation of an experiment.
    pub fn start(experiment: &Experiment) -> Simulated {
        #[cfg(feature = "complete")]
        if let Some(setup) = experiment.exchange_setup() {
            return Simulated::Exchange(Box::new(Exchanging::new(setup)));
        }
        Simulated::Traffic(Box::new(experiment.simulation()))
    }

    /// Goes on for about `budget` events.
    pub fn advance(&mut self, budget: u64) -> Progress {
        match self {
            Simulated::Traffic(simulation) => simulation.advance(budget),
            #[cfg(feature = "complete")]
            Simulated::Exchange(exchanging) => exchanging.advance(budget),
        }
    }

    /// Goes on for about `budget` events with a run that is done, if analysis does not tell what it is
    /// limited by, to see what goes over the channel that was busiest; whether there is more to do.
    #[cfg(feature = "complete")]
    pub fn tap(&mut self, experiment: &Experiment, budget: u64) -> bool {
        let busiest = |report: &_| super::saturation::busiest(experiment, report);
        match self {
            Simulated::Traffic(simulation) => {
                simulation.tap(|report| busiest(report).map(|(port, _)| port), budget)
            }
            Simulated::Exchange(_) => false,
        }
    }

    /// Goes on as [`advance`](Self::advance), and films it.
    #[cfg(feature = "complete")]
    pub fn advance_filmed(&mut self, film: &mut Film, budget: u64) -> Progress {
        match self {
            Simulated::Traffic(simulation) => film.advance(simulation, budget),
            Simulated::Exchange(exchanging) => film.advance_exchange(exchanging, budget),
        }
    }

    /// How it has gone so far; an exchange as it was filmed.
    #[cfg(feature = "complete")]
    pub fn course(&self, film: &Film) -> Course {
        match self {
            Simulated::Traffic(simulation) => simulation.course(),
            Simulated::Exchange(exchanging) => exchanging.course(film),
        }
    }

    /// For each port, the share of time that its channel was busy: of the measuring window, or of the
    /// exchange.
    #[cfg(feature = "complete")]
    pub fn utilization(&self) -> Vec<f64> {
        match self {
            Simulated::Traffic(simulation) => simulation.report().utilization,
            Simulated::Exchange(exchanging) => exchanging.report().utilization,
        }
    }

    /// What has been measured so far.
    pub fn measured(&self, experiment: &Experiment) -> Measured {
        match self {
            Simulated::Traffic(simulation) => {
                let report = simulation.report();
                let traffic = Some(super::experiment::metrics(experiment, &report));
                Measured { digest: report.digest, traffic, exchange: None }
            }
            #[cfg(feature = "complete")]
            Simulated::Exchange(exchanging) => {
                let report = exchanging.report();
                let exchange = Some(Box::new(experiment.exchange_metrics(&report)));
                Measured { digest: report.digest, traffic: None, exchange }
            }
        }
    }
}
