//! Static random: on a fat tree, every pair has a way up of its own, drawn once.
//!
//! At every switch of the way up the port is uniformly random, and always the same for the same
//! source and destination (Prisacari 2020, §3.5.2). It follows from the seed, the pair and the
//! level alone, whatever else is asked before. The way down is forced; of parallel links it takes
//! the ones of the way up. One virtual channel.
//!
//! A packet's waypoint is the channel from its source, by which switches know the source.

use std::sync::Arc;

use super::climb::{Climb, Ladder};
use super::{
    Algorithm, Exit, Header, Hop, Oblivious, Pair, Queues, Refusal, Route, Routes, Unroutable,
    Waypoints,
};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Needs, Network, Node, SwitchId};
use crate::random::{Stream, mix};

/// Static random routing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StaticRandom {
    /// The routing's own seed; without one it follows the run's.
    pub seed: Option<u64>,
}

impl Settings for StaticRandom {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::optional(
                "seed",
                "Routing seed",
                "Seed of the ways; “run” follows the run's seed.",
                &mut self.seed,
                "run",
                0..=u64::MAX,
            )
            .advanced(),
        );
    }
}

impl Part for StaticRandom {
    fn name(&self) -> &'static str {
        "static_random"
    }
    fn label(&self) -> &'static str {
        "Static random"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "On a tree, every pair has a random way up of its own (Prisacari 2020, §3.5.2). In a fabric \
         from a file the tree is found; what it lacks of that has no route.",
        )
    }
}

impl Algorithm for StaticRandom {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        Ok(self.seeded(network, 0)?)
    }

    fn find(&self, network: &Arc<Network>, seed: u64) -> Result<Routes, Vec<Problem>> {
        Ok(self.seeded(network, seed)?)
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        Ok(Climb::new(network, self.name()).map(drop)?)
    }

    fn follows_seed(&self) -> bool {
        self.seed.is_none()
    }
}

impl StaticRandom {
    fn seeded(&self, network: &Arc<Network>, seed: u64) -> Result<Routes, Refusal> {
        let climb = Climb::new(network, self.name())?;
        let key = Stream::new(self.seed.unwrap_or(seed), "static random ways", 0).bits();
        let ladder = Ladder::new(&climb);
        Ok(Routes::Oblivious(Box::new(StaticRandomRoutes { climb, ladder, key })))
    }
}

struct StaticRandomRoutes {
    climb: Climb,
    ladder: Option<Ladder>,
    key: u64,
}

impl StaticRandomRoutes {
    /// Which of its up ports a switch of each level takes for a pair; none where one of the two
    /// has no place in the tree.
    fn choices_of(&self, pair: Pair) -> Option<impl Fn(u32) -> u32 + '_> {
        let [source, destination] = [pair.source, pair.destination].map(|end| self.climb.slot(end));
        let key = (u64::from(source?.0) << 32) | u64::from(destination?.0);
        let drawn = mix(self.key ^ mix(key));
        Some(move |level| {
            let bits = mix(drawn.wrapping_add(u64::from(level))) >> 32;
            ((bits * u64::from(self.climb.tree().up_ports(level))) >> 32) as u32
        })
    }
}

impl Route for StaticRandomRoutes {
    fn virtual_channels(&self) -> u8 {
        1
    }

    fn inject(&self, pair: Pair, _stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints::from([self.climb.network().injection(pair.source)])
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let destination = header.destination;
        let source = match header.waypoints.0[0].map(|port| self.climb.network().owner(port)) {
            Some(Node::Endpoint(source)) => Some(source),
            _ => None,
        };
        let choose = source.and_then(|source| self.choices_of(Pair { source, destination }));
        self.climb.hop(at, destination, choose.ok_or(Unroutable { at, destination })?)
    }

    fn only_way(&self, _from: SwitchId, pair: Pair, way: &mut Vec<Exit>) -> bool {
        let known = self.ladder.as_ref().zip(self.choices_of(pair));
        let Some((ladder, choose)) = known else { return false };
        ladder.trace(pair, way, |level| ladder.link(level, choose(level as u32)));
        true
    }
}

impl Oblivious for StaticRandomRoutes {
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints::from([self.climb.network().injection(pair.source)]), 1.0);
    }
}
