//! What a study will take, told before it runs: packet-hops, time and memory.
//!
//! Nothing is simulated, and where there are many pairs some thousand ways are drawn from the routes;
//! how long a run goes on is guessed from what is known of runs like it. Packet-hops are mostly
//! within a factor of 2 of what a run comes to, and so is the memory of its simulation. Close to
//! saturation, and where a fixed pattern saturates random ways, chance decides when a run is steady,
//! and its packet-hops are mostly within 4; where adaptive routes leave the minimal ones they may be
//! off by 10. A run that deadlocks ends earlier. The time of finding routes in layers (LASH, DFSSSP)
//! is left out; that of routes for messages depends on the tree and may be off by 3. Ways that take a
//! search are taken to be as long as the shortest.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::building::MOST_WAYS;
use super::job::AUTOMATIC_REACH;
use super::saturation::MANY_PORTS;
use super::{Exchanging, Experiment, Job, Plan, Scenario, ShortBuffer};
use crate::analysis::walked_at_once;
use crate::catalog::Problem;
use crate::network::{Lfts, Network};
use crate::routing::{AnyRoutes, Routes, Sharing};
use crate::simulation::{Forecast, Prospect, Spacing, SwitchModel};
use crate::traffic::Destinations;
use crate::units::{Bytes, Load, Time};

mod costs;
mod drawn;
mod sample;
#[cfg(test)]
mod tests;
mod words;

use sample::{Sample, Ways};
pub use words::InWords;

/// A run of some ten milliseconds by which a machine is measured: how many packet-hops of an
/// unsaturated run of the default switch it does in a second.
pub const MEASURING_RUN: &str = "topology=dragonfly,p=2,a=4,h=2 load=0.7 warmup=5us window=40us";

/// The most runs of a study that are looked at; the others are taken to be like these.
const MOST_LOOKED_AT: usize = 48;
/// How much longer adaptive routes are when the minimal ones are full.
const DETOUR: f64 = 1.6;
/// The load that they carry then, as a multiple of the square root of that at which the first minimal one
/// fills. Nobody knows it beforehand: runs of dragonflies of 72 to 16,512 endpoints under their adversarial
/// traffic came to that.
const CARRIED: f64 = 1.7;
/// The same of what they accept of a higher load.
const ACCEPTED: f64 = 1.3;
/// Less than this share of what is offered is accepted only in saturation: the bound may be drawn.
const KEEPING_UP: f64 = 0.99;
/// Bytes that analysis takes for each port, and for each pair of switches where ways are halves.
const ANALYSIS: (u64, u64) = (24, 16);

/// Bytes that a message takes in a list.
const LISTED: u64 = 100;

/// What one run, or all runs of a study, will take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// How many runs.
    pub runs: u64,
    /// Switches that all packets together will cross.
    pub packet_hops: f64,
    /// The same as work: as many packet-hops of an unsaturated run of the default switch would take
    /// as long as everything, analysis included.
    pub work: f64,
    /// Simulated time of all runs together.
    pub simulated: Time,
    /// The memory of the run that needs most: its network and routes, analysis and simulation.
    pub memory: Bytes,
}

impl Estimate {
    /// How long one processor takes, in seconds, if it does so many packet-hops of an unsaturated run
    /// of the default switch in a second.
    pub fn seconds(&self, hops_per_second: f64) -> f64 {
        self.work / hops_per_second.max(1.0)
    }

    /// Adds what `runs` runs take that are like this one.
    fn add(&mut self, run: &Estimate, runs: u64) {
        self.runs += runs;
        self.packet_hops += run.packet_hops * runs as f64;
        self.work += run.work * runs as f64;
        self.simulated += Time::ps(run.simulated.as_ps().saturating_mul(runs));
        self.memory = self.memory.max(run.memory);
    }
}

impl Plan {
    /// What all runs together will take.
    ///
    /// # Errors
    /// Every problem found with a run that is looked at, each naming its setting.
    pub fn estimate(&self) -> Result<Estimate, Vec<Problem>> {
        let mut estimator = Estimator::default();
        let mut sum = Estimate::default();
        let stride = self.jobs.len().div_ceil(MOST_LOOKED_AT).max(1);
        for group in self.jobs.chunks(stride) {
            // Of a group on one curve the middle is about the mean.
            if let Some(job) = group.get(group.len() / 2) {
                sum.add(&estimator.estimate(job)?, group.len() as u64);
            }
        }
        Ok(sum)
    }

    /// Whether some run may need more memory than `limit`: a bound that is quickly told, since it
    /// takes every buffer for full.
    ///
    /// # Errors
    /// Every problem found with a network, each naming its setting.
    pub fn may_exceed(&self, limit: Bytes) -> Result<bool, Vec<Problem>> {
        let mut known: Option<(&Scenario, Arc<Network>)> = None;
        for job in self.jobs.iter().filter(|job| job.wants.simulation) {
            let same = known.as_ref().filter(|(other, _)| job.scenario.shares_network(other));
            let network = match same {
                Some((_, network)) => network.clone(),
                None => job.scenario.network()?,
            };
            if job.scenario.most_memory(&network) > limit {
                return Ok(true);
            }
            known = Some((&job.scenario, network));
        }
        Ok(false)
    }
}

impl Scenario {
    /// More memory than a run on this network can need.
    fn most_memory(&self, network: &Network) -> Bytes {
        let lanes = u64::from(self.virtual_channels.unwrap_or(MOST_CHANNELS).min(MOST_CHANNELS));
        let buffer = match self.buffer.per {
            super::BufferShare::Port => self.buffer.bytes.0,
            super::BufferShare::VirtualChannel => self.buffer.bytes.0.saturating_mul(lanes),
        };
        let units = (buffer.saturating_add(self.output_buffer.0)) / self.unit().0.max(1);
        let port = PORT.saturating_add(LANE * lanes).saturating_add(units.saturating_mul(UNIT));
        let tables = 2 * Lfts::entry_count(network).min(Lfts::MOST_ENTRIES);
        Bytes(port.saturating_mul(u64::from(network.port_count())).saturating_add(tables))
    }
}

/// The most virtual channels that routes are expected to use.
const MOST_CHANNELS: u32 = 8;
/// Bytes that a port takes, one of its virtual channels, and a packet or flit in a buffer.
const PORT: u64 = 256;
const LANE: u64 = 128;
const UNIT: u64 = 200;

impl Experiment {
    /// What the run will take, by its analysis.
    pub fn estimate(&self) -> Estimate {
        let ways = Ways {
            network: &self.network,
            placement: &self.placement,
            destinations: &self.destinations,
            routes: self.routes.unloaded().route(),
            mixes: mixes(&self.destinations, &self.routes),
            seed: self.scenario.seed,
        };
        self.estimate_with(&ways.sample(&self.analysis.report.utilization))
    }

    fn estimate_with(&self, sample: &Sample) -> Estimate {
        let mut setup = self.setup();
        if self.scenario.searches() {
            let channels = self.scenario.virtual_channels.unwrap_or(drawn::LAYERS);
            setup.virtual_channels = channels.min(u32::from(u8::MAX)) as u8;
        }
        if let Some(exchanging) = &self.exchanging {
            return self.estimate_exchange(exchanging, sample);
        }
        let prospect = self.prospect(sample);
        let Forecast { time, packets, memory } = setup.forecast(&prospect);
        let flits = setup.model.flits(setup.packet) as f64;
        let packet_hops = packets * prospect.hops;
        let slower = flits * costs::hop(&setup);
        let fuller = if prospect.saturated { costs::SATURATED } else { 1.0 };
        Estimate {
            runs: 1,
            packet_hops,
            work: packet_hops * slower * fuller,
            simulated: time,
            memory: Bytes(memory.0.saturating_add(self.standing_memory())),
        }
    }

    /// What the run of an exchange will take.
    fn estimate_exchange(&self, exchanging: &Exchanging, sample: &Sample) -> Estimate {
        let mut setup = self.setup();
        // Messages are cut into packets of one length.
        setup.injection.shortest = None;
        let unit = setup.unit();
        let workload = &exchanging.exchanged.workload;
        let answers = if workload.is_acknowledged() { workload.messages() } else { 0 };
        let pieces = (exchanging.pieces(unit) + answers) as f64;
        // A worm counts as one packet, however many flits it has.
        let packets = match setup.model.flit {
            None => pieces,
            Some(_) => (workload.messages() + answers) as f64,
        };
        let hops = sample.at(1.0).hops;
        let bound = self.analysis.report.bound.min(self.links_to_send_by(exchanging));
        let least = self.least_time(bound).unwrap_or_default();
        let ideal = self.scenario.ideal_time(&self.network, self.placement.len());
        let time = ideal.unwrap_or_default().max(Time::ps((least * 1e3) as u64));
        let prospect = Prospect {
            accepted: bound,
            saturated: bound < KEEPING_UP,
            detours: false,
            fullness: 1.0,
            mixes: true,
            queues: true,
            scatters: false,
            hops,
        };
        let Forecast { memory, .. } = setup.forecast(&prospect);
        let listed = if exchanging.is_listed() { LISTED * workload.messages() } else { 0 };
        let slower = costs::hop(&setup);
        Estimate {
            runs: 1,
            packet_hops: packets * hops,
            work: pieces * hops * slower * costs::EXCHANGED,
            simulated: time,
            memory: Bytes(memory.0.saturating_add(listed).saturating_add(self.standing_memory())),
        }
    }

    /// The most links by which an endpoint sends at the same time; of an all-to-all each rank sends one
    /// message after the other.
    fn links_to_send_by(&self, exchanging: &Exchanging) -> f64 {
        let links = self.placement.iter().map(|endpoint| self.network.cabled_ports(*endpoint));
        let links = match self.routes.route().names_outlets() {
            true => links.max().unwrap_or(1),
            false => 1,
        };
        let alone = if exchanging.is_listed() { links } else { self.scenario.ranks_per_endpoint };
        f64::from(links.min(alone).max(1))
    }

    /// What is known of the run's traffic.
    fn prospect(&self, sample: &Sample) -> Prospect {
        let load = self.scenario.load.as_fraction();
        let fullness = load / self.analysis.report.bound.max(1e-9);
        let mixes = mixes(&self.destinations, &self.routes);
        let adapts = self.routes.adaptive().is_some();
        if adapts && fullness > KEEPING_UP {
            let root = self.analysis.report.bound.sqrt();
            let saturated = load > KEEPING_UP.min(CARRIED * root);
            let accepted = if saturated { (ACCEPTED * root / load).min(1.0) } else { 1.0 };
            let hops = sample.at(0.0).hops * DETOUR;
            let fullness = load / (CARRIED * root);
            return Prospect {
                accepted,
                saturated,
                detours: true,
                fullness,
                mixes,
                queues: mixes,
                scatters: false,
                hops,
            };
        }
        let left = self.rate_left();
        let fullness = fullness / left;
        let taken = sample.at(load / left);
        let uniform = matches!(*self.destinations, Destinations::Uniform { .. });
        // A source that sends to all of them waits for the busiest channel sooner or later.
        let accepted = if uniform { (1.0 / fullness).min(1.0) } else { taken.accepted };
        let saturated = fullness * KEEPING_UP > 1.0 || accepted < KEEPING_UP;
        let scatters = mixes && !uniform;
        // Single packets at regular times to one destination each come in turns. Other builds know no
        // such times.
        let injection = &self.scenario.injection;
        let takes_turns = cfg!(feature = "complete")
            && matches!(*self.destinations, Destinations::Fixed(_))
            && (injection.spacing, injection.packets) == (Spacing::Periodic, 1);
        Prospect {
            accepted,
            saturated,
            detours: false,
            fullness,
            mixes,
            // What fills below full load is shared, or slower than what feeds it.
            queues: mixes || !takes_turns && self.analysis.report.bound < KEEPING_UP,
            scatters,
            hops: taken.hops,
        }
    }

    /// The share of a channel's rate that the switches' inputs and buffers let packets use.
    fn rate_left(&self) -> f64 {
        let short = ShortBuffer::find(&self.setup());
        let buffers = short.map_or(1.0, |short| short.bytes as f64 / short.needed as f64);
        let competing = matches!(*self.destinations, Destinations::Uniform { .. });
        let fifo = self.scenario.switch == SwitchModel::FifoInputs && competing;
        buffers.min(if fifo { MANY_PORTS } else { 1.0 }).max(1e-6)
    }

    /// The memory of what the simulation is set up with, in bytes.
    fn standing_memory(&self) -> u64 {
        let network = &self.network;
        let tables = match self.routes.unloaded().as_ref() {
            Routes::Tables(_) => 2 * Lfts::entry_count(network),
            Routes::Oblivious(_) => 0,
        };
        let (port, pair) = ANALYSIS;
        let switches = u64::from(network.switch_count());
        let has_halves = self.routes.unloaded().oblivious().halves().is_some();
        let halves = if has_halves { pair * switches * switches } else { 0 };
        network.memory() + tables + port * u64::from(network.port_count()) + halves
    }

    /// The work of the analysis, in packet-hops.
    fn work_of_analysis(&self) -> f64 {
        let routes = self.routes.unloaded().oblivious();
        let ranks = self.placement.len() as f64;
        let switches = self.placement.iter().filter_map(|each| self.network.switch_of(*each));
        let switches = switches.collect::<BTreeSet<_>>().len() as f64;
        let at_once = walked_at_once(&self.network, routes, self.scenario.unit());
        let pairs = match (&*self.destinations, routes.sharing()) {
            (Destinations::Fixed(_), _) => ranks,
            (pairs @ Destinations::Weighted(_), _) => pairs.pairs() as f64,
            (_, Sharing::Nothing) => ranks * ranks,
            (_, Sharing::Sources | Sharing::Destinations) => ranks * switches / at_once,
            (_, Sharing::Switches) => switches * switches / at_once,
        };
        let ways = pairs * routes.ways_per_pair() as f64;
        let (ways, each) = match routes.halves() {
            Some(_) => (ways / costs::DEALT, costs::HALF),
            None => (ways, costs::PASSED * (self.analysis.report.hops_mean + 1.0)),
        };
        // With more an offered load is not analyzed. What fills below full load is looked for again.
        let again = if self.analysis.report.bound < 1.0 { 2.0 } else { 1.0 };
        if ways > MOST_WAYS as f64 && self.exchanging.is_none() { 0.0 } else { each * ways * again }
    }
}

/// Estimates one run after another, taking over what they have in common.
#[derive(Default)]
struct Estimator {
    /// What the last run was built of, with an analysis that may have been drawn.
    earlier: Option<(Experiment, Sample)>,
}

impl Estimator {
    fn estimate(&mut self, job: &Job) -> Result<Estimate, Vec<Problem>> {
        let earlier = self.earlier.as_ref().map(|(experiment, _)| experiment);
        if !job.wants.simulation {
            let network = job.scenario.network_like(earlier)?;
            let (work, solved) = job.scenario.solving(&network)?;
            let memory = Bytes(network.memory().saturating_add(solved));
            return Ok(Estimate { runs: 1, work, memory, ..Estimate::default() });
        }
        let known = earlier.map(|experiment| experiment.analysis.clone());
        let (experiment, sample) = job.scenario.drawn(self.earlier.take())?;
        let experiment = match job.automatic {
            None => experiment,
            Some((step, count)) => {
                let reach = experiment.analysis.report.bound.min(1.0) * AUTOMATIC_REACH;
                let load = (reach.min(1.0) * 1e6) as u32;
                let load = u64::from(load) * u64::from(step) / u64::from(count.max(1));
                experiment.at_load(Load::ppm((load as u32).max(1)))?
            }
        };
        let mut estimate = experiment.estimate_with(&sample);
        let (solving, solved) = job.scenario.solving(&experiment.network)?;
        estimate.memory = Bytes(estimate.memory.0.saturating_add(solved));
        if known.is_none_or(|known| !Arc::ptr_eq(&known, &experiment.analysis)) {
            estimate.work += experiment.work_of_analysis() + solving;
        }
        self.earlier = Some((experiment, sample));
        Ok(estimate)
    }
}

/// Whether packets of different flows meet at random.
fn mixes(destinations: &Destinations, routes: &AnyRoutes) -> bool {
    matches!(destinations, Destinations::Uniform { .. })
        || routes.unloaded().oblivious().ways_per_pair() > 1
        || routes.adaptive().is_some()
}
