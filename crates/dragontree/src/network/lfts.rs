//! Forwarding tables: for every switch and every destination, the output port.

use super::{EndpointId, Network, Node, PortId, SwitchId};
use crate::sorting::{both, sort_by_number};

/// A destination of forwarding tables: a port of an endpoint or a switch's own port 0, which is
/// what InfiniBand gives a LID. Endpoint ports come first, in their order, then the switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target(pub u32);

/// What a forwarding table says of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forward {
    /// Nothing: the destination cannot be reached from here.
    Nowhere,
    /// It is the switch itself.
    Here,
    /// Through the port of this number on the switch.
    Port(u32),
}

const NOWHERE: u16 = u16::MAX;
const HERE: u16 = u16::MAX - 1;

/// The linear forwarding tables (LFTs) of all switches. An entry takes two bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lfts {
    switch_count: u32,
    /// Destination by destination, in the order of the switches.
    entries: Vec<u16>,
}

impl Lfts {
    /// The most entries that the tables of a network should have: a gigabyte of them.
    pub const MOST_ENTRIES: u64 = 1 << 29;

    /// How many entries the tables of a network have: one for each destination at each switch.
    pub fn entry_count(network: &Network) -> u64 {
        u64::from(network.target_count()) * u64::from(network.switch_count())
    }

    /// Tables without any entry, but that every switch knows itself. Whoever makes tables of
    /// networks of any size first compares [`Lfts::entry_count`] with [`Lfts::MOST_ENTRIES`].
    pub fn new(network: &Network) -> Lfts {
        let switch_count = network.switch_count();
        let entries = vec![NOWHERE; network.target_count() as usize * switch_count as usize];
        let mut lfts = Lfts { switch_count, entries };
        for switch in network.switches() {
            lfts.set(switch, network.switch_target(switch), Forward::Here);
        }
        lfts
    }

    fn place(&self, switch: SwitchId, target: Target) -> usize {
        target.0 as usize * self.switch_count as usize + switch.index()
    }

    /// What the switch does with packets for the destination.
    pub fn get(&self, switch: SwitchId, target: Target) -> Forward {
        match self.entries[self.place(switch, target)] {
            NOWHERE => Forward::Nowhere,
            HERE => Forward::Here,
            number => Forward::Port(u32::from(number)),
        }
    }

    /// Writes an entry. A port number above 65,533 cannot be written and becomes
    /// [`Forward::Nowhere`]; no switch has so many.
    pub fn set(&mut self, switch: SwitchId, target: Target, forward: Forward) {
        let place = self.place(switch, target);
        self.entries[place] = match forward {
            Forward::Nowhere => NOWHERE,
            Forward::Here => HERE,
            Forward::Port(number) => {
                u16::try_from(number).ok().filter(|number| *number < HERE).unwrap_or(NOWHERE)
            }
        };
    }

    /// Sends what goes to a destination everywhere as what goes to another.
    pub fn copy(&mut self, from: Target, to: Target) {
        let (from, to) = (self.place(SwitchId(0), from), self.place(SwitchId(0), to));
        self.entries.copy_within(from..from + self.switch_count as usize, to);
    }

    /// The output port at a switch; none where the destination is the switch itself or cannot be
    /// reached.
    pub fn port(&self, network: &Network, switch: SwitchId, target: Target) -> Option<PortId> {
        match self.get(switch, target) {
            Forward::Port(number) if number < network.ports(Node::Switch(switch)).len() as u32 => {
                Some(network.port(switch, number))
            }
            _ => None,
        }
    }
}

impl Network {
    fn first_endpoint_port(&self) -> u32 {
        self.first_port[self.switch_count as usize]
    }

    /// The number of destinations of forwarding tables.
    pub fn target_count(&self) -> u32 {
        self.port_count() - self.first_endpoint_port() + self.switch_count
    }

    /// Every destination of forwarding tables.
    pub fn targets(&self) -> impl Iterator<Item = Target> + use<> {
        (0..self.target_count()).map(Target)
    }

    /// The destination that a packet to an endpoint has: the port from which it injects; none
    /// where the slot is empty.
    pub fn endpoint_target(&self, endpoint: EndpointId) -> Option<Target> {
        self.injection(endpoint).map(|port| self.port_target(port))
    }

    /// An endpoint's port as a destination. For a switch's port it is the switch.
    pub fn port_target(&self, port: PortId) -> Target {
        match self.owner(port) {
            Node::Endpoint(_) => Target(port.0 - self.first_endpoint_port()),
            Node::Switch(switch) => self.switch_target(switch),
        }
    }

    /// A switch as a destination.
    pub fn switch_target(&self, switch: SwitchId) -> Target {
        Target(self.port_count() - self.first_endpoint_port() + switch.0)
    }

    /// The node of a destination, with the port where it is an endpoint's.
    pub fn target(&self, target: Target) -> (Node, Option<PortId>) {
        let endpoint_ports = self.port_count() - self.first_endpoint_port();
        match target.0.checked_sub(endpoint_ports) {
            Some(switch) => (Node::Switch(SwitchId(switch)), None),
            None => {
                let port = PortId(self.first_endpoint_port() + target.0);
                (self.owner(port), Some(port))
            }
        }
    }

    /// The switches in the order in which OpenSM visits them and dumps their tables: by their
    /// GUIDs, of whose bytes the last counts most. Where GUIDs are not told the order of the ids.
    pub fn switches_by_guid(&self) -> Vec<SwitchId> {
        let mut switches: Vec<SwitchId> = self.switches().collect();
        sort_by_number(&mut switches, |switch| self.guid_order(*switch));
        switches
    }

    /// By what the switches are in that order.
    pub(super) fn guid_order(&self, switch: SwitchId) -> u128 {
        // It compares them in network order on machines of the other order.
        let told = self.labels().is_some_and(|labels| !labels.guids.is_empty());
        let guid = if told { self.guid(Node::Switch(switch)).swap_bytes() } else { 0 };
        both(guid, u64::from(switch.0))
    }

    /// How many low bits of a destination's local id are free; by default none.
    pub fn target_lmc(&self, target: Target) -> u8 {
        let own = |switch: SwitchId| self.labels()?.lmcs.get(switch.index()).copied();
        match self.target(target) {
            (_, Some(port)) => self.lmc(port),
            (Node::Switch(switch), None) => own(switch).unwrap_or(0),
            (Node::Endpoint(_), None) => 0,
        }
    }

    /// The GUID of a destination's port.
    pub fn target_guid(&self, target: Target) -> u64 {
        match self.target(target) {
            (_, Some(port)) => self.port_guid(port),
            (node, None) => self.guid(node),
        }
    }

    /// The local id of a destination.
    pub fn target_lid(&self, target: Target) -> u32 {
        match self.target(target) {
            (_, Some(port)) => self.lid(port),
            (Node::Switch(switch), None) => self.switch_lid(switch),
            (Node::Endpoint(_), None) => 0,
        }
    }
}
