//! Builds a [`Network`] node by node and link by link.

use super::{
    EndpointId, Labels, Link, LinkClass, Links, NO_PEER, Network, Node, Structure, SwitchId,
};

/// Why a network cannot be finished.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Miswired {
    /// A link names a port that does not exist or is taken.
    #[error("port {number} of {node:?} {why}")]
    Port {
        /// The node.
        node: Node,
        /// The port's number on it.
        number: u32,
        /// What is wrong.
        why: &'static str,
    },
    /// A switch was added after an endpoint or a link, or an endpoint after a link to a later one.
    #[error("switches must be added before endpoints")]
    Order,
    /// Links of too many different rates, latencies and classes.
    #[error("more than 65535 different kinds of links")]
    Kinds,
}

impl Network {
    /// The place of a kind of link among all.
    ///
    /// # Errors
    /// There are too many of them.
    pub(super) fn kind(&mut self, link: Link) -> Result<u16, Miswired> {
        let place = self.link_kinds.iter().rposition(|each| *each == link).unwrap_or_else(|| {
            self.link_kinds.push(link);
            self.link_kinds.len() - 1
        });
        u16::try_from(place).map_err(|_| Miswired::Kinds)
    }
}

/// Collects switches, then endpoints, and the links between those already there.
#[derive(Debug)]
pub struct Builder {
    links: Links,
    network: Network,
    miswired: Option<Miswired>,
    /// The class of the latest link and its kind: links come in runs of the same class.
    latest: Option<(LinkClass, u16)>,
}

impl Builder {
    /// An empty network whose links will have these rates and latencies.
    pub fn new(links: &Links) -> Builder {
        let network = Network {
            first_port: vec![0],
            switch_count: 0,
            owners: Vec::new(),
            peers: Vec::new(),
            intact: None,
            kinds: Vec::new(),
            link_kinds: Vec::new(),
            structure: Structure::Irregular.into(),
            labels: None,
        };
        Builder { links: links.clone(), network, miswired: None, latest: None }
    }

    /// Adds a switch with so many ports. All switches come before the first endpoint.
    pub fn switch(&mut self, ports: u32) -> SwitchId {
        let id = SwitchId(self.network.switch_count);
        self.switches(1, ports);
        id
    }

    /// Adds so many switches with so many ports each.
    pub fn switches(&mut self, count: u32, ports: u32) {
        if self.network.endpoint_count() > 0 {
            self.miswired.get_or_insert(Miswired::Order);
        }
        self.network.switch_count += count;
        self.nodes(count, ports);
    }

    /// How many switches there are so far.
    pub fn switch_count(&self) -> u32 {
        self.network.switch_count
    }

    /// Adds an endpoint slot with so many ports; without a link the slot is empty.
    pub fn endpoint(&mut self, ports: u32) -> EndpointId {
        let id = EndpointId(self.network.endpoint_count());
        self.nodes(1, ports);
        id
    }

    /// Adds so many endpoint slots with so many ports each.
    pub fn endpoints(&mut self, count: u32, ports: u32) {
        self.nodes(count, ports);
    }

    fn nodes(&mut self, count: u32, ports: u32) {
        let network = &mut self.network;
        let first = network.owners.len();
        let all = first + count as usize * ports as usize;
        network.peers.resize(all, NO_PEER);
        network.kinds.resize(all, 0);
        network.owners.reserve(all - first);
        let index = network.first_port.len() as u32 - 1;
        for node in 0..count {
            network.owners.extend(std::iter::repeat_n(index + node, ports as usize));
        }
        let ends = (1..=count).map(|node| first as u32 + node * ports);
        network.first_port.extend(ends);
    }

    /// Joins two ports, each given as node and port number, by a link of this class.
    #[inline]
    pub fn link(&mut self, one: (Node, u32), other: (Node, u32), class: LinkClass) {
        let kind = match self.latest {
            Some((latest, kind)) if latest == class => kind,
            _ => self.kind(self.links.of(class)),
        };
        self.latest = Some((class, kind));
        self.join(one, other, kind);
    }

    /// Joins two ports by a link of its own kind.
    pub fn link_as(&mut self, one: (Node, u32), other: (Node, u32), link: Link) {
        let kind = self.kind(link);
        self.join(one, other, kind);
    }

    #[inline]
    fn join(&mut self, one: (Node, u32), other: (Node, u32), kind: u16) {
        match (self.free_port(one), self.free_port(other)) {
            (Some(port), Some(peer)) if port != peer => {
                for (port, peer) in [(port, peer), (peer, port)] {
                    self.network.peers[port as usize] = peer;
                    self.network.kinds[port as usize] = kind;
                }
            }
            _ => self.refuse(one, other),
        }
    }

    /// Notes why a link cannot be, if that is the first.
    #[cold]
    fn refuse(&mut self, one: (Node, u32), other: (Node, u32)) {
        let taken = [one, other].into_iter().find(|end| self.free_port(*end).is_none());
        let ((node, number), why) = match taken {
            Some(end) if self.port(end).is_some() => (end, "is already cabled"),
            Some(end) => (end, "does not exist"),
            None => (one, "is cabled to itself"),
        };
        self.miswired.get_or_insert(Miswired::Port { node, number, why });
    }

    /// The place of a kind of link among all; the first where there are too many, which is noted.
    #[cold]
    fn kind(&mut self, link: Link) -> u16 {
        self.network.kind(link).unwrap_or_else(|miswired| {
            self.miswired.get_or_insert(miswired);
            0
        })
    }

    /// A port of a node that is there.
    #[inline]
    fn port(&self, (node, number): (Node, u32)) -> Option<u32> {
        let Network { first_port, switch_count, .. } = &self.network;
        let index = match node {
            Node::Switch(switch) if switch.0 < *switch_count => switch.0,
            Node::Switch(_) => return None,
            Node::Endpoint(endpoint) => switch_count.checked_add(endpoint.0)?,
        } as usize;
        let [first, end] = [*first_port.get(index)?, *first_port.get(index + 1)?];
        first.checked_add(number).filter(|port| *port < end)
    }

    #[inline]
    fn free_port(&self, end: (Node, u32)) -> Option<u32> {
        self.port(end).filter(|port| self.network.peers[*port as usize] == NO_PEER)
    }

    /// Gives the nodes names and addresses of their own.
    pub fn label(&mut self, labels: Labels) {
        self.network.labels = Some(labels.into());
    }

    /// The finished network.
    ///
    /// # Errors
    /// The first thing that went wrong while building.
    pub fn finish(self, structure: Structure) -> Result<Network, Miswired> {
        match self.miswired {
            Some(miswired) => Err(miswired),
            None => Ok(Network { structure: structure.into(), ..self.network }),
        }
    }
}
