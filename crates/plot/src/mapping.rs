//! From values to pixels and back, for whoever draws or points on top of a chart.

use crate::chart::{Axis, Chart, Scale, Series};

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// The left edge.
    pub left: f64,
    /// The upper edge.
    pub top: f64,
    /// The right edge.
    pub right: f64,
    /// The lower edge.
    pub bottom: f64,
}

/// The scales of a drawn chart, in the CSS pixels of its `viewBox`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping {
    plot: Rectangle,
    x: Ruler,
    y: Ruler,
    positions: Vec<Vec<Option<(f64, f64)>>>,
}

impl Mapping {
    pub(crate) fn new(plot: Rectangle, x: Ruler, y: Ruler, chart: &Chart) -> Self {
        let mut mapping = Self { plot, x, y, positions: Vec::new() };
        let positions = chart.series.iter().map(|series| mapping.shown(series)).collect();
        mapping.positions = positions;
        mapping
    }

    /// The rectangle between the axes.
    pub fn plot(&self) -> Rectangle {
        self.plot
    }

    /// Where a value lies, also outside the plot; nothing when it is not finite, or not positive
    /// on a logarithmic axis.
    pub fn to_pixel(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        let (x, y) = (self.x.fraction(x)?, self.y.fraction(y)?);
        Some((
            self.plot.left + x * (self.plot.right - self.plot.left),
            self.plot.bottom - y * (self.plot.bottom - self.plot.top),
        ))
    }

    /// The value at a pixel.
    pub fn to_value(&self, px: f64, py: f64) -> (f64, f64) {
        let x = (px - self.plot.left) / (self.plot.right - self.plot.left);
        let y = (self.plot.bottom - py) / (self.plot.bottom - self.plot.top);
        (self.x.value(x), self.y.value(y))
    }

    /// Where a point is drawn: values above the axis, unbounded ones too, at the upper edge.
    /// Nothing for a point that is not drawn.
    pub fn position(&self, series: usize, point: usize) -> Option<(f64, f64)> {
        *self.positions.get(series)?.get(point)?
    }

    /// The series and the index of the drawn point nearest to a pixel; on a tie the first.
    pub fn nearest(&self, px: f64, py: f64) -> Option<(usize, usize)> {
        let mut best = None;
        for (series, positions) in self.positions.iter().enumerate() {
            for (index, position) in positions.iter().enumerate() {
                let Some((x, y)) = position else { continue };
                let distance = (x - px) * (x - px) + (y - py) * (y - py);
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, (series, index)));
                }
            }
        }
        best.map(|(_, found)| found)
    }

    fn shown(&self, series: &Series) -> Vec<Option<(f64, f64)>> {
        let position = |x: f64, y: f64| {
            let y = if y > self.y.top() { self.y.top() } else { y };
            let (x, y) = self.to_pixel(x, y)?;
            let beside = x < self.plot.left - NEAR || x > self.plot.right + NEAR;
            let below = y > self.plot.bottom + NEAR;
            (!beside && !below).then_some((x, y))
        };
        series.points.iter().map(|point| position(point.x, point.y)).collect()
    }
}

// A point on the edge may miss it by rounding.
const NEAR: f64 = 1e-6;

/// One axis as a line of numbers: values themselves, or their decimal logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ruler {
    pub low: f64,
    pub high: f64,
    log: bool,
    limit: f64,
}

impl Ruler {
    pub fn new(axis: &Axis) -> Self {
        let log = axis.scale == Scale::Log;
        let place = |value| if log { libm::log10(value) } else { value };
        Self { low: place(axis.range.0), high: place(axis.range.1), log, limit: axis.range.1 }
    }

    /// The largest value shown.
    pub fn top(&self) -> f64 {
        self.limit
    }

    /// Where a value lies on the line of numbers; far values are drawn in, so that lines towards
    /// them can be clipped without overflow.
    pub fn place(&self, value: f64) -> Option<f64> {
        let place = match self.log {
            true if value > 0.0 => libm::log10(value),
            true => return None,
            false => value,
        };
        let far = FAR * (self.high - self.low);
        place.is_finite().then(|| within(place, self.low - far, self.high + far))
    }

    fn fraction(&self, value: f64) -> Option<f64> {
        Some((self.place(value)? - self.low) / (self.high - self.low))
    }

    fn value(&self, fraction: f64) -> f64 {
        let place = self.low + fraction * (self.high - self.low);
        if self.log { libm::exp10(place) } else { place }
    }
}

const FAR: f64 = 1e6;

/// The nearest value in a range: `clamp` without its refusal of a reversed one, for which code that
/// prints numbers would come into the page's first load.
pub(crate) fn within(value: f64, low: f64, high: f64) -> f64 {
    value.max(low).min(high)
}
