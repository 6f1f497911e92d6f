//! When to measure and when to stop.
//!
//! Time is cut into batches. After each, the series of batch means tells where the run became
//! steady (MSER) and how well throughput and latency are known; the window is the steady part.
//! Then the run goes on until every packet generated in the window has arrived, so that its
//! latencies are complete. A run whose sources fall behind for good is saturated, as is every run at a
//! load above its bound: its latency has no bound, and its throughput is what it delivers once its buffers
//! have filled, since a network can deliver more while congestion still spreads. What is offered and not
//! delivered then waits at the sources. Where routes adapt, queues that grow in the network while none grow
//! at the sources are waited for.

#[cfg(feature = "complete")]
mod forecast;
mod report;
mod window;

use super::engine::{Base, Engine};
use super::snapshot::{Snapshot, Window};
use super::statistics::Statistics;
use super::steady::FEWEST;
use super::{Setup, Waiting, deadlock, verdict};
use crate::traffic::Residents;
use crate::units::Rank;

/// The most batches of a run that finds its own window, or the beginning of it.
const MOST_BATCHES: usize = 120;
/// The same when it is saturated, or queues of adaptive routes grow: buffers may take long to fill.
const MOST_BATCHES_FILLING: usize = 8 * MOST_BATCHES;
/// The same once packets have crossed so many switches, which takes some ten seconds.
const MOST_BATCHES_LARGE: usize = 2 * MOST_BATCHES;
const LARGE: u64 = 200_000_000;
/// While packets (or flits) have crossed fewer switches than this, which takes about a second, a run that keeps
/// up goes on after [`MOST_BATCHES`]; each counts as so many where the plain engine simulates the switch.
const HOPS_KEEPING_UP: u64 = 20_000_000;
#[cfg(feature = "complete")]
const PLAIN: u64 = 10;
/// The switches that packets (or flits) cross at least in a saturated run: the buffers of a small network go on
/// changing for long after as much leaves them as enters.
const HOPS_FILLING: u64 = 3_000_000;
/// Nearer to the bound than this queues grow for as long as any run goes on, and nothing settles.
const CRITICAL: f64 = 5e-3;
/// For how many relaxation times of the busiest channel's queue latency is looked at.
const RELAXATIONS: f64 = 2.0;
/// Packets that a batch should deliver, so that its mean has little noise; for a finer precision, or
/// where more packets are generated at once, it takes more.
const BATCH_PACKETS: f64 = 4000.0;
/// The shortest batch: shorter than what traffic needs to settle gains nothing.
const SHORTEST_BATCH: u64 = 1_000_000;
/// Batches in a window of given length.
const WINDOW_BATCHES: u64 = 20;
/// Batches without a packet sent after which waiting packets are suspected of deadlock.
const STALLED_BATCHES: u64 = 2;
/// Batches whose counters are kept: a deadlock is found at most so many after progress stopped.
const RECENT_BATCHES: usize = STALLED_BATCHES as usize + 2;
/// A load that is nearer to the bound is left to the run: packets take whole picoseconds, which makes channels
/// slower or faster than the bound has them.
const ROUNDING: f64 = 5e-4;
/// The longest wait for the window's last packets, in batches.
const LONGEST_DRAIN: u64 = 40;

#[derive(Clone, Debug, PartialEq)]
enum Stage {
    Measuring,
    /// Waiting for the packets generated in the window; the next look at that.
    Draining {
        born_before: u64,
        until: u64,
    },
    Done,
}

/// The course of a run.
pub(super) struct Control {
    stage: Stage,
    origin: u64,
    length: u64,
    /// Batches of the window, when its length is given.
    fixed: Option<usize>,
    /// Whether packets take other ways once the buffers on the first ones have filled, so that
    /// falling behind until then says nothing.
    adapts: bool,
    /// Whether the window begins at the origin.
    starts_at_origin: bool,
    /// Batches that have ended.
    ended: usize,
    /// Packets that all endpoints together could take in a batch.
    capacity: f64,
    /// Packets that the sources offer in a batch.
    offered: f64,
    /// The counters at the places where a window may begin, and at the ends of the last batches.
    snapshots: Vec<Snapshot>,
    recent: Vec<Snapshot>,
    /// The batch at which the window begins.
    started: Option<usize>,
    /// Whether the load is above the bound, so that it is saturated whatever it looks like.
    beyond: bool,
    saturated: bool,
    /// The last batch after which queues of adaptive routes still grew.
    filled: usize,
    /// Whether the window began although the run was not steady, or stopped being so in it.
    forced: bool,
    settled: bool,
    /// Whether packets of the window were still under way when waiting for them was given up.
    undelivered: bool,
    /// Sources whose queues are waited for.
    awaited: usize,
    window: Option<Window>,
    deadlock: Option<Vec<Waiting>>,
}

impl Control {
    pub(super) fn new(setup: &Setup) -> Control {
        let network = &setup.network;
        let link = |endpoint| network.injection(endpoint).and_then(|port| network.channel(port));
        let per_picosecond = |endpoint| {
            let time = link(endpoint).map(|channel| channel.serialization(setup.packet));
            time.map_or(0.0, |time| 1.0 / time.as_ps().max(1) as f64)
        };
        let capacity: f64 = setup.endpoints().map(per_picosecond).sum();
        let Setup { placement, destinations, .. } = setup;
        let residents = Residents::new(network.endpoint_count(), placement);
        let leaving = |rank| residents.leaving(destinations, placement, rank);
        let ranks = placement.iter().zip((0..).map(Rank));
        let sending: f64 =
            ranks.map(|(endpoint, rank)| per_picosecond(*endpoint) * leaving(rank)).sum();
        let offered = sending * setup.load.as_fraction();

        // The noise of a count falls with its root, so that the most batches reach any precision.
        let finer = (0.01 / setup.precision.as_fraction().max(1e-6)).max(1.0);
        let bursts = (f64::from(setup.injection.together()) / 4.0).max(1.0);
        let packets = BATCH_PACKETS * finer * finer * bursts;
        let wanted = (packets / offered.max(1e-15)).min(1e18) as u64;
        let shortest = wanted.max(SHORTEST_BATCH).max(verdict::settling_time(setup));
        let (length, fixed) = match setup.window.map(|window| window.as_ps()) {
            None => (shortest, None),
            Some(window) if setup.warmup.is_some() => {
                (window.div_ceil(WINDOW_BATCHES), Some(WINDOW_BATCHES as usize))
            }
            Some(window) => {
                let count = (window / shortest).clamp(1, WINDOW_BATCHES);
                (window.div_ceil(count), Some(count as usize))
            }
        };
        let beyond = verdict::fullness(setup) > 1.0 + ROUNDING;
        Control {
            stage: Stage::Measuring,
            origin: setup.warmup.map_or(0, |warmup| warmup.as_ps()),
            length,
            fixed,
            adapts: setup.routes.adaptive().is_some(),
            starts_at_origin: setup.warmup.is_some(),
            ended: 0,
            capacity: capacity * length as f64,
            offered: offered * length as f64,
            snapshots: Vec::new(),
            recent: Vec::new(),
            started: None,
            beyond,
            saturated: beyond,
            filled: 0,
            forced: false,
            settled: false,
            undelivered: false,
            awaited: usize::MAX,
            window: None,
            deadlock: None,
        }
    }

    pub(super) fn statistics(&self, setup: &Setup) -> Statistics {
        let sources = setup.network.endpoint_count() as usize;
        Statistics::new(self.origin, self.length, sources, setup.injection.together())
    }

    /// What the sources offer, in packets per picosecond.
    pub(super) fn offered_rate(&self) -> f64 {
        self.offered / self.length as f64
    }

    pub(super) fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// A guess of how much is done.
    pub(super) fn share(&self) -> f64 {
        let ended = self.ended as f64;
        match (&self.stage, self.fixed()) {
            (Stage::Measuring, Some(count)) => {
                let start = self.started.unwrap_or(self.ended + FEWEST);
                ended / (start + count + 1) as f64
            }
            (Stage::Measuring, None) => ended / (ended + FEWEST as f64),
            _ => 1.0,
        }
    }

    /// The time before which events may be served.
    pub(super) fn boundary(&self, base: &Base) -> u64 {
        match self.stage {
            Stage::Draining { until, .. } => until,
            _ => base.statistics.end_of(self.ended),
        }
    }

    /// Goes on after the boundary has been reached.
    pub(super) fn cross(&mut self, engine: &mut impl Engine) {
        match self.stage {
            Stage::Measuring => self.end_batch(engine),
            Stage::Draining { born_before, until } => {
                engine.base_mut().now = until;
                let waits = engine.has_older_than(born_before, self.awaited);
                let patience = self.length.max(verdict::settling_time(&engine.base().setup));
                if !waits || until >= born_before + LONGEST_DRAIN * patience {
                    self.undelivered = waits;
                    self.settled &= !waits;
                    self.stage = Stage::Done;
                } else {
                    let until = until + patience.div_ceil(4);
                    self.stage = Stage::Draining { born_before, until };
                    self.look_for_deadlock(engine);
                }
            }
            Stage::Done => {}
        }
    }

    /// Ends a run in which nothing will happen any more.
    pub(super) fn stop(&mut self, engine: &mut impl Engine) {
        // Nothing happens from here on, so time may pass until the silence is long enough.
        engine.base_mut().now += (STALLED_BATCHES + 1) * self.length;
        self.look_for_deadlock(engine);
        if self.deadlock.is_some() {
            self.keep(engine, self.ended);
        }
        self.settled = self.deadlock.is_none();
        self.stage = Stage::Done;
    }

    /// Looks for packets that can never move, when some output has not moved for long. Nothing that the
    /// reduced build holds can deadlock.
    fn look_for_deadlock(&mut self, engine: &impl Engine) {
        if !cfg!(feature = "complete") {
            return;
        }
        let long_ago = engine.base().now.saturating_sub(STALLED_BATCHES * self.length);
        // What will never move stands still for long sooner or later, so the others are left out.
        let stuck = engine.stuck_since(long_ago);
        self.deadlock = deadlock::find(stuck, &|buffer| engine.room(buffer));
        if self.deadlock.is_some() {
            self.settled = false;
            self.stage = Stage::Done;
        }
    }

    fn end_batch(&mut self, engine: &mut impl Engine) {
        let count = self.ended;
        let now = engine.base().now.max(engine.base().statistics.end_of(count));
        engine.base_mut().now = now;
        if count > 0 {
            let (inside, backlog) = (engine.in_network(), engine.backlog());
            let oldest = engine.base().oldest_at_sources();
            if let Some(batch) = engine.base_mut().statistics.batch(now - 1) {
                (batch.inside, batch.backlog, batch.oldest) = (inside, backlog, oldest);
            }
            engine.base_mut().note_management(now);
        }
        self.keep(engine, count);
        if window::is_milestone(count) && (count == 0 || !self.is_given()) {
            self.snapshots.extend(self.recent.last().cloned());
        }
        self.look_for_deadlock(engine);
        if self.stage == Stage::Measuring && count > 0 {
            self.judge(engine.base(), count);
        }
        self.ended += 1;
    }

    /// Keeps the counters now, when so many batches have ended, in the place of the oldest, which goes first.
    fn keep(&mut self, engine: &impl Engine, count: usize) {
        if self.recent.len() == RECENT_BATCHES {
            self.recent.remove(0);
        }
        self.recent.push(Snapshot::take(engine, count));
    }

    /// Decides after a batch whether the run has been long enough.
    fn judge(&mut self, base: &Base, count: usize) {
        self.revise(base, count);
        let may_wait = !self.saturated && count < window::most_batches_filling(base);
        if may_wait && self.fills(base.statistics.window(count / 2, count)) {
            (self.filled, self.started) = (count, None);
            return;
        }
        if self.started.is_none() {
            self.started = self.steady_from(base, count);
        }
        match (self.started, self.fixed()) {
            (Some(start), Some(fixed)) if count - start >= fixed => {
                self.finish(base, start, !self.forced);
            }
            (Some(start), None) if self.is_precise(base, start, count) => {
                if !self.saturated && self.fell_behind(base, start, count) {
                    // Found only now, so its buffers may still be filling.
                    (self.saturated, self.started) = (true, None);
                } else {
                    self.finish(base, start, true);
                }
            }
            (start, None) if count >= self.most_batches(base, count) => {
                let behind = self.fell_behind(base, count / 2, count);
                if !self.saturated && behind {
                    // Its buffers may still be filling.
                    (self.saturated, self.started) = (true, None);
                } else if self.may_go_on(base, count) {
                    self.started = None;
                } else {
                    // What fell behind for a moment only is not saturated.
                    self.saturated &= self.beyond || behind;
                    self.finish(base, start.unwrap_or(count / 2), false);
                }
            }
            (_, None) => self.started = None,
            _ => {}
        }
    }

    /// Takes the run for saturated once it falls behind, and no longer when it has kept up for half of its
    /// time. A window that is given is judged as a whole.
    fn revise(&mut self, base: &Base, count: usize) {
        if self.beyond || self.is_given() {
            return;
        }
        let begun = self.started.is_some() && self.fixed().is_some();
        if !self.saturated {
            self.saturated = !self.adapts() && verdict::falls_behind(base, count, self.offered);
            // A window that has begun stays where it is, though buffers may fill in it.
            self.forced |= begun && self.saturated;
        } else if !begun {
            let half = base.statistics.window(count / 2, count);
            if half.len() > FEWEST && !self.fell_behind(base, count / 2, count) {
                (self.saturated, self.started) = (false, None);
            }
        }
    }

    /// Ends the window that began after `start` batches.
    fn finish(&mut self, base: &Base, start: usize, settled: bool) {
        let first = self.snapshot_from(start).or(self.snapshots.first()).cloned();
        let (Some(first), Some(last)) = (first, self.recent.last().cloned()) else { return };
        let filling = self.saturated && !self.adapts();
        let (from, to) = (first.batch, last.batch);
        // A short window says less than the last half of the run.
        let judged = if self.fixed().is_some() { from.min(to / 2) } else { from };
        let behind = self.fell_behind(base, judged, to);
        let begins = behind && self.has_just_begun(base, judged, to);
        self.saturated = self.beyond || filling || (behind && !begins);
        let rough = self.is_rough(base, from, to);
        self.settled = settled && !begins && !rough && !self.still_fills(base, from, to);
        if base.management_falls_behind(from, to) {
            self.awaited = base.setup.endpoint_count() as usize;
        }
        let born_before = base.statistics.end_of(to);
        self.window = Some(Window { first, last, stopped: None });
        self.stage = match self.saturated {
            true => Stage::Done,
            false => Stage::Draining { born_before, until: born_before },
        };
    }
}
