//! Cuts curves at the edges of the plot.

use crate::chart::{Point, Series};
use crate::mapping::{Ruler, within};

type Place = (f64, f64);

/// The visible pieces of a curve, as places on the rulers; it breaks where it has no value.
pub(crate) fn pieces(series: &Series, x: &Ruler, y: &Ruler) -> Vec<Vec<Place>> {
    let mut pieces: Vec<Vec<Place>> = Vec::new();
    let mut previous: Option<Place> = None;
    for point in &series.points {
        let place = x.place(point.x).zip(y.place(point.y));
        if let (Some(from), Some(to)) = (previous, place)
            && let Some((start, end)) = clipped(from, to, x, y)
        {
            match pieces.last_mut() {
                Some(piece) if piece.last() == Some(&start) => piece.push(end),
                _ => pieces.push(vec![start, end]),
            }
        }
        previous = place;
    }
    pieces
}

/// Where a curve leaves the plot upwards.
pub(crate) struct Exit {
    /// The first point above the plot.
    pub index: usize,
    /// On the upper edge.
    pub at: Place,
    /// The visible point before it, if the value above is unbounded.
    pub from: Option<Place>,
}

/// The first of each run of points above the plot.
pub(crate) fn exits(series: &Series, x: &Ruler, y: &Ruler) -> Vec<Exit> {
    let mut exits = Vec::new();
    let mut before: Option<&Point> = None;
    for (index, point) in series.points.iter().enumerate() {
        let above = |point: &Point| point.y > y.top();
        let spot = x.place(point.x).filter(|spot| (x.low..=x.high).contains(spot));
        if above(point)
            && !before.is_some_and(above)
            && let Some(spot) = spot
        {
            let last = before.and_then(|before| visible(before, x, y));
            let from = last.filter(|_| point.y.is_infinite());
            exits.push(Exit { index, at: (spot, y.high), from });
        }
        before = Some(point);
    }
    exits
}

/// The place of a point, if it is inside the plot.
pub(crate) fn visible(point: &Point, x: &Ruler, y: &Ruler) -> Option<Place> {
    let place = x.place(point.x).zip(y.place(point.y))?;
    let inside = (x.low..=x.high).contains(&place.0) && (y.low..=y.high).contains(&place.1);
    inside.then_some(place)
}

/// The part of a segment inside the plot.
fn clipped(from: Place, to: Place, x: &Ruler, y: &Ruler) -> Option<(Place, Place)> {
    let (first, last) = share(from.0, to.0, x)?;
    let (second, third) = share(from.1, to.1, y)?;
    let (start, end) = (first.max(second), last.min(third));
    let at = |share: f64| {
        let between = |from: f64, to: f64, ruler: &Ruler| {
            within(from + share * (to - from), ruler.low, ruler.high)
        };
        (between(from.0, to.0, x), between(from.1, to.1, y))
    };
    // The ends themselves are kept exactly, so that neighboring segments join.
    let start_place = if start <= 0.0 { from } else { at(start) };
    let end_place = if end >= 1.0 { to } else { at(end) };
    (start <= end).then_some((start_place, end_place))
}

/// From which share of the way to which a segment is within a ruler.
fn share(from: f64, to: f64, ruler: &Ruler) -> Option<(f64, f64)> {
    let way = to - from;
    if way == 0.0 {
        return (ruler.low..=ruler.high).contains(&from).then_some((0.0, 1.0));
    }
    let (one, other) = ((ruler.low - from) / way, (ruler.high - from) / way);
    let (start, end) = (one.min(other).max(0.0), one.max(other).min(1.0));
    (start <= end).then_some((start, end))
}
