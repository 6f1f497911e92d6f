//! What a chart can show of a record.

use std::fmt;

use super::RouteNumbers;
use super::record::Record;
use crate::analysis::Numbers;
use crate::catalog::Problem;

/// A metric to be shown, possibly relative to another curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Which metric.
    pub kind: MetricKind,
    /// The curve whose value divides it.
    pub over: Option<String>,
}

macro_rules! metrics {
    (
        simulated { $($(#[$doc:meta])* $kind:ident = $name:literal, $label:literal,
            |$metrics:ident| $value:expr;)+ }
        exchanged { $($(#[$in_doc:meta])* $in_kind:ident = $in_name:literal, $in_label:literal,
            |$exchange:ident| $in_value:expr;)+ }
        fabric { $($(#[$of_doc:meta])* $of_kind:ident = $of_name:literal, $of_label:literal,
            |$numbers:ident| $of_value:expr;)+ }
        routes { $($(#[$by_doc:meta])* $by_kind:ident = $by_name:literal, $by_label:literal,
            |$routes:ident| $by_value:expr;)+ }
    ) => {
        /// A metric that a chart can show.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum MetricKind {
            $($(#[$doc])* $kind,)+
            $($(#[$in_doc])* $in_kind,)+
            $($(#[$of_doc])* $of_kind,)+
            $($(#[$by_doc])* $by_kind),+
        }

        impl MetricKind {
            /// Every metric.
            pub const ALL: &[MetricKind] =
                &[$(MetricKind::$kind,)+ $(MetricKind::$in_kind,)+ $(MetricKind::$of_kind,)+
                    $(MetricKind::$by_kind),+];

            /// The name in the notation.
            pub fn name(self) -> &'static str {
                match self {
                    $(MetricKind::$kind => $name,)+
                    $(MetricKind::$in_kind => $in_name,)+
                    $(MetricKind::$of_kind => $of_name,)+
                    $(MetricKind::$by_kind => $by_name),+
                }
            }

            /// The name on an axis.
            pub fn label(self) -> &'static str {
                match self {
                    $(MetricKind::$kind => $label,)+
                    $(MetricKind::$in_kind => $in_label,)+
                    $(MetricKind::$of_kind => $of_label,)+
                    $(MetricKind::$by_kind => $by_label),+
                }
            }

            /// Whether it is measured of an exchange.
            pub fn is_of_exchange(self) -> bool {
                matches!(self, $(MetricKind::$in_kind)|+)
            }

            /// Whether it follows from the fabric alone, so that nothing need be simulated.
            pub fn is_of_fabric(self) -> bool {
                matches!(self, $(MetricKind::$of_kind)|+)
            }

            /// Whether it follows from fabric and routes alone, so that nothing need be simulated.
            pub fn is_of_routes(self) -> bool {
                matches!(self, $(MetricKind::$by_kind)|+)
            }

            /// The value in a record; none where it is unbounded or was not asked for.
            pub fn value(self, record: &Record) -> Option<f64> {
                match self {
                    $(MetricKind::$kind => {
                        let $metrics = record.metrics.as_ref()?;
                        $value
                    })+
                    $(MetricKind::$in_kind => {
                        let $exchange = record.exchange.as_ref()?;
                        $in_value
                    })+
                    $(MetricKind::$of_kind => self.of_numbers(record.fabric.as_ref()?),)+
                    $(MetricKind::$by_kind => {
                        let $routes: &RouteNumbers = record.routes.as_ref()?;
                        $by_value
                    })+
                }
            }

            /// The value in the numbers of a fabric; none where it is not known yet.
            pub fn of_numbers(self, numbers: &Numbers) -> Option<f64> {
                match self {
                    $(MetricKind::$of_kind => {
                        let $numbers = numbers;
                        $of_value
                    })+
                    _ => None,
                }
            }
        }
    };
}

metrics! {
    simulated {
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
    Fairness = "fairness", "fairness index", |m| m.fairness;
    /// The worst source's rate.
    WorstSource = "worst_source", "accepted rate of the worst source", |m| Some(m.worst_source);
    /// Mean number of switches crossed.
    Hops = "hops_mean", "mean number of switches crossed", |m| Some(m.hops_mean);
    /// The busiest channel.
    Utilization = "max_utilization", "utilization of the busiest channel between switches", |m| Some(m.max_utilization);
    /// What reaches a switch from others.
    Management = "management", "throughput between switches, per switch",
        |m| m.management.as_ref().map(|m| m.accepted);
    /// The analytic bound.
    Bound = "bound", "load at which the busiest channel fills", |m| m.bound;
    }
    exchanged {
    /// When everything was done.
    Completion = "completion", "completion time", |e| e.completion_ns;
    /// The time without contention.
    Ideal = "ideal", "completion time without contention", |e| e.ideal_ns;
    /// What the busiest channel takes for all messages over it.
    ChannelTime = "channel_time", "time that the busiest channel takes", |e| e.bound_ns;
    /// Throughput until everything was done.
    EffectiveThroughput = "effective_throughput", "effective throughput",
        |e| e.effective_throughput;
    /// Mean latency of messages.
    MessageLatency = "message_latency", "mean latency of messages", |e| e.latency_ns.mean;
    /// Largest latency of a message.
    MessageLatencyMax = "message_latency_max", "largest latency of a message",
        |e| e.latency_ns.max;
    /// Smallest latency of a message.
    MessageLatencyMin = "message_latency_min", "smallest latency of a message",
        |e| e.latency_min_ns;
    /// Bandwidth of a rank on a ring, or of two in ping-pong.
    RankBandwidth = "rank_bandwidth", "bandwidth of a rank (MB/s)",
        |e| e.rank_bandwidth.map(|rates| rates.mean);
    /// The smallest, also of all seeds.
    RankBandwidthMin = "rank_bandwidth_min", "smallest bandwidth of a rank (MB/s)",
        |e| e.rank_bandwidth.map(|rates| rates.min);
    /// The largest, also of all seeds.
    RankBandwidthMax = "rank_bandwidth_max", "largest bandwidth of a rank (MB/s)",
        |e| e.rank_bandwidth.map(|rates| rates.max);
    }
    fabric {
    /// Live endpoints.
    Endpoints = "endpoints", "endpoints", |n| Some(f64::from(n.endpoints));
    /// Switches.
    Switches = "switches", "switches", |n| Some(f64::from(n.switches));
    /// Links, those of endpoints included.
    Links = "links", "links", |n| Some(f64::from(n.links));
    /// Ports of the largest switch.
    Radix = "radix", "ports per switch", |n| Some(f64::from(n.radix));
    /// Cabled switch ports per endpoint.
    Ports = "ports_per_endpoint", "switch ports per endpoint", |n| Some(n.ports_per_endpoint);
    /// Links per endpoint.
    LinksPerEndpoint = "links_per_endpoint", "links per endpoint", |n| Some(n.links_per_endpoint);
    /// The longest shortest path.
    Diameter = "diameter", "diameter", |n| n.diameter.map(f64::from);
    /// The mean shortest path.
    MeanDistance = "mean_distance", "mean distance", |n| n.mean_distance;
    /// Mean number of shortest paths.
    Diversity = "diversity", "mean number of shortest paths", |n| n.diversity.map(|d| d.mean);
    /// Largest number of shortest paths.
    DiversityMax = "diversity_max", "largest number of shortest paths", |n| n.diversity.map(|d| d.max);
    /// The best cut found.
    Bisection = "bisection", "bisection per endpoint (best cut found)",
        |n| n.bisection_per_endpoint;
    }
    routes {
    /// Contention of the worst shift, or phase of an exchange.
    Contention = "contention", "flows on the busiest channel in the worst shift or phase", |r| r.contention;
    /// Mean contention of the shifts, or phases.
    ContentionMean = "contention_mean", "mean over all shifts or phases of the flows on the busiest channel",
        |r| r.contention_mean;
    /// Virtual layers.
    Layers = "layers", "virtual layers", |r| Some(f64::from(r.layers));
    /// Pairs of endpoints without a route.
    Unrouted = "unrouted", "pairs of endpoints without a route", |r| r.unrouted.map(|n| n as f64);
    /// Pairs of switches without a route.
    UnroutedSwitches = "unrouted_switches", "pairs of switches without a route",
        |r| r.unrouted_switches.map(|n| n as f64);
    }
}

impl MetricKind {
    /// What the values of several seeds come to: their mean, or the smallest or largest where that is
    /// what the metric is about.
    pub fn pooled(self, values: &[f64]) -> f64 {
        match self {
            MetricKind::MessageLatencyMin | MetricKind::RankBandwidthMin => {
                values.iter().copied().fold(f64::INFINITY, f64::min)
            }
            MetricKind::RankBandwidthMax => values.iter().copied().fold(0.0, f64::max),
            _ => values.iter().sum::<f64>() / values.len() as f64,
        }
    }

    /// Why it is not known of an exchange that was run, where that can be said: a rank's bandwidth.
    pub fn why_unknown(self, record: &Record) -> Option<&'static str> {
        use MetricKind::{RankBandwidth, RankBandwidthMax, RankBandwidthMin};
        let of_rank = matches!(self, RankBandwidth | RankBandwidthMax | RankBandwidthMin);
        let lacks = record.exchange.as_ref().is_some_and(|run| run.rank_bandwidth.is_none());
        let why = "only a ring or ping-pong has one, once all has arrived";
        (of_rank && lacks).then_some(why)
    }

    /// Whether that is a mean.
    pub fn is_averaged(self) -> bool {
        use MetricKind::{MessageLatencyMin, RankBandwidthMax, RankBandwidthMin};
        !matches!(self, MessageLatencyMin | RankBandwidthMin | RankBandwidthMax)
    }
}

impl Metric {
    /// What `over=` names besides curves: the time without contention.
    pub const IDEAL: &str = "ideal";

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
