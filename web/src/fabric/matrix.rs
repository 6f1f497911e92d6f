//! Draws a fabric as a matrix: the row is where links lead from, the column where they lead to.

use leptos::prelude::document;
use wasm_bindgen::{Clamped, JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use super::paint::{Frame, shade};
use super::palette::css;
use super::scene::both_ways;

/// Draws the cells and their frame.
pub fn paint(context: &CanvasRenderingContext2d, frame: &Frame<'_>) {
    let Frame { lens, palette, .. } = frame;
    let [x, y] = lens.pixel([0.0, 0.0]).map(f64::from);
    let [width, height] = lens.scale.map(f64::from);
    context.set_image_smoothing_enabled(false);
    // Where the picture cannot be made only the frame is drawn.
    if let Ok(cells) = cells(frame) {
        let _ =
            context.draw_image_with_html_canvas_element_and_dw_and_dh(&cells, x, y, width, height);
    }
    context.set_stroke_style_str(&css(palette.plain, 1.0));
    context.set_line_width(1.0);
    context.stroke_rect(x, y, width, height);
    context.set_font("12px system-ui, sans-serif");
    context.set_fill_style_str(&css(palette.muted, 1.0));
    context.set_text_baseline("middle");
    context.set_text_align("center");
    // Text may be refused where there is no font; then there are no words.
    let _ = context.fill_text("to", x + width / 2.0, y - 9.0);
    let _ = context.fill_text("from", x - 20.0, y + height / 2.0);
}

/// A picture with a pixel for each cell.
fn cells(frame: &Frame<'_>) -> Result<HtmlCanvasElement, JsValue> {
    let Frame { scene, loads, offered, palette, .. } = frame;
    let count = scene.picture.node_count();
    let mut pixels = vec![0_u8; count * count * 4];
    for (number, bundle) in scene.bundles() {
        let [one, other] = bundle.ends.map(|end| end as usize);
        let both = loads.map(|loads| both_ways(loads, number, true, *offered));
        for (way, at) in [one * count + other, other * count + one].into_iter().enumerate() {
            let color = match both {
                _ if bundle.broken == bundle.links => palette.ink,
                Some(both) => palette.shades[shade(both[way]) as usize],
                None => palette.plain,
            };
            let color = color.map(|part| part as u8);
            pixels[at * 4..at * 4 + 3].copy_from_slice(&color);
            pixels[at * 4 + 3] = 255;
        }
    }
    let canvas = document().create_element("canvas")?.dyn_into::<HtmlCanvasElement>()?;
    canvas.set_width(count as u32);
    canvas.set_height(count as u32);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let image = ImageData::new_with_u8_clamped_array(Clamped(&pixels), count as u32)?;
    context.dyn_into::<CanvasRenderingContext2d>()?.put_image_data(&image, 0.0, 0.0)?;
    Ok(canvas)
}
