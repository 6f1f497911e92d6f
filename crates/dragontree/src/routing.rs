//! The list of routings, and the contract between a routing and what follows its routes.
//!
//! A routing sees a [`Network`], never a topology. It decides once (up to four [`Waypoints`] on the
//! way), at injection or, if it is [`Adaptive`], at the source's switch, and is then asked at every
//! switch for the next [`Hop`]. To add a routing: write its file, declare it, list it.

use std::sync::Arc;

#[cfg(not(feature = "complete"))]
use crate::catalog::Elsewhere;
use crate::catalog::{Part, Problem};
use crate::network::{EndpointId, Needs, Network, Node, PortId, SwitchId};
use crate::random::Stream;
use crate::units::Bytes;

mod climb;
mod d_mod_k;
mod demand;
mod dfsssp;
mod dimension_order;
mod down_up;
mod dynamic_random;
mod found;
mod ftree;
pub mod greedy;
mod halves;
mod imported;
mod lash;
#[cfg(feature = "complete")]
mod management;
mod min_hop;
mod minimal;
mod oblivious;
pub mod pattern_specific;
mod refusal;
mod s_mod_k;
mod search;
mod sftree;
mod static_random;
mod steps;
mod tables;
mod ugal;
mod up_down;
mod valiant;

pub use d_mod_k::DModK;
pub use demand::{AtOnce, Demand, Sent, Together};
pub use dfsssp::Dfsssp;
pub use dimension_order::DimensionOrder;
pub use down_up::DownUp;
pub use dynamic_random::DynamicRandom;
pub use found::{AnyRoutes, NotFixed, Routes};
pub use ftree::{Ftree, Keepers, Variant};
pub use greedy::Greedy;
pub use halves::Halves;
pub use imported::{Import, Imported};
pub use lash::Lash;
#[cfg(feature = "complete")]
pub use management::{WithManagement, unreached_switches};
pub use min_hop::MinHop;
pub use minimal::Minimal;
pub use oblivious::{Oblivious, Sharing};
pub use pattern_specific::PatternSpecific;
pub use s_mod_k::SModK;
pub use search::Search;
pub use sftree::SFtree;
pub use static_random::StaticRandom;
pub use steps::{Code, Exit, Word};
use steps::{Steps, Writer};
pub use tables::{Layers, Tables};
pub use ugal::{Information, Scale, Ugal, Weighing};
pub use up_down::{RootMode, Roots, UpDown};
pub use valiant::{Valiant, Via, Within};

use refusal::Refusal;

/// An algorithm that finds routes.
pub trait Algorithm: Part {
    /// Finds the routes of a network; of an adaptive routing, those of an empty one.
    ///
    /// # Errors
    /// The network lacks the structure that the algorithm is defined on.
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs>;

    /// Finds the routes of a network for a run with this seed.
    ///
    /// # Errors
    /// Every problem with the network, with the settings on this network, and with the files that
    /// they name.
    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        self.routes(network).map_err(|needs| Refusal::from(needs).into())
    }

    /// The same of a routing of any kind: also what an adaptive one does under load.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    fn find_any(&self, network: &Arc<Network>, seed: u64) -> Result<AnyRoutes, Vec<Problem>> {
        self.find(network, seed).map(AnyRoutes::from)
    }

    /// The same, to be done a little at a time where it takes long.
    fn begin(&self, network: &Arc<Network>, seed: u64) -> Search {
        Search::over(self.find_any(network, seed))
    }

    /// Whether the routes are made for messages, which must be known to find them.
    fn needs_messages(&self) -> bool {
        false
    }

    /// Which messages it shares among the links, of a routing that [needs](Self::needs_messages) them.
    fn at_once(&self) -> AtOnce {
        AtOnce::Phase
    }

    /// The same for messages, of a routing that [needs](Self::needs_messages) them.
    fn begin_for(&self, network: &Arc<Network>, _demand: &Arc<dyn Demand>, seed: u64) -> Search {
        self.begin(network, seed)
    }

    /// Whether the routes are defined on a network, where that can be told without finding them.
    ///
    /// # Errors
    /// The network lacks the structure that the algorithm is defined on.
    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        self.routes(network).map(|_| ())
    }

    /// Whether the routes depend on what waits in the network.
    fn follows_load(&self) -> bool {
        false
    }

    /// Whether the routes depend on the run's seed.
    fn follows_seed(&self) -> bool {
        false
    }
}

crate::catalog! {
    /// Any routing.
    pub enum Routing: Algorithm {
        minimal::Minimal;
        later:
        valiant::Valiant,
        ugal::Ugal,
        d_mod_k::DModK,
        s_mod_k::SModK,
        static_random::StaticRandom,
        dynamic_random::DynamicRandom,
        pattern_specific::PatternSpecific,
        greedy::Greedy,
        dimension_order::DimensionOrder,
        min_hop::MinHop,
        up_down::UpDown,
        down_up::DownUp,
        ftree::Ftree,
        sftree::SFtree,
        lash::Lash,
        dfsssp::Dfsssp,
        imported::Imported,
    }
}

#[cfg(not(feature = "complete"))]
impl Algorithm for Elsewhere {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        let found = network.structure().name();
        Err(Needs { part: self.name(), structure: "the complete build", found })
    }
}

/// A source and a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Where the packet is injected.
    pub source: EndpointId,
    /// Where it is to be delivered.
    pub destination: EndpointId,
}

/// Up to four channels that a packet passes before it heads for its destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waypoints(pub [Option<PortId>; 4]);

impl<const N: usize> From<[Option<PortId>; N]> for Waypoints {
    fn from(first: [Option<PortId>; N]) -> Waypoints {
        let mut waypoints = Waypoints::default();
        waypoints.0[..N].copy_from_slice(&first);
        waypoints
    }
}

/// What a packet carries for its routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Where the packet is to be delivered.
    pub destination: EndpointId,
    /// Chosen at injection.
    pub waypoints: Waypoints,
    /// How far along its route the packet is; what it counts is the routing's own affair.
    pub stage: u8,
}

/// The next step of a packet: an output port and a virtual channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The output port.
    pub port: PortId,
    /// The virtual channel of the buffer at the other end.
    pub vc: u8,
}

/// There is no way on from a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no route from switch {} to endpoint {}", at.0, destination.0)]
pub struct Unroutable {
    /// Where the packet is.
    pub at: SwitchId,
    /// Where it should go.
    pub destination: EndpointId,
}

/// Bytes queued at a switch's outputs, as adaptive routings see them.
pub trait Queues {
    /// Bytes waiting for this output on all virtual channels: in its queue, the packet being sent
    /// included, or in front of it.
    fn queued(&self, port: PortId) -> Bytes;

    /// What the queue of an output holds at most.
    fn capacity(&self) -> Bytes;
}

/// Follows routes, packet by packet. No way leads over a virtual channel of a channel twice: a packet in
/// flits would wait there for its own end.
pub trait Route: Send + Sync {
    /// The number of virtual channels that the routes use.
    fn virtual_channels(&self) -> u8;

    /// Decides the waypoints of a packet: when it is injected, or at its source's switch where the
    /// routes are adaptive.
    fn inject(&self, pair: Pair, stream: &mut Stream, queues: &dyn Queues) -> Waypoints;

    /// The waypoints of the packets of a message of an exchange, by its label, where they are not
    /// those of every message between its ends, or tell its [outlet](Self::outlet).
    fn of_message(&self, _pair: Pair, _label: u64) -> Option<Waypoints> {
        None
    }

    /// The waypoints of the acknowledgement of a message, by the message's label, where they follow
    /// from that; `pair` are the acknowledgement's own ends.
    fn of_answer(&self, _pair: Pair, _label: u64) -> Option<Waypoints> {
        None
    }

    /// Whether the messages of an exchange leave endpoints by ports that the routes choose, and come in
    /// by any; else they do by the first.
    fn names_outlets(&self) -> bool {
        false
    }

    /// The port by which a packet with these waypoints leaves its source.
    fn outlet(&self, network: &Network, pair: Pair, _waypoints: Waypoints) -> Option<PortId> {
        network.injection(pair.source)
    }

    /// The stage that a packet's header starts with.
    fn first_stage(&self, _pair: Pair) -> u8 {
        0
    }

    /// The next step of a packet at a switch; moves the header's stage along.
    ///
    /// # Errors
    /// The destination cannot be reached from here.
    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable>;

    /// Adds the whole way of a pair from its source's switch, `from`, where nothing has to be chosen
    /// on it and it is known without asking at every switch; false, and nothing, where it is not.
    fn only_way(&self, _from: SwitchId, _pair: Pair, _way: &mut Vec<Exit>) -> bool {
        false
    }

    /// Reads a little of what is looked up on the way of a pair, so that it comes into the near caches
    /// before it is needed. What it returns means nothing, but has to be used.
    fn touch(&self, _pair: Pair) -> u32 {
        0
    }

    /// Draws the whole way of a packet as [`inject`](Self::inject) and [`next`](Self::next) would, in
    /// one word, where that takes less than asking at every switch and the longest way fits into a word
    /// of this code; elsewhere draws nothing.
    fn drawn_word(
        &self,
        _from: SwitchId,
        _pair: Pair,
        _stream: &mut Stream,
        _queues: &dyn Queues,
        _code: Code,
    ) -> Option<Word> {
        None
    }

    /// Decides the whole way of a packet at its source's switch, `from`: adds to `way` how it leaves
    /// each switch, as [`inject`](Self::inject) and [`next`](Self::next) say, and draws as much from
    /// the stream. A way to an endpoint ends with the port that leads to it; where there is no way
    /// on, it ends before.
    fn trace(
        &self,
        network: &Network,
        from: SwitchId,
        pair: Pair,
        stream: &mut Stream,
        queues: &dyn Queues,
        way: &mut Vec<Exit>,
    ) {
        if self.only_way(from, pair, way) {
            return;
        }
        let waypoints = self.inject(pair, stream, queues);
        self.follow(network, from, pair, waypoints, way);
    }

    /// Adds the way of a packet whose waypoints are decided, from its source's switch.
    fn follow(
        &self,
        network: &Network,
        from: SwitchId,
        pair: Pair,
        waypoints: Waypoints,
        way: &mut Vec<Exit>,
    ) {
        let stage = self.first_stage(pair);
        self.go_on(network, from, Header { destination: pair.destination, waypoints, stage }, way);
    }

    /// Adds what is left of the way of a packet at a switch.
    fn go_on(&self, network: &Network, mut at: SwitchId, mut header: Header, way: &mut Vec<Exit>) {
        for _ in 0..LONGEST_WAY {
            let Ok(Hop { port, vc }) = self.next(at, &mut header) else { return };
            way.push(Exit { number: port.0 - network.ports(Node::Switch(at)).start, vc });
            match network.neighbor(port) {
                Some(Node::Switch(next)) => at = next,
                Some(Node::Endpoint(_)) | None => return,
            }
        }
    }
}

/// Routes that depend on the load: what way a packet takes is decided when its head has come
/// through its source's switch to the outputs there.
pub trait Adaptive: Route {
    /// The routes that packets take while nothing waits.
    fn unloaded(&self) -> &Arc<Routes>;

    /// Whether deciding reads the queues of other switches, too.
    fn looks_far(&self) -> bool;

    /// What decides between the ways that [`forks`](Self::forks) finds, where it finds them in this code.
    fn weighing(&self, code: Code) -> Option<Weighing>;

    /// Adds for each of these packets the ways that [`drawn_word`](Route::drawn_word) decides between, where
    /// there is a [`weighing`](Self::weighing).
    fn forks(&self, asked: &[Asked], code: Code, forks: &mut Vec<Fork>);
}

/// A packet that asks for ways from its source's switch.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The switch.
    pub from: SwitchId,
    /// Where it goes.
    pub destination: EndpointId,
    /// What it draws from: [split](Stream::split) from its source's.
    pub draws: Stream,
}

/// Two ways of a packet from its source's switch: the minimal one, and an indirect one where there is any.
pub type Fork = [Word; 2];

/// The most switches on a way: more than any route passes that leads anywhere.
const LONGEST_WAY: u32 = 1 << 16;
