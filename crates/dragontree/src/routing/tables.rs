//! Routings that are forwarding tables: what InfiniBand's subnet managers compute.

use std::sync::Arc;

use super::{
    Exit, Header, Hop, LONGEST_WAY, Oblivious, Pair, Queues, Route, Sharing, Unroutable, Waypoints,
};
use crate::network::{EndpointId, Forward, Lfts, Needs, Network, Node, SwitchId, Target};
use crate::random::Stream;

mod acyclic;
mod balance;
mod graph;
mod unlayered;

pub(super) use acyclic::{Acyclic, Turn, rows};
pub(super) use balance::{Choices, balanced};
pub(super) use graph::{FAR, Graph};
pub(super) use unlayered::{Unlayered, most_layers};

/// Forwarding tables, and the virtual layer of each path.
pub struct Tables {
    network: Arc<Network>,
    lfts: Arc<Lfts>,
    layers: Layers,
}

/// The virtual layer (service level) that a packet keeps on its whole way.
#[derive(Clone, Debug, PartialEq)]
pub enum Layers {
    /// All in one.
    One,
    /// By the switches of the source and the destination.
    PerSwitches {
        /// How many layers there are.
        count: u8,
        /// Destination switch by destination switch, in the order of the source switches.
        layers: Vec<u8>,
    },
    /// By the source's switch and the destination.
    PerPath {
        /// How many layers there are.
        count: u8,
        /// Destination by destination, in the order of the switches.
        layers: Vec<u8>,
    },
    /// By the source and the destination, each an endpoint's port or a switch.
    PerPair {
        /// How many layers there are.
        count: u8,
        /// Destination by destination, in the order of the sources, which is that of [`Target`].
        layers: Vec<u8>,
    },
}

impl Tables {
    /// Tables of a network; `layers` has an entry for each of theirs, or is [`Layers::One`].
    pub fn new(network: Arc<Network>, lfts: impl Into<Arc<Lfts>>, layers: Layers) -> Tables {
        Tables { network, lfts: lfts.into(), layers }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The forwarding tables.
    pub fn lfts(&self) -> &Lfts {
        &self.lfts
    }

    /// The number of virtual layers.
    pub fn layer_count(&self) -> u8 {
        match &self.layers {
            Layers::One => 1,
            Layers::PerSwitches { count, .. }
            | Layers::PerPath { count, .. }
            | Layers::PerPair { count, .. } => (*count).max(1),
        }
    }

    /// Whether the endpoints on a switch may have layers of their own.
    pub fn has_layers_by_endpoint(&self) -> bool {
        matches!(self.layers, Layers::PerPair { .. })
    }

    /// The layer of packets that start at a switch. Where it depends on the endpoint that sends
    /// them, that of the switch's own packets; see [`layer_between`](Self::layer_between).
    pub fn layer(&self, source: SwitchId, target: Target) -> u8 {
        match &self.layers {
            Layers::One => 0,
            Layers::PerSwitches { layers, .. } => {
                let place = |to: SwitchId| to.index() * self.network.switch_count() as usize;
                let place = self.switch_of(target).map(|to| place(to) + source.index());
                place.and_then(|place| layers.get(place)).copied().unwrap_or(0)
            }
            Layers::PerPath { layers, .. } => {
                let place = target.0 as usize * self.network.switch_count() as usize;
                layers.get(place + source.index()).copied().unwrap_or(0)
            }
            Layers::PerPair { .. } => {
                self.layer_between(self.network.switch_target(source), target)
            }
        }
    }

    /// The layer of packets from a source, which is an endpoint's port or a switch.
    pub fn layer_between(&self, source: Target, target: Target) -> u8 {
        match &self.layers {
            Layers::PerPair { layers, .. } => {
                let place = target.0 as usize * self.network.target_count() as usize;
                layers.get(place + source.0 as usize).copied().unwrap_or(0)
            }
            Layers::One | Layers::PerSwitches { .. } | Layers::PerPath { .. } => {
                self.switch_of(source).map_or(0, |switch| self.layer(switch, target))
            }
        }
    }

    /// A switch itself, or the one that an endpoint's port is linked to.
    fn switch_of(&self, end: Target) -> Option<SwitchId> {
        match self.network.target(end) {
            (Node::Switch(switch), _) => Some(switch),
            (_, port) => match self.network.neighbor(port?)? {
                Node::Switch(switch) => Some(switch),
                Node::Endpoint(_) => None,
            },
        }
    }

    fn target(&self, endpoint: EndpointId) -> Option<Target> {
        self.network.endpoint_target(endpoint)
    }
}

impl Route for Tables {
    fn virtual_channels(&self) -> u8 {
        self.layer_count()
    }

    fn inject(&self, _pair: Pair, _stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints::default()
    }

    fn first_stage(&self, pair: Pair) -> u8 {
        match (self.target(pair.source), self.target(pair.destination)) {
            (Some(source), Some(target)) => self.layer_between(source, target),
            _ => 0,
        }
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let target = self.target(header.destination);
        let port = target.and_then(|target| self.lfts.port(&self.network, at, target));
        let vc = header.stage;
        port.map(|port| Hop { port, vc }).ok_or(Unroutable { at, destination: header.destination })
    }

    fn only_way(&self, from: SwitchId, pair: Pair, way: &mut Vec<Exit>) -> bool {
        let Some(target) = self.target(pair.destination) else { return true };
        let (network, vc) = (&self.network, self.first_stage(pair));
        let mut at = from;
        for _ in 0..LONGEST_WAY {
            let Some(port) = self.lfts.port(network, at, target) else { break };
            way.push(Exit { number: port.0 - network.ports(Node::Switch(at)).start, vc });
            match network.neighbor(port) {
                Some(Node::Switch(next)) => at = next,
                Some(Node::Endpoint(_)) | None => break,
            }
        }
        true
    }
}

impl Oblivious for Tables {
    fn choices(&self, _pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints::default(), 1.0);
    }

    fn sharing(&self) -> Sharing {
        match self.layers {
            Layers::One | Layers::PerSwitches { .. } | Layers::PerPath { .. } => Sharing::Sources,
            Layers::PerPair { .. } => Sharing::Nothing,
        }
    }

    fn merges(&self) -> bool {
        true
    }

    fn lfts(&self) -> Option<Arc<Lfts>> {
        Some(self.lfts.clone())
    }
}

/// Refuses networks whose tables would be too large.
pub(super) fn check_size(network: &Network, part: &'static str) -> Result<(), Needs> {
    let structure = "forwarding tables of at most 2^29 entries";
    match Lfts::entry_count(network) <= Lfts::MOST_ENTRIES {
        true => Ok(()),
        false => Err(Needs { part, structure, found: "larger ones" }),
    }
}

/// The same, and those in which a search from every switch would take minutes.
pub(super) fn check_search(network: &Network, part: &'static str) -> Result<(), Needs> {
    check_size(network, part)?;
    let structure = "a product of switches and ports of at most 2^33";
    check_steps(network, network.switch_count(), part, structure)
}

/// The same for a search from every destination.
pub(super) fn check_searches(network: &Network, part: &'static str) -> Result<(), Needs> {
    check_size(network, part)?;
    let structure = "a product of destinations and ports of at most 2^33";
    check_steps(network, network.target_count(), part, structure)
}

fn check_steps(
    network: &Network,
    searches: u32,
    part: &'static str,
    structure: &'static str,
) -> Result<(), Needs> {
    match u64::from(searches) * u64::from(network.port_count()) <= 1 << 33 {
        true => Ok(()),
        false => Err(Needs { part, structure, found: "a larger one" }),
    }
}

/// Refuses networks with too many ways to turn from one channel into the next.
pub(super) fn check_turns(network: &Network, part: &'static str) -> Result<(), Needs> {
    let ports = network.switches().map(|switch| network.ports(Node::Switch(switch)).len() as u64);
    match ports.map(|ports| ports * ports).sum::<u64>() <= 1 << 26 {
        true => Ok(()),
        false => {
            let structure = "squares of the switches' ports of at most 2^26 together";
            Err(Needs { part, structure, found: "larger ones" })
        }
    }
}

/// Writes a rule by which endpoints are reached as forwarding tables; none where these would be
/// too large. Switches are not among the destinations.
pub(super) fn tabulate(
    network: &Network,
    port_number: impl Fn(SwitchId, EndpointId) -> u32,
) -> Option<Lfts> {
    if Lfts::entry_count(network) > Lfts::MOST_ENTRIES {
        return None;
    }
    let mut lfts = Lfts::new(network);
    for endpoint in network.endpoints() {
        let Some(target) = network.endpoint_target(endpoint) else { continue };
        for switch in network.switches() {
            lfts.set(switch, target, Forward::Port(port_number(switch, endpoint)));
        }
    }
    Some(lfts)
}
