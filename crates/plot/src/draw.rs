//! Draws a chart: axes and curves through plotters, marks directly.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters_backend::FontFamily;

use crate::PlotError;
use crate::backend::{Backend, Paper};
use crate::chart::Chart;
use crate::coordinate::Coordinate;
use crate::curve::Curve;
use crate::layout::{LABEL, Layout, TICK_GAP};
use crate::marks;
use crate::sheet::{Anchor, Ink, Line, SMALL, TENTHS};
use crate::theme::Token;
use crate::ticks::Tick;

type Root = DrawingArea<Backend, Shift>;
type Scales = Cartesian2d<Coordinate, Coordinate>;
pub(crate) type Context<'a> = ChartContext<'a, Backend, Scales>;

/// The width of grid lines and error bars, in tenths of a pixel.
pub(crate) const HAIRLINE: u32 = 10;

// Plotters places the end of a range one unit before the edge of its area.
const LAST: i32 = 1;

pub(crate) fn figure(paper: &Paper, chart: &Chart, layout: &Layout) -> Result<(), PlotError> {
    let size = (layout.size.width * TENTHS as u32, layout.size.height * TENTHS as u32);
    let root: Root = Backend::new(paper, size).into_drawing_area();
    let mut context = context(&root, layout).map_err(failed)?;
    axes(paper, &mut context, layout)?;
    marks::lines(paper, chart, layout);
    for ghost in [true, false] {
        let chosen = chart.series.iter().enumerate();
        for (index, series) in chosen.filter(|(_, series)| series.ghost == ghost) {
            Curve { paper, layout, series, index }.draw(&mut context)?;
        }
    }
    marks::labels(paper, chart, layout);
    Ok(())
}

pub(crate) fn failed(error: impl std::fmt::Display) -> PlotError {
    PlotError::Drawing(error.to_string())
}

fn tenths(pixels: f64) -> i32 {
    (pixels * f64::from(TENTHS)).round() as i32
}

fn context<'a>(
    root: &'a Root,
    layout: &Layout,
) -> Result<Context<'a>, DrawingAreaErrorKind<std::convert::Infallible>> {
    let plot = layout.plot;
    let (width, height) = root.dim_in_pixel();
    ChartBuilder::on(root)
        .margin_top(tenths(plot.top))
        .margin_right(width as i32 - tenths(plot.right) - LAST)
        .y_label_area_size(tenths(plot.left))
        .x_label_area_size(height as i32 - tenths(plot.bottom) - LAST)
        .build_cartesian_2d(
            Coordinate::new(&layout.x, &layout.x_ticks),
            Coordinate::new(&layout.y, &layout.y_ticks),
        )
}

fn axes(paper: &Paper, context: &mut Context, layout: &Layout) -> Result<(), PlotError> {
    let ink = Ink { fill: Some(Token::Muted), stroke: None, width: 0 };
    paper.borrow_mut().open("axes", " shape-rendering=\"crispEdges\"", ink);
    let font = FontDesc::new(
        FontFamily::SansSerif,
        f64::from(SMALL) * f64::from(TENTHS),
        FontStyle::Normal,
    );
    let text = font.color(&plain(Token::Muted));
    context
        .configure_mesh()
        .disable_x_mesh()
        .axis_style(plain(Token::Hairline).mix(0.0))
        .max_light_lines(0)
        .bold_line_style(stroke(Token::Hairline, HAIRLINE))
        .label_style(text)
        .set_all_tick_mark_size(tenths(TICK_GAP) / 2)
        .draw()
        .map_err(failed)?;
    baseline(paper, layout);
    titles(paper, layout);
    paper.borrow_mut().close();
    Ok(())
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
