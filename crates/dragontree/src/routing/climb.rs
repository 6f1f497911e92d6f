//! Ways up and down a tree, given by the port that is taken at each level.
//!
//! The tree is the network's own, or the one that is found in a network that does not say what it
//! is (Zahavi 2009, Alg. 1): a file's, say. Then endpoints are numbered by the slots of the leaf
//! switches, in the order of the tree's indices, and empty slots keep their numbers. What deviates
//! from the tree is not used: where a link of the tree is missing a way ends, and what hangs
//! outside of it is not reached.

use std::sync::Arc;

use super::{Hop, Refusal, Unroutable};
use crate::network::extraction::{ExtractedTree, NotATree, Place, extract};
use crate::network::{
    EndpointId, Forward, Lfts, Needs, Network, Node, PortId, Structure, SwitchId, Tree,
};

mod ladder;

pub(super) use ladder::{Decided, Ladder};

/// A tree. Ways begin at leaf switches, so that endpoints may have links to several.
#[derive(Clone)]
pub(super) struct Climb {
    network: Arc<Network>,
    tree: Tree,
    /// For each endpoint its number in the tree; none where it has no place there.
    slots: Vec<Option<EndpointId>>,
    /// For each switch its place; none where it has none.
    sites: Vec<Option<Site>>,
    /// Numbers of ports, switch by switch: first down, to the children and by each to its parallel
    /// links, then up, in the order of the choices; [`NO_PORT`] where the tree lacks a link.
    numbers: Vec<u32>,
}

/// The place of a switch in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// From 1.
    pub level: u32,
    /// Its place within the level.
    pub index: u32,
    /// The subtree of endpoints below it.
    pub subtree: u32,
    /// Where its ports begin among the numbers.
    first: u32,
}

/// Which of its `W·P` links upward a switch of a level takes for an endpoint of the tree, where
/// the endpoint's number alone decides: `⌊k / Π_{i≤l} W_i⌋ mod (W_{l+1}·P_{l+1})`.
///
/// The parents divide, not the parallel links: of the endpoints whose packets pass a switch over
/// level l, every `Π W_i`-th is its own, and these must fall on different ports.
pub(super) fn mod_k(tree: &Tree, level: u32, slot: EndpointId) -> u32 {
    let spread: u32 = (1..=level).map(|below| tree.parents(below)).product();
    slot.0 / spread % tree.up_ports(level)
}

/// Stands for a port that is not there.
const NO_PORT: u32 = u32::MAX;

impl Climb {
    /// The tree of a network, told or found, whose endpoints have one link each, for this part.
    pub fn new(network: &Arc<Network>, part: &'static str) -> Result<Climb, Refusal> {
        let needs = |found| Needs { part, structure: "a tree with one link per endpoint", found };
        let climb = Climb::of(network, &needs)?;
        match climb.tree.up_ports(0) {
            1 => Ok(climb),
            _ => Err(needs("several links per endpoint (of an xgft, w= and p= must begin with 1)")
                .into()),
        }
    }

    /// The tree of a network, told or found; `needs` says what is found instead.
    pub fn of(
        network: &Arc<Network>,
        needs: &dyn Fn(&'static str) -> Needs,
    ) -> Result<Climb, Refusal> {
        match network.structure() {
            Structure::Tree(tree) => Ok(Climb::told(network, tree)),
            Structure::Irregular | Structure::Layered(_) => Climb::found(network, needs),
            other => Err(needs(other.name()).into()),
        }
    }

    /// The tree that the network says it is.
    pub fn told(network: &Arc<Network>, tree: &Tree) -> Climb {
        let mut climb = Climb::empty(network, tree);
        climb.slots = network.endpoints().map(Some).collect();
        for switch in network.switches() {
            let (level, index) = (tree.level(switch), tree.index(switch));
            climb.place(switch, level, index);
            let down = (0..tree.children(level)).flat_map(|child| {
                (0..tree.parallel(level)).map(move |link| tree.down_port(level, child, link))
            });
            climb.numbers.extend(down);
            let up = (0..tree.up_ports(level)).map(|chosen| {
                let parents = tree.parents(level + 1);
                tree.up_port(level, index, chosen % parents, chosen / parents)
            });
            climb.numbers.extend(up);
        }
        climb
    }

    /// The only tree that is found in the network.
    fn found(
        network: &Arc<Network>,
        needs: &dyn Fn(&'static str) -> Needs,
    ) -> Result<Climb, Refusal> {
        let irregular = || needs(network.structure().name());
        let mut only: Option<ExtractedTree> = None;
        for fabric in extract(network).fabrics {
            match fabric.found {
                Ok(_) if only.is_some() => {
                    return Err(needs("several trees").into());
                }
                Ok(tree) => only = Some(tree),
                Err(NotATree::NoEndpoints { .. }) => {}
                Err(why) => {
                    return Err(Refusal { needs: irregular(), reason: Some(why.text(network)) });
                }
            }
        }
        let Some(found) = only else { return Err(irregular().into()) };
        let mut climb = Climb::empty(network, found.tree());
        for place in found.places() {
            climb.place(place.switch, place.level, place.index);
            climb.take_ports(place);
        }
        for slot in 0..found.tree().width(0) {
            for port in found.slot(slot).iter().filter_map(|port| network.peer(*port)) {
                // Of an endpoint on several leaf switches the slot is that of the port that it uses.
                if let Node::Endpoint(endpoint) = network.owner(port)
                    && network.injection(endpoint) == Some(port)
                {
                    climb.slots[endpoint.index()] = Some(EndpointId(slot));
                }
            }
        }
        Ok(climb)
    }

    fn empty(network: &Arc<Network>, tree: &Tree) -> Climb {
        Climb {
            slots: vec![None; network.endpoint_count() as usize],
            sites: vec![None; network.switch_count() as usize],
            numbers: Vec::with_capacity(network.port_count() as usize),
            network: network.clone(),
            tree: tree.clone(),
        }
    }

    /// Puts a switch in its place; its ports come next.
    fn place(&mut self, switch: SwitchId, level: u32, index: u32) {
        let subtree = self.tree.subtree_below(level, index);
        let first = self.numbers.len() as u32;
        self.sites[switch.index()] = Some(Site { level, index, subtree, first });
    }

    /// The ports of a switch in a tree that was found.
    fn take_ports(&mut self, place: &Place) {
        let (tree, network, level) = (&self.tree, &self.network, place.level);
        let number = |groups: &[Vec<PortId>], group: u32, link: u32| {
            let port = groups.get(group as usize).and_then(|ports| ports.get(link as usize));
            port.map_or(NO_PORT, |port| network.number(*port))
        };
        for child in 0..tree.children(level) {
            let links = 0..tree.parallel(level);
            self.numbers.extend(links.map(|link| number(&place.down, child, link)));
        }
        let up = (0..tree.up_ports(level)).map(|chosen| {
            let parents = tree.parents(level + 1);
            number(&place.up, chosen % parents, chosen / parents)
        });
        self.numbers.extend(up);
    }

    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// An endpoint's number in the tree; none where it has no place there.
    pub fn slot(&self, endpoint: EndpointId) -> Option<EndpointId> {
        self.slots[endpoint.index()]
    }

    /// A switch's place in the tree.
    pub fn site(&self, switch: SwitchId) -> Option<Site> {
        self.sites[switch.index()]
    }

    /// Whether an endpoint of the tree is below a switch.
    pub fn is_above(&self, site: Site, slot: EndpointId) -> bool {
        site.subtree == self.tree.subtree(site.level, slot)
    }

    /// The lowest level at which two endpoints of the tree are below one switch.
    pub fn meeting_level(&self, one: EndpointId, other: EndpointId) -> u32 {
        let tree = &self.tree;
        let meet = |level: &u32| tree.subtree(*level, one) == tree.subtree(*level, other);
        (1..=tree.levels()).find(meet).unwrap_or(tree.levels())
    }

    /// The port up from a switch that stands for a choice: of its `W·P` links upward that to
    /// parent `chosen mod W`, of the parallel links the `chosen ÷ W`-th.
    pub fn up(&self, at: SwitchId, site: Site, chosen: u32) -> Option<PortId> {
        self.port(at, site, self.tree.down_ports(site.level) + chosen)
    }

    /// The port of a switch at a place among its own.
    fn port(&self, at: SwitchId, site: Site, place: u32) -> Option<PortId> {
        let number = self.numbers[(site.first + place) as usize];
        (number != NO_PORT).then(|| self.network.port(at, number))
    }

    /// The place of the port, among the switch's own, that leads to an endpoint of the tree.
    fn exit(&self, site: Site, slot: EndpointId, choose: impl Fn(u32) -> u32) -> u32 {
        let (tree, level) = (&self.tree, site.level);
        match self.is_above(site, slot) {
            true => {
                let link = choose(level - 1) / tree.parents(level);
                tree.child_digit(level, slot) * tree.parallel(level) + link
            }
            false => tree.down_ports(level) + choose(level),
        }
    }

    /// The next hop to a destination. `choose` tells which of its links upward a switch of a level
    /// takes, as in [`up`](Self::up). On the way down the parallel link between two levels is that
    /// of the way up.
    pub fn hop(
        &self,
        at: SwitchId,
        destination: EndpointId,
        choose: impl Fn(u32) -> u32,
    ) -> Result<Hop, Unroutable> {
        let ends = self.site(at).zip(self.slot(destination));
        let port = ends.and_then(|(site, slot)| self.port(at, site, self.exit(site, slot, choose)));
        // The only port that may be taken can lead nowhere: to an absent switch or endpoint.
        match port.filter(|port| self.network.peer(*port).is_some()) {
            Some(port) => Ok(Hop { port, vc: 0 }),
            None => Err(Unroutable { at, destination }),
        }
    }

    /// Writes the ways to all endpoints as forwarding tables; none where these would be too large.
    /// `choose` tells the link upward for a destination in the tree and a level.
    pub fn tabulate(&self, choose: impl Fn(EndpointId, u32) -> u32) -> Option<Lfts> {
        let (network, tree) = (&self.network, &self.tree);
        if Lfts::entry_count(network) > Lfts::MOST_ENTRIES {
            return None;
        }
        let mut lfts = Lfts::new(network);
        // For each level the subtree of the destination, and the ports down to it and up.
        let mut exits = Vec::new();
        for endpoint in network.endpoints() {
            let ends = network.endpoint_target(endpoint).zip(self.slot(endpoint));
            let Some((target, slot)) = ends else { continue };
            exits.clear();
            exits.extend((1..=tree.levels()).map(|level| {
                let link = choose(slot, level - 1) / tree.parents(level);
                let down = tree.child_digit(level, slot) * tree.parallel(level) + link;
                let chosen = if level < tree.levels() { choose(slot, level) } else { 0 };
                (tree.subtree(level, slot), down, tree.down_ports(level) + chosen)
            }));
            for (switch, site) in network.switches().zip(&self.sites) {
                let Some(site) = site else { continue };
                let (subtree, down, up) = exits[site.level as usize - 1];
                let place = if site.subtree == subtree { down } else { up };
                let number = self.numbers[(site.first + place) as usize];
                if number != NO_PORT {
                    lfts.set(switch, target, Forward::Port(number));
                }
            }
        }
        Some(lfts)
    }

    /// Whether every place is taken and every link of the tree is there.
    pub fn is_whole(&self) -> bool {
        let tree = &self.tree;
        let switches: u32 = (1..=tree.levels()).map(|level| tree.width(level)).sum();
        let mut sites = self
            .network
            .switches()
            .zip(&self.sites)
            .filter_map(|(switch, site)| site.map(|site| (switch, site)));
        let is_whole = |(switch, site): (SwitchId, Site)| {
            let count = tree.down_ports(site.level) + tree.up_ports(site.level);
            let port = |place| self.port(switch, site, place);
            let is_cabled = |port: PortId| self.network.peer(port).is_some();
            (0..count).all(|place| port(place).is_some_and(is_cabled))
        };
        self.sites.iter().flatten().count() == switches as usize && sites.all(is_whole)
    }

    /// The numbers of the ports that all switches of a level of a whole tree have in common; none
    /// where they differ.
    fn ports_of_level(&self, level: u32) -> Option<&[u32]> {
        let tree = &self.tree;
        let count = (tree.down_ports(level) + tree.up_ports(level)) as usize;
        let sites = self.sites.iter().flatten().filter(|site| site.level == level);
        let mut numbers = sites.map(|site| &self.numbers[site.first as usize..][..count]);
        let common = numbers.next()?;
        numbers.all(|other| other == common).then_some(common)
    }
}
