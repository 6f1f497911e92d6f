//! Why a run saturates, where its bound does not tell.

use serde::{Deserialize, Serialize};

use super::record::{Metrics, Why};
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

/// What is offered on average, where it is less than the load by 0.1 % or more: the shares in a file may be
/// rounded.
pub(super) fn offered_mean(experiment: &Experiment, report: &Report) -> Option<f64> {
    let least = experiment.scenario.load.as_fraction() * (1.0 - 1e-3);
    (report.offered < least).then_some((report.offered * 1e9).round() / 1e9)
}

/// A saturated run that accepts less than this part of what its bound allows is clearly below it, and a
/// channel that is busy for less of the time does not limit anything.
pub const CLEARLY: f64 = 0.95;

/// A source that lacks more standard deviations than this falls behind for another reason than chance: of
/// 64,000 that send at random the worst lacks 4 to 5.
const LACKING: f64 = 6.0;

/// How the reason ends, after its load, of a run that accepts all that it was offered but for chance.
const BY_CHANCE: &str = " % load sources fell behind by no more than chance; a longer window tells";

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
    let load = scenario.load.as_fraction();
    // What endpoints offer together differs from the load where some are silent.
    let allowed = bound.min(1.0) * report.offered / load;
    let has_room = load < CLEARLY * bound;
    let lacks_nothing = has_room && report.accepted >= report.offered;
    if report.accepted >= CLEARLY * allowed && !lacks_nothing {
        return None;
    }
    // Other switches than usual, and packets of their own, are for the complete build.
    let fifo = cfg!(feature = "complete") && scenario.switch == SwitchModel::FifoInputs;
    let left = |short: &ShortBuffer| short.bytes as f64 / short.needed as f64;
    let tighter = |short: &&ShortBuffer| {
        !fifo || left(short) < MANY_PORTS || report.accepted > TWO_PORTS * allowed
    };
    let short = short.filter(tighter);
    let others = besides_short_buffers(scenario);
    let is_starved = report.lacking > LACKING;
    let doubt = doubt(report, short.is_some() || !others.is_empty());
    if report.accepted + doubt >= report.offered && !(is_starved && has_room) {
        let percent = f64::from(scenario.load.as_ppm()) / 1e4;
        let chance = load <= bound && !is_starved && report.accepted_interval.is_some();
        return chance.then(|| format!("At {percent}{BY_CHANCE}"));
    }
    let Some(short) = short else {
        let waiting = "Packets that wait for one channel fill the buffers that those for other channels \
                       need, so that links stay idle";
        return Some(if others.is_empty() { waiting.to_owned() } else { others });
    };
    let ShortBuffer { bytes, needed, .. } = short;
    let mut text = format!(
        "A virtual channel's input buffer takes {bytes} B of the {needed} B that a round trip and a \
         packet need, so that links wait for credits"
    );
    // The reduced build has room for one reason.
    let is_all = report.accepted >= CLEARLY * left(short) * allowed;
    if cfg!(feature = "complete") && !is_all && !others.is_empty() {
        text += &format!(". What is lost beyond that may be due to this: {others}");
    }
    Some(text)
}

/// By how much what is accepted may fall short by chance of what is offered: three standard deviations of
/// what the sources send, since a run is looked at for falling behind more often than once, and what the
/// interval leaves open; but only a little of that where a setting is known that holds back.
fn doubt(report: &Report, has_cause: bool) -> f64 {
    let little = (1.0 - CLEARLY) * report.offered;
    let most = if has_cause { little } else { report.offered };
    let open = report.accepted_interval.map_or(little, |interval| interval.min(most));
    open.max(3.0 * report.chance)
}

/// The run whose reason to lie below its bound is to be told: the fullest, one without chance if any.
pub fn most_telling<'a>(runs: impl Iterator<Item = &'a Metrics>) -> Option<&'a Metrics> {
    let told = |run: &&Metrics| run.below_bound.is_some();
    let worth = |run: &Metrics| {
        let chance = run.below_bound.as_ref().is_some_and(|text| text.ends_with(BY_CHANCE));
        if chance { run.offered - 1.0 } else { run.offered }
    };
    runs.filter(told).max_by(|one, other| worth(one).total_cmp(&worth(other)))
}

/// What else in the settings keeps links idle: what each costs is not known.
fn besides_short_buffers(scenario: &Scenario) -> String {
    let complete = cfg!(feature = "complete");
    let fifo = complete && scenario.switch == SwitchModel::FifoInputs;
    let mut causes = String::new();
    let mut add = |cause: &str| {
        if complete && !causes.is_empty() {
            causes += ". ";
        }
        causes += cause;
    };
    if fifo {
        add(
            "Switches have first-in-first-out inputs, where the first packet blocks those behind it: as \
             little as 58.6 % of the rate is left where many ports compete at random, 75 % where two do",
        );
    }
    if complete && scenario.management.load.as_ppm() > 0 {
        add(
            "Packets that switches send one another take links and buffers, too, and are not counted in \
             the bound",
        );
    }
    if complete && scenario.model().flit.is_some() {
        add(
            "A packet keeps an output's virtual channel from its first flit to its last, also while it \
             waits further on, so that links stay idle",
        );
    }
    if !fifo && scenario.output_buffer.0 < FEW_PACKETS * scenario.unit().0 {
        add(
            "Output queues have room for few packets; what finds them full waits at the inputs, before \
             others",
        );
    }
    causes
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
