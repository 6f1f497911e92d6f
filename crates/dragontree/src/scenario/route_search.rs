//! Finding a scenario's routes, at once or a little at a time.

use std::sync::Arc;

use super::Scenario;
use super::building::of_routing;
use crate::catalog::{Menu, Problem};
use crate::network::Network;
use crate::routing::{AnyRoutes, NotFixed, Routes, Routing, Search};

/// A scenario's routes that are being found.
pub struct RouteSearch {
    /// The routing's name.
    routing: &'static str,
    search: Search,
}

impl Scenario {
    /// Begins to find the routes in a network, which is this scenario's.
    pub fn search_routes(&self, network: &Arc<Network>) -> RouteSearch {
        let search = self.routing.role().begin(network, self.seed);
        RouteSearch { routing: self.routing.name(), search }
    }

    /// The routes in a network, which is this scenario's.
    ///
    /// # Errors
    /// Every problem with the routing, each naming its setting.
    pub fn any_routes(&self, network: &Arc<Network>) -> Result<AnyRoutes, Vec<Problem>> {
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

    /// The same, with what is odd in the files that the routing reads.
    ///
    /// # Errors
    /// As [`routes`](Self::routes).
    pub fn routes_with_notices(
        &self,
        network: &Arc<Network>,
    ) -> Result<(Arc<Routes>, Vec<String>), Vec<Problem>> {
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
}
