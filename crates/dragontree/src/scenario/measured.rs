//! What shares the channel that was busiest, where no analysis tells.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Why, WhyPortion};
use super::{Experiment, MeasuredChannel, saturation};
use crate::analysis::{self, number};
use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::routing::Pair;
use crate::simulation::{Crossing, Crossings, Report};

/// The most portions of the traffic that are told one by one.
const TOLD: usize = 3;
/// The fewest packets that a portion is told of.
const FEWEST: u64 = 20;

impl MeasuredChannel {
    /// Of a saturated run whose bound is not known, the busiest of the channels that leave switches.
    pub(super) fn find(experiment: &Experiment, report: &Report) -> Option<MeasuredChannel> {
        let (channel, utilization) = saturation::busiest(experiment, report)?;
        let seen = report.crossings.as_ref().filter(|seen| !seen.packets.is_empty());
        let rate = experiment.network.channel(channel)?.bandwidth.as_bps() as f64;
        let packets = seen.map_or(0, |seen| seen.packets.len() as u64);
        let missed = |seen: &Crossings| Minimal::new(experiment, channel).missed(&seen.packets);
        // Others know no detours.
        let adapts = experiment.routes.adaptive().is_some();
        let detours = seen.filter(|_| adapts).map(missed);
        let why = seen.map(|seen| shared(&experiment.network, seen, rate));
        Some(MeasuredChannel {
            channel: experiment.network.channel_name(channel),
            utilization,
            packets,
            detours,
            found: why.as_ref().map(|why| found(packets, why, detours)),
            why,
        })
    }
}

/// So many packets for each flow, or endpoint, show nearly all of these.
const SHOWN: u64 = 10;

/// Where so many packets went, in words.
fn found(packets: u64, why: &Why, detours: Option<f64>) -> String {
    let counted = |count: u64| match count * SHOWN <= packets {
        true => count.to_string(),
        false => format!("at least {count}"),
    };
    let from = match why.sources {
        1 => "one endpoint".to_owned(),
        sources => format!("{} endpoints", counted(sources)),
    };
    let to = counted(why.destinations);
    let text = format!("The next {packets} packets over it went from {from} to {to}");
    let Some(detours) = detours else { return text };
    // Whole percents, but all or none only where it is so.
    let minimal = match ((1.0 - detours) * 100.0).round() {
        all if all >= 100.0 && detours > 0.0 => 99.0,
        none if none <= 0.0 && detours < 1.0 => 1.0,
        share => share,
    };
    format!("{text}, {minimal} % of them on minimal ways")
}

/// A number of flows, of packets, and what these take of the channel's rate.
#[derive(Clone, Copy, Default)]
struct Part {
    flows: u64,
    packets: u64,
    share: f64,
}

impl Part {
    fn add(&mut self, other: Part) {
        self.flows += other.flows;
        self.packets += other.packets;
        self.share += other.share;
    }
}

/// What the packets belonged to that went over a channel of this rate.
fn shared(network: &Network, seen: &Crossings, rate: f64) -> Why {
    let mut flows: BTreeMap<[EndpointId; 2], Part> = BTreeMap::new();
    let time = seen.time.as_ps().max(1) as f64 * 1e-12;
    for Crossing { source, destination, bytes, .. } in &seen.packets {
        let share = bytes.0 as f64 * 8.0 / rate / time;
        let flow = flows.entry([*source, *destination]).or_default();
        flow.add(Part { flows: 0, packets: 1, share });
        flow.flows = 1;
    }
    let ends = |end: usize| {
        let all: BTreeSet<EndpointId> = flows.keys().map(|flow| flow[end]).collect();
        all.len() as u64
    };
    let (sources, destinations) = (ends(0), ends(1));
    let mut all = Part::default();
    flows.values().for_each(|flow| all.add(*flow));
    Why {
        flows: all.flows,
        sources,
        destinations,
        formula: formula(&all, sources),
        largest: largest(network, &flows, all.share),
    }
}

/// How the packets together take so much of a channel's rate, by flows, or by endpoints where there are
/// too many flows for so few packets.
fn formula(all: &Part, sources: u64) -> String {
    let together = number(all.share);
    let shared = |count: u64, noun: &str| {
        let each = number(all.share / count as f64);
        format!(
            "{count} {noun} took {each} of its rate each on average: {count} × {each} = {together}"
        )
    };
    let Part { flows, packets, .. } = *all;
    match packets / SHOWN {
        _ if flows == 1 => format!("1 flow took {together} of its rate"),
        shown if shown >= flows => shared(flows, "flows"),
        shown if shown >= sources => shared(sources, "endpoints"),
        _ => format!("{packets} packets of at least {flows} flows took {together} of its rate"),
    }
}

/// The largest portions, by the switches of sources and destinations, or where these are all small by
/// those at one end.
fn largest(
    network: &Network,
    flows: &BTreeMap<[EndpointId; 2], Part>,
    together: f64,
) -> Vec<WhyPortion> {
    let by = |ends: [bool; 2]| {
        let mut portions: BTreeMap<[Option<SwitchId>; 2], Part> = BTreeMap::new();
        for ([source, destination], part) in flows {
            let at = |end: &EndpointId, counts: bool| network.switch_of(*end).filter(|_| counts);
            let key = [at(source, ends[0]), at(destination, ends[1])];
            portions.entry(key).or_default().add(*part);
        }
        let mut portions: Vec<_> = portions.into_iter().collect();
        portions.sort_by(|(_, one), (_, other)| other.share.total_cmp(&one.share));
        portions.retain(|(_, part)| part.packets >= FEWEST);
        portions.truncate(TOLD);
        portions
    };
    let told = |portions: &[(_, Part)]| portions.iter().map(|(_, part)| part.share).sum::<f64>();
    let mut best = by([true, true]);
    if 2.0 * told(&best) < together {
        let (from, to) = (by([true, false]), by([false, true]));
        best = if told(&from) >= told(&to) { from } else { to };
    }
    let name = |switch: Option<SwitchId>| match switch {
        Some(switch) => network.name(Node::Switch(switch)),
        None => "any switch".to_owned(),
    };
    let at = |ends: &[EndpointId; 2]| ends.map(|end| network.switch_of(end));
    let words = |(key, part): ([Option<SwitchId>; 2], Part)| {
        let only = flows.keys().find(|ends| part.flows == 1 && at(ends) == key);
        let [from, to] = match only {
            Some(ends) => ends.map(|end| network.name(Node::Endpoint(end))),
            None => key.map(name),
        };
        WhyPortion { from, to, flows: part.flows, utilization: (part.share * 1e3).round() / 1e3 }
    };
    best.into_iter().map(words).collect()
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
    fn shares_are_told_in_whole_percents() {
        let why =
            Why { flows: 1, sources: 1, destinations: 1, formula: String::new(), largest: vec![] };
        for (detours, said) in [(0.0, 100), (0.001, 99), (0.0502, 95), (0.999, 1), (1.0, 0)] {
            let found = found(1000, &why, Some(detours));
            assert!(
                found.ends_with(&format!(" to 1, {said} % of them on minimal ways")),
                "{found}"
            );
        }
    }

    #[test]
    fn the_formula_counts_what_is_shown() {
        let said = |packets, flows, sources| formula(&Part { flows, packets, share: 1.0 }, sources);
        assert_eq!(said(100, 1, 1), "1 flow took 1 of its rate");
        let eight = "8 flows took 0.125 of its rate each on average: 8 × 0.125 = 1";
        assert_eq!(said(1000, 8, 8), eight);
        let sources = "32 endpoints took 0.03125 of its rate each on average: 32 × 0.03125 = 1";
        assert_eq!(said(1000, 862, 32), sources);
        assert_eq!(said(1000, 901, 801), "1000 packets of at least 901 flows took 1 of its rate");
    }
}
