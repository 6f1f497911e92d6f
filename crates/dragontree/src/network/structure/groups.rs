//! Dragonfly groups.

use crate::network::{EndpointId, Network, PortId, SwitchId};

/// Groups of switches joined by global links (Kim et al. 2008; Prisacari 2020, §4.2). Within a
/// group the switches stand in rows, and each is joined to every other of its row and of its
/// column; with a single row, to every other of its group.
///
/// Endpoint `(g·a + s)·p + n` hangs on port `n` of switch `s` of group `g`, which stands in row
/// `s ÷ columns`, column `s mod columns`. The switch's next `columns - 1` ports lead to the others
/// of its row in order, the next `rows - 1` to the others of its column, the last `h` are global.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// Endpoints per switch (p).
    pub endpoints_per_switch: u32,
    /// Switches per group (a).
    pub switches_per_group: u32,
    /// Switches in a row of a group; divides `switches_per_group`, and equals it where every two
    /// switches of a group are joined.
    pub columns: u32,
    /// Global ports per switch (h).
    pub global_ports: u32,
    /// Number of groups.
    pub group_count: u32,
    /// How many links join two groups.
    per_pair: u32,
    /// The global ports of each group that lead to another, target by target.
    ports: Vec<PortId>,
}

impl Groups {
    /// Whether there are as many groups as global ports allow, so that one link joins every two.
    pub fn is_whole(&self) -> bool {
        self.group_count == self.switches_per_group * self.global_ports + 1
    }

    /// Groups of rows of `columns` switches, with `ports` listing the global ports of each group
    /// that lead to another, target by target, equally many to each.
    pub fn new(
        [endpoints_per_switch, switches_per_group, global_ports, group_count]: [u32; 4],
        columns: u32,
        ports: Vec<PortId>,
    ) -> Groups {
        let pairs = group_count as usize * (group_count as usize - 1);
        let per_pair = ports.len().checked_div(pairs).unwrap_or(0) as u32;
        Groups {
            endpoints_per_switch,
            switches_per_group,
            columns,
            global_ports,
            group_count,
            per_pair,
            ports,
        }
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

    /// The rows of a group; 1 where every two switches of a group are joined.
    pub fn rows(&self) -> u32 {
        // Only the complete build has groups of several.
        if cfg!(feature = "complete") { self.switches_per_group / self.columns } else { 1 }
    }

    /// The number of links between two switches of one group: 0, 1, or 2.
    pub fn local_distance(&self, from: SwitchId, to: SwitchId) -> u32 {
        let (here, there) = (self.place(from), self.place(to));
        u32::from(here % self.columns != there % self.columns)
            + u32::from(here / self.columns != there / self.columns)
    }

    /// The port of a switch that leads to another switch of its group, or towards it: first along
    /// the row, then along the column.
    pub fn local_port(&self, network: &Network, from: SwitchId, to: SwitchId) -> PortId {
        let (here, there) = (self.place(from), self.place(to));
        let (column, to_column) = (here % self.columns, there % self.columns);
        if column != to_column || self.rows() == 1 {
            let skip_itself = u32::from(to_column > column);
            return network.port(from, self.endpoints_per_switch + to_column - skip_itself);
        }
        let (row, to_row) = (here / self.columns, there / self.columns);
        let first = self.endpoints_per_switch + self.columns - 1;
        network.port(from, first + to_row - u32::from(to_row > row))
    }

    /// The ports of one group that lead to another, in the order of their numbers.
    pub fn global_ports(&self, from: u32, to: u32) -> &[PortId] {
        if from == to {
            return &[];
        }
        let pair = from * (self.group_count - 1) + to - u32::from(to > from);
        let first = (pair * self.per_pair) as usize;
        &self.ports[first..first + self.per_pair as usize]
    }
}
