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

use super::climb::{Climb, Decided, mod_k};
use super::{
    Algorithm, Code, Exit, Header, Hop, Oblivious, Pair, Queues, Refusal, Route, Routes, Sharing,
    Unroutable, Waypoints, Word,
};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::{Needs, Network, Node, SwitchId};
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
        crate::catalog::help(
            "On a tree, the source's number modulo the number of up ports chooses the way up \
         (Prisacari 2020, §2.4.1). In a fabric from a file the tree is found; what it lacks of that \
         has no route.",
        )
    }
}

impl Algorithm for SModK {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        Ok(self.found(network)?)
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        Ok(self.found(network)?)
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        Ok(Climb::new(network, self.name()).map(drop)?)
    }
}

impl SModK {
    fn found(&self, network: &Arc<Network>) -> Result<Routes, Refusal> {
        let climb = Climb::new(network, self.name())?;
        let tree = climb.tree();
        let ways = Decided::new(&climb, |slot, level| mod_k(tree, level, slot));
        Ok(Routes::Oblivious(Box::new(SModKRoutes { climb, ways })))
    }
}

struct SModKRoutes {
    climb: Climb,
    ways: Option<Decided>,
}

impl Route for SModKRoutes {
    fn virtual_channels(&self) -> u8 {
        1
    }

    fn inject(&self, pair: Pair, _stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints::from([self.climb.network().injection(pair.source)])
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let destination = header.destination;
        let source = match header.waypoints.0[0].map(|port| self.climb.network().owner(port)) {
            Some(Node::Endpoint(source)) => self.climb.slot(source),
            _ => None,
        };
        let slot = source.ok_or(Unroutable { at, destination })?;
        self.climb.hop(at, destination, |level| mod_k(self.climb.tree(), level, slot))
    }

    fn only_way(&self, _from: SwitchId, pair: Pair, way: &mut Vec<Exit>) -> bool {
        let ways = self.ways.as_ref();
        ways.map(|ways| ways.trace(pair, pair.source, way)).is_some()
    }

    fn drawn_word(
        &self,
        _from: SwitchId,
        pair: Pair,
        _stream: &mut Stream,
        _queues: &dyn Queues,
        code: Code,
    ) -> Option<Word> {
        self.ways.as_ref()?.word(pair, pair.source, code)
    }

    fn touch(&self, pair: Pair) -> u32 {
        self.ways.as_ref().map_or(0, |ways| ways.touch(pair))
    }
}

impl Oblivious for SModKRoutes {
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints::from([self.climb.network().injection(pair.source)]), 1.0);
    }

    fn sharing(&self) -> Sharing {
        Sharing::Destinations
    }
}
