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
    Algorithm, Exit, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Unroutable, Waypoints,
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
        "On a tree, every pair has a random way up of its own (Prisacari 2020, §3.5.2)."
    }
}

impl Algorithm for StaticRandom {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        self.seeded(network, 0)
    }

    fn find(&self, network: &Arc<Network>, seed: u64) -> Result<Routes, Vec<Problem>> {
        let routes = self.seeded(network, seed);
        routes.map_err(|needs| vec![Problem::new("", "", needs.to_string())])
    }

    fn follows_seed(&self) -> bool {
        self.seed.is_none()
    }
}

impl StaticRandom {
    fn seeded(&self, network: &Arc<Network>, seed: u64) -> Result<Routes, Needs> {
        let climb = Climb::new(network, self.name())?;
        let key = Stream::new(self.seed.unwrap_or(seed), "static random ways", 0).bits();
        let ladder = Ladder::new(&climb.network, &climb.tree);
        Ok(Routes::Oblivious(Box::new(StaticRandomRoutes { climb, ladder, key })))
    }
}

struct StaticRandomRoutes {
    climb: Climb,
    ladder: Option<Ladder>,
    key: u64,
}

impl StaticRandomRoutes {
    /// Which of its up ports a switch of each level takes for a pair.
    fn choices_of(&self, pair: Pair) -> impl Fn(u32) -> u32 + '_ {
        let key = (u64::from(pair.source.0) << 32) | u64::from(pair.destination.0);
        let drawn = mix(self.key ^ mix(key));
        move |level| {
            let bits = mix(drawn.wrapping_add(u64::from(level))) >> 32;
            ((bits * u64::from(self.climb.tree.up_ports(level))) >> 32) as u32
        }
    }
}

impl Route for StaticRandomRoutes {
    fn virtual_channels(&self) -> u8 {
        1
    }

    fn inject(&self, pair: Pair, _stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints([self.climb.network.injection(pair.source), None])
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let destination = header.destination;
        let source = match header.waypoints.0[0].map(|port| self.climb.network.owner(port)) {
            Some(Node::Endpoint(source)) => source,
            _ => return Err(Unroutable { at, destination }),
        };
        self.climb.hop(at, destination, self.choices_of(Pair { source, destination }))
    }

    fn only_way(&self, _from: SwitchId, pair: Pair, way: &mut Vec<Exit>) -> bool {
        let Some(ladder) = &self.ladder else { return false };
        let choose = self.choices_of(pair);
        ladder.trace(pair, way, |level| ladder.link(level, choose(level as u32)));
        true
    }
}

impl Oblivious for StaticRandomRoutes {
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints([self.climb.network.injection(pair.source), None]), 1.0);
    }
}
