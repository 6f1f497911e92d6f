//! Climbs of messages without a network, on trees whose endpoints have several links.
//!
//! An endpoint of a network sends by its first link only, unless routes are made for the messages of an
//! exchange. What all routings would come to with all links is counted on the tree alone.

use crate::network::EndpointId;
use crate::random::Stream;
use crate::routing::greedy::Assigning;
use crate::routing::pattern_specific::{Certificate, Climbs, Options, Shape, Solution, Solving};
use crate::routing::{Pair, Routing};

/// A routing that gives messages climbs.
#[derive(Clone)]
pub(in crate::scenario) struct Making {
    pub routing: Routing,
    /// Seeds what it draws.
    pub seed: u64,
}

/// The climbs of a phase.
pub(super) enum Climbers {
    Solving(Box<Solving>),
    Assigning(Box<Assigning>),
    /// They are known.
    Solved(Climbs, Certificate),
    /// They follow from the messages one by one; something may be drawn.
    Rule(Rule, Stream),
}

#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// Digits of the destination or the source (Prisacari 2020, §2.4.1).
    Destination,
    Source,
    /// One drawn for each pair, from a stream of its own.
    PairDrawn(u64),
    Drawn,
}

impl Making {
    /// Whether a routing's climbs are known without a network.
    pub fn is_known(routing: &Routing) -> bool {
        Making::rule(routing, 0).is_some()
            || matches!(routing, Routing::Greedy(_) | Routing::PatternSpecific(_))
    }

    /// Whether it draws a way for each message anew.
    pub fn draws(&self) -> bool {
        matches!(self.routing, Routing::DynamicRandom(_))
    }

    fn rule(routing: &Routing, seed: u64) -> Option<Rule> {
        match routing {
            Routing::DModK(_) => Some(Rule::Destination),
            Routing::SModK(_) => Some(Rule::Source),
            Routing::StaticRandom(own) => Some(Rule::PairDrawn(own.seed.unwrap_or(seed))),
            Routing::DynamicRandom(_) => Some(Rule::Drawn),
            _ => None,
        }
    }

    /// Begins with the messages of a phase; none where the routing's climbs are not known.
    pub(super) fn begin(&self, shape: &Shape, phase: u32, messages: Vec<Pair>) -> Option<Climbers> {
        let phase = u64::from(phase);
        match &self.routing {
            Routing::Greedy(own) => {
                let stream = Stream::new(own.seed, "greedy", phase);
                let assigning = Assigning::new(shape, messages, stream).ok()?;
                Some(Climbers::Assigning(Box::new(assigning)))
            }
            Routing::PatternSpecific(own) => {
                let options = Options { goal: own.goal, seed: own.seed, work: own.work };
                let solving = Solving::new(shape.clone(), messages, options).ok()?;
                Some(Climbers::Solving(Box::new(solving)))
            }
            other => {
                let rule = Making::rule(other, self.seed)?;
                Some(Climbers::Rule(rule, Stream::new(self.seed, "comparison", phase)))
            }
        }
    }
}

impl Climbers {
    /// Goes on for about so many steps; whether climbs can be told.
    pub fn advance(&mut self, budget: u64) -> bool {
        let found = match self {
            Climbers::Solving(solving) => solving.advance(budget),
            Climbers::Assigning(assigning) => assigning.advance(budget),
            Climbers::Solved(..) | Climbers::Rule(..) => return true,
        };
        let Some(Solution { climbs, certificate }) = found else { return false };
        *self = Climbers::Solved(climbs, certificate);
        true
    }

    /// The climb of a message, by its place among those of the phase.
    pub fn climb(&mut self, shape: &Shape, message: usize, pair: Pair) -> Vec<u16> {
        let (rule, stream) = match self {
            Climbers::Solved(climbs, _) => return climbs.of(message).to_vec(),
            Climbers::Rule(rule, stream) => (*rule, stream),
            Climbers::Solving(_) | Climbers::Assigning(_) => return Vec::new(),
        };
        let modulo =
            |end: EndpointId, level: usize| end.0 / shape.spread(level) % shape.parents(level + 1);
        let Pair { source, destination } = pair;
        let key = u64::from(source.0) << 32 | u64::from(destination.0);
        let mut own;
        let stream = match rule {
            Rule::PairDrawn(seed) => {
                own = Stream::new(seed, "static random ways", key);
                &mut own
            }
            _ => stream,
        };
        let digit = |level: usize| match rule {
            Rule::Destination => modulo(destination, level) as u16,
            Rule::Source => modulo(source, level) as u16,
            Rule::PairDrawn(_) | Rule::Drawn => stream.below(shape.parents(level + 1)) as u16,
        };
        (0..shape.turn(pair)).map(digit).collect()
    }

    /// How good a search says that its climbs are.
    pub fn certificate(&self) -> Option<&Certificate> {
        match self {
            Climbers::Solved(_, certificate) => Some(certificate),
            _ => None,
        }
    }
}
