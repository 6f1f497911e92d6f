//! What an audit says, with names instead of ids.

use serde::{Deserialize, Serialize};

use crate::analysis::connectivity::{Connectivity, Pairs};
use crate::analysis::contention::{Contention, Direction};

/// What an audit of a fabric and its routes says. Its JSON form is stable; keys may be added.
///
/// Ports have the numbers of [`Network::shown_number`](crate::network::Network::shown_number).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditReport {
    /// The name of the routing.
    pub engine: String,
    /// Live endpoints.
    pub endpoints: u32,
    /// Switches.
    pub switches: u32,
    /// Links, those of endpoints included.
    pub links: u32,
    /// The audit in sentences, the most important first.
    pub findings: Vec<Remark>,
    /// Ordered pairs of endpoints, those of all rails together.
    pub endpoint_pairs: Option<Pairs>,
    /// Ordered pairs of switches; none where routes do not lead to switches.
    pub switch_pairs: Option<Pairs>,
    /// Virtual layers or channels that the routes use.
    pub layers: Option<u32>,
    /// Whether the routes are free of cycles of dependencies, so that they cannot deadlock.
    pub acyclic: Acyclic,
    /// The shortest cycle: each channel waits for the next one, the last for the first.
    pub cycle: Vec<CycleStep>,
    /// Contention of the shift all-to-all on the rail where it is worst.
    pub contention: Option<ContentionSummary>,
    /// The order in which endpoints take part in the shifts.
    pub order: String,
    /// Every rail by itself.
    pub rails: Vec<RailReport>,
    /// How evenly destinations are shared out among the ports that lead up; none where it is not
    /// known which do, or routes are no tables.
    pub uplinks: Option<Uplinks>,
    /// The fat trees that are found, and what is none.
    pub trees: Vec<TreeReport>,
    /// What is odd in the files of the routes.
    pub notices: Vec<String>,
}

/// A sentence of an audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// How much it matters.
    pub weight: Weight,
    /// What it is about.
    pub subject: Subject,
    /// The sentence.
    pub text: String,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// Something is wrong.
    Fault,
    /// Something costs performance or is unusual.
    Warning,
    /// Something to know.
    Note,
    /// All is well.
    Good,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The routes as a whole.
    Routes,
    /// Pairs without a route.
    Connectivity,
    /// Cycles of dependencies.
    Deadlock,
    /// Shared channels.
    Contention,
    /// Uneven use of links.
    Uplinks,
    /// Cables.
    Cabling,
    /// The files.
    Files,
}

/// Whether routes are free of cycles, by who sends to whom; none where that was not looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acyclic {
    /// Endpoints to endpoints.
    pub endpoints: Option<bool>,
    /// Switches to switches.
    pub switches: Option<bool>,
    /// Endpoints and switches to both.
    pub together: Option<bool>,
}

/// A channel of a cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CycleStep {
    /// The switch that the channel leaves.
    pub switch: String,
    /// The port there.
    pub port: u32,
    /// The switch that it leads to.
    pub to: String,
    /// The virtual channel.
    pub virtual_channel: u8,
    /// Where a packet comes from that holds this channel and needs the next one.
    pub source: String,
    /// Where that packet goes.
    pub destination: String,
    /// The switch's id and the port's number among its own, from 0.
    pub at: [u32; 2],
}

/// Contention in short.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContentionSummary {
    /// How many stages there are.
    pub stages: u32,
    /// The largest number of flows on one channel in any stage.
    pub worst: f64,
    /// The mean over the stages of the largest number of flows on one channel.
    pub mean: f64,
}

/// A rail.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RailReport {
    /// Endpoints that take part.
    pub endpoints: u32,
    /// Places of the shifts, those of place keepers included.
    pub places: u32,
    /// Switches.
    pub switches: u32,
    /// The parts that no cable joins, those with endpoints; one when all is well.
    pub pieces: Vec<Piece>,
    /// Which pairs have a route, and where others are lost.
    pub connectivity: Connectivity,
    /// Contention of the shift all-to-all.
    pub contention: Option<Contention>,
    /// Why that is not known.
    pub contention_unknown: Option<String>,
    /// Channels that carry several flows in some stage.
    pub overloaded: u32,
    /// The most loaded of them.
    pub most_loaded: Vec<LoadedChannel>,
}

/// Switches that are joined, with their endpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Its first switch.
    pub first: String,
    /// Switches.
    pub switches: u32,
    /// Endpoint ports on them.
    pub endpoints: u32,
}

/// A channel that carries several flows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadedChannel {
    /// The switch that it leaves.
    pub switch: String,
    /// The port there.
    pub port: u32,
    /// The switch that it leads to.
    pub to: String,
    /// The most flows in one stage.
    pub flows: f64,
    /// The switch's id and the port's number among its own, from 0.
    pub at: [u32; 2],
}

/// How destinations are shared out among the ports that lead up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Uplinks {
    /// Switches with at least two ports that lead up.
    pub switches: u32,
    /// Those with a port that leads to at least two destinations more than another, which the
    /// best division does not need.
    pub uneven: u32,
    /// The most uneven switches.
    pub listed: Vec<Uplink>,
}

/// A switch's ports that lead up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Uplink {
    /// The switch.
    pub switch: String,
    /// How many ports lead up.
    pub ports: u32,
    /// How many endpoints are reached by them.
    pub destinations: u32,
    /// The fewest destinations of a port.
    pub fewest: u32,
    /// The port with most of them.
    pub busiest: u32,
    /// Its destinations.
    pub most: u32,
    /// The share of the bandwidth of these links that traffic to all destinations alike can use:
    /// the mean number of destinations over the largest.
    pub usable: f64,
}

/// Switches that form a tree, or do not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeReport {
    /// Its first switch.
    pub first: String,
    /// Switches.
    pub switches: u32,
    /// The widths, as in `m=18.36 w=1.18 p=1.1`.
    pub tree: Option<String>,
    /// Why there is none.
    pub reason: Option<String>,
    /// What deviates from it: the first of them.
    pub deviations: Vec<DeviationReport>,
    /// How many do.
    pub deviation_count: u32,
}

/// What deviates from a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviationReport {
    /// What kind of thing it is: missing, surplus, miscabled, slow, endpoints or switches.
    pub kind: String,
    /// It in words.
    pub text: String,
}

impl ContentionSummary {
    /// The short form.
    pub fn of(contention: &Contention) -> ContentionSummary {
        let Contention { stages, worst, mean, .. } = *contention;
        ContentionSummary { stages, worst, mean }
    }
}

impl Direction {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Up => "up",
            Direction::Down => "down",
        }
    }
}
