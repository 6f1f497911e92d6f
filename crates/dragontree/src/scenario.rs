//! One point of an experiment, the studies that vary it, and what is built from it.
//!
//! ```text
//! text ──parse──▶ Study ──jobs──▶ Scenario × N ──build──▶ Experiment ──▶ Record
//!      ◀──print──
//! ```

use crate::catalog::{
    Description, Form, Menu, PartDescription, Problem, Settings, Tier, describe, read_setting,
};
use crate::exchange::{self, Exchange};
use crate::faults::{self, Faults};
use crate::network::{Links, PerClass};
use crate::placement::{self, Placement};
use crate::routing::{self, Routing};
use crate::simulation::{Injection, SwitchModel};
use crate::topology::{self, Topology};
use crate::traffic::{self, Traffic};
use crate::units::{Bandwidth, Bytes, Load, Time};

mod arbitration;
mod axis;
mod building;
#[cfg(feature = "complete")]
mod certificates;
#[cfg(feature = "complete")]
mod compared;
mod csv;
#[cfg(feature = "complete")]
mod demand;
mod derived;
mod entry;
#[cfg(feature = "complete")]
mod estimate;
#[cfg(feature = "complete")]
mod exchanging;
mod experiment;
mod files;
mod job;
mod management;
#[cfg(feature = "complete")]
mod measured;
#[cfg(feature = "complete")]
mod message_ways;
mod metric;
#[cfg(feature = "complete")]
mod modelled;
mod notation;
#[cfg(feature = "complete")]
mod optimized;
mod placing;
mod plan;
mod record;
#[cfg(feature = "complete")]
mod reordered;
#[cfg(feature = "complete")]
mod route_files;
mod route_search;
mod route_survey;
mod running;
#[cfg(feature = "complete")]
mod saturating;
mod saturation;
mod settings;
mod short_buffer;
mod simulated;
mod study;
mod values;
mod waiting;

pub use arbitration::{Arbitration, ArbitrationKind};
pub use building::Building;
#[cfg(feature = "complete")]
pub use certificates::{Certificates, Certifying, LevelRow, PhaseCertificate, Witness};
#[cfg(feature = "complete")]
pub use compared::{Compared, ComparedLevel, ComparedRow, ComparingRoutings};
pub use csv::csv;
pub use entry::Entry;
#[cfg(feature = "complete")]
pub use estimate::{Estimate, InWords, MEASURING_RUN};
#[cfg(feature = "complete")]
pub use exchanging::Exchanging;
pub use experiment::{Analysis, Experiment, Limit};
#[cfg(feature = "complete")]
pub use files::{PARTS_OF_FILES, part_of_file};
pub use job::Job;
pub use management::{Lanes, ManagementTraffic};
#[cfg(feature = "complete")]
pub use message_ways::{MessageWays, WaysFormat};
pub use metric::{Metric, MetricKind};
#[cfg(feature = "complete")]
pub use modelled::Modelled;
pub use notation::{Detail, Problems, percent_decoded, words};
#[cfg(feature = "complete")]
pub use optimized::{Choice, Optimized, Optimizer, Search, Strategy};
pub use plan::{Plan, X};
pub use record::{
    Abscissa, ENGINE_VERSION, ExchangeMetrics, Interval, LatencyRecord, ManagementLatency,
    ManagementRecord, Metrics, RankBandwidth, Record, Reordering, Why, WhyPortion, study_digest,
};
#[cfg(feature = "complete")]
pub use reordered::Reordered;
#[cfg(feature = "complete")]
pub use route_files::TablesFile;
#[cfg(feature = "complete")]
pub use route_search::Looked;
pub use route_search::{RouteSearch, Routed};
pub use route_survey::RouteNumbers;
pub use running::{Running, Step};
#[cfg(feature = "complete")]
pub use saturating::{Saturating, Saturation};
#[cfg(feature = "complete")]
pub use saturation::busiest_channel;
pub use saturation::{CLEARLY, MeasuredChannel, most_telling};
pub use settings::link_classes;
pub use short_buffer::ShortBuffer;
pub use study::{Case, Section, Study};
pub use values::Values;
pub use waiting::{HeldBuffer, WaitingPacket};

/// The version of the notation: which defaults a text that leaves settings out takes.
pub const NOTATION_VERSION: u32 = 1;

crate::choices! {
    /// What a buffer's size is the size of.
    pub enum BufferShare {
        /// All virtual channels of a port share it equally.
        Port = "port", "per port";
        /// Each virtual channel has its own.
        VirtualChannel = "vc", "per virtual channel";
    }
}

/// The input buffer of a switch.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// Its size.
    pub bytes: Bytes,
    /// What the size is the size of.
    pub per: BufferShare,
}

crate::choices! {
    /// How packets pass a switch.
    pub enum SwitchingKind {
        /// Whole, their heads ahead of their tails; buffers take whole packets.
        CutThrough = "cut_through", "virtual cut-through";
        /// In flits: buffers take single flits, and a packet keeps an output's virtual channel from
        /// its first flit to its last.
        Wormhole = "wormhole", "wormhole";
    }
}

/// How packets pass a switch, and in what pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct Switching {
    /// The way.
    pub kind: SwitchingKind,
    /// Size of a flit in wormhole switching; a packet is a whole number of them.
    pub flit: Bytes,
}

/// One point: everything that a single run depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The fabric.
    pub topology: Topology,
    /// What of it is broken or missing.
    pub faults: Faults,
    /// How packets find their way.
    pub routing: Routing,
    /// Who sends to whom.
    pub traffic: Traffic,
    /// What ranks send one another instead, each message when others have been sent.
    pub exchange: Exchange,
    /// Which endpoint each rank runs on.
    pub placement: Placement,
    /// Offered load, relative to the source's own link.
    pub load: Load,
    /// When sources send, and in what messages.
    pub injection: Injection,
    /// Length of a message of the exchange.
    pub bytes: Bytes,
    /// Number of ranks; without one, as many as the endpoints take.
    pub ranks: Option<u32>,
    /// How many ranks an endpoint takes.
    pub ranks_per_endpoint: u32,
    /// What switches send besides.
    pub management: ManagementTraffic,
    /// Payload rate of the links.
    pub bandwidth: PerClass<Bandwidth>,
    /// Latency of the links.
    pub latency: PerClass<Time>,
    /// Time through a switch, head in to head out.
    pub switch_latency: Time,
    /// Time through an endpoint's adapter, once at either end.
    pub adapter_latency: Time,
    /// Where a switch keeps packets, and which of them may move.
    pub switch: SwitchModel,
    /// How packets pass a switch.
    pub switching: Switching,
    /// Input buffers of the switches.
    pub buffer: Buffer,
    /// Output queue of a switch port.
    pub output_buffer: Bytes,
    /// Which virtual channel a port serves next.
    pub arbitration: Arbitration,
    /// Number of virtual channels; without one, as many as the routing asks for.
    pub virtual_channels: Option<u32>,
    /// Size of a packet; in wormhole switching a packet is a worm.
    pub packet: Bytes,
    /// Simulated time before measuring; without one, found from the results.
    pub warmup: Option<Time>,
    /// Simulated time of measuring; without one, until the precision is reached.
    pub window: Option<Time>,
    /// Half-width of the 95 % interval at which a run may stop, relative to the throughput;
    /// three times as much for the mean latency.
    pub precision: Load,
    /// The seed of every random choice.
    pub seed: u64,
    /// How many seeds are run and pooled, from `seed` upward.
    pub seeds: u32,
}

impl Default for Scenario {
    fn default() -> Scenario {
        Scenario {
            topology: topology::Dragonfly::default().into(),
            faults: faults::Intact.into(),
            routing: routing::Minimal.into(),
            traffic: traffic::Uniform.into(),
            exchange: exchange::Nothing.into(),
            placement: placement::Contiguous::default().into(),
            load: Load::ppm(500_000),
            injection: Injection::default(),
            bytes: Bytes(8192),
            ranks: None,
            ranks_per_endpoint: 1,
            management: ManagementTraffic::default(),
            bandwidth: PerClass::all(Bandwidth::gbps(100)),
            latency: PerClass::all(Time::ns(50)),
            switch_latency: Time::ns(100),
            adapter_latency: Time::ZERO,
            switch: SwitchModel::VirtualOutputQueues,
            switching: Switching { kind: SwitchingKind::CutThrough, flit: Bytes(64) },
            buffer: Buffer { bytes: Bytes(100_000), per: BufferShare::Port },
            output_buffer: Bytes(100_000),
            arbitration: Arbitration::default(),
            virtual_channels: None,
            packet: Bytes(256),
            warmup: None,
            window: None,
            precision: Load::ppm(10_000),
            seed: 1,
            seeds: 1,
        }
    }
}

/// A key of the notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name in the notation.
    pub name: &'static str,
    /// Its name in the form.
    pub label: &'static str,
    /// Where the form shows it.
    pub tier: Tier,
}

/// What stands behind a key.
pub enum Content<'a> {
    /// One part of a list, with its settings.
    Part(&'a mut dyn Menu),
    /// A value, possibly with settings of its own.
    Value(&'a mut dyn Settings),
}

/// Every key of a scenario in canonical order.
pub const KEYS: &[Key] = &[
    Key { name: "topology", label: "Topology", tier: Tier::Basic },
    Key { name: "faults", label: "Faults", tier: Tier::Advanced },
    Key { name: "traffic", label: "Traffic", tier: Tier::Basic },
    Key { name: "exchange", label: "Exchange", tier: Tier::Basic },
    Key { name: "placement", label: "Placement", tier: Tier::Basic },
    Key { name: "routing", label: "Routing", tier: Tier::Basic },
    Key { name: "load", label: "Load", tier: Tier::Basic },
    Key { name: "injection", label: "Injection", tier: Tier::Advanced },
    Key { name: "bytes", label: "Message size", tier: Tier::Basic },
    Key { name: "ranks", label: "Ranks", tier: Tier::Advanced },
    Key { name: "ranks_per_endpoint", label: "Ranks per endpoint", tier: Tier::Advanced },
    Key { name: "management", label: "Management", tier: Tier::Advanced },
    Key { name: "bandwidth", label: "Bandwidth", tier: Tier::Advanced },
    Key { name: "latency", label: "Link latency", tier: Tier::Advanced },
    Key { name: "switch_latency", label: "Switch latency", tier: Tier::Advanced },
    Key { name: "adapter_latency", label: "Adapter latency", tier: Tier::Advanced },
    Key { name: "switch", label: "Switch", tier: Tier::Advanced },
    Key { name: "switching", label: "Switching", tier: Tier::Advanced },
    Key { name: "buffer", label: "Input buffer", tier: Tier::Advanced },
    Key { name: "output_buffer", label: "Output buffer", tier: Tier::Advanced },
    Key { name: "arbitration", label: "Arbitration", tier: Tier::Advanced },
    Key { name: "virtual_channels", label: "Virtual channels", tier: Tier::Advanced },
    Key { name: "packet", label: "Packet", tier: Tier::Advanced },
    Key { name: "warmup", label: "Warm-up", tier: Tier::Advanced },
    Key { name: "window", label: "Window", tier: Tier::Advanced },
    Key { name: "precision", label: "Precision", tier: Tier::Advanced },
    Key { name: "seed", label: "Seed", tier: Tier::Advanced },
    Key { name: "seeds", label: "Seeds", tier: Tier::Advanced },
];

/// A value without settings of its own.
struct Single<F>(F);

impl<F: FnMut(&mut dyn Form)> Settings for Single<F> {
    fn settings(&mut self, form: &mut dyn Form) {
        (self.0)(form);
    }
}

impl Scenario {
    /// Rate and latency of the links.
    pub fn links(&self) -> Links {
        Links { bandwidth: self.bandwidth.clone(), latency: self.latency.clone() }
    }

    /// Shows what stands behind a key; nothing when there is no such key.
    pub fn content<R>(&mut self, key: &str, show: impl FnOnce(Content<'_>) -> R) -> Option<R> {
        match key {
            "topology" => Some(show(Content::Part(&mut self.topology))),
            "faults" => Some(show(Content::Part(&mut self.faults))),
            "traffic" => Some(show(Content::Part(&mut self.traffic))),
            "exchange" => Some(show(Content::Part(&mut self.exchange))),
            "placement" => Some(show(Content::Part(&mut self.placement))),
            "routing" => Some(show(Content::Part(&mut self.routing))),
            "injection" => Some(show(Content::Value(&mut self.injection))),
            "management" => Some(show(Content::Value(&mut self.management))),
            "switching" => Some(show(Content::Value(&mut self.switching))),
            "arbitration" => Some(show(Content::Value(&mut self.arbitration))),
            "buffer" => Some(show(Content::Value(&mut self.buffer))),
            "bandwidth" => Some(show(Content::Value(&mut self.bandwidth))),
            "latency" => Some(show(Content::Value(&mut self.latency))),
            _ => {
                let key = KEYS.iter().find(|each| each.name == key)?;
                let value = &mut Single(|form: &mut dyn Form| form.setting(self.value(key)));
                Some(show(Content::Value(value)))
            }
        }
    }

    /// The settings behind a key as they stand.
    pub fn describe(&mut self, key: &str) -> Vec<Description> {
        self.content(key, |content| match content {
            Content::Part(menu) => describe(|form| menu.settings(form)),
            Content::Value(value) => describe(|form| value.settings(form)),
        })
        .unwrap_or_default()
    }

    /// The parts behind a key; none where the key takes a value.
    pub fn parts(key: &str) -> Vec<PartDescription> {
        let parts = |content: Content<'_>| match content {
            Content::Part(menu) => menu.describe_all(),
            Content::Value(_) => Vec::new(),
        };
        Scenario::default().content(key, parts).unwrap_or_default()
    }

    /// Sets one setting behind a key; the empty setting is the key's own value.
    ///
    /// # Errors
    /// There is no such setting or the value is not allowed.
    pub fn set(&mut self, key: &str, setting: &str, text: &str) -> Result<(), Problem> {
        let outcome = self.content(key, |content| match content {
            Content::Part(menu) => read_setting(|form| menu.settings(form), setting, text),
            Content::Value(value) => read_setting(|form| value.settings(form), setting, text),
        });
        match outcome {
            Some(result) => result.map_err(|problem| problem.within(key)),
            None => Err(Problem::new(key, "", "there is no such key")),
        }
    }

    /// Chooses the part behind a key, with its default settings.
    ///
    /// # Errors
    /// The key takes no part or has none of this name.
    pub fn choose(&mut self, key: &str, name: &str) -> Result<(), Problem> {
        let outcome = self.content(key, |content| match content {
            Content::Part(menu) => match menu.choose(name) {
                true => Ok(()),
                false if name.split_once('/').is_some_and(|(it, _)| menu.names().contains(&it)) => {
                    Err(Problem::several(key, name))
                }
                false => Err(Problem::unknown(key, name, &menu.names())),
            },
            Content::Value(_) => Err(Problem::new(key, name, "it takes a value")),
        });
        outcome.unwrap_or_else(|| Err(Problem::new(key, "", "there is no such key")))
    }
}
