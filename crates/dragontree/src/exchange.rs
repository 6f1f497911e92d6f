//! The list of exchanges: closed-loop workloads, messages and what each waits for. To add one: write
//! its file, declare it, list it.

use std::sync::Arc;

#[cfg(not(feature = "complete"))]
use crate::catalog::Elsewhere;
use crate::catalog::{Menu, Part, Problem};
use crate::network::{EndpointId, Needs, Network, PortId, SwitchId};
use crate::units::{Bytes, Rank};

mod all_to_all;
mod broadcast;
mod direct;
mod hierarchy;
mod list;
mod matrix;
mod messages;
mod nearest_neighbor;
mod none;
mod phased;
mod ping_pong;
mod ring;
mod steps;
mod torus_neighbor;
mod workload;

pub use all_to_all::{AllToAll, Answers, Awaits, Order};
pub use broadcast::{Between, Broadcast, Delays, Distance, Overhead, Spread, Visit};
pub use hierarchy::Hierarchy;
pub use list::{After, List, Lost};
pub use matrix::{Matrix, Turns};
pub use messages::Messages;
pub use nearest_neighbor::NearestNeighbor;
pub use none::Nothing;
pub use phased::Phased;
pub use ping_pong::PingPong;
pub use ring::{Ring, RingOrder};
pub use torus_neighbor::{TorusNeighbor, Widths};
pub use workload::{Message, Moment, Queueing, State, Workload};

/// A rule by which ranks exchange messages.
pub trait Closed: Part {
    /// What the ranks of a site do; nothing where there is no exchange.
    ///
    /// # Errors
    /// The network lacks the structure that the exchange is defined on, or the ranks do not fit it.
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused>;
}

crate::catalog! {
    /// Any exchange.
    pub enum Exchange: Closed {
        none::Nothing;
        later:
        all_to_all::AllToAll,
        nearest_neighbor::NearestNeighbor,
        torus_neighbor::TorusNeighbor,
        ring::Ring,
        broadcast::Broadcast,
        messages::Messages,
        matrix::Matrix,
        ping_pong::PingPong,
    }
}

impl Exchange {
    /// Those whose messages have lengths of their own, from a file or a domain, whatever `bytes=` says.
    pub const OWN_LENGTHS: [&str; 3] = ["messages", "matrix", "nearest_neighbor"];

    /// Whether it is one of [those](Self::OWN_LENGTHS).
    pub fn has_own_lengths(&self) -> bool {
        Exchange::OWN_LENGTHS.contains(&self.name())
    }
}

#[cfg(not(feature = "complete"))]
impl Closed for Elsewhere {
    fn exchanged(&self, _site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        Err(Refused::Problem(Problem::new("", "", Elsewhere::WORDS)))
    }
}

/// Where the ranks run, and what they send.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// The fabric.
    pub network: &'a Network,
    /// The endpoint of each place; none for place keepers, which neither send nor are sent to.
    pub placement: &'a [Option<EndpointId>],
    /// How many ranks an endpoint takes.
    pub ranks_per_endpoint: u32,
    /// The length of a message, where the exchange does not compute its own.
    pub bytes: Bytes,
    /// The run's seed.
    pub seed: u64,
    /// How messages are forwarded, where an exchange asks how long their ways are; none where that
    /// depends on more than switch and destination, or it does not ask.
    pub forwarding: Option<&'a dyn Forwarding>,
}

/// How messages are forwarded: each switch has one port for a destination.
pub trait Forwarding {
    /// The port by which everything to an endpoint leaves a switch; none where there is no way on.
    fn port(&self, at: SwitchId, to: EndpointId) -> Option<PortId>;

    /// Whether ways to all endpoints of a switch are the same, up to that switch.
    fn is_by_switch(&self) -> bool;
}

impl Site<'_> {
    /// The number of places, those of place keepers included.
    pub fn places(&self) -> u32 {
        self.placement.len() as u32
    }

    /// The number of ranks.
    pub fn ranks(&self) -> u32 {
        self.placement.iter().flatten().count() as u32
    }

    /// What a part says that does not find the structure that it needs.
    fn needs(&self, part: &'static str, structure: &'static str) -> Refused {
        Refused::Needs(Needs { part, structure, found: self.network.structure().name() })
    }
}

/// Why an exchange cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The network is no such one.
    #[error("{0}")]
    Needs(Needs),
    /// A setting does not fit; it is named.
    #[error("{0}")]
    Problem(Problem),
}

impl Refused {
    /// A setting does not fit.
    fn setting(key: &str, given: impl ToString, allowed: String) -> Refused {
        Refused::Problem(Problem::new(key, given.to_string(), allowed))
    }
}

/// What the ranks do: as a workload, and as phases in each of which a rank sends to at most one other.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchanged {
    /// The messages and what each waits for.
    pub workload: Workload,
    /// Who sends to whom in each phase.
    pub phases: Phases,
    /// For each message of a list the phase that it belongs to; nothing where phases follow a rule.
    pub stages: Arc<[u32]>,
}

/// Who sends to whom, phase by phase.
#[derive(Clone, Debug, PartialEq)]
pub enum Phases {
    /// By a rule.
    Phased(Arc<Phased>),
    /// Written out: source and destination of each phase's messages.
    Listed(Arc<Vec<Vec<(Rank, Rank)>>>),
    /// A message in each: its source and destination.
    Single(Arc<Vec<(Rank, Rank)>>),
}

impl Phases {
    /// The number of phases.
    pub fn count(&self) -> u32 {
        match self {
            Phases::Phased(phased) => phased.phases(),
            Phases::Listed(listed) => listed.len() as u32,
            Phases::Single(messages) => messages.len() as u32,
        }
    }

    /// Source and destination of a phase's messages; a rank may send several.
    pub fn phase(&self, phase: u32) -> Vec<(Rank, Rank)> {
        match self {
            Phases::Phased(phased) => {
                let sent = (0..).zip(phased.phase(phase));
                sent.filter_map(|(from, to)| Some((Rank(from), to?))).collect()
            }
            Phases::Listed(listed) => listed[phase as usize].clone(),
            Phases::Single(messages) => vec![messages[phase as usize]],
        }
    }

    /// Whether anybody sends in a phase.
    pub fn sends(&self, phase: u32) -> bool {
        match self {
            Phases::Phased(phased) => phased.sends(phase),
            Phases::Listed(listed) => !listed[phase as usize].is_empty(),
            Phases::Single(_) => true,
        }
    }

    /// The number of phases, without those of a list in which nobody sends.
    pub fn used(&self) -> u32 {
        match self {
            Phases::Listed(listed) => listed.iter().filter(|sent| !sent.is_empty()).count() as u32,
            Phases::Phased(_) | Phases::Single(_) => self.count(),
        }
    }

    /// All phases, one after the other.
    pub fn each(&self) -> impl Iterator<Item = Vec<(Rank, Rank)>> + Send + use<> {
        let phases = self.clone();
        (0..self.count()).map(move |phase| phases.phase(phase))
    }
}

#[cfg(test)]
mod tests;
