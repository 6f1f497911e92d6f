//! What a run measured, from its window.

use super::super::Report;
use super::super::engine::Engine;
use super::super::snapshot::Window;
use super::Control;
#[cfg(feature = "complete")]
use crate::network::{Node, PortId};
use crate::units::Time;

impl Control {
    /// What was measured; before the end, in the batches that have ended; after a deadlock, in
    /// the part of the window before progress stopped.
    pub(in crate::simulation) fn report(&self, engine: &impl Engine) -> Report {
        let base = engine.base();
        let unbounded = self.saturated || self.deadlock.is_some() || self.undelivered;
        let measured =
            self.measured(engine).map(|window| window.report(base, self.capacity, unbounded));
        // What deadlocks before the window begins has none.
        let none = || Report { warmup: Time::ps(self.origin), ..Report::default() };
        let measured = measured.unwrap_or_else(none);
        Report {
            offered: self.offered / self.capacity.max(f64::MIN_POSITIVE),
            // Sources that a deadlock stops say nothing of the load.
            saturated: if self.deadlock.is_some() { self.beyond } else { self.saturated },
            // A window that nothing arrived in says nothing of what is offered.
            settled: self.settled && (measured.packets > 0 || self.offered <= 0.0),
            accepted_interval: measured.accepted_interval.filter(|_| self.deadlock.is_none()),
            deadlock: self.deadlock.clone(),
            digest: base.digest(),
            ..measured
        }
    }

    /// What is measured: the window; before it is known, all batches that have ended; after a deadlock,
    /// the part of them until nothing moved any more.
    fn measured(&self, engine: &impl Engine) -> Option<Window> {
        let window = self.window.clone().or_else(|| {
            let first = self.snapshots.first()?.clone();
            Some(Window { first, last: self.recent.last()?.clone(), stopped: None })
        })?;
        // Nothing that the reduced build holds can deadlock.
        #[cfg(feature = "complete")]
        return Some(self.until_stopped(engine, window));
        #[cfg(not(feature = "complete"))]
        {
            let _ = engine;
            Some(window)
        }
    }

    /// The part of a window until nothing moved any more after a deadlock. Where some packets still move,
    /// until the end of the batch in which those of the deadlock stopped.
    #[cfg(feature = "complete")]
    fn until_stopped(&self, engine: &impl Engine, window: Window) -> Window {
        let Window { first, mut last, .. } = window;
        let stopped = self.deadlock.iter().flatten().map(|waiting| waiting.since.as_ps()).max();
        let Some(since) = stopped else { return Window { first, last, stopped } };
        let base = engine.base();
        let arrived = since.max(last_arrival(engine));
        let stopped = if arrived < base.now { arrived } else { since };
        for kept in self.snapshots.iter().chain(&self.recent) {
            let ends = base.statistics.end_of(kept.batch);
            if kept.batch >= first.batch && ends >= stopped && kept.batch < last.batch {
                last = kept.clone();
            }
        }
        Window { first, last, stopped: Some(arrived) }
    }
}

/// When the last packet arrives of those that have been given to a channel, and if it goes to an endpoint is
/// taken there.
#[cfg(feature = "complete")]
fn last_arrival(engine: &impl Engine) -> u64 {
    let setup = &engine.base().setup;
    let ports = engine.free_from().zip((0..).map(PortId));
    let arrival = |(free, port)| {
        let latency = setup.network.channel(port)?.latency;
        let beyond = match setup.network.neighbor(port)? {
            Node::Endpoint(_) => setup.adapter_latency,
            Node::Switch(_) => Time::ZERO,
        };
        (free > 0).then(|| free + (latency + beyond).as_ps())
    };
    ports.filter_map(arrival).max().unwrap_or(0)
}

/// What others want to know of a run's course.
#[cfg(feature = "complete")]
impl Control {
    /// Batches that have ended.
    pub(in crate::simulation) fn batches_ended(&self) -> usize {
        // The one that is counted first ends at the origin and has no length.
        self.ended.saturating_sub(1)
    }

    /// Packets that all endpoints together could take in a batch.
    pub(in crate::simulation) fn capacity(&self) -> f64 {
        self.capacity
    }

    /// Whether it ended because packets wait for each other.
    pub(in crate::simulation) fn is_deadlocked(&self) -> bool {
        self.deadlock.is_some()
    }

    /// Whether it did and nothing moves any more, not even packets that wait for none of these.
    pub(in crate::simulation) fn stands_still(&self, engine: &impl Engine) -> bool {
        self.is_deadlocked() && last_arrival(engine) < engine.base().now
    }

    /// The measuring window, once it is known.
    pub(in crate::simulation) fn known_window(&self, engine: &impl Engine) -> Option<Window> {
        let is_known = self.window.is_some() || self.is_deadlocked();
        self.measured(engine).filter(|_| is_known)
    }
}
