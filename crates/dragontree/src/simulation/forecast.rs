//! What a run will take, guessed before it begins: simulated time, packets, memory.

use super::Setup;
use super::control::Control;
use super::fast::Fast;
use super::reference::Reference;
use crate::network::{Node, PortId};
use crate::units::{Bytes, Time};

/// What is known of a run's traffic before it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// The share of what is offered that will be accepted.
    pub accepted: f64,
    /// Whether the sources will fall behind.
    pub saturated: bool,
    /// Whether packets leave the ways that they begin with only once these have filled.
    pub detours: bool,
    /// The offered load as a share of that at which the busiest channel fills.
    pub fullness: f64,
    /// Whether packets of different flows meet at random everywhere.
    pub mixes: bool,
    /// Whether they do so at the busiest channel, so that its queue grows near the bound.
    pub queues: bool,
    /// Whether each source sends to few, in several ways, so that buffers fill unevenly and late.
    pub scatters: bool,
    /// Mean number of switches on the way of the packets that are accepted.
    pub hops: f64,
}

/// The share of the room between switches that is taken in saturation: where flows meet everywhere,
/// where each has its own way, and where packets leave the ways that have filled.
const HELD: (f64, f64, f64) = (0.25, 0.09, 0.12);

/// What a run will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Simulated time.
    pub time: Time,
    /// Packets that will be delivered.
    pub packets: f64,
    /// The engine's memory when it holds most, as [`Simulation::memory`](super::Simulation::memory)
    /// counts it.
    pub memory: Bytes,
}

impl Setup {
    /// What the run will take.
    pub fn forecast(&self, prospect: &Prospect) -> Forecast {
        let control = Control::new(self);
        let time = control.forecast(self, prospect);
        let rate = control.offered_rate();
        let of_switches = self.offered_by_switches();
        let moving = of_switches * self.way(prospect.hops, prospect.hops).min(time);
        let under_way = self.under_way(prospect, rate, time) + moving;
        let pieces = self.pieces();
        let memory = match self.is_plain() {
            false => Fast::forecast(self, under_way),
            true => Reference::forecast(self, under_way * pieces),
        };
        Forecast {
            time: Time::ps(time.min(1e18) as u64),
            packets: (rate * prospect.accepted * pieces + of_switches) * time,
            memory: Bytes(memory.min(1e18) as u64),
        }
    }

    /// How many packets are sent for each of the longest: one, or where lengths vary what is to be
    /// expected of a message.
    fn pieces(&self) -> f64 {
        let together = self.injection.together();
        self.shortest().map_or(1.0, |shortest| pieces(shortest, self.packet.0, together))
    }

    /// Packets that the buffers and output queues of all channels between switches take together.
    pub(super) fn room_between_switches(&self) -> f64 {
        let network = &self.network;
        let between = |port: &PortId| {
            let ends = [Some(network.owner(*port)), network.neighbor(*port)];
            ends.iter().all(|end| matches!(end, Some(Node::Switch(_))))
        };
        let channels = network.channels().filter(|(port, _)| between(port)).count() as f64;
        let buffers = self.buffer.0.saturating_mul(u64::from(self.virtual_channels));
        let room = (buffers as f64 + self.output_buffer.0 as f64) / self.packet.0 as f64;
        channels * room
    }

    /// The most packets that are in the network at once. `rate` is what sources offer, in packets
    /// per picosecond.
    fn under_way(&self, prospect: &Prospect, rate: f64, time: f64) -> f64 {
        let moving = rate * prospect.accepted * self.way(prospect.hops, prospect.hops).min(time);
        if prospect.saturated {
            let entering = rate * (1.0 - prospect.accepted) * time;
            let (met, apart, detours) = HELD;
            let held = match prospect {
                Prospect { detours: true, .. } => detours,
                Prospect { mixes: true, .. } => met,
                _ => apart,
            };
            return moving + entering.min(held * self.room_between_switches());
        }
        moving * if prospect.mixes { 1.0 + prospect.fullness * prospect.fullness } else { 1.0 }
    }
}

/// Of how many of the longest packets it is counted step by step into how many they are cut.
const COUNTED: u32 = 8;
/// Steps to a longest packet, at most.
const STEPS: u64 = 4096;

/// How many packets of random lengths are expected for each of the longest, of which so many are a
/// message. What is left of it decides how many more there will be, and every next length is equally
/// likely; of a long message all but the end is cut at the mean length.
fn pieces(shortest: u64, longest: u64, together: u32) -> f64 {
    let step = longest.div_ceil(STEPS).max(1);
    let [shortest, longest] = [shortest, longest].map(|bytes| (bytes / step).max(1) as usize);
    let lengths = (longest + 1 - shortest) as f64;
    let counted = longest * together.min(COUNTED) as usize;
    // The expected packets of everything up to so long, added up.
    let mut sums = vec![0.0; counted + 1];
    let mut last = 0.0;
    for left in 1..=counted {
        let most = left.checked_sub(shortest).map_or(0.0, |rest| sums[rest]);
        let least = left.checked_sub(longest + 1).map_or(0.0, |rest| sums[rest]);
        last = 1.0 + (most - least) / lengths;
        sums[left] = sums[left - 1] + last;
    }
    let mean = (shortest + longest) as f64 / 2.0;
    let beyond = longest as f64 * f64::from(together.saturating_sub(COUNTED)) / mean;
    (last + beyond) / f64::from(together.max(1))
}
