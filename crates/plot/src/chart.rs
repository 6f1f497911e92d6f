//! What a chart says, before anything is drawn.

use crate::ticks::nice_ceiling;
use crate::{Format, Open};

/// A whole chart: two axes, curves, and the marks that theory adds.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The name that screen readers announce; not drawn.
    pub title: String,
    /// One or two sentences that say what the curves do; not drawn.
    pub description: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves; may be empty, so that the axes stand before the first point.
    pub series: Vec<Series>,
    /// Reference lines.
    pub marks: Vec<Mark>,
}

/// One axis. Its range is chosen by the caller, so that nothing moves while points arrive.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is measured, without the unit: the format appends it ("latency" becomes "latency, µs").
    pub label: String,
    /// The smallest and the largest value shown.
    pub range: (f64, f64),
    /// How values are spread over the axis.
    pub scale: Scale,
    /// How values are written.
    pub format: Format,
    /// What stands at 0, 1, 2, … where these are no numbers but places; empty elsewhere.
    pub names: Vec<String>,
}

impl Axis {
    /// A linear axis of fractions, from 0 to 1, written as percent.
    pub fn percent(label: &str) -> Self {
        Self::percent_to(label, 1.0)
    }

    /// A linear axis of fractions from 0 to a round number at or above `highest` (at most 1
    /// when `highest` is), written as percent.
    pub fn percent_to(label: &str, highest: f64) -> Self {
        Self::linear(label, (0.0, nice_ceiling(highest)), Format::Percent)
    }

    /// A linear latency axis in nanoseconds, from 0 to a round number that leaves room for
    /// congestion to multiply the zero-load latency.
    pub fn latency(label: &str, zero_load: f64) -> Self {
        let highest = nice_ceiling(LATENCY_HEADROOM * zero_load);
        Self::linear(label, (0.0, highest), Format::Nanoseconds)
    }

    /// A linear axis.
    pub fn linear(label: &str, range: (f64, f64), format: Format) -> Self {
        let label = label.to_owned();
        let scale = Scale::Linear;
        Self { label, range, scale, format, names: Vec::new() }
    }

    /// A logarithmic axis; its range must be positive.
    pub fn log(label: &str, range: (f64, f64), format: Format) -> Self {
        let scale = Scale::Log;
        Self { scale, ..Self::linear(label, range, format) }
    }

    /// An axis of names, at 0, 1, 2, … with room at both ends.
    pub fn named(label: &str, names: Vec<String>) -> Self {
        let range = (-0.5, names.len().max(1) as f64 - 0.5);
        Self { names, ..Self::linear(label, range, Format::Number) }
    }

    /// A value as it is written for people: its name where it has one, else with its unit.
    pub fn text(&self, value: f64) -> String {
        let place = (value >= 0.0 && value.fract() == 0.0).then_some(value as usize);
        match place.and_then(|place| self.names.get(place)) {
            Some(name) => name.clone(),
            None => self.format.text(value),
        }
    }
}

// Queueing rarely lets a mean latency exceed this multiple short of saturation, where it is
// unbounded anyway.
const LATENCY_HEADROOM: f64 = 6.0;

/// How values are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences take equal space.
    Linear,
    /// Equal ratios take equal space.
    Log,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// Which color and marker it has; there are six of each, and they repeat in other pairs.
    pub slot: usize,
    /// Its points in the order in which the line joins them.
    pub points: Vec<Point>,
    /// Whether it is a pinned earlier run, drawn faintly behind the others.
    pub ghost: bool,
}

/// One measured point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where it was measured.
    pub x: f64,
    /// What was measured. Infinity is drawn as an arrow at the top; not-a-number leaves a gap.
    pub y: f64,
    /// Half the width of the confidence interval; 0 draws none.
    pub error: f64,
    /// Why the marker is hollow, if it is: the value is shown, but is no steady state, or none that is known
    /// well enough.
    pub open: Option<Open>,
}

/// A reference line across the plot.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A dotted vertical line with a label above the plot, such as the load at which the busiest
    /// channel fills.
    Vertical {
        /// Where it stands.
        x: f64,
        /// What is written beside it.
        label: String,
        /// The series whose color it takes; muted without one.
        slot: Option<usize>,
    },
    /// A dashed horizontal line with a label inside the plot, such as the zero-load latency.
    Horizontal {
        /// Where it lies.
        y: f64,
        /// What is written beside it.
        label: String,
        /// The series whose color it takes; muted without one.
        slot: Option<usize>,
    },
    /// A dashed line through points, such as what a formula says, with a label at its end.
    Path {
        /// What it goes through, from left to right.
        points: Vec<(f64, f64)>,
        /// What is written beside it.
        label: String,
        /// The series whose color it takes; muted without one.
        slot: Option<usize>,
    },
}

impl Mark {
    /// How high it reaches on the vertical axis; 0 of what stands on the horizontal one.
    pub(crate) fn height(&self) -> f64 {
        match self {
            Mark::Vertical { .. } => 0.0,
            Mark::Horizontal { y, .. } => *y,
            Mark::Path { points, .. } => points.iter().map(|(_, y)| *y).fold(0.0, f64::max),
        }
    }
}

/// The size of a drawing in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}
