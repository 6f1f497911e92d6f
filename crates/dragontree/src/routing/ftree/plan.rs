//! Puts together what fat-tree routing sees of a network.

use std::collections::VecDeque;

use super::forest::{Bundle, Ends, Forest, Lists, Slot};
use crate::network::extraction::{ExtractedTree, Extraction, NotATree, extract};
use crate::network::{Layered, Needs, Network, Node, PortId, Structure, SwitchId};
use crate::routing::Refusal;
use crate::sorting::{both, sort_by_number};

/// Whether the layers are the levels of trees above pairs of leaf switches, as in systems of
/// several cores. Where there are no pairs the trees show by themselves, or there are none.
fn has_pairs(network: &Network, layered: &Layered) -> bool {
    let is_pair = |switch: SwitchId, port: PortId| match network.intact_neighbor(port) {
        Some(Node::Switch(other)) => layered.layer(other) == layered.layer(switch),
        _ => false,
    };
    network.switches().any(|switch| {
        let mut ports = network.ports(Node::Switch(switch)).map(PortId);
        layered.layer(switch) == 0 && ports.any(|port| is_pair(switch, port))
    })
}

/// No level yet.
const UNKNOWN: i32 = i32::MAX;

/// What is known of the switches before their links are put together.
pub(super) struct Plan {
    /// Leaf switches are on level 1.
    levels: Vec<i32>,
    /// The switches in the order of the indices, level by level.
    order: Vec<SwitchId>,
    slots: Vec<Slot>,
    /// For each port whether a link that belongs to a tree leads up from it; none when all do.
    in_place: Option<Vec<bool>>,
}

impl Plan {
    /// The levels of a network by its structure, or as they are found in it.
    pub fn of(network: &Network, part: &'static str) -> Result<Plan, Refusal> {
        let mut plan = match network.structure() {
            Structure::Tree(tree) => Plan::by_level(network, &|switch| tree.level(switch)),
            Structure::Layered(layered) if has_pairs(network, layered) => {
                Plan::by_level(network, &|switch| layered.layer(switch) + 1)
            }
            _ => Plan::found(network, part)?,
        };
        plan.level_the_others(network);
        plan.add_other_endpoints(network);
        Ok(plan)
    }

    /// Switches whose ids follow the levels, and whose links are all in place.
    fn by_level(network: &Network, level: &dyn Fn(SwitchId) -> u32) -> Plan {
        let levels: Vec<i32> = network.switches().map(|switch| level(switch) as i32).collect();
        let mut slots = Vec::new();
        for switch in network.switches().filter(|switch| levels[switch.index()] == 1) {
            for port in network.ports(Node::Switch(switch)).map(PortId) {
                if let Some(Node::Endpoint(_)) = network.intact_neighbor(port) {
                    slots.push(slot(network, switch, port));
                }
            }
        }
        Plan { levels, order: network.switches().collect(), slots, in_place: None }
    }

    /// Trees that have to be found.
    fn found(network: &Network, part: &'static str) -> Result<Plan, Refusal> {
        let Extraction { fabrics, .. } = extract(network);
        let mut plan = Plan {
            levels: vec![UNKNOWN; network.switch_count() as usize],
            order: Vec::new(),
            slots: Vec::new(),
            in_place: Some(vec![false; network.port_count() as usize]),
        };
        let needs = Needs { part, structure: "a fat tree", found: network.structure().name() };
        for fabric in &fabrics {
            match &fabric.found {
                Ok(tree) => plan.add(network, tree),
                Err(NotATree::NoEndpoints { .. }) => {}
                Err(why) => return Err(Refusal { needs, reason: Some(why.text(network)) }),
            }
        }
        match plan.order.is_empty() {
            true => Err(needs.into()),
            false => Ok(plan),
        }
    }

    fn add(&mut self, network: &Network, tree: &ExtractedTree) {
        for level in 1..=tree.tree().levels() {
            for place in tree.level(level) {
                self.levels[place.switch.index()] = level as i32;
                self.order.push(place.switch);
                for port in place.up.iter().flatten() {
                    if let Some(in_place) = &mut self.in_place {
                        in_place[port.index()] = true;
                    }
                }
            }
        }
        for leaf in tree.level(1) {
            for group in 0..tree.tree().children(1) as usize {
                match leaf.down.get(group) {
                    Some(ports) if !ports.is_empty() => {
                        let slots = ports.iter().map(|port| slot(network, leaf.switch, *port));
                        self.slots.extend(slots);
                    }
                    _ => self.slots.push(Slot { switch: leaf.switch, number: 0, target: None }),
                }
            }
        }
    }

    /// Puts switches without a place below those that they are joined to: from there they reach
    /// all that these do, and nothing else has to pass them.
    fn level_the_others(&mut self, network: &Network) {
        let mut queue: VecDeque<SwitchId> = self.order.iter().copied().collect();
        for start in network.switches() {
            while let Some(switch) = queue.pop_front() {
                let below = self.levels[switch.index()].min(1) - 1;
                for port in network.ports(Node::Switch(switch)).map(PortId) {
                    if let Some(Node::Switch(other)) = network.neighbor(port)
                        && self.levels[other.index()] == UNKNOWN
                    {
                        self.levels[other.index()] = below;
                        self.order.push(other);
                        queue.push_back(other);
                    }
                }
            }
            if self.levels[start.index()] == UNKNOWN {
                self.levels[start.index()] = 0;
                self.order.push(start);
                queue.push_back(start);
            }
        }
    }

    /// Endpoints that hang on no leaf switch come last.
    fn add_other_endpoints(&mut self, network: &Network) {
        for switch in self.order.iter().filter(|switch| self.levels[switch.index()] != 1) {
            for port in network.ports(Node::Switch(*switch)).map(PortId) {
                if let Some(Node::Endpoint(_)) = network.neighbor(port) {
                    self.slots.push(slot(network, *switch, port));
                }
            }
        }
    }

    /// Puts the links together.
    pub fn forest(self, network: &Network) -> Forest {
        let level = |switch: SwitchId| self.levels[switch.index()];
        let (mut bundles, mut links) = (Vec::new(), Vec::new());
        let [mut up, mut down, mut beside] = [Vec::new(), Vec::new(), Vec::new()];
        let of_pair = |one: &Key, other: &Key| one.pair == other.pair;
        for run in self.links(network).chunk_by(of_pair) {
            let (is_stray, lower, upper) = run[0].pair;
            let [lower, upper] = [lower, upper].map(|rank| self.order[rank as usize]);
            let (first, number) = (links.len() as u32, bundles.len() as u32);
            links.extend(run.iter().map(|key| Ends {
                lower: network.number(key.port),
                upper: network.peer(key.port).map_or(0, |peer| network.number(peer)),
            }));
            let links = (first, links.len() as u32);
            bundles.push(Bundle { lower, upper, in_place: !is_stray, links });
            if level(lower) == level(upper) {
                beside.extend([(lower, number), (upper, number)]);
            } else {
                up.push((lower, number));
                down.push((upper, number));
            }
        }
        let count = self.levels.len();
        let mut serves = vec![false; count];
        self.slots.iter().for_each(|slot| serves[slot.switch.index()] = true);
        let leaves = self.order.iter().copied().filter(|switch| level(*switch) == 1).collect();
        let [up, down, beside] = [up, down, beside].map(|ends| Lists::new(count, ends));
        Forest { bundles, links, up, down, beside, serves, slots: self.slots, leaves }
    }

    /// Every link between switches by its lower port, those between the same switches together.
    fn links(&self, network: &Network) -> Vec<Key> {
        let mut rank = vec![0; self.levels.len()];
        for (place, switch) in (0..).zip(&self.order) {
            rank[switch.index()] = place;
        }
        let mut keys = Vec::new();
        for switch in network.switches() {
            for port in network.ports(Node::Switch(switch)).map(PortId) {
                let Some(Node::Switch(other)) = network.neighbor(port) else { continue };
                let [here, there] =
                    [switch, other].map(|end| (self.levels[end.index()], rank[end.index()]));
                if here < there {
                    let is_stray = self.in_place.as_ref().is_some_and(|set| !set[port.index()]);
                    keys.push(Key { pair: (is_stray, here.1, there.1), port });
                }
            }
        }
        sort_by_number(&mut keys, |Key { pair: (is_stray, lower, upper), port }| {
            let bundle = both(u64::from(*lower), u64::from(*upper));
            u128::from(*is_stray) << 127 | bundle << 32 | u128::from(port.0)
        });
        keys
    }
}

/// A link: whether it is out of place, the ranks of the switches that it joins, and its lower port.
#[derive(Clone, Copy, Debug)]
struct Key {
    pair: (bool, u32, u32),
    port: PortId,
}

fn slot(network: &Network, switch: SwitchId, port: PortId) -> Slot {
    let target = network.peer(port).map(|peer| network.port_target(peer));
    Slot { switch, number: network.number(port), target }
}
