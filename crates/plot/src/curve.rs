//! Draws one curve: its line, its error bars, its markers, and its way out of the plot.

use plotters::element::{Drawable, PointCollection};
use plotters::prelude::PathElement;

use crate::PlotError;
use crate::backend::{Backend, Paper};
use crate::chart::{Point, Series};
use crate::clip::{self, Exit};
use crate::draw::{Area, HAIRLINE, failed, stroke};
use crate::layout::Layout;
use crate::marker::{Interval, Marker, Shape};
use crate::sheet::Ink;
use crate::theme::Token;

/// The width of a curve, in tenths of a pixel.
pub(crate) const STROKE: u32 = 20;

/// Half the height of a marker, in tenths of a pixel.
pub(crate) const REACH: i32 = 36;

const GHOST_STROKE: u32 = 15;
const GHOST_REACH: i32 = 26;

/// The width of hollow outlines and of the way to an unbounded value.
const OUTLINE: u32 = 15;

/// How faint a pinned run is, as an attribute.
pub(crate) const FADE: &str = " opacity=\"0.45\"";

/// One curve to be drawn.
pub(crate) struct Curve<'a> {
    pub paper: &'a Paper,
    pub layout: &'a Layout,
    pub series: &'a Series,
    pub index: usize,
}

impl Curve<'_> {
    pub fn draw(&self, area: &Area) -> Result<(), PlotError> {
        let (ghost, fade, width) = match self.series.ghost {
            true => (" ghost", FADE, GHOST_STROKE),
            false => ("", "", STROKE),
        };
        let ink = Ink { fill: None, stroke: Some(self.token()), width };
        let index = self.index;
        let attributes = format!(
            " data-series=\"{index}\"{fade} stroke-linejoin=\"round\" stroke-linecap=\"round\""
        );
        let class = format!("series {}{ghost}", self.token().class());
        self.within(&class, &attributes, ink, || {
            let (x, y) = (&self.layout.x, &self.layout.y);
            for piece in clip::pieces(self.series, x, y) {
                place(area, PathElement::new(piece, stroke(self.token(), width)))?;
            }
            for exit in clip::exits(self.series, x, y) {
                self.exit(area, &exit)?;
            }
            self.intervals(area)?;
            self.points(area, false)?;
            self.points(area, true)
        })
    }

    fn token(&self) -> Token {
        Token::of_slot(Some(self.series.slot))
    }

    fn within(
        &self,
        class: &str,
        attributes: &str,
        ink: Ink,
        draw: impl FnOnce() -> Result<(), PlotError>,
    ) -> Result<(), PlotError> {
        self.paper.borrow_mut().open(class, attributes, ink);
        let drawn = draw();
        self.paper.borrow_mut().close();
        drawn
    }

    /// An arrow where the curve leaves the plot, and a dashed line to it when the value there is
    /// unbounded: on the way the curve is known to rise, but not how.
    fn exit(&self, area: &Area, exit: &Exit) -> Result<(), PlotError> {
        let token = self.token();
        if let Some(from) = exit.from {
            let ink = Ink { fill: None, stroke: Some(token), width: OUTLINE };
            let line = PathElement::new([from, exit.at], stroke(token, OUTLINE));
            self.within("riser", " stroke-dasharray=\"2 4\"", ink, || place(area, line))?;
        }
        let ink = Ink { fill: Some(token), stroke: None, width: 0 };
        let arrow = Marker { at: exit.at, shape: Shape::Arrow, fill: token, reach: REACH };
        self.within("unbounded", "", ink, || {
            self.paper.borrow_mut().tag("data-point", exit.index);
            place(area, arrow)
        })
    }

    fn intervals(&self, area: &Area) -> Result<(), PlotError> {
        let known = |point: &&Point| point.error > 0.0 && point.error.is_finite();
        let points: Vec<_> = self.series.points.iter().filter(known).collect();
        if self.series.ghost || points.is_empty() {
            return Ok(());
        }
        let (y, token) = (&self.layout.y, self.token());
        let ink = Ink { fill: None, stroke: Some(token), width: HAIRLINE };
        self.within("errors", "", ink, || {
            for point in points {
                let Some(at) = self.visible(point) else {
                    continue;
                };
                let high = y.place(point.y + point.error).unwrap_or(y.high).min(y.high);
                let low = y.place(point.y - point.error).unwrap_or(y.low).max(y.low);
                place(area, Interval { at: [(at.0, high), at, (at.0, low)], token })?;
            }
            Ok(())
        })
    }

    fn points(&self, area: &Area, open: bool) -> Result<(), PlotError> {
        let chosen =
            self.series.points.iter().enumerate().filter(|(_, point)| point.open.is_some() == open);
        let shown: Vec<_> =
            chosen.filter_map(|(index, point)| Some((index, self.visible(point)?))).collect();
        if shown.is_empty() {
            return Ok(());
        }
        let token = self.token();
        let (class, fill, outline, width) = match open {
            true => ("points open", Token::Panel, token, OUTLINE),
            false => ("points", token, Token::Panel, HAIRLINE),
        };
        let ink = Ink { fill: Some(fill), stroke: Some(outline), width };
        let shape = Shape::of_slot(self.series.slot);
        let reach = if self.series.ghost { GHOST_REACH } else { REACH };
        self.within(class, "", ink, || {
            for (index, at) in shown {
                self.paper.borrow_mut().tag("data-point", index);
                place(area, Marker { at, shape, fill, reach })?;
            }
            Ok(())
        })
    }

    fn visible(&self, point: &Point) -> Option<(f64, f64)> {
        clip::visible(point, &self.layout.x, &self.layout.y)
    }
}

fn place<E>(area: &Area, element: E) -> Result<(), PlotError>
where
    E: Drawable<Backend>,
    for<'b> &'b E: PointCollection<'b, (f64, f64)>,
{
    area.draw(&element).map_err(failed)
}
