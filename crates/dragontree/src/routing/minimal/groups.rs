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

use super::{
    Exit, Header, Hop, Oblivious, Pair, Queues, Route, Sharing, Unroutable, Waypoints, one_of,
};
use crate::network::{EndpointId, Groups, Network, Node, PortId, SwitchId};
use crate::random::Stream;

pub(in crate::routing) struct OverGroups {
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

    pub(in crate::routing) fn network(&self) -> &Network {
        &self.network
    }

    pub(in crate::routing) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The port of a switch that leads to another of its group, or towards it.
    pub(in crate::routing) fn local_port(&self, from: SwitchId, to: SwitchId) -> PortId {
        self.groups.local_port(&self.network, from, to)
    }

    /// Whether any two groups have one link and nothing has to be chosen on a minimal way.
    pub(in crate::routing) fn has_only_links(&self) -> bool {
        !self.only.is_empty()
    }

    /// Adds the hops from a switch to another group, the local one and the global one on these
    /// virtual channels, where there are only links; the switch that they lead to.
    pub(in crate::routing) fn cross(
        &self,
        from: SwitchId,
        to_group: u32,
        [local, global]: [u8; 2],
        way: &mut Vec<Exit>,
    ) -> SwitchId {
        let groups = &self.groups;
        let from_group = groups.group(from);
        let here = from.0 - from_group * groups.switches_per_group;
        let pair = (from_group * groups.group_count + to_group) as usize;
        let OnlyLink { exit, number, entry } = self.only[pair];
        if here != u32::from(exit) {
            way.push(self.to_neighbor(here, u32::from(exit), local));
        }
        way.push(Exit { number: u32::from(number), vc: global });
        SwitchId(to_group * groups.switches_per_group + u32::from(entry))
    }

    /// Adds the hop to another switch of the same group, where there are only links; that switch.
    pub(in crate::routing) fn cross_within(
        &self,
        from: SwitchId,
        to: SwitchId,
        vc: u8,
        way: &mut Vec<Exit>,
    ) -> SwitchId {
        if from != to {
            let first = self.groups.group(from) * self.groups.switches_per_group;
            way.push(self.to_neighbor(from.0 - first, to.0 - first, vc));
        }
        to
    }

    /// The way of a packet where there is but one.
    fn by_only_links(&self, from: SwitchId, destination: EndpointId, way: &mut Vec<Exit>) {
        let groups = &self.groups;
        let target = groups.switch_of(destination);
        if from != target {
            let (mut at, mut vc) = (from, 0);
            let home = groups.group(target);
            if groups.group(from) != home {
                at = self.cross(from, home, [0, 0], way);
                vc = 1;
            }
            self.cross_within(at, target, vc, way);
        }
        let number = destination.0 - target.0 * groups.endpoints_per_switch;
        way.push(Exit { number, vc: 0 });
    }

    /// The global links that a pair may use; none within a group.
    fn of_pair(&self, pair: Pair) -> Candidates<'_> {
        let [from, to] = [pair.source, pair.destination].map(|end| self.groups.switch_of(end));
        self.candidates(from, self.groups.group(to), Some(to))
    }

    /// The global links that packets may take from a switch to a group, on to a switch there if one
    /// is told; none within a group.
    pub(in crate::routing) fn candidates(
        &self,
        from: SwitchId,
        to_group: u32,
        to: Option<SwitchId>,
    ) -> Candidates<'_> {
        let from_group = self.groups.group(from);
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
    fn detour(&self, from: SwitchId, port: PortId, to: Option<SwitchId>) -> u32 {
        let exit = self.network.owner(port);
        let entry = self.network.neighbor(port);
        if self.groups.rows() > 1 {
            let hops = |node, other| match (node, other) {
                (Some(Node::Switch(switch)), Some(other)) => {
                    self.groups.local_distance(switch, other)
                }
                (Some(Node::Switch(_)), None) => 0,
                _ => u32::MAX / 2,
            };
            return hops(Some(exit), Some(from)) + hops(entry, to);
        }
        match (exit == Node::Switch(from), entry.is_some() && entry == to.map(Node::Switch)) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }
    }
}

/// The global links of a pair of groups, or some of them.
pub(in crate::routing) struct Candidates<'a> {
    all: &'a [PortId],
    some: Option<Vec<PortId>>,
}

impl Candidates<'_> {
    pub(in crate::routing) fn ports(&self) -> &[PortId] {
        self.some.as_deref().unwrap_or(self.all)
    }
}

impl Route for OverGroups {
    fn virtual_channels(&self) -> u8 {
        2
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints::from([one_of(self.of_pair(pair).ports(), stream).copied()])
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
        let known = self.has_only_links();
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

    fn merges(&self) -> bool {
        self.has_only_links()
    }

    fn onward(&self, at: SwitchId, destination: EndpointId) -> Option<PortId> {
        let target = self.groups.switch_of(destination);
        if at == target {
            let number = destination.0 - target.0 * self.groups.endpoints_per_switch;
            return Some(self.network.port(at, number));
        }
        let [from, to] = [at, target].map(|switch| self.groups.group(switch));
        if from == to {
            return Some(self.local_port(at, target));
        }
        let here = at.0 - from * self.groups.switches_per_group;
        let OnlyLink { exit, number, .. } =
            self.only[(from * self.groups.group_count + to) as usize];
        let number = match here == u32::from(exit) {
            true => u32::from(number),
            false => self.to_neighbor(here, u32::from(exit), 0).number,
        };
        Some(self.network.port(at, number))
    }

    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        let candidates = self.of_pair(pair);
        let ports = candidates.ports();
        if ports.is_empty() {
            show(Waypoints::default(), 1.0);
        }
        for port in ports {
            show(Waypoints::from([Some(*port)]), 1.0 / ports.len() as f64);
        }
    }
}
