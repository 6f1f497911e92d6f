//! Finding a scenario's routes, at once or a little at a time.

#[cfg(feature = "complete")]
use std::ops::Range;
use std::sync::Arc;

use super::{Experiment, Scenario};
use crate::catalog::{Menu, Problem};
use crate::network::Network;
#[cfg(feature = "complete")]
use crate::routing::pattern_specific::Share;
use crate::routing::{AnyRoutes, NotFixed, Routes, Routing, Search};

/// A scenario's routes that are being found.
pub struct RouteSearch {
    /// The routing's name.
    routing: &'static str,
    search: Search,
}

/// Routes, or the search for them.
pub enum Routed {
    /// They are known.
    Found(AnyRoutes),
    /// It takes a search.
    Searching(Box<RouteSearch>),
}

impl Routed {
    /// The routes, where they are known.
    pub(super) fn found(&self) -> Option<&AnyRoutes> {
        match self {
            Routed::Found(routes) => Some(routes),
            Routed::Searching(_) => None,
        }
    }
}

impl Scenario {
    /// The routes in a network, which is this scenario's: an earlier experiment's when they are the
    /// same, or the search for them.
    ///
    /// # Errors
    /// As [`search_routes`](Self::search_routes), and every problem with routes that take no search.
    pub fn routed(
        &self,
        earlier: Option<&Experiment>,
        network: &Arc<Network>,
    ) -> Result<Routed, Vec<Problem>> {
        if let Some(routes) = self.earlier_routes(earlier, network) {
            return Ok(Routed::Found(routes));
        }
        // Other builds hold no routing that takes a search.
        if !cfg!(feature = "complete") {
            return self.any_routes(network).map(Routed::Found);
        }
        let mut search = self.search_routes(network)?;
        match search.advance(0) {
            Some(routes) => routes.map(Routed::Found),
            None => Ok(Routed::Searching(Box::new(search))),
        }
    }

    /// The routes of an earlier experiment when they are the same.
    fn earlier_routes(
        &self,
        earlier: Option<&Experiment>,
        network: &Arc<Network>,
    ) -> Option<AnyRoutes> {
        let same = |earlier: &&Experiment| {
            Arc::ptr_eq(&earlier.network, network) && self.has_routes_of(&earlier.scenario)
        };
        earlier.filter(same).map(|earlier| earlier.routes.clone())
    }

    /// Whether another scenario's routes, in the same network, are its own.
    pub(super) fn has_routes_of(&self, other: &Scenario) -> bool {
        let is_same = other.routing == self.routing
            && (other.seed == self.seed || !self.routing.role().follows_seed());
        #[cfg(feature = "complete")]
        if self.routing.role().needs_messages() {
            return is_same && self.shares_demand(other);
        }
        // Other builds hold no such routing.
        is_same
    }

    /// Begins to find the routes in a network, which is this scenario's.
    ///
    /// # Errors
    /// They are routes for messages, and the scenario has none that are known.
    pub fn search_routes(&self, network: &Arc<Network>) -> Result<RouteSearch, Vec<Problem>> {
        let (role, routing) = (self.routing.role(), self.routing.name());
        #[cfg(feature = "complete")]
        if role.needs_messages() && role.fits(network).is_ok() {
            let demand = self.demand(network)?;
            let search = role.begin_for(network, &demand, self.seed);
            return Ok(RouteSearch { routing, search });
        }
        Ok(RouteSearch { routing, search: role.begin(network, self.seed) })
    }

    /// The routes in a network, which is this scenario's.
    ///
    /// # Errors
    /// Every problem with the routing, each naming its setting.
    pub fn any_routes(&self, network: &Arc<Network>) -> Result<AnyRoutes, Vec<Problem>> {
        if self.routing.role().needs_messages() {
            return self.search_routes(network)?.finish();
        }
        let found = self.routing.role().find_any(network, self.seed);
        found.map_err(|problems| of_routing(self.routing.name(), problems))
    }

    /// The same where they do not depend on the load, so that they can be looked at.
    ///
    /// # Errors
    /// As [`any_routes`](Self::any_routes), and that they are adaptive.
    pub fn routes(&self, network: &Arc<Network>) -> Result<Arc<Routes>, Vec<Problem>> {
        self.fixed(&self.any_routes(network)?)
    }

    /// This scenario's routes, where they do not depend on the load.
    ///
    /// # Errors
    /// They are adaptive.
    pub fn fixed(&self, routes: &AnyRoutes) -> Result<Arc<Routes>, Vec<Problem>> {
        let refuse = |not_fixed: NotFixed| {
            vec![Problem::new("routing", self.routing.name(), not_fixed.to_string())]
        };
        routes.fixed().cloned().map_err(refuse)
    }

    /// Whether the routes can be looked at for all pairs of endpoints, whatever is sent.
    ///
    /// # Errors
    /// They are made for messages.
    pub fn check_for_pairs(&self) -> Result<(), Vec<Problem>> {
        if !self.routing.role().needs_messages() {
            return Ok(());
        }
        let allowed = "its routes are made for certain messages, and no audit of all pairs of \
                       endpoints tells how good they are; the contention of these messages does";
        Err(vec![Problem::new("routing", self.routing.name(), allowed)])
    }

    /// The routes for all pairs, where they do not depend on the load, with what is odd in the files
    /// that the routing reads.
    ///
    /// # Errors
    /// As [`routes`](Self::routes), and that they are made for messages.
    pub fn routes_with_notices(
        &self,
        network: &Arc<Network>,
    ) -> Result<(Arc<Routes>, Vec<String>), Vec<Problem>> {
        self.check_for_pairs()?;
        let Routing::Imported(imported) = &self.routing else {
            return Ok((self.routes(network)?, Vec::new()));
        };
        let found = imported.find_with_notices(network);
        let (routes, notices) =
            found.map_err(|problems| of_routing(self.routing.name(), problems))?;
        Ok((Arc::new(routes), notices.iter().map(ToString::to_string).collect()))
    }
}

impl RouteSearch {
    /// A guess of the share of the work that is done.
    pub fn share(&self) -> f64 {
        self.search.share()
    }

    /// Goes on for about `budget` steps of some ten nanoseconds each; once, when all is done, the
    /// routes. With a budget of 0 only those that take no search.
    ///
    /// # Errors
    /// Every problem with the routing, each naming its setting.
    pub fn advance(&mut self, budget: u64) -> Option<Result<AnyRoutes, Vec<Problem>>> {
        let found = self.search.advance(budget)?;
        Some(found.map_err(|problems| of_routing(self.routing, problems)))
    }

    /// The whole of it at once.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn finish(mut self) -> Result<AnyRoutes, Vec<Problem>> {
        loop {
            if let Some(found) = self.advance(u64::MAX) {
                return found;
            }
        }
    }
}

/// Routes of messages can be found for several phases at the same time: some are given away, solved
/// by [`Scenario::share_of_routes`] and taken; the routes are the same.
#[cfg(feature = "complete")]
impl RouteSearch {
    /// How many messages routes are found for; none where they are for pairs.
    pub fn messages(&mut self) -> Option<u64> {
        self.search.messages()
    }

    /// Phases that somebody else is to solve: of those that are left one in so many, the last ones;
    /// none where too few are left.
    pub fn give(&mut self, one_in: u32) -> Option<Range<u32>> {
        self.search.give(one_in)
    }

    /// Goes on with phases for about `budget` steps of some ten nanoseconds each; whether all are
    /// solved, here and elsewhere.
    pub fn solve(&mut self, budget: u64) -> bool {
        self.search.solve(budget)
    }

    /// Takes what somebody else has solved.
    pub fn take(&mut self, share: Share) {
        self.search.take(share);
    }

    /// Takes phases back that nobody else has solved.
    pub fn take_back(&mut self, given: &Range<u32>) {
        self.search.take_back(given);
    }

    /// Whether there is nothing to do until somebody else has solved what was given.
    pub fn is_waiting(&mut self) -> bool {
        self.search.is_waiting()
    }
}

#[cfg(feature = "complete")]
impl Scenario {
    /// The routes of some phases in a network, which is this scenario's, for
    /// [`RouteSearch::take`].
    ///
    /// # Errors
    /// As [`search_routes`](Self::search_routes), and that the routes are not made for messages.
    pub fn share_of_routes(
        &self,
        network: &Arc<Network>,
        phases: Range<u32>,
    ) -> Result<Share, Vec<Problem>> {
        let share = self.search_routes(network)?.search.share_of(phases);
        share.ok_or_else(|| {
            let reason = "its routes are not made for messages";
            vec![Problem::new("routing", self.routing.name(), reason)]
        })
    }
}

/// Routes that a run has found to look at them, and not to simulate.
#[cfg(feature = "complete")]
#[derive(Clone)]
pub struct Looked {
    pub(super) scenario: Scenario,
    pub(super) routes: Arc<Routes>,
}

#[cfg(feature = "complete")]
impl Scenario {
    /// The routes in a network, which is this scenario's: those that were found to be `looked` at, when
    /// they are the same; else as [`routed`](Self::routed).
    ///
    /// # Errors
    /// As there.
    pub fn routed_like(
        &self,
        looked: Option<&Looked>,
        earlier: Option<&Experiment>,
        network: &Arc<Network>,
    ) -> Result<Routed, Vec<Problem>> {
        let is_same = |looked: &&Looked| {
            self.shares_network(&looked.scenario) && self.has_routes_of(&looked.scenario)
        };
        match looked.filter(is_same) {
            Some(looked) => Ok(Routed::Found(AnyRoutes::Fixed(looked.routes.clone()))),
            None => self.routed(earlier, network),
        }
    }
}

/// Problems that name the routing.
fn of_routing(name: &str, problems: Vec<Problem>) -> Vec<Problem> {
    let within = |mut problem: Problem| {
        if problem.key.is_empty() && problem.given.is_empty() {
            name.clone_into(&mut problem.given);
            // It needs nothing but cables.
            problem.nearest = Some("min_hop".to_owned()).filter(|other| other != name);
            return problem.within("routing");
        }
        problem.within(&format!("routing={name}"))
    };
    problems.into_iter().map(within).collect()
}
