//! Words beside a drawing.

use super::Point;

/// A few words and where they stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    /// The words.
    pub text: String,
    /// Where.
    pub anchor: Anchor,
}

/// Where a caption stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// At the left margin, level with a row of the drawing.
    Row(f32),
    /// With its middle here.
    At(Point),
    /// Beyond a point, as seen from another.
    Outside {
        /// The point.
        at: Point,
        /// From where.
        from: Point,
    },
}
