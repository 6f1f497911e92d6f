//! The network: endpoints, switches, ports and channels, built once and never changed.
//!
//! Everything lies in flat arrays. A **channel** is one direction of a link and is named by the
//! output port it leaves from, so one [`PortId`] serves port and channel. Switch ports come
//! first, switch by switch, then the endpoints' ports.

use std::ops::Range;
use std::sync::Arc;

mod builder;
pub mod extraction;
mod faults;
mod graph;
pub mod grids;
mod labels;
mod lfts;
mod link;
#[cfg(feature = "complete")]
mod management;
mod positions;
pub(crate) mod sets;
mod structure;
mod turns;

pub use builder::{Builder, Miswired};
pub use faults::Failures;
pub(crate) use graph::Graph;
pub use labels::Labels;
pub use lfts::{Forward, Lfts, Target};
pub use link::{Channel, Link, LinkClass, Links, PerClass};
pub use positions::{Anchor, Bend, Blocks, Caption, Point, Positions};
pub use structure::{
    Grid, Groups, Layer, Layered, Lines, Mms, Needs, Structure, Subnets, Tree, UpPorts,
};
pub(crate) use turns::Turns;

macro_rules! id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as a place in an array.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A slot for an endpoint, empty ones included.
    EndpointId
}
id! {
    /// A switch.
    SwitchId
}
id! {
    /// A port of a switch or an endpoint, and the channel that leaves from it.
    PortId
}

/// What a port belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A switch.
    Switch(SwitchId),
    /// An endpoint.
    Endpoint(EndpointId),
}

/// Stands for the peer of a port without a cable.
const NO_PEER: u32 = u32::MAX;

/// Endpoints and switches joined by links.
#[derive(Clone, Debug)]
pub struct Network {
    /// First port of each node: switches, then endpoints, then one past the last port.
    first_port: Vec<u32>,
    switch_count: u32,
    /// The node of each port, counted like `first_port`.
    owners: Vec<u32>,
    peers: Vec<u32>,
    /// The peers before anything failed; none when nothing did.
    intact: Option<Arc<[u32]>>,
    /// For each cabled port its place in `link_kinds`.
    kinds: Vec<u16>,
    link_kinds: Vec<Link>,
    structure: Arc<Structure>,
    labels: Option<Arc<Labels>>,
}

impl Network {
    /// The number of endpoint slots, empty ones included.
    pub fn endpoint_count(&self) -> u32 {
        self.first_port.len() as u32 - 1 - self.switch_count
    }

    /// The number of switches.
    pub fn switch_count(&self) -> u32 {
        self.switch_count
    }

    /// The number of ports of switches and endpoints together, cabled or not.
    pub fn port_count(&self) -> u32 {
        self.owners.len() as u32
    }

    /// The number of ports of switches, which come before those of endpoints.
    pub fn switch_port_count(&self) -> u32 {
        self.first_port[self.switch_count as usize]
    }

    /// Every endpoint slot.
    pub fn endpoints(&self) -> impl Iterator<Item = EndpointId> + use<> {
        (0..self.endpoint_count()).map(EndpointId)
    }

    /// Every switch.
    pub fn switches(&self) -> impl Iterator<Item = SwitchId> + use<> {
        (0..self.switch_count).map(SwitchId)
    }

    /// Every node: switches, then endpoints.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        self.switches().map(Node::Switch).chain(self.endpoints().map(Node::Endpoint))
    }

    /// Every port that has a cable, with the channel that leaves from it.
    pub fn channels(&self) -> impl Iterator<Item = (PortId, Channel)> {
        let ports = (0..self.port_count()).map(PortId);
        ports.filter_map(|port| self.channel(port).map(|channel| (port, channel)))
    }

    /// Every link, by its lower port.
    pub fn links(&self) -> impl Iterator<Item = (PortId, Channel)> {
        self.channels().filter(|(port, channel)| *port < channel.peer)
    }

    /// The number of links, endpoint links included.
    pub fn link_count(&self) -> u32 {
        self.peers.iter().filter(|peer| **peer != NO_PEER).count() as u32 / 2
    }

    /// What its links join, each class once or several times.
    pub fn link_classes(&self) -> impl Iterator<Item = LinkClass> {
        self.link_kinds.iter().map(|kind| kind.class)
    }

    /// The bytes that nodes, ports and links take; structure and labels come on top.
    pub fn memory(&self) -> u64 {
        let words = self.first_port.len() + self.owners.len() + self.peers.len();
        (words * size_of::<u32>() + self.kinds.len() * size_of::<u16>()) as u64
    }

    /// The number of endpoint slots that have a link.
    pub fn live_endpoint_count(&self) -> u32 {
        self.endpoints().filter(|endpoint| self.injection(*endpoint).is_some()).count() as u32
    }

    fn node_index(&self, node: Node) -> usize {
        match node {
            Node::Switch(switch) => switch.index(),
            Node::Endpoint(endpoint) => self.switch_count as usize + endpoint.index(),
        }
    }

    /// The ports of a node, in the order of their numbers.
    pub fn ports(&self, node: Node) -> Range<u32> {
        let index = self.node_index(node);
        self.first_port[index]..self.first_port[index + 1]
    }

    /// The port of this number on a switch; the number must be one of the switch's.
    pub fn port(&self, switch: SwitchId, number: u32) -> PortId {
        debug_assert!(number < self.ports(Node::Switch(switch)).len() as u32);
        PortId(self.first_port[switch.index()] + number)
    }

    /// The node that a port belongs to.
    pub fn owner(&self, port: PortId) -> Node {
        let index = self.owners[port.index()];
        match index.checked_sub(self.switch_count) {
            None => Node::Switch(SwitchId(index)),
            Some(endpoint) => Node::Endpoint(EndpointId(endpoint)),
        }
    }

    /// A port's number on its node.
    pub fn number(&self, port: PortId) -> u32 {
        port.0 - self.first_port[self.owners[port.index()] as usize]
    }

    /// The channel leaving from a port, when it has a cable.
    pub fn channel(&self, port: PortId) -> Option<Channel> {
        let peer = self.peer(port)?;
        let Link { bandwidth, latency, class } = self.link_kinds[self.kinds[port.index()] as usize];
        Some(Channel { peer, bandwidth, latency, class })
    }

    /// The port at the other end of the cable.
    pub fn peer(&self, port: PortId) -> Option<PortId> {
        match self.peers[port.index()] {
            NO_PEER => None,
            peer => Some(PortId(peer)),
        }
    }

    /// The node at the other end of the cable.
    pub fn neighbor(&self, port: PortId) -> Option<Node> {
        self.peer(port).map(|peer| self.owner(peer))
    }

    /// The node that was at the other end of the cable before anything failed.
    pub fn intact_neighbor(&self, port: PortId) -> Option<Node> {
        let peers = self.intact.as_deref().unwrap_or(&self.peers);
        match peers[port.index()] {
            NO_PEER => None,
            peer => Some(self.owner(PortId(peer))),
        }
    }

    /// The endpoint's first cabled port, from which it injects; none when the slot is empty.
    pub fn injection(&self, endpoint: EndpointId) -> Option<PortId> {
        self.ports(Node::Endpoint(endpoint)).map(PortId).find(|port| self.peer(*port).is_some())
    }

    /// The number of an endpoint's ports that have a cable.
    pub fn cabled_ports(&self, endpoint: EndpointId) -> u32 {
        let ports = self.ports(Node::Endpoint(endpoint)).map(PortId);
        ports.filter(|port| self.peer(*port).is_some()).count() as u32
    }

    /// The switch that an endpoint hangs on; none when the slot is empty.
    pub fn switch_of(&self, endpoint: EndpointId) -> Option<SwitchId> {
        match self.neighbor(self.injection(endpoint)?)? {
            Node::Switch(switch) => Some(switch),
            Node::Endpoint(_) => None,
        }
    }

    /// Whether an endpoint hangs on a switch.
    pub fn carries_endpoints(&self, switch: SwitchId) -> bool {
        let mut ports = self.ports(Node::Switch(switch)).map(PortId);
        ports.any(|port| matches!(self.neighbor(port), Some(Node::Endpoint(_))))
    }

    /// The largest number of ports of any switch.
    pub fn radix(&self) -> u32 {
        self.switches()
            .map(|switch| self.ports(Node::Switch(switch)).len() as u32)
            .max()
            .unwrap_or(0)
    }

    /// Levels, digits, coordinates or groups, where the network has them.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }
}
