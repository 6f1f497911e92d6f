//! Dynamic random: on a fat tree, every packet takes a random way up.
//!
//! Each parent at each level is as likely as every other, and so is each parallel link; they are
//! drawn anew for every packet (Prisacari 2020, §3.5.2). The way down is forced; of parallel links
//! it takes the ones of the way up. Ways with a broken link or switch are not drawn. One virtual
//! channel.
//!
//! The waypoints are the first and the last channel upward. The last one leads to the common
//! ancestor, which tells the switches between. With four levels of switches or more, the parallel
//! link in between is that of the first channel modulo their number, which therefore has to divide
//! the number above the leaves.

use std::sync::Arc;

use super::climb::Climb;
use super::{
    Algorithm, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Sharing, Unroutable, Waypoints,
};
use crate::catalog::{Form, Part, Settings};
use crate::network::{EndpointId, Needs, Network, Node, PortId, SwitchId};
use crate::random::Stream;

/// Dynamic random routing; it has no settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DynamicRandom;

impl Settings for DynamicRandom {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for DynamicRandom {
    fn name(&self) -> &'static str {
        "dynamic_random"
    }
    fn label(&self) -> &'static str {
        "Dynamic random"
    }
    fn help(&self) -> &'static str {
        "On a tree, every packet takes a random way up (Prisacari 2020, §3.5.2)."
    }
}

impl Algorithm for DynamicRandom {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        let climb = Climb::new(network, self.name())?;
        let tree = &climb.tree;
        let even = |level| tree.parallel(2).is_multiple_of(tree.parallel(level));
        if !(3..tree.levels()).all(even) {
            return Err(Needs {
                part: self.name(),
                structure: "between the middle levels of a tree as many parallel links as above \
                            the leaves, or a divisor of that",
                found: "other numbers",
            });
        }
        let has_holes = (0..network.port_count()).any(|port| network.peer(PortId(port)).is_none());
        Ok(Routes::Oblivious(Box::new(DynamicRandomRoutes { climb, has_holes })))
    }
}

struct DynamicRandomRoutes {
    climb: Climb,
    has_holes: bool,
}

/// How often a way is drawn anew when it is broken, before all that are whole are listed.
const MOST_DRAWS: u32 = 16;

impl DynamicRandomRoutes {
    /// How many ways there are up to a level at which two endpoints meet.
    fn ways(&self, meeting: u32) -> u32 {
        let tree = &self.climb.tree;
        let parents: u32 = (2..=meeting).map(|level| tree.parents(level)).product();
        match meeting {
            1 => 1,
            2 => parents * tree.parallel(2),
            _ => parents * tree.parallel(2) * tree.parallel(meeting),
        }
    }

    /// The waypoints of a way, by its number; none when it is broken.
    fn waypoints(&self, pair: Pair, meeting: u32, number: u32) -> Option<Waypoints> {
        let Climb { network, tree } = &self.climb;
        let mut at = network.switch_of(pair.source)?;
        let mut rest = number;
        let mut digit = |base: u32| {
            let digit = rest % base;
            rest /= base;
            digit
        };
        let first_link = if meeting > 1 { digit(tree.parallel(2)) } else { 0 };
        let last_link = if meeting > 2 { digit(tree.parallel(meeting)) } else { first_link };
        let mut waypoints = Waypoints::default();
        for level in 1..meeting {
            let links = Links { first: first_link, last: last_link };
            let link = links.at(level + 1, meeting, tree.parallel(level + 1));
            let number = tree.up_port(level, tree.index(at), digit(tree.parents(level + 1)), link);
            let port = network.port(at, number);
            at = match network.neighbor(port)? {
                Node::Switch(above) => above,
                Node::Endpoint(_) => return None,
            };
            if level == 1 {
                waypoints.0[0] = Some(port);
            } else {
                waypoints.0[1] = Some(port);
            }
        }
        let whole = !self.has_holes || self.leads_down(at, pair.destination, waypoints);
        whole.then_some(waypoints)
    }

    /// Whether the way down from the common ancestor is whole.
    fn leads_down(&self, mut at: SwitchId, destination: EndpointId, waypoints: Waypoints) -> bool {
        let mut header = Header { destination, waypoints, stage: 0 };
        loop {
            let hop = self.next(at, &mut header).ok();
            match hop.and_then(|hop| self.climb.network.neighbor(hop.port)) {
                Some(Node::Switch(below)) => at = below,
                Some(Node::Endpoint(found)) => return found == destination,
                None => return false,
            }
        }
    }

    /// Which of the parallel links a waypoint is.
    fn link(&self, waypoint: PortId) -> u32 {
        let Climb { network, tree } = &self.climb;
        let Node::Switch(switch) = network.owner(waypoint) else {
            return 0;
        };
        let level = tree.level(switch);
        let links = if level < tree.levels() { tree.parallel(level + 1) } else { 1 };
        let (number, index) = (network.number(waypoint), tree.index(switch));
        let is = |link: &u32| {
            (0..tree.parents(level + 1))
                .any(|parent| tree.up_port(level, index, parent, *link) == number)
        };
        if links == 1 { 0 } else { (0..links).find(is).unwrap_or(0) }
    }

    /// The waypoints of all ways that are whole.
    fn whole(&self, pair: Pair, meeting: u32) -> Vec<Waypoints> {
        let ways = 0..self.ways(meeting);
        ways.filter_map(|number| self.waypoints(pair, meeting, number)).collect()
    }
}

/// The parallel links of the first and the last channel upward.
#[derive(Clone, Copy)]
struct Links {
    first: u32,
    last: u32,
}

impl Links {
    /// The parallel link between a level and the one below.
    fn at(self, level: u32, meeting: u32, parallel: u32) -> u32 {
        match level {
            2 => self.first,
            _ if level == meeting => self.last,
            _ => self.first % parallel,
        }
    }
}

impl Route for DynamicRandomRoutes {
    fn virtual_channels(&self) -> u8 {
        1
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        let meeting = self.climb.meeting_level(pair.source, pair.destination);
        let ways = self.ways(meeting);
        let mut draw = || self.waypoints(pair, meeting, stream.below(ways));
        if let Some(waypoints) = (0..MOST_DRAWS).find_map(|_| draw()) {
            return waypoints;
        }
        let whole = self.whole(pair, meeting);
        let chosen = stream.below(whole.len() as u32) as usize;
        whole.get(chosen).copied().unwrap_or_default()
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let Climb { network, tree } = &self.climb;
        let Header { destination, waypoints: Waypoints([first, second]), .. } = *header;
        let lost = Unroutable { at, destination };
        let is_here = |waypoint: &PortId| network.owner(*waypoint) == Node::Switch(at);
        if let Some(port) = [first, second].into_iter().flatten().find(is_here) {
            return Ok(Hop { port, vc: 0 });
        }
        let last = second.or(first);
        let ancestor = match last.and_then(|port| network.neighbor(port)) {
            Some(Node::Switch(ancestor)) => ancestor,
            _ if tree.level(at) == 1 && tree.is_above(at, destination) => at,
            _ => return Err(lost),
        };
        let meeting = tree.level(ancestor);
        let links = Links {
            first: first.map_or(0, |port| self.link(port)),
            last: last.map_or(0, |port| self.link(port)),
        };
        self.climb.hop(at, destination, |level| {
            let above = level + 1;
            if above == 1 {
                return 0;
            }
            let spread: u32 = (1..above).map(|below| tree.parents(below)).product();
            let parent = tree.index(ancestor) / spread % tree.parents(above);
            parent + links.at(above, meeting, tree.parallel(above)) * tree.parents(above)
        })
    }
}

impl Oblivious for DynamicRandomRoutes {
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        let meeting = self.climb.meeting_level(pair.source, pair.destination);
        if !self.has_holes {
            let ways = self.ways(meeting);
            for number in 0..ways {
                let waypoints = self.waypoints(pair, meeting, number).unwrap_or_default();
                show(waypoints, 1.0 / f64::from(ways));
            }
            return;
        }
        let whole = self.whole(pair, meeting);
        if whole.is_empty() {
            show(Waypoints::default(), 1.0);
        }
        for waypoints in &whole {
            show(*waypoints, 1.0 / whole.len() as f64);
        }
    }

    fn sharing(&self) -> Sharing {
        Sharing::Switches
    }
}
