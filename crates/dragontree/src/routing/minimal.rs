//! Minimal routing: the fewest links between switches.
//!
//! On groups the local hops to a global link, the global hop, and the local hops from there; on
//! other networks in which every two switches with endpoints are at most two hops apart, the
//! direct link or one switch in between.

use std::sync::Arc;

use super::{
    Algorithm, Code, Exit, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Sharing,
    Unroutable, Waypoints, Word,
};
use crate::catalog::{Form, Part, Settings};
use crate::network::{Needs, Network, Structure};
use crate::random::Stream;

mod diameter_two;
mod groups;
mod neighbors;
mod only_links;

pub(super) use diameter_two::DiameterTwo;
pub(super) use groups::{Candidates, OverGroups};
pub(super) use only_links::{OnlyLinks, Spot};

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
        crate::catalog::help(
            "The direct way: at most one global link between two groups, or at most one switch between \
         those of source and destination (Prisacari 2020, §5.2 and §7.3.1).",
        )
    }
}

/// Where minimal ways lead.
pub(super) enum Over {
    /// Over groups.
    Groups(OverGroups),
    /// Over at most one switch in between.
    DiameterTwo(DiameterTwo),
}

impl Over {
    /// The minimal ways of a network, for this part.
    ///
    /// # Errors
    /// The network has neither groups nor switches at most two hops apart.
    pub(super) fn of(network: &Arc<Network>, part: &'static str) -> Result<Over, Needs> {
        let structure = "groups, or switches at most two hops apart";
        let needs = |found| Needs { part, structure, found };
        match network.structure() {
            Structure::Groups(groups) => Ok(Over::Groups(OverGroups::new(network, groups))),
            // Only the complete build has topologies of other kinds.
            other if !cfg!(feature = "complete") => Err(needs(other.name())),
            _ => DiameterTwo::new(network).map(Over::DiameterTwo).map_err(needs),
        }
    }
}

impl Algorithm for Minimal {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        Ok(Routes::Oblivious(match Over::of(network, self.name())? {
            Over::Groups(routes) => Box::new(routes),
            Over::DiameterTwo(routes) => Box::new(routes),
        }))
    }
}

/// One of several, each with equal probability; nothing is drawn when there is no choice.
pub(super) fn one_of<'a, T>(all: &'a [T], stream: &mut Stream) -> Option<&'a T> {
    match all {
        [] | [_] => all.first(),
        _ => all.get(stream.below(all.len() as u32) as usize),
    }
}
