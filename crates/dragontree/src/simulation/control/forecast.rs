//! How long a run will go on, guessed before it begins.
//!
//! The numbers were fitted to runs of small fabrics of every family, at loads on both sides of their
//! bounds; the tests of `scenario::estimate` hold them against others.

use super::super::forecast::Prospect;
use super::super::steady::FEWEST;
use super::window::{hops_filling, hops_keeping_up};
use super::{Control, LARGE, MOST_BATCHES, MOST_BATCHES_FILLING, MOST_BATCHES_LARGE, verdict};
use crate::simulation::{Setup, Spacing};

/// Batches before the window and where it may only begin late, beyond the fewest.
const BEFORE: f64 = 4.0;
/// How many times as long a run takes whose queues are as long as at this share of the bound; a
/// straight line between two of them.
const CROWDED: [(f64, f64); 5] = [(0.8, 1.2), (0.9, 3.0), (0.95, 9.0), (0.97, 30.0), (0.99, 68.0)];
/// How many times as long as its latency takes to be told from chance.
const RELAXED: f64 = 2.0;
/// The messages that a channel could serve until enough batches are independent of each other, times the
/// share of the time that it is idle to the power of 1.5; and the least share that counts.
const INDEPENDENT: (f64, f64) = (100.0, 0.05);
/// The share of the buffers between switches that fills until as much leaves as enters: where flows
/// meet everywhere, and where each has its own way.
const FILLED: (f64, f64) = (0.7, 0.25);
/// The fewest batches of a saturated run, and of one where each source sends to few in several ways.
const FEWEST_FULL: f64 = 20.0;
const FEWEST_SCATTERED: f64 = 250.0;
/// How many times as many it has as its buffers take to fill.
const TIMES_FILLED: f64 = 1.4;
/// Where packets leave ways that have filled: how many times as long that takes as to be steady at once, and
/// the batches of a run that is saturated nevertheless.
const DETOURS: (f64, f64) = (3.0, 240.0);

impl Control {
    /// The simulated time in picoseconds at which the run will be over.
    pub(in crate::simulation) fn forecast(&self, setup: &Setup, prospect: &Prospect) -> f64 {
        let length = self.length as f64;
        let batches = match self.fixed() {
            Some(count) if self.starts_at_origin() => count as f64,
            Some(count) => count as f64 + self.settling(setup, prospect, 0.0),
            None => self.settling(setup, prospect, self.precise(setup)),
        };
        let drain = if prospect.saturated { 0 } else { verdict::settling_time(setup) };
        self.origin as f64 + batches * length + drain as f64
    }

    /// Batches that the precision takes: what sources offer in one of them varies like a count.
    fn precise(&self, setup: &Setup) -> f64 {
        let spread = match setup.injection.spacing {
            Spacing::Bernoulli => 1.0 - setup.load.as_fraction(),
            Spacing::Periodic => 0.0,
        };
        let together = f64::from(setup.injection.together());
        let variance = spread * together / self.offered.max(1.0);
        let precision = setup.precision.as_fraction().max(1e-6);
        4.4 * variance / (precision * precision)
    }

    /// Batches until the run is steady and, of them, at least so many steady ones.
    fn settling(&self, setup: &Setup, prospect: &Prospect, precise: f64) -> f64 {
        let (longer, saturated) = DETOURS;
        let hops = (self.offered * prospect.accepted * prospect.hops).max(1.0);
        let within = |fewest: usize, hops_in_all: u64| {
            (hops_in_all as f64 / hops).clamp(fewest as f64, MOST_BATCHES_FILLING as f64)
        };
        if !prospect.saturated {
            let calm = precise.max(FEWEST as f64) + BEFORE;
            let longer = if prospect.detours { longer } else { crowded(prospect) };
            let relaxed = match prospect.queues && !self.adapts {
                true => self.relaxed(setup, prospect.fullness),
                false => 0.0,
            };
            let most = within(MOST_BATCHES, hops_keeping_up(setup, prospect.fullness));
            return (calm * longer).max(relaxed).min(most);
        }
        let most = within(MOST_BATCHES_LARGE, LARGE);
        if prospect.detours {
            return saturated.min(most);
        }
        let (mixed, apart) = FILLED;
        let share = if prospect.mixes { mixed } else { apart };
        let excess = self.offered * (1.0 - prospect.accepted).max(1e-3);
        let filling = share * setup.room_between_switches() / excess;
        let fewest = if prospect.scatters { FEWEST_SCATTERED } else { FEWEST_FULL };
        let least = (hops_filling(setup) as f64 / hops).min(MOST_BATCHES_LARGE as f64);
        (TIMES_FILLED * filling).max(fewest).max(precise).max(least).min(most)
    }

    /// Batches until the queue of the busiest channel has been seen to come and go.
    fn relaxed(&self, setup: &Setup, fullness: f64) -> f64 {
        let (messages, least) = INDEPENDENT;
        let idle = (1.0 - fullness).max(least);
        let independent = messages / (idle * idle.sqrt()) / self.served(setup);
        independent.max(RELAXED * self.relaxation(setup, fullness))
    }
}

/// How many times as long a run takes that comes near its bound.
fn crowded(prospect: &Prospect) -> f64 {
    if !prospect.queues {
        return 1.0;
    }
    let mut before = CROWDED[0];
    for point in CROWDED {
        if prospect.fullness <= point.0 {
            let share = (prospect.fullness - before.0) / (point.0 - before.0).max(1e-9);
            return before.1 + share.clamp(0.0, 1.0) * (point.1 - before.1);
        }
        before = point;
    }
    before.1
}
