//! Minimal routing on groups: local hops to the global link, the global hop, local hops from it.
//!
//! Where several global links join two groups, one that starts at the source's switch is taken,
//! else one that ends at the destination's switch, else each with equal probability. Where a group
//! is a flattened butterfly, with up to two local hops (along the row, then along the column), it
//! is one of those with the fewest local hops.
//!
//! Local hops before the global one use virtual channel 0, after it channel 1, so channels are
//! taken in the order row L0, column L0, R0, row L1, column L1 and no cycle can form (Kim et al.
//! 2008; Prisacari 2020, §5.2; in a full mesh all local channels are the row's).

use std::sync::Arc;

use super::{Exit, Header, Hop, Oblivious, Pair, Queues, Route, Sharing, Unroutable, Waypoints};
use crate::network::{EndpointId, Groups, Network, Node, PortId, SwitchId};
use crate::random::Stream;

pub(super) struct OverGroups {
    network: Arc<Network>,
    groups: Groups,
    /// The link from each group to each, where there is always one, and one hop leads to it and
    /// from it; else nothing.
    only: Vec<OnlyLink>,
}

/// The one link from a group to another: the places in their groups of the switches that it
/// joins, and its port's number on the first.
#[derive(Clone, Copy, Debug, Default)]
struct OnlyLink {
    exit: u16,
    number: u16,
    entry: u16,
}

/// The links between groups, where no two groups have more than one, all ports of the network are
/// cabled, and all switches of a group are joined.
fn only_links(network: &Network, groups: &Groups) -> Option<Vec<OnlyLink>> {
    let whole = (0..network.port_count()).all(|port| network.peer(PortId(port)).is_some());
    if !whole || groups.rows() > 1 {
        return None;
    }
    let pairs = (0..groups.group_count).flat_map(|from| {
        let to = 0..groups.group_count;
        to.map(move |to| (from, to))
    });
    let link = |(from, to)| match groups.global_ports(from, to) {
        _ if from == to => Some(OnlyLink::default()),
        [port] => {
            let (Node::Switch(exit), Node::Switch(entry)) =
                (network.owner(*port), network.neighbor(*port)?)
            else {
                return None;
            };
            let short = |number| u16::try_from(number).ok();
            Some(OnlyLink {
                exit: short(groups.place(exit))?,
                number: short(network.number(*port))?,
                entry: short(groups.place(entry))?,
            })
        }
        _ => None,
    };
    pairs.map(link).collect()
}

impl OverGroups {
    pub(super) fn new(network: &Arc<Network>, groups: &Groups) -> OverGroups {
        let only = only_links(network, groups).unwrap_or_default();
        OverGroups { network: network.clone(), groups: groups.clone(), only }
    }

    /// How a packet leaves a switch for another of its group, both given by their places.
    fn to_neighbor(&self, from: u32, to: u32, vc: u8) -> Exit {
        let number = self.groups.endpoints_per_switch + to - u32::from(to > from);
        Exit { number, vc }
    }

    /// The way of a packet where there is but one.
    fn by_only_links(&self, from: SwitchId, destination: EndpointId, way: &mut Vec<Exit>) {
        let groups = &self.groups;
        let target = groups.switch_of(destination);
        if from != target {
            let (from_group, to_group) = (groups.group(from), groups.group(target));
            let mut here = from.0 - from_group * groups.switches_per_group;
            let there = target.0 - to_group * groups.switches_per_group;
            let mut vc = 0;
            if from_group != to_group {
                let pair = (from_group * groups.group_count + to_group) as usize;
                let OnlyLink { exit, number, entry } = self.only[pair];
                if here != u32::from(exit) {
                    way.push(self.to_neighbor(here, u32::from(exit), 0));
                }
                way.push(Exit { number: u32::from(number), vc: 0 });
                here = u32::from(entry);
                vc = 1;
            }
            if here != there {
                way.push(self.to_neighbor(here, there, vc));
            }
        }
        let number = destination.0 - target.0 * groups.endpoints_per_switch;
        way.push(Exit { number, vc: 0 });
    }

    /// The global links that a pair may use; none within a group.
    fn candidates(&self, pair: Pair) -> Candidates<'_> {
        let from = self.groups.switch_of(pair.source);
        let to = self.groups.switch_of(pair.destination);
        let (from_group, to_group) = (self.groups.group(from), self.groups.group(to));
        if from_group == to_group {
            return Candidates { all: &[], some: None };
        }
        let all = self.groups.global_ports(from_group, to_group);
        if all.len() <= 1 {
            return Candidates { all, some: None };
        }
        let detours = all.iter().map(|port| self.detour(from, *port, to));
        let least = detours.clone().min().unwrap_or(0);
        if detours.clone().all(|detour| detour == least) {
            return Candidates { all, some: None };
        }
        let least = all.iter().zip(detours).filter(|(_, detour)| *detour == least);
        Candidates { all, some: Some(least.map(|(port, _)| *port).collect()) }
    }

    /// How much is against a global link: the fewer, the better.
    fn detour(&self, from: SwitchId, port: PortId, to: SwitchId) -> u32 {
        let exit = self.network.owner(port);
        let entry = self.network.neighbor(port);
        if self.groups.rows() > 1 {
            let hops = |node, other| match node {
                Some(Node::Switch(switch)) => self.groups.local_distance(switch, other),
                _ => u32::MAX / 2,
            };
            return hops(Some(exit), from) + hops(entry, to);
        }
        match (exit == Node::Switch(from), entry == Some(Node::Switch(to))) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }
    }
}

/// The global links of a pair of groups, or some of them.
struct Candidates<'a> {
    all: &'a [PortId],
    some: Option<Vec<PortId>>,
}

impl Candidates<'_> {
    fn ports(&self) -> &[PortId] {
        self.some.as_deref().unwrap_or(self.all)
    }
}

impl Route for OverGroups {
    fn virtual_channels(&self) -> u8 {
        2
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        let candidates = self.candidates(pair);
        let ports = candidates.ports();
        let chosen = match ports.len() {
            0 | 1 => ports.first(),
            count => ports.get(stream.below(count as u32) as usize),
        };
        Waypoints([chosen.copied(), None])
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let unroutable = Unroutable { at, destination: header.destination };
        let target = self.groups.switch_of(header.destination);
        if at == target {
            let number = header.destination.0 % self.groups.endpoints_per_switch;
            return Ok(Hop { port: self.network.port(at, number), vc: 0 });
        }
        if self.groups.group(at) == self.groups.group(target) {
            let port = self.groups.local_port(&self.network, at, target);
            return Ok(Hop { port, vc: header.stage });
        }
        let global = header.waypoints.0[0].ok_or(unroutable)?;
        match self.network.owner(global) {
            Node::Switch(exit) if exit == at => {
                header.stage = 1;
                Ok(Hop { port: global, vc: 0 })
            }
            Node::Switch(exit) if self.groups.group(exit) == self.groups.group(at) => {
                Ok(Hop { port: self.groups.local_port(&self.network, at, exit), vc: 0 })
            }
            _ => Err(unroutable),
        }
    }

    fn only_way(&self, from: SwitchId, pair: Pair, way: &mut Vec<Exit>) -> bool {
        let known = !self.only.is_empty();
        if known {
            self.by_only_links(from, pair.destination, way);
        }
        known
    }
}

impl Oblivious for OverGroups {
    fn sharing(&self) -> Sharing {
        Sharing::Switches
    }

    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        let candidates = self.candidates(pair);
        let ports = candidates.ports();
        if ports.is_empty() {
            show(Waypoints::default(), 1.0);
        }
        for port in ports {
            show(Waypoints([Some(*port), None]), 1.0 / ports.len() as f64);
        }
    }
}
