//! Which endpoint each rank is on.

use super::Scenario;
use super::building::{Parts, unfit};
use crate::catalog::{Menu, Problem};
#[cfg(feature = "complete")]
use crate::exchange::{Exchange, Hierarchy};
#[cfg(feature = "complete")]
use crate::network::Structure;
use crate::network::{EndpointId, Network, Node, PortId};
#[cfg(feature = "complete")]
use crate::placement::{Order, Placement};
use crate::random::Stream;
use crate::traffic::{Residents, SEVERAL};
use crate::units::Rank;

/// The most ranks where endpoints have several.
const MOST_RANKS: u32 = 1 << 24;

impl Parts {
    /// Whether anything is sent from one endpoint to another.
    pub fn send(&self) -> bool {
        let residents = Residents::new(self.network.endpoint_count(), &self.placement);
        let leaves =
            |rank: u32| residents.leaving(&self.destinations, &self.placement, Rank(rank)) > 0.0;
        (0..self.placement.len() as u32).any(leaves)
    }
}

impl Scenario {
    /// What makes ranks send: its key and its name.
    pub(super) fn sender(&self) -> (&'static str, &'static str) {
        match self.exchange.name() {
            "none" => ("traffic", self.traffic.name()),
            name => ("exchange", name),
        }
    }

    /// Why nothing is sent from one endpoint to another, with the key that this is due to.
    pub(super) fn unsent(&self, parts: &Parts) -> Problem {
        let ranks = parts.placement.len() as u32;
        let live = parts.network.live_endpoint_count();
        if live < 2 {
            let key = if self.faults.name() == "none" { "topology" } else { "faults" };
            let allowed = format!("endpoints with a link: {live}, allowed: 2 or more");
            return Problem::new(key, "", allowed);
        }
        if ranks < 2 {
            let allowed = format!(
                "it puts {ranks} of the ranks on endpoints, the others only keep places; allowed: \
                 one that places at least 2"
            );
            return Problem::new("placement", self.placement.part().name(), allowed);
        }
        let apart: Vec<EndpointId> = (0..ranks).map(EndpointId).collect();
        let alone = Residents::new(ranks, &apart);
        let leaves = |rank| alone.leaving(&parts.destinations, &apart, Rank(rank)) > 0.0;
        if (0..ranks).any(leaves) {
            let allowed = "ranks send to others of their own endpoint alone, which takes no network; \
                           allowed: fewer, so that they are spread over more endpoints";
            let given = self.ranks_per_endpoint.to_string();
            return Problem::new("ranks_per_endpoint", given, allowed);
        }
        let (key, name) = self.sender();
        Problem::new(key, name, "no rank sends to another one")
    }

    /// The endpoint of each rank; none for place keepers.
    pub(super) fn place(&self, network: &Network) -> Result<Vec<Option<EndpointId>>, Vec<Problem>> {
        let ports: Vec<Option<PortId>> =
            network.endpoints().map(|endpoint| network.injection(endpoint)).collect();
        #[cfg(feature = "complete")]
        let along = self.along_layers(network);
        #[cfg(not(feature = "complete"))]
        let along: Option<Scenario> = None;
        let places = along.as_ref().unwrap_or(self).places(network, &ports)?;
        let endpoint = |port: &Option<PortId>| match network.owner((*port)?) {
            Node::Endpoint(endpoint) => Some(endpoint),
            Node::Switch(_) => None,
        };
        let places = places.iter().map(endpoint).collect();
        Ok(if SEVERAL { self.shared(places) } else { places })
    }

    /// The same with ranks along the tree that is found in a network, where an all-to-all goes by its
    /// layers and nothing is said of the order: the order of a file is any.
    #[cfg(feature = "complete")]
    fn along_layers(&self, network: &Network) -> Option<Scenario> {
        let Exchange::AllToAll(exchange) = &self.exchange else { return None };
        if !exchange.is_layered() || !matches!(network.structure(), Structure::Irregular) {
            return None;
        }
        Hierarchy::of(network, 1)?;
        let mut scenario = self.clone();
        let Placement::Contiguous(placed) = &mut scenario.placement else { return None };
        placed.order = Some(Order::Ftree).filter(|_| placed.order == Order::Auto)?;
        Some(scenario)
    }

    /// The endpoint of each rank where endpoints take several: rank r is on place r / k, or the ranks
    /// are dealt out to the places at random, k to each.
    fn shared(&self, places: Vec<Option<EndpointId>>) -> Vec<Option<EndpointId>> {
        let each = self.ranks_per_endpoint.max(1) as usize;
        if each == 1 {
            return places;
        }
        let repeated = places.iter().flat_map(|place| std::iter::repeat_n(*place, each));
        let mut shared: Vec<Option<EndpointId>> = repeated.collect();
        if self.placement.role().spreads() {
            Stream::new(self.seed, "ranks", 0).shuffle(&mut shared);
        }
        shared.truncate(self.ranks.map_or(usize::MAX, |ranks| ranks as usize));
        shared
    }

    /// How many ranks so many places take.
    fn most_ranks(&self, places: u32) -> u32 {
        let each = if SEVERAL { self.ranks_per_endpoint.max(1) } else { 1 };
        places.saturating_mul(each)
    }

    /// The place of each rank, or of the ranks that share it: the port of an endpoint, or none for a
    /// place keeper. `ports` has for each endpoint the port by which it takes part.
    ///
    /// # Errors
    /// There are not so many places, fewer than two, or the placement does not fit the network.
    pub fn places(
        &self,
        network: &Network,
        ports: &[Option<PortId>],
    ) -> Result<Vec<Option<PortId>>, Vec<Problem>> {
        let placed = self.placement.role().places(network, ports, self.seed);
        let mut places = placed.map_err(unfit("placement", &self.placement))?;
        let most = self.most_ranks(network.endpoint_count().max(places.len() as u32));
        let ranks = self.ranks.unwrap_or(most);
        let refuse = |given: u32, allowed: String| {
            let mut problem = Problem::new("ranks", given.to_string(), allowed);
            problem.nearest = Some(given.clamp(2, most.max(2)).to_string());
            Err(vec![problem])
        };
        if ranks > most {
            return refuse(ranks, format!("the network has room for {most}, allowed: 2 to {most}"));
        }
        if ranks > MOST_RANKS && self.ranks_per_endpoint > 1 {
            let given = self.ranks_per_endpoint.to_string();
            let allowed = format!("these are {ranks} ranks, allowed: up to {MOST_RANKS}");
            return Err(vec![Problem::new("ranks_per_endpoint", given, allowed)]);
        }
        if ranks < 2 {
            return refuse(ranks, "traffic needs at least 2 endpoints".to_owned());
        }
        places.truncate(ranks.div_ceil(self.most_ranks(1)) as usize);
        Ok(places)
    }
}
