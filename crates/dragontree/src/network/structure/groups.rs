//! Dragonfly groups.

use crate::network::{EndpointId, Network, PortId, SwitchId};

/// Groups of switches, each joined to every other of its group and by global links to other
/// groups (Kim et al. 2008; Prisacari 2020, §4.2).
///
/// Endpoint `(g·a + s)·p + n` hangs on port `n` of switch `s` of group `g`. The switch's next
/// `a - 1` ports lead to the others of its group in order, the last `h` are global.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// Endpoints per switch (p).
    pub endpoints_per_switch: u32,
    /// Switches per group (a).
    pub switches_per_group: u32,
    /// Global ports per switch (h).
    pub global_ports: u32,
    /// Number of groups.
    pub group_count: u32,
    /// `first[from · groups + to]`: where the pair's ports start in `ports`.
    first: Vec<u32>,
    ports: Vec<PortId>,
}

impl Groups {
    /// Groups with `global[from · groups + to]` listing the ports of `from` that lead to `to`.
    pub fn new(
        [endpoints_per_switch, switches_per_group, global_ports, group_count]: [u32; 4],
        global: &[Vec<PortId>],
    ) -> Groups {
        let mut first = vec![0];
        let mut ports = Vec::new();
        for pair in global {
            ports.extend(pair);
            first.push(ports.len() as u32);
        }
        Groups { endpoints_per_switch, switches_per_group, global_ports, group_count, first, ports }
    }

    /// The group of a switch.
    pub fn group(&self, switch: SwitchId) -> u32 {
        switch.0 / self.switches_per_group
    }

    /// The place of a switch within its group.
    pub fn place(&self, switch: SwitchId) -> u32 {
        switch.0 % self.switches_per_group
    }

    /// The switch of an endpoint.
    pub fn switch_of(&self, endpoint: EndpointId) -> SwitchId {
        SwitchId(endpoint.0 / self.endpoints_per_switch)
    }

    /// The port of a switch that leads to another switch of its group.
    pub fn local_port(&self, network: &Network, from: SwitchId, to: SwitchId) -> PortId {
        let (here, there) = (self.place(from), self.place(to));
        let skip_itself = u32::from(there > here);
        network.port(from, self.endpoints_per_switch + there - skip_itself)
    }

    /// The ports of one group that lead to another, in the order of their numbers.
    pub fn global_ports(&self, from: u32, to: u32) -> &[PortId] {
        let pair = (from * self.group_count + to) as usize;
        &self.ports[self.first[pair] as usize..self.first[pair + 1] as usize]
    }
}
