//! In which order endpoints take their places.

use crate::network::{Needs, Network, Node, PortId};
use crate::sorting::sort_by_number;

#[cfg(feature = "complete")]
mod trees;

crate::choices! {
    /// In which order endpoints take their places.
    pub enum Order {
        /// Along the fat tree where shifts are counted and one is found; by index everywhere else.
        Auto = "auto", "automatic";
        /// By their ids, which follow a tree's digits.
        Index = "index", "by index";
        /// By their local ids.
        Lid = "lid", "by local id";
        /// Leaf switch by leaf switch of a fat tree, in the order of its indices: by the ids where
        /// the network is told to be one, else of the trees that are found in it, one after the
        /// other. Fat-tree routing deals out its destinations in this order.
        Ftree = "ftree", "along the fat tree";
    }
}

crate::choices! {
    /// Whether empty slots are places.
    pub enum Keepers {
        /// They are where shifts are counted along a fat tree, and nowhere else.
        Auto = "auto", "automatic";
        /// They are left out.
        No = "no", "no";
        /// They are: place keepers, from and to which nothing is sent (Zahavi 2009, §3.2).
        Yes = "yes", "yes";
    }
}

impl Order {
    /// The places in this order, none for place keepers. `ports` has for each endpoint the port by
    /// which it takes part; none where its slot is empty.
    ///
    /// Where trees are found, place keepers are their empty slots, on each leaf switch behind its
    /// endpoints, as in OpenSM's `opensm-ftree-ca-order.dump`; endpoints that are not on their leaf
    /// switches come last.
    ///
    /// # Errors
    /// Some of the endpoints are not on a fat tree.
    pub fn places(
        self,
        network: &Network,
        ports: &[Option<PortId>],
        keepers: Keepers,
    ) -> Result<Vec<Option<PortId>>, Needs> {
        let mut places = match self {
            Order::Auto | Order::Index => ports.to_vec(),
            Order::Lid => by_lid(network, ports),
            #[cfg(feature = "complete")]
            Order::Ftree => trees::along(network, ports)?,
            #[cfg(not(feature = "complete"))]
            Order::Ftree => {
                let (structure, found) = ("the complete build", network.structure().name());
                return Err(Needs { part: "order=ftree", structure, found });
            }
        };
        if keepers != Keepers::Yes {
            places.retain(Option::is_some);
        }
        Ok(places)
    }
}

fn by_lid(network: &Network, ports: &[Option<PortId>]) -> Vec<Option<PortId>> {
    let lid = |endpoint, port: Option<PortId>| {
        let first = || network.ports(Node::Endpoint(endpoint)).map(PortId).next();
        port.or_else(first).map_or(u32::MAX, |port| network.lid(port))
    };
    let slots = network.endpoints().zip(ports);
    let mut keys: Vec<(u32, u32)> =
        slots.map(|(endpoint, port)| (lid(endpoint, *port), endpoint.0)).collect();
    sort_by_number(&mut keys, |(lid, _)| u128::from(*lid));
    keys.into_iter().map(|(_, endpoint)| ports[endpoint as usize]).collect()
}
