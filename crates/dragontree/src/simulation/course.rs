//! How a run goes: batch by batch of its time, or frame by frame of its film, and how its latencies
//! are spread.

use serde::Serialize;

use super::control::Control;
use super::engine::Engine;
use super::exchanging::Exchanging;
use super::film::{Film, Frame};
use super::statistics::{Batch, Histogram};
use crate::units::Time;

/// A run over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Course {
    /// The batches that have ended, from the warm-up's end where its length is given, else from
    /// time zero; of an exchange equal parts of its time.
    pub moments: Vec<Moment>,
    /// Begin and end of the measuring window, in nanoseconds, once it is known.
    pub window_ns: Option<[f64; 2]>,
    /// Latencies of the packets generated in the window that have arrived, shortest first; before
    /// a window is known, of all. Of an exchange those of its messages.
    pub latencies: Vec<LatencyBar>,
}

/// What happened in a batch of time, or in a part of an exchange's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// When it ended, in nanoseconds.
    pub end_ns: f64,
    /// Accepted throughput: delivered in it, averaged over all endpoints, as a fraction of their
    /// link rate; of an exchange, how busy the links to its endpoints were, acknowledgements included.
    pub accepted: f64,
    /// Mean latency of the packets delivered in it, in nanoseconds; none without any, and of an
    /// exchange.
    pub latency_ns: Option<f64>,
    /// Packets in the network at its end.
    pub in_network: u64,
    /// About how many packets waited at their sources then; of an exchange, how many messages and
    /// acknowledgements had not left them.
    pub at_sources: u64,
    /// Messages of an exchange delivered until then; none of traffic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<u64>,
}

/// How many packets had a latency in a range, whose ends differ by about 2 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LatencyBar {
    /// The shortest latency of the range, in nanoseconds.
    pub from_ns: f64,
    /// The end of the range, which is the beginning of the next.
    pub to_ns: f64,
    /// Packets.
    pub packets: u64,
}

fn ns(picoseconds: u64) -> f64 {
    Time::ps(picoseconds).as_ns()
}

impl Control {
    /// How the run has gone so far.
    pub(super) fn course(&self, engine: &impl Engine) -> Course {
        let statistics = &engine.base().statistics;
        let ended = self.batches_ended();
        let moment = |count: usize, batch: &Batch| Moment {
            end_ns: ns(statistics.end_of(count)),
            accepted: batch.delivered as f64 / self.capacity().max(1e-9),
            latency_ns: batch.mean_latency_ns(),
            in_network: batch.inside,
            at_sources: batch.backlog.saturating_sub(batch.inside),
            messages: None,
        };
        let batches = statistics.window(0, ended);
        let mut moments: Vec<Moment> =
            (1..).zip(batches).map(|(count, batch)| moment(count, batch)).collect();
        if self.stands_still(engine) && engine.base().now > statistics.end_of(ended) {
            // The batch in which all stopped has no end of its own; nothing moves after it.
            let (in_network, at_sources) = (engine.in_network(), engine.base().at_sources());
            let last = statistics.window(ended, ended + 1).first().cloned().unwrap_or_default();
            let last = Moment { in_network, at_sources, ..moment(ended + 1, &last) };
            let end_ns = ns(statistics.end_of(ended + 2));
            moments.extend([last, Moment { end_ns, accepted: 0.0, latency_ns: None, ..last }]);
        }
        let window = self.known_window(engine);
        let batches = window.as_ref().map(|window| [window.first.batch, window.last.batch]);
        let [start, end] = batches.unwrap_or([0, ended]);
        let ends = window.map(|window| window.ends(statistics)).filter(|[start, end]| start < end);
        Course {
            moments,
            window_ns: ends.map(|ends| ends.map(ns)),
            latencies: bars(&statistics.histogram(start, end)),
        }
    }
}

/// The filled ranges of a histogram.
fn bars(histogram: &Histogram) -> Vec<LatencyBar> {
    let bar = |(from, to, packets)| LatencyBar { from_ns: ns(from), to_ns: ns(to), packets };
    histogram.bars().map(bar).collect()
}

impl Exchanging {
    /// How the exchange has gone so far, as it was filmed.
    pub fn course(&self, film: &Film) -> Course {
        let end_ns = self.tally().end().as_ns();
        let moment = |frame: &Frame| Moment {
            // The last frame goes on after everything has arrived.
            end_ns: if self.is_complete() {
                frame.end.as_ns().min(end_ns)
            } else {
                frame.end.as_ns()
            },
            accepted: frame.accepted,
            latency_ns: None,
            in_network: frame.in_network,
            at_sources: frame.at_sources,
            messages: frame.messages,
        };
        Course {
            moments: film.frames().iter().map(moment).collect(),
            window_ns: None,
            latencies: bars(self.tally().latencies()),
        }
    }
}
