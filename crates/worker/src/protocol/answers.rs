//! What replies are made of.

use dragontree::catalog::Problem;
use dragontree::network::Network;
#[cfg(feature = "complete")]
use dragontree::network::Node;
#[cfg(feature = "complete")]
use dragontree::scenario::busiest_channel;
use dragontree::scenario::{Analysis, Why, link_classes};

use crate::wire::wire_struct;

/// A network in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Endpoints, empty slots included.
    pub endpoints: u32,
    /// Switches.
    pub switches: u32,
    /// Links, those of endpoints included.
    pub links: u32,
    /// The largest number of ports of a switch.
    pub radix: u32,
    /// The classes of its links, as [`link_classes`] has them.
    pub classes: u32,
}

impl Size {
    /// Counts a network.
    pub fn of(network: &Network) -> Size {
        Size {
            endpoints: network.endpoint_count(),
            switches: network.switch_count(),
            links: network.link_count(),
            radix: network.radix(),
            classes: link_classes(network),
        }
    }
}

/// What is to be said of a part of the catalog or of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// The key that the part belongs to.
    pub key: String,
    /// The part's name in the notation; empty where the key has settings of its own.
    pub part: String,
    /// The setting's name; empty where the part is meant.
    pub setting: String,
    /// A sentence.
    pub text: String,
}

/// What analysis says before anything is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Foresight {
    /// The offered load at which the busiest channel fills; not known of an adaptive routing, nor
    /// where finding it takes too long.
    pub bound: Option<f64>,
    /// That channel in words.
    pub busiest: Option<String>,
    /// What shares it, where it limits the throughput.
    pub why: Option<Why>,
    /// Mean latency in an otherwise empty network, in nanoseconds, where it is known.
    pub zero_load_ns: Option<f64>,
    /// Mean number of switches on the way.
    pub hops_mean: f64,
}

impl Foresight {
    /// The part of an analysis that the page shows.
    pub fn of(analysis: &Analysis) -> Foresight {
        let limit = analysis.limit.as_ref();
        Foresight {
            bound: limit.map(|limit| limit.bound),
            busiest: limit.map(|limit| limit.busiest_name.clone()),
            why: limit.and_then(|limit| limit.why.clone()),
            zero_load_ns: analysis.report.zero_load(),
            hops_mean: analysis.report.hops_mean,
        }
    }
}

/// How busy the channels of a run were.
#[derive(Clone, Debug, PartialEq)]
pub struct Utilization {
    /// For each port of the network, the share of the measuring window that its channel was, in
    /// 255ths.
    pub channels: Vec<u8>,
    /// The port of the one that was busiest of those that leave switches.
    pub busiest: u32,
    /// How many were as busy.
    pub alike: u32,
}

#[cfg(feature = "complete")]
impl Utilization {
    /// Those of a run, whose network is given.
    pub fn of(network: &Network, shares: &[f64]) -> Option<Utilization> {
        let (busiest, most) = busiest_channel(network, shares)?;
        let channels = network.channels().map(|(port, _)| port);
        let alike = channels.filter(|port| {
            let is_alike = shares.get(port.index()).is_some_and(|share| *share >= most);
            is_alike && matches!(network.owner(*port), Node::Switch(_))
        });
        Some(Utilization {
            channels: shares.iter().map(|share| (share * 255.0).round() as u8).collect(),
            busiest: busiest.0,
            alike: alike.count() as u32,
        })
    }
}

/// A problem on its way to the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    key: String,
    given: String,
    allowed: String,
    nearest: Option<String>,
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        let Problem { key, given, allowed, nearest } = problem;
        Refusal { key, given, allowed, nearest }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let problem = Problem::new(refusal.key, refusal.given, refusal.allowed);
        Problem { nearest: refusal.nearest, ..problem }
    }
}

wire_struct! { Size { endpoints, switches, links, radix, classes } }
wire_struct! { Remark { key, part, setting, text } }
wire_struct! { Foresight { bound, busiest, why, zero_load_ns, hops_mean } }
wire_struct! { Utilization { channels, busiest, alike } }
wire_struct! { Refusal { key, given, allowed, nearest } }
