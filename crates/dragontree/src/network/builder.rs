//! Builds a [`Network`] node by node and link by link.

use super::{Channel, EndpointId, LinkClass, Network, Node, PortId, Structure, SwitchId};
use crate::units::{Bandwidth, Time};

/// Rate and latency of the links.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    /// Payload rate of every link.
    pub bandwidth: Bandwidth,
    /// Latency of every link.
    pub latency: Time,
}

/// Why two ports cannot be joined: a port is out of range or taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("port {number} of {node:?} {why}")]
pub struct Miswired {
    node: Node,
    number: u32,
    why: &'static str,
}

/// Collects switches, endpoints and links.
#[derive(Debug)]
pub struct Builder {
    links: Links,
    switch_ports: Vec<u32>,
    endpoint_ports: Vec<u32>,
    cables: Vec<([(Node, u32); 2], LinkClass)>,
}

impl Builder {
    /// An empty network whose links will have these rates and latencies.
    pub fn new(links: &Links) -> Builder {
        Builder {
            links: links.clone(),
            switch_ports: Vec::new(),
            endpoint_ports: Vec::new(),
            cables: Vec::new(),
        }
    }

    /// Adds a switch with so many ports.
    pub fn switch(&mut self, ports: u32) -> SwitchId {
        self.switch_ports.push(ports);
        SwitchId(self.switch_ports.len() as u32 - 1)
    }

    /// Adds an endpoint slot with so many ports; without a link the slot is empty.
    pub fn endpoint(&mut self, ports: u32) -> EndpointId {
        self.endpoint_ports.push(ports);
        EndpointId(self.endpoint_ports.len() as u32 - 1)
    }

    /// Joins two ports, each given as node and port number.
    pub fn link(&mut self, one: (Node, u32), other: (Node, u32), class: LinkClass) {
        self.cables.push(([one, other], class));
    }

    /// The finished network.
    ///
    /// # Errors
    /// A link names a port that does not exist or is already taken.
    pub fn finish(self, structure: Structure) -> Result<Network, Miswired> {
        let switch_count = self.switch_ports.len() as u32;
        let mut first_port = vec![0];
        let mut owners = Vec::new();
        let switches = self.switch_ports.iter().enumerate();
        let endpoints = self.endpoint_ports.iter().enumerate();
        let nodes =
            switches.map(|(index, ports)| (Node::Switch(SwitchId(index as u32)), *ports)).chain(
                endpoints.map(|(index, ports)| (Node::Endpoint(EndpointId(index as u32)), *ports)),
            );
        for (node, ports) in nodes {
            owners.extend(std::iter::repeat_n(node, ports as usize));
            first_port.push(owners.len() as u32);
        }
        let channels = vec![None; owners.len()];
        let mut network = Network { first_port, switch_count, owners, channels, structure };
        for (ends, class) in &self.cables {
            join(&mut network, &self.links, *ends, *class)?;
        }
        Ok(network)
    }
}

fn join(
    network: &mut Network,
    links: &Links,
    ends: [(Node, u32); 2],
    class: LinkClass,
) -> Result<(), Miswired> {
    let mut ports = [PortId(0); 2];
    for (port, (node, number)) in ports.iter_mut().zip(ends) {
        let miswired = |why| Miswired { node, number, why };
        let range = network.ports(node);
        if number >= range.len() as u32 {
            return Err(miswired("does not exist"));
        }
        *port = PortId(range.start + number);
        if network.channel(*port).is_some() {
            return Err(miswired("is already cabled"));
        }
    }
    for (port, peer) in [(ports[0], ports[1]), (ports[1], ports[0])] {
        let Links { bandwidth, latency } = *links;
        network.channels[port.index()] = Some(Channel { peer, bandwidth, latency, class });
    }
    Ok(())
}
