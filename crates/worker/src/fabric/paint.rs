//! From a network to its drawing.

use dragontree::network::{Anchor, Bend, Caption, Failures, Network, Node, PortId};

use super::bundle::{Plan, opens};
use super::{Broken, Bundle, Dot, Kind, Picture, add_line};

/// The drawing of a network, given as it was before anything failed.
pub fn picture(network: &Network, failures: &Failures, open: Option<u32>) -> Picture {
    let plan = Plan::new(network, open);
    let painter = Painter { broken: network.without(failures), network, failures, plan: &plan };
    let mut picture = Picture {
        matrix: plan.matrix,
        stretches: plan.positions.stretches && !plan.matrix,
        open: plan.open,
        broken: broken(network, failures),
        ..Picture::default()
    };
    painter.add_nodes(&mut picture);
    painter.add_bundles(&mut picture);
    if !plan.matrix {
        plan.positions.captions.iter().for_each(|caption| add_caption(&mut picture, caption));
    }
    picture
}

struct Painter<'a> {
    network: &'a Network,
    /// The network without what failed.
    broken: Network,
    failures: &'a Failures,
    plan: &'a Plan,
}

impl Painter<'_> {
    fn add_nodes(&self, picture: &mut Picture) {
        let cast = &self.plan.cast;
        let count = cast.members.len() as f32;
        for (index, (members, block)) in cast.members.iter().zip(&cast.blocks).enumerate() {
            let (mut dot, name) = match (block, &self.plan.blocks) {
                (Some(block), Some(blocks)) => {
                    let (ports, endpoints) = self.plan.sizes[*block as usize];
                    let dot = Dot {
                        at: blocks.places[*block as usize],
                        kind: Kind::Block,
                        id: *block,
                        broken: false,
                        opens: opens(ports),
                        used: members.len() as u32,
                        all: endpoints,
                    };
                    (dot, blocks.names[*block as usize].clone())
                }
                _ => (self.dot(members[0]), self.network.name(members[0])),
            };
            if self.plan.matrix {
                dot.at = [(index as f32 + 0.5) / count; 2];
            }
            picture.add_node(dot, &name);
        }
    }

    /// A node of the network as a node of the drawing.
    fn dot(&self, node: Node) -> Dot {
        let ports = self.network.ports(node);
        let cabled = |port: &u32| self.broken.peer(PortId(*port)).is_some();
        let (at, kind, id, broken) = match node {
            Node::Switch(switch) => {
                let broken = self.failures.switches.contains(&switch);
                (self.plan.positions.switch(switch), Kind::Switch, switch.0, broken)
            }
            Node::Endpoint(endpoint) => {
                // An empty slot has no place: it stands where nothing is drawn.
                let at = self.plan.positions.endpoints[endpoint.index()].unwrap_or([f32::NAN; 2]);
                (at, Kind::Endpoint, endpoint.0, self.failures.endpoints.contains(&endpoint))
            }
        };
        let (used, all) = (ports.clone().filter(cabled).count() as u32, ports.len() as u32);
        Dot { at, kind, id, broken, opens: false, used, all }
    }

    fn add_bundles(&self, picture: &mut Picture) {
        let Plan { positions, blocks, matrix, cast, .. } = self.plan;
        let bend = match blocks {
            _ if *matrix => &Bend::None,
            Some(blocks) => &blocks.bend,
            None => &positions.bend,
        };
        let mut failed = vec![false; self.network.port_count() as usize];
        for port in &self.failures.links {
            failed[port.index()] = true;
            self.network.peer(*port).into_iter().for_each(|peer| failed[peer.index()] = true);
        }
        let mut kinds = Vec::new();
        cast.bundles(self.network, &mut |ends, ports| {
            let [one, other] = ends.map(|end| picture.node(end as usize).at);
            let works = |port: &&PortId| self.broken.peer(**port).is_some();
            let link = |port: &PortId| named(self.network, *port);
            let links = ports.len() as u32;
            picture.add_bundle(Bundle {
                ends,
                control: bend.control(one, other),
                links,
                broken: links - ports.iter().filter(works).count() as u32,
                kind: ports.first().map_or(0, |port| kind(self.network, *port, &mut kinds)),
                working: ports.iter().find(works).map(link),
                failed: ports.iter().find(|port| failed[port.index()]).map(link),
            });
        });
        kinds.iter().for_each(|kind| add_line(&mut picture.kinds, kind));
    }
}

fn broken(network: &Network, failures: &Failures) -> Broken {
    let Failures { links, switches, endpoints } = failures;
    Broken {
        links: links.iter().map(|port| named(network, *port)).collect(),
        switches: switches.iter().map(|switch| switch.0).collect(),
        endpoints: endpoints.iter().map(|endpoint| endpoint.0).collect(),
    }
}

fn add_caption(picture: &mut Picture, caption: &Caption) {
    let anchor = match caption.anchor {
        Anchor::Row(y) => [f32::NAN, y, 0.0, 0.0],
        Anchor::At([x, y]) => [x, y, 0.0, 0.0],
        Anchor::Outside { at: [x, y], from } => {
            let (dx, dy) = (x - from[0], y - from[1]);
            let length = (dx * dx + dy * dy).sqrt().max(f32::MIN_POSITIVE);
            [x, y, dx / length, dy / length]
        }
    };
    picture.add_caption(&caption.text, anchor);
}

/// A link by a switch and the port there: by its lower port, as those of switches come first.
fn named(network: &Network, port: PortId) -> [u32; 2] {
    let lower = network.peer(port).map_or(port, |peer| peer.min(port));
    match network.owner(lower) {
        Node::Switch(switch) => [switch.0, network.number(lower)],
        Node::Endpoint(endpoint) => [endpoint.0, network.number(lower)],
    }
}

/// Which kind of link leaves from a port, by its place among those met so far.
fn kind(network: &Network, port: PortId, kinds: &mut Vec<String>) -> u32 {
    let Some(channel) = network.channel(port) else { return 0 };
    let words = format!("{} link, {}, {}", channel.class, channel.bandwidth, channel.latency);
    let known = kinds.iter().position(|kind| *kind == words);
    known.unwrap_or_else(|| {
        kinds.push(words);
        kinds.len() - 1
    }) as u32
}
