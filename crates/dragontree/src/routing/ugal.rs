//! UGAL routing: every packet takes the minimal way or one over a random place, whichever has the
//! shorter queue in front of it (Singh 2005; Kim et al. 2008; Prisacari 2020, §7.3.3).
//!
//! The source's switch decides when the packet's head has come through to its outputs. The minimal
//! way costs `q_M`, the bytes that wait for the first output on it; each of some ways that
//! [`Valiant`](super::Valiant) routing would draw costs `c·q_I`, with `scale=length` times
//! `L_I / L_M`, the numbers of hops. The cheapest is taken; of equally cheap ones the minimal way,
//! then the one drawn first. With a threshold the minimal way is taken without looking further while
//! less than that part of the output's queue is filled. Indirect ways are drawn from a stream of their own,
//! which takes one draw of the source's: whether and how many are drawn changes nothing for later packets,
//! and they can be drawn before the queues are known.
//!
//! On groups minimal ways use the virtual channels of an indirect way's second half; where switches
//! are at most two hops apart, those of its first half. So both kinds of ways take channels in one
//! order, and no cycle can form.

use std::sync::Arc;

use super::valiant::{Kind, LONGEST, Valiant, ValiantRoutes, Via};
use super::{
    Adaptive, Algorithm, AnyRoutes, Asked, Code, Exit, Fork, Header, Hop, Oblivious, Pair, Queues,
    Refusal, Route, Routes, Sharing, Unroutable, Waypoints, Word, Writer,
};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{LinkClass, Needs, Network, PortId, Structure, SwitchId};
use crate::random::Stream;
use crate::units::{Bytes, Load};

mod weighing;

pub use weighing::Weighing;

/// UGAL routing.
#[derive(Clone, Debug, PartialEq)]
pub struct Ugal {
    /// What an indirect way leads over.
    pub via: Via,
    /// What a byte in front of an indirect way counts.
    pub c: Load,
    /// How many indirect ways are drawn for a packet.
    pub candidates: u32,
    /// The part of an output's queue below which the minimal way is taken at once.
    pub threshold: Load,
    /// Whether longer ways count more.
    pub scale: Scale,
    /// Which queues are looked at.
    pub information: Information,
}

crate::choices! {
    /// What the cost of an indirect way is multiplied by besides its factor.
    pub enum Scale {
        /// How many times as many hops it has as the minimal way.
        Length = "length", "The ratio of lengths";
        /// Nothing.
        Constant = "constant", "Nothing";
    }
}

crate::choices! {
    /// Which queues a decision looks at.
    pub enum Information {
        /// That of the first output, at the source's own switch.
        Local = "local", "The own switch's";
        /// On groups that of the first global channel on the way, elsewhere the longest on the
        /// way.
        Global = "global", "All on the way";
    }
}

impl Default for Ugal {
    fn default() -> Ugal {
        Ugal {
            via: Via::default(),
            c: Load::FULL,
            candidates: 1,
            threshold: Load::ppm(0),
            scale: Scale::default(),
            information: Information::default(),
        }
    }
}

/// The largest factor.
const LARGEST: Load = Load::ppm(1_000_000_000);

impl Settings for Ugal {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "via",
            "Via",
            "What an indirect way leads over: a random switch, on groups one of a third group, or \
             only that group.",
            &mut self.via,
        ));
        form.setting(Setting::number(
            "c",
            "Indirect cost",
            "What a byte queued in front of an indirect way counts; one in front of the minimal \
             way counts 1.",
            &mut self.c,
            Load::ppm(0)..=LARGEST,
        ));
        form.setting(Setting::number(
            "candidates",
            "Candidates",
            "How many indirect ways are drawn for each packet.",
            &mut self.candidates,
            1..=64,
        ));
        form.setting(Setting::number(
            "threshold",
            "Threshold",
            "The part of an output's queue below which packets go minimally without looking \
             further.",
            &mut self.threshold,
            Load::ppm(0)..=Load::FULL,
        ));
        form.setting(
            Setting::choice(
                "scale",
                "Cost times",
                "What the cost of an indirect way is multiplied by: its length relative to the \
                 minimal way's, or nothing.",
                &mut self.scale,
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "information",
                "Queues seen",
                "The first output's, or, which no real switch can see at once, that of the first \
                 global channel, without groups the longest on the way.",
                &mut self.information,
            )
            .advanced(),
        );
    }
}

impl Part for Ugal {
    fn name(&self) -> &'static str {
        "ugal"
    }
    fn label(&self) -> &'static str {
        "UGAL"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Adaptive: minimally, or as Valiant routing does where the queue is shorter there \
         (Kim et al. 2008; Prisacari 2020, §7.3.3).",
        )
    }
}

impl Ugal {
    /// The ways that packets choose among.
    fn ways(&self, network: &Arc<Network>) -> Result<ValiantRoutes, Needs> {
        let settings = Valiant { via: self.via, ..Valiant::default() };
        ValiantRoutes::new(network, &settings, self.name())
    }
}

impl Algorithm for Ugal {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        let ways = self.ways(network)?;
        Ok(Routes::Oblivious(Box::new(Unloaded(Arc::new(ways)))))
    }

    fn find_any(&self, network: &Arc<Network>, _seed: u64) -> Result<AnyRoutes, Vec<Problem>> {
        let ways = Arc::new(self.ways(network).map_err(Refusal::from)?);
        let unloaded = Arc::new(Routes::Oblivious(Box::new(Unloaded(ways.clone()))));
        let &Ugal { c, threshold, scale, candidates, information, .. } = self;
        Ok(AnyRoutes::Adaptive(Arc::new(UgalRoutes {
            weighing: Weighing { c, threshold, scale },
            candidates,
            information,
            network: network.clone(),
            ways,
            unloaded,
        })))
    }

    fn follows_load(&self) -> bool {
        true
    }
}

struct UgalRoutes {
    weighing: Weighing,
    candidates: u32,
    information: Information,
    network: Arc<Network>,
    ways: Arc<ValiantRoutes>,
    unloaded: Arc<Routes>,
}

impl UgalRoutes {
    /// What is queued in front of a way, given by the ports on it, that of the destination included.
    fn queued(&self, mut ports: impl Iterator<Item = PortId>, queues: &dyn Queues) -> Bytes {
        let Some(first) = ports.next() else { return Bytes(0) };
        if self.information == Information::Local {
            return queues.queued(first);
        }
        let class = |port: PortId| self.network.channel(port).map(|channel| channel.class);
        let mut way = std::iter::once(first).chain(ports).filter(|port| {
            // The link to the destination is on every way alike.
            class(*port) != Some(LinkClass::Endpoint)
        });
        let on_groups = matches!(self.network.structure(), Structure::Groups(_));
        let mut most = Bytes(0);
        way.find_map(|port| {
            let queued = queues.queued(port);
            most = most.max(queued);
            (on_groups && class(port) == Some(LinkClass::Global)).then_some(queued)
        })
        .unwrap_or(most)
    }
}

impl Route for UgalRoutes {
    fn virtual_channels(&self) -> u8 {
        self.ways.virtual_channels()
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, queues: &dyn Queues) -> Waypoints {
        let ways = &self.ways;
        let others = &mut stream.split();
        let Some(minimal) = ways.draw_whole(Kind::Minimal, pair, stream) else {
            return ways.draw_whole(Kind::Indirect, pair, others).unwrap_or_default();
        };
        let queued = |waypoints| self.queued(ways.ports(pair, waypoints), queues);
        let hops = |waypoints| ways.ports(pair, waypoints).count().saturating_sub(1) as u32;
        let direct = queued(minimal);
        if hops(minimal) == 0 || self.weighing.goes_minimally(direct, queues.capacity()) {
            return minimal;
        }
        let mut best = (self.weighing.cost(Kind::Minimal, direct, hops(minimal)), minimal);
        for _ in 0..self.candidates {
            let Some(way) = ways.draw_whole(Kind::Indirect, pair, others) else { break };
            let cost = self.weighing.cost(Kind::Indirect, queued(way), hops(way));
            if cost < best.0 {
                best = (cost, way);
            }
        }
        best.1
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        self.ways.next(at, header)
    }

    fn drawn_word(
        &self,
        from: SwitchId,
        pair: Pair,
        stream: &mut Stream,
        queues: &dyn Queues,
        code: Code,
    ) -> Option<Word> {
        let (ways, links) = self.ways.by_only_links().filter(|_| !self.looks_far())?;
        let (home, number) = links.home(pair.destination);
        let ends = [links.spot(from), home];
        let empty = code.writer(LONGEST)?;
        let between = |third| ways.between(links, ends, third, empty);
        let first = self.network.port(from, 0).0;
        let queued = |way: &Writer| queues.queued(PortId(first + way.first()));
        let others = &mut stream.split();
        let mut chosen = between(None);
        let (direct, hops) = (queued(&chosen), chosen.steps());
        if hops > 0 && !self.weighing.goes_minimally(direct, queues.capacity()) {
            let mut least = self.weighing.cost(Kind::Minimal, direct, hops);
            for _ in 0..self.candidates {
                let other = between(ways.third_between(ends, others));
                let cost = self.weighing.cost(Kind::Indirect, queued(&other), other.steps());
                if cost < least {
                    (least, chosen) = (cost, other);
                }
            }
        }
        Some(chosen.end(Exit { number, vc: 0 }))
    }
}

impl Adaptive for UgalRoutes {
    fn unloaded(&self) -> &Arc<Routes> {
        &self.unloaded
    }

    fn looks_far(&self) -> bool {
        self.information == Information::Global
    }

    fn weighing(&self, code: Code) -> Option<Weighing> {
        let is_one = self.candidates == 1 && !self.looks_far();
        let is_known = self.ways.by_only_links().is_some() && code.writer(LONGEST).is_some();
        (is_one && is_known).then_some(self.weighing)
    }

    fn forks(&self, asked: &[Asked], code: Code, forks: &mut Vec<Fork>) {
        let Some((ways, links)) = self.ways.by_only_links() else { return };
        let Some(empty) = code.writer(LONGEST) else { return };
        forks.extend(asked.iter().map(|asked| {
            let (home, number) = links.home(asked.destination);
            let ends = [links.spot(asked.from), home];
            let other = ways.third_between(ends, &mut asked.draws.clone());
            let last = Exit { number, vc: 0 };
            [None, other].map(|third| ways.between(links, ends, third, empty).end(last))
        }));
    }
}

/// What packets do while nothing waits: they go minimally, or where all minimal ways are broken
/// over a random place.
struct Unloaded(Arc<ValiantRoutes>);

impl Route for Unloaded {
    fn virtual_channels(&self) -> u8 {
        self.0.virtual_channels()
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        let kinds = [Kind::Minimal, Kind::Indirect];
        let way = kinds.into_iter().find_map(|kind| self.0.draw_whole(kind, pair, stream));
        way.unwrap_or_default()
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        self.0.next(at, header)
    }
}

impl Oblivious for Unloaded {
    fn sharing(&self) -> Sharing {
        Sharing::Switches
    }

    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        let mut all = self.0.whole(Kind::Minimal, pair);
        if all.is_empty() {
            all = self.0.whole(Kind::Indirect, pair);
        }
        if all.is_empty() {
            show(Waypoints::default(), 1.0);
        }
        all.iter().for_each(|(waypoints, share)| show(*waypoints, *share));
    }
}
