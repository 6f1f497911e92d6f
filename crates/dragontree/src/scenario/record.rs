//! What a finished run says, in machine-readable form.

use std::fmt;
use std::hash::Hasher;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

use super::{MeasuredChannel, RouteNumbers, ShortBuffer, WaitingPacket};
#[cfg(feature = "complete")]
use crate::analysis::number;
use crate::analysis::{Numbers, Portion, Reason};
use crate::network::Network;

/// The number of the engine; it rises when the same scenario gives other numbers.
pub const ENGINE_VERSION: u32 = 12;

/// A place on the horizontal axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Abscissa {
    /// A number: a fraction for loads, nanoseconds, bytes, gigabits per second, or a count.
    Number(f64),
    /// A name.
    Word(String),
}

impl fmt::Display for Abscissa {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Abscissa::Number(number) => number.fmt(formatter),
            Abscissa::Word(word) => formatter.write_str(word),
        }
    }
}

/// One finished run. Its JSON form is stable; keys may be added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The whole scenario as text.
    pub scenario: String,
    /// The curve that the run belongs to; empty when there is only one.
    pub series: String,
    /// Where on the curve.
    pub x: Abscissa,
    /// The seed.
    pub seed: u64,
    /// The number of the engine.
    pub engine_version: u32,
    /// 64-bit digest of the run's integers, in hexadecimal.
    pub digest: String,
    /// Wall-clock time of the run, measured by whoever ran it; not part of the digest.
    pub seconds: f64,
    /// What is known of how good the routes are, in a sentence, where they were made for the run's
    /// messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// What was measured and computed of traffic; none for an exchange, or when only the fabric was
    /// asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Metrics>,
    /// What was measured and computed of an exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Box<ExchangeMetrics>>,
    /// The numbers of the fabric, when they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fabric: Option<Numbers>,
    /// The numbers of the routes, when they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routes: Option<RouteNumbers>,
}

/// The numbers of a run. Rates are fractions of the endpoints' link rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Offered load: that of endpoints which send all that they generate to others.
    pub offered: f64,
    /// What endpoints offer the network, averaged over all, where that is less since some send less, or
    /// nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_mean: Option<f64>,
    /// Accepted throughput: ejected in the window, averaged over all endpoints.
    pub accepted: f64,
    /// Whether the load is above the bound, or accepted falls short of offered while source queues grow; of a
    /// run that deadlocks only the former.
    pub saturated: bool,
    /// Whether the precision was reached before the run's limit; of a window of given length, whether the
    /// network no longer filled in it and throughput is known to 10 %.
    pub settled: bool,
    /// Latency of packets generated in the window, from generation to the last bit delivered.
    pub latency_ns: LatencyRecord,
    /// The offered load at which the busiest channel fills (analytic); not known of an adaptive
    /// routing.
    pub bound: Option<f64>,
    /// The busiest channel of that analysis.
    pub busiest: Option<String>,
    /// What shares that channel, where it leaves a switch and fills at full load or below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// Of a saturated run without a bound, the channel that was busiest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_busiest: Option<MeasuredChannel>,
    /// Why a run saturates clearly below its bound, in a sentence without its end, where the switches'
    /// inputs or buffers are the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below_bound: Option<String>,
    /// Half-widths of the 95 % intervals.
    pub interval: Interval,
    /// Jain's fairness index of the sources' accepted rates; none where nothing arrived.
    pub fairness: Option<f64>,
    /// The accepted rate of the worst-served source.
    pub worst_source: f64,
    /// Mean number of switches crossed.
    pub hops_mean: f64,
    /// Switches crossed by all packets together: the work of the run.
    pub packet_hops: u64,
    /// The largest measured share of time that a channel between switches was busy.
    pub max_utilization: f64,
    /// Whether a packet's time on a link had to be rounded up to a whole picosecond.
    pub rounded: bool,
    /// A buffer that is too small to keep its channel busy; none where all are large enough.
    #[serde(default)]
    pub short_buffer: Option<ShortBuffer>,
    /// Packets delivered in the window.
    pub packets: u64,
    /// Simulated time before the window.
    pub warmup_ns: f64,
    /// Simulated time of the window.
    pub window_ns: f64,
    /// What the switches sent one another, where they did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub management: Option<ManagementRecord>,
    /// The waiting packets that block each other, when nothing could move any more.
    pub deadlock: Option<Vec<String>>,
    /// The same packets with all that is known of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadlock_packets: Option<Vec<WaitingPacket>>,
    /// Simulated time at which the last of them stopped moving.
    #[serde(default)]
    pub deadlock_ns: Option<f64>,
}

impl Metrics {
    /// The share of the offered load that endpoints offer on average, where that is less.
    pub fn offered_share(&self) -> Option<f64> {
        Some(self.offered_mean? / self.offered)
    }
}

/// The numbers of an exchange.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExchangeMetrics {
    /// When the last message was delivered or, where they are acknowledged, when the last source heard
    /// of it; none where the exchange did not come to its end.
    pub completion_ns: Option<f64>,
    /// The time that it would take if no message had to wait for another's, where a formula tells
    /// (Prisacari 2020, §2.5.1, for an all-to-all on a tree).
    pub ideal_ns: Option<f64>,
    /// The time by the model of a nearest-neighbor exchange on a whole dragonfly with a rank on each
    /// endpoint, where its placement and routing have one (Prisacari 2020, §5.3.5), and to first order
    /// that of an XOR all-to-all on a tree with half the roots, where an ideal time is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_ns: Option<f64>,
    /// The formula of that model, such as `Eq. 5.21`, or what it goes by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The time that the busiest channel takes for what the whole exchange sends over it on these
    /// routes, of all at their rate; not known of an adaptive routing, nor where endpoints have unequally
    /// many ranks or rates.
    pub bound_ns: Option<f64>,
    /// That channel.
    pub busiest: Option<String>,
    /// What that says about the completion time, and what shares the channel where it leaves a switch, in
    /// sentences.
    #[serde(default)]
    pub why: Option<String>,
    /// All bits, those between ranks of one endpoint included, over the completion time, the live
    /// endpoints and their link rate.
    pub effective_throughput: Option<f64>,
    /// Messages delivered.
    pub messages: u64,
    /// Messages in all.
    pub of_messages: u64,
    /// Bytes delivered.
    pub bytes: u64,
    /// Latency of messages, from when they may be sent to the last bit delivered.
    pub latency_ns: ManagementLatency,
    /// The smallest of these.
    pub latency_min_ns: Option<f64>,
    /// Packets delivered; in wormhole switching a message is one.
    pub packets: u64,
    /// Switches crossed by all packets and acknowledgements together; in wormhole switching by flits.
    pub packet_hops: u64,
    /// The largest share of the completion time that a channel between switches was busy.
    pub max_utilization: f64,
    /// Whether a packet's time on a link had to be rounded up to a whole picosecond.
    pub rounded: bool,
    /// A buffer that is too small to keep its channel busy; none where all are large enough.
    #[serde(default)]
    pub short_buffer: Option<ShortBuffer>,
    /// The bandwidth of a rank of a ring or of ping-pong in megabytes per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_bandwidth: Option<RankBandwidth>,
    /// What a broadcast takes to reorder its ranks, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reordering: Option<Reordering>,
    /// Whether messages were left over though nothing was under way.
    pub stuck: bool,
    /// The waiting packets that block each other, when nothing could move any more.
    pub deadlock: Option<Vec<String>>,
    /// The same packets with all that is known of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadlock_packets: Option<Vec<WaitingPacket>>,
    /// Simulated time at which the last of them stopped moving.
    #[serde(default)]
    pub deadlock_ns: Option<f64>,
}

/// The bandwidth of a rank in megabytes (10⁶ bytes) per second, as HPC Challenge measures it. On a ring it
/// is what a rank sends over the completion time, one number for a run, which differs by the ring's
/// order and so by the seed. Of ping-pong it is the length of a message over its latency: the largest, the
/// mean and the smallest of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankBandwidth {
    /// Smallest.
    pub min: f64,
    /// Mean; of ping-pong what the mean latency makes.
    pub mean: f64,
    /// Largest.
    pub max: f64,
}

/// What it takes to reorder the leaders of a broadcast, counted (Subramoni et al. 2011, Table III).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reordering {
    /// Ranks that take part between endpoints.
    pub leaders: u32,
    /// Ways that a service of routes is asked for, or rates that leaders tell one another.
    pub queries: u64,
    /// Delays in the matrix.
    pub delays: u64,
    /// Messages that bring the matrix, or the rates, to every leader.
    pub messages: u64,
    /// Leaders that are looked at to find the nearest one for each place of the tree.
    pub comparisons: u64,
}

/// What shares the busiest channel. A flow is the traffic from one endpoint to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// The flows over the channel.
    pub flows: u64,
    /// The endpoints that these come from.
    pub sources: u64,
    /// The endpoints that these go to.
    pub destinations: u64,
    /// The load at which the channel fills, with the numbers that it comes from.
    pub formula: String,
    /// The switches between which most of the traffic flows, or endpoints.
    pub largest: Vec<WhyPortion>,
}

/// The flows from the endpoints of one switch to those of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhyPortion {
    /// The switch of the sources; of one flow its endpoint.
    pub from: String,
    /// The switch of the destinations, likewise.
    pub to: String,
    /// How many flows they are.
    pub flows: u64,
    /// What they take of the channel's rate when every endpoint sends at full rate; where no analysis
    /// tells, what they were found to take.
    pub utilization: f64,
}

impl WhyPortion {
    /// The portion, which takes so many times the channel's rate, in words.
    pub fn words(&self, times: &str) -> String {
        let WhyPortion { from, to, flows, .. } = self;
        let noun = if *flows == 1 { "flow" } else { "flows" };
        format!("{flows} {noun} from {from} to {to}, {times} times its rate")
    }
}

impl Why {
    /// What portions are of all that takes so much of a channel's rate.
    pub fn told(portions: &[WhyPortion], all: f64) -> &'static str {
        let together: f64 = portions.iter().map(|portion| portion.utilization).sum();
        if 2.0 * together > all { "most of it" } else { "the largest" }
    }

    /// What shares the channel, which fills at this load, as a sentence after another.
    #[cfg(feature = "complete")]
    pub(super) fn at_full_rate(&self, bound: f64) -> String {
        let told = Why::told(&self.largest, 1.0 / bound);
        let portion = |portion: &WhyPortion| portion.words(&number(portion.utilization));
        let largest: Vec<String> = self.largest.iter().map(portion).collect();
        format!(" At full rate {}; {told}: {}.", self.formula, largest.join("; "))
    }

    /// A reason in words.
    pub(super) fn of(network: &Network, reason: &Reason) -> Why {
        let portion = |portion: &Portion| {
            let [from, to] = portion.ends().map(|end| network.name(end));
            let utilization = (portion.utilization * 1e6).round() / 1e6;
            WhyPortion { from, to, flows: portion.flows, utilization }
        };
        let Reason { flows, sources, destinations, .. } = *reason;
        let largest = reason.largest.iter().map(portion).collect();
        Why { flows, sources, destinations, formula: reason.formula(), largest }
    }
}

/// Latencies; none where they are unbounded or nothing was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyRecord {
    /// Mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
    /// Mean latency in an otherwise empty network (analytic); none where it depends on which of
    /// several ways the packets of a message go, or where these are too many to be walked.
    pub zero_load: Option<f64>,
}

/// The traffic between switches. Rates are fractions of the mean link rate of the endpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ManagementRecord {
    /// What each switch offers.
    pub offered: f64,
    /// What reaches a switch, on average over all.
    pub accepted: f64,
    /// Half-width of the 95 % interval of that; none where too little was measured.
    pub interval: Option<f64>,
    /// Whether accepted falls short of offered while the switches' queues grow.
    pub saturated: bool,
    /// Latency of packets generated in the window.
    pub latency_ns: ManagementLatency,
}

/// Latencies between switches, or of messages; none where they are unbounded or nothing was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ManagementLatency {
    /// Mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
}

/// Half-widths of 95 % intervals; none where too little was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Of the accepted throughput.
    pub accepted: Option<f64>,
    /// Of the mean latency, in nanoseconds.
    pub latency_ns: Option<f64>,
}

impl Record {
    /// The record as one line of JSON.
    ///
    /// # Errors
    /// None of the fields can fail to serialize; the error type is serde's.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

/// The digest of a whole study: FNV-1a-64 over the 64-bit digests of its runs in study order.
pub fn study_digest(records: &[Record]) -> u64 {
    let mut hasher = FnvHasher::default();
    for record in records {
        let digest = u64::from_str_radix(&record.digest, 16).unwrap_or(0);
        hasher.write(&digest.to_le_bytes());
    }
    hasher.finish()
}
