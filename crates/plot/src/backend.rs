//! The drawing backend through which plotters writes on a [`Sheet`].

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use crate::metrics;
use crate::sheet::{Anchor, Line, Sheet, TENTHS};
use crate::theme::Token;

/// A sheet shared between plotters and the code that groups what plotters draws.
pub(crate) type Paper = Rc<RefCell<Sheet>>;

pub(crate) struct Backend {
    paper: Paper,
    /// In tenths of a pixel.
    size: (u32, u32),
}

impl Backend {
    pub fn new(paper: &Paper, size: (u32, u32)) -> Self {
        Self { paper: Rc::clone(paper), size }
    }
}

// How far the baseline lies below the middle of digits, in hundredths of the font size.
const MIDDLE: i32 = 36;
const ASCENT: i32 = 76;
const DESCENT: i32 = 22;

type Outcome = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Backend {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Outcome {
        Ok(())
    }

    fn present(&mut self) -> Outcome {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Outcome {
        let to = (point.0 + 1, point.1 + 1);
        self.paper.borrow_mut().rectangle(point, to, Token::of_color(color));
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Outcome {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome {
        if fill {
            self.paper.borrow_mut().rectangle(from, to, Token::of_color(style.color()));
            return Ok(());
        }
        self.draw_path([from, (to.0, from.1), to, (from.0, to.1), from], style)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        // Plotters has no other way to leave out the lines of the axes and keep their labels.
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        let points: Vec<_> = path.into_iter().collect();
        let token = Token::of_color(style.color());
        self.paper.borrow_mut().path(&points, token, style.stroke_width());
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        _fill: bool,
    ) -> Outcome {
        let token = Token::of_color(style.color());
        self.paper.borrow_mut().circle(center, radius as i32, token);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Outcome {
        let points: Vec<_> = corners.into_iter().collect();
        self.paper.borrow_mut().polygon(&points, Token::of_color(style.color()));
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Outcome {
        let size = style.size().round() as i32;
        let anchor = match style.anchor().h_pos {
            HPos::Left => Anchor::Start,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::End,
        };
        let below = match style.anchor().v_pos {
            VPos::Top => ASCENT,
            VPos::Center => MIDDLE,
            VPos::Bottom => -DESCENT,
        };
        let baseline = y + size * below / 100;
        let token = Token::of_color(style.color());
        let size = (size / TENTHS).max(0) as u32;
        self.paper.borrow_mut().text(Line { x, baseline, anchor, size, token, text });
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let width = metrics::width(text, style.size());
        Ok((width.ceil() as u32, style.size().ceil() as u32))
    }
}
