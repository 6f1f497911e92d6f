//! The plain table between a file and a network.

use std::collections::BTreeMap;
use std::hash::Hasher;

use crate::network::{
    Builder, EndpointId, Labels, Link, LinkClass, Links, Miswired, Network, Node, Structure,
    SwitchId,
};
use crate::units::{Bandwidth, Time};

mod of;

pub(super) use of::{end, kind};

/// What a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It forwards packets within a subnet.
    Switch,
    /// It forwards packets between subnets; in a network it is a switch whose links to other
    /// switches are of the class [`LinkClass::Router`].
    Router,
    /// It sends and receives packets.
    Endpoint,
}

/// What a port is called by in a subnet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// Its GUID, where it is told.
    pub guid: Option<u64>,
    /// Its local id; 0 when none is set.
    pub lid: u32,
    /// How many low bits of the local id are free.
    pub lmc: u8,
}

/// A switch, a router or an endpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// What it is.
    pub kind: Kind,
    /// Its name; empty when it has none.
    pub name: String,
    /// Its GUID, where it is told.
    pub guid: Option<u64>,
    /// How many ports it has.
    pub ports: u32,
    /// The address of a switch's own port; a router has that of its first port here.
    pub own: Address,
    /// The addresses of an endpoint's ports, as far as they are told, with the ports' numbers
    /// from 0, in ascending order.
    pub addresses: Vec<(u32, Address)>,
    /// The host that it is part of; empty when it is a host of its own.
    pub host: String,
}

impl Device {
    /// A device of which only this is known.
    pub fn new(kind: Kind, name: impl Into<String>, ports: u32) -> Device {
        Device {
            kind,
            name: name.into(),
            guid: None,
            ports,
            own: Address::default(),
            addresses: Vec::new(),
            host: String::new(),
        }
    }
}

/// The latency of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// So long.
    Time(Time),
    /// So many times the latency that links of its class have otherwise.
    Times(u32),
}

/// A link: two devices, by their places in the table, each with a port's number from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Cable {
    /// Its ends.
    pub ends: [(u32, u32); 2],
    /// Its class; without one it follows from what it joins.
    pub class: Option<LinkClass>,
    /// Its payload rate, where it is told.
    pub bandwidth: Option<Bandwidth>,
    /// Its latency, where it is told.
    pub latency: Option<Delay>,
}

impl Cable {
    /// A cable of which only its ends are known.
    pub fn new(ends: [(u32, u32); 2]) -> Cable {
        Cable { ends, class: None, bandwidth: None, latency: None }
    }
}

/// A fabric as a file describes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fabric {
    /// Switches, routers and endpoints, in the order of the file.
    pub devices: Vec<Device>,
    /// The links.
    pub cables: Vec<Cable>,
}

impl Fabric {
    /// The network: switches and routers keep their order and so do endpoints, ports have the
    /// numbers of the table. `links` says what the table leaves open.
    ///
    /// # Errors
    /// A cable names a port that does not exist or is taken; readers rule that out.
    pub fn network(&self, links: &Links) -> Result<Network, Miswired> {
        let mut builder = Builder::new(links);
        let (forwards, ends) = self.in_order();
        let mut nodes = vec![Node::Switch(SwitchId(0)); self.devices.len()];
        for index in &forwards {
            nodes[*index] = Node::Switch(builder.switch(self.devices[*index].ports));
        }
        for index in &ends {
            nodes[*index] = Node::Endpoint(builder.endpoint(self.devices[*index].ports));
        }
        for cable in &self.cables {
            let end = |(device, port): (u32, u32)| (nodes[device as usize], port);
            let [one, other] = cable.ends.map(end);
            builder.link_as(one, other, self.link(cable, links));
        }
        builder.label(self.labels(&forwards, &ends));
        builder.finish(Structure::Irregular)
    }

    /// The places of what forwards packets, and of the endpoints.
    fn in_order(&self) -> (Vec<usize>, Vec<usize>) {
        (0..self.devices.len()).partition(|index| self.devices[*index].kind != Kind::Endpoint)
    }

    fn link(&self, cable: &Cable, links: &Links) -> Link {
        let kinds = cable.ends.map(|(device, _)| self.devices[device as usize].kind);
        let class = cable.class.unwrap_or(match kinds {
            _ if kinds.contains(&Kind::Endpoint) => LinkClass::Endpoint,
            _ if kinds.contains(&Kind::Router) => LinkClass::Router,
            _ => LinkClass::Switch,
        });
        let usual = links.of(class);
        let latency = match cable.latency {
            Some(Delay::Time(time)) => time,
            Some(Delay::Times(count)) => {
                Time::ps(usual.latency.as_ps().saturating_mul(u64::from(count)))
            }
            None => usual.latency,
        };
        Link { bandwidth: cable.bandwidth.unwrap_or(usual.bandwidth), latency, class }
    }

    /// Names and addresses; a list is left out when no device tells any of it.
    fn labels(&self, forwards: &[usize], ends: &[usize]) -> Labels {
        let all = || forwards.iter().chain(ends).map(|index| &self.devices[*index]);
        let endpoints = || ends.iter().map(|index| &self.devices[*index]);
        let ports = || endpoints().flat_map(|device| (0..device.ports).map(move |p| (device, p)));
        let addresses: Vec<Address> = {
            let own = forwards.iter().map(|index| self.devices[*index].own);
            own.chain(ports().map(|(device, port)| device.address(port))).collect()
        };
        let mut labels = Labels::default();
        if all().any(|device| !device.name.is_empty()) {
            let numbered = |(place, device): (usize, &Device)| match device.name.as_str() {
                "" if place < forwards.len() => format!("switch {place}"),
                "" => format!("endpoint {}", place - forwards.len()),
                name => name.to_owned(),
            };
            labels.names = all().enumerate().map(numbered).collect();
        }
        if all().any(|device| device.guid.is_some()) {
            labels.guids = all().enumerate().map(guid).collect();
            for (device, guid) in endpoints().zip(&labels.guids[forwards.len()..]) {
                let port = |port| {
                    let next = guid.wrapping_add(u64::from(port) + 1);
                    device.address(port).guid.unwrap_or(next)
                };
                labels.port_guids.extend((0..device.ports).map(port));
            }
        }
        if addresses.iter().any(|address| address.lid != 0) {
            labels.lids = addresses.iter().map(|address| address.lid).collect();
        }
        if addresses.iter().any(|address| address.lmc != 0) {
            labels.lmcs = addresses.iter().map(|address| address.lmc).collect();
        }
        if endpoints().any(|device| !device.host.is_empty()) {
            labels.hosts = hosts(endpoints());
        }
        labels
    }
}

impl Device {
    pub(super) fn address(&self, port: u32) -> Address {
        let place = self.addresses.binary_search_by_key(&port, |(number, _)| *number);
        place.map_or(Address::default(), |place| self.addresses[place].1)
    }

    /// The address of a port; a switch has the same at every port.
    pub(super) fn address_or_own(&self, port: u32) -> Address {
        if self.kind == Kind::Switch { self.own } else { self.address(port) }
    }
}

/// A device's GUID, made up from name and place where none is told.
fn guid((place, device): (usize, &Device)) -> u64 {
    device.guid.unwrap_or_else(|| {
        let mut hasher = fnv::FnvHasher::default();
        hasher.write(device.name.as_bytes());
        hasher.write(&(place as u64).to_le_bytes());
        hasher.finish()
    })
}

/// The host of each endpoint, by the first endpoint that is part of it.
fn hosts<'a>(endpoints: impl Iterator<Item = &'a Device>) -> Vec<EndpointId> {
    let mut first: BTreeMap<&str, EndpointId> = BTreeMap::new();
    let host = |(place, device): (usize, &'a Device)| {
        let own = EndpointId(place as u32);
        match device.host.as_str() {
            "" => own,
            host => *first.entry(host).or_insert(own),
        }
    };
    endpoints.enumerate().map(host).collect()
}
