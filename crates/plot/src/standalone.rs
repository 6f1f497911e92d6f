//! A chart as a file of its own: colors resolved, with ground, legend and caption.

use std::cell::RefCell;
use std::rc::Rc;

use plotters::element::Drawable;

use crate::PlotError;
use crate::backend::{Backend, Paper};
use crate::chart::{Chart, Size};
use crate::curve::{FADE, REACH, STROKE};
use crate::draw;
use crate::layout::{LABEL, Layout};
use crate::marker::{Marker, Shape};
use crate::metrics;
use crate::sheet::{Anchor, Ink, Line, SMALL, Sheet, TENTHS};
use crate::theme::{Theme, Token};

const MARGIN: u32 = 16;
const LEGEND_ROW: u32 = 22;
const CAPTION_ROW: u32 = 17;

/// The line with a marker before a name, and the space after the name.
const SAMPLE: u32 = 22;
const SAMPLE_GAP: u32 = 6;
const ENTRY_GAP: u32 = 20;

const STYLE: &str = "<style>text{font-variant-numeric:tabular-nums}</style>\n";

/// One entry of the legend.
struct Entry {
    series: usize,
    name: String,
    x: u32,
    row: u32,
}

/// Draws a chart as a file of its own: colors of a theme instead of variables, a ground, a legend
/// and a caption below. `size` is that of the plot without these; line feeds in the caption are
/// kept, and long lines are broken.
///
/// # Errors
///
/// As for [`svg`](crate::svg).
pub fn standalone(
    chart: &Chart,
    size: Size,
    theme: Theme,
    caption: &str,
) -> Result<String, PlotError> {
    let layout = Layout::new(chart, size)?;
    let entries = entries(chart, size.width);
    let rows = entries.iter().map(|entry| entry.row + 1).max().unwrap_or(0);
    let lines = metrics::wrapped(caption, f64::from(SMALL), f64::from(size.width));
    let legend = size.height + if rows > 0 { 10 } else { 0 };
    let text = legend + rows * LEGEND_ROW + if lines.is_empty() { 0 } else { 8 };
    let height = text + lines.len() as u32 * CAPTION_ROW;
    let whole = Size { height, ..size };
    let sheet = Sheet::new(whole, MARGIN, Some(theme), &chart.title, &chart.description);
    let paper = Rc::new(RefCell::new(sheet));
    ground(&paper, whole);
    draw::figure(&paper, chart, &layout)?;
    for entry in &entries {
        draw_entry(&paper, chart, entry, legend)?;
    }
    draw_caption(&paper, &lines, text);
    Ok(paper.borrow_mut().finish())
}

fn ground(paper: &Paper, size: Size) {
    let margin = tenths(MARGIN);
    let to = (tenths(size.width) + margin, tenths(size.height) + margin);
    let mut sheet = paper.borrow_mut();
    sheet.raw(STYLE);
    sheet.rectangle((-margin, -margin), to, Token::Panel);
}

fn entries(chart: &Chart, width: u32) -> Vec<Entry> {
    let mut entries = Vec::new();
    let (mut x, mut row) = (0, 0);
    for (series, given) in chart.series.iter().enumerate() {
        let room = f64::from(width.saturating_sub(SAMPLE + SAMPLE_GAP));
        let name = metrics::shortened(&given.name, f64::from(LABEL), room);
        let taken = SAMPLE + SAMPLE_GAP + metrics::width(&name, f64::from(LABEL)).ceil() as u32;
        if x > 0 && x + taken > width {
            (x, row) = (0, row + 1);
        }
        entries.push(Entry { series, name, x, row });
        x += taken + ENTRY_GAP;
    }
    entries
}

fn draw_entry(paper: &Paper, chart: &Chart, entry: &Entry, top: u32) -> Result<(), PlotError> {
    let Some(series) = chart.series.get(entry.series) else {
        return Ok(());
    };
    let token = Token::of_slot(Some(series.slot));
    let (x, y) = (tenths(entry.x), tenths(top + entry.row * LEGEND_ROW + LEGEND_ROW / 2));
    let ink = Ink { fill: Some(token), stroke: Some(Token::Panel), width: 10 };
    let fade = if series.ghost { FADE } else { "" };
    paper.borrow_mut().open("key", fade, ink);
    paper.borrow_mut().path(&[(x, y), (x + tenths(SAMPLE), y)], token, STROKE);
    let shape = Shape::of_slot(series.slot);
    let marker = Marker { at: (0.0, 0.0), shape, fill: token, reach: REACH };
    let middle = (x + tenths(SAMPLE) / 2, y);
    let mut backend = Backend::new(paper, (0, 0));
    let drawn = marker.draw([middle].into_iter(), &mut backend, (0, 0));
    drawn.map_err(|error| PlotError::Drawing(error.to_string()))?;
    paper.borrow_mut().close();
    paper.borrow_mut().text(Line {
        x: x + tenths(SAMPLE + SAMPLE_GAP),
        baseline: y + 45,
        anchor: Anchor::Start,
        size: LABEL,
        token: Token::Ink,
        text: &entry.name,
    });
    Ok(())
}

fn draw_caption(paper: &Paper, lines: &[String], top: u32) {
    for (index, text) in lines.iter().enumerate() {
        let baseline = tenths(top + index as u32 * CAPTION_ROW + SMALL);
        let (anchor, size, token) = (Anchor::Start, SMALL, Token::Muted);
        paper.borrow_mut().text(Line { x: 0, baseline, anchor, size, token, text });
    }
}

fn tenths(pixels: u32) -> i32 {
    pixels as i32 * TENTHS
}
