//! When a series of batch means is steady, and how well its mean is known.

/// The smallest number of batches that an interval is made of.
pub(super) const FEWEST: usize = 10;
/// Of a long series, the means of about so many parts are looked at as well.
const GROUPS: usize = 20;
/// The strongest correlation of neighbors that a series of so few batches can tell from a trend.
const MOST_ALIKE: f64 = 0.95;

/// Where the series becomes steady (White's MSER on batch means): the cut that minimizes the
/// variance of the mean of the rest. None when the best cut lies at half of the series: then the
/// series has not settled yet.
pub(super) fn cut(series: &[f64]) -> Option<usize> {
    let bound = series.len() / 2;
    let (mut sum, mut squares) = (0.0, 0.0);
    // Centering keeps the sum of squares exact enough for nearly constant series.
    let center = series.last().copied().unwrap_or(0.0);
    let mut best = (f64::INFINITY, bound);
    for start in (0..series.len()).rev() {
        let value = series[start] - center;
        sum += value;
        squares += value * value;
        if start <= bound {
            let count = (series.len() - start) as f64;
            let error = (squares - sum * sum / count) / (count * count);
            if error <= best.0 {
                best = (error, start);
            }
        }
    }
    (best.1 < bound).then_some(best.1)
}

/// Mean and half-width of its 95 % interval, by batch means. Batches that follow each other are alike
/// where queues outlast a batch: so many then tell what fewer independent ones would (the series is
/// taken for an autoregressive one of first order). What is slower shows in the means of parts of a long
/// series, of whose interval the wider one counts. The half-width is infinite with too few batches.
pub(super) fn interval(series: &[f64]) -> (f64, f64) {
    let group = series.len() / GROUPS;
    if group < 2 {
        return interval_of(series);
    }
    let groups: Vec<f64> = series.rchunks_exact(group).map(mean).collect();
    let (_, slow) = interval_of(&groups);
    let (mean, half) = interval_of(series);
    (mean, half.max(slow))
}

/// The same by the series itself, whatever its length.
fn interval_of(series: &[f64]) -> (f64, f64) {
    let mean = mean(series);
    if series.len() < FEWEST {
        return (mean, f64::INFINITY);
    }
    let independent = independent(series);
    let variance = squares(series) / (series.len() as f64 - 1.0);
    let freedom = (independent as usize).saturating_sub(1).max(1);
    (mean, student(freedom) * (variance / independent).sqrt())
}

/// How many independent batches would tell as much as these do.
pub(super) fn independent(series: &[f64]) -> f64 {
    let alike = likeness(series);
    series.len() as f64 * (1.0 - alike) / (1.0 + alike)
}

/// Correlation of neighbors, at least 0, freed to first order of what the estimate falls short by in a
/// short series (Marriott & Pope 1954).
fn likeness(series: &[f64]) -> f64 {
    let count = series.len() as f64;
    let corrected = (correlation(series) * count + 1.0) / (count - 4.0);
    corrected.clamp(0.0, MOST_ALIKE)
}

fn mean(series: &[f64]) -> f64 {
    series.iter().sum::<f64>() / (series.len() as f64).max(1.0)
}

/// Sum of squared deviations from the mean.
fn squares(series: &[f64]) -> f64 {
    let center = mean(series);
    series.iter().map(|value| (value - center) * (value - center)).sum()
}

/// Correlation of neighbors.
fn correlation(series: &[f64]) -> f64 {
    let center = mean(series);
    let total = squares(series);
    let products: f64 = series.windows(2).map(|pair| (pair[0] - center) * (pair[1] - center)).sum();
    if total > 0.0 { products / total } else { 0.0 }
}

/// The 97.5 % point of Student's law with so many degrees of freedom.
pub(super) fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042,
    ];
    match freedom {
        0 => f64::INFINITY,
        1..=30 => TABLE[freedom - 1],
        // The first terms of the series around the normal law's 1.960.
        _ => 1.96 + 2.4 / freedom as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    #[test]
    fn the_cut_falls_behind_the_transient() {
        let noise = [0.3, -0.2, 0.1, -0.3, 0.2, -0.1, 0.25, -0.25];
        let series: Vec<f64> = (0..40)
            .map(|index| {
                let transient = if index < 8 { 8.0 - index as f64 } else { 0.0 };
                10.0 + transient + noise[index % noise.len()]
            })
            .collect();
        let found = cut(&series).expect("it settles");
        assert!((7..=10).contains(&found), "{found}");
    }

    #[test]
    fn a_trend_never_settles() {
        let series: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(cut(&series), None);
    }

    #[test]
    fn intervals_follow_student() {
        // Mean 5.5, standard error sqrt(55/6 / 10) = 0.957, t(9) = 2.262.
        let series: Vec<f64> = [1, 10, 2, 9, 3, 8, 4, 7, 5, 6].map(f64::from).to_vec();
        let (mean, half) = interval(&series);
        assert!((mean - 5.5).abs() < 1e-12);
        assert!((half - 2.262 * (55.0_f64 / 6.0 / 10.0).sqrt()).abs() < 1e-3, "{half}");
        assert_eq!(interval(&series[..5]).1, f64::INFINITY);
        assert!((student(60) - 2.000).abs() < 0.001);
    }

    /// Of 95 % intervals, about as many hold the true mean where a batch is much like the one before:
    /// autoregressive series, whose mean is 0.
    ///
    /// Independent batches leave 95 % by Student's law, less three standard deviations of a count of 1,000,
    /// 0.7 % each: 93 %. The other bounds follow from no theory. Likeness is corrected to first order of
    /// `1 / count` only, so that intervals of few batches, and of much alike ones, hold the mean less often
    /// than 95 %, by how much nobody has derived: the bounds were set by judgment and say that it may not be
    /// by much.
    #[test]
    fn intervals_hold_the_mean_of_batches_that_are_alike() {
        let mut stream = Stream::new(5, "steady", 0);
        // Twelve uniform numbers have variance 1 together.
        let mut normal =
            || (0..12).map(|_| (stream.bits() >> 32) as f64 / 4_294_967_296.0 - 0.5).sum::<f64>();
        for (alike, count, least) in [
            (0.0, 10, 93),
            (0.2, 20, 92),
            (0.4, 20, 91),
            (0.6, 20, 89),
            (0.6, 60, 92),
            (0.8, 60, 90),
        ] {
            let holds = (0..1000).filter(|_| {
                let mut last: f64 = normal();
                let series: Vec<f64> = (0..count)
                    .map(|_| {
                        last = alike * last + (1.0 - alike * alike).sqrt() * normal();
                        last
                    })
                    .collect();
                let (mean, half) = interval(&series);
                mean.abs() <= half
            });
            let holds = holds.count();
            assert!((10 * least..=985).contains(&holds), "{alike} {count}: {holds}");
        }
    }
}
