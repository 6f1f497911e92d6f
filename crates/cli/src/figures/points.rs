//! The points of an experiment: their numbers, each pooled over its seeds.

use dragontree::catalog::Problem;
use dragontree::scenario::{Metric, MetricKind, Plan};

use super::paper::{Expect, Quantity};
use super::task::Facts;

/// What the runs of one experiment found.
pub struct Points<'a> {
    /// The experiment.
    pub plan: &'a Plan,
    /// What each run found.
    pub outcomes: &'a [Result<Facts, Vec<Problem>>],
}

/// The number of one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Pooled {
    place: Place,
    /// What the numbers of its seeds come to.
    pub value: f64,
    /// These, in the order of the seeds; none where they do not come to their mean.
    of_seeds: Vec<f64>,
}

/// A curve and a point on it.
type Place = (u32, u32);

impl Points<'_> {
    /// Of the chosen points the one that is furthest off.
    ///
    /// # Errors
    /// A run failed, or there is no such point, in words.
    pub fn worst(&self, expect: &Expect) -> Result<Pooled, String> {
        let curve = expect.curve.as_ref();
        let chosen = |facts: &Facts| {
            let name = self.plan.curves.get(facts.curve as usize);
            curve.is_none_or(|curve| Some(curve) == name) && facts.is_chosen(expect)
        };
        let kind = match expect.metric {
            Quantity::Metric(kind) => Some(kind),
            _ => None,
        };
        let value = |facts: &Facts| facts.value(expect);
        let own = self.pooled(chosen, kind, value)?;
        let numbers = match expect.over.as_deref() {
            None => own,
            Some(Metric::IDEAL) => {
                let ideal = |facts: &Facts| facts.metric(MetricKind::Ideal);
                let ideals = self.pooled(chosen, Some(MetricKind::Ideal), ideal)?;
                ratios(&own, &ideals, |one, other| one == other)
            }
            Some(over) => {
                let index = self.plan.find_curve(over);
                let index = index.ok_or_else(|| format!("no curve is {over}"))?;
                let divisor = |facts: &Facts| facts.curve as usize == index;
                let divisors = self.pooled(divisor, kind, value)?;
                ratios(&own, &divisors, |one, other| one.1 == other.1)
            }
        };
        let numbers = if expect.successive { steps(&numbers) } else { numbers };
        let worst = numbers
            .into_iter()
            .max_by(|one, other| expect.excess(one.value).total_cmp(&expect.excess(other.value)));
        worst.ok_or_else(|| "the experiment has no such curve or point".to_owned())
    }

    /// A number of some points, in the order in which they were found.
    fn pooled(
        &self,
        chosen: impl Fn(&Facts) -> bool,
        kind: Option<MetricKind>,
        value: impl Fn(&Facts) -> Option<f64>,
    ) -> Result<Vec<Pooled>, String> {
        let mut points: Vec<(Place, Vec<f64>)> = Vec::new();
        for outcome in self.outcomes {
            let facts = outcome.as_ref().map_err(|problems| joined(problems))?;
            if !chosen(facts) {
                continue;
            }
            let value = value(facts).ok_or("the value is unbounded")?;
            let place = (facts.curve, facts.point);
            match points.iter_mut().find(|(known, _)| *known == place) {
                Some((_, values)) => values.push(value),
                None => points.push((place, vec![value])),
            }
        }
        let pooled = |(place, values): (Place, Vec<f64>)| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let value = kind.map_or(mean, |kind| kind.pooled(&values));
            let averaged = kind.is_none_or(MetricKind::is_averaged);
            Pooled { place, value, of_seeds: if averaged { values } else { Vec::new() } }
        };
        Ok(points.into_iter().map(pooled).collect())
    }
}

impl Pooled {
    /// It over another, and so seed by seed: a seed places ranks and draws destinations alike in both,
    /// so that their deviations are not independent. Where they have not as many seeds, without them.
    fn over(&self, other: &Pooled) -> Pooled {
        let pairs = self.of_seeds.iter().zip(&other.of_seeds);
        let alike = self.of_seeds.len() == other.of_seeds.len();
        Pooled {
            place: self.place,
            value: self.value / other.value,
            of_seeds: pairs.filter(|_| alike).map(|(one, other)| one / other).collect(),
        }
    }

    /// Three standard deviations of the numbers of its seeds, where it is the mean of several or a
    /// ratio of such means; none where all are the same, as those of an analysis are.
    pub fn three_sigma(&self) -> Option<f64> {
        let values = &self.of_seeds;
        let first = values.first()?;
        if values.iter().all(|value| value == first) {
            return None;
        }
        let freedom = values.len() - 1;
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Some(3.0 * (squares / freedom as f64).sqrt())
    }
}

/// Numbers over others; those without another are left out.
fn ratios(own: &[Pooled], others: &[Pooled], meets: impl Fn(Place, Place) -> bool) -> Vec<Pooled> {
    let ratio = |each: &Pooled| {
        let other = others.iter().find(|other| meets(each.place, other.place))?;
        Some(each.over(other))
    };
    own.iter().filter_map(ratio).collect()
}

/// Each number over the one at the place before on the same curve, which has none at its first place.
fn steps(numbers: &[Pooled]) -> Vec<Pooled> {
    let before = |each: &Pooled| {
        let (curve, point) = each.place;
        let earlier =
            numbers.iter().filter(|other| other.place.0 == curve && other.place.1 < point);
        earlier.max_by_key(|other| other.place.1)
    };
    numbers.iter().filter_map(|each| Some(each.over(before(each)?))).collect()
}

/// Problems in one line.
pub fn joined(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    lines.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pooled(of_seeds: &[f64]) -> Pooled {
        let value = of_seeds.iter().sum::<f64>() / of_seeds.len() as f64;
        Pooled { place: (0, 0), value, of_seeds: of_seeds.to_vec() }
    }

    #[test]
    fn deviations_are_estimated_from_several_values() {
        assert_eq!(pooled(&[1.0]).three_sigma(), None);
        assert_eq!(pooled(&[0.2, 0.2, 0.2]).three_sigma(), None);
        // Deviations −2, 0 and 2: variance (4 + 4) / 2.
        assert_eq!(pooled(&[3.0, 5.0, 7.0]).three_sigma(), Some(6.0));
    }

    #[test]
    fn ratios_deviate_seed_by_seed() {
        // Both deviate, always alike: the ratio does not.
        let double = pooled(&[6.0, 10.0, 14.0]).over(&pooled(&[3.0, 5.0, 7.0]));
        assert_eq!((double.value, double.three_sigma()), (2.0, None));
        // Ratios 1, 2 and 3, that of the means is 2: deviations −1, 0 and 1.
        let ratio = pooled(&[2.0, 4.0, 6.0]).over(&pooled(&[2.0, 2.0, 2.0]));
        assert_eq!((ratio.value, ratio.three_sigma()), (2.0, Some(3.0)));
        // Not as many seeds: no pairs.
        let apart = pooled(&[2.0, 4.0]).over(&pooled(&[1.0, 1.0, 1.0]));
        assert_eq!((apart.value, apart.three_sigma()), (3.0, None));
    }
}
