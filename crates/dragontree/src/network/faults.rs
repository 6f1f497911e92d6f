//! Networks with parts missing.

use super::{EndpointId, NO_PEER, Network, Node, PortId, SwitchId};

/// What is broken or missing. A broken switch loses all its links, a missing endpoint its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Failures {
    /// Links, by either of their ports.
    pub links: Vec<PortId>,
    /// Switches.
    pub switches: Vec<SwitchId>,
    /// Endpoints; their slots stay, empty.
    pub endpoints: Vec<EndpointId>,
}

impl Failures {
    /// Whether nothing is broken.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty() && self.switches.is_empty() && self.endpoints.is_empty()
    }
}

impl Network {
    /// The network without what failed. Ids, ports and structure stay as they are, with holes.
    pub fn without(&self, failures: &Failures) -> Network {
        let mut network = self.clone();
        network.intact.get_or_insert_with(|| self.peers.as_slice().into());
        let switches = failures.switches.iter().map(|switch| Node::Switch(*switch));
        let endpoints = failures.endpoints.iter().map(|endpoint| Node::Endpoint(*endpoint));
        let of_nodes = switches.chain(endpoints).flat_map(|node| self.ports(node)).map(PortId);
        for port in failures.links.iter().copied().chain(of_nodes) {
            if let Some(peer) = self.peer(port) {
                network.peers[port.index()] = NO_PEER;
                network.peers[peer.index()] = NO_PEER;
            }
        }
        network
    }
}
