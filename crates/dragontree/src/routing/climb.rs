//! Ways up and down a tree, given by the port that is taken at each level.

use std::sync::Arc;

use super::{Exit, Hop, Pair, Unroutable};
use crate::network::{EndpointId, Needs, Network, PortId, Structure, SwitchId, Tree};

/// A tree whose endpoints have one link each.
pub(super) struct Climb {
    pub network: Arc<Network>,
    pub tree: Tree,
}

impl Climb {
    /// The tree of a network, for this part.
    pub fn new(network: &Arc<Network>, part: &'static str) -> Result<Climb, Needs> {
        let structure = "a tree with one link per endpoint";
        match network.structure() {
            Structure::Tree(tree) if tree.up_ports(0) == 1 => {
                Ok(Climb { network: network.clone(), tree: tree.clone() })
            }
            Structure::Tree(_) => {
                Err(Needs { part, structure, found: "several links per endpoint" })
            }
            other => Err(Needs { part, structure, found: other.name() }),
        }
    }

    /// The lowest level at which two endpoints are below one switch.
    pub fn meeting_level(&self, one: EndpointId, other: EndpointId) -> u32 {
        let tree = &self.tree;
        let meet = |level: &u32| tree.subtree(*level, one) == tree.subtree(*level, other);
        (1..=tree.levels()).find(meet).unwrap_or(tree.levels())
    }

    /// The next hop to a destination. `up_port` tells which of its `W·P` links upward a switch of
    /// a level takes: that to parent `q mod W`, of the parallel links the `q ÷ W`-th. On the way
    /// down the parallel link between two levels is that of the way up.
    pub fn hop(
        &self,
        at: SwitchId,
        destination: EndpointId,
        up_port: impl Fn(u32) -> u32,
    ) -> Result<Hop, Unroutable> {
        let tree = &self.tree;
        let level = tree.level(at);
        let number = match tree.is_above(at, destination) {
            true => {
                let link = up_port(level - 1) / tree.parents(level);
                tree.down_port(level, tree.child_digit(level, destination), link)
            }
            false => {
                let chosen = up_port(level);
                let parents = tree.parents(level + 1);
                tree.up_port(level, tree.index(at), chosen % parents, chosen / parents)
            }
        };
        let port = self.network.port(at, number);
        match self.network.peer(port) {
            Some(_) => Ok(Hop { port, vc: 0 }),
            None => Err(Unroutable { at, destination }),
        }
    }
}

/// Ways up and down a whole tree: what [`Climb::hop`] says, in tables.
pub(super) struct Ladder {
    levels: usize,
    /// For each endpoint its rung on each level, from 1.
    rungs: Vec<Rung>,
    /// For each level, from 0, what stands for each choice of a link upward.
    links: Vec<Vec<Link>>,
}

/// What an endpoint contributes to the ways at one level.
#[derive(Clone, Copy, Debug)]
struct Rung {
    /// The number of the first port downward to the endpoint.
    down: u16,
    /// The endpoint's subtree.
    subtree: u32,
}

/// One of the links upward of a switch of some level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The number of its port.
    up: u16,
    /// Which of the parallel links it is.
    parallel: u16,
}

impl Ladder {
    /// The tables of a tree. None where something is missing or leaf switches differ in their
    /// ports.
    pub fn new(network: &Network, tree: &Tree) -> Option<Ladder> {
        let whole = (0..network.port_count()).all(|port| network.peer(PortId(port)).is_some());
        let last = tree.width(1).saturating_sub(1);
        if !whole || (tree.levels() > 1 && tree.up_port(1, last, 0, 0) != tree.up_port(1, 0, 0, 0))
        {
            return None;
        }
        let short = |number| u16::try_from(number).ok();
        let rung = |endpoint: EndpointId, level: u32| {
            Some(Rung {
                down: short(tree.down_port(level, tree.child_digit(level, endpoint), 0))?,
                subtree: tree.subtree(level, endpoint),
            })
        };
        let link = |level: u32, chosen: u32| {
            let parents = tree.parents(level + 1);
            let [parent, parallel] = [chosen % parents, chosen / parents];
            let up = tree.up_port(level, 0, parent, parallel);
            Some(Link { up: short(up)?, parallel: short(parallel)? })
        };
        let links = (0..tree.levels()).map(|level| {
            (0..tree.up_ports(level)).map(|chosen| link(level, chosen)).collect::<Option<_>>()
        });
        let endpoints = network.endpoints();
        let rungs = endpoints.flat_map(|each| (1..=tree.levels()).map(move |level| (each, level)));
        let rungs = rungs.map(|(endpoint, level)| rung(endpoint, level)).collect::<Option<_>>()?;
        Some(Ladder { levels: tree.levels() as usize, rungs, links: links.collect::<Option<_>>()? })
    }

    /// The link that stands for a choice at a level, as in [`Climb::hop`].
    pub fn link(&self, level: usize, chosen: u32) -> Link {
        self.links[level][chosen as usize]
    }

    /// For each endpoint its link on each level, from 0, where an endpoint alone decides.
    fn links_of(&self, choose: impl Fn(EndpointId, u32) -> u32) -> Vec<Link> {
        let endpoints = (0..(self.rungs.len() / self.levels) as u32).map(EndpointId);
        let choices = endpoints.flat_map(|each| (0..self.levels).map(move |level| (each, level)));
        choices.map(|(each, level)| self.link(level, choose(each, level as u32))).collect()
    }

    fn of(&self, endpoint: EndpointId) -> &[Rung] {
        let first = endpoint.index() * self.levels;
        &self.rungs[first..first + self.levels]
    }

    /// Adds the way of a pair over the links that it takes upward from each level.
    pub fn trace(&self, pair: Pair, way: &mut Vec<Exit>, link: impl Fn(usize) -> Link) {
        let [from, to] = [pair.source, pair.destination].map(|end| self.of(end));
        let meet = |(one, other): (&Rung, &Rung)| one.subtree == other.subtree;
        let top = from.iter().zip(to).position(meet).unwrap_or(self.levels - 1);
        let exit = |number: u16| Exit { number: u32::from(number), vc: 0 };
        way.extend((1..=top).map(|level| exit(link(level).up)));
        let down = (0..=top).rev().map(|level| exit(to[level].down + link(level).parallel));
        way.extend(down);
    }
}

/// Ways over a whole tree where one of the two ends decides.
pub(super) struct Decided {
    ladder: Ladder,
    links: Vec<Link>,
}

impl Decided {
    /// The ways; `choose` tells the link upward for an endpoint and a level, as in [`Climb::hop`].
    pub fn new(
        network: &Network,
        tree: &Tree,
        choose: impl Fn(EndpointId, u32) -> u32,
    ) -> Option<Decided> {
        let ladder = Ladder::new(network, tree)?;
        Some(Decided { links: ladder.links_of(choose), ladder })
    }

    /// Adds the way of a pair; `decides` is the one of the two that decides.
    pub fn trace(&self, pair: Pair, decides: EndpointId, way: &mut Vec<Exit>) {
        let first = decides.index() * self.ladder.levels;
        let links = &self.links[first..first + self.ladder.levels];
        self.ladder.trace(pair, way, |level| links[level]);
    }
}
