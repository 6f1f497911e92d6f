//! MinHop: shortest paths, spread evenly over the ports of every switch.
//!
//! Every switch for itself gives each destination one of its ports on a shortest path: the one
//! with the fewest endpoints so far, and of several the lowest. Endpoints are dealt out switch by
//! switch, those of the switches with the most endpoints first, then in the order of the GUIDs;
//! destinations that are switches come last and do not count. The tables are those of OpenSM's
//! default engine `minhop` (3.3.23), entry by entry.
//!
//! No turn is forbidden, so with one virtual channel the routes can deadlock, on trees of three
//! levels or more as soon as switches are sources and destinations, too (Bogdański et al. 2012,
//! §3.1). There shifts contend as well (Zahavi 2009, Table I).

use std::collections::VecDeque;
use std::sync::Arc;

use super::tables::{FAR, Graph, balanced, check_search};
use super::{Algorithm, Layers, Routes, Tables};
use crate::catalog::{Form, Part, Settings};
use crate::network::{Needs, Network};

/// MinHop; it has no settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MinHop;

impl Settings for MinHop {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for MinHop {
    fn name(&self) -> &'static str {
        "min_hop"
    }
    fn label(&self) -> &'static str {
        "MinHop"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Tables of shortest paths, in which every switch spreads the destinations over its ports: \
         OpenSM's default (Zahavi 2009, §4.1).",
        )
    }
}

impl Algorithm for MinHop {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        check_search(network, self.name())?;
        let graph = Graph::new(network);
        let mut distances = vec![FAR; graph.switch_count()];
        let mut queue = VecDeque::new();
        let lfts = balanced(network, &graph, |to, choices| {
            distances.fill(FAR);
            graph.measure(&[to], &mut distances, &mut queue);
            choices.keep_nearer(&graph, &distances);
        });
        Ok(Routes::Tables(Box::new(Tables::new(network.clone(), lfts, Layers::One))))
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        check_search(network, self.name())
    }
}
