//! Names and addresses of nodes: from a file, or ids in order.

use std::collections::BTreeMap;

use super::{EndpointId, Network, Node, PortId, SwitchId};

/// Names, GUIDs, LIDs and hosts that came with a network. Every list is either empty (then the
/// default holds) or complete.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// The name of each node: switches, then endpoints.
    pub names: Vec<String>,
    /// The GUID of each node: switches, then endpoints.
    pub guids: Vec<u64>,
    /// The GUID of each port of the endpoints, in the order of the ports.
    pub port_guids: Vec<u64>,
    /// The LID of each switch's port 0, then of each port of the endpoints; 0 where none is set.
    pub lids: Vec<u32>,
    /// How many low bits of the LID are free, in the order of `lids`.
    pub lmcs: Vec<u8>,
    /// The host that each endpoint is part of, by the lowest of its endpoints.
    pub hosts: Vec<EndpointId>,
}

/// The default GUIDs of switches and endpoints start here; so do those of their ports.
const SWITCH_GUIDS: u64 = 0x0002_c902_0000_0000;
const ENDPOINT_GUIDS: u64 = 0x0002_c903_0000_0000;

fn default_guid(node: Node) -> u64 {
    match node {
        Node::Switch(switch) => {
            let [first, second, third, fourth] = switch.0.to_le_bytes();
            SWITCH_GUIDS + u64::from(u32::from_be_bytes([fourth, third, first, second]))
        }
        Node::Endpoint(endpoint) => ENDPOINT_GUIDS + (u64::from(endpoint.0) << 8),
    }
}

impl Network {
    /// A node's name; by default its kind, its place in the structure and its number.
    pub fn name(&self, node: Node) -> String {
        let own = self.labels.as_ref().and_then(|labels| labels.names.get(self.node_index(node)));
        match (own, node) {
            (Some(name), _) => name.clone(),
            (None, Node::Switch(switch)) => self.structure.switch_name(switch),
            (None, Node::Endpoint(endpoint)) => format!("endpoint {}", endpoint.0),
        }
    }

    /// A channel in words, from where to where.
    pub fn channel_name(&self, port: PortId) -> String {
        let from = self.name(self.owner(port));
        match self.neighbor(port) {
            Some(neighbor) => format!("{from} to {}", self.name(neighbor)),
            None => format!("{from}, port {} (no cable)", self.shown_number(port)),
        }
    }

    /// The number by which a port is called in reports: where the network came with GUIDs, that of
    /// InfiniBand, which counts from 1; else [`number`](Network::number).
    pub fn shown_number(&self, port: PortId) -> u32 {
        let of_infiniband = self.labels.as_ref().is_some_and(|labels| !labels.guids.is_empty());
        self.number(port) + u32::from(of_infiniband)
    }

    /// The same network with other names and GUIDs, which tell nothing of where it stands: switches
    /// S1, S2, …, endpoints H1, H2, …, GUIDs in order. Local ids stay.
    pub fn anonymized(&self) -> Network {
        let name = |node| match node {
            Node::Switch(switch) => format!("S{}", switch.0 + 1),
            Node::Endpoint(endpoint) => format!("H{}", endpoint.0 + 1),
        };
        let mut labels = self.labels.as_deref().cloned().unwrap_or_default();
        labels.names = self.nodes().map(name).collect();
        if !labels.guids.is_empty() {
            labels.guids = self.nodes().map(default_guid).collect();
            // In the same order, which tells where the indices of a tree start.
            for (switch, other) in self.switches_by_guid().into_iter().zip(self.switches()) {
                labels.guids[switch.index()] = default_guid(Node::Switch(other));
            }
        }
        labels.port_guids.clear();
        Network { labels: Some(labels.into()), ..self.clone() }
    }

    /// A node's globally unique id; by default 0x2c902 or 0x2c903 (switch or endpoint) and the
    /// id times 256. For switches, the second byte of the id is the last of the GUID, so that the
    /// order in which OpenSM visits them is that of the ids.
    pub fn guid(&self, node: Node) -> u64 {
        let own = self.labels.as_ref().and_then(|labels| labels.guids.get(self.node_index(node)));
        own.copied().unwrap_or_else(|| default_guid(node))
    }

    /// The GUID of a port: its own on an endpoint (by default the node's plus its number, from 1),
    /// the node's on a switch.
    pub fn port_guid(&self, port: PortId) -> u64 {
        let node = self.owner(port);
        if let Node::Switch(_) = node {
            return self.guid(node);
        }
        let place = (port.0 - self.first_port[self.switch_count as usize]) as usize;
        let own = self.labels.as_ref().and_then(|labels| labels.port_guids.get(place));
        own.copied().unwrap_or_else(|| self.guid(node) + u64::from(self.number(port)) + 1)
    }

    /// The local id of a switch's own port; by default they follow those of the endpoints.
    pub fn switch_lid(&self, switch: SwitchId) -> u32 {
        let own = self.labels.as_ref().and_then(|labels| labels.lids.get(switch.index()));
        let endpoint_ports = self.port_count() - self.first_port[self.switch_count as usize];
        own.copied().unwrap_or(endpoint_ports + switch.0 + 1)
    }

    /// The local id of an endpoint's port; by default from 1 in order. A switch's ports share
    /// that of the switch.
    pub fn lid(&self, port: PortId) -> u32 {
        if let Node::Switch(switch) = self.owner(port) {
            return self.switch_lid(switch);
        }
        let place = port.0 - self.first_port[self.switch_count as usize];
        let at = (self.switch_count + place) as usize;
        let own = self.labels.as_ref().and_then(|labels| labels.lids.get(at));
        own.copied().unwrap_or(place + 1)
    }

    /// How many low bits of a port's local id are free; by default none.
    pub fn lmc(&self, port: PortId) -> u8 {
        let place = match self.owner(port) {
            Node::Switch(switch) => switch.0,
            Node::Endpoint(_) => {
                self.switch_count + port.0 - self.first_port[self.switch_count as usize]
            }
        };
        let own = self.labels.as_ref().and_then(|labels| labels.lmcs.get(place as usize));
        own.copied().unwrap_or(0)
    }

    /// The host that an endpoint is part of, named by its lowest endpoint; by default itself.
    pub fn host(&self, endpoint: EndpointId) -> EndpointId {
        let own = self.labels.as_ref().and_then(|labels| labels.hosts.get(endpoint.index()));
        own.copied().unwrap_or(endpoint)
    }

    /// The labels that came with the network.
    pub fn labels(&self) -> Option<&Labels> {
        self.labels.as_deref()
    }

    /// Every node by its name; of equal names, the first node.
    pub fn nodes_by_name(&self) -> BTreeMap<String, Node> {
        let mut nodes = BTreeMap::new();
        for node in self.nodes() {
            nodes.entry(self.name(node)).or_insert(node);
        }
        nodes
    }
}
