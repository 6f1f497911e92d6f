//! Routes as files for other programs.

use std::sync::Arc;

use super::Scenario;
use crate::analysis::Tracer;
use crate::catalog::{Menu, Problem};
use crate::interchange::lfts::Dump;
use crate::interchange::{Writing, levels};
use crate::network::{Lfts, Network};
use crate::routing::Routes;

/// What writes the forwarding tables of all switches, one after another.
pub struct TablesFile {
    network: Arc<Network>,
    tables: Arc<Lfts>,
    dump: Dump,
    loss: Option<String>,
}

impl TablesFile {
    /// How many tables there are.
    pub fn tables(&self) -> u32 {
        self.dump.tables()
    }

    /// Writes one of them.
    pub fn table(&self, place: u32, text: &mut String) {
        self.dump.table(&self.network, &self.tables, place, text);
    }

    /// What became of it, with the text of all tables.
    pub fn finish(self, text: String) -> Writing {
        Writing { text, losses: self.loss.into_iter().collect() }
    }

    /// All of it at once.
    pub fn write(self) -> Writing {
        let mut text = String::new();
        (0..self.tables()).for_each(|place| self.table(place, &mut text));
        self.finish(text)
    }
}

impl Scenario {
    /// What writes routes in a network, both this scenario's, as OpenSM's engine `file` loads them,
    /// in at most so many megabytes. That knows no virtual layers, which is said where the routes
    /// have several.
    ///
    /// # Errors
    /// Forwarding tables cannot hold them.
    pub fn lfts_file(
        &self,
        network: &Arc<Network>,
        routes: &Routes,
        most_megabytes: u64,
    ) -> Result<TablesFile, Vec<Problem>> {
        let depend = || {
            let reason = "its routes depend on more than the switch and the destination, so no \
                          forwarding tables can hold them";
            self.refused(reason.to_owned())
        };
        if !routes.oblivious().merges() {
            return Err(depend());
        }
        let dump = Dump::new(network, most_megabytes)
            .map_err(|unwritable| self.refused(unwritable.to_string()))?;
        let tables = routes.oblivious().lfts().ok_or_else(depend)?;
        let loss = match routes.route().virtual_channels() {
            0 | 1 => None,
            layers => Some(format!(
                "the {layers} virtual layers of these routes, which keep them from deadlocks and are \
                 service levels of pairs; in one layer they may deadlock"
            )),
        };
        Ok(TablesFile { network: network.clone(), tables, dump, loss })
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
        self.check_pairs(network, most)?;
        Ok(Tracer::new(network, routes))
    }

    /// Whether a network, which is this scenario's, has no more than so many pairs of endpoints: to be
    /// known before routes are found for a file of their paths.
    ///
    /// # Errors
    /// It has more.
    pub fn check_pairs(&self, network: &Network, most: u64) -> Result<(), Vec<Problem>> {
        let count = u64::from(network.live_endpoint_count());
        match count * count.saturating_sub(1) {
            pairs if pairs > most => Err(self.too_many(pairs, most)),
            _ => Ok(()),
        }
    }

    fn too_many(&self, pairs: u64, most: u64) -> Vec<Problem> {
        self.refused(format!("there are {pairs} pairs of endpoints, allowed here: up to {most}"))
    }

    fn refused(&self, reason: String) -> Vec<Problem> {
        vec![Problem::new("routing", self.routing.name(), reason)]
    }
}
