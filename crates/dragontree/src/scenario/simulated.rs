//! What is simulated: traffic at an offered load, or an exchange.

use super::Experiment;
use super::record::{ExchangeMetrics, Metrics};
#[cfg(feature = "complete")]
use crate::simulation::Exchanging;
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

    /// The simulation of traffic; none of an exchange.
    #[cfg(feature = "complete")]
    pub fn of_traffic(&self) -> Option<&Simulation> {
        match self {
            Simulated::Traffic(simulation) => Some(simulation),
            Simulated::Exchange(_) => None,
        }
    }

    /// The same, to go on with.
    #[cfg(feature = "complete")]
    pub fn of_traffic_mut(&mut self) -> Option<&mut Simulation> {
        match self {
            Simulated::Traffic(simulation) => Some(simulation),
            Simulated::Exchange(_) => None,
        }
    }
}
