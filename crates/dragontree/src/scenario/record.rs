//! What a finished run says, in machine-readable form.

use std::fmt;
use std::hash::Hasher;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

use crate::catalog::Problem;

/// The number of the engine; it rises when the same scenario gives other numbers.
pub const ENGINE_VERSION: u32 = 1;

/// A place on the horizontal axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Abscissa {
    /// A number: a fraction for loads, nanoseconds, bytes, gigabits per second, or a count.
    Number(f64),
    /// A name.
    Word(String),
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
    /// What was measured and computed.
    pub metrics: Metrics,
}

/// The numbers of a run. Rates are fractions of the endpoints' link rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Offered load.
    pub offered: f64,
    /// Accepted throughput: ejected in the window, averaged over all endpoints.
    pub accepted: f64,
    /// Whether accepted falls short of offered while source queues grow.
    pub saturated: bool,
    /// Whether the precision was reached before the run's limit.
    pub settled: bool,
    /// Latency of packets generated in the window, from generation to the last bit delivered.
    pub latency_ns: LatencyRecord,
    /// The offered load at which the busiest channel fills (analytic).
    pub bound: f64,
    /// The busiest channel of that analysis.
    pub busiest: String,
    /// Half-widths of the 95 % intervals.
    pub interval: Interval,
    /// Jain's fairness index of the sources' accepted rates.
    pub fairness: f64,
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
    /// Packets delivered in the window.
    pub packets: u64,
    /// Simulated time before the window.
    pub warmup_ns: f64,
    /// Simulated time of the window.
    pub window_ns: f64,
    /// The waiting packets that block each other, when nothing could move any more.
    pub deadlock: Option<Vec<String>>,
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
    /// Mean latency in an otherwise empty network (analytic).
    pub zero_load: f64,
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

/// Writes records as comma-separated values with a header line.
pub fn csv(records: &[Record]) -> String {
    let mut text = String::from("series,x,seed,offered,accepted,accepted_interval,saturated,");
    text.push_str("latency_mean_ns,latency_interval_ns,latency_p50_ns,latency_p99_ns,");
    text.push_str("latency_max_ns,latency_zero_load_ns,bound,fairness,worst_source,hops_mean,");
    text.push_str("max_utilization,packets,digest,scenario\n");
    for record in records {
        let m = &record.metrics;
        let place = match &record.x {
            Abscissa::Number(number) => number.to_string(),
            Abscissa::Word(word) => quoted(word),
        };
        let optional = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
        let latency = &m.latency_ns;
        let cells = [
            quoted(&record.series),
            place,
            record.seed.to_string(),
            m.offered.to_string(),
            m.accepted.to_string(),
            optional(m.interval.accepted),
            m.saturated.to_string(),
            optional(latency.mean),
            optional(m.interval.latency_ns),
            optional(latency.p50),
            optional(latency.p99),
            optional(latency.max),
            latency.zero_load.to_string(),
            m.bound.to_string(),
            m.fairness.to_string(),
            m.worst_source.to_string(),
            m.hops_mean.to_string(),
            m.max_utilization.to_string(),
            m.packets.to_string(),
            record.digest.clone(),
            quoted(&record.scenario),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// A metric to be shown, possibly relative to another curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Which metric.
    pub kind: MetricKind,
    /// The curve whose value divides it.
    pub over: Option<String>,
}

macro_rules! metrics {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $label:literal, |$record:ident| $value:expr;)+) => {
        /// A metric that a chart can show.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum MetricKind {
            $($(#[$doc])* $kind),+
        }

        impl MetricKind {
            /// Every metric.
            pub const ALL: &[MetricKind] = &[$(MetricKind::$kind),+];

            /// The name in the notation.
            pub fn name(self) -> &'static str {
                match self {
                    $(MetricKind::$kind => $name),+
                }
            }

            /// The name on an axis.
            pub fn label(self) -> &'static str {
                match self {
                    $(MetricKind::$kind => $label),+
                }
            }

            /// The value in a run's metrics; none where it is unbounded.
            pub fn value(self, metrics: &Metrics) -> Option<f64> {
                match self {
                    $(MetricKind::$kind => {
                        let $record = metrics;
                        $value
                    }),+
                }
            }
        }
    };
}

metrics! {
    /// Accepted throughput.
    Accepted = "accepted", "accepted throughput", |m| Some(m.accepted);
    /// Mean latency.
    Latency = "latency", "mean latency", |m| m.latency_ns.mean;
    /// Median latency.
    LatencyMedian = "latency_p50", "median latency", |m| m.latency_ns.p50;
    /// 99th percentile of the latency.
    LatencyP99 = "latency_p99", "99th percentile of latency", |m| m.latency_ns.p99;
    /// Largest latency.
    LatencyMax = "latency_max", "largest latency", |m| m.latency_ns.max;
    /// Jain's index.
    Fairness = "fairness", "fairness index", |m| Some(m.fairness);
    /// The worst source's rate.
    WorstSource = "worst_source", "accepted rate of the worst source", |m| Some(m.worst_source);
    /// Mean number of switches crossed.
    Hops = "hops_mean", "mean number of switches crossed", |m| Some(m.hops_mean);
    /// The busiest channel.
    Utilization = "max_utilization", "utilization of the busiest channel", |m| Some(m.max_utilization);
    /// The analytic bound.
    Bound = "bound", "load at which the busiest channel fills", |m| Some(m.bound);
}

impl Metric {
    /// Reads `NAME` or `NAME,over=CURVE`.
    ///
    /// # Errors
    /// There is no such metric.
    pub fn read(text: &str) -> Result<Metric, Problem> {
        let (name, rest) = text.split_once(',').map_or((text, None), |(n, rest)| (n, Some(rest)));
        let names: Vec<&str> = MetricKind::ALL.iter().map(|kind| kind.name()).collect();
        let kind = MetricKind::ALL.iter().find(|kind| kind.name() == name);
        let kind = *kind.ok_or_else(|| Problem::unknown("y", name, &names))?;
        let over = match rest {
            None => None,
            Some(rest) => match rest.strip_prefix("over=").filter(|over| !over.is_empty()) {
                Some(over) => Some(over.to_owned()),
                None => return Err(Problem::new("y", rest, "expected over=CASE")),
            },
        };
        Ok(Metric { kind, over })
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind.name())?;
        match &self.over {
            Some(over) => write!(formatter, ",over={over}"),
            None => Ok(()),
        }
    }
}
