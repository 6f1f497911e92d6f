//! What an engine is to those that watch a run, and what every engine has.
//!
//! Two engines move the packets: [`Fast`](super::fast::Fast), and a plain one in `reference` that
//! it is compared with and that runs the models that the fast one does not know. When to measure,
//! what, and when to stop is decided outside of them.

use std::ops::RangeInclusive;

use crate::traffic::Residents;
use crate::units::Time;

use super::endpoint::{self, Gap, Law, Source};
#[cfg(feature = "complete")]
use super::statistics::Part;
use super::statistics::{Delivery, Statistics};
#[cfg(feature = "complete")]
use super::tap::Tap;
use super::{Buffer, Setup, Waiting};

/// What an engine did when it was asked to go on until some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Served {
    /// It served so many events before that time; there may be more.
    Events(u64),
    /// Whatever comes next comes at that time or later.
    All,
    /// Nothing will ever happen again.
    Last,
}

/// The state of the buffer behind a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Whether the channel's sender may send a packet into it.
    pub(super) open: bool,
    /// Packets in it, on their way to it, or just gone from it.
    pub(super) occupied: u32,
}

/// What every engine has. Times in picoseconds.
pub(super) struct Base {
    pub(super) setup: Setup,
    pub(super) now: u64,
    /// The sources, by endpoint; none where an endpoint is silent.
    pub(super) sources: Vec<Option<Source>>,
    pub(super) gap: Gap,
    /// The ranks of each endpoint, where some have several.
    pub(super) residents: Residents,
    pub(super) statistics: Statistics,
    /// The same of the switches' packets, where they send any.
    pub(super) management: Option<Box<Statistics>>,
    /// How many events have been served.
    pub(super) events: u64,
    /// A channel that is tapped.
    #[cfg(feature = "complete")]
    pub(super) tap: Option<Box<Tap>>,
}

impl Base {
    pub(super) fn new(setup: Setup, statistics: Statistics) -> Base {
        let gap = Gap::new(&setup);
        let residents = Residents::new(setup.network.endpoint_count(), &setup.placement);
        let sources = endpoint::sources(Law { setup: &setup, residents: &residents, gap: &gap });
        let management = setup.management().map(|_| Box::new(statistics.alike()));
        Base {
            setup,
            now: 0,
            sources,
            gap,
            residents,
            statistics,
            management,
            events: 0,
            #[cfg(feature = "complete")]
            tap: None,
        }
    }

    /// The sources that are no switches.
    fn endpoints(&self) -> impl Iterator<Item = &Option<Source>> {
        self.sources.iter().take(self.setup.endpoint_count() as usize)
    }

    /// Counts a delivery.
    pub(super) fn deliver(&mut self, now: u64, delivery: &Delivery) {
        match &mut self.management {
            Some(management)
                if cfg!(feature = "complete") && delivery.source >= self.setup.endpoint_count() =>
            {
                management.deliver(now, delivery);
            }
            _ => self.statistics.deliver(now, delivery),
        }
    }

    /// Counts deliveries in a range of times.
    #[inline(always)]
    pub(super) fn deliver_all(
        &mut self,
        times: RangeInclusive<u64>,
        deliveries: impl Iterator<Item = (u64, Delivery)> + Clone,
    ) {
        match self.management {
            Some(_) if cfg!(feature = "complete") => {
                deliveries.for_each(|(now, delivery)| self.deliver(now, &delivery));
            }
            _ => self.statistics.deliver_all(times, deliveries),
        }
    }

    /// Counts a delivery of a packet where the lengths of those of endpoints vary, as many bytes of a
    /// message of so many, in units of the longest.
    #[cfg(feature = "complete")]
    pub(super) fn deliver_bytes(&mut self, now: u64, delivery: &Delivery, bytes: Part) {
        match delivery.source >= self.setup.endpoint_count() {
            true => self.deliver(now, delivery),
            false => self.statistics.deliver_bytes(now, delivery, bytes),
        }
    }

    /// Packets delivered so far, of endpoints and switches together.
    #[cfg(debug_assertions)]
    pub(super) fn delivered(&self) -> u64 {
        let of_switches = self.management.as_ref().map_or(0, |counts| counts.delivered);
        self.statistics.delivered + of_switches
    }

    /// How long the longest-waiting packet at the head of any endpoint's queue has waited.
    pub(super) fn oldest_at_sources(&self) -> u64 {
        let sources = self.endpoints().flatten();
        sources.map(|source| self.now.saturating_sub(source.next_birth)).max().unwrap_or(0)
    }

    /// About how many packets wait at the endpoints: as many as the time behind them makes likely.
    pub(super) fn at_sources(&self) -> u64 {
        let load = u64::from(self.setup.load.as_ppm());
        let sources = self.endpoints().flatten();
        let queued = sources.map(|source| {
            let slots = self.now.saturating_sub(source.next_birth).div_ceil(source.slot);
            source.leaving(slots * load)
        });
        queued.sum::<u64>() / 1_000_000
    }
}

/// Moves packets from their sources to their destinations.
pub(super) trait Engine {
    /// An empty network at time zero.
    fn new(setup: Setup, statistics: Statistics) -> Self;

    fn base(&self) -> &Base;

    fn base_mut(&mut self) -> &mut Base;

    /// Serves some of the events before this time. Everything delivered before this time is counted
    /// by the time that all are served.
    fn step(&mut self, until: u64) -> Served;

    /// Packets that have been injected and not delivered.
    fn in_network(&self) -> u64;

    /// Whether a packet in the network was generated before this time.
    fn holds_older_than(&self, time: u64) -> bool;

    /// For each channel, how long it has been busy until now; what is queued comes later.
    fn busy(&self, now: u64) -> impl Iterator<Item = u64>;

    /// For each channel, when it has sent everything that it was given; 0 where that is nothing.
    #[cfg(feature = "complete")]
    fn free_from(&self) -> impl Iterator<Item = u64>;

    /// The packets that wait for an output's virtual channel that has taken none since before this
    /// time; those that can go on sooner or later may be left out.
    fn stuck_since(&self, time: u64) -> Vec<Waiting>;

    /// The buffer behind a channel.
    fn room(&self, buffer: Buffer) -> Room;

    /// About how many packets have been generated but not delivered.
    fn backlog(&self) -> u64 {
        self.in_network() + self.base().at_sources()
    }

    /// Whether a packet generated before this time is still waiting or under way; the queues of so many
    /// sources are looked at.
    fn has_older_than(&self, time: u64, sources: usize) -> bool {
        self.base().sources.iter().take(sources).flatten().any(|source| source.next_birth < time)
            || self.holds_older_than(time)
    }
}

/// How an output behaves, apart from what is queued. Times in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timing {
    /// Time of a packet on the channel, or of a flit in wormhole switching.
    pub(super) serialization: u64,
    pub(super) latency: u64,
    /// How much work the output queue holds at most, the packet being sent included; 0 where there is
    /// none, and an output takes the next packet when the last has gone.
    pub(super) queue_limit: u64,
}

impl Timing {
    /// The timing of a port's channel; of no length where the port has no cable.
    pub(super) fn of(setup: &Setup, port: crate::network::PortId) -> Timing {
        let channel = setup.network.channel(port);
        let serialization = channel.map_or(Time::ZERO, |each| each.serialization(setup.unit()));
        let packets = setup.output_buffer.0 / setup.unit().0;
        Timing {
            serialization: serialization.as_ps(),
            latency: channel.map_or(0, |channel| channel.latency.as_ps()),
            queue_limit: serialization.as_ps().saturating_mul(packets),
        }
    }
}

/// Packets, or flits, that the buffer behind a channel takes when empty, per virtual channel.
pub(super) fn capacity(setup: &Setup) -> u32 {
    u32::try_from(setup.buffer.0 / setup.unit().0).unwrap_or(u32::MAX).min(i32::MAX as u32)
}
