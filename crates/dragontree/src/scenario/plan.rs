//! The curves of a study and the runs that make them.

use super::Job;
use super::metric::{Metric, MetricKind};
use crate::catalog::{Menu, Problem, Unit};

/// What stands on the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct X {
    /// The name on the axis.
    pub label: String,
    /// How its numbers are written; none for names and counts.
    pub unit: Option<Unit>,
}

/// What the axis of the offered load is called, and that of an exchange where nothing varies; last where
/// its messages have lengths of their own.
pub(super) const BY_LOAD: &str = "Load";
pub(super) const BY_BYTES: &str = "Message size";
pub(super) const BY_EXCHANGE: &str = "Exchange";
/// The axis where nothing is simulated and nothing varies but from case to case, or nothing at all.
pub(super) const BY_CASE: &str = "Case";
pub(super) const BY_FABRIC: &str = "Fabric";

impl X {
    /// Whether it is the offered load.
    pub fn is_load(&self) -> bool {
        self.label == BY_LOAD
    }

    /// Whether it only has a name for each curve, along which nothing varies.
    pub fn is_of_names(&self) -> bool {
        [BY_CASE, BY_FABRIC].contains(&self.label.as_str())
    }
}

/// The curves of a study and the runs that make them.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The horizontal axis.
    pub x: X,
    /// The name of each curve; a single curve may have an empty one.
    pub curves: Vec<String>,
    /// The runs, curve by curve.
    pub jobs: Vec<Job>,
}

impl Plan {
    /// The curve that `over=` names, by its case or its name in the legend; underscores stand for
    /// spaces, which a text cannot hold.
    pub fn find_curve(&self, name: &str) -> Option<usize> {
        let plain = |text: &str| text.to_ascii_lowercase().replace([' ', '-'], "_");
        let wanted = plain(name);
        let names: Vec<String> = self.curves.iter().map(|curve| plain(curve)).collect();
        let first = |name: &String| name.split(',').next() == Some(wanted.as_str());
        names.iter().position(|name| *name == wanted).or_else(|| names.iter().position(first))
    }

    /// Whether its runs are exchanges, not traffic.
    pub fn exchanges(&self) -> bool {
        self.jobs.first().is_some_and(|job| job.scenario.exchanges())
    }

    /// Whether traffic and exchanges would share the charts.
    pub(super) fn check_kinds(&self) -> Option<Problem> {
        let mut simulated = self.jobs.iter().filter(|job| job.wants.simulation);
        let first = simulated.next()?.scenario.exchanges();
        let other = simulated.find(|job| job.scenario.exchanges() != first)?;
        let name = other.scenario.exchange.name();
        let allowed = "others are traffic, with no axis in common; allowed: one of the two";
        Some(Problem::new("exchange", name, allowed))
    }

    /// What is wrong with a metric in this study.
    pub(super) fn check(&self, metric: &Metric) -> Option<Problem> {
        let (kind, of_exchange) = (metric.kind, metric.kind.is_of_exchange());
        let simulated = !kind.is_of_fabric() && !kind.is_of_routes();
        if simulated && self.jobs.iter().any(|job| job.scenario.exchanges() != of_exchange) {
            let allowed = match of_exchange {
                true => "it is measured of exchanges, so every run needs one",
                false => {
                    "it is measured of traffic, and an exchange has none; allowed: completion, \
                     effective_throughput, message_latency and others of exchanges"
                }
            };
            return Some(Problem::new("y", kind.name(), allowed));
        }
        let over = metric.over.as_deref()?;
        if over == Metric::IDEAL && kind == MetricKind::Completion {
            return None;
        }
        let known: Vec<&str> = self.curves.iter().map(String::as_str).collect();
        self.find_curve(over).is_none().then(|| Problem::unknown("y,over", over, &known))
    }
}
