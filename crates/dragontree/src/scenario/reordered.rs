//! Broadcasts whose ranks are reordered by what the network is like (Subramoni et al. 2011, §IV-B).

use super::{Reordering, Scenario};
use crate::catalog::Problem;
use crate::exchange::{Broadcast, Delays, Exchange, Overhead};
use crate::network::{EndpointId, Network};

/// The delays that a broadcast is reordered by.
#[derive(Clone, Debug)]
pub struct Reordered<'a> {
    scenario: &'a Scenario,
    broadcast: &'a Broadcast,
    network: &'a Network,
    placement: Vec<Option<EndpointId>>,
    delays: Delays,
    overhead: Overhead,
}

impl Scenario {
    /// The delays that the scenario's broadcast is reordered by; nothing where it is none, or its ranks
    /// stand in order.
    ///
    /// # Errors
    /// Every problem found, each naming its setting.
    pub fn reordered<'a>(
        &'a self,
        network: &'a Network,
    ) -> Result<Option<Reordered<'a>>, Vec<Problem>> {
        let Exchange::Broadcast(broadcast) = &self.exchange else { return Ok(None) };
        let placement = self.place(network)?;
        let site = self.site(network, &placement);
        let found =
            broadcast.delays(site).and_then(|delays| Ok((delays, broadcast.overhead(site)?)));
        match found.map_err(|refused| vec![self.exchange_refused(refused)])? {
            (Some(delays), Some(overhead)) => Ok(Some(Reordered {
                scenario: self,
                broadcast,
                network,
                placement,
                delays,
                overhead,
            })),
            _ => Ok(None),
        }
    }
}

impl Reordering {
    /// The numbers in their machine-readable form.
    pub(super) fn of(overhead: Overhead) -> Reordering {
        let Overhead { leaders, queries, delays, messages, comparisons } = overhead;
        Reordering { leaders, queries, delays, messages, comparisons }
    }
}

impl Reordered<'_> {
    /// For each place of the tree, counted from the root's, the rank that takes it.
    ///
    /// # Errors
    /// None that making the delays would not have had.
    pub fn ranks(&self) -> Result<Vec<u32>, Problem> {
        let site = self.scenario.site(self.network, &self.placement);
        let ranks = self.broadcast.arranged(site, &self.delays);
        ranks.map_err(|refused| self.scenario.exchange_refused(refused))
    }

    /// What the reordering takes, counted.
    pub fn overhead(&self) -> Overhead {
        self.overhead
    }
}
