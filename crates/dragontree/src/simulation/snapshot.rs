//! Counters at the end of a batch, and what lies between two of them.

use std::sync::Arc;

use super::engine::{Base, Engine};
use super::statistics::Statistics;
use super::{LatencyReport, Report, steady};
use crate::network::{EndpointId, Network, Node};
use crate::units::Time;

/// Counters at the end of a batch; its copies share them.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    /// How many batches had ended.
    pub(super) batch: usize,
    /// Packets delivered so far, per source endpoint.
    per_source: Arc<[u32]>,
    /// Time that each channel had been busy.
    busy: Times,
}

/// A time of each channel. A large network has many, and runs of it are mostly shorter than the 4 ms that
/// half the memory can hold.
#[derive(Clone, Debug)]
enum Times {
    Short(Arc<[u32]>),
    Long(Arc<[u64]>),
}

impl Times {
    fn collect<I: Iterator<Item = u64>>(times: impl Fn() -> I) -> Times {
        let mut bits = 0;
        let short = times().map(|time| {
            bits |= time;
            time as u32
        });
        let short = short.collect();
        if bits <= u64::from(u32::MAX) {
            return Times::Short(short);
        }
        drop(short);
        Times::Long(times().collect())
    }

    fn len(&self) -> usize {
        match self {
            Times::Short(times) => times.len(),
            Times::Long(times) => times.len(),
        }
    }

    fn at(&self, place: usize) -> u64 {
        match self {
            Times::Short(times) => u64::from(times[place]),
            Times::Long(times) => times[place],
        }
    }
}

impl Snapshot {
    /// The counters now, when so many batches have ended.
    pub(super) fn take(engine: &impl Engine, batch: usize) -> Snapshot {
        let statistics = &engine.base().statistics;
        Snapshot {
            batch,
            per_source: statistics.per_source.as_slice().into(),
            busy: Times::collect(|| engine.busy(statistics.end_of(batch))),
        }
    }
}

/// A measuring window: from one snapshot to a later one.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) first: Snapshot,
    pub(super) last: Snapshot,
    /// When nothing moved any more, where that is before its last batch ends.
    pub(super) stopped: Option<u64>,
}

impl Window {
    /// The batches in it, the last of which may end early.
    pub(super) fn batches(&self, statistics: &Statistics) -> f64 {
        self.length(statistics) as f64 / statistics.length as f64
    }

    /// When it begins and ends.
    pub(super) fn ends(&self, statistics: &Statistics) -> [u64; 2] {
        let end = statistics.end_of(self.last.batch);
        let end = self.stopped.map_or(end, |stopped| stopped.min(end));
        let start = statistics.end_of(self.first.batch);
        [start, end.max(start)]
    }

    fn length(&self, statistics: &Statistics) -> u64 {
        let [start, end] = self.ends(statistics);
        end - start
    }

    /// What was measured in the window; `capacity` is the number of packets that all endpoints
    /// together could take in a batch. Verdicts are left to the caller.
    pub(super) fn report(&self, base: &Base, capacity: f64, unbounded: bool) -> Report {
        let statistics = &base.statistics;
        let (start, end) = (self.first.batch, self.last.batch);
        let packets: u64 = statistics.window(start, end).iter().map(|batch| batch.delivered).sum();
        let (_, rate_half) = steady::interval(&statistics.rates(start, end));
        let (_, latency_half) = steady::interval(&statistics.latencies(start, end));
        let known = |half: f64| (packets > 0 && half.is_finite()).then_some(half);
        let utilization = self.utilization(statistics);
        let Spread { fairness, worst_source, lacking, variance } = self.spread(base);
        let max_utilization = busiest_between_switches(&base.setup.network, &utilization);
        Report {
            accepted: packets as f64 / (capacity * self.batches(statistics)).max(1e-9),
            accepted_interval: known(rate_half / capacity),
            latency: match unbounded {
                true => LatencyReport::default(),
                false => statistics.latency(start, end),
            },
            latency_interval_ns: known(latency_half).filter(|_| !unbounded),
            fairness,
            worst_source,
            lacking,
            chance: variance.sqrt() / (capacity * self.batches(statistics)).max(1e-9),
            hops_mean: statistics.mean_switches(start, end),
            packet_hops: statistics.packet_hops,
            max_utilization,
            utilization: base.setup.without_management(utilization),
            packets,
            management: base.management_report(self, capacity, unbounded),
            warmup: Time::ps(statistics.end_of(start)),
            window: Time::ps(self.length(statistics)),
            ..Report::default()
        }
    }

    /// For each port, the share of the window that its channel was busy.
    fn utilization(&self, statistics: &Statistics) -> Vec<f64> {
        let length = self.length(statistics);
        let share = |busy: u64| if length > 0 { busy as f64 / length as f64 } else { 0.0 };
        let (first, last) = (&self.first.busy, &self.last.busy);
        // A channel that waits for a packet's tail counts as having it queued: at the ends of the
        // window it may be off by that much.
        let busy = |channel| last.at(channel).saturating_sub(first.at(channel));
        (0..last.len()).map(|channel| share(busy(channel))).collect()
    }

    /// How the sending sources' rates differ from each other and from what they are to be.
    fn spread(&self, base: &Base) -> Spread {
        let length = self.length(&base.statistics);
        let mut spread = Spread::default();
        if length == 0 {
            return spread;
        }
        let setup = &base.setup;
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for index in setup.endpoints().map(EndpointId::index) {
            let Some(source) = base.sources[index].as_ref() else { continue };
            let sent = f64::from(self.last.per_source[index] - self.first.per_source[index]);
            let rate = sent * source.slot as f64 / length as f64;
            if count == 0.0 || rate < spread.worst_source {
                spread.worst_source = rate;
            }
            (count, sum, squares) = (count + 1.0, sum + rate, squares + rate * rate);
            let slots = length / source.slot;
            let (load, leaving) = (setup.load.as_fraction(), source.leaving);
            let expected = slots as f64 * load * leaving;
            let variance = setup.injection.variance(slots, load, leaving);
            spread.variance += variance;
            spread.lacking = spread.lacking.max((expected - sent) / variance.sqrt().max(1.0));
        }
        spread.fairness = (squares > 0.0).then(|| sum * sum / (squares * count));
        spread
    }
}

/// How the sending sources' rates differ in a window.
#[derive(Default)]
struct Spread {
    /// Jain's index over them; none where nothing arrived.
    fairness: Option<f64>,
    /// The smallest.
    worst_source: f64,
    /// As in the report.
    lacking: f64,
    /// The variance of what all of them send by chance, in packets.
    variance: f64,
}

/// The largest share of time that a channel between switches was busy.
pub(super) fn busiest_between_switches(network: &Network, utilization: &[f64]) -> f64 {
    let between = network.channels().filter(|(port, _)| {
        let is_switch = |node| matches!(node, Some(Node::Switch(_)));
        is_switch(Some(network.owner(*port))) && is_switch(network.neighbor(*port))
    });
    between.map(|(port, _)| utilization[port.index()]).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_kept_short_or_long() {
        let short = u64::from(u32::MAX);
        for (times, is_short) in
            [(vec![], true), (vec![0, short], true), (vec![0, short + 1], false)]
        {
            let kept = Times::collect(|| times.iter().copied());
            assert_eq!(matches!(kept, Times::Short(_)), is_short);
            let all: Vec<u64> = (0..kept.len()).map(|channel| kept.at(channel)).collect();
            assert_eq!(all, times);
        }
    }
}
