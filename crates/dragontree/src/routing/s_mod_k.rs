//! S-mod-K: on a fat tree, the source's number alone chooses the way up.
//!
//! The same as [D-mod-K](super::DModK) with the source in place of the destination: at a switch of
//! level l a packet that must climb takes the up port `⌊s / Π_{i≤l} W_i⌋ mod (W_{l+1}·P_{l+1})`.
//! Its path is the one that D-mod-K takes from the destination to the source, backwards, so on a
//! full-bisection tree no shift puts two flows on one channel either. One virtual channel.
//! Named in Prisacari 2020, §2.4.1 and §3.5.2.
//!
//! A packet's waypoint is the channel from its source, by which switches know the source.

use std::sync::Arc;

use super::climb::{Climb, Decided};
use super::{
    Algorithm, Exit, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Unroutable, Waypoints,
};
use crate::catalog::{Form, Part, Settings};
use crate::network::{EndpointId, Needs, Network, Node, SwitchId, Tree};
use crate::random::Stream;

/// S-mod-K routing; it has no settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SModK;

impl Settings for SModK {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for SModK {
    fn name(&self) -> &'static str {
        "s_mod_k"
    }
    fn label(&self) -> &'static str {
        "S-mod-K"
    }
    fn help(&self) -> &'static str {
        "On a tree, the source's number modulo the number of up ports chooses the way up \
         (Prisacari 2020, §2.4.1)."
    }
}

impl Algorithm for SModK {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        let climb = Climb::new(network, self.name())?;
        let Climb { network, tree } = &climb;
        let ways = Decided::new(network, tree, |source, level| up_choice(tree, level, source));
        Ok(Routes::Oblivious(Box::new(SModKRoutes { climb, ways })))
    }
}

struct SModKRoutes {
    climb: Climb,
    ways: Option<Decided>,
}

/// Which of its up ports a switch of this level takes for packets from a source.
fn up_choice(tree: &Tree, level: u32, source: EndpointId) -> u32 {
    let spread: u32 = (1..=level).map(|below| tree.parents(below)).product();
    source.0 / spread % tree.up_ports(level)
}

impl Route for SModKRoutes {
    fn virtual_channels(&self) -> u8 {
        1
    }

    fn inject(&self, pair: Pair, _stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints([self.climb.network.injection(pair.source), None])
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let Climb { network, tree } = &self.climb;
        let destination = header.destination;
        let source = match header.waypoints.0[0].map(|port| network.owner(port)) {
            Some(Node::Endpoint(source)) => source,
            _ => return Err(Unroutable { at, destination }),
        };
        self.climb.hop(at, destination, |level| up_choice(tree, level, source))
    }

    fn only_way(&self, _from: SwitchId, pair: Pair, way: &mut Vec<Exit>) -> bool {
        let ways = self.ways.as_ref();
        ways.map(|ways| ways.trace(pair, pair.source, way)).is_some()
    }
}

impl Oblivious for SModKRoutes {
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints([self.climb.network.injection(pair.source), None]), 1.0);
    }
}
