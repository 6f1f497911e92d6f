//! The network: endpoints, switches, ports and channels, built once and never changed.
//!
//! Everything lies in flat arrays. A **channel** is one direction of a link and is named by the
//! output port it leaves from, so one [`PortId`] serves port and channel. Switch ports come
//! first, switch by switch, then the endpoints' ports.

use std::ops::Range;

use crate::units::{Bandwidth, Bytes, Time};

mod builder;
mod structure;

pub use builder::{Builder, Links, Miswired};
pub use structure::{Groups, Needs, Structure, Tree};

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

/// What a link joins; its rate and latency are chosen by this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkClass {
    /// An endpoint and its switch.
    Endpoint,
    /// Two switches of one group.
    Local,
    /// Two groups.
    Global,
    /// A tree's switches of this level (at least 2) and of the level below.
    Level(u32),
}

impl std::fmt::Display for LinkClass {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LinkClass::Endpoint => formatter.write_str("endpoint"),
            LinkClass::Local => formatter.write_str("local"),
            LinkClass::Global => formatter.write_str("global"),
            LinkClass::Level(level) => write!(formatter, "level {level}"),
        }
    }
}

/// One direction of a link, leaving from a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The port at the other end.
    pub peer: PortId,
    /// Payload rate.
    pub bandwidth: Bandwidth,
    /// Time from the first bit leaving to the first bit arriving.
    pub latency: Time,
    /// What the link joins.
    pub class: LinkClass,
}

impl Channel {
    /// The time that `bytes` take to leave.
    pub fn serialization(&self, bytes: Bytes) -> Time {
        self.bandwidth.serialization(bytes)
    }
}

/// Endpoints and switches joined by links.
#[derive(Clone, Debug)]
pub struct Network {
    /// First port of each node: switches, then endpoints, then one past the last port.
    first_port: Vec<u32>,
    switch_count: u32,
    owners: Vec<Node>,
    channels: Vec<Option<Channel>>,
    structure: Structure,
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

    /// Every endpoint slot.
    pub fn endpoints(&self) -> impl Iterator<Item = EndpointId> + use<> {
        (0..self.endpoint_count()).map(EndpointId)
    }

    /// Every switch.
    pub fn switches(&self) -> impl Iterator<Item = SwitchId> + use<> {
        (0..self.switch_count).map(SwitchId)
    }

    /// Every port that has a cable.
    pub fn channels(&self) -> impl Iterator<Item = (PortId, &Channel)> {
        let cabled = |(port, channel): (usize, &'_ Option<Channel>)| -> Option<u32> {
            channel.as_ref().map(|_| port as u32)
        };
        let channels = &self.channels;
        channels.iter().enumerate().filter_map(cabled).filter_map(|port| {
            let port = PortId(port);
            channels[port.index()].as_ref().map(|channel| (port, channel))
        })
    }

    /// The number of links, endpoint links included.
    pub fn link_count(&self) -> u32 {
        self.channels().count() as u32 / 2
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
        self.owners[port.index()]
    }

    /// A port's number on its node.
    pub fn number(&self, port: PortId) -> u32 {
        port.0 - self.ports(self.owner(port)).start
    }

    /// The channel leaving from a port, when it has a cable.
    pub fn channel(&self, port: PortId) -> Option<&Channel> {
        self.channels[port.index()].as_ref()
    }

    /// The port at the other end of the cable.
    pub fn peer(&self, port: PortId) -> Option<PortId> {
        self.channel(port).map(|channel| channel.peer)
    }

    /// The node at the other end of the cable.
    pub fn neighbor(&self, port: PortId) -> Option<Node> {
        self.peer(port).map(|peer| self.owner(peer))
    }

    /// The endpoint's first cabled port, from which it injects; none when the slot is empty.
    pub fn injection(&self, endpoint: EndpointId) -> Option<PortId> {
        self.ports(Node::Endpoint(endpoint)).map(PortId).find(|port| self.channel(*port).is_some())
    }

    /// The switch that an endpoint hangs on; none when the slot is empty.
    pub fn switch_of(&self, endpoint: EndpointId) -> Option<SwitchId> {
        match self.neighbor(self.injection(endpoint)?)? {
            Node::Switch(switch) => Some(switch),
            Node::Endpoint(_) => None,
        }
    }

    /// The largest number of ports of any switch.
    pub fn radix(&self) -> u32 {
        self.switches()
            .map(|switch| self.ports(Node::Switch(switch)).len() as u32)
            .max()
            .unwrap_or(0)
    }

    /// Levels, digits or groups, where the network has them.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// A node's name; by default its kind and number.
    pub fn name(&self, node: Node) -> String {
        match node {
            Node::Switch(switch) => match &self.structure {
                Structure::Groups(groups) => {
                    format!("switch {} of group {}", groups.place(switch), groups.group(switch))
                }
                Structure::Tree(tree) => {
                    format!("switch {} of level {}", tree.index(switch), tree.level(switch))
                }
            },
            Node::Endpoint(endpoint) => format!("endpoint {}", endpoint.0),
        }
    }

    /// A channel in words, from where to where.
    pub fn channel_name(&self, port: PortId) -> String {
        let from = self.name(self.owner(port));
        match self.neighbor(port) {
            Some(neighbor) => format!("{from} to {}", self.name(neighbor)),
            None => format!("{from}, port {} (no cable)", self.number(port)),
        }
    }
}
