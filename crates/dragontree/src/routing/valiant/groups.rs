//! Valiant routing on groups: over a third group, or over a switch of it.
//!
//! ```text
//!   via=group    L0 R0 · L1 R1 L2         whatever switch the third group is entered by
//!   via=switch   L0 R0 L1 · L2 R1 L3      one of its switches is drawn
//! ```
//! Channels are taken in the order that is written here, each class of local and of global hops on
//! a virtual channel of its own, so no cycle can form (Prisacari 2020, §6.2). Packets within a group
//! leave it, too (§5.3.1), unless they are to go minimally.

use super::super::minimal::{Candidates, OnlyLinks, OverGroups, Spot, one_of};
use super::super::{Halves, Header, Hop, Pair, Steps, Unroutable, Waypoints};
use super::{Valiant, Via, Within};
use crate::network::{Node, PortId, SwitchId};
use crate::random::Stream;

/// The waypoints are the global channel to the third group; the channel to the switch drawn there,
/// none when it is the one that is entered; and the global channel to the destination's group. The
/// first two are missing where there is no third group, and all within a switch.
pub(in crate::routing) struct ByGroups {
    minimal: OverGroups,
    via: Via,
    within: Within,
}

/// How far a packet is: before the global channel to the third group, before the switch drawn
/// there, before the global channel from it, in the destination's group.
const OUTWARD: u8 = 0;
const WITHIN: u8 = 1;
const ONWARD: u8 = 2;
const HOME: u8 = 3;

/// A third group, or a switch of one, by its place there.
#[derive(Clone, Copy)]
pub(in crate::routing) struct Third {
    group: u32,
    place: Option<u32>,
}

impl Third {
    /// The switch, where one was drawn.
    fn spot(self) -> Option<Spot> {
        self.place.map(|place| Spot { group: self.group, place })
    }
}

impl ByGroups {
    pub(super) fn new(minimal: OverGroups, settings: &Valiant) -> ByGroups {
        ByGroups { minimal, via: settings.via, within: settings.within }
    }

    pub(super) fn virtual_channels(&self) -> u8 {
        self.lane(HOME) + 1
    }

    /// The virtual channel of a local hop.
    fn lane(&self, stage: u8) -> u8 {
        match self.via {
            Via::Switch => stage,
            Via::Group => stage.saturating_sub(u8::from(stage > OUTWARD)),
        }
    }

    /// About how many ways a pair has.
    pub(super) fn per_pair(&self) -> u64 {
        let groups = self.minimal.groups();
        let others = u64::from(groups.group_count - 1).max(1);
        let links = u64::from(groups.switches_per_group * groups.global_ports).div_ceil(others);
        others * self.choices().len() as u64 * links * links
    }

    /// What may be drawn in a group.
    fn choices(&self) -> std::ops::Range<u32> {
        match self.via {
            Via::Group => 0..1,
            Via::Switch => 0..self.minimal.groups().switches_per_group,
        }
    }

    fn third(&self, group: u32, place: u32) -> Third {
        Third { group, place: (self.via == Via::Switch).then_some(place) }
    }

    /// The switches of a pair; none when both are the same.
    fn ends(&self, pair: Pair) -> Option<[SwitchId; 2]> {
        let ends = [pair.source, pair.destination].map(|end| self.minimal.groups().switch_of(end));
        (ends[0] != ends[1]).then_some(ends)
    }

    /// Whether packets between switches of these groups go over a third one, if there is one.
    fn leaves(&self, one: u32, other: u32) -> bool {
        one != other || self.within == Within::Indirect
    }

    /// Draws a third group for packets between these, and a switch of it.
    #[inline(always)]
    fn draw_third(&self, [one, other]: [u32; 2], stream: &mut Stream) -> Option<Third> {
        let groups = self.minimal.groups();
        if !self.leaves(one, other) {
            return None;
        }
        let count = groups.group_count - 1 - u32::from(one != other);
        if count == 0 {
            return None;
        }
        let mut group = stream.below(count);
        group += u32::from(group >= one.min(other));
        group += u32::from(one != other && group >= one.max(other));
        let place = match self.via {
            Via::Group => 0,
            Via::Switch => stream.below(groups.switches_per_group),
        };
        Some(self.third(group, place))
    }

    /// The switch that was drawn, where one was.
    fn switch(&self, third: Third) -> Option<SwitchId> {
        let groups = self.minimal.groups();
        third.place.map(|place| SwitchId(third.group * groups.switches_per_group + place))
    }

    /// The switch that a channel leads to, broken or not.
    fn after(&self, channel: PortId) -> Option<SwitchId> {
        match self.minimal.network().intact_neighbor(channel)? {
            Node::Switch(switch) => Some(switch),
            Node::Endpoint(_) => None,
        }
    }

    /// The channels of the local way between two switches of a group.
    fn local_way(&self, mut at: SwitchId, to: SwitchId) -> impl Iterator<Item = PortId> + '_ {
        std::iter::from_fn(move || {
            let port = (at != to).then(|| self.minimal.local_port(at, to))?;
            at = self.after(port)?;
            Some(port)
        })
    }

    /// The channel to the switch drawn in the third group, and the switch that packets go on from,
    /// when they have come by this global channel.
    fn within(&self, global: PortId, third: Third) -> Option<(Option<PortId>, SwitchId)> {
        let entry = self.after(global)?;
        let switch = self.switch(third).unwrap_or(entry);
        Some((self.local_way(entry, switch).last(), switch))
    }

    /// The third groups of two switches, and in each what may be drawn.
    fn thirds(&self, ends: [SwitchId; 2]) -> impl Iterator<Item = Third> + '_ {
        let groups = self.minimal.groups();
        let taken = ends.map(|switch| groups.group(switch));
        let count = if self.leaves(taken[0], taken[1]) { groups.group_count } else { 0 };
        let free = (0..count).filter(move |group| !taken.contains(group));
        free.flat_map(move |group| self.choices().map(move |place| self.third(group, place)))
    }

    /// The global channels that packets may take from a switch: to a third group.
    fn outward(&self, from: SwitchId, third: Third) -> Candidates<'_> {
        self.minimal.candidates(from, third.group, self.switch(third))
    }

    /// To the group of a switch, and minimally on to that.
    fn onward(&self, from: SwitchId, to: SwitchId) -> Candidates<'_> {
        self.minimal.candidates(from, self.minimal.groups().group(to), Some(to))
    }

    /// Draws a minimal way.
    pub(super) fn draw_minimal(&self, pair: Pair, stream: &mut Stream) -> Waypoints {
        let Some([from, to]) = self.ends(pair) else { return Waypoints::default() };
        let last = one_of(self.onward(from, to).ports(), stream).copied();
        Waypoints([None, None, last, None])
    }

    pub(super) fn draw(&self, pair: Pair, stream: &mut Stream) -> Waypoints {
        let Some(ends @ [from, to]) = self.ends(pair) else { return Waypoints::default() };
        let Some(third) = self.draw_third(ends.map(|end| self.minimal.groups().group(end)), stream)
        else {
            return self.draw_minimal(pair, stream);
        };
        let first = one_of(self.outward(from, third).ports(), stream).copied();
        let Some((first, (inner, switch))) =
            first.and_then(|first| Some((first, self.within(first, third)?)))
        else {
            return Waypoints::default();
        };
        let last = one_of(self.onward(switch, to).ports(), stream).copied();
        Waypoints([Some(first), inner, last, None])
    }

    /// Shows every minimal way with its probability.
    pub(super) fn each_minimal(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        let Some([from, to]) = self.ends(pair) else {
            return show(Waypoints::default(), 1.0);
        };
        each_of(self.onward(from, to).ports(), 1.0, &mut |last, share| {
            show(Waypoints([None, None, last, None]), share);
        });
    }

    pub(super) fn each(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        let Some(ends @ [from, to]) = self.ends(pair) else {
            return show(Waypoints::default(), 1.0);
        };
        let count = self.thirds(ends).count();
        if count == 0 {
            return self.each_minimal(pair, show);
        }
        for third in self.thirds(ends) {
            let share = 1.0 / count as f64;
            each_of(self.outward(from, third).ports(), share, &mut |first, share| {
                let within = first.and_then(|first| self.within(first, third));
                let Some((inner, switch)) = within else {
                    return show(Waypoints::default(), share);
                };
                each_of(self.onward(switch, to).ports(), share, &mut |last, share| {
                    show(Waypoints([first, inner, last, None]), share);
                });
            });
        }
    }

    pub(super) fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let Header { destination, waypoints: Waypoints([first, inner, last, _]), .. } = *header;
        let lost = Unroutable { at, destination };
        let (network, groups) = (self.minimal.network(), self.minimal.groups());
        if first.is_none() {
            header.stage = header.stage.max(ONWARD);
        }
        let target = groups.switch_of(destination);
        let (channel, next_stage) = match header.stage {
            OUTWARD if inner.is_some() => (first, WITHIN),
            OUTWARD => (first, ONWARD),
            WITHIN => (inner, ONWARD),
            ONWARD if last.is_some() => (last, HOME),
            _ if at == target => {
                let number = destination.0 % groups.endpoints_per_switch;
                return Ok(Hop { port: network.port(at, number), vc: 0 });
            }
            _ => {
                let together = groups.group(at) == groups.group(target);
                let port = together.then(|| self.minimal.local_port(at, target)).ok_or(lost)?;
                return Ok(Hop { port, vc: self.lane(header.stage) });
            }
        };
        let channel = channel.ok_or(lost)?;
        let Node::Switch(exit) = network.owner(channel) else { return Err(lost) };
        if exit != at {
            let port = self.minimal.local_port(at, exit);
            return Ok(Hop { port, vc: self.lane(header.stage) });
        }
        let vc = match header.stage {
            OUTWARD => 0,
            WITHIN => self.lane(WITHIN),
            _ => 1,
        };
        header.stage = next_stage;
        Ok(Hop { port: channel, vc })
    }

    /// The links, where every two groups have one, so that ways can be written down at once.
    pub(super) fn only_links(&self) -> Option<&OnlyLinks> {
        self.minimal.only_links()
    }

    /// Draws a third group as [`draw`](Self::draw) does, where packets go over one.
    #[inline]
    pub(in crate::routing) fn third_between(
        &self,
        ends: [Spot; 2],
        stream: &mut Stream,
    ) -> Option<Third> {
        if ends[0] == ends[1] { None } else { self.draw_third(ends.map(|end| end.group), stream) }
    }

    /// What is written of a way, and added to it the way between two switches over a third group, or
    /// minimally over none, as [`next`](Self::next) leads where there are only links.
    #[inline(always)]
    pub(in crate::routing) fn between<S: Steps>(
        &self,
        links: &OnlyLinks,
        [mut at, home]: [Spot; 2],
        third: Option<Third>,
        mut way: S,
    ) -> S {
        if let Some(third) = third {
            at = links.cross(at, third.group, [self.lane(OUTWARD), 0], &mut way);
            if let Some(switch) = third.spot() {
                at = links.cross_within(at, switch, self.lane(WITHIN), &mut way);
            }
        }
        let mut stage = ONWARD;
        if at.group != home.group {
            at = links.cross(at, home.group, [self.lane(ONWARD), 1], &mut way);
            stage = HOME;
        }
        links.cross_within(at, home, self.lane(stage), &mut way);
        way
    }
}

impl Halves for ByGroups {
    fn place(&self, switch: SwitchId) -> u32 {
        self.minimal.groups().group(switch)
    }

    fn places(&self) -> u32 {
        self.minimal.groups().group_count
    }

    fn splits_within(&self) -> bool {
        self.within == Within::Indirect
    }

    fn middles(&self, from: SwitchId, place: u32, show: &mut dyn FnMut(SwitchId, f64)) {
        let share = 1.0 / self.choices().len() as f64;
        for third in self.choices().map(|choice| self.third(place, choice)) {
            match self.switch(third) {
                Some(switch) => show(switch, share),
                None => each_of(self.outward(from, third).ports(), share, &mut |first, share| {
                    if let Some(entry) = first.and_then(|first| self.after(first)) {
                        show(entry, share);
                    }
                }),
            }
        }
    }

    fn first(&self, from: SwitchId, middle: SwitchId, show: &mut dyn FnMut(&[PortId], f64)) {
        let groups = self.minimal.groups();
        let links = self.outward(from, self.third(groups.group(middle), groups.place(middle)));
        let leads = |port: &PortId| self.via == Via::Switch || self.after(*port) == Some(middle);
        let links: Vec<PortId> = links.ports().iter().copied().filter(leads).collect();
        self.each_leg(from, &links, middle, show);
    }

    fn second(&self, middle: SwitchId, to: SwitchId, show: &mut dyn FnMut(&[PortId], f64)) {
        self.each_leg(middle, self.onward(middle, to).ports(), to, show);
    }
}

impl ByGroups {
    /// Shows the minimal ways between two switches of different groups over each of some global
    /// links.
    fn each_leg(
        &self,
        from: SwitchId,
        links: &[PortId],
        to: SwitchId,
        show: &mut dyn FnMut(&[PortId], f64),
    ) {
        let mut way = Vec::new();
        for link in links {
            let Node::Switch(exit) = self.minimal.network().owner(*link) else { continue };
            let Some(entry) = self.after(*link) else { continue };
            way.clear();
            way.extend(self.local_way(from, exit));
            way.push(*link);
            way.extend(self.local_way(entry, to));
            show(&way, 1.0 / links.len() as f64);
        }
    }
}

/// Shows every port with its part of a share; none where there is no port.
fn each_of(ports: &[PortId], share: f64, show: &mut dyn FnMut(Option<PortId>, f64)) {
    match ports {
        [] => show(None, share),
        _ => ports.iter().for_each(|port| show(Some(*port), share / ports.len() as f64)),
    }
}
