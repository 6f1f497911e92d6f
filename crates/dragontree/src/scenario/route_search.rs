//! Finding a scenario's routes, a little at a time.

use std::sync::Arc;

use super::Scenario;
use super::building::of_routing;
use crate::catalog::{Menu, Problem};
use crate::network::Network;
use crate::routing::{Routes, Search};

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
    pub fn advance(&mut self, budget: u64) -> Option<Result<Arc<Routes>, Vec<Problem>>> {
        let found = self.search.advance(budget)?;
        Some(found.map(Arc::new).map_err(|problems| of_routing(self.routing, problems)))
    }
}
