//! Where the window begins, and when it is long enough.

use super::super::Setup;
use super::super::engine::Base;
use super::super::snapshot::Snapshot;
use super::super::statistics::Batch;
use super::super::steady::{self, FEWEST};
use super::super::verdict;
#[cfg(feature = "complete")]
use super::PLAIN;
use super::{CRITICAL, HOPS_FILLING, HOPS_KEEPING_UP, RELAXATIONS};
use super::{Control, LARGE, MOST_BATCHES, MOST_BATCHES_FILLING, MOST_BATCHES_LARGE};

const COMPLETE: bool = cfg!(feature = "complete");
/// Of what is not delivered, the share that may still go into a network that counts as full.
const FILLING: f64 = 0.02;
/// The widest half of the interval of throughput, as a share of it, of a given window that counts as settled.
const ROUGH: f64 = 0.1;
/// Latency must be known so many times as precisely as throughput is wanted where it rests on fewer independent
/// batches than the second number.
const FEW_INDEPENDENT: (f64, f64) = (2.0, 15.0);
/// Half of an interval, as a share of what it is one of, that no queue shows in.
const CONSTANT: f64 = 1e-4;

impl Control {
    /// The batch at which the window begins, once the run is steady: one of the milestones, or for
    /// a window of given length, now.
    pub(super) fn steady_from(&mut self, base: &Base, count: usize) -> Option<usize> {
        if self.starts_at_origin() && (self.fixed().is_some() || !self.saturated) {
            return Some(0);
        }
        let last_resort = self.fixed().is_some() && count >= self.most_batches(base, count);
        let cut = || {
            let rates = steady::cut(&base.statistics.rates(0, count))?;
            let latencies = steady::cut(&base.statistics.latencies(0, count))?;
            self.snapshot_from(rates.max(latencies)).map(|snapshot| snapshot.batch)
        };
        let start = if self.saturated { self.full_from(base, count) } else { cut() };
        let start = start.filter(|start| count - start >= FEWEST);
        if self.fixed().is_none() {
            return start;
        }
        self.forced = start.is_none();
        let now = !self.forced || last_resort;
        self.snapshots.extend(self.recent.last().filter(|_| now).cloned());
        now.then_some(count)
    }

    /// Batches of the window, when its length is given; the reduced build knows no such windows.
    pub(super) fn fixed(&self) -> Option<usize> {
        self.fixed.filter(|_| COMPLETE)
    }

    /// Whether the window begins at the origin; the reduced build finds all beginnings.
    pub(super) fn starts_at_origin(&self) -> bool {
        COMPLETE && self.starts_at_origin
    }

    /// Whether packets take other ways once the buffers on the first ones have filled; the reduced build
    /// knows no such routes.
    pub(super) fn adapts(&self) -> bool {
        COMPLETE && self.adapts
    }

    /// Whether beginning and end of the window are given.
    pub(super) fn is_given(&self) -> bool {
        self.starts_at_origin() && self.fixed().is_some()
    }

    /// Whether these batches fell behind only because the network was still empty before: a window of given
    /// length may lie in a time in which the first packets spread.
    pub(super) fn has_just_begun(&self, base: &Base, start: usize, end: usize) -> bool {
        if self.fixed().is_none() {
            return false;
        }
        let batches = base.statistics.window(start, end);
        let together = f64::from(base.setup.injection.together());
        let adapting = self.adapts() && verdict::fills(batches, self.length, self.offered);
        let spreading = || {
            !self.fell_behind(base, start.midpoint(end), end) || verdict::rises(batches, together)
        };
        adapting || (self.starts_at_origin() && spreading())
    }

    /// Whether ever more packets are in the network in a window of given length, or one that begins at a
    /// given time; so it is taken to be until messages have had the time to be sent.
    pub(super) fn still_fills(&self, base: &Base, start: usize, end: usize) -> bool {
        if self.fixed().is_none() && !self.starts_at_origin() {
            return false;
        }
        if base.statistics.end_of(end) < verdict::sending_time(&base.setup) {
            return true;
        }
        let batches = base.statistics.window(start, end);
        let together = f64::from(base.setup.injection.together());
        verdict::still_fills(batches, self.offered, together)
    }

    /// Whether a window of given length leaves open what is accepted by more than a tenth: its batches are
    /// few that tell different things, or follow a trend. Where they are too few for an interval, by what
    /// chance does to the number of packets.
    pub(super) fn is_rough(&self, base: &Base, start: usize, end: usize) -> bool {
        let (rate, half) = steady::interval(&base.statistics.rates(start, end));
        let together = f64::from(base.setup.injection.together());
        let chance = 2.0 * (rate * together / (end - start) as f64).sqrt();
        let half = if half.is_finite() { half } else { chance };
        self.fixed().is_some() && half > ROUGH * rate
    }

    /// After how many batches the run ends, steady or not.
    pub(super) fn most_batches(&self, base: &Base, count: usize) -> usize {
        if self.beyond || (self.saturated && self.falls_short(base, count)) {
            return most_batches_filling(base);
        }
        // What comes after it has filled may be steady, in half of the run.
        MOST_BATCHES.max(2 * self.filled + FEWEST)
    }

    /// Whether a run of so many batches goes on although it has reached the most: one that keeps up, as
    /// long as that has not taken long.
    pub(super) fn may_go_on(&self, base: &Base, count: usize) -> bool {
        let keeps_up = !self.saturated || !self.falls_short(base, count);
        let short = base.statistics.packet_hops
            < hops_keeping_up(&base.setup, verdict::fullness(&base.setup));
        keeps_up && short && count < MOST_BATCHES_FILLING
    }

    /// Whether less than what is offered was accepted in the last half of so many batches, by more than the
    /// precision that is asked for: else it matters little whether the run is saturated.
    fn falls_short(&self, base: &Base, count: usize) -> bool {
        let half = base.statistics.window(count / 2, count);
        let delivered: u64 = half.iter().map(|batch| batch.delivered).sum();
        let offered = self.offered * half.len() as f64;
        (delivered as f64) < offered * (1.0 - base.setup.precision.as_fraction())
    }

    /// Whether queues of adaptive routes grew in these batches of a run that finds its own end.
    pub(super) fn fills(&self, batches: &[Batch]) -> bool {
        let finds_its_end = self.adapts() && self.fixed().is_none();
        finds_its_end && verdict::fills(batches, self.length, self.offered)
    }

    /// Where the window of a saturated run begins, once it has filled: no later than in the middle, since
    /// what comes after it has filled may take as long, and not in a run so short that chance tells little.
    fn full_from(&self, base: &Base, count: usize) -> Option<usize> {
        let enough = self.most_batches(base, count).min(MOST_BATCHES_LARGE);
        if base.statistics.packet_hops < hops_filling(&base.setup) && count < enough {
            return None;
        }
        let starts = self.snapshots.iter().map(|snapshot| snapshot.batch);
        let start = starts.take_while(|start| 2 * start <= count).last()?;
        self.is_full(base, start, count).then_some(start)
    }

    /// Whether in these batches as much left the network as entered it, what was not delivered having gone
    /// to wait at the sources, and as much in the second half as in the first: both to within the precision
    /// that is asked for.
    fn is_full(&self, base: &Base, start: usize, count: usize) -> bool {
        let precision = base.setup.precision.as_fraction();
        let window = base.statistics.window(start, count);
        let delivered: u64 = window.iter().map(|batch| batch.delivered).sum();
        let inside = verdict::grown(window, |batch| batch.inside);
        let waiting = verdict::grown(window, |batch| batch.backlog);
        let risen = verdict::grown(window, |batch| batch.delivered) / 2.0 * window.len() as f64;
        inside.abs() <= (FILLING * waiting).min(precision * delivered as f64)
            && risen.abs() <= precision * delivered as f64
    }

    /// The first snapshot that was taken after so many batches.
    pub(super) fn snapshot_from(&self, batch: usize) -> Option<&Snapshot> {
        self.snapshots.iter().find(|snapshot| snapshot.batch >= batch)
    }

    /// Whether throughput in these batches is known as precisely as was asked for, and latency, where it has
    /// a bound. A run that goes on until its interval is narrow ends too soon where that is so by chance, as
    /// it often is where few batches are independent of each other; not where routes avoid long queues.
    pub(super) fn is_precise(&self, base: &Base, start: usize, count: usize) -> bool {
        let precision = base.setup.precision.as_fraction();
        let (rate, rate_half) = steady::interval(&base.statistics.rates(start, count));
        if rate_half > precision * rate {
            return false;
        }
        let latencies = base.statistics.latencies(start, count);
        let (latency, latency_half) = steady::interval(&latencies);
        let (times, enough) = FEW_INDEPENDENT;
        let sure = base.setup.bound.is_none()
            || latency_half * times <= precision * latency
            || steady::independent(&latencies) >= enough;
        let long = latency_half <= CONSTANT * latency
            || (count - start) as f64
                >= self.relaxation(&base.setup, verdict::fullness(&base.setup));
        self.saturated || (long && sure && latency_half <= 3.0 * precision * latency)
    }

    /// The fewest batches that tell the latency at this share of the bound: some relaxation times of the busiest
    /// channel's queue, if messages come to it at random and take as long as on a link of an endpoint. Less than a
    /// batch where that share is not known, and taken for 0.
    ///
    /// That such a queue of a utilization `ρ` has not been empty while `n` messages could be served takes `n`
    /// where `ρn` are expected, whose chance falls like `exp(-n (ρ - 1 - ln ρ))` (Chernoff's bound of a Poisson
    /// count), and `ρ - 1 - ln ρ` is at least `(1 - ρ)² / 2`.
    pub(super) fn relaxation(&self, setup: &Setup, fullness: f64) -> f64 {
        let idle = (1.0 - fullness).max(1e-6);
        RELAXATIONS * 2.0 / (idle * idle) / self.served(setup)
    }

    /// The messages that a channel could serve in a batch, at an endpoint's rate.
    pub(super) fn served(&self, setup: &Setup) -> f64 {
        let together = f64::from(setup.injection.together());
        self.capacity / f64::from(setup.endpoint_count().max(1)) / together
    }

    /// Whether the sources fell behind in these batches.
    pub(super) fn fell_behind(&self, base: &Base, start: usize, end: usize) -> bool {
        // The first packets on their way say nothing of falling behind.
        let settling = verdict::settling_time(&base.setup).saturating_sub(self.origin);
        let settled = settling.div_ceil(self.length) as usize;
        let batches = base.statistics.window(start.max(settled), end);
        let together = f64::from(base.setup.injection.together());
        let long = end >= MOST_BATCHES && batches.len() >= MOST_BATCHES / 2;
        !self.fills(batches)
            && (verdict::fell_behind(batches, self.length, self.offered, together)
                || (long && verdict::piles_up(batches, self.offered)))
    }
}

/// The switches that packets cross before a run that keeps up at this share of the bound, and may yet settle,
/// has taken long.
pub(super) fn hops_keeping_up(setup: &Setup, fullness: f64) -> u64 {
    if fullness > 1.0 - CRITICAL {
        return 0;
    }
    let hops = HOPS_KEEPING_UP / setup.model.flits(setup.packet);
    // The reduced build knows no switch that takes the plain engine.
    #[cfg(feature = "complete")]
    if setup.is_plain() {
        return hops / PLAIN;
    }
    hops
}

/// The switches that packets cross before a saturated run counts as filled.
pub(super) fn hops_filling(setup: &Setup) -> u64 {
    HOPS_FILLING / setup.model.flits(setup.packet)
}

/// The most batches of a run whose buffers fill.
pub(super) fn most_batches_filling(base: &Base) -> usize {
    match base.statistics.packet_hops > LARGE {
        true => MOST_BATCHES_LARGE,
        false => MOST_BATCHES_FILLING,
    }
}

/// Whether a window may begin after so many batches: 0, 2, 3, 4, 6, 8, 12, 16, 24, … That takes
/// few snapshots and gives away at most half of what is steady.
pub(super) fn is_milestone(count: usize) -> bool {
    let thrice = count.is_multiple_of(3) && (count / 3).is_power_of_two();
    count == 0 || thrice || (count > 1 && count.is_power_of_two())
}
