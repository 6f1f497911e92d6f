//! What the numbers of a point of traffic were measured on.

use dragontree::scenario::{Metrics, Plan};
use dragontree::units::grouped;

use super::pool::{self, Spot};
use super::{Finished, Format};

/// The sample of a point, and how evenly its sources were served. Of several runs: all their packets, the
/// longest times, and what the worst of them says of the sources.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Packets delivered in the window.
    pub packets: u64,
    /// Simulated time before the window, in nanoseconds.
    pub warmup_ns: f64,
    /// Simulated time of the window, in nanoseconds.
    pub window_ns: f64,
    /// Jain's fairness index of the sources' accepted rates; none where nothing arrived.
    pub fairness: Option<f64>,
    /// The accepted rate of the worst-served source, as a share of its link's.
    pub worst_source: f64,
}

impl Sampling {
    fn of(spot: &Spot<'_>) -> Option<Sampling> {
        spot.metrics().map(Sampling::of_run).reduce(|one, other| Sampling {
            packets: one.packets + other.packets,
            warmup_ns: one.warmup_ns.max(other.warmup_ns),
            window_ns: one.window_ns.max(other.window_ns),
            fairness: one.fairness.zip(other.fairness).map(|(one, other)| one.min(other)),
            worst_source: one.worst_source.min(other.worst_source),
        })
    }

    fn of_run(run: &Metrics) -> Sampling {
        let &Metrics { packets, warmup_ns, window_ns, fairness, worst_source, .. } = run;
        Sampling { packets, warmup_ns, window_ns, fairness, worst_source }
    }
}

/// The sample in three short lines.
impl std::fmt::Display for Sampling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A number stays with its unit.
        let text = |format: Format, value| format.text(value).replace(' ', "\u{a0}");
        let time = |time| text(Format::Nanoseconds, time);
        let (packets, window) = (grouped(self.packets), time(self.window_ns));
        let from = match self.warmup_ns > 0.0 {
            true => format!("after {} of warm-up", time(self.warmup_ns)),
            false => "from the start".to_owned(),
        };
        let worst = text(Format::Percent, self.worst_source);
        write!(f, "{packets} packets in {window}\n{from}\nworst source {worst}")?;
        match self.fairness {
            Some(fairness) => write!(f, ", fairness\u{a0}{fairness:.3}"),
            None => Ok(()),
        }
    }
}

/// For each curve, the sample of every point that [`charts`](super::charts) shows, in its order; none of an
/// exchange or of a fabric.
pub fn samplings(plan: &Plan, finished: &[Finished<'_>]) -> Vec<Vec<Option<Sampling>>> {
    let of_curve = |spots: Vec<Spot<'_>>| spots.iter().map(Sampling::of).collect();
    pool::spots(plan, finished).into_iter().map(of_curve).collect()
}
