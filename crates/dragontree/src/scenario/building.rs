//! Builds an experiment, a little at a time.

use std::sync::Arc;

#[cfg(feature = "complete")]
use super::exchanging::Exchanging;
use super::experiment::{Analysis, Experiment, Limit};
use super::record::Why;
use super::{RouteSearch, Routed, Scenario};
use crate::analysis::{Expectation, Latencies, Report};
use crate::catalog::{Menu, Problem};
use crate::network::{EndpointId, Failures, Network, Node};
use crate::placement::Unfit;
use crate::routing::{AnyRoutes, Unroutable};
use crate::simulation::WaysFor;
use crate::topology::MOST_SWITCHES;
use crate::traffic::{Destinations, SEVERAL, Site};
use crate::units::{Load, grouped};

/// The most ways that are walked before a run: with more, which take some ten seconds, an offered load is
/// simulated without its bound being known.
pub(super) const MOST_WAYS: u64 = 100_000_000;
const _: () =
    assert!(MOST_SWITCHES.pow(2) <= MOST_WAYS, "a build that measures no channel knows the bound");
/// The most that are walked at all.
pub(super) const MOST_WAYS_WHOLE: u64 = 1_000_000_000;

/// An experiment of which network and traffic stand, and whose routes and analysis go on.
pub struct Building {
    scenario: Arc<Scenario>,
    parts: Parts,
    stage: Stage,
    /// The share of the work that was done before the analysis.
    before: f64,
    /// Whether the bound of an offered load is what is asked for.
    needs_bound: bool,
}

pub(super) struct Parts {
    pub network: Arc<Network>,
    pub placement: Arc<[EndpointId]>,
    pub destinations: Arc<Destinations>,
    #[cfg(feature = "complete")]
    pub exchanging: Option<Arc<Exchanging>>,
}

enum Stage {
    Routing(Box<RouteSearch>),
    Analyzed(AnyRoutes, Arc<Analysis>),
    Analyzing(AnyRoutes, Box<Expectation>),
}

/// The share of finding routes, where that takes a search, in the whole.
pub(super) const ROUTING: f64 = 0.8;

/// Steps of finding routes in the time of a pair of endpoints.
const STEPS_PER_PAIR: u64 = 10;

impl Building {
    /// Builds the parts of a scenario, taking over from `earlier` what the two have in common.
    ///
    /// # Errors
    /// Every problem found, each naming its setting.
    pub fn start(
        scenario: &Scenario,
        earlier: Option<&Experiment>,
    ) -> Result<Building, Vec<Problem>> {
        Building::begin(scenario, earlier, false)
    }

    /// The same, for the bound of an offered load.
    #[cfg(feature = "complete")]
    pub(super) fn for_bound(scenario: &Scenario) -> Result<Building, Vec<Problem>> {
        Building::begin(scenario, None, true)
    }

    fn begin(
        scenario: &Scenario,
        earlier: Option<&Experiment>,
        needs_bound: bool,
    ) -> Result<Building, Vec<Problem>> {
        let (parts, routing) = scenario.build_parts(earlier)?;
        let (stage, before) = match routing {
            Routed::Searching(search) => (Stage::Routing(search), ROUTING),
            Routed::Found(routes) => (scenario.analyze(&parts, routes, earlier, needs_bound)?, 0.0),
        };
        Ok(Building { scenario: Arc::new(scenario.clone()), parts, stage, before, needs_bound })
    }

    /// The same with a network and routes that are this scenario's.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    #[cfg(feature = "complete")]
    pub(super) fn on(
        scenario: &Scenario,
        network: &Arc<Network>,
        routes: AnyRoutes,
    ) -> Result<Building, Vec<Problem>> {
        let parts = scenario.parts_on(network, Some(&routes))?;
        let stage = scenario.analyze(&parts, routes, None, true)?;
        let scenario = Arc::new(scenario.clone());
        Ok(Building { scenario, parts, stage, before: 0.0, needs_bound: true })
    }

    /// The share of the work that is done.
    pub fn share(&self) -> f64 {
        match &self.stage {
            Stage::Routing(search) => self.before * search.share(),
            Stage::Analyzed(..) => 1.0,
            Stage::Analyzing(_, analysis) => self.before + (1.0 - self.before) * analysis.share(),
        }
    }

    /// The search for its routes, while that goes on.
    #[cfg(feature = "complete")]
    pub fn search(&mut self) -> Option<&mut RouteSearch> {
        match &mut self.stage {
            Stage::Routing(search) => Some(search),
            _ => None,
        }
    }

    /// Goes on for about `budget` pairs of endpoints; the experiment when it is complete.
    ///
    /// # Errors
    /// There are no routes, or a pair that has traffic has none.
    pub fn advance(&mut self, budget: u64) -> Result<Option<Experiment>, Vec<Problem>> {
        let (routes, analysis) = match &mut self.stage {
            Stage::Routing(search) => {
                if let Some(routes) = search.advance(budget.saturating_mul(STEPS_PER_PAIR)) {
                    let routes = routes?;
                    #[cfg(feature = "complete")]
                    if self.scenario.goes_by_ways() {
                        self.parts = self.scenario.parts_on(&self.parts.network, Some(&routes))?;
                    }
                    self.stage =
                        self.scenario.analyze(&self.parts, routes, None, self.needs_bound)?;
                }
                return Ok(None);
            }
            Stage::Analyzed(routes, analysis) => (routes.clone(), analysis.clone()),
            Stage::Analyzing(routes, expectation) => {
                let routing = self.scenario.routing.name();
                let found = expectation.advance(budget).map_err(|unroutable| {
                    let Unroutable { at, destination } = unroutable;
                    let network = &self.parts.network;
                    let [from, to] = [Node::Switch(at), Node::Endpoint(destination)];
                    let [from, to] = [from, to].map(|node| network.name(node));
                    let broken = self.scenario.faults.name() != "none" && routing != "min_hop";
                    let advice = if broken { "; allowed beside faults: min_hop" } else { "" };
                    let text = format!("no route from {from} to {to}{advice}");
                    vec![Problem::new("routing", routing, text)]
                })?;
                let Some(report) = found else { return Ok(None) };
                let network = &self.parts.network;
                let limit = routes.fixed().ok().map(|_| Limit {
                    bound: report.bound,
                    busiest_name: network.channel_name(report.busiest),
                    why: report.reason.as_ref().map(|reason| Why::of(network, reason)),
                });
                (routes.clone(), Arc::new(Analysis { limit, report }))
            }
        };
        self.stage = Stage::Analyzed(routes.clone(), analysis.clone());
        #[cfg(feature = "complete")]
        let managed = self.scenario.managed(&self.parts.network, &routes)?;
        Ok(Some(Experiment {
            scenario: self.scenario.clone(),
            network: self.parts.network.clone(),
            routes,
            placement: self.parts.placement.clone(),
            destinations: self.parts.destinations.clone(),
            analysis,
            #[cfg(feature = "complete")]
            managed,
            #[cfg(feature = "complete")]
            exchanging: self.parts.exchanging.clone(),
        }))
    }
}

/// What to say of a part that does not fit the network, or of one of its settings.
pub(super) fn unfit(
    key: &'static str,
    part: &dyn Menu,
) -> impl FnOnce(Unfit) -> Vec<Problem> + use<> {
    let name = part.name();
    move |unfit| match unfit {
        Unfit::Needs(needs) => vec![Problem::new(key, name, needs.to_string())],
        Unfit::Problem(problem) => vec![problem.within(&format!("{key}={name}"))],
    }
}

impl Scenario {
    /// Whether this build holds all of its parts, not only their settings.
    pub fn is_held(&self) -> bool {
        let topology = self.topology.is_held() && self.topology.role().is_held();
        let placement = self.placement.is_held() && self.placement.role().is_held();
        let others = self.faults.is_held() && self.routing.is_held() && self.traffic.is_held();
        let others = others && self.exchange.is_held();
        let alone = SEVERAL || self.ranks_per_endpoint == 1;
        let sends_alone = cfg!(feature = "complete") || self.management.load == Load::ppm(0);
        let sends = self.injection.is_held() && sends_alone;
        // With fewer virtual channels than routes need they may deadlock.
        let channels = cfg!(feature = "complete") || self.virtual_channels.is_none();
        // What judges windows that are given is in the complete build only.
        let window = self.warmup.is_none() && self.window.is_none();
        let measured = (cfg!(feature = "complete") || window) && self.model().is_held();
        topology && placement && others && alone && sends && channels && measured
    }

    /// Whether its ranks exchange messages, instead of sending at an offered load.
    pub fn exchanges(&self) -> bool {
        self.exchange.name() != "none"
    }

    /// The network with its faults.
    ///
    /// # Errors
    /// Every problem found with the topology, or one with the faults, each naming its setting.
    pub fn network(&self) -> Result<Arc<Network>, Vec<Problem>> {
        let (network, failures) = self.fabric()?;
        Ok(Arc::new(if failures.is_empty() { network } else { network.without(&failures) }))
    }

    /// The network before anything fails, and what fails.
    ///
    /// # Errors
    /// As [`network`](Self::network).
    pub fn fabric(&self) -> Result<(Network, Failures), Vec<Problem>> {
        let within =
            |problem: Problem| problem.within(&format!("topology={}", self.topology.name()));
        let network = self.topology.role().build(&self.links());
        let network = network
            .map_err(|problems| problems.into_iter().map(within).collect::<Vec<Problem>>())?;
        let failures =
            self.faults.role().failures(&network, self.seed).map_err(|problem| {
                vec![problem.within(&format!("faults={}", self.faults.name()))]
            })?;
        Ok((network, failures))
    }

    /// Whether another scenario has the same network.
    pub fn shares_network(&self, other: &Scenario) -> bool {
        let follows_seed = self.faults.name() == "random";
        self.topology == other.topology
            && self.faults == other.faults
            && (self.seed == other.seed || !follows_seed)
            && self.links() == other.links()
    }

    /// The network, an earlier experiment's when it is the same.
    ///
    /// # Errors
    /// As [`network`](Self::network).
    pub fn network_like(&self, earlier: Option<&Experiment>) -> Result<Arc<Network>, Vec<Problem>> {
        match earlier.filter(|earlier| self.shares_network(&earlier.scenario)) {
            Some(earlier) => Ok(earlier.network.clone()),
            None => self.network(),
        }
    }

    /// Network, placement and traffic, with the routes or the search for them.
    pub(super) fn build_parts(
        &self,
        earlier: Option<&Experiment>,
    ) -> Result<(Parts, Routed), Vec<Problem>> {
        let mut problems = self.check_sizes();
        let network = match self.network_like(earlier) {
            Ok(network) => network,
            Err(found) => {
                problems.extend(found);
                return Err(problems);
            }
        };
        let routed = self.routed(earlier, &network);
        let parts = self.parts_on(&network, routed.as_ref().ok().and_then(Routed::found));
        match (routed, parts) {
            (Ok(routed), Ok(parts)) if problems.is_empty() => Ok((parts, routed)),
            (routed, parts) => {
                // What routes are made for can be what is wrong.
                let found = routed.err().into_iter().chain(parts.err()).flatten();
                for problem in found {
                    if !problems.contains(&problem) {
                        problems.push(problem);
                    }
                }
                Err(problems)
            }
        }
    }

    /// Placement and traffic, or exchange, on a network, whose routes may not be known yet.
    #[cfg_attr(not(feature = "complete"), expect(unused_variables))]
    fn parts_on(
        &self,
        network: &Arc<Network>,
        routes: Option<&AnyRoutes>,
    ) -> Result<Parts, Vec<Problem>> {
        #[cfg(feature = "complete")]
        let fixed = routes.and_then(|routes| routes.fixed().ok());
        #[cfg(feature = "complete")]
        if let Some(exchanging) = self.exchanging_along(network, fixed.map(Arc::as_ref))? {
            return Ok(Parts {
                network: network.clone(),
                placement: exchanging.placement.clone().into(),
                destinations: Arc::new(exchanging.as_traffic()),
                exchanging: Some(Arc::new(exchanging)),
            });
        }
        let placement = self.place(network)?;
        let site = Site { network, placement: &placement, seed: self.seed };
        let destinations = self.traffic.role().destinations(site);
        let destinations = destinations.map_err(unfit("traffic", &self.traffic))?;
        Ok(Parts {
            network: network.clone(),
            destinations: Arc::new(destinations.without_keepers(&placement)),
            placement: placement.iter().copied().flatten().collect(),
            #[cfg(feature = "complete")]
            exchanging: None,
        })
    }

    /// Begins to analyze routes, or takes the analysis over from an earlier experiment.
    fn analyze(
        &self,
        parts: &Parts,
        routes: AnyRoutes,
        earlier: Option<&Experiment>,
        needs_bound: bool,
    ) -> Result<Stage, Vec<Problem>> {
        self.check_ways(&routes)?;
        let same = |earlier: &&Experiment| {
            earlier.routes.is(&routes)
                && earlier.scenario.latencies() == self.latencies()
                && earlier.scenario.unit() == self.unit()
                && earlier.placement == parts.placement
                && earlier.destinations == parts.destinations
        };
        if let Some(earlier) = earlier.filter(same) {
            return Ok(Stage::Analyzed(routes, earlier.analysis.clone()));
        }
        let expectation = self.expectation(parts, &routes)?;
        let ways = expectation.work();
        if ways > MOST_WAYS && !needs_bound && !self.exchanges() {
            let report = Report::unknown(&parts.network);
            return Ok(Stage::Analyzed(routes, Arc::new(Analysis { report, limit: None })));
        }
        if ways > MOST_WAYS_WHOLE {
            let (key, name) = self.sender();
            let allowed = format!(
                "{} ranks have about {} ways to analyze, allowed: up to {}; a smaller network, \
                 fewer ranks, another {key} or another routing has fewer",
                parts.placement.len(),
                grouped(ways),
                grouped(MOST_WAYS_WHOLE)
            );
            return Err(vec![Problem::new(key, name, allowed)]);
        }
        Ok(Stage::Analyzing(routes, Box::new(expectation)))
    }

    /// What the latency in an empty network depends on besides the network.
    fn latencies(&self) -> Latencies {
        let together = self.together();
        Latencies {
            switch: self.switch_latency,
            adapter: self.adapter_latency,
            flits: self.model().flits(self.packet) * u64::from(together),
            apart: together > 1 && self.injection.ways == WaysFor::Packet,
            adapts: false,
        }
    }

    pub(super) fn expectation(
        &self,
        parts: &Parts,
        routes: &AnyRoutes,
    ) -> Result<Expectation, Vec<Problem>> {
        if !parts.send() {
            return Err(vec![self.unsent(parts)]);
        }
        let Parts { network, placement, destinations, .. } = parts;
        let expectation = Expectation::new(
            network,
            routes.unloaded(),
            placement,
            destinations,
            Latencies { adapts: routes.adaptive().is_some(), ..self.latencies() },
            self.unit(),
        );
        Ok(expectation)
    }
}
