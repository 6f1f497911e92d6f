//! Groups of which every two have one link, with one hop to it and from it: there is nothing to
//! choose between two switches, and ways can be written down at once.

use crate::network::{EndpointId, Groups, Network, Node, PortId, SwitchId};
use crate::routing::{Exit, Steps};

/// The one link from a group to another: the places in their groups of the switches that it
/// joins, and its port's number on the first.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    exit: u16,
    number: u16,
    entry: u16,
}

/// A switch, by its group and its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::routing) struct Spot {
    pub(in crate::routing) group: u32,
    pub(in crate::routing) place: u32,
}

/// The links, from each group to each.
pub(in crate::routing) struct OnlyLinks {
    links: Vec<Link>,
    group_count: u32,
    switches_per_group: u32,
    endpoints_per_switch: u32,
}

impl OnlyLinks {
    /// The links between groups, where no two groups have more than one, all ports of the network
    /// are cabled, and all switches of a group are joined.
    pub(super) fn of(network: &Network, groups: &Groups) -> Option<OnlyLinks> {
        let whole = (0..network.port_count()).all(|port| network.peer(PortId(port)).is_some());
        if !whole || groups.rows() > 1 {
            return None;
        }
        let pairs = (0..groups.group_count).flat_map(|from| {
            let to = 0..groups.group_count;
            to.map(move |to| (from, to))
        });
        let link = |(from, to)| match groups.global_ports(from, to) {
            _ if from == to => Some(Link::default()),
            [port] => {
                let (Node::Switch(exit), Node::Switch(entry)) =
                    (network.owner(*port), network.neighbor(*port)?)
                else {
                    return None;
                };
                let short = |number| u16::try_from(number).ok();
                Some(Link {
                    exit: short(groups.place(exit))?,
                    number: short(network.number(*port))?,
                    entry: short(groups.place(entry))?,
                })
            }
            _ => None,
        };
        let &Groups { group_count, switches_per_group, endpoints_per_switch, .. } = groups;
        let links = pairs.map(link).collect::<Option<Vec<Link>>>()?;
        Some(OnlyLinks { links, group_count, switches_per_group, endpoints_per_switch })
    }

    /// Where a switch is.
    #[inline]
    pub(in crate::routing) fn spot(&self, switch: SwitchId) -> Spot {
        let group = switch.0 / self.switches_per_group;
        Spot { group, place: switch.0 - group * self.switches_per_group }
    }

    /// Where the switch of an endpoint is, and the number of its port there.
    #[inline]
    pub(in crate::routing) fn home(&self, endpoint: EndpointId) -> (Spot, u32) {
        let switch = endpoint.0 / self.endpoints_per_switch;
        (self.spot(SwitchId(switch)), endpoint.0 - switch * self.endpoints_per_switch)
    }

    /// The number of the port by which a packet leaves a switch for another of its group, both given
    /// by their places.
    #[inline]
    fn local(&self, from: u32, to: u32) -> u32 {
        self.endpoints_per_switch + to - u32::from(to > from)
    }

    /// The link from the group of a switch to another.
    fn link(&self, from: Spot, to: u32) -> Link {
        self.links[(from.group * self.group_count + to) as usize]
    }

    /// Adds the hops from a switch to another group, the local one, if it takes one, and the global
    /// one on these virtual channels; where they lead to.
    #[inline]
    pub(in crate::routing) fn cross(
        &self,
        from: Spot,
        to: u32,
        [local, global]: [u8; 2],
        way: &mut impl Steps,
    ) -> Spot {
        let Link { exit, number, entry } = self.link(from, to);
        let (exit, number) = (u32::from(exit), u32::from(number));
        let local = Exit { number: self.local(from.place, exit), vc: local };
        way.add_if(from.place != exit, local);
        way.add(Exit { number, vc: global });
        Spot { group: to, place: u32::from(entry) }
    }

    /// Adds the hop to a switch of the same group, if it is another one.
    #[inline]
    pub(in crate::routing) fn cross_within(
        &self,
        from: Spot,
        to: Spot,
        vc: u8,
        way: &mut impl Steps,
    ) -> Spot {
        let number = self.local(from.place, to.place);
        way.add_if(from.place != to.place, Exit { number, vc });
        to
    }

    /// Adds the minimal way to an endpoint: on virtual channel 0 up to the other group's, there on 1.
    pub(super) fn minimal(&self, from: SwitchId, destination: EndpointId, way: &mut impl Steps) {
        let (home, number) = self.home(destination);
        let (mut at, mut vc) = (self.spot(from), 0);
        if at.group != home.group {
            at = self.cross(at, home.group, [0, 0], way);
            vc = 1;
        }
        self.cross_within(at, home, vc, way);
        way.add(Exit { number, vc: 0 });
    }

    /// The number of the port by which packets leave a switch for an endpoint on the minimal way.
    pub(super) fn onward(&self, at: SwitchId, destination: EndpointId) -> u32 {
        let (home, number) = self.home(destination);
        let at = self.spot(at);
        let Link { exit, number: global, .. } = self.link(at, home.group);
        let exit = if at.group == home.group { home.place } else { u32::from(exit) };
        match at.place == exit {
            _ if at == home => number,
            true => u32::from(global),
            false => self.local(at.place, exit),
        }
    }
}
