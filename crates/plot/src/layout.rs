//! Where everything goes: margins, ticks, and the labels of marks, from widths alone.

use crate::PlotError;
use crate::chart::{Axis, Chart, Mark, Scale, Size};
use crate::flags::{self, Flag, GAP};
use crate::mapping::{Mapping, Rectangle, Ruler};
use crate::metrics;
use crate::sheet::SMALL;
use crate::theme::Token;
use crate::ticks::{self, Tick};

/// The size of axis labels.
pub(crate) const LABEL: u32 = 13;

/// The height of a row of mark labels.
pub(crate) const ROW: f64 = 16.0;

/// Between the plot and its tick labels.
pub(crate) const TICK_GAP: f64 = 8.0;

const LABEL_ROW: f64 = 20.0;
const TICK_ROW: f64 = 22.0;
const TOP: f64 = 8.0;
const SMALLEST: (u32, u32) = (96, 96);
const LARGEST: u32 = 16_384;
const MOST_ROWS: u32 = 4;

/// The label of a vertical mark.
#[derive(Clone, Debug)]
pub(crate) struct Banner {
    pub text: String,
    pub token: Token,
    pub flag: Flag,
}

#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub size: Size,
    /// In whole pixels.
    pub plot: Rectangle,
    pub x: Ruler,
    pub y: Ruler,
    pub x_ticks: Vec<Tick>,
    pub y_ticks: Vec<Tick>,
    pub x_title: String,
    pub y_title: String,
    pub banners: Vec<Banner>,
}

impl Layout {
    pub fn new(chart: &Chart, size: Size) -> Result<Self, PlotError> {
        let Size { width, height } = size;
        let possible = width >= SMALLEST.0 && height >= SMALLEST.1;
        if !possible || width.max(height) > LARGEST {
            return Err(PlotError::Size { width, height });
        }
        checked("x", &chart.x)?;
        checked("y", &chart.y)?;
        let mut layout = Self::with_rows(chart, size, 0);
        // More rows make the plot lower, which can change the ticks and so its left edge.
        for _ in 0..MOST_ROWS {
            let rows = layout.rows();
            layout = Self::with_rows(chart, size, rows);
            if layout.rows() <= rows {
                break;
            }
        }
        Ok(layout)
    }

    pub fn mapping(&self, chart: &Chart) -> Mapping {
        Mapping::new(self.plot, self.x, self.y, chart)
    }

    fn rows(&self) -> u32 {
        let rows = self.banners.iter().filter_map(|banner| banner.flag.row);
        rows.max().map_or(0, |row| row + 1)
    }

    fn with_rows(chart: &Chart, size: Size, rows: u32) -> Self {
        let (width, height) = (f64::from(size.width), f64::from(size.height));
        let (x_title, y_title) = (title(&chart.x, width), title(&chart.y, width));
        let title_row = |title: &str| if title.is_empty() { 0.0 } else { LABEL_ROW };
        let top = TOP + title_row(&y_title) + f64::from(rows) * ROW;
        let bottom = height - TICK_ROW - title_row(&x_title);
        let y_ticks = vertical_ticks(&chart.y, bottom - top);
        let widest = widest(&y_ticks).min(width / 3.0);
        let left = (widest + TICK_GAP + 1.0).ceil().max(TICK_GAP);
        let (right, x_ticks) = horizontal_ticks(&chart.x, left, width);
        let plot = Rectangle { left, top, right, bottom };
        let (x, y) = (Ruler::new(&chart.x), Ruler::new(&chart.y));
        let banners = Vec::new();
        let mut layout = Self { size, plot, x, y, x_ticks, y_ticks, x_title, y_title, banners };
        layout.banners = banners_of(chart, &layout, width);
        layout
    }
}

/// The label of an axis, shortened where needed, but never its unit.
fn title(axis: &Axis, width: f64) -> String {
    let size = f64::from(LABEL);
    let suffix = ticks::title_suffix(axis);
    let room = width - 4.0 - metrics::width(&suffix, size);
    match metrics::shortened(&axis.label, size, room).as_str() {
        "" => String::new(),
        label => format!("{label}{suffix}"),
    }
}

fn checked(axis: &'static str, given: &Axis) -> Result<(), PlotError> {
    let (low, high) = given.range;
    let bounded = low.abs() < 1e100 && high.abs() < 1e100;
    let wide = high - low > 1e-100 && high - low > 1e-9 * low.abs().max(high.abs());
    let positive = given.scale == Scale::Linear || low > 1e-100;
    if bounded && wide && positive {
        return Ok(());
    }
    Err(PlotError::Range { axis, low, high, scale: given.scale })
}

fn widest(ticks: &[Tick]) -> f64 {
    let widths = ticks.iter().map(|tick| metrics::width(&tick.label, f64::from(SMALL)));
    widths.fold(0.0, f64::max)
}

fn vertical_ticks(axis: &Axis, height: f64) -> Vec<Tick> {
    let ruler = Ruler::new(axis);
    let apart = (height / 8.0).max(28.0);
    ticks::choose(axis, |ticks| {
        let spots: Vec<_> = ticks.iter().filter_map(|tick| ruler.place(tick.value)).collect();
        let scale = height / (ruler.high - ruler.low);
        spots.windows(2).all(|pair| (pair[1] - pair[0]) * scale >= apart)
    })
}

/// The ticks of the horizontal axis, and the right edge that keeps the last label whole.
fn horizontal_ticks(axis: &Axis, left: f64, width: f64) -> (f64, Vec<Tick>) {
    let ruler = Ruler::new(axis);
    let right_of = |ticks: &[Tick]| {
        let overhang = widest(ticks) / 2.0 + 1.0;
        (width - overhang.max(TICK_GAP)).floor()
    };
    let ticks = ticks::choose(axis, |ticks| {
        let right = right_of(ticks);
        let scale = (right - left) / (ruler.high - ruler.low);
        let apart = ((right - left) / 9.0).max(44.0).max(widest(ticks) + 16.0);
        let spots: Vec<_> = ticks.iter().filter_map(|tick| ruler.place(tick.value)).collect();
        let first = spots.first().map_or(left, |spot| left + (spot - ruler.low) * scale);
        let inside = first >= widest(ticks) / 2.0 && right - left >= 24.0;
        inside && spots.windows(2).all(|pair| (pair[1] - pair[0]) * scale >= apart)
    });
    (right_of(&ticks).max(left + 24.0), ticks)
}

fn banners_of(chart: &Chart, layout: &Layout, width: f64) -> Vec<Banner> {
    let plot = layout.plot;
    let (low, high) = (layout.x.low, layout.x.high);
    let mut banners = Vec::new();
    for mark in &chart.marks {
        let Mark::Vertical { x, label, slot } = mark else {
            continue;
        };
        let Some(place) = layout.x.place(*x) else {
            continue;
        };
        if (low..=high).contains(&place) {
            let x = plot.left + (place - low) / (high - low) * (plot.right - plot.left);
            // With at most half the width, a text fits on one side of its line.
            let text = metrics::shortened(label, f64::from(SMALL), (width - plot.left) / 2.0 - GAP);
            let text_width = metrics::width(&text, f64::from(SMALL));
            let flag = Flag { x, width: text_width, row: None, flipped: false };
            banners.push(Banner { text, token: Token::of_slot(*slot), flag });
        }
    }
    crate::sorting::sort(&mut banners, |one, other| one.flag.x.total_cmp(&other.flag.x));
    raise(&mut banners, plot, width);
    banners
}

fn raise(banners: &mut [Banner], plot: Rectangle, width: f64) {
    let room = ((plot.bottom - plot.top) / 3.0 / ROW).max(0.0) as u32;
    let mut flags: Vec<_> = banners.iter().map(|banner| banner.flag).collect();
    flags::place(&mut flags, plot.left, width, room.min(MOST_ROWS));
    for (banner, flag) in banners.iter_mut().zip(flags) {
        banner.flag = flag;
    }
}
