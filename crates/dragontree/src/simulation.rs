//! The packet simulator: virtual cut-through or wormhole switching with credits, in whole picoseconds.
//!
//! A packet's head crosses a link (latency), then a switch (traversal); its tail follows after
//! `bytes / bandwidth`. Input buffers are kept per port and virtual channel, in whole packets or
//! flits, with credits upstream. By default an output takes a packet when nobody older waits for the
//! same output and virtual channel, the next buffer has a credit, and its queue has room; otherwise
//! the packet waits in its input buffer without blocking others (virtual output queues, a crossbar
//! that is never the bottleneck). One virtual channel's output queue, flight and next buffer
//! share one budget of credits. A credit returns one link latency after the packet's last bit
//! has left the input buffer, which is read at the rate of the link that filled it. [`SwitchModel`]
//! has other switches, [`Model`] packets in flits.
//!
//! A `Simulation` has sources that send at an offered load; an `Exchanging` sends the messages of an
//! exchange, each once what it waits for has happened.

use std::sync::Arc;

mod arbitration;
mod control;
#[cfg(feature = "complete")]
mod course;
mod deadlock;
mod endpoint;
mod engine;
#[cfg(feature = "complete")]
mod exchanging;
mod fast;
#[cfg(feature = "complete")]
mod film;
#[cfg(feature = "complete")]
mod forecast;
mod injection;
mod management;
mod model;
#[cfg(feature = "complete")]
mod reference;
mod run;
mod snapshot;
mod statistics;
mod steady;
#[cfg(feature = "complete")]
mod tap;
mod verdict;

use engine::Engine;
use fast::Fast;
#[cfg(feature = "complete")]
use reference::Reference;
use run::Run;

pub use arbitration::{Arbitration, LANES, Weights};
#[cfg(feature = "complete")]
pub use course::{Course, LatencyBar, Moment};
#[cfg(feature = "complete")]
pub use exchanging::{ExchangeReport, ExchangeSetup, Exchanging};
#[cfg(feature = "complete")]
pub use film::{Film, Frame};
#[cfg(feature = "complete")]
pub use forecast::{Forecast, Prospect};
pub use injection::{Injection, Spacing, WaysFor};
pub use management::{Management, ManagementReport};
pub use model::{Model, SwitchModel};
#[cfg(feature = "complete")]
pub use tap::{Crossing, Crossings};

use crate::network::{EndpointId, Network, PortId, Structure};
use crate::routing::AnyRoutes;
use crate::traffic::Destinations;
use crate::units::{Bytes, Load, Time};

/// The part of a channel's time up to which the packets that wait for it are foreknown.
const FOREKNOWN: f64 = 0.9;
/// Room for so many times the packets that are expected: where there is too little, all of it has to be
/// moved to where there is more, and for that time, in a page for good, both take memory.
const MARGIN: f64 = 1.08;

/// Everything that a simulation depends on.
#[derive(Clone)]
pub struct Setup {
    /// The fabric.
    pub network: Arc<Network>,
    /// The routes on it.
    pub routes: AnyRoutes,
    /// The endpoint of each rank.
    pub placement: Arc<[EndpointId]>,
    /// Who sends to whom.
    pub destinations: Arc<Destinations>,
    /// Offered load, relative to each source's own link.
    pub load: Load,
    /// When sources send, and in what messages; without the feature `complete` in single packets.
    pub injection: Injection,
    /// What switches send besides; without the feature `complete` nothing.
    pub management: Option<Management>,
    /// Size of every packet, or of the longest where their lengths vary.
    pub packet: Bytes,
    /// How switches are built and how packets pass them.
    pub model: Model,
    /// Time through a switch.
    pub switch_latency: Time,
    /// Time through an adapter, at either end.
    pub adapter_latency: Time,
    /// Input buffer per virtual channel; holds at least a packet, or a flit of it.
    pub buffer: Bytes,
    /// Output queue per port; holds at least a packet, or a flit of it.
    pub output_buffer: Bytes,
    /// Virtual channels; higher ones that a route asks for are merged into the last.
    pub virtual_channels: u8,
    /// Time before the measuring window; found from the results without one.
    pub warmup: Option<Time>,
    /// Length of the measuring window; until the precision is reached without one.
    pub window: Option<Time>,
    /// The load at which the first channel fills, where it is known; a run at a higher one is saturated.
    pub bound: Option<f64>,
    /// Relative half-width of the 95 % interval of the throughput at which to stop.
    pub precision: Load,
    /// The run's seed.
    pub seed: u64,
}

impl Setup {
    /// What buffers take whole: a flit in wormhole switching, else a packet.
    pub fn unit(&self) -> Bytes {
        self.model.unit(self.packet)
    }

    /// For how many picoseconds a packet is under way that crosses so many switches and waits for so
    /// many others.
    fn way(&self, hops: f64, waits: f64) -> f64 {
        let (mut count, mut latency, mut time) = (0.0_f64, 0.0, 0.0);
        for (_, channel) in self.network.channels() {
            count += 1.0;
            latency += channel.latency.as_ps() as f64;
            time += channel.serialization(self.packet).as_ps() as f64;
        }
        ((hops + 1.0) * latency + (1.0 + waits) * time) / count.max(1.0)
            + hops * self.switch_latency.as_ps() as f64
            + 2.0 * self.adapter_latency.as_ps() as f64
    }

    /// The length in bytes of the shortest packet, where lengths vary.
    #[cfg(feature = "complete")]
    pub(crate) fn shortest(&self) -> Option<u64> {
        let shortest = self.injection.shortest.filter(|shortest| *shortest < self.packet);
        shortest.map(|shortest| shortest.0)
    }

    /// Whether it takes the plain engine: the fast one knows the default switch and packets of one
    /// length, whole or in flits, of which credits and queues count whole ones.
    #[cfg(feature = "complete")]
    pub(crate) fn is_plain(&self) -> bool {
        !self.model.is_default_switch() || self.shortest().is_some()
    }
}

/// How far a simulation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// It goes on.
    Running {
        /// Simulated time.
        now: Time,
        /// A guess of how much of the run is done, from 0 to 1.
        share: f64,
    },
    /// It has ended; the report is final.
    Done,
}

/// What a simulation measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Bits that the sources send to other endpoints, over the same as `accepted`.
    pub offered: f64,
    /// Bits ejected in the window over the window's length, all endpoints and their link rate.
    pub accepted: f64,
    /// Half-width of the 95 % interval of `accepted`; none with too few batches, where nothing
    /// arrived, and after a deadlock.
    pub accepted_interval: Option<f64>,
    /// Whether the load is above the bound, or accepted falls short of offered while source queues grow; of a
    /// run that deadlocks only the former.
    pub saturated: bool,
    /// Whether the run ended because it reached its precision, or a window of given length in which the
    /// network no longer filled, and which knows what is accepted to 10 %; with packets that arrived.
    pub settled: bool,
    /// Latency of packets generated in the window.
    pub latency: LatencyReport,
    /// Half-width of the 95 % interval of the mean latency, in nanoseconds; none with too few
    /// batches or where there is no latency.
    pub latency_interval_ns: Option<f64>,
    /// Jain's fairness index of the sources' rates; none where nothing arrived.
    pub fairness: Option<f64>,
    /// The smallest rate of any source.
    pub worst_source: f64,
    /// By how much the source that is the furthest behind lacks what it is to send in the window, in
    /// standard deviations of that, or packets where these are more.
    pub lacking: f64,
    /// The standard deviation of what all sources send by chance in the window, over the same as `accepted`.
    pub chance: f64,
    /// Mean number of switches crossed.
    pub hops_mean: f64,
    /// Switches crossed by all packets together.
    pub packet_hops: u64,
    /// The largest share of the window that a channel between switches was busy.
    pub max_utilization: f64,
    /// For each port, the share of the window that its channel was busy; those of management left out.
    pub utilization: Vec<f64>,
    /// Packets delivered in the window; where lengths vary, as many of the longest as were their bytes.
    pub packets: u64,
    /// Start of the window.
    pub warmup: Time,
    /// Length of the window.
    pub window: Time,
    /// What was measured of the switches' traffic, where they have any.
    pub management: Option<ManagementReport>,
    /// The packets that wait for each other, each for what the next one holds.
    pub deadlock: Option<Vec<Waiting>>,
    /// What went over a channel that was [tapped](Simulation::tap).
    #[cfg(feature = "complete")]
    pub crossings: Option<Crossings>,
    /// FNV-1a over the run's integers.
    pub digest: u64,
}

/// The buffer at the end of a channel, for one virtual channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Buffer {
    /// The channel that leads into it.
    pub channel: PortId,
    /// The virtual channel.
    pub vc: u8,
}

/// A packet that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its source.
    pub source: EndpointId,
    /// Its number among the packets of its source.
    pub number: u32,
    /// Where it is to be delivered.
    pub destination: EndpointId,
    /// The buffer that it is in.
    pub holds: Buffer,
    /// The buffer that it must have room in to go on.
    pub needs: Buffer,
    /// Since when nothing has been sent where it waits.
    pub since: Time,
}

/// Latencies from generation to delivery of the last bit; none where unbounded or unmeasured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LatencyReport {
    /// Mean, in nanoseconds.
    pub mean_ns: Option<f64>,
    /// Median.
    pub median: Option<Time>,
    /// 99th percentile.
    pub p99: Option<Time>,
    /// Largest.
    pub max: Option<Time>,
}

/// A run in progress: advance it until it is done, then ask for its report.
pub struct Simulation(Chosen);

/// A run by the engine that suits its model.
enum Chosen {
    Fast(Box<Run<Fast>>),
    #[cfg(feature = "complete")]
    Plain(Box<Run<Reference>>),
}

/// Asks whichever engine it is.
macro_rules! ask {
    ($chosen:expr, $run:ident => $answer:expr) => {
        match $chosen {
            Chosen::Fast($run) => $answer,
            #[cfg(feature = "complete")]
            Chosen::Plain($run) => $answer,
        }
    };
}

impl Simulation {
    /// Sets up a run at time zero, with an empty network. Without the feature `complete` it knows the
    /// default model only.
    pub fn new(setup: Setup) -> Simulation {
        debug_assert!(setup.model.is_held());
        #[cfg(feature = "complete")]
        if setup.is_plain() {
            return Simulation::plain(setup);
        }
        Simulation(Chosen::Fast(Box::new(Run::new(setup))))
    }

    /// The same run by a plain engine that has one event per thing that happens: slow, but easy to
    /// check. Its report is that of [`new`](Self::new), bit by bit.
    #[cfg(feature = "complete")]
    pub fn plain(setup: Setup) -> Simulation {
        Simulation(Chosen::Plain(Box::new(Run::new(setup))))
    }

    /// Makes room for what will be under way if packets cross so many switches and the load is such a
    /// share of that at which the first channel fills: at each switch they wait as for a server that
    /// takes the same time for each (M/D/1), in a tree on the way up and where they turn, as those for one
    /// place have met by then. What grows little by little leaves holes in the memory of a page.
    pub fn make_room(&mut self, hops: f64, fullness: f64) {
        match &mut self.0 {
            Chosen::Fast(run) => {
                let setup = &run.engine.base().setup;
                let fullness = fullness.min(FOREKNOWN);
                let at_each = fullness / (2.0 * (1.0 - fullness));
                let waits = match setup.network.structure() {
                    Structure::Tree(_) => (hops + 1.0) / 2.0 * at_each,
                    _ => hops * at_each,
                };
                // A window's packets are kept from its beginning to its end.
                let way = setup.way(hops, waits) + run.engine.window() as f64;
                let packets = MARGIN * run.control.offered_rate() * way;
                run.engine.make_room(packets as usize);
            }
            #[cfg(feature = "complete")]
            Chosen::Plain(_) => {}
        }
    }

    /// Goes on for about `budget` events.
    pub fn advance(&mut self, budget: u64) -> Progress {
        ask!(&mut self.0, run => {
            run.advance(budget, u64::MAX);
            run.progress()
        })
    }

    /// Goes on for about `budget` events with a run that is done, to see what goes over a channel that
    /// follows from its report: until 1,000 packets have, or as much time has passed again as was
    /// measured. The [report](Self::report) stays as it is, and tells of the packets at the end; counts
    /// of events and the [course](Self::course) go on. Whether there is more to do.
    #[cfg(feature = "complete")]
    pub fn tap(&mut self, channel: impl FnOnce(&Report) -> Option<PortId>, budget: u64) -> bool {
        ask!(&mut self.0, run => run.tap(channel, budget))
    }

    /// What was measured; final once the run is done.
    pub fn report(&self) -> Report {
        ask!(&self.0, run => run.report())
    }

    /// How the run has gone so far.
    #[cfg(feature = "complete")]
    pub fn course(&self) -> Course {
        ask!(&self.0, run => run.control.course(&run.engine))
    }

    /// How many events have been served.
    pub fn events(&self) -> u64 {
        ask!(&self.0, run => run.engine.base().events)
    }

    /// How many switches packets have crossed.
    pub fn packet_hops(&self) -> u64 {
        ask!(&self.0, run => run.engine.base().statistics.packet_hops)
    }

    /// How many packets endpoints and switches have sent into the network.
    pub fn packets_sent(&self) -> u64 {
        let sources = ask!(&self.0, run => &run.engine.base().sources);
        sources.iter().flatten().map(|source| u64::from(source.sent)).sum()
    }

    /// About how much memory the run's state takes, apart from what it was set up with.
    pub fn memory(&self) -> Bytes {
        ask!(&self.0, run => run.engine.memory())
    }
}

#[cfg(test)]
mod tests;
