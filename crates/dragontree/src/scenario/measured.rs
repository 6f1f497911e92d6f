//! What shares the channel that was busiest, where no analysis tells.

use std::collections::BTreeMap;

use super::record::{Why, WhyPortion};
use super::{Experiment, MeasuredChannel, saturation};
use crate::analysis::{self, number};
use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::routing::Pair;
use crate::simulation::{Crossing, Crossings, Report};

/// The most portions of the traffic that are told one by one.
const TOLD: usize = 3;

impl MeasuredChannel {
    /// Of a saturated run whose bound is not known, the busiest of the channels that leave switches.
    pub(super) fn find(experiment: &Experiment, report: &Report) -> Option<MeasuredChannel> {
        let (channel, utilization) = saturation::busiest(experiment, report)?;
        let seen = report.crossings.as_ref().filter(|seen| !seen.packets.is_empty());
        let rate = experiment.network.channel(channel)?.bandwidth.as_bps() as f64;
        let missed = |packets: &_| Minimal::new(experiment, channel).missed(packets);
        Some(MeasuredChannel {
            channel: experiment.network.channel_name(channel),
            utilization,
            packets: seen.map_or(0, |seen| seen.packets.len() as u64),
            detours: seen.map_or(0.0, |seen| missed(&seen.packets)),
            why: seen.map(|seen| shared(&experiment.network, seen, rate)),
        })
    }
}

/// What the packets belonged to that went over a channel of this rate.
fn shared(network: &Network, seen: &Crossings, rate: f64) -> Why {
    let mut flows: BTreeMap<[EndpointId; 2], f64> = BTreeMap::new();
    // The first of them came at the beginning, or one of them later.
    let time = seen.time.as_ps().max(1) as f64 * 1e-12;
    for Crossing { source, destination, bytes, .. } in &seen.packets {
        let share = bytes.0 as f64 * 8.0 / rate / time;
        *flows.entry([*source, *destination]).or_default() += share;
    }
    let ends = |end: usize| {
        let mut all: Vec<EndpointId> = flows.keys().map(|flow| flow[end]).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let (sources, destinations) = (ends(0), ends(1));
    Why {
        flows: flows.len() as u64,
        sources: sources as u64,
        destinations: destinations as u64,
        formula: formula(seen.packets.len(), flows.len(), sources, flows.values().sum()),
        largest: largest(network, &flows),
    }
}

/// So many times as many packets show nearly all of the flows, or of the endpoints.
const SHOWN: usize = 10;

/// How the packets together take so much of a channel's rate, by flows, or by endpoints where there are
/// too many flows for so few packets.
fn formula(packets: usize, flows: usize, sources: usize, together: f64) -> String {
    let all = number(together);
    let shared = |count: usize, noun: &str| {
        let each = number(together / count as f64);
        format!("{count} {noun} took {each} of its rate each on average: {count} × {each} = {all}")
    };
    match packets / SHOWN {
        _ if flows == 1 => format!("1 flow took {all} of its rate"),
        shown if shown >= flows => shared(flows, "flows"),
        shown if shown >= sources => shared(sources, "endpoints"),
        _ => format!("{packets} packets of {flows} flows took {all} of its rate"),
    }
}

/// The largest portions, by the switches of their sources and destinations.
fn largest(network: &Network, flows: &BTreeMap<[EndpointId; 2], f64>) -> Vec<WhyPortion> {
    let mut portions: BTreeMap<[SwitchId; 2], (u64, f64)> = BTreeMap::new();
    for ([source, destination], share) in flows {
        let ends = (network.switch_of(*source), network.switch_of(*destination));
        let (Some(from), Some(to)) = ends else { continue };
        let portion = portions.entry([from, to]).or_default();
        *portion = (portion.0 + 1, portion.1 + share);
    }
    let mut portions: Vec<_> = portions.into_iter().collect();
    portions.sort_by(|(_, (_, one)), (_, (_, other))| other.total_cmp(one));
    let name = |switch| network.name(Node::Switch(switch));
    let words = |([from, to], (flows, utilization)): ([SwitchId; 2], (u64, f64))| WhyPortion {
        from: name(from),
        to: name(to),
        flows,
        utilization: (utilization * 1e6).round() / 1e6,
    };
    portions.into_iter().take(TOLD).map(words).collect()
}

/// The minimal ways, as far as a channel is concerned.
struct Minimal<'a> {
    experiment: &'a Experiment,
    channel: PortId,
    /// Switches on the longest of them, and whether one leads over the channel, by the switches at the
    /// ends.
    known: BTreeMap<[SwitchId; 2], (u32, bool)>,
}

impl Minimal<'_> {
    fn new(experiment: &Experiment, channel: PortId) -> Minimal<'_> {
        Minimal { experiment, channel, known: BTreeMap::new() }
    }

    /// The share of the packets that have not gone over the channel on one of them.
    fn missed(mut self, packets: &[Crossing]) -> f64 {
        let elsewhere = packets.iter().filter(|packet| {
            let Crossing { source, destination, switches, .. } = **packet;
            let ways = self.ways(Pair { source, destination });
            ways.is_some_and(|(longest, over)| switches > longest || !over)
        });
        elsewhere.count() as f64 / packets.len().max(1) as f64
    }

    fn ways(&mut self, pair: Pair) -> Option<(u32, bool)> {
        let Experiment { network, routes, .. } = self.experiment;
        let ends = [network.switch_of(pair.source)?, network.switch_of(pair.destination)?];
        if let Some(known) = self.known.get(&ends) {
            return Some(*known);
        }
        let leads_into_endpoint = matches!(network.neighbor(self.channel), Some(Node::Endpoint(_)));
        let (mut longest, mut over) = (0, leads_into_endpoint);
        let unloaded = routes.unloaded().oblivious();
        let walked = analysis::paths(network, unloaded, pair, &mut |path, _| {
            longest = longest.max(path.len() as u32 - 1);
            over |= path.iter().any(|step| step.port == self.channel);
        });
        walked.ok()?;
        self.known.insert(ends, (longest, over));
        Some((longest, over))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_counts_what_is_shown() {
        let said = |packets, flows, sources| formula(packets, flows, sources, 1.0);
        assert_eq!(said(100, 1, 1), "1 flow took 1 of its rate");
        let eight = "8 flows took 0.125 of its rate each on average: 8 × 0.125 = 1";
        assert_eq!(said(2000, 8, 8), eight);
        let sources = "32 endpoints took 0.03125 of its rate each on average: 32 × 0.03125 = 1";
        assert_eq!(said(2000, 862, 32), sources);
        assert_eq!(said(2000, 901, 801), "2000 packets of 901 flows took 1 of its rate");
    }
}
