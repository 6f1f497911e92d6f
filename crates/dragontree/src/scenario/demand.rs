//! The messages of a scenario that routes are made for.

use std::sync::Arc;

use super::Scenario;
use super::building::unfit;
use super::exchanging::Exchanging;
use crate::catalog::{Menu, Problem};
use crate::exchange::{Exchanged, List, Message, Phased, Phases, Workload};
use crate::network::{EndpointId, Network};
use crate::routing::{AtOnce, Demand, Pair, Routes, Sent, Together};
use crate::traffic::{Destinations, Site};
use crate::units::Rank;

/// The most pairs of traffic that are listed as messages.
const MOST_PAIRS: u64 = 4_000_000;

/// An all-to-all in phases, whose messages are made when they are asked for.
struct ByRule {
    phased: Arc<Phased>,
    placement: Vec<EndpointId>,
}

/// Messages that are listed, sorted by their phases.
struct Listed {
    /// Where the messages of each phase begin; at the end how many there are.
    first: Vec<u32>,
    sent: Vec<Sent>,
}

impl Demand for ByRule {
    fn phases(&self) -> u32 {
        self.phased.phases()
    }

    fn messages(&self) -> u64 {
        let ranks = self.placement.len() as u64;
        ranks * ranks.saturating_sub(1)
    }

    fn sent(&self, phase: u32) -> Vec<Sent> {
        let ranks = self.placement.len() as u64;
        let sent = |(rank, to): (u32, Option<Rank>)| {
            let label = u64::from(phase) * ranks + u64::from(rank);
            let ends = [rank as usize, to?.0 as usize].map(|rank| self.placement[rank]);
            between(label, ends, 1)
        };
        let mut all = Vec::with_capacity(self.placement.len());
        all.extend((0..).zip(self.phased.phase(phase)).filter_map(sent));
        all
    }
}

impl Demand for Listed {
    fn phases(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    fn messages(&self) -> u64 {
        self.sent.len() as u64
    }

    fn sent(&self, phase: u32) -> Vec<Sent> {
        let ends = [phase as usize, phase as usize + 1].map(|phase| self.first[phase] as usize);
        self.sent[ends[0]..ends[1]].to_vec()
    }
}

impl Listed {
    /// Messages with their phases.
    fn new(mut messages: Vec<(u32, Sent)>) -> Listed {
        messages.sort_by_key(|(phase, _)| *phase);
        let phases = messages.last().map_or(0, |(phase, _)| phase + 1);
        let first = |phase| messages.partition_point(|(other, _)| *other < phase) as u32;
        let first = (0..=phases).map(first).collect();
        Listed { first, sent: messages.into_iter().map(|(_, sent)| sent).collect() }
    }
}

/// A message, unless it stays within an endpoint.
fn between(label: u64, [source, destination]: [EndpointId; 2], weight: u32) -> Option<Sent> {
    let pair = Pair { source, destination };
    (source != destination).then_some(Sent { label, pair, weight })
}

impl Exchanging {
    /// Its messages, phase by phase.
    pub fn demand(self) -> Arc<dyn Demand> {
        let Exchanging { exchanged, placement } = self;
        match exchanged.workload {
            Workload::Phased(phased) => Arc::new(ByRule { phased, placement }),
            Workload::List(list) => {
                let sent = |(message, phase): (&Message, &u32)| {
                    let ends = [message.source, message.destination];
                    let ends = ends.map(|rank| placement[rank.0 as usize]);
                    let weight = message.bytes.0.clamp(1, u32::MAX.into()) as u32;
                    Some((*phase, between(message.label, ends, weight)?))
                };
                let messages = list.messages().iter().zip(exchanged.stages.iter());
                Arc::new(Listed::new(messages.filter_map(sent).collect()))
            }
        }
    }
}

impl Scenario {
    /// The messages of the scenario's exchange on a network, or of traffic that tells to whom each rank
    /// sends: that is one phase with a message for each pair. Where the routing shares the links
    /// among the messages of all phases, they are those of one.
    ///
    /// # Errors
    /// Every problem with exchange, traffic and placement; and that the traffic is not fixed.
    pub fn demand(&self, network: &Arc<Network>) -> Result<Arc<dyn Demand>, Vec<Problem>> {
        let sending = self.sending(network)?;
        Ok(self.at_once(sending.ok_or_else(|| self.not_fixed())?.demand()))
    }

    /// Messages as this scenario's routing takes them.
    pub(super) fn at_once(&self, demand: Arc<dyn Demand>) -> Arc<dyn Demand> {
        match self.routing.role().at_once() {
            AtOnce::Phase => demand,
            AtOnce::All => Arc::new(Together(demand)),
        }
    }

    /// The scenario's exchange on a network, or traffic that tells to whom each rank sends as one of a
    /// single phase, with a message for each pair; nothing where it has other traffic.
    ///
    /// # Errors
    /// Every problem with exchange, traffic and placement.
    pub fn sending(&self, network: &Arc<Network>) -> Result<Option<Exchanging>, Vec<Problem>> {
        let routes = self.routes_to_ask(network)?;
        self.sending_along(network, routes.as_deref())
    }

    /// The same along routes as in [`exchanging_along`](Self::exchanging_along).
    ///
    /// # Errors
    /// As [`sending`](Self::sending).
    pub fn sending_along(
        &self,
        network: &Network,
        routes: Option<&Routes>,
    ) -> Result<Option<Exchanging>, Vec<Problem>> {
        if let Some(exchanging) = self.exchanging_along(network, routes)? {
            return Ok(Some(exchanging));
        }
        let placement = self.place(network)?;
        let site = Site { network, placement: &placement, seed: self.seed };
        let destinations = self.traffic.role().destinations(site);
        let destinations = destinations.map_err(unfit("traffic", &self.traffic))?;
        let destinations = destinations.without_keepers(&placement);
        if !matches!(destinations, Destinations::Uniform { .. })
            && destinations.pairs() > MOST_PAIRS
        {
            let allowed = format!(
                "{} pairs communicate; allowed where each is a message: up to {MOST_PAIRS}",
                destinations.pairs()
            );
            return Err(vec![Problem::new("traffic", self.traffic.name(), allowed)]);
        }
        let placement: Vec<EndpointId> = placement.iter().copied().flatten().collect();
        let Some(pairs) = listed(&destinations) else { return Ok(None) };
        let messages: Vec<_> = pairs.iter().map(|(from, to)| (*from, *to, self.packet)).collect();
        let list = List::new(placement.len() as u32, &messages, &[]);
        let list = list.map_err(|lost| vec![Problem::new("traffic", "", lost.to_string())])?;
        let exchanged = Exchanged {
            workload: Workload::List(list),
            phases: Phases::Listed(Arc::new(vec![pairs])),
            stages: vec![0; messages.len()].into(),
        };
        Ok(Some(Exchanging { exchanged, placement }))
    }

    fn not_fixed(&self) -> Vec<Problem> {
        let allowed = format!(
            "routing={} finds routes for known messages: allowed with it are an exchange, or \
             traffic of which it is known who sends to whom (all but uniform)",
            self.routing.name()
        );
        vec![Problem::new("traffic", self.traffic.name(), allowed)]
    }

    /// Whether another scenario, on the same network, has the same messages.
    pub fn shares_demand(&self, other: &Scenario) -> bool {
        // Of an all-to-all the messages are those whatever their length.
        let alike = self.bytes == other.bytes || self.exchange.name() == "all_to_all";
        alike
            && self.exchange == other.exchange
            && self.traffic == other.traffic
            && self.placement == other.placement
            && self.ranks == other.ranks
            && self.ranks_per_endpoint == other.ranks_per_endpoint
            && self.seed == other.seed
    }
}

/// Who sends to whom, unless everybody does to everybody.
fn listed(destinations: &Destinations) -> Option<Vec<(Rank, Rank)>> {
    let ranks = (0..).map(Rank);
    match destinations {
        Destinations::Fixed(fixed) => {
            Some(ranks.zip(fixed).filter_map(|(from, to)| Some((from, (*to)?))).collect())
        }
        Destinations::Uniform { .. } => None,
        Destinations::Weighted(shares) => {
            let row = |(from, row): (Rank, &Vec<(Rank, f64)>)| -> Vec<(Rank, Rank)> {
                row.iter().map(|(to, _)| (from, *to)).collect()
            };
            Some(ranks.zip(shares).flat_map(row).collect())
        }
    }
}
