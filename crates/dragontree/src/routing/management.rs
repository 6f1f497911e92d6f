//! Routes of forwarding tables that lead to the switches' own ports as well, on the network in which
//! these stand as endpoints.

use std::sync::Arc;

use super::{Header, Hop, Oblivious, Pair, Queues, Route, Routes, Tables, Unroutable, Waypoints};
use crate::network::{EndpointId, Forward, Network, Node, SwitchId, Target};
use crate::random::Stream;

/// Tables followed on the network that [`Network::with_management_ports`] makes of theirs.
pub struct WithManagement {
    grown: Arc<Network>,
    routes: Arc<Routes>,
    /// Whether endpoints use other virtual channels than switches: those after them.
    apart: bool,
}

impl WithManagement {
    /// The routes on `grown`, which is what [`Network::with_management_ports`] makes of the tables'
    /// network; `apart`: switches have the first virtual channels for themselves, as many as there
    /// are layers, and endpoints the following ones.
    pub fn new(grown: Arc<Network>, routes: Arc<Routes>, apart: bool) -> WithManagement {
        WithManagement { grown, routes, apart }
    }

    fn tables(&self) -> Option<&Tables> {
        match self.routes.as_ref() {
            Routes::Tables(tables) => Some(tables),
            Routes::Oblivious(_) => None,
        }
    }
}

/// What the tables know an endpoint by: one of their network, or else a switch.
fn target(tables: &Tables, endpoint: EndpointId) -> Option<Target> {
    let network = tables.network();
    match endpoint.0.checked_sub(network.endpoint_count()) {
        None => network.endpoint_target(endpoint),
        Some(switch) => Some(network.switch_target(SwitchId(switch))),
    }
}

/// The number of the port by which a switch sends packets on to an endpoint.
fn number(tables: &Tables, at: SwitchId, endpoint: EndpointId) -> Option<u32> {
    let own = tables.network().ports(Node::Switch(at)).len() as u32;
    match tables.lfts().get(at, target(tables, endpoint)?) {
        Forward::Port(number) if number < own => Some(number),
        Forward::Here => Some(own),
        Forward::Port(_) | Forward::Nowhere => None,
    }
}

impl Route for WithManagement {
    fn virtual_channels(&self) -> u8 {
        let layers = self.routes.route().virtual_channels();
        if self.apart { layers.saturating_mul(2) } else { layers }
    }

    fn inject(&self, _pair: Pair, _stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints::default()
    }

    fn first_stage(&self, pair: Pair) -> u8 {
        let Some(tables) = self.tables() else { return 0 };
        let ends = [pair.source, pair.destination].map(|end| target(tables, end));
        let [Some(source), Some(destination)] = ends else { return 0 };
        let is_endpoint = pair.source.0 < tables.network().endpoint_count();
        let first = if self.apart && is_endpoint { tables.layer_count() } else { 0 };
        first.saturating_add(tables.layer_between(source, destination))
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let Header { destination, stage: vc, .. } = *header;
        let number = self.tables().and_then(|tables| number(tables, at, destination));
        let number = number.ok_or(Unroutable { at, destination })?;
        Ok(Hop { port: self.grown.port(at, number), vc })
    }
}

impl Oblivious for WithManagement {
    fn choices(&self, _pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints::default(), 1.0);
    }
}

/// For each switch, in order, the switches to which the tables do not lead from it, itself
/// included; ascending.
pub fn unreached_switches(tables: &Tables) -> Vec<Vec<u32>> {
    let network = tables.network();
    let mut unreached = vec![Vec::new(); network.switch_count() as usize];
    for to in network.switches() {
        for (from, arrives) in network.switches().zip(arrivals(tables, to)) {
            if !arrives || from == to {
                unreached[from.index()].push(to.0);
            }
        }
    }
    unreached
}

/// For each switch whether the tables lead from it to another one.
fn arrivals(tables: &Tables, to: SwitchId) -> Vec<bool> {
    let network = tables.network();
    let target = network.switch_target(to);
    let mut fates: Vec<Option<bool>> = vec![None; network.switch_count() as usize];
    fates[to.index()] = Some(true);
    let mut way = Vec::new();
    for from in network.switches() {
        let mut at = from;
        let fate = loop {
            if let Some(fate) = fates[at.index()] {
                break fate;
            }
            // Whoever comes by again before the way's end walks in a circle.
            fates[at.index()] = Some(false);
            way.push(at);
            let port = tables.lfts().port(network, at, target);
            match port.and_then(|port| network.neighbor(port)) {
                Some(Node::Switch(next)) => at = next,
                Some(Node::Endpoint(_)) | None => break false,
            }
        };
        way.drain(..).for_each(|passed| fates[passed.index()] = Some(fate));
    }
    fates.into_iter().map(|fate| fate == Some(true)).collect()
}
