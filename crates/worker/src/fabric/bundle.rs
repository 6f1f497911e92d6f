//! Which nodes and links of a network are drawn as one.

use dragontree::network::{Blocks, Network, Node, PortId, Positions, SwitchId};

use super::NONE;

/// Networks with more links than this are drawn in blocks.
const MOST_LINKS: u32 = 20_000;
/// Blocks with more ports than this cannot be opened.
const MOST_OPEN: u32 = 20_000;
/// Blocks with more bundles between them than this are drawn as a matrix.
const MOST_CURVES: usize = 4_000;

/// Which node of the drawing each node of a network belongs to.
pub struct Cast {
    /// The nodes of the network that each node of the drawing stands for; of a closed block its
    /// switches only.
    pub members: Vec<Vec<Node>>,
    /// The block of each node that stands for one.
    pub blocks: Vec<Option<u32>>,
    /// The node of each switch.
    switches: Vec<u32>,
    /// The node of each endpoint, where it has one.
    endpoints: Vec<u32>,
}

/// What of a network is drawn, and where.
pub struct Plan {
    /// Where its nodes are.
    pub positions: Positions,
    /// The blocks that it is drawn in; none when it is small enough to go without.
    pub blocks: Option<Blocks>,
    /// The ports of each block, and its endpoints.
    pub sizes: Vec<(u32, u32)>,
    /// The block that is open.
    pub open: Option<u32>,
    /// Whether it is drawn as a matrix.
    pub matrix: bool,
    /// Which node of the network is drawn as which.
    pub cast: Cast,
}

impl Plan {
    /// Decides how a network is drawn.
    pub fn new(network: &Network, open: Option<u32>) -> Plan {
        let positions = Positions::of(network);
        let blocks = (network.link_count() > MOST_LINKS).then(|| positions.blocks(network));
        let sizes = blocks.as_ref().map(|blocks| sizes(network, blocks)).unwrap_or_default();
        let fits = |open: &u32| sizes.get(*open as usize).is_some_and(|(ports, _)| opens(*ports));
        let open = open.filter(fits);
        let mut curves = 0;
        if let Some(blocks) = &blocks {
            let cast = Cast::new(network, Some(blocks), None, false);
            cast.bundles(network, &mut |_, _| curves += 1);
        }
        let matrix = curves > MOST_CURVES;
        let cast = Cast::new(network, blocks.as_ref(), open, !matrix);
        Plan { positions, blocks, sizes, open, matrix, cast }
    }
}

/// The ports of each block, and its endpoints.
fn sizes(network: &Network, blocks: &Blocks) -> Vec<(u32, u32)> {
    let mut sizes = vec![(0, 0); blocks.names.len()];
    for switch in network.switches() {
        let (ports, endpoints) = &mut sizes[blocks.of[switch.index()] as usize];
        let own = network.ports(Node::Switch(switch));
        *ports += own.len() as u32;
        let hanging =
            |port: &u32| matches!(network.neighbor(PortId(*port)), Some(Node::Endpoint(_)));
        *endpoints += own.filter(hanging).count() as u32;
    }
    sizes
}

/// Whether a block of so many ports can be opened.
pub fn opens(ports: u32) -> bool {
    ports <= MOST_OPEN
}

impl Cast {
    /// A node for each switch and endpoint; with blocks a node for each of them, but those of the
    /// open block for themselves. Endpoints of closed blocks have none.
    fn new(network: &Network, blocks: Option<&Blocks>, open: Option<u32>, endpoints: bool) -> Cast {
        let mut cast = Cast {
            members: Vec::new(),
            blocks: Vec::new(),
            switches: vec![NONE; network.switch_count() as usize],
            endpoints: vec![NONE; network.endpoint_count() as usize],
        };
        match blocks {
            None => network.nodes().for_each(|node| cast.show(node)),
            Some(blocks) => {
                cast.show_blocks(network, blocks, open);
                if endpoints {
                    cast.show_endpoints(network, blocks, open);
                }
            }
        }
        cast
    }

    fn show_blocks(&mut self, network: &Network, blocks: &Blocks, open: Option<u32>) {
        let mut members = vec![Vec::new(); blocks.names.len()];
        for switch in network.switches() {
            members[blocks.of[switch.index()] as usize].push(switch);
        }
        for (block, switches) in (0..).zip(members) {
            if Some(block) == open {
                switches.iter().for_each(|switch| self.show(Node::Switch(*switch)));
                continue;
            }
            let node = self.members.len() as u32;
            switches.iter().for_each(|switch| self.switches[switch.index()] = node);
            self.members.push(switches.into_iter().map(Node::Switch).collect());
            self.blocks.push(Some(block));
        }
    }

    fn show_endpoints(&mut self, network: &Network, blocks: &Blocks, open: Option<u32>) {
        let is_open = |switch: SwitchId| Some(blocks.of[switch.index()]) == open;
        for endpoint in network.endpoints() {
            if network.switch_of(endpoint).is_some_and(is_open) {
                self.show(Node::Endpoint(endpoint));
            }
        }
    }

    /// Gives a node of the network its own node; an empty slot for an endpoint gets none.
    fn show(&mut self, node: Node) {
        let number = self.members.len() as u32;
        match node {
            Node::Switch(switch) => self.switches[switch.index()] = number,
            Node::Endpoint(endpoint) => self.endpoints[endpoint.index()] = number,
        }
        self.members.push(vec![node]);
        self.blocks.push(None);
    }

    fn node(&self, node: Node) -> u32 {
        match node {
            Node::Switch(switch) => self.switches[switch.index()],
            Node::Endpoint(endpoint) => self.endpoints[endpoint.index()],
        }
    }

    /// Shows the links between every two nodes: the nodes, and of each link the port on the first.
    pub fn bundles(&self, network: &Network, show: &mut dyn FnMut([u32; 2], &[PortId])) {
        // For each node the place of its bundle with the node at hand, counted from 1.
        let mut place = vec![0_usize; self.members.len()];
        for (near, members) in (0..).zip(&self.members) {
            let mut bundles: Vec<(u32, Vec<PortId>)> = Vec::new();
            for port in members.iter().flat_map(|node| network.ports(*node)).map(PortId) {
                let Some(peer) = network.peer(port) else { continue };
                let far = self.node(network.owner(peer));
                if far == NONE || far < near || (far == near && peer < port) {
                    continue;
                }
                match &mut place[far as usize] {
                    0 => {
                        bundles.push((far, vec![port]));
                        place[far as usize] = bundles.len();
                    }
                    known => bundles[*known - 1].1.push(port),
                }
            }
            for (far, ports) in bundles {
                place[far as usize] = 0;
                show([near, far], &ports);
            }
        }
    }
}
