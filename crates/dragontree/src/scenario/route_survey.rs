//! The numbers of routes, found without simulating anything.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

#[cfg(feature = "complete")]
use super::Exchanging;
use super::Scenario;
use crate::analysis::{Connecting, Contending, Levels, Question, Rail, rails, rails_of};
use crate::catalog::{Menu, Problem};
use crate::network::{Network, PortId};
use crate::placement::{Contiguous, Keepers, Order, Placement};
use crate::routing::Routes;
#[cfg(feature = "complete")]
use crate::units::grouped;

/// What is known of routes; of several rails the worst contention, and all pairs together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RouteNumbers {
    /// The largest number of flows on one channel between switches, over all shifts of the ranks.
    pub contention: Option<f64>,
    /// The mean over these shifts of the largest number of flows on one channel.
    pub contention_mean: Option<f64>,
    /// Virtual layers or channels that the routes use.
    pub layers: u32,
    /// Ordered pairs of endpoints that cables join and that have no route.
    pub unrouted: Option<u64>,
    /// Likewise of switches; none where routes do not lead to switches.
    pub unrouted_switches: Option<u64>,
}

impl Scenario {
    /// What an audit of this scenario's routes in its network is to know.
    pub fn question(&self, network: &Network) -> Question {
        Question {
            placement: self.for_shifts(network).placement,
            ranks: self.ranks.map(|ranks| ranks.div_ceil(self.ranks_per_endpoint.max(1))),
            seed: self.seed,
            ..Question::of(self.routing.name())
        }
    }

    /// The same with what is automatic of the order in which shifts are counted: along the trees of
    /// the network with place keepers, as the routes of fat trees are dealt out (Zahavi 2009, §3.2),
    /// or by index where it is no fat tree.
    pub fn for_shifts(&self, network: &Network) -> Scenario {
        let mut scenario = self.clone();
        if let Placement::Contiguous(Contiguous { order, keepers }) = &mut scenario.placement {
            let is_tree = |ports: &[_]| Order::Ftree.places(network, ports, Keepers::Yes).is_ok();
            if *order == Order::Auto {
                let is_tree = rails(network).iter().all(|rail| is_tree(&rail.ports));
                *order = if is_tree { Order::Ftree } else { Order::Index };
            }
            if *keepers == Keepers::Auto {
                let along = *order == Order::Ftree;
                *keepers = if along { Keepers::Yes } else { Keepers::No };
            }
        }
        scenario
    }
}

/// The most ways of pairs that are gone through one by one, which takes half an hour.
#[cfg(feature = "complete")]
const MOST_WAYS: u64 = 5_000_000_000;

#[cfg(feature = "complete")]
impl Scenario {
    /// Whether so many ways of the pairs of shifts, or of messages, can be gone through one by one.
    ///
    /// # Errors
    /// That would take hours.
    pub fn check_ways_to_count(&self, ways: u64) -> Result<(), Vec<Problem>> {
        if ways <= MOST_WAYS {
            return Ok(());
        }
        let (what, also) = match self.exchanges() {
            true => ("the messages", ""),
            false => (
                "the shifts of so many endpoints",
                ", and a routing with one way between two switches is quickly counted",
            ),
        };
        let allowed = format!(
            "{what} have about {} ways to go through one by one, allowed: up to {}; \
             exchange=all_to_all,order=lin,phase=1 is a single shift{also}",
            grouped(ways),
            grouped(MOST_WAYS)
        );
        Err(vec![Problem::new("routing", self.routing.name(), allowed)])
    }
}

/// Looks at routes, a little at a time.
pub(super) struct RouteSurvey {
    network: Arc<Network>,
    routes: Arc<Routes>,
    rails: Vec<Rail>,
    places: Vec<Vec<Option<PortId>>>,
    /// Who sends to whom instead of the shifts, where there is an exchange.
    #[cfg(feature = "complete")]
    exchanging: Option<Exchanging>,
    wants: Wanted,
    stage: Stage,
    numbers: RouteNumbers,
}

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub contention: bool,
    pub pairs: bool,
}

enum Stage {
    Contending(usize, Box<Contending>),
    Connecting(usize, Box<Connecting>),
    Done,
}

impl RouteSurvey {
    /// Begins with a scenario's routes in its network.
    pub fn new(
        scenario: &Scenario,
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        wants: Wanted,
    ) -> Result<RouteSurvey, Vec<Problem>> {
        if !cfg!(feature = "complete") {
            return Err(vec![Problem::new("y", "", "only the complete build looks at routes")]);
        }
        let rails = rails_of(network, routes);
        #[cfg(feature = "complete")]
        let exchanging = match scenario.routing.role().needs_messages() {
            true => scenario.sending_along(network, Some(routes))?,
            false => scenario.exchanging_along(network, Some(routes))?,
        };
        let places = rails.iter().map(|rail| {
            #[cfg(feature = "complete")]
            if let Some(exchanging) = &exchanging {
                return Ok(exchanging.ports(rail));
            }
            scenario.for_shifts(network).places(network, &rail.ports)
        });
        let mut survey = RouteSurvey {
            places: places.collect::<Result<_, _>>()?,
            #[cfg(feature = "complete")]
            exchanging,
            rails,
            wants,
            stage: Stage::Done,
            numbers: RouteNumbers {
                layers: u32::from(routes.route().virtual_channels()),
                ..RouteNumbers::default()
            },
            network: network.clone(),
            routes: routes.clone(),
        };
        survey.contend(0);
        #[cfg(feature = "complete")]
        if let Stage::Contending(_, contending) = &survey.stage {
            scenario.check_ways_to_count(contending.ways())?;
        }
        Ok(survey)
    }

    /// The routes.
    #[cfg(feature = "complete")]
    pub fn routes(&self) -> &Arc<Routes> {
        &self.routes
    }

    /// The numbers so far.
    pub fn numbers(&self) -> RouteNumbers {
        self.numbers
    }

    fn contend(&mut self, rail: usize) {
        match self.places.get(rail).filter(|_| self.wants.contention) {
            Some(places) => {
                let levels = Levels::new(&self.network);
                let contending = self.contending(levels, rail, places);
                self.stage = Stage::Contending(rail, Box::new(contending));
            }
            None => self.connect(0),
        }
    }

    #[cfg_attr(not(feature = "complete"), expect(unused_variables))]
    fn contending(&self, levels: Levels, rail: usize, places: &[Option<PortId>]) -> Contending {
        #[cfg(feature = "complete")]
        if let Some(exchanging) = &self.exchanging {
            return exchanging.contending(&self.network, &self.routes, levels, &self.rails[rail]);
        }
        Contending::shifts(&self.network, &self.routes, levels, places)
    }

    fn connect(&mut self, rail: usize) {
        self.stage = match self.rails.get(rail).filter(|_| self.wants.pairs) {
            Some(of) => {
                let connecting = Connecting::new(&self.network, &self.routes, of);
                Stage::Connecting(rail, Box::new(connecting))
            }
            None => Stage::Done,
        };
    }

    /// A guess of the share of the work that is done.
    pub fn share(&self) -> f64 {
        if !cfg!(feature = "complete") {
            return 0.0;
        }
        // Contention takes longest where it is wanted.
        let (rail, share) = match (&self.stage, self.wants.contention) {
            (Stage::Contending(rail, contending), _) => (*rail, contending.share()),
            (Stage::Connecting(rail, connecting), false) => (*rail, connecting.share()),
            (Stage::Connecting(..), true) | (Stage::Done, _) => return 1.0,
        };
        (rail as f64 + share) / self.rails.len().max(1) as f64
    }

    /// Goes on for about `budget` steps; whether all is done.
    pub fn advance(&mut self, budget: u64) -> bool {
        if !cfg!(feature = "complete") {
            return true;
        }
        let numbers = &mut self.numbers;
        match &mut self.stage {
            Stage::Contending(rail, contending) => {
                let (rail, Some(found)) = (*rail, contending.advance(budget)) else {
                    return false;
                };
                let before = (numbers.contention.unwrap_or(0.0), numbers.contention_mean);
                if rail == 0 || (found.worst, found.mean) > (before.0, before.1.unwrap_or(0.0)) {
                    numbers.contention = Some(found.worst);
                    numbers.contention_mean = Some(found.mean);
                }
                self.contend(rail + 1);
            }
            Stage::Connecting(rail, connecting) => {
                let (rail, Some(found)) = (*rail, connecting.advance(budget)) else {
                    return false;
                };
                let lost = |pairs: &crate::analysis::Pairs| {
                    pairs.connected - pairs.routed.min(pairs.connected)
                };
                *numbers.unrouted.get_or_insert(0) += lost(&found.endpoint_pairs);
                if let Some(pairs) = &found.switch_pairs {
                    *numbers.unrouted_switches.get_or_insert(0) += lost(pairs);
                }
                self.connect(rail + 1);
            }
            Stage::Done => {}
        }
        matches!(self.stage, Stage::Done)
    }
}
