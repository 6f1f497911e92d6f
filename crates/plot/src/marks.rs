//! Draws reference lines and their labels.

use crate::backend::Paper;
use crate::chart::{Chart, Mark};
use crate::flags::GAP;
use crate::layout::{Layout, ROW};
use crate::mapping::Rectangle;
use crate::metrics;
use crate::sheet::{Anchor, Ink, Line, SMALL, tenths};
use crate::theme::Token;

/// The lines, to be drawn below the curves.
pub(crate) fn lines(paper: &Paper, chart: &Chart, layout: &Layout) {
    let plot = layout.plot;
    for banner in &layout.banners {
        let rows = banner.flag.row.map_or(0.0, |row| f64::from(row) * ROW + ROW - 2.0);
        let x = tenths(banner.flag.x);
        let path = [(x, tenths(plot.bottom)), (x, tenths(plot.top - rows))];
        line(paper, "mark vertical", "1.5 3.5", &path, banner.token);
    }
    for (y, _, token) in horizontals(chart, layout) {
        let path = [(tenths(plot.left), tenths(y)), (tenths(plot.right), tenths(y))];
        line(paper, "mark horizontal", "6 4", &path, token);
    }
    for (points, _, token) in paths(chart, layout) {
        let path: Vec<_> = points.iter().map(|(x, y)| (tenths(*x), tenths(*y))).collect();
        line(paper, "mark path", "6 4", &path, token);
    }
}

/// The labels, to be drawn above the curves.
pub(crate) fn labels(paper: &Paper, chart: &Chart, layout: &Layout) {
    let ink = Ink { fill: Some(Token::Muted), stroke: Some(Token::Panel), width: 40 };
    let attributes = " paint-order=\"stroke\" stroke-linejoin=\"round\"";
    paper.borrow_mut().open("labels", attributes, ink);
    for banner in &layout.banners {
        let Some(row) = banner.flag.row else { continue };
        let (side, anchor) =
            if banner.flag.flipped { (-GAP, Anchor::End) } else { (GAP, Anchor::Start) };
        let text = Line {
            x: tenths(banner.flag.x + side),
            baseline: tenths(layout.plot.top - f64::from(row) * ROW - 5.0),
            anchor,
            size: SMALL,
            token: banner.token,
            text: &banner.text,
        };
        paper.borrow_mut().text(text);
    }
    horizontal_labels(paper, chart, layout);
    paper.borrow_mut().close();
}

fn line(paper: &Paper, class: &str, dashes: &str, path: &[(i32, i32)], token: Token) {
    let ink = Ink { fill: None, stroke: Some(token), width: 15 };
    let mut sheet = paper.borrow_mut();
    sheet.open(class, &format!(" stroke-dasharray=\"{dashes}\""), ink);
    sheet.path(path, token, 15);
    sheet.close();
}

/// The height, label and color of each horizontal mark inside the plot.
fn horizontals<'a>(chart: &'a Chart, layout: &Layout) -> Vec<(f64, &'a str, Token)> {
    let mapping = layout.mapping(chart);
    let (low, high) = chart.y.range;
    let inside = |mark: &'a Mark| match mark {
        Mark::Horizontal { y, label, slot } if (low..=high).contains(y) => {
            let (_, pixel) = mapping.to_pixel(chart.x.range.0, *y)?;
            Some((pixel, label.as_str(), Token::of_slot(*slot)))
        }
        _ => None,
    };
    chart.marks.iter().filter_map(inside).collect()
}

/// Points in pixels.
type Places = Vec<(f64, f64)>;

/// Each path as far as it lies inside the plot, with label and color.
fn paths<'a>(chart: &'a Chart, layout: &Layout) -> Vec<(Places, &'a str, Token)> {
    let mapping = layout.mapping(chart);
    let inside = |value: f64, (low, high): (f64, f64)| (low..=high).contains(&value);
    let visible = |mark: &'a Mark| {
        let Mark::Path { points, label, slot } = mark else { return None };
        let shown = points
            .iter()
            .filter(|(x, y)| inside(*x, chart.x.range) && inside(*y, chart.y.range))
            .filter_map(|(x, y)| mapping.to_pixel(*x, *y));
        Some((shown.collect(), label.as_str(), Token::of_slot(*slot)))
    };
    chart.marks.iter().filter_map(visible).collect()
}

fn horizontal_labels(paper: &Paper, chart: &Chart, layout: &Layout) {
    let plot = layout.plot;
    let size = f64::from(SMALL);
    let mut taken: Vec<Rectangle> = Vec::new();
    // Below where a path begins if it rises, since what is drawn lies above it.
    let ends = paths(chart, layout).into_iter().filter_map(|(points, label, token)| {
        let ((_, first), (_, last)) = (*points.first()?, *points.last()?);
        let rises = last < first;
        Some((if rises { first } else { last }, label, token, rises))
    });
    let level = horizontals(chart, layout).into_iter();
    let level = level.map(|(y, label, token)| (y, label, token, false));
    for (y, label, token, at_left) in level.chain(ends) {
        let text = metrics::shortened(label, size, plot.right - plot.left - 2.0 * GAP);
        let width = metrics::width(&text, size);
        let free = |area: &Rectangle| {
            area.top >= plot.top
                && area.bottom <= plot.bottom
                && !taken.iter().any(|other| overlap(area, other))
        };
        let Some(area) = spots(plot, y, width, at_left).into_iter().find(free) else {
            continue;
        };
        let at_right = area.right + 2.0 * GAP > plot.right;
        let (x, anchor) =
            if at_right { (area.right, Anchor::End) } else { (area.left, Anchor::Start) };
        let baseline = tenths(area.top + size - 1.0);
        let x = tenths(x);
        paper.borrow_mut().text(Line { x, baseline, anchor, size: SMALL, token, text: &text });
        taken.push(area);
    }
}

/// Where the label of a horizontal mark may stand, best first.
fn spots(plot: Rectangle, y: f64, width: f64, at_left: bool) -> [Rectangle; 6] {
    let ends = (plot.right - GAP - width, plot.left + GAP);
    let (right, left) = if at_left { (ends.1, ends.0) } else { ends };
    // Below first: no latency lies below the one at zero load.
    let (below, above) = (y + 2.0, y - ROW);
    let corners = [
        (right, below),
        (right, if at_left { below + ROW } else { above }),
        (right, above - ROW),
        (right, below + ROW),
        (left, below),
        (left, above),
    ];
    corners.map(|(left, top)| Rectangle { left, top, right: left + width, bottom: top + ROW - 2.0 })
}

fn overlap(one: &Rectangle, other: &Rectangle) -> bool {
    one.left < other.right
        && other.left < one.right
        && one.top < other.bottom
        && other.top < one.bottom
}
