//! Routes for known messages with the least contention on a tree (Prisacari 2020, Chapter 3).
//!
//! The most messages on one link cannot be fewer than counting says ([`LowerBound`]); [`Solving`]
//! looks for routes that keep to that, and says whether they do ([`Certificate`]). The thesis solves
//! an integer program per layer of the tree. Here, layer by layer as there:
//!
//! * messages at each place are split in two, and again, so that those of every subtree are spread
//!   evenly (`split`); numbers of links that are no powers of two are dealt (`colors`);
//! * what is still too much for an arc above is exchanged at random (`repair`);
//! * where that does not help, the layer below is tried again (`layers`);
//! * if few messages are left with more contention than counting asks for, all ways are tried
//!   (`exhaustion`);
//! * and if these are too many, or the messages, single ones are moved (`walk`).
//!
//! With the first alone no link carries more than [`LevelBound::a_priori`], which is the bound itself
//! if all messages turn on the same level, and 1 for a permutation on a tree of full bisection.
//! Elsewhere only the certificate proves anything: there are messages for which no routes keep to the
//! bound, and routes of a layer that keep to all conditions of the thesis but cannot be continued.
//!
//! ```
//! use dragontree::network::EndpointId;
//! use dragontree::routing::Pair;
//! use dragontree::routing::pattern_specific::{Options, Shape, Solving, Status};
//!
//! // XGFT(2: 4,4: 1,4), on which every leaf sends to the one opposite.
//! let shape = Shape::new(&[4, 4], &[1, 4])?;
//! let pair = |leaf| Pair { source: EndpointId(leaf), destination: EndpointId(15 - leaf) };
//! let messages = (0..16).map(pair).collect();
//! let solution = Solving::new(shape, messages, Options::default())?.finish();
//! assert_eq!(solution.certificate.achieved(), 1);
//! assert_eq!(solution.certificate.status, Status::Optimal);
//! // The climb of message 0: to its only parent, then to one of four.
//! assert!(matches!(solution.climbs.of(0), [0, 0..4]));
//! # Ok::<(), dragontree::routing::pattern_specific::Malformed>(())
//! ```

use std::sync::Arc;

#[cfg(feature = "complete")]
use super::climb::Climb;
use super::{Algorithm, AtOnce, Demand, Routes, Search};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
#[cfg(feature = "complete")]
use crate::network::Structure;
use crate::network::{Needs, Network};

mod goal;

pub use goal::Goal;

#[cfg(feature = "complete")]
mod balance;
#[cfg(feature = "complete")]
mod certificate;
#[cfg(feature = "complete")]
mod colors;
#[cfg(feature = "complete")]
mod exhaustion;
#[cfg(feature = "complete")]
mod finding;
#[cfg(feature = "complete")]
mod instance;
#[cfg(feature = "complete")]
mod layers;
#[cfg(feature = "complete")]
mod lower_bound;
#[cfg(feature = "complete")]
mod pairing;
#[cfg(feature = "complete")]
mod part;
#[cfg(feature = "complete")]
mod places;
#[cfg(feature = "complete")]
mod repair;
#[cfg(feature = "complete")]
mod shape;
#[cfg(feature = "complete")]
mod share;
#[cfg(feature = "complete")]
mod solved;
#[cfg(feature = "complete")]
mod solving;
#[cfg(feature = "complete")]
mod split;
#[cfg(all(test, feature = "complete"))]
mod tests;
#[cfg(feature = "complete")]
mod walk;
#[cfg(feature = "complete")]
mod ways;

#[cfg(feature = "complete")]
pub use certificate::{Certificate, LevelCertificate, Status};
#[cfg(feature = "complete")]
pub use exhaustion::{cannot_be_less, maximum_cannot_be_less};
#[cfg(feature = "complete")]
pub(super) use finding::{Attempt, Finding};
#[cfg(feature = "complete")]
pub use lower_bound::{Bounding, Heading, LevelBound, LowerBound, TreeArc};
#[cfg(feature = "complete")]
pub use places::TreePlaces;
#[cfg(feature = "complete")]
pub use shape::{Climbs, Malformed, Shape};
#[cfg(feature = "complete")]
pub use share::Share;
#[cfg(feature = "complete")]
pub use solved::{Solved, SolvedPhase, summary};
#[cfg(feature = "complete")]
pub use solving::{Options, Solution, Solving};

/// Routes for the messages of an exchange, or of fixed traffic: who sends to whom is known.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternSpecific {
    /// What to reach.
    pub goal: Goal,
    /// Which messages share the links.
    pub at_once: AtOnce,
    /// Seeds what is drawn while routes are searched.
    pub seed: u64,
    /// When to stop searching for better routes of a phase: how many messages may be looked at.
    pub work: u64,
}

impl Default for PatternSpecific {
    fn default() -> PatternSpecific {
        PatternSpecific { goal: Goal::PerArc, at_once: AtOnce::Phase, seed: 0, work: 100_000_000 }
    }
}

impl Settings for PatternSpecific {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "goal",
            "Fewest messages",
            "Where as few messages are to share a link as counting allows: on every arc (all links \
             between a subtree and the level above), on every level, or at the worst link only.",
            &mut self.goal,
        ));
        form.setting(self.at_once.setting());
        form.setting(
            Setting::number(
                "seed",
                "Search seed",
                "Seed of what is drawn while routes are searched; runs with other seeds keep the \
                 routes.",
                &mut self.seed,
                0..=u64::MAX,
            )
            .advanced(),
        );
        form.setting(
            Setting::number(
                "work",
                "Search effort",
                "How many messages may be looked at for each phase, some twenty nanoseconds each, \
                 before nothing new is begun; routes that reach the goal are mostly found long before.",
                &mut self.work,
                1..=1_000_000_000_000,
            )
            .advanced(),
        );
    }
}

impl Part for PatternSpecific {
    fn name(&self) -> &'static str {
        PatternSpecific::NAME
    }
    fn label(&self) -> &'static str {
        "Pattern-specific"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "On a tree, each message of an exchange, or of fixed traffic, has a way of its own, so that \
         as few as possible of a phase share a link; a certificate says whether fewer are possible \
         (Prisacari 2020, Chapter 3). An acknowledgement goes back the way of its message.",
        )
    }
}

impl Algorithm for PatternSpecific {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        self.fits(network)?;
        let found = "none that are known";
        Err(Needs { part: self.name(), structure: "messages", found })
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        Err(vec![needs_messages(self, network)])
    }

    fn needs_messages(&self) -> bool {
        true
    }

    fn at_once(&self) -> AtOnce {
        self.at_once
    }

    #[cfg(feature = "complete")]
    fn begin_for(&self, network: &Arc<Network>, demand: &Arc<dyn Demand>, _seed: u64) -> Search {
        let options = Options { goal: self.goal, seed: self.seed, work: self.work };
        let begin = move |shape: &Shape, messages, _phase| -> Result<Box<dyn Attempt>, Malformed> {
            Ok(Box::new(Solving::new(shape.clone(), messages, options.clone())?))
        };
        Finding::search(self.name(), network, demand, Box::new(begin))
    }

    #[cfg(not(feature = "complete"))]
    fn begin_for(&self, network: &Arc<Network>, _demand: &Arc<dyn Demand>, seed: u64) -> Search {
        self.begin(network, seed)
    }

    #[cfg(feature = "complete")]
    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        Ok(tree(self.name(), network).map(drop)?)
    }
}

/// What is said of a part that makes its routes for messages where there are none.
pub(super) fn needs_messages(part: &dyn Algorithm, network: &Arc<Network>) -> Problem {
    let allowed = match part.fits(network) {
        Err(needs) => needs.to_string(),
        Ok(()) => format!(
            "{} makes its routes for the messages of an exchange, or of fixed traffic",
            part.name()
        ),
    };
    Problem::new("", "", allowed)
}

impl PatternSpecific {
    /// What the notation calls it.
    pub const NAME: &str = "pattern_specific";
}

/// The whole tree and its shape, for a part of this name.
#[cfg(feature = "complete")]
pub(super) fn tree(
    part: &'static str,
    network: &Arc<Network>,
) -> Result<(Climb, Shape), super::Refusal> {
    let needs = |found| Needs { part, structure: "a tree without parallel links", found };
    let climb = Climb::of(network, &needs)?;
    let is_told = matches!(network.structure(), Structure::Tree(_));
    if !is_told && climb.tree().up_ports(0) > 1 {
        let structure = "a tree with one link per endpoint, or an xgft";
        return Err(Needs { structure, ..needs("several links per endpoint") }.into());
    }
    let needs = |found| Needs { part, structure: "a whole XGFT", found };
    if !climb.is_whole() {
        return Err(needs("a tree of which links, switches or endpoints are missing").into());
    }
    let shape = Shape::of(climb.tree()).map_err(|malformed| match malformed {
        Malformed::Parallel { .. } => needs("a tree with parallel links"),
        _ => needs("a tree that is too large"),
    })?;
    Ok((climb, shape))
}
