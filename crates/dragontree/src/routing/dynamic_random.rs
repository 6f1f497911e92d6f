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

use super::climb::{Climb, Site};
use super::{
    Algorithm, Header, Hop, Oblivious, Pair, Queues, Refusal, Route, Routes, Sharing, Unroutable,
    Waypoints,
};
use crate::catalog::{Form, Part, Problem, Settings};
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
        crate::catalog::help(
            "On a tree, every packet takes a random way up (Prisacari 2020, §3.5.2). In a fabric from a \
         file the tree is found.",
        )
    }
}

impl Algorithm for DynamicRandom {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        Ok(self.found(network)?)
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        Ok(self.found(network)?)
    }
}

impl DynamicRandom {
    fn found(&self, network: &Arc<Network>) -> Result<Routes, Refusal> {
        let climb = Climb::new(network, self.name())?;
        let tree = climb.tree();
        let even = |level| tree.parallel(2).is_multiple_of(tree.parallel(level));
        if !(3..tree.levels()).all(even) {
            let needs = Needs {
                part: self.name(),
                structure: "between the middle levels of a tree as many parallel links as above \
                            the leaves, or a divisor of that",
                found: "other numbers",
            };
            return Err(needs.into());
        }
        let has_holes = !climb.is_whole();
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
        let tree = self.climb.tree();
        let parents: u32 = (2..=meeting).map(|level| tree.parents(level)).product();
        match meeting {
            1 => 1,
            2 => parents * tree.parallel(2),
            _ => parents * tree.parallel(2) * tree.parallel(meeting),
        }
    }

    /// The waypoints of a way, by its number; none when it is broken.
    fn waypoints(&self, pair: Pair, meeting: u32, number: u32) -> Option<Waypoints> {
        let (network, tree) = (self.climb.network(), self.climb.tree());
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
            let parents = tree.parents(level + 1);
            let site = self.climb.site(at)?;
            let port = self.climb.up(at, site, digit(parents) + link * parents)?;
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
            match hop.and_then(|hop| self.climb.network().neighbor(hop.port)) {
                Some(Node::Switch(below)) => at = below,
                Some(Node::Endpoint(found)) => return found == destination,
                None => return false,
            }
        }
    }

    /// Which of the parallel links a waypoint is.
    fn link(&self, waypoint: PortId) -> u32 {
        let tree = self.climb.tree();
        let Node::Switch(switch) = self.climb.network().owner(waypoint) else { return 0 };
        let Some(site) = self.climb.site(switch) else { return 0 };
        if site.level == tree.levels() || tree.parallel(site.level + 1) == 1 {
            return 0;
        }
        let mut choices = 0..tree.up_ports(site.level);
        let chosen = choices.find(|chosen| self.climb.up(switch, site, *chosen) == Some(waypoint));
        chosen.unwrap_or(0) / tree.parents(site.level + 1)
    }

    /// The level at which two endpoints meet; none where one has no place in the tree.
    fn meeting(&self, pair: Pair) -> Option<u32> {
        let [source, destination] = [pair.source, pair.destination].map(|end| self.climb.slot(end));
        Some(self.climb.meeting_level(source?, destination?))
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
        let Some(meeting) = self.meeting(pair) else { return Waypoints::default() };
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
        let (network, tree) = (self.climb.network(), self.climb.tree());
        let Header { destination, waypoints: Waypoints([first, second, ..]), .. } = *header;
        let lost = Unroutable { at, destination };
        let is_here = |waypoint: &PortId| network.owner(*waypoint) == Node::Switch(at);
        if let Some(port) = [first, second].into_iter().flatten().find(is_here) {
            return Ok(Hop { port, vc: 0 });
        }
        let last = second.or(first);
        let ancestor = match last.and_then(|port| network.neighbor(port)) {
            Some(Node::Switch(ancestor)) => self.climb.site(ancestor),
            _ => {
                let ends = self.climb.site(at).zip(self.climb.slot(destination));
                let is_leaf = |(site, slot): &(Site, EndpointId)| {
                    site.level == 1 && self.climb.is_above(*site, *slot)
                };
                ends.filter(is_leaf).map(|(site, _)| site)
            }
        };
        let ancestor = ancestor.ok_or(lost)?;
        let meeting = ancestor.level;
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
            let parent = ancestor.index / spread % tree.parents(above);
            parent + links.at(above, meeting, tree.parallel(above)) * tree.parents(above)
        })
    }
}

impl Oblivious for DynamicRandomRoutes {
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        let Some(meeting) = self.meeting(pair) else {
            return show(Waypoints::default(), 1.0);
        };
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

    fn ways_per_pair(&self) -> u64 {
        self.ways(self.climb.tree().levels()).into()
    }

    fn sharing(&self) -> Sharing {
        Sharing::Switches
    }
}
