//! The ports by which endpoints send.

use std::sync::Arc;

use super::super::ExchangeSetup;
use super::Letter;
use crate::network::{EndpointId, Network, Node, PortId};
use crate::routing::AnyRoutes;

/// A port by which an endpoint sends, counted: the first of an endpoint has the endpoint's number, and
/// those behind the first come after all of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::simulation) struct Outlet(pub(in crate::simulation) u32);

impl Outlet {
    pub(in crate::simulation) fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<EndpointId> for Outlet {
    fn from(endpoint: EndpointId) -> Outlet {
        Outlet(endpoint.0)
    }
}

/// Which outlet a letter takes, where endpoints have several and routes choose among them.
pub(super) struct Outlets {
    network: Arc<Network>,
    routes: AnyRoutes,
    /// For each endpoint the outlet behind its first; the next ones follow.
    second: Vec<u32>,
}

impl Outlets {
    /// None where everything leaves by first ports.
    pub(super) fn new(setup: &ExchangeSetup) -> Option<Outlets> {
        let ExchangeSetup { network, routes, .. } = setup;
        let mut next = network.endpoint_count();
        let second = network.endpoints().map(|endpoint| {
            let second = next;
            next += network.cabled_ports(endpoint).saturating_sub(1);
            second
        });
        routes.route().names_outlets().then(|| Outlets {
            network: network.clone(),
            routes: routes.clone(),
            second: second.collect(),
        })
    }

    /// The ports behind the first ones of endpoints, in the order of their outlets.
    pub(super) fn further(&self) -> impl Iterator<Item = PortId> + '_ {
        self.network.endpoints().flat_map(|endpoint| self.cabled(endpoint).skip(1))
    }

    fn cabled(&self, endpoint: EndpointId) -> impl Iterator<Item = PortId> + '_ {
        let ports = self.network.ports(Node::Endpoint(endpoint)).map(PortId);
        ports.filter(|port| self.network.peer(*port).is_some())
    }

    /// The outlet that a port of an endpoint is.
    pub(super) fn at(&self, endpoint: EndpointId, port: PortId) -> Outlet {
        match self.cabled(endpoint).position(|cabled| cabled == port) {
            None | Some(0) => endpoint.into(),
            Some(place) => Outlet(self.second[endpoint.index()] + place as u32 - 1),
        }
    }

    /// The outlet that the routes name for a letter.
    pub(super) fn of(&self, letter: &Letter) -> Outlet {
        let (route, pair) = (self.routes.route(), letter.pair);
        let named = letter.waypoints(route);
        let port = named.and_then(|named| route.outlet(&self.network, pair, named));
        port.map_or(pair.source.into(), |port| self.at(pair.source, port))
    }
}
