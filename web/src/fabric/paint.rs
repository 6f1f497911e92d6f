//! Draws a fabric on a canvas.

use dragontree_worker::{Bundle, Kind, Loads};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::lens::Lens;
use super::matrix;
use super::palette::{Palette, SHADES, css};
use super::scene::{Point, Scene, both_ways, on_curve};

/// Everything that a drawing on the screen depends on.
pub struct Frame<'a> {
    /// The drawing.
    pub scene: &'a Scene,
    /// The loads on its links, where they are known.
    pub loads: Option<&'a Loads>,
    /// The offered load.
    pub offered: f32,
    /// The part that is seen.
    pub lens: Lens,
    /// Width and height on the screen.
    pub window: Point,
    /// The colors.
    pub palette: &'a Palette,
}

/// Endpoints are shown when they are at least so far from each other and from their switch.
const ENDPOINT_GAP: f32 = 2.4;
const ENDPOINT_STEM: f32 = 4.0;
/// Stands for a bundle that is not drawn, and for one that is broken.
const HIDDEN: u8 = 255;
const BROKEN: u8 = 254;
/// Links become translucent where they would cover more of the window than this share.
const COVERED: f32 = 0.2;
/// Translucent links are drawn in so many layers, of which only different ones darken each other,
/// and at least so many links at once.
const LAYERS: usize = 6;
const AT_ONCE: usize = 12;

/// A canvas ready to be drawn on in pixels of the style sheet.
pub fn open(canvas: &HtmlCanvasElement, size: Point) -> Option<CanvasRenderingContext2d> {
    let ratio = window().device_pixel_ratio().clamp(1.0, 4.0);
    let [width, height] = size.map(|side| (f64::from(side) * ratio).round() as u32);
    if canvas.width() != width || canvas.height() != height {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    let context = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
    context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0).ok()?;
    context.clear_rect(0.0, 0.0, f64::from(size[0]), f64::from(size[1]));
    Some(context)
}

/// Whether endpoints are far enough from each other to be seen.
pub fn shows_endpoints(scene: &Scene, lens: &Lens) -> bool {
    let (gap, stem) = endpoint_room(scene, lens);
    gap >= ENDPOINT_GAP && stem >= ENDPOINT_STEM
}

/// How far endpoints are from each other and from their switch.
fn endpoint_room(scene: &Scene, lens: &Lens) -> (f32, f32) {
    let endpoints = scene.nodes().filter(|(_, dot)| dot.kind == Kind::Endpoint);
    let pixels: Vec<Point> = endpoints.take(64).map(|(_, dot)| lens.pixel(dot.at)).collect();
    let gaps = pixels.windows(2).map(|pair| distance(pair[0], pair[1]));
    let is_stem = |bundle: &Bundle| scene.node(bundle.ends[1]).kind == Kind::Endpoint;
    let stem = scene.bundles().map(|(_, bundle)| bundle).find(is_stem).map_or(0.0, |bundle| {
        let [one, other] = bundle.ends.map(|end| lens.pixel(scene.node(end).at));
        distance(one, other)
    });
    (gaps.fold(if pixels.is_empty() { 0.0 } else { stem }, f32::min), stem)
}

/// How far two places are apart.
pub fn distance(one: Point, other: Point) -> f32 {
    let (dx, dy) = (one[0] - other[0], one[1] - other[1]);
    (dx * dx + dy * dy).sqrt()
}

/// Draws everything.
pub fn paint(canvas: &HtmlCanvasElement, frame: &Frame<'_>) {
    let Some(context) = open(canvas, frame.window) else { return };
    if frame.scene.picture.matrix {
        matrix::paint(&context, frame);
        return;
    }
    let brush = Brush { context, frame };
    brush.links();
    brush.busiest();
    brush.nodes();
    brush.captions();
}

struct Brush<'a> {
    context: CanvasRenderingContext2d,
    frame: &'a Frame<'a>,
}

/// The color of a load, by its place among the shades.
pub fn shade(load: f32) -> u8 {
    (load.clamp(0.0, 1.0) * (SHADES - 1) as f32).ceil() as u8
}

impl Brush<'_> {
    fn curve(&self, bundle: &Bundle) -> [Point; 3] {
        let Frame { scene, lens, .. } = self.frame;
        let [one, other] = bundle.ends.map(|end| scene.node(end).at);
        [one, bundle.control, other].map(|at| lens.pixel(at))
    }

    /// Whether some of a curve may be in the window.
    fn is_seen(&self, curve: &[Point; 3]) -> bool {
        (0..2).all(|side| {
            let low = curve[0][side].min(curve[1][side]).min(curve[2][side]);
            let high = curve[0][side].max(curve[1][side]).max(curve[2][side]);
            high >= 0.0 && low <= self.frame.window[side]
        })
    }

    /// How each bundle is drawn, and how much of the window each shade would cover.
    fn shades(&self) -> (Vec<u8>, [f32; SHADES]) {
        let Frame { scene, loads, offered, lens, window, .. } = self.frame;
        let (gap, stem) = endpoint_room(scene, lens);
        let stems = stem >= ENDPOINT_STEM && (gap >= ENDPOINT_GAP || scene.picture.stretches);
        let mut ink = [0.0; SHADES];
        let shade = |(number, bundle): (u32, Bundle)| {
            let curve = self.curve(&bundle);
            let stem = scene.node(bundle.ends[1]).kind == Kind::Endpoint;
            if (stem && !stems) || !self.is_seen(&curve) {
                return HIDDEN;
            }
            if bundle.broken == bundle.links {
                return BROKEN;
            }
            let load = loads.map_or([0.0; 2], |loads| both_ways(loads, number, true, *offered));
            let shade = shade(load[0].max(load[1]));
            ink[shade as usize] += distance(curve[0], curve[2]) / (window[0] * window[1]);
            shade
        };
        (scene.bundles().map(shade).collect(), ink)
    }

    fn links(&self) {
        let Frame { scene, palette, loads, .. } = self.frame;
        let (shades, ink) = self.shades();
        let total: f32 = ink.iter().sum();
        for (level, own) in ink.into_iter().enumerate() {
            if own == 0.0 {
                continue;
            }
            let share = level as f32 / (SHADES - 1) as f32;
            // Where there is much to draw it becomes translucent, links of rare loads less so.
            let much = if level > 0 { total.min(own * 4.0) } else { total };
            let alpha = (COVERED / much).clamp(0.08, 1.0);
            let alike = shades.iter().filter(|shade| **shade == level as u8).count();
            let at_once = alike.div_ceil(LAYERS).max(AT_ONCE);
            let color = if loads.is_some() { palette.shades[level] } else { palette.plain };
            self.context.set_stroke_style_str(&css(color, alpha));
            self.context.set_line_width(f64::from(1.0 + share * alpha));
            // What is stroked at once does not add up where it crosses: with neighbors in different
            // strokes all parts of the drawing come out alike.
            let strokes = if alpha < 0.95 { alike.div_ceil(at_once) } else { 1 };
            for stroke in 0..strokes {
                let own = |number: &u32| shades[*number as usize] == level as u8;
                let bundles = (0..shades.len() as u32).filter(own);
                self.context.begin_path();
                for number in bundles.skip(stroke).step_by(strokes) {
                    self.trace(&self.curve(&scene.bundle(number)));
                }
                self.context.stroke();
            }
        }
        for (number, bundle) in scene.bundles() {
            if bundle.broken > 0 && shades[number as usize] != HIDDEN {
                self.broken(&bundle);
            }
        }
    }

    fn trace(&self, [from, control, to]: &[Point; 3]) {
        let [from, control, to] = [from, control, to].map(|at| at.map(f64::from));
        self.context.move_to(from[0], from[1]);
        let off = |side: usize| (from[side] + to[side]) / 2.0 - control[side];
        match off(0).abs() + off(1).abs() < 0.1 {
            true => self.context.line_to(to[0], to[1]),
            false => self.context.quadratic_curve_to(control[0], control[1], to[0], to[1]),
        }
    }

    /// A dashed line where no link is left, and a cross where one is broken.
    fn broken(&self, bundle: &Bundle) {
        let Frame { palette, .. } = self.frame;
        let curve = self.curve(bundle);
        let context = &self.context;
        context.set_stroke_style_str(&css(palette.muted, 1.0));
        context.set_line_width(1.0);
        context.begin_path();
        if bundle.broken == bundle.links {
            let dashes = js_sys::Array::of2(&3.0.into(), &3.0.into());
            // Two positive numbers are always taken.
            let _ = context.set_line_dash(&dashes);
            self.trace(&curve);
            context.stroke();
            let _ = context.set_line_dash(&js_sys::Array::new());
        }
        let [x, y] = on_curve(curve, 0.5).map(f64::from);
        context.set_stroke_style_str(&css(palette.ink, 1.0));
        context.set_line_width(1.75);
        context.begin_path();
        for (dx, dy) in [(4.0, 4.0), (4.0, -4.0)] {
            context.move_to(x - dx, y - dy);
            context.line_to(x + dx, y + dy);
        }
        context.stroke();
    }

    /// Marks the busiest channel with an arrow.
    fn busiest(&self) {
        let Frame { scene, palette, loads, .. } = self.frame;
        let Some((bundle, forward)) = loads.and_then(|loads| loads.busiest) else { return };
        let mut curve = self.curve(&scene.bundle(bundle));
        if !forward {
            curve.reverse();
        }
        let length = distance(curve[0], curve[2]);
        if length < 12.0 || !self.is_seen(&curve) {
            return;
        }
        let share = |back: f32| 0.5 + (5.0 - back) / length.max(20.0);
        let (tip, tail) = (on_curve(curve, share(0.0)), on_curve(curve, share(10.0)));
        let long = distance(tip, tail).max(0.1);
        let side = [(tail[1] - tip[1]) / long * 4.5, (tip[0] - tail[0]) / long * 4.5];
        let context = &self.context;
        context.begin_path();
        for (index, [x, y]) in
            [tip, [tail[0] + side[0], tail[1] + side[1]], [tail[0] - side[0], tail[1] - side[1]]]
                .into_iter()
                .enumerate()
        {
            match index {
                0 => context.move_to(f64::from(x), f64::from(y)),
                _ => context.line_to(f64::from(x), f64::from(y)),
            }
        }
        context.close_path();
        context.set_stroke_style_str(&css(palette.panel, 1.0));
        context.set_line_width(3.0);
        context.stroke();
        let full = palette.shades.last().copied().unwrap_or(palette.ink);
        context.set_fill_style_str(&css(full, 1.0));
        context.fill();
    }

    fn nodes(&self) {
        let Frame { scene, lens, palette, window, .. } = self.frame;
        let endpoints = shows_endpoints(scene, lens);
        let gap = self.gap();
        let radius = |kind: Kind| match kind {
            Kind::Switch => (gap * 0.2).clamp(0.9, 5.0),
            Kind::Endpoint => (gap * 0.2).clamp(0.6, 2.2),
            Kind::Block => (gap * 0.24).clamp(2.0, 8.0),
        };
        for kind in [Kind::Endpoint, Kind::Switch, Kind::Block] {
            if kind == Kind::Endpoint && !endpoints {
                continue;
            }
            let radius = f64::from(radius(kind));
            let dots = scene.nodes().filter(|(_, dot)| dot.kind == kind);
            let (mut broken, context) = (Vec::new(), &self.context);
            context.set_fill_style_str(&css(palette.muted, 1.0));
            context.begin_path();
            for (_, dot) in dots {
                let at = lens.pixel(dot.at);
                if !(0..2).all(|side| (-9.0..window[side] + 9.0).contains(&at[side])) {
                    continue;
                }
                let [x, y] = at.map(f64::from);
                if dot.broken {
                    broken.push([x, y]);
                } else if kind == Kind::Block || radius < 1.3 {
                    context.rect(x - radius, y - radius, 2.0 * radius, 2.0 * radius);
                } else {
                    circle(context, [x, y], radius);
                }
            }
            context.fill();
            context.begin_path();
            broken.into_iter().for_each(|at| circle(context, at, radius.max(2.5)));
            context.set_line_width(1.5);
            context.set_stroke_style_str(&css(palette.ink, 1.0));
            context.set_fill_style_str(&css(palette.panel, 1.0));
            context.fill();
            context.stroke();
        }
    }

    /// About how far switches or blocks are from each other: the least of some of them.
    fn gap(&self) -> f32 {
        const SOME: usize = 12;
        let Frame { scene, lens, .. } = self.frame;
        let inner = scene.nodes().filter(|(_, dot)| dot.kind != Kind::Endpoint);
        let all: Vec<Point> = inner.map(|(_, dot)| lens.pixel(dot.at)).collect();
        let mut gap = 26.0_f32;
        for (place, one) in all.iter().enumerate().step_by(all.len().div_ceil(SOME).max(1)) {
            for (_, other) in all.iter().enumerate().filter(|(index, _)| *index != place) {
                gap = gap.min(distance(*one, *other));
            }
        }
        gap
    }

    /// Words, as far as they do not cover each other.
    fn captions(&self) {
        let Frame { scene, lens, palette, window, .. } = self.frame;
        let context = &self.context;
        context.set_font("12px system-ui, sans-serif");
        context.set_text_baseline("middle");
        context.set_line_join("round");
        context.set_line_width(4.0);
        context.set_stroke_style_str(&css(palette.panel, 0.85));
        context.set_fill_style_str(&css(palette.muted, 1.0));
        let mut taken: Vec<[f32; 4]> = Vec::new();
        for (text, [x, y, dx, dy]) in scene.picture.captions() {
            let half = [text.len() as f32 * 3.3, 8.0];
            let middle = match x.is_nan() {
                true => [8.0 + half[0], lens.pixel([0.0, y])[1]],
                false => {
                    let [x, y] = lens.pixel([x, y]);
                    [x + dx * (half[0] + 5.0), y + dy * (half[1] + 4.0)]
                }
            };
            let apart = |other: &[f32; 4]| {
                (0..2).any(|side| {
                    (other[side] - middle[side]).abs() > other[side + 2] + half[side] + 3.0
                })
            };
            let inside = (0..2).all(|side| (0.0..window[side]).contains(&middle[side]));
            if !inside || !taken.iter().all(apart) {
                continue;
            }
            taken.push([middle[0], middle[1], half[0], half[1]]);
            let at = match x.is_nan() {
                true => {
                    context.set_text_align("left");
                    8.0
                }
                false => {
                    context.set_text_align("center");
                    f64::from(middle[0])
                }
            };
            // Text may be refused where there is no font; then there are no captions.
            let _ = context.stroke_text(text, at, f64::from(middle[1]));
            let _ = context.fill_text(text, at, f64::from(middle[1]));
        }
    }
}

fn circle(context: &CanvasRenderingContext2d, [x, y]: [f64; 2], radius: f64) {
    context.move_to(x + radius, y);
    // Refused for negative radii only.
    let _ = context.arc(x, y, radius, 0.0, std::f64::consts::TAU);
}
