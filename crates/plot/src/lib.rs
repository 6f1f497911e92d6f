//! Charts of experiments as SVG: plain data in, text out, the same bytes natively and in wasm.
//!
//! Nothing here asks a browser. Scales and curves are plotters'; the text it would measure through
//! the page is measured with a built-in table instead, and what it draws is written with classes
//! and CSS variables, so that a style sheet decides how it looks:
//!
//! | selector | what |
//! |---|---|
//! | `svg.chart` | the drawing; give its `text` tabular numerals |
//! | `.axes` | grid, tick labels and axis labels |
//! | `.mark.vertical`, `.mark.horizontal`, `.labels` | reference lines and their labels |
//! | `.series.s0` … `.s5`, `.ghost`, `[data-series]` | one curve: slot, pinned run, index |
//! | `.points`, `.points.open`, `.unbounded`, `[data-point]` | its markers |
//! | `.errors`, `.riser` | its error bars and its way to an unbounded value |
//!
//! The variables are `--panel` (what lies behind the drawing), `--ink`, `--muted`, `--hairline`
//! and `--series-0` … `--series-5`. [`standalone`] writes the colors themselves.
//!
//! ```
//! use dragontree_plot::{Axis, Chart, Point, Series, Size, mapping, svg};
//!
//! let point = |x: f64| Point { x, y: x.min(0.19), error: 0.0, open: None };
//! let chart = Chart {
//!     title: "Accepted throughput over offered load".to_owned(),
//!     description: "It follows the load up to 19 %.".to_owned(),
//!     x: Axis::percent("offered load"),
//!     y: Axis::percent_to("accepted throughput", 0.2),
//!     series: vec![Series {
//!         name: "minimal".to_owned(),
//!         slot: 0,
//!         points: [0.05, 0.1, 0.5].map(point).to_vec(),
//!         ghost: false,
//!     }],
//!     marks: Vec::new(),
//! };
//! let size = Size { width: 640, height: 400 };
//! assert!(svg(&chart, size)?.contains("data-series=\"0\""));
//! assert_eq!(mapping(&chart, size)?.nearest(600.0, 100.0), Some((0, 2)));
//! # Ok::<(), dragontree_plot::PlotError>(())
//! ```

mod backend;
mod chart;
mod clip;
mod curve;
mod draw;
mod flags;
mod format;
mod layout;
mod mapping;
mod marker;
mod marks;
mod metrics;
mod open;
mod sheet;
mod sorting;
mod standalone;
pub mod study;
mod theme;
mod ticks;

use std::cell::RefCell;
use std::rc::Rc;

pub use chart::{Axis, Chart, Mark, Point, Scale, Series, Size};
pub use format::Format;
pub use mapping::{Mapping, Rectangle};
pub use open::Open;
pub use standalone::standalone;
pub use theme::Theme;
pub use ticks::nice_ceiling;

use layout::Layout;
use sheet::Sheet;

/// Why a chart cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlotError {
    /// The drawing would be too small for axes, or absurdly large.
    #[error("a chart of {width}×{height} pixels cannot be drawn: from 96 to 16384 each way")]
    Size {
        /// The width that was asked for.
        width: u32,
        /// The height that was asked for.
        height: u32,
    },
    /// The range of an axis is empty, not finite, or not positive on a logarithmic axis.
    #[error(
        "the {axis} axis cannot show {low} to {high} on a {scale:?} scale: the range must be finite and ascending, and positive if logarithmic"
    )]
    Range {
        /// Which axis: `x` or `y`.
        axis: &'static str,
        /// The lower end that was given.
        low: f64,
        /// The upper end that was given.
        high: f64,
        /// The scale that was given.
        scale: Scale,
    },
    /// The drawing library refused.
    #[error("the chart could not be drawn: {0}")]
    Drawing(String),
}

/// Draws a chart for a page: colors are CSS variables, the legend is left to the page.
///
/// # Errors
///
/// When the size or the range of an axis cannot be drawn; never because of points or marks.
pub fn svg(chart: &Chart, size: Size) -> Result<String, PlotError> {
    let layout = Layout::new(chart, size)?;
    let sheet = Sheet::new(size, 0, None, &chart.title, &chart.description);
    let paper = Rc::new(RefCell::new(sheet));
    draw::figure(&paper, chart, &layout)?;
    Ok(paper.borrow_mut().finish())
}

/// The scales of the drawing that [`svg`] makes of the same chart and size.
///
/// # Errors
///
/// As for [`svg`].
pub fn mapping(chart: &Chart, size: Size) -> Result<Mapping, PlotError> {
    Ok(Layout::new(chart, size)?.mapping(chart))
}
