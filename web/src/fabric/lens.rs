//! Which part of a drawing is seen, and how large.

use super::scene::Point;

/// From the drawing to the screen: times the scale, plus the offset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lens {
    /// Pixels per unit, across and down.
    pub scale: Point,
    /// Where the drawing's origin is on the screen.
    pub offset: Point,
    /// How much larger than at first.
    pub zoom: f32,
}

/// How much larger than at first a drawing can be seen.
const MOST: f32 = 64.0;

impl Lens {
    /// Shows what lies between two corners in a window with margins: left, top, right, bottom.
    pub fn fit(corners: (Point, Point), stretches: bool, window: Point, margins: [f32; 4]) -> Lens {
        let (low, high) = corners;
        let mut lens = Lens { zoom: 1.0, ..Lens::default() };
        let room = |side: usize| (window[side] - margins[side] - margins[side + 2]).max(1.0);
        for side in 0..2 {
            lens.scale[side] = room(side) / (high[side] - low[side]).max(1e-4);
        }
        // A row or a single node is not to fill the window.
        lens.scale = lens.scale.map(|scale| scale.min(2e4));
        if !stretches {
            lens.scale = [lens.scale[0].min(lens.scale[1]); 2];
        }
        for side in 0..2 {
            let middle = margins[side] + room(side) / 2.0;
            lens.offset[side] = middle - (low[side] + high[side]) / 2.0 * lens.scale[side];
        }
        lens
    }

    /// A place of the drawing on the screen.
    pub fn pixel(&self, at: Point) -> Point {
        [0, 1].map(|side| at[side] * self.scale[side] + self.offset[side])
    }

    /// A place of the screen on the drawing.
    pub fn place(&self, pixel: Point) -> Point {
        [0, 1].map(|side| (pixel[side] - self.offset[side]) / self.scale[side])
    }

    /// Seen larger by a factor around a place of the screen.
    pub fn zoomed(self, factor: f32, around: Point) -> Lens {
        let zoom = (self.zoom * factor).clamp(0.5, MOST);
        let factor = zoom / self.zoom;
        let offset = |side: usize| around[side] + (self.offset[side] - around[side]) * factor;
        Lens { scale: self.scale.map(|scale| scale * factor), offset: [offset(0), offset(1)], zoom }
    }

    /// Moved on the screen.
    pub fn moved(self, by: Point) -> Lens {
        Lens { offset: [self.offset[0] + by[0], self.offset[1] + by[1]], ..self }
    }

    /// Moved no further than is needed to see a place.
    pub fn showing(self, at: Point, window: Point) -> Lens {
        const MARGIN: f32 = 24.0;
        let pixel = self.pixel(at);
        let by = [0, 1].map(|side| {
            // Not `clamp`, which brings code to print single-precision numbers.
            let inside = pixel[side].max(MARGIN).min((window[side] - MARGIN).max(MARGIN));
            inside - pixel[side]
        });
        self.moved(by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_fitted_fills_the_window_between_the_margins() {
        let lens =
            Lens::fit(([0.0; 2], [1.0, 0.5]), true, [300.0, 200.0], [50.0, 10.0, 10.0, 10.0]);
        assert_eq!(lens.pixel([0.0, 0.0]), [50.0, 10.0]);
        assert_eq!(lens.pixel([1.0, 0.5]), [290.0, 190.0]);
        let round = Lens::fit(([0.0; 2], [1.0; 2]), false, [300.0, 200.0], [0.0; 4]);
        assert_eq!(round.pixel([0.5, 0.5]), [150.0, 100.0]);
        assert_eq!(round.pixel([1.0, 1.0]), [250.0, 200.0]);
    }

    #[test]
    fn zooming_keeps_the_place_under_the_pointer() {
        let lens = Lens::fit(([0.0; 2], [1.0; 2]), false, [200.0; 2], [0.0; 4]);
        let near = lens.zoomed(4.0, [20.0, 60.0]);
        let place = lens.place([20.0, 60.0]);
        let again = near.pixel(place);
        assert!((again[0] - 20.0).abs() < 1e-3 && (again[1] - 60.0).abs() < 1e-3);
        assert_eq!(near.zoomed(1000.0, [0.0; 2]).zoom, MOST);
    }

    #[test]
    fn what_is_hidden_is_brought_to_the_edge() {
        let lens =
            Lens::fit(([0.0; 2], [1.0; 2]), false, [200.0; 2], [0.0; 4]).zoomed(4.0, [0.0; 2]);
        let shown = lens.showing([1.0, 0.1], [200.0; 2]);
        assert_eq!(shown.pixel([1.0, 0.1]), [176.0, 80.0]);
        assert_eq!(shown.showing([1.0, 0.1], [200.0; 2]), shown);
    }
}
