//! What hangs on each switch of a rail.

use super::endpoint;
use crate::analysis::rails::Rail;
use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::sorting::{both, sort_by_number};

/// The switches of a rail, and the endpoint ports on each.
pub(super) struct Sites {
    pub switches: Vec<SwitchId>,
    first: Vec<u32>,
    ports: Vec<PortId>,
}

impl Sites {
    pub fn new(network: &Network, rail: &Rail) -> Sites {
        let place = |port: PortId| match network.neighbor(port) {
            Some(Node::Switch(switch)) => Some((switch, port)),
            _ => None,
        };
        let mut placed: Vec<(SwitchId, PortId)> =
            rail.ports.iter().filter_map(|port| port.and_then(place)).collect();
        sort_by_number(&mut placed, |(switch, port)| both(u64::from(switch.0), u64::from(port.0)));
        let first = |switch: u32| placed.partition_point(|(other, _)| other.0 < switch) as u32;
        Sites {
            switches: rail.switches.clone(),
            first: (0..=network.switch_count()).map(first).collect(),
            ports: placed.iter().map(|(_, port)| *port).collect(),
        }
    }

    /// The endpoint ports on a switch.
    pub fn ports(&self, switch: SwitchId) -> &[PortId] {
        &self.ports[self.first[switch.index()] as usize..self.first[switch.index() + 1] as usize]
    }

    /// The endpoints of these ports.
    pub fn endpoints(&self, network: &Network, switch: SwitchId) -> Vec<EndpointId> {
        self.ports(switch).iter().filter_map(|port| endpoint(network, *port)).collect()
    }
}
