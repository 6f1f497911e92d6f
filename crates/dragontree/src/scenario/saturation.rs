//! Why a run saturates, where its bound does not tell.

use serde::{Deserialize, Serialize};

use super::record::Why;
use super::{Experiment, Scenario, ShortBuffer};
#[cfg(feature = "complete")]
use crate::network::{Network, Node, PortId};
use crate::simulation::{Report, SwitchModel};

/// A channel that was busier than all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredChannel {
    /// From where to where it leads.
    pub channel: String,
    /// The share of the measuring window that it was busy.
    pub utilization: f64,
    /// How many packets went over it after the window, from which all that follows was found.
    pub packets: u64,
    /// The share of these that did not come over it on a minimal way; none without packets, and where
    /// routes do not adapt.
    pub detours: Option<f64>,
    /// Where they went, in a sentence without its end.
    pub found: Option<String>,
    /// What they belonged to, with what that took of the channel's rate; counts are of what was found
    /// among them. None without packets.
    pub why: Option<Why>,
}

/// The busiest channel of a saturated run whose bound is not known, and how busy it was.
#[cfg(feature = "complete")]
pub(super) fn busiest(experiment: &Experiment, report: &Report) -> Option<(PortId, f64)> {
    // Adaptive routings have no bound, nor have those with too many ways.
    if !report.saturated || experiment.analysis.limit.is_some() {
        return None;
    }
    busiest_channel(&experiment.network, &report.utilization)
}

/// The busiest of the channels that leave switches (the first of them), and how busy it is.
#[cfg(feature = "complete")]
pub fn busiest_channel(network: &Network, utilization: &[f64]) -> Option<(PortId, f64)> {
    let share = |port: PortId| utilization.get(port.index()).copied().unwrap_or(0.0);
    let ports = network.channels().map(|(port, _)| port);
    let busiest = ports
        .filter(|port| matches!(network.owner(*port), Node::Switch(_)))
        .reduce(|one, other| if share(other) > share(one) { other } else { one })?;
    Some((busiest, share(busiest)))
}

/// A saturated run that accepts less than this part of what its bound allows is clearly below it, and a
/// channel that is busy for less of the time does not limit anything.
const CLEARLY: f64 = 0.95;

/// Why a run saturates clearly below its bound, or where that is not known before any channel fills, in a
/// sentence: what the bound does not take into account and this run has.
pub(super) fn below_bound(
    experiment: &Experiment,
    report: &Report,
    short: Option<&ShortBuffer>,
) -> Option<String> {
    if !report.saturated || report.deadlock.is_some() || has_full_channel(experiment, report) {
        return None;
    }
    let scenario = &experiment.scenario;
    let bound = experiment.analysis.limit.as_ref().map_or(1.0, |limit| limit.bound);
    let (allowed, sent) = (bound.min(1.0), sent(experiment));
    let load = scenario.load.as_fraction();
    // Sources may also have fallen behind by chance.
    let most = (1.0 - CLEARLY) * load * sent;
    let doubt = report.accepted_interval.map_or(most, |interval| interval.min(most));
    if report.accepted >= CLEARLY * allowed * sent || report.accepted + doubt >= load * sent {
        return None;
    }
    // Other switches than usual, and packets of their own, are for the complete build.
    let fifo = cfg!(feature = "complete") && scenario.switch == SwitchModel::FifoInputs;
    let left = |short: &ShortBuffer| short.bytes as f64 / short.needed as f64;
    let tighter = |short: &&ShortBuffer| {
        !fifo || left(short) < MANY_PORTS || report.accepted > TWO_PORTS * bound
    };
    let Some(short) = short.filter(tighter) else {
        let text = besides_short_buffers(scenario).unwrap_or(
            "Packets that wait for one channel fill the buffers that those for other channels need, \
             so that links stay idle",
        );
        return Some(text.to_owned());
    };
    let ShortBuffer { bytes, needed, .. } = short;
    let text = format!(
        "A virtual channel's input buffer takes {bytes} B of the {needed} B that a round trip and a \
         packet need, so that links wait for credits"
    );
    // The reduced build has room for one reason.
    let is_all = report.accepted >= CLEARLY * left(short) * allowed * sent;
    let other = besides_short_buffers(scenario).filter(|_| cfg!(feature = "complete") && !is_all);
    Some(match other {
        Some(other) => format!("{text}. {other}"),
        None => text,
    })
}

/// What else in the settings keeps links idle, if anything.
fn besides_short_buffers(scenario: &Scenario) -> Option<&'static str> {
    let complete = cfg!(feature = "complete");
    let text = if complete && scenario.switch == SwitchModel::FifoInputs {
        "Switches have first-in-first-out inputs, where the first packet blocks those behind it: 58.6 % \
         of the rate is left where many ports compete at random, 75 % where two do"
    } else if complete && scenario.management.load.as_ppm() > 0 {
        "Packets that switches send one another take links and buffers, too, and are not counted in \
         the bound"
    } else if complete && scenario.model().flit.is_some() {
        "A packet keeps an output's virtual channel from its first flit to its last, also while it \
         waits further on, so that links stay idle"
    } else if scenario.output_buffer.0 < FEW_PACKETS * scenario.unit().0 {
        "Output queues have room for few packets; what finds them full waits at the inputs, before \
         others"
    } else {
        return None;
    };
    Some(text)
}

/// Whether a channel that leaves a switch was busy nearly all the time, where the bound is not known.
fn has_full_channel(experiment: &Experiment, report: &Report) -> bool {
    #[cfg(feature = "complete")]
    return busiest(experiment, report).is_some_and(|(_, share)| share >= CLEARLY);
    // Other builds hold no routes that adapt.
    #[cfg(not(feature = "complete"))]
    {
        let _ = (experiment, report);
        false
    }
}

/// What first-in-first-out inputs leave of the rate of many ports that compete at random, and of two (Karol,
/// Hluchyj & Morgan 1987).
pub(super) const MANY_PORTS: f64 = 0.586;
const TWO_PORTS: f64 = 0.75;

/// Room for fewer packets makes an output queue small.
const FEW_PACKETS: u64 = 4;

/// What all endpoints together send into the network at full rate, as a share of their links' rate.
fn sent(experiment: &Experiment) -> f64 {
    let Experiment { network, analysis, .. } = experiment;
    let (mut sent, mut all) = (0.0, 0.0);
    for endpoint in network.endpoints() {
        let Some(port) = network.injection(endpoint) else { continue };
        let Some(channel) = network.channel(port) else { continue };
        let rate = channel.bandwidth.as_bps() as f64;
        let share = analysis.report.utilization.get(port.index()).copied().unwrap_or(0.0);
        (sent, all) = (sent + share * rate, all + rate);
    }
    if all > 0.0 { sent / all } else { 0.0 }
}
