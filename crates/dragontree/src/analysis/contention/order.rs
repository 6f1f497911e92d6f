//! In which order endpoints take part in a pattern.

use crate::analysis::Rail;
use crate::network::{Network, PortId};

crate::choices! {
    /// In which order endpoints take part in a pattern.
    pub enum Order {
        /// By their ids, which follow a tree's digits; empty slots keep their places.
        Index = "index", "by index, with place keepers";
        /// By their ids, without empty slots.
        Compact = "compact", "by index, without empty slots";
        /// By their local ids, without empty slots.
        Lid = "lid", "by local id";
    }
}

impl Order {
    /// The slots of a rail in this order.
    pub fn slots(self, network: &Network, rail: &Rail) -> Vec<Option<PortId>> {
        let mut ports: Vec<PortId> = rail.ports.iter().flatten().copied().collect();
        match self {
            Order::Index => return rail.ports.clone(),
            Order::Compact => {}
            Order::Lid => ports.sort_by_key(|port| network.lid(*port)),
        }
        ports.into_iter().map(Some).collect()
    }
}
