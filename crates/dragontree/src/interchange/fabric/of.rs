//! The table of a network.

use crate::interchange::{Address, Cable, Delay, Device, Fabric, Kind};
use crate::network::{LinkClass, Network, Node, PortId, Structure, SwitchId};

impl Fabric {
    /// Switches and endpoints of a network in their order, links by their lower ports.
    pub fn of(network: &Network) -> Fabric {
        let mut devices: Vec<Device> = network.nodes().map(|node| device(network, node)).collect();
        share_hosts(network, &mut devices);
        let cables = network.links().map(|(port, channel)| Cable {
            ends: [port, channel.peer].map(|port| end(network, port)),
            class: Some(channel.class),
            bandwidth: Some(channel.bandwidth),
            latency: Some(Delay::Time(channel.latency)),
        });
        Fabric { devices, cables: cables.collect() }
    }
}

/// The place of a port's device in the table of its network, and the port's number.
pub(in crate::interchange) fn end(network: &Network, port: PortId) -> (u32, u32) {
    let device = match network.owner(port) {
        Node::Switch(switch) => switch.0,
        Node::Endpoint(endpoint) => network.switch_count() + endpoint.0,
    };
    (device, network.number(port))
}

fn device(network: &Network, node: Node) -> Device {
    let ports = network.ports(node);
    let mut device = Device::new(kind(network, node), network.name(node), ports.len() as u32);
    device.guid = Some(network.guid(node));
    match node {
        Node::Switch(switch) => {
            device.own.lid = network.switch_lid(switch);
            device.own.lmc = ports.clone().next().map_or(0, |port| network.lmc(PortId(port)));
        }
        Node::Endpoint(_) => {
            let address = |port| {
                let port = PortId(port);
                let (lid, lmc) = (network.lid(port), network.lmc(port));
                Address { guid: Some(network.port_guid(port)), lid, lmc }
            };
            device.addresses = (0..).zip(ports.map(address)).collect();
        }
    }
    device
}

/// Names the hosts that several endpoints share by the lowest of these.
fn share_hosts(network: &Network, devices: &mut [Device]) {
    let mut shares = vec![0_u32; network.endpoint_count() as usize];
    for endpoint in network.endpoints() {
        shares[network.host(endpoint).index()] += 1;
    }
    let endpoints = devices.iter_mut().skip(network.switch_count() as usize);
    for (endpoint, device) in network.endpoints().zip(endpoints) {
        let host = network.host(endpoint);
        if shares[host.index()] > 1 {
            device.host = host.0.to_string();
        }
    }
}

/// What a node is: a switch counts as a router when its network's subnets say so, or when all its
/// links are of the class of routers.
pub(in crate::interchange) fn kind(network: &Network, node: Node) -> Kind {
    match (node, network.structure()) {
        (Node::Endpoint(_), _) => Kind::Endpoint,
        (Node::Switch(switch), Structure::Subnets(subnets)) => match subnets.subnet(switch) {
            Some(_) => Kind::Switch,
            None => Kind::Router,
        },
        (Node::Switch(switch), _) if is_router(network, switch) => Kind::Router,
        (Node::Switch(_), _) => Kind::Switch,
    }
}

fn is_router(network: &Network, switch: SwitchId) -> bool {
    let ports = network.ports(Node::Switch(switch)).map(PortId);
    let mut classes = ports.filter_map(|port| network.channel(port)).map(|channel| channel.class);
    let first = classes.next();
    first == Some(LinkClass::Router) && classes.all(|class| class == LinkClass::Router)
}
