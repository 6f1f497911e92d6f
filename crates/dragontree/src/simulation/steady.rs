//! When a series of batch means is steady, and how well its mean is known.

/// The smallest number of batches that an interval is made of.
pub(super) const FEWEST: usize = 10;

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

/// Mean and half-width of its 95 % interval, by batch means; batches are joined in pairs while
/// neighbors are correlated. The half-width is infinite with too few batches.
pub(super) fn interval(series: &[f64]) -> (f64, f64) {
    let mean = mean(series);
    let mut means = series.to_vec();
    while means.len() >= 2 * FEWEST && correlation(&means) > 0.2 {
        means = means.chunks_exact(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
    }
    if means.len() < FEWEST {
        return (mean, f64::INFINITY);
    }
    let count = means.len() as f64;
    let variance = squares(&means) / (count - 1.0);
    (mean, student(means.len() - 1) * (variance / count).sqrt())
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
}
