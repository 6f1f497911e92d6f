//! The drawing backend through which plotters writes on a [`Sheet`].

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, DrawingBackend, DrawingErrorKind,
};

use crate::sheet::Sheet;
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

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
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
}
