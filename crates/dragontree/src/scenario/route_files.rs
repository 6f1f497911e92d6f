//! Routes as files for other programs.

use std::sync::Arc;

use super::Scenario;
use crate::analysis::Tracer;
use crate::catalog::{Menu, Problem};
use crate::interchange::lfts;
use crate::network::Network;

impl Scenario {
    /// The routes in a network, which is this scenario's, as OpenSM's engine `file` loads them.
    ///
    /// # Errors
    /// There are no routes, or forwarding tables cannot hold them.
    pub fn lfts_file(&self, network: &Arc<Network>) -> Result<String, Vec<Problem>> {
        let routes = self.routes(network)?;
        let tables = routes.oblivious().lfts().ok_or_else(|| {
            let reason = "its routes depend on more than the switch and the destination, so no \
                          forwarding tables can hold them";
            self.refused(reason.to_owned())
        })?;
        lfts::write(network, &tables).map_err(|unwritable| self.refused(unwritable.to_string()))
    }

    /// The paths of every pair of endpoints in a network, which is this scenario's, as
    /// comma-separated values; see [`Tracer::csv`].
    ///
    /// # Errors
    /// There are no routes, or more than so many pairs.
    pub fn paths_file(&self, network: &Arc<Network>, most: u64) -> Result<String, Vec<Problem>> {
        let tracer = Tracer::new(network, &self.routes(network)?);
        match tracer.pair_count() {
            pairs if pairs > most => Err(self.refused(format!(
                "there are {pairs} pairs of endpoints, allowed here: up to {most}"
            ))),
            _ => Ok(tracer.csv()),
        }
    }

    fn refused(&self, reason: String) -> Vec<Problem> {
        vec![Problem::new("routing", self.routing.name(), reason)]
    }
}
