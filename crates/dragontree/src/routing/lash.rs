//! LASH: layered shortest paths.
//!
//! Every ordered pair of switches takes the first shortest path that a search from the source
//! finds, port by port; nothing is balanced, and endpoints take the path of their switches. Pairs
//! then go to virtual layers in the order of the switches: both directions of a pair, because an
//! answer travels at the service level of its request, to the lowest layer in which their
//! dependencies close no cycle (Skeie, Lysne & Theiss 2002; Bogdański et al. 2012, §1 and §3.1).
//! Every switch reaches every other, and nothing can deadlock.
//!
//! Tables and the number of layers are those of OpenSM's engine `lash` (3.3.23). Afterwards OpenSM
//! moves paths between the layers by chance until all hold about as many, which is left out here.

use std::sync::Arc;

use super::search::{Search, Work};
use super::tables::{Unlayered, check_search, check_turns, most_layers};
use super::{Algorithm, Routes};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::{Needs, Network};

mod finding;

pub(super) use finding::Finding;

/// LASH routing.
#[derive(Clone, Debug, PartialEq)]
pub struct Lash {
    /// The most virtual layers.
    pub layers: u32,
}

impl Default for Lash {
    fn default() -> Lash {
        Lash { layers: 8 }
    }
}

impl Settings for Lash {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(most_layers(&mut self.layers));
    }
}

impl Part for Lash {
    fn name(&self) -> &'static str {
        "lash"
    }
    fn label(&self) -> &'static str {
        "LASH"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Tables of shortest paths, one for each pair of switches, in as many virtual layers as it \
         takes to rule out deadlocks (OpenSM's lash; Bogdański et al. 2012, §7.2.3).",
        )
    }
}

impl Algorithm for Lash {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        self.work(network).and_then(Work::finish).map_err(|unlayered| unlayered.needs(self.name()))
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        let found = self.work(network).and_then(Work::finish);
        found.map_err(|unlayered| vec![unlayered.problem(self.layers)])
    }

    fn begin(&self, network: &Arc<Network>, _seed: u64) -> Search {
        Search::layered(self.work(network), self.layers)
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        check_search(network, self.name())?;
        check_turns(network, self.name())
    }
}

impl Lash {
    fn work(&self, network: &Arc<Network>) -> Result<Work, Unlayered> {
        self.fits(network)?;
        Ok(Work::Lash(Box::new(Finding::new(network, self.layers as u8))))
    }
}
