//! Networks in which every switch's own port 0 stands as an endpoint.

use super::{
    EndpointId, Labels, Link, LinkClass, Miswired, NO_PEER, Network, Node, PortId, SwitchId,
};
use crate::units::{Bandwidth, Time};

impl Network {
    /// The network with another port on every switch, the last one, and behind it an endpoint that
    /// stands for the switch's own port 0; these come after the other endpoints, in the order of the
    /// switches. Ids of endpoints and switches and numbers of ports stay.
    ///
    /// A packet enters port 0 at the rate `bandwidth`. One that leaves it is whole, so its channel
    /// into the switch is as fast as the switch's fastest link, and keeps no slower one waiting for
    /// the rest.
    ///
    /// # Errors
    /// There are too many kinds of links.
    pub fn with_management_ports(&self, bandwidth: Bandwidth) -> Result<Network, Miswired> {
        let mut grown = self.with_loose_ports();
        let at = |bandwidth| Link { bandwidth, latency: Time::ZERO, class: LinkClass::Endpoint };
        let sink = grown.kind(at(bandwidth))?;
        for switch in self.switches() {
            let fastest = self.fastest(switch).map_or(bandwidth, |rate| rate.max(bandwidth));
            let source = grown.kind(at(fastest))?;
            let own = grown.ports(Node::Switch(switch)).end - 1;
            let port = EndpointId(self.endpoint_count() + switch.0);
            let port = grown.ports(Node::Endpoint(port)).start;
            for (from, to, kind) in [(own, port, sink), (port, own, source)] {
                grown.peers[from as usize] = to;
                grown.kinds[from as usize] = kind;
            }
        }
        Ok(grown)
    }

    /// The rate of a switch's fastest link.
    fn fastest(&self, switch: SwitchId) -> Option<Bandwidth> {
        let ports = self.ports(Node::Switch(switch)).map(PortId);
        ports.filter_map(|port| self.channel(port).map(|channel| channel.bandwidth)).max()
    }

    /// The same network with these ports and endpoints, which are not joined yet.
    fn with_loose_ports(&self) -> Network {
        let (switches, ports) = (self.switch_count, self.port_count());
        let name = |node| self.name(node);
        let own = self.switches().map(|switch| format!("{}'s port 0", name(Node::Switch(switch))));
        let names = self.nodes().map(name).chain(own).collect();
        let labels = Labels { names, ..self.labels().cloned().unwrap_or_default() };
        let mut grown = Network {
            first_port: vec![0],
            switch_count: switches,
            owners: Vec::new(),
            peers: Vec::new(),
            intact: None,
            kinds: Vec::new(),
            link_kinds: self.link_kinds.clone(),
            structure: self.structure.clone(),
            labels: Some(labels.into()),
        };
        // Every switch before it has moved a port by one.
        let moved = |port: u32| {
            if port == NO_PEER { port } else { port + self.owners[port as usize].min(switches) }
        };
        for node in self.nodes() {
            let index = self.node_index(node) as u32;
            let range = self.ports(node).start as usize..self.ports(node).end as usize;
            grown.peers.extend(self.peers[range.clone()].iter().map(|peer| moved(*peer)));
            grown.kinds.extend(&self.kinds[range]);
            if index < switches {
                grown.peers.push(NO_PEER);
                grown.kinds.push(0);
            }
            grown.first_port.push(grown.peers.len() as u32);
        }
        for switch in 0..switches {
            grown.peers.push(NO_PEER);
            grown.kinds.push(0);
            grown.first_port.push(ports + switches + switch + 1);
        }
        let spans = grown.first_port.windows(2).map(|ends| ends[1] - ends[0]);
        let owners = (0..).zip(spans).flat_map(|(node, ports)| (0..ports).map(move |_| node));
        grown.owners = owners.collect();
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, Links, Structure};
    use super::*;

    #[test]
    fn the_other_ports_keep_numbers_cables_and_names() {
        let links = Links::all(Bandwidth::gbps(16), Time::ns(5));
        let mut builder = Builder::new(&links);
        let switches = [builder.switch(3), builder.switch(2)].map(Node::Switch);
        let endpoints = [builder.endpoint(1), builder.endpoint(2)].map(Node::Endpoint);
        builder.link((switches[0], 2), (switches[1], 0), LinkClass::Switch);
        builder.link((switches[0], 0), (endpoints[0], 0), LinkClass::Endpoint);
        builder.link((switches[1], 1), (endpoints[1], 1), LinkClass::Endpoint);
        let network = builder.finish(Structure::Irregular).unwrap();
        let grown = network.with_management_ports(Bandwidth::gbps(2)).unwrap();

        assert_eq!((grown.endpoint_count(), grown.switch_count()), (4, 2));
        let end = |network: &Network, port| {
            (network.owner(port), network.number(port), network.name(network.owner(port)))
        };
        for node in network.nodes() {
            for (own, same) in network.ports(node).zip(grown.ports(node)) {
                let [own, same] = [own, same].map(PortId);
                assert_eq!(end(&network, own), end(&grown, same));
                let peers = (network.peer(own), grown.peer(same));
                assert_eq!(peers.0.is_some(), peers.1.is_some());
                if let (Some(peer), Some(other)) = peers {
                    assert_eq!(end(&network, peer), end(&grown, other));
                }
            }
        }
        let own = grown.port(SwitchId(1), 2);
        assert_eq!(grown.neighbor(own), Some(Node::Endpoint(EndpointId(3))));
        assert_eq!(grown.channel_name(own), "switch 1 to switch 1's port 0");
        let rate = |port| grown.channel(port).unwrap().bandwidth;
        assert_eq!(rate(own), Bandwidth::gbps(2));
        assert_eq!(rate(grown.peer(own).unwrap()), Bandwidth::gbps(16));
    }
}
