//! Draws a chart: axes and curves through plotters, marks and texts directly.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::PlotError;
use crate::backend::{Backend, Paper};
use crate::chart::Chart;
use crate::curve::Curve;
use crate::layout::{LABEL, Layout, TICK_GAP};
use crate::mapping::Ruler;
use crate::marks;
use crate::sheet::{Anchor, Ink, Line, SMALL, TENTHS, tenths};
use crate::theme::Token;
use crate::ticks::Tick;

/// The paper with the rulers of the axes on it.
pub(crate) type Area = DrawingArea<Backend, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The width of grid lines and error bars, in tenths of a pixel.
pub(crate) const HAIRLINE: u32 = 10;

/// How far the baseline of digits lies below their middle and below their top, in hundredths of the
/// font size.
const MIDDLE: i32 = 36;
const ASCENT: i32 = 76;

pub(crate) fn figure(paper: &Paper, chart: &Chart, layout: &Layout) -> Result<(), PlotError> {
    let area = area(paper, layout);
    axes(paper, &area, layout)?;
    marks::lines(paper, chart, layout);
    for ghost in [true, false] {
        let chosen = chart.series.iter().enumerate();
        for (index, series) in chosen.filter(|(_, series)| series.ghost == ghost) {
            Curve { paper, layout, series, index }.draw(&area)?;
        }
    }
    marks::labels(paper, chart, layout);
    Ok(())
}

pub(crate) fn failed(error: impl std::fmt::Display) -> PlotError {
    PlotError::Drawing(error.to_string())
}

fn area(paper: &Paper, layout: &Layout) -> Area {
    let size = (layout.size.width * TENTHS as u32, layout.size.height * TENTHS as u32);
    let root: DrawingArea<Backend, Shift> = Backend::new(paper, size).into_drawing_area();
    let plot = layout.plot;
    let across = tenths(plot.left)..tenths(plot.right);
    let up = tenths(plot.bottom)..tenths(plot.top);
    let (x, y) = (layout.x.low..layout.x.high, layout.y.low..layout.y.high);
    root.apply_coord_spec(Cartesian2d::new(x, y, (across, up)))
}

fn axes(paper: &Paper, area: &Area, layout: &Layout) -> Result<(), PlotError> {
    let ink = Ink { fill: Some(Token::Muted), stroke: None, width: 0 };
    paper.borrow_mut().open("axes", " shape-rendering=\"crispEdges\"", ink);
    let (x, y) = (&layout.x, &layout.y);
    for (place, _) in shown(&layout.y_ticks, y) {
        let ends = [(x.low, place), (x.high, place)];
        let line = PathElement::new(ends, stroke(Token::Hairline, HAIRLINE));
        area.draw(&line).map_err(failed)?;
    }
    let size = SMALL as i32 * TENTHS;
    let gap = tenths(TICK_GAP);
    let line = |(x, baseline): (i32, i32), anchor, tick: &Tick| {
        let (token, text) = (Token::Muted, &tick.label);
        paper.borrow_mut().text(Line { x, baseline, anchor, size: SMALL, token, text });
    };
    for (place, tick) in shown(&layout.y_ticks, y) {
        let (left, middle) = area.map_coordinate(&(x.low, place));
        line((left - gap, middle + size * MIDDLE / 100), Anchor::End, tick);
    }
    for (place, tick) in shown(&layout.x_ticks, x) {
        let (middle, bottom) = area.map_coordinate(&(place, y.low));
        line((middle, bottom + 1 + gap + size * ASCENT / 100), Anchor::Middle, tick);
    }
    baseline(paper, layout);
    titles(paper, layout);
    paper.borrow_mut().close();
    Ok(())
}

/// The ticks within the plot, with their places on the ruler.
fn shown<'a>(ticks: &'a [Tick], ruler: &'a Ruler) -> impl Iterator<Item = (f64, &'a Tick)> {
    let placed = ticks.iter().filter_map(|tick| Some((ruler.place(tick.value)?, tick)));
    placed.filter(|(place, _)| (ruler.low..=ruler.high).contains(place))
}

/// The lower edge, where no tick has drawn it.
fn baseline(paper: &Paper, layout: &Layout) {
    let plot = layout.plot;
    let low = |tick: &Tick| layout.y.place(tick.value) == Some(layout.y.low);
    if !layout.y_ticks.iter().any(low) {
        let y = tenths(plot.bottom);
        let edge = [(tenths(plot.left), y), (tenths(plot.right), y)];
        paper.borrow_mut().path(&edge, Token::Hairline, HAIRLINE);
    }
}

/// The labels of the axes: both level, so that nobody has to tilt the head.
fn titles(paper: &Paper, layout: &Layout) {
    let (width, height) = (f64::from(layout.size.width), f64::from(layout.size.height));
    let half = crate::metrics::width(&layout.x_title, f64::from(LABEL)) / 2.0;
    let middle = (layout.plot.left + layout.plot.right) / 2.0;
    let middle = middle.min(width - half).max(half.min(width / 2.0));
    let mut sheet = paper.borrow_mut();
    let line = Line {
        x: 0,
        baseline: tenths(f64::from(LABEL)),
        anchor: Anchor::Start,
        size: LABEL,
        token: Token::Muted,
        text: &layout.y_title,
    };
    sheet.text(line);
    let (x, baseline) = (tenths(middle), tenths(height - 5.0));
    sheet.text(Line { x, baseline, anchor: Anchor::Middle, text: &layout.x_title, ..line });
}

fn plain(token: Token) -> RGBColor {
    let (red, green, blue) = token.color().rgb;
    RGBColor(red, green, blue)
}

pub(crate) fn stroke(token: Token, width: u32) -> ShapeStyle {
    ShapeStyle { color: plain(token).to_rgba(), filled: false, stroke_width: width }
}
