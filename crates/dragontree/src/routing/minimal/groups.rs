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

use super::only_links::OnlyLinks;
use super::{
    Code, Exit, Header, Hop, Oblivious, Pair, Queues, Route, Sharing, Unroutable, Waypoints, Word,
    one_of,
};
use crate::network::{EndpointId, Groups, Network, Node, PortId, SwitchId};
use crate::random::Stream;

/// The steps of the longest minimal way where any two groups have a link: a local one, the global one,
/// a local one, and that to the endpoint.
const LONGEST: u32 = 4;

pub(in crate::routing) struct OverGroups {
    network: Arc<Network>,
    groups: Groups,
    /// The links, where nothing has to be chosen.
    only: Option<OnlyLinks>,
}

impl OverGroups {
    pub(super) fn new(network: &Arc<Network>, groups: &Groups) -> OverGroups {
        let only = OnlyLinks::of(network, groups);
        OverGroups { network: network.clone(), groups: groups.clone(), only }
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

    /// The links, where any two groups have one and nothing has to be chosen on a minimal way.
    pub(in crate::routing) fn only_links(&self) -> Option<&OnlyLinks> {
        self.only.as_ref()
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
        let Some(links) = &self.only else { return false };
        links.minimal(from, pair.destination, way);
        true
    }

    fn drawn_word(
        &self,
        from: SwitchId,
        pair: Pair,
        _stream: &mut Stream,
        _queues: &dyn Queues,
        code: Code,
    ) -> Option<Word> {
        let (links, mut way) = (self.only.as_ref()?, code.writer(LONGEST)?);
        links.minimal(from, pair.destination, &mut way);
        way.word()
    }
}

impl Oblivious for OverGroups {
    fn sharing(&self) -> Sharing {
        Sharing::Switches
    }

    fn merges(&self) -> bool {
        self.only.is_some()
    }

    fn onward(&self, at: SwitchId, destination: EndpointId) -> Option<PortId> {
        Some(self.network.port(at, self.only.as_ref()?.onward(at, destination)))
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
