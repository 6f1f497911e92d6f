//! Routes as files for other programs.

use std::sync::Arc;

use super::Scenario;
use crate::analysis::Tracer;
use crate::catalog::{Menu, Problem};
use crate::interchange::{Writing, lfts};
use crate::network::Network;

impl Scenario {
    /// The routes in a network, which is this scenario's, as OpenSM's engine `file` loads them. That
    /// knows no virtual layers, which is said where the routes have several.
    ///
    /// # Errors
    /// There are no routes, or forwarding tables cannot hold them.
    pub fn lfts_file(&self, network: &Arc<Network>) -> Result<Writing, Vec<Problem>> {
        let routes = self.routes(network)?;
        let tables = routes.oblivious().lfts().ok_or_else(|| {
            let reason = "its routes depend on more than the switch and the destination, so no \
                          forwarding tables can hold them";
            self.refused(reason.to_owned())
        })?;
        let text = lfts::write(network, &tables);
        let text = text.map_err(|unwritable| self.refused(unwritable.to_string()))?;
        let layers = match routes.route().virtual_channels() {
            0 | 1 => None,
            layers => Some(format!(
                "the {layers} virtual layers of these routes, which keep them from deadlocks; in one \
                 layer they may deadlock"
            )),
        };
        Ok(Writing { text, losses: layers.into_iter().collect() })
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
