//! A scenario with everything built that it describes.

use std::sync::Arc;

use super::building::Building;
#[cfg(feature = "complete")]
use super::exchanging::Exchanging;
#[cfg(feature = "complete")]
use super::management::Managed;
use super::record::{Interval, LatencyRecord, ManagementLatency, ManagementRecord, Metrics, Why};
use super::saturation::{below_bound, offered_mean};
use super::waiting::stopped;
use super::{
    BufferShare, Detail, KEYS, Key, Scenario, ShortBuffer, SwitchingKind, study::default_entry,
};
use crate::analysis;
use crate::catalog::{Menu, Problem};
use crate::network::{EndpointId, Network};
use crate::routing::AnyRoutes;
use crate::simulation::{self, Management, ManagementReport, Model, Setup, Simulation, WaysFor};
use crate::traffic::Destinations;
use crate::units::{Bytes, Load, Time};

/// Network, routes, placement and traffic that fit together.
#[derive(Clone)]
pub struct Experiment {
    pub(super) scenario: Arc<Scenario>,
    pub(super) network: Arc<Network>,
    pub(super) routes: AnyRoutes,
    pub(super) placement: Arc<[EndpointId]>,
    pub(super) destinations: Arc<Destinations>,
    pub(super) analysis: Arc<Analysis>,
    #[cfg(feature = "complete")]
    pub(super) managed: Option<Managed>,
    #[cfg(feature = "complete")]
    pub(super) exchanging: Option<Arc<Exchanging>>,
}

/// What analysis says before anything is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Channel loads, bound and latency; of an adaptive routing with the ways that packets take while
    /// nothing waits; nothing where there are too many ways.
    pub report: analysis::Report,
    /// What limits the throughput; not known of an adaptive routing, and where there are too many ways.
    pub limit: Option<Limit>,
}

/// The channel that fills first.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The offered load at which it does.
    pub bound: f64,
    /// The channel in words.
    pub busiest_name: String,
    /// What shares it, in words, where it limits the throughput.
    pub why: Option<Why>,
}

impl Experiment {
    /// Builds a scenario, taking over from `earlier` what the two have in common.
    ///
    /// # Errors
    /// Every problem found, each naming its setting.
    pub fn build(
        scenario: &Scenario,
        earlier: Option<&Experiment>,
    ) -> Result<Experiment, Vec<Problem>> {
        let mut building = Building::start(scenario, earlier)?;
        loop {
            if let Some(experiment) = building.advance(u64::MAX)? {
                return Ok(experiment);
            }
        }
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The routes.
    pub fn routes(&self) -> &AnyRoutes {
        &self.routes
    }

    /// What is known of how good the routes are, in a sentence, where they were made for messages.
    pub fn certificate(&self) -> Option<String> {
        #[cfg(feature = "complete")]
        return self
            .routes
            .unloaded()
            .oblivious()
            .solved()
            .map(crate::routing::pattern_specific::Solved::summary);
        #[cfg(not(feature = "complete"))]
        None
    }

    /// The endpoint of each rank.
    pub fn placement(&self) -> &Arc<[EndpointId]> {
        &self.placement
    }

    /// Who sends to whom.
    pub fn destinations(&self) -> &Arc<Destinations> {
        &self.destinations
    }

    /// What analysis says.
    pub fn analysis(&self) -> Arc<Analysis> {
        self.analysis.clone()
    }

    /// Whether the time of a packet, or of a flit, on some link is no whole number of picoseconds.
    pub(super) fn rounds(&self) -> bool {
        let unit = self.scenario.unit();
        self.network.channels().any(|(_, channel)| channel.bandwidth.rounds(unit))
    }

    /// The same experiment at another offered load.
    ///
    /// # Errors
    /// The load is too small for the packets and the links.
    pub fn at_load(&self, load: Load) -> Result<Experiment, Vec<Problem>> {
        let mut other = self.clone();
        Arc::make_mut(&mut other.scenario).load = load;
        let problems = other.scenario.check_sizes();
        if problems.is_empty() { Ok(other) } else { Err(problems) }
    }

    /// Sets up a simulation.
    pub fn simulation(&self) -> Simulation {
        let mut simulation = Simulation::new(self.setup());
        let report = &self.analysis.report;
        let fullness = self.scenario.load.as_fraction() / report.bound.max(1e-9);
        simulation.make_room(report.hops_mean, fullness);
        simulation
    }

    /// The network that is simulated, its routes, and what its switches send.
    pub(super) fn simulated(&self) -> (Arc<Network>, AnyRoutes, Option<Management>) {
        #[cfg(feature = "complete")]
        if let Some(Managed { network, routes, traffic }) = self.managed.clone() {
            return (network, routes, Some(traffic));
        }
        (self.network.clone(), self.routes.clone(), None)
    }

    /// Everything that the simulation depends on.
    pub fn setup(&self) -> Setup {
        let scenario = &self.scenario;
        let (network, routes, management) = self.simulated();
        let used = routes.route().virtual_channels();
        let asked = scenario.virtual_channels.unwrap_or(255).clamp(1, 255);
        let virtual_channels = used.min(asked as u8);
        // A share of a port's buffer that is smaller than a packet, or a flit, still holds one.
        let buffer = match scenario.buffer.per {
            BufferShare::Port => scenario.buffer.bytes.0 / u64::from(virtual_channels),
            BufferShare::VirtualChannel => scenario.buffer.bytes.0,
        };
        Setup {
            network,
            routes,
            placement: self.placement.clone(),
            destinations: self.destinations.clone(),
            load: scenario.load,
            injection: scenario.injection,
            management,
            packet: scenario.packet,
            model: scenario.model(),
            switch_latency: scenario.switch_latency,
            adapter_latency: scenario.adapter_latency,
            buffer: Bytes(buffer.max(scenario.unit().0)),
            output_buffer: scenario.output_buffer,
            virtual_channels,
            warmup: scenario.warmup,
            window: scenario.window,
            bound: self.analysis.limit.as_ref().map(|limit| limit.bound),
            precision: scenario.precision,
            seed: scenario.seed,
        }
    }
}

/// The longest mean time between two packets of a source, in picoseconds: ten seconds.
const LONGEST_GAP: u64 = 10_000_000_000_000;

impl Scenario {
    /// The scenario as text.
    pub fn text(&self, detail: Detail) -> String {
        let mut tokens = vec![format!("v={}", super::NOTATION_VERSION)];
        for key in KEYS {
            tokens.push(format!("{}={}", key.name, self.entry_text(key, detail)));
        }
        tokens.join(" ")
    }

    /// What stands behind a key as text: a part with its settings, or a value.
    pub fn entry_text(&self, key: &Key, detail: Detail) -> String {
        let mut scenario = self.clone();
        let mut entry = default_entry(key);
        entry.part = scenario.part_name(key.name);
        entry.settings = scenario
            .describe(key.name)
            .into_iter()
            .filter(|setting| !setting.shorthand)
            .map(|setting| (setting.key.to_owned(), super::Values::one(setting.value)))
            .collect();
        entry.print(key.name, detail)
    }

    fn part_name(&mut self, key: &str) -> Option<String> {
        let name = |content: super::Content<'_>| match content {
            super::Content::Part(menu) => Some(menu.name().to_owned()),
            super::Content::Value(_) => None,
        };
        self.content(key, name).flatten()
    }

    /// Packets that are generated at once; those of an exchange follow from its messages.
    pub(super) fn together(&self) -> u32 {
        if self.exchanges() { 1 } else { self.injection.packets }
    }

    /// Whether routes choose a way when the scenario asks for it, and only the ports by which it sends.
    pub(super) fn check_ways(&self, routes: &AnyRoutes) -> Result<(), Vec<Problem>> {
        if cfg!(feature = "complete") && !self.exchanges() && routes.route().names_outlets() {
            let allowed = format!(
                "traffic at a load leaves each endpoint by its first link, and routing={} uses all of \
                 several; allowed with it on this tree: an exchange",
                self.routing.name()
            );
            return Err(vec![Problem::new("traffic", self.traffic.name(), allowed)]);
        }
        // Other builds hold no other injection.
        let any = !cfg!(feature = "complete") || self.injection.ways == WaysFor::Packet;
        if any || routes.adaptive().is_none() {
            return Ok(());
        }
        let allowed =
            "adaptive routing chooses for each packet, allowed: ways=packet, or another routing";
        Err(vec![Problem::new("injection", "ways=message", allowed)])
    }

    /// Whether buffers hold a packet and packets come often enough.
    pub(super) fn check_sizes(&self) -> Vec<Problem> {
        let checks = [self.check_flits(), self.check_lengths(), self.check_weights()];
        let mut problems: Vec<Problem> = checks.into_iter().flatten().collect();
        for (key, size) in [("buffer", self.buffer.bytes), ("output_buffer", self.output_buffer)] {
            let unit = self.unit();
            if size < unit {
                let what = if unit == self.packet { "packet" } else { "flit" };
                let allowed = format!("it must hold a {what} of {unit}");
                let nearest = Some(unit.to_string());
                problems.push(Problem { nearest, ..Problem::new(key, size.to_string(), allowed) });
            }
        }
        let slowest = self.bandwidth.values().min().unwrap_or(self.bandwidth.base);
        let of_switches = (self.management.load, self.management.bandwidth);
        let sources =
            [("load", (self.load, slowest), self.together()), ("management", of_switches, 1)];
        for (key, (load, rate), together) in sources {
            let packet = u128::from(rate.serialization(self.packet).as_ps());
            let gap = packet * u128::from(together) * 1_000_000 / u128::from(load.as_ppm().max(1));
            if gap > u128::from(LONGEST_GAP) && load != Load::ppm(0) {
                let allowed = "a source would send less than one message in ten seconds; allowed: a \
                               larger load, smaller packets or faster links";
                problems.push(Problem::new(key, load.to_string(), allowed));
            }
        }
        problems
    }
}

/// The most flits of a packet.
const MOST_FLITS: u64 = 1 << 16;

impl Scenario {
    /// How switches are built and how packets pass them.
    pub(super) fn model(&self) -> Model {
        let flit = match self.switching.kind {
            SwitchingKind::CutThrough => None,
            SwitchingKind::Wormhole => Some(self.switching.flit),
        };
        Model { switch: self.switch, flit, arbitration: self.arbitration.model() }
    }

    /// What buffers take whole: a packet, or a flit in wormhole switching.
    pub(super) fn unit(&self) -> Bytes {
        self.model().unit(self.packet)
    }

    /// Whether the shortest packet is none longer than the longest, and moves whole.
    fn check_lengths(&self) -> Option<Problem> {
        let shortest = self.injection.shortest.filter(|_| !self.exchanges())?;
        let allowed = match self.switching.kind {
            SwitchingKind::Wormhole => {
                "packets in flits are of one length, allowed: packet, or switching=cut_through"
            }
            SwitchingKind::CutThrough if shortest > self.packet => {
                "packets are no longer than packet= says, allowed: up to that"
            }
            SwitchingKind::CutThrough => return None,
        };
        let nearest = Some(self.packet.to_string()).filter(|_| shortest > self.packet);
        let problem = Problem::new("injection,shortest", shortest.to_string(), allowed);
        Some(Problem { nearest, ..problem })
    }

    /// Whether a packet is a whole number of flits.
    fn check_flits(&self) -> Option<Problem> {
        let unit = self.unit();
        let flits = self.model().flits(self.packet);
        let whole = self.packet.0.is_multiple_of(unit.0);
        if whole && (1..=MOST_FLITS).contains(&flits) {
            return None;
        }
        let allowed = format!("a packet is a whole number of flits of {unit}, 1 to {MOST_FLITS}");
        let nearest = Some(Bytes(flits.clamp(1, MOST_FLITS) * unit.0).to_string());
        Some(Problem { nearest, ..Problem::new("packet", self.packet.to_string(), allowed) })
    }
}

/// The numbers of a run in their machine-readable form.
pub(super) fn metrics(experiment: &Experiment, report: &simulation::Report) -> Metrics {
    let limit = experiment.analysis.limit.as_ref();
    let nanoseconds = |time: Option<Time>| time.map(|time| time.as_ns());
    let short_buffer = ShortBuffer::find(&experiment.setup());
    // Nothing that the reduced build holds can deadlock.
    let deadlock = report.deadlock.as_deref().filter(|_| cfg!(feature = "complete"));
    Metrics {
        offered: experiment.scenario.load.as_fraction(),
        offered_mean: offered_mean(experiment, report),
        accepted: report.accepted,
        saturated: report.saturated,
        settled: report.settled,
        latency_ns: LatencyRecord {
            mean: report.latency.mean_ns,
            p50: nanoseconds(report.latency.median),
            p99: nanoseconds(report.latency.p99),
            max: nanoseconds(report.latency.max),
            zero_load: experiment.analysis.report.zero_load(),
        },
        bound: limit.map(|limit| limit.bound),
        busiest: limit.map(|limit| limit.busiest_name.clone()),
        why: limit.and_then(|limit| limit.why.clone()),
        #[cfg(feature = "complete")]
        measured_busiest: super::MeasuredChannel::find(experiment, report),
        #[cfg(not(feature = "complete"))]
        measured_busiest: None,
        below_bound: below_bound(experiment, report, short_buffer.as_ref()),
        interval: Interval {
            accepted: report.accepted_interval,
            latency_ns: report.latency_interval_ns,
        },
        fairness: report.fairness,
        worst_source: report.worst_source,
        hops_mean: report.hops_mean,
        packet_hops: report.packet_hops,
        max_utilization: report.max_utilization,
        rounded: experiment.rounds(),
        short_buffer,
        packets: report.packets,
        warmup_ns: report.warmup.as_ns(),
        window_ns: report.window.as_ns(),
        management: report.management.as_ref().map(of_switches),
        deadlock: deadlock.map(|cycle| experiment.in_words(cycle)),
        deadlock_packets: deadlock.map(|cycle| experiment.packets(cycle)),
        deadlock_ns: stopped(deadlock),
    }
}

/// The switches' part of the numbers.
fn of_switches(report: &ManagementReport) -> ManagementRecord {
    let nanoseconds = |time: Option<Time>| time.map(Time::as_ns);
    let latency = &report.latency;
    ManagementRecord {
        offered: report.offered,
        accepted: report.accepted,
        interval: report.accepted_interval,
        saturated: report.saturated,
        latency_ns: ManagementLatency {
            mean: latency.mean_ns,
            p50: nanoseconds(latency.median),
            p99: nanoseconds(latency.p99),
            max: nanoseconds(latency.max),
        },
    }
}
