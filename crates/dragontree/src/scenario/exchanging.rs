//! Exchanges as their ranks are placed, before anything is simulated.

use std::sync::Arc;

use super::{KEYS, Scenario};
use crate::analysis::{Contending, Crossings, Levels, Rail};
use crate::catalog::{Menu, Problem};
use crate::exchange::{Exchanged, Phases, Refused, Site};
use crate::network::{EndpointId, Network, PortId};
use crate::routing::Routes;
use crate::traffic::Uniform;

/// An exchange and where its ranks are.
#[derive(Clone, Debug)]
pub struct Exchanging {
    /// Who sends what to whom, and when.
    pub exchanged: Exchanged,
    /// The endpoint of each rank.
    pub placement: Vec<EndpointId>,
}

impl Scenario {
    /// The scenario's exchange on a network; nothing where it has none.
    ///
    /// # Errors
    /// Every problem found, each naming its setting.
    pub fn exchanging(&self, network: &Network) -> Result<Option<Exchanging>, Vec<Problem>> {
        let name = self.exchange.name();
        if name != "none" && self.traffic != Uniform.into() {
            let allowed = format!(
                "the scenario has exchange={name}, too, and ranks do one or the other; allowed \
                 beside an exchange: no traffic="
            );
            return Err(vec![Problem::new("traffic", self.traffic.name(), allowed)]);
        }
        let placement = self.place(network)?;
        let site = Site {
            network,
            placement: &placement,
            ranks_per_endpoint: self.ranks_per_endpoint,
            bytes: self.bytes,
            seed: self.seed,
        };
        let exchanged = self.exchange.role().exchanged(site).map_err(|refused| {
            vec![match refused {
                Refused::Needs(needs) => Problem::new("exchange", name, needs.to_string()),
                // What the exchange asks of other keys names those.
                Refused::Problem(problem) if KEYS.iter().any(|key| key.name == problem.key) => {
                    problem
                }
                Refused::Problem(problem) => problem.within(&format!("exchange={name}")),
            }]
        })?;
        let placement = placement.iter().copied().flatten().collect();
        Ok(exchanged.map(|exchanged| Exchanging { exchanged, placement }))
    }
}

impl Exchanging {
    /// The ports of the ranks on a rail.
    pub fn ports(&self, rail: &Rail) -> Vec<Option<PortId>> {
        let port = |endpoint: &EndpointId| rail.ports.get(endpoint.index()).copied().flatten();
        self.placement.iter().map(port).collect()
    }

    /// The contention of its phases on a rail, those left out in which nobody sends.
    pub fn contending(
        &self,
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        levels: Levels,
        rail: &Rail,
    ) -> Contending {
        contending(&self.exchanged.phases, network, routes, levels, &self.ports(rail))
    }

    /// The numbers of the phases in which somebody sends.
    pub fn sending_phases(&self) -> Vec<u32> {
        let phases = &self.exchanged.phases;
        (0..phases.count()).filter(|phase| phases.sends(*phase)).collect()
    }

    /// How many messages leave the parts of the fabric in each phase; nothing where it has no levels
    /// or groups.
    pub fn crossings(&self, network: &Network) -> Vec<Crossings> {
        Crossings::of(network, &self.placement, || self.exchanged.phases.each())
    }
}

/// The contention of the phases in which somebody sends.
pub(super) fn contending(
    phases: &Phases,
    network: &Arc<Network>,
    routes: &Arc<Routes>,
    levels: Levels,
    ports: &[Option<PortId>],
) -> Contending {
    let sent = phases.each().filter(|phase| phase.iter().any(Option::is_some));
    Contending::phases(network, routes, levels, ports, sent)
}
