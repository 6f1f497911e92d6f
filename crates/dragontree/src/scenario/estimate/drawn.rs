//! Experiments for estimates: built without walking many pairs, or searching for routes.

use std::sync::Arc;

use super::super::building::Parts;
use super::super::experiment::Analysis;
use super::super::route_search::Routed;
use super::super::{Experiment, Scenario};
use super::sample::{Sample, Ways};
use super::{costs, mixes};
use crate::analysis::Report;
use crate::catalog::{Menu, Problem};
use crate::network::Network;
use crate::routing::{self, AnyRoutes};

/// Up to so many ways are walked instead of drawn: that takes a tenth of a second.
const QUICK: u64 = 500_000;
/// Virtual channels that routes in layers are taken to use.
pub(super) const LAYERS: u32 = 4;

impl Scenario {
    /// The work of finding routes for messages, in packet-hops, and their memory in bytes.
    pub(super) fn solving(&self, network: &Arc<Network>) -> Result<(f64, u64), Vec<Problem>> {
        if !self.routing.role().needs_messages() {
            return Ok((0.0, 0));
        }
        let messages = self.demand(network)?.messages();
        let (work, bytes) = costs::SOLVED;
        Ok((work * messages as f64, messages.saturating_mul(bytes)))
    }

    /// Whether finding the routes takes a search.
    pub(super) fn searches(&self) -> bool {
        ["lash", "dfsssp"].contains(&self.routing.name())
    }

    /// The experiment with an analysis that was drawn where there are many ways, or that of the earlier one
    /// where it holds.
    pub(super) fn drawn(
        &self,
        earlier: Option<(Experiment, Sample)>,
    ) -> Result<(Experiment, Sample), Vec<Problem>> {
        let before = earlier.as_ref().map(|(experiment, _)| experiment);
        let (parts, routed) = self.build_parts(before)?;
        let routes = match routed {
            Routed::Found(routes) => routes,
            Routed::Searching(_) => {
                let routing = routing::MinHop.into();
                Scenario { routing, ..self.clone() }.any_routes(&parts.network)?
            }
        };
        self.check_ways(&routes)?;
        let ways = self.ways(&parts, &routes);
        let same = |(other, _): &(Experiment, Sample)| {
            other.routes.is(&routes)
                && other.placement == parts.placement
                && other.destinations == parts.destinations
        };
        let (analysis, sample) = match earlier.filter(same) {
            Some((other, sample)) => (other.analysis, sample),
            None => {
                let report = self.quick_report(&parts, &routes).unwrap_or_else(|| ways.report());
                let sample = ways.sample(&report.utilization);
                (Arc::new(Analysis { report, limit: None }), sample)
            }
        };
        let Parts { network, placement, destinations, exchanging } = parts;
        let managed = self.managed(&network, &routes)?;
        let scenario = Arc::new(self.clone());
        let experiment = Experiment {
            scenario,
            network,
            routes,
            placement,
            destinations,
            analysis,
            managed,
            exchanging,
        };
        Ok((experiment, sample))
    }

    /// What ways can be drawn from.
    fn ways<'a>(&self, parts: &'a Parts, routes: &'a AnyRoutes) -> Ways<'a> {
        Ways {
            network: &parts.network,
            placement: &parts.placement,
            destinations: &parts.destinations,
            routes: routes.unloaded().route(),
            mixes: mixes(&parts.destinations, routes),
            seed: self.seed,
        }
    }

    /// What analysis says, where it takes little time.
    fn quick_report(&self, parts: &Parts, routes: &AnyRoutes) -> Option<Report> {
        let mut expectation = self.expectation(parts, routes).ok()?;
        if expectation.work() > QUICK {
            return None;
        }
        expectation.advance(u64::MAX).ok().flatten()
    }
}
