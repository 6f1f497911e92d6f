//! Runs with different seeds, pooled into points.

use dragontree::scenario::{Abscissa, ExchangeMetrics, MetricKind, Metrics, Plan, Record};

use super::Finished;
use crate::Open;

/// All finished runs of one place on a curve.
#[derive(Clone, Debug)]
pub(super) struct Spot<'a> {
    pub point: u32,
    first: &'a Record,
    others: Vec<&'a Record>,
}

/// A value and half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    pub value: f64,
    pub error: f64,
}

impl Measured {
    /// Drawn as a gap.
    pub const NOTHING: Measured = Measured { value: f64::NAN, error: 0.0 };
    const UNBOUNDED: Measured = Measured { value: f64::INFINITY, error: 0.0 };
}

/// The points of every curve of the plan, from left to right.
pub(super) fn spots<'a>(plan: &Plan, finished: &[Finished<'a>]) -> Vec<Vec<Spot<'a>>> {
    let mut curves: Vec<Vec<Spot<'a>>> = vec![Vec::new(); plan.curves.len()];
    for run in finished {
        let Some(spots) = curves.get_mut(run.curve as usize) else {
            continue;
        };
        match spots.iter_mut().find(|spot| spot.point == run.point) {
            Some(spot) => spot.others.push(run.record),
            None => spots.push(Spot { point: run.point, first: run.record, others: Vec::new() }),
        }
    }
    for spots in &mut curves {
        // Names keep the order of the text.
        let named = spots.iter().any(|spot| matches!(spot.place(), Abscissa::Word(_)));
        crate::sorting::sort(spots, |one, other| {
            let values = if named { (0.0, 0.0) } else { (one.number(), other.number()) };
            values.0.total_cmp(&values.1).then(one.point.cmp(&other.point))
        });
    }
    curves
}

impl Spot<'_> {
    pub fn place(&self) -> &Abscissa {
        &self.first.x
    }

    fn number(&self) -> f64 {
        match self.place() {
            Abscissa::Number(number) => *number,
            Abscissa::Word(_) => 0.0,
        }
    }

    /// The latency in an otherwise empty network, in nanoseconds, or where that is not known what was
    /// measured at the first place.
    pub fn least_latency_ns(&self) -> Option<f64> {
        let latency = &self.first.metrics.as_ref()?.latency_ns;
        latency.zero_load.or(latency.mean.filter(|_| self.point == 0))
    }

    /// The numbers of its runs, where they are of traffic.
    pub fn metrics(&self) -> impl Iterator<Item = &Metrics> {
        self.records().filter_map(|run| run.metrics.as_ref())
    }

    fn records(&self) -> impl Iterator<Item = &Record> + Clone {
        [self.first].into_iter().chain(self.others.iter().copied())
    }

    /// Why the value of any run is no steady state, or none that is known well enough.
    pub fn open(&self) -> Option<Open> {
        Open::of(self.records())
    }

    fn is_unbounded(&self) -> bool {
        self.metrics().any(|run| run.saturated || run.deadlock.is_some())
    }

    /// The mean over the runs, or their extreme where the metric is one; unbounded for latencies beyond
    /// saturation.
    pub fn measured(&self, kind: MetricKind) -> Option<Measured> {
        if super::axes::is_latency(kind) && self.is_unbounded() {
            return Some(Measured::UNBOUNDED);
        }
        let values: Option<Vec<f64>> = self.records().map(|run| kind.value(run)).collect();
        let values = values?;
        let value = kind.pooled(&values);
        let error = match values.len() {
            _ if !kind.is_averaged() => 0.0,
            1 | 2 => self.own_error(kind),
            _ => spread(&values, value),
        };
        Some(Measured { value, error })
    }

    /// The mean over the runs of a time of theirs; none where one of them has none.
    pub fn time(&self, of: &dyn Fn(&ExchangeMetrics) -> Option<f64>) -> Option<f64> {
        let times = self.records().map(|run| of(run.exchange.as_deref()?));
        let sum = times.sum::<Option<f64>>()?;
        Some(sum / self.records().count() as f64)
    }

    /// The formula of the model of its time.
    pub fn formula(&self) -> Option<&str> {
        self.first.exchange.as_deref()?.model.as_deref()
    }

    /// The half-width that the runs' own intervals give their mean.
    fn own_error(&self, kind: MetricKind) -> f64 {
        let own = |run: &Metrics| match kind {
            MetricKind::Accepted => run.interval.accepted.unwrap_or(0.0),
            MetricKind::Latency => run.interval.latency_ns.unwrap_or(0.0),
            _ => 0.0,
        };
        let squares: f64 = self.metrics().map(|run| own(run) * own(run)).sum();
        squares.sqrt() / self.records().count() as f64
    }
}

/// Half the width of the t-interval around the mean.
fn spread(values: &[f64], mean: f64) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let count = values.len() as f64;
    student(values.len() - 1) * (squares / (count - 1.0) / count).sqrt()
}

/// The 97.5 % quantile of Student's distribution.
fn student(freedom: usize) -> f64 {
    const QUANTILES: [f64; 20] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    ];
    match QUANTILES.get(freedom.saturating_sub(1)) {
        Some(quantile) => *quantile,
        // Off by less than a thousandth here.
        None => 1.96 + 2.5 / freedom as f64,
    }
}

/// A value relative to another; nothing where either is unbounded or the other is 0.
pub(super) fn ratio(value: Measured, over: Measured) -> Option<Measured> {
    let ratio = value.value / over.value;
    if !over.value.is_finite() || !ratio.is_finite() {
        return None;
    }
    let relative = |measured: Measured| match measured.value {
        0.0 => 0.0,
        value => measured.error / value,
    };
    let (left, right) = (relative(value), relative(over));
    Some(Measured { value: ratio, error: (ratio * (left * left + right * right).sqrt()).abs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_over_seeds_is_students() {
        // Five values with standard deviation 1: 2.776 / √5.
        let values = [-1.264_911_064_067_351_8, -0.632_455_532_033_675_9, 0.0];
        let values: Vec<f64> = values
            .iter()
            .chain(&[0.632_455_532_033_675_9, 1.264_911_064_067_351_8])
            .copied()
            .collect();
        assert!((spread(&values, 0.0) - 1.2415).abs() < 1e-3);
        assert!((student(60) - 2.0003).abs() < 2e-3);
    }

    #[test]
    fn ratios_carry_both_errors() {
        let value = Measured { value: 2.0, error: 0.06 };
        let over = Measured { value: 4.0, error: 0.16 };
        let found = ratio(value, over).expect("finite");
        assert_eq!(found.value, 0.5);
        assert!((found.error - 0.5 * 0.05).abs() < 1e-12);
        assert_eq!(ratio(value, Measured { value: 0.0, error: 0.0 }), None);
    }
}
