//! Contention of a phased pattern: how many flows share a channel, stage by stage, before anything
//! is simulated (Zahavi 2009, §4.1; Prisacari 2020, §2.5.2).
//!
//! In a stage every participant sends to at most one other. The contention of a stage is the
//! largest number of its flows on one directed channel between switches; a pattern's *worst* and
//! *mean* are those over its stages. Channels of endpoints are left out: in a permutation they
//! carry one flow.
//!
//! Participants stand in **slots**, in an order ([`Order`](crate::placement::Order)); an empty slot is a *place keeper*:
//! it counts as a place of the pattern, and flows from and to it are dropped.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::network::{Network, PortId};
use crate::routing::{Demand, Routes, Sharing};
use crate::units::Rank;

mod levels;
mod loads;
mod shifts;
mod tally;
mod walk;
mod ways;

pub(super) use levels::switch_levels;
pub use levels::{Direction, Levels};

use shifts::Shifts;
use tally::Tally;
use walk::{Flow, Walk};

/// The contention of a phased pattern. Numbers of flows are whole where every pair has one path;
/// where it has several, they are the expected ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contention {
    /// How many stages there are.
    pub stages: u32,
    /// The largest number of flows on one channel in any stage; 0 when none is used.
    pub worst: f64,
    /// The mean over the stages of the largest number of flows on one channel.
    pub mean: f64,
    /// The same mean where a stage that uses no channel between switches counts as 1, as
    /// in descriptions of OpenSM's results.
    pub mean_at_least_one: f64,
    /// For each stage the largest number of flows on one channel.
    pub per_stage: Vec<f64>,
    /// The same for each kind of channel.
    pub per_level: Vec<LevelContention>,
    /// How many channels have carried how many flows at most in one stage.
    pub histogram: Vec<Bar>,
    /// Flows that were dropped because they have no route.
    pub unrouted: u64,
    /// For each port, the largest number of flows on its channel in any stage; 0 for channels
    /// that are not between switches.
    #[serde(skip)]
    pub per_channel: Vec<f64>,
}

/// The contention of channels of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelContention {
    /// What the channels join.
    pub level: String,
    /// Whether they lead up or down, where that is known.
    pub direction: Option<Direction>,
    /// How many there are.
    pub channels: u32,
    /// The largest number of flows on one of them in any stage.
    pub worst: f64,
    /// The mean over the stages of the largest number of flows on one of them.
    pub mean: f64,
    /// The largest number of flows that all of them carry together in any stage.
    pub flows: f64,
    /// For each stage the largest number of flows on one of them.
    #[serde(skip)]
    pub per_stage: Vec<f64>,
    /// For each stage the number of flows that all of them carry together (Prisacari 2020,
    /// Fig. 2.4, for the channels into the roots).
    #[serde(skip)]
    pub flows_per_stage: Vec<f64>,
}

/// A bar of the histogram of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bar {
    /// Flows at most in one stage; expected numbers are rounded up.
    pub flows: u32,
    /// How many channels carry so many.
    pub channels: u32,
}

/// Computes [`Contention`], a little at a time.
pub struct Contending {
    way: Way,
    /// How it is done where it turns out that pairs have several ways, or their slots are scattered.
    otherwise: Option<Box<Pairwise>>,
    ways: u64,
}

/// Shifts that are to be gone through pair by pair.
struct Pairwise {
    network: Arc<Network>,
    routes: Arc<Routes>,
    levels: Levels,
    slots: Vec<Option<PortId>>,
}

impl Pairwise {
    fn begin(self) -> Contending {
        let Pairwise { network, routes, levels, slots } = self;
        let count = slots.len() as u32;
        let phase = move |by: u32| {
            let shifted = |slot: u32| (u64::from(slot) + u64::from(by)) % u64::from(count);
            (0..count).map(|slot| (Rank(slot), Rank(shifted(slot) as u32))).collect()
        };
        let phases = (1..count).map(phase);
        let contending = Contending::phases(&network, &routes, levels, &slots, phases);
        let pairs = u64::from(count) * u64::from(count.saturating_sub(1));
        let ways = pairs.saturating_mul(routes.oblivious().ways_per_pair());
        Contending { ways, ..contending }
    }
}

enum Way {
    Shifts(Box<Shifts>),
    Walk(Box<Walk>),
}

impl Contending {
    /// The shifts by 1 to N − 1 over N slots, which together are an all-to-all (Zahavi 2009, §1).
    ///
    /// With forwarding tables this takes about `N · switches + N · channels` steps, and not much
    /// more where destinations on one switch share the ways of a source, or all pairs between two
    /// switches one way; pairs are walked one by one only where routes are neither. Those take the
    /// endpoint's first port, whatever the slot's.
    pub fn shifts(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        levels: Levels,
        slots: &[Option<PortId>],
    ) -> Contending {
        let oblivious = routes.oblivious();
        let walk = || {
            let (network, routes) = (network.clone(), routes.clone());
            Pairwise { network, routes, levels: levels.clone(), slots: slots.to_vec() }
        };
        let shifts = match (oblivious.lfts(), oblivious.sharing()) {
            (Some(lfts), _) => Shifts::by_tables(network, lfts, levels, slots),
            (None, Sharing::Destinations) => Shifts::by_sources(network, routes, levels, slots),
            (None, Sharing::Switches) => {
                let shared = Shifts::by_switches(network, routes, levels.clone(), slots);
                let Some(shifts) = shared else { return walk().begin() };
                let way = Way::Shifts(Box::new(shifts));
                return Contending { way, otherwise: Some(Box::new(walk())), ways: 0 };
            }
            (None, _) => return walk().begin(),
        };
        Contending { way: Way::Shifts(Box::new(shifts)), otherwise: None, ways: 0 }
    }

    /// Any phases: for each of them the slots between which messages are sent. Pairs that share their
    /// ways are walked once.
    pub fn phases(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        levels: Levels,
        slots: &[Option<PortId>],
        phases: impl Iterator<Item = Vec<(Rank, Rank)>> + Send + 'static,
    ) -> Contending {
        let between = |(from, to)| Flow::Between(from, to);
        let phases = phases.map(move |phase| phase.into_iter().map(between).collect());
        let walk = Walk::new(network, routes, levels, slots, Box::new(phases));
        Contending { way: Way::Walk(Box::new(walk)), otherwise: None, ways: 0 }
    }

    /// These phases of messages that have ways of their own
    /// ([`of_message`](crate::routing::Route::of_message)): two between the same endpoints may go
    /// different ways.
    pub fn messages(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        levels: Levels,
        demand: Arc<dyn Demand>,
        phases: Vec<u32>,
    ) -> Contending {
        let sent = move |phase| match phase < demand.phases() {
            true => demand.sent(phase).into_iter().map(Flow::Sent).collect(),
            false => Vec::new(),
        };
        let phases = Box::new(phases.into_iter().map(sent));
        let walk = Walk::new(network, routes, levels, &[], phases);
        Contending { way: Way::Walk(Box::new(walk)), otherwise: None, ways: 0 }
    }

    /// The same, where the phases are known to have so many messages.
    #[cfg(feature = "complete")]
    pub(crate) fn of(self, messages: u64) -> Contending {
        Contending { ways: messages, ..self }
    }

    /// About how many ways of the pairs of shifts are gone through one by one, or how many messages;
    /// none where pairs of shifts share what is gone through. Where it turns out that they do not, it
    /// rises when that is found.
    pub fn ways(&self) -> u64 {
        self.ways
    }

    /// A guess of the share of the work that is done.
    pub fn share(&self) -> f64 {
        match &self.way {
            Way::Shifts(shifts) => shifts.share(),
            Way::Walk(walk) => walk.share(),
        }
    }

    /// Goes on for about `budget` steps, which take some nanoseconds each with tables and some
    /// hundred for a pair that is walked; the result when all is done.
    pub fn advance(&mut self, budget: u64) -> Option<Contention> {
        let tally = match &mut self.way {
            Way::Shifts(shifts) => shifts.advance(budget),
            Way::Walk(walk) => walk.advance(budget),
        };
        if matches!(&self.way, Way::Shifts(shifts) if shifts.has_given_up())
            && let Some(otherwise) = self.otherwise.take()
        {
            *self = otherwise.begin();
            return None;
        }
        tally.map(Contention::new)
    }

    /// The whole of it at once.
    pub fn finish(mut self) -> Contention {
        loop {
            if let Some(contention) = self.advance(u64::MAX) {
                return contention;
            }
        }
    }
}

impl Contention {
    fn new(tally: Tally) -> Contention {
        let Tally { stages, levels, most, flows, per_channel, unrouted } = tally;
        let mut per_stage = vec![0.0; stages];
        for most in &most {
            for (stage, flows) in per_stage.iter_mut().zip(most) {
                *stage = f64::max(*stage, *flows);
            }
        }
        let per_level = levels.kinds().iter().zip(most).zip(flows);
        let per_level = per_level.map(|((kind, per_stage), flows_per_stage)| LevelContention {
            level: kind.name.clone(),
            direction: kind.direction,
            channels: kind.channels,
            worst: largest(&per_stage),
            mean: mean(&per_stage),
            flows: largest(&flows_per_stage),
            per_stage,
            flows_per_stage,
        });
        let at_least_one: Vec<f64> = per_stage.iter().map(|flows| flows.max(1.0)).collect();
        Contention {
            stages: stages as u32,
            worst: largest(&per_stage),
            mean: mean(&per_stage),
            mean_at_least_one: mean(&at_least_one),
            per_level: per_level.collect(),
            histogram: histogram(&levels, &per_channel),
            per_stage,
            unrouted,
            per_channel,
        }
    }
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(0.0, f64::max)
}

fn mean(numbers: &[f64]) -> f64 {
    // A sum of nothing would be -0.
    numbers.iter().fold(0.0, |sum, number| sum + number) / numbers.len().max(1) as f64
}

fn histogram(levels: &Levels, per_channel: &[f64]) -> Vec<Bar> {
    let mut bars: BTreeMap<u32, u32> = BTreeMap::new();
    for (port, flows) in per_channel.iter().enumerate() {
        if levels.of(PortId(port as u32)).is_some() {
            *bars.entry(flows.ceil() as u32).or_default() += 1;
        }
    }
    bars.into_iter().map(|(flows, channels)| Bar { flows, channels }).collect()
}
