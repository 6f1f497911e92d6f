//! What a network carries of traffic when every source sends at full rate, without simulating it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::building::MOST_WAYS_WHOLE;
use super::modelled::OWN;
use super::record::Why;
use super::{Building, Experiment, Modelled, Scenario};
use crate::analysis::FairRates;
use crate::catalog::{Menu, Problem};
use crate::network::Network;
use crate::routing::{AnyRoutes, Routes};
use crate::units::grouped;

/// How much of the offered load channels let through. Its JSON form is stable; keys may be added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saturation {
    /// The offered load at which the busiest channel fills, 1 / its expected load at full rate; none
    /// where the routing is adaptive.
    pub throughput: Option<f64>,
    /// That channel, from where to where.
    pub channel: Option<String>,
    /// What shares it, where it leaves a switch and fills at full load or below.
    pub why: Option<Why>,
    /// The mean rate over all endpoints at full load, as a fraction of their links' rate, if flows had
    /// max-min fair rates; none where it is not known.
    pub fair_mean: Option<f64>,
    /// Why it is not.
    pub unknown: Option<String>,
}

impl Saturation {
    /// What the mean of max-min fair rates is called among the formulas.
    pub const FAIR_MEAN: &str = "mean throughput at full load, flows max-min fair";

    /// The numbers that are known as formulas.
    pub fn formulas(&self) -> Vec<Modelled> {
        let own = |name: &str, source: &str, value: Option<f64>| {
            let (name, source) = (name.to_owned(), source.to_owned());
            let value = Some(value?);
            Some(Modelled { name, source, value, unit: String::new() })
        };
        let first = "load at which the busiest channel fills";
        let all = [
            own(first, "Prisacari 2020, §6.3", self.throughput),
            own(Saturation::FAIR_MEAN, OWN, self.fair_mean),
        ];
        all.into_iter().flatten().collect()
    }
}

/// Finds out a [`Saturation`], a little at a time.
pub struct Saturating {
    step: Step,
}

enum Step {
    Building(Box<Building>),
    Filling(Box<Saturation>, Box<FairRates>),
}

impl Saturating {
    /// Begins with a scenario.
    ///
    /// # Errors
    /// Every problem found, each naming its setting; an exchange has no offered load.
    pub fn start(scenario: &Scenario) -> Result<Saturating, Vec<Problem>> {
        check(scenario)?;
        Ok(Saturating { step: Step::Building(Box::new(Building::for_bound(scenario)?)) })
    }

    /// The same on a network with routes that are known to be the scenario's.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn on(
        scenario: &Scenario,
        network: &Arc<Network>,
        routes: &Arc<Routes>,
    ) -> Result<Saturating, Vec<Problem>> {
        check(scenario)?;
        let building = Building::on(scenario, network, AnyRoutes::Fixed(routes.clone()))?;
        Ok(Saturating { step: Step::Building(Box::new(building)) })
    }

    /// The share of the work that is done.
    pub fn share(&self) -> f64 {
        match &self.step {
            Step::Building(building) => 0.5 * building.share(),
            Step::Filling(_, rates) => 0.5 + 0.5 * rates.share(),
        }
    }

    /// Goes on for about `budget` pairs of endpoints; what was found out, at the end.
    ///
    /// # Errors
    /// There are no routes, or a pair that has traffic has none.
    pub fn advance(&mut self, budget: u64) -> Result<Option<Saturation>, Vec<Problem>> {
        match &mut self.step {
            Step::Building(building) => {
                let Some(experiment) = building.advance(budget)? else { return Ok(None) };
                let mut known = Saturation::before(&experiment);
                match experiment.fair_rates() {
                    Ok(rates) => self.step = Step::Filling(Box::new(known), Box::new(rates)),
                    Err(unknown) => {
                        known.unknown = Some(unknown);
                        return Ok(Some(known));
                    }
                }
                Ok(None)
            }
            Step::Filling(known, rates) => {
                match rates.advance(budget) {
                    Ok(None) => return Ok(None),
                    Ok(mean) => known.fair_mean = mean,
                    Err(unfilled) => known.unknown = Some(unfilled.to_string()),
                }
                Ok(Some(known.as_ref().clone()))
            }
        }
    }
}

/// Whether a scenario has an offered load.
fn check(scenario: &Scenario) -> Result<(), Vec<Problem>> {
    if !scenario.exchanges() {
        return Ok(());
    }
    let allowed = "an exchange has no offered load that could saturate a network, allowed: none; \
                   dragontree contention counts what shares channels in its phases";
    Err(vec![Problem::new("exchange", scenario.exchange.name(), allowed)])
}

impl Saturation {
    /// What the analysis of an experiment knows.
    fn before(experiment: &Experiment) -> Saturation {
        let limit = experiment.analysis.limit.as_ref();
        Saturation {
            throughput: limit.map(|limit| limit.bound),
            channel: limit.map(|limit| limit.busiest_name.clone()),
            why: limit.and_then(|limit| limit.why.clone()),
            fair_mean: None,
            unknown: None,
        }
    }
}

impl Experiment {
    /// Begins to look for the max-min fair rates of its flows; or why they cannot be known.
    fn fair_rates(&self) -> Result<FairRates, String> {
        let routes = self.routes.fixed().map_err(|not_fixed| not_fixed.to_string())?;
        let utilization = &self.analysis.report.utilization;
        let rates =
            FairRates::new(&self.network, routes, &self.placement, &self.destinations, utilization);
        match rates.work() {
            ways if ways > MOST_WAYS_WHOLE => Err(format!(
                "flows have about {} ways, and up to {} are walked",
                grouped(ways),
                grouped(MOST_WAYS_WHOLE)
            )),
            _ => Ok(rates),
        }
    }
}
