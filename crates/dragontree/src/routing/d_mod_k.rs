//! D-mod-K: on a fat tree, the destination's number alone chooses the way up.
//!
//! At a switch of level l a packet that must climb takes the up port
//! `q = ⌊d / Π_{i≤l} W_i⌋ mod (W_{l+1}·P_{l+1})`: parent `q mod W_{l+1}`, parallel link
//! `q ÷ W_{l+1}`; on the way down the parallel link is that of the same `q` one level lower. The
//! parents divide, not the parallel links: of the destinations that reach a switch over level l,
//! every `Π W_i`-th is its own, and these must fall on different ports.
//!
//! One path per destination and one virtual channel. Named in Prisacari 2020, §2.4.1 and §3.5.2;
//! on a full-bisection tree no shift ever puts two flows on one channel.

use std::sync::Arc;

use super::tables::tabulate;
use super::{
    Algorithm, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Sharing, Unroutable, Waypoints,
};
use crate::catalog::{Form, Part, Settings};
use crate::network::{EndpointId, Lfts, Needs, Network, PortId, Structure, SwitchId, Tree};
use crate::random::Stream;

/// D-mod-K routing; it has no settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DModK;

impl Settings for DModK {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for DModK {
    fn name(&self) -> &'static str {
        "d_mod_k"
    }
    fn label(&self) -> &'static str {
        "D-mod-K"
    }
    fn help(&self) -> &'static str {
        "On a tree, the destination's number modulo the number of up ports chooses the way up \
         (Prisacari 2020, §2.4.1)."
    }
}

impl Algorithm for DModK {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        let needs = |found| Needs {
            part: "d_mod_k",
            structure: "a tree with one link per endpoint",
            found,
        };
        match network.structure() {
            Structure::Tree(tree) if tree.up_ports(0) == 1 => {
                let tree = tree.clone();
                Ok(Routes::Oblivious(Box::new(DModKRoutes { network: network.clone(), tree })))
            }
            Structure::Tree(_) => Err(needs("several links per endpoint")),
            other => Err(needs(other.name())),
        }
    }
}

struct DModKRoutes {
    network: Arc<Network>,
    tree: Tree,
}

impl DModKRoutes {
    /// The port between `level` and `level + 1` that belongs to the destination, as parent digit
    /// and parallel link.
    fn up_choice(&self, level: u32, destination: EndpointId) -> (u32, u32) {
        let spread: u32 = (1..=level).map(|below| self.tree.parents(below)).product();
        let port = destination.0 / spread % self.tree.up_ports(level);
        let parents = self.tree.parents(level + 1);
        (port % parents, port / parents)
    }

    fn port_number(&self, at: SwitchId, destination: EndpointId) -> u32 {
        let tree = &self.tree;
        let level = tree.level(at);
        if tree.is_above(at, destination) {
            let (_, link) = self.up_choice(level - 1, destination);
            return tree.child_digit(level, destination) * tree.parallel(level) + link;
        }
        let (parent, link) = self.up_choice(level, destination);
        let down_ports = tree.children(level) * tree.parallel(level);
        down_ports + parent * tree.parallel(level + 1) + link
    }
}

impl Route for DModKRoutes {
    fn virtual_channels(&self) -> u8 {
        1
    }

    fn inject(&self, _pair: Pair, _stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints::default()
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let port: PortId = self.network.port(at, self.port_number(at, header.destination));
        Ok(Hop { port, vc: 0 })
    }
}

impl Oblivious for DModKRoutes {
    fn sharing(&self) -> Sharing {
        Sharing::Sources
    }

    fn choices(&self, _pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints::default(), 1.0);
    }

    fn lfts(&self) -> Option<Arc<Lfts>> {
        tabulate(&self.network, |at, endpoint| self.port_number(at, endpoint)).map(Arc::new)
    }
}
