//! Routes as files for other programs.

use std::sync::Arc;

use super::Scenario;
use crate::analysis::Tracer;
use crate::catalog::{Menu, Problem};
use crate::interchange::{Writing, levels, lfts};
use crate::network::Network;
use crate::routing::Routes;

impl Scenario {
    /// Routes in a network, both this scenario's, as OpenSM's engine `file` loads them. That
    /// knows no virtual layers, which is said where the routes have several.
    ///
    /// # Errors
    /// Forwarding tables cannot hold them.
    pub fn lfts_file(&self, network: &Network, routes: &Routes) -> Result<Writing, Vec<Problem>> {
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
                "the {layers} virtual layers of these routes, which keep them from deadlocks and are \
                 service levels of pairs; in one layer they may deadlock"
            )),
        };
        Ok(Writing { text, losses: layers.into_iter().collect() })
    }

    /// The virtual layer of every pair of endpoints on routes in a network, both this scenario's, as
    /// its service level.
    ///
    /// # Errors
    /// They are no tables, or there are more than so many pairs.
    pub fn levels_file(
        &self,
        network: &Network,
        routes: &Routes,
        most: u64,
    ) -> Result<String, Vec<Problem>> {
        let Routes::Tables(tables) = routes else {
            let reason = "its routes are no forwarding tables, so no service levels of pairs tell \
                          their virtual channels";
            return Err(self.refused(reason.to_owned()));
        };
        let pairs = levels::pair_count(network);
        if pairs > most {
            return Err(self.too_many(pairs, most));
        }
        let level = |source, destination| tables.layer_between(source, destination);
        Ok(levels::write(network, level))
    }

    /// What writes the paths of every pair of endpoints on routes in a network, both this scenario's;
    /// see [`Tracer::csv`].
    ///
    /// # Errors
    /// There are more than so many pairs.
    pub fn paths_file(
        &self,
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        most: u64,
    ) -> Result<Tracer, Vec<Problem>> {
        let tracer = Tracer::new(network, routes);
        match tracer.pair_count() {
            pairs if pairs > most => Err(self.too_many(pairs, most)),
            _ => Ok(tracer),
        }
    }

    fn too_many(&self, pairs: u64, most: u64) -> Vec<Problem> {
        self.refused(format!("there are {pairs} pairs of endpoints, allowed here: up to {most}"))
    }

    fn refused(&self, reason: String) -> Vec<Problem> {
        vec![Problem::new("routing", self.routing.name(), reason)]
    }
}
