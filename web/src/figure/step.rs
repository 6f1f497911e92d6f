//! Steps along curves, for keys and pointers.

use dragontree_plot::{Chart, Mapping};

use crate::store::Selected;

/// A direction that a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next point of the curve.
    Right,
    /// To the point before.
    Left,
    /// To the next curve in the legend.
    Down,
    /// To the curve before.
    Up,
    /// To the first point of the curve.
    First,
    /// To its last point.
    Last,
}

impl Step {
    /// What a key means.
    pub fn of(key: &str) -> Option<Step> {
        Some(match key {
            "ArrowRight" => Step::Right,
            "ArrowLeft" => Step::Left,
            "ArrowDown" => Step::Down,
            "ArrowUp" => Step::Up,
            "Home" => Step::First,
            "End" => Step::Last,
            _ => return None,
        })
    }
}

/// The point nearest to a pixel.
pub fn nearest(chart: &Chart, mapping: &Mapping, px: f64, py: f64) -> Option<Selected> {
    let (series, point) = mapping.nearest(px, py)?;
    Some(Selected { curve: chart.series.get(series)?.slot, point })
}

/// Where a step leads; from nowhere, to the first point there is.
pub fn step(chart: &Chart, from: Option<Selected>, step: Step) -> Option<Selected> {
    let begun: Vec<_> = chart.series.iter().filter(|series| !series.points.is_empty()).collect();
    let here = from.and_then(|from| {
        let place = begun.iter().position(|series| series.slot == from.curve)?;
        Some((place, from.point))
    });
    let Some((place, point)) = here else {
        let first = begun.first()?;
        return Some(Selected { curve: first.slot, point: 0 });
    };
    let last = begun[place].points.len() - 1;
    let (place, point) = match step {
        Step::Right => (place, (point + 1).min(last)),
        Step::Left => (place, point.saturating_sub(1)),
        Step::First => (place, 0),
        Step::Last => (place, last),
        Step::Down => beside(&begun, place, (place + 1).min(begun.len() - 1), point),
        Step::Up => beside(&begun, place, place.saturating_sub(1), point),
    };
    Some(Selected { curve: begun[place].slot, point })
}

/// The point of another curve that lies closest on the horizontal axis.
fn beside(
    begun: &[&dragontree_plot::Series],
    from: usize,
    to: usize,
    point: usize,
) -> (usize, usize) {
    let x = begun[from].points.get(point).map_or(0.0, |point| point.x);
    let distance = |index: &usize| (begun[to].points[*index].x - x).abs();
    let closest =
        (0..begun[to].points.len()).min_by(|one, other| distance(one).total_cmp(&distance(other)));
    (to, closest.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragontree_plot::{Axis, Point, Series};

    fn chart() -> Chart {
        let series = |slot: usize, xs: &[f64]| Series {
            name: String::new(),
            slot,
            ghost: false,
            points: xs.iter().map(|x| Point { x: *x, y: 0.1, error: 0.0, open: None }).collect(),
        };
        Chart {
            title: String::new(),
            description: String::new(),
            x: Axis::percent("load"),
            y: Axis::percent("throughput"),
            series: vec![series(0, &[0.1, 0.2, 0.3]), series(1, &[]), series(2, &[0.3])],
            marks: Vec::new(),
        }
    }

    fn at(curve: usize, point: usize) -> Option<Selected> {
        Some(Selected { curve, point })
    }

    #[test]
    fn steps_stay_on_the_curve_and_within_it() {
        let chart = chart();
        assert_eq!(step(&chart, None, Step::Right), at(0, 0));
        assert_eq!(step(&chart, at(0, 2), Step::Right), at(0, 2));
        assert_eq!(step(&chart, at(0, 0), Step::Left), at(0, 0));
        assert_eq!(step(&chart, at(0, 0), Step::Last), at(0, 2));
    }

    #[test]
    fn changing_the_curve_keeps_the_place_and_skips_empty_ones() {
        let chart = chart();
        assert_eq!(step(&chart, at(0, 0), Step::Down), at(2, 0));
        assert_eq!(step(&chart, at(2, 0), Step::Up), at(0, 2));
        assert_eq!(step(&chart, at(1, 0), Step::Up), at(0, 0));
    }
}
