//! Markers and error bars, as elements that plotters places.

use std::iter::{Once, once};

use plotters::element::{Drawable, PointCollection};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, DrawingBackend, DrawingErrorKind,
};

use crate::theme::{SLOTS, Token};

/// The marker of a series at a point.
pub(crate) struct Marker {
    pub at: (f64, f64),
    pub shape: Shape,
    pub fill: Token,
    /// Half the height in tenths of a pixel.
    pub reach: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    Cross,
    Plus,
    /// Points out of the plot, at a value above it.
    Arrow,
}

impl Shape {
    const ALL: [Self; SLOTS] =
        [Self::Circle, Self::Square, Self::Triangle, Self::Diamond, Self::Cross, Self::Plus];

    /// The marker of a slot; a second round of colors gets other markers.
    pub fn of_slot(slot: usize) -> Self {
        Self::ALL[(slot % SLOTS + slot / SLOTS % SLOTS) % SLOTS]
    }

    /// The corners around the origin; a circle has none.
    fn corners(self, reach: i32) -> Vec<(i32, i32)> {
        let full = reach * 5 / 4;
        let arm = reach / 3;
        match self {
            Self::Circle => Vec::new(),
            Self::Square => {
                let side = reach * 9 / 10;
                vec![(-side, -side), (side, -side), (side, side), (-side, side)]
            }
            Self::Triangle => vec![(0, -full), (full, reach), (-full, reach)],
            Self::Diamond => vec![(0, -full), (full, 0), (0, full), (-full, 0)],
            Self::Plus => ring(&[(arm, full), (arm, arm), (full, arm)]),
            Self::Cross => {
                ring(&[(reach + arm, reach - arm), (2 * arm, 0), (reach + arm, arm - reach)])
            }
            Self::Arrow => {
                let (half, neck) = (reach * 5 / 4, reach * 3 / 2);
                let tail = reach * 3;
                vec![
                    (0, 0),
                    (half, neck),
                    (arm, neck),
                    (arm, tail),
                    (-arm, tail),
                    (-arm, neck),
                    (-half, neck),
                ]
            }
        }
    }
}

/// The corners of one quarter, and the same turned by a quarter three times.
fn ring(quarter: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let mut corners = quarter.to_vec();
    for turn in 1..4 {
        let start = (turn - 1) * quarter.len();
        let turned: Vec<_> = corners[start..].iter().map(|&(x, y)| (y, -x)).collect();
        corners.extend(turned);
    }
    corners
}

impl<'a> PointCollection<'a, (f64, f64)> for &'a Marker {
    type Point = &'a (f64, f64);
    type IntoIter = Once<&'a (f64, f64)>;

    fn point_iter(self) -> Self::IntoIter {
        once(&self.at)
    }
}

impl<DB: DrawingBackend> Drawable<DB> for Marker {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut position: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let Some((x, y)) = position.next() else {
            return Ok(());
        };
        let color = self.fill.color();
        if self.shape == Shape::Circle {
            return backend.draw_circle((x, y), self.reach.unsigned_abs(), &color, true);
        }
        let corners = self.shape.corners(self.reach);
        backend.fill_polygon(corners.into_iter().map(|(dx, dy)| (x + dx, y + dy)), &color)
    }
}

/// A vertical interval around a point, with caps.
pub(crate) struct Interval {
    /// The upper end, the point, and the lower end.
    pub at: [(f64, f64); 3],
    pub token: Token,
}

const CAP: i32 = 30;
const THIN: u32 = 10;

struct Hair(Token);

impl BackendStyle for Hair {
    fn color(&self) -> BackendColor {
        self.0.color()
    }

    fn stroke_width(&self) -> u32 {
        THIN
    }
}

impl<'a> PointCollection<'a, (f64, f64)> for &'a Interval {
    type Point = &'a (f64, f64);
    type IntoIter = &'a [(f64, f64); 3];

    fn point_iter(self) -> Self::IntoIter {
        &self.at
    }
}

impl<DB: DrawingBackend> Drawable<DB> for Interval {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        positions: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let positions: Vec<_> = positions.collect();
        let [(x, high), (_, middle), (_, low)] = positions[..] else {
            return Ok(());
        };
        // A shorter one hides behind the marker.
        if middle - high <= CAP && low - middle <= CAP {
            return Ok(());
        }
        let (left, right) = (x - CAP, x + CAP);
        let path = [(left, high), (right, high), (x, high), (x, low), (left, low), (right, low)];
        backend.draw_path(path, &Hair(self.token))
    }
}
