//! Minimal routing: the fewest links between switches.
//!
//! On groups the local hops to a global link, the global hop, and the local hops from there; on
//! other networks in which every two switches with endpoints are at most two hops apart, the
//! direct link or one switch in between.

use std::sync::Arc;

use super::{
    Algorithm, Exit, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Sharing, Unroutable,
    Waypoints,
};
use crate::catalog::{Form, Part, Settings};
use crate::network::{Needs, Network, Structure};

mod diameter_two;
mod groups;
mod neighbors;

use diameter_two::DiameterTwo;
use groups::OverGroups;

/// Minimal routing; it has no settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Minimal;

impl Settings for Minimal {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for Minimal {
    fn name(&self) -> &'static str {
        "minimal"
    }
    fn label(&self) -> &'static str {
        "Minimal"
    }
    fn help(&self) -> &'static str {
        "The direct way: at most one global link between two groups, or at most one switch between \
         those of source and destination (Prisacari 2020, §5.2 and §7.3.1)."
    }
}

impl Algorithm for Minimal {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        if let Structure::Groups(groups) = network.structure() {
            return Ok(Routes::Oblivious(Box::new(OverGroups::new(network, groups))));
        }
        let needs = |found| Needs {
            part: "minimal",
            structure: "groups, or switches at most two hops apart",
            found,
        };
        // Only the complete build has topologies of other kinds.
        if !cfg!(feature = "complete") {
            return Err(needs(network.structure().name()));
        }
        let routes = DiameterTwo::new(network).map_err(needs)?;
        Ok(Routes::Oblivious(Box::new(routes)))
    }
}
