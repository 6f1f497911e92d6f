//! A scenario with everything built that it describes.

use std::sync::Arc;

use super::record::{Interval, LatencyRecord, Metrics};
use super::{BufferShare, Detail, KEYS, Scenario, study::default_entry};
use crate::analysis::{self, Latencies};
use crate::catalog::{Menu, Problem};
use crate::network::{EndpointId, Failures, Needs, Network, Node};
use crate::routing::Routes;
use crate::simulation::{self, Setup, Simulation, Waiting};
use crate::traffic::{Destinations, Site};
use crate::units::{Bytes, Load, Time};

/// Network, routes, placement and traffic that fit together.
#[derive(Clone)]
pub struct Experiment {
    scenario: Scenario,
    network: Arc<Network>,
    routes: Arc<Routes>,
    placement: Arc<[EndpointId]>,
    destinations: Arc<Destinations>,
    analysis: Arc<Analysis>,
}

/// What analysis says before anything is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Channel loads, bound and latency.
    pub report: analysis::Report,
    /// The busiest channel in words.
    pub busiest_name: String,
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
        scenario.check_sizes()?;
        let network = Experiment::network_of(scenario, earlier)?;
        let kept = earlier.filter(|earlier| Arc::ptr_eq(&earlier.network, &network));
        let routes = match kept.filter(|kept| kept.scenario.routing == scenario.routing) {
            Some(kept) => kept.routes.clone(),
            None => Arc::new(
                scenario
                    .routing
                    .role()
                    .routes(&network)
                    .map_err(misfit("routing", &scenario.routing))?,
            ),
        };
        let placement = scenario.place(&network)?;
        let site = Site { network: &network, placement: &placement };
        let destinations = scenario.traffic.role().destinations(site);
        let destinations = Arc::new(destinations.map_err(misfit("traffic", &scenario.traffic))?);
        let foreseen = kept.filter(|kept| {
            let equal_times = kept.scenario.times() == scenario.times();
            let equal_messages = kept.placement == placement && kept.destinations == destinations;
            Arc::ptr_eq(&kept.routes, &routes) && equal_times && equal_messages
        });
        let analysis = match foreseen {
            Some(kept) => kept.analysis.clone(),
            None => Arc::new(foresee(scenario, &network, &routes, &placement, &destinations)?),
        };
        Ok(Experiment {
            scenario: scenario.clone(),
            network,
            routes,
            placement,
            destinations,
            analysis,
        })
    }

    /// The network of a scenario, with what fails taken out; an earlier experiment's where the two
    /// have it in common.
    ///
    /// # Errors
    /// Every problem found, each naming its setting.
    pub fn network_of(
        scenario: &Scenario,
        earlier: Option<&Experiment>,
    ) -> Result<Arc<Network>, Vec<Problem>> {
        let same = |one: &Scenario, other: &Scenario| {
            one.topology == other.topology
                && one.faults == other.faults
                && (one.seed == other.seed || one.faults.name() != "random")
                && one.links() == other.links()
        };
        if let Some(earlier) = earlier.filter(|earlier| same(&earlier.scenario, scenario)) {
            return Ok(earlier.network.clone());
        }
        let (network, failures) = scenario.fabric()?;
        Ok(Arc::new(if failures.is_empty() { network } else { network.without(&failures) }))
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
    pub fn routes(&self) -> &Arc<Routes> {
        &self.routes
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

    /// Whether a packet's time on some link is no whole number of picoseconds.
    fn rounds(&self) -> bool {
        let packet = self.scenario.packet;
        self.network.channels().any(|(_, channel)| channel.bandwidth.rounds(packet))
    }

    /// The same experiment at another offered load.
    ///
    /// # Errors
    /// The load is too small for the packets and the links.
    pub fn at_load(&self, load: Load) -> Result<Experiment, Vec<Problem>> {
        let mut other = self.clone();
        other.scenario.load = load;
        other.scenario.check_sizes()?;
        Ok(other)
    }

    /// Sets up a simulation.
    pub fn simulation(&self) -> Simulation {
        let scenario = &self.scenario;
        let used = self.routes.route().virtual_channels();
        let limit = scenario.virtual_channels.map_or(used, |count| count.min(255) as u8);
        let virtual_channels = limit.max(1).min(used);
        // A share of a port's buffer that is smaller than a packet still holds one.
        let buffer = match scenario.buffer.per {
            BufferShare::Port => scenario.buffer.bytes.0 / u64::from(virtual_channels),
            BufferShare::VirtualChannel => scenario.buffer.bytes.0,
        };
        Simulation::new(Setup {
            network: self.network.clone(),
            routes: self.routes.clone(),
            placement: self.placement.clone(),
            destinations: self.destinations.clone(),
            load: scenario.load,
            packet: scenario.packet,
            switch_latency: scenario.switch_latency,
            adapter_latency: scenario.adapter_latency,
            buffer: Bytes(buffer.max(scenario.packet.0)),
            output_buffer: scenario.output_buffer,
            virtual_channels,
            warmup: scenario.warmup,
            window: scenario.window,
            precision: scenario.precision,
            seed: scenario.seed,
        })
    }
}

/// The most pairs of ranks whose paths are walked before a run.
const MOST_PAIRS: u64 = 100_000_000;
/// The longest mean time between two packets of a source, in picoseconds: ten seconds.
const LONGEST_GAP: u64 = 10_000_000_000_000;

/// What to say of a part that does not fit the network.
fn misfit(key: &'static str, part: &dyn Menu) -> impl FnOnce(Needs) -> Vec<Problem> + use<> {
    let name = part.name();
    move |needs| vec![Problem::new(key, name, needs.to_string())]
}

fn foresee(
    scenario: &Scenario,
    network: &Network,
    routes: &Routes,
    placement: &[EndpointId],
    destinations: &Destinations,
) -> Result<Analysis, Vec<Problem>> {
    let Routes::Oblivious(routes) = routes;
    let pairs = destinations.pairs();
    if pairs == 0 {
        let allowed = "no rank sends to another one".to_owned();
        return Err(vec![Problem::new("traffic", scenario.traffic.name(), allowed)]);
    }
    if pairs > MOST_PAIRS {
        let allowed = format!(
            "{} ranks that all send to each other are {pairs} pairs, allowed: up to {MOST_PAIRS}; \
             a smaller network, fewer ranks or another traffic has fewer",
            placement.len()
        );
        return Err(vec![Problem::new("traffic", scenario.traffic.name(), allowed)]);
    }
    let latencies =
        Latencies { switch: scenario.switch_latency, adapter: scenario.adapter_latency };
    let packet = scenario.packet;
    let report =
        analysis::expected(network, routes.as_ref(), placement, destinations, latencies, packet)
            .map_err(|unroutable| vec![Problem::new("routing", "", unroutable.to_string())])?;
    Ok(Analysis { busiest_name: network.channel_name(report.busiest), report })
}

impl Scenario {
    /// The scenario as text.
    pub fn text(&self, detail: Detail) -> String {
        let mut tokens = vec![format!("v={}", super::NOTATION_VERSION)];
        let mut scenario = self.clone();
        for key in KEYS {
            let mut entry = default_entry(key);
            entry.part = scenario.part_name(key.name);
            entry.settings = scenario
                .describe(key.name)
                .into_iter()
                .filter(|setting| !setting.shorthand)
                .map(|setting| (setting.key.to_owned(), super::Values::one(setting.value)))
                .collect();
            tokens.push(format!("{}={}", key.name, entry.print(key.name, detail)));
        }
        tokens.join(" ")
    }

    fn part_name(&mut self, key: &str) -> Option<String> {
        let name = |content: super::Content<'_>| match content {
            super::Content::Part(menu) => Some(menu.name().to_owned()),
            super::Content::Value(_) => None,
        };
        self.content(key, name).flatten()
    }

    /// The network before anything fails, and what fails.
    ///
    /// # Errors
    /// Every problem found, each naming its setting.
    pub fn fabric(&self) -> Result<(Network, Failures), Vec<Problem>> {
        let within =
            |problem: Problem| problem.within(&format!("topology={}", self.topology.name()));
        let network = self.topology.role().build(&self.links());
        let network = network
            .map_err(|problems| problems.into_iter().map(within).collect::<Vec<Problem>>())?;
        let failures =
            self.faults.role().failures(&network, self.seed).map_err(|problem| {
                vec![problem.within(&format!("faults={}", self.faults.name()))]
            })?;
        Ok((network, failures))
    }

    /// What the latency in an empty network depends on besides the network.
    fn times(&self) -> (Time, Time, Bytes) {
        (self.switch_latency, self.adapter_latency, self.packet)
    }

    /// Whether buffers hold a packet and packets come often enough.
    fn check_sizes(&self) -> Result<(), Vec<Problem>> {
        let mut problems = Vec::new();
        for (key, size) in [("buffer", self.buffer.bytes), ("output_buffer", self.output_buffer)] {
            if size < self.packet {
                let allowed = format!("it must hold a packet of {}", self.packet);
                let nearest = Some(self.packet.to_string());
                problems.push(Problem { nearest, ..Problem::new(key, size.to_string(), allowed) });
            }
        }
        let packet = {
            let slowest = self.bandwidth.values().min().unwrap_or(self.bandwidth.base);
            slowest.serialization(self.packet).as_ps()
        };
        let gap = u128::from(packet) * 1_000_000 / u128::from(self.load.as_ppm().max(1));
        if gap > u128::from(LONGEST_GAP) {
            let allowed = "a source would send less than one packet in ten seconds; allowed: a \
                           larger load, smaller packets or faster links";
            problems.push(Problem::new("load", self.load.to_string(), allowed));
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    fn place(&self, network: &Network) -> Result<Arc<[EndpointId]>, Vec<Problem>> {
        let most = network.endpoint_count();
        let ranks = self.ranks.unwrap_or(most);
        let refuse = |given: u32, allowed: String| {
            let mut problem = Problem::new("ranks", given.to_string(), allowed);
            problem.nearest = Some(given.clamp(2, most.max(2)).to_string());
            Err(vec![problem])
        };
        if ranks > most {
            return refuse(
                ranks,
                format!("the network has {most} endpoints, allowed: 2 to {most}"),
            );
        }
        if ranks < 2 {
            return refuse(ranks, "traffic needs at least 2 endpoints".to_owned());
        }
        let placed = self.placement.role().place(network, ranks, self.seed);
        Ok(placed.map_err(misfit("placement", &self.placement))?.into())
    }
}

/// The numbers of a run in their machine-readable form.
pub(super) fn metrics(
    experiment: &Experiment,
    analysis: &Analysis,
    report: &simulation::Report,
) -> Metrics {
    let nanoseconds = |time: Option<Time>| time.map(|time| time.as_ns());
    Metrics {
        offered: experiment.scenario.load.as_fraction(),
        accepted: report.accepted,
        saturated: report.saturated,
        settled: report.settled,
        latency_ns: LatencyRecord {
            mean: report.latency.mean_ns,
            p50: nanoseconds(report.latency.median),
            p99: nanoseconds(report.latency.p99),
            max: nanoseconds(report.latency.max),
            zero_load: analysis.report.zero_load_ns,
        },
        bound: analysis.report.bound,
        busiest: analysis.busiest_name.clone(),
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
        packets: report.packets,
        warmup_ns: report.warmup.as_ns(),
        window_ns: report.window.as_ns(),
        deadlock: report.deadlock.as_ref().map(|cycle| {
            cycle.iter().map(|waiting| in_words(waiting, &experiment.network)).collect()
        }),
    }
}

fn in_words(waiting: &Waiting, network: &Network) -> String {
    format!(
        "packet {}.{} to {}, on virtual channel {} of {}, waits for virtual channel {} of {}",
        waiting.source.0,
        waiting.number,
        network.name(Node::Endpoint(waiting.destination)),
        waiting.holds.vc,
        network.channel_name(waiting.holds.channel),
        waiting.needs.vc,
        network.channel_name(waiting.needs.channel),
    )
}
