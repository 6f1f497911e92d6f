//! The colors of the drawing, as the style sheet has them at the moment.

use leptos::prelude::window;
use web_sys::Element;

/// How many colors the scale of loads has.
pub const SHADES: usize = 16;

type Rgb = [f32; 3];

/// Colors as the canvas takes them.
#[derive(Default, PartialEq)]
pub struct Palette {
    /// From no load to a full link.
    pub shades: Vec<Rgb>,
    /// Links whose load is not known.
    pub plain: Rgb,
    /// The background.
    pub panel: Rgb,
    /// Nodes and words.
    pub muted: Rgb,
    /// What stands out.
    pub ink: Rgb,
}

impl Palette {
    /// The colors that hold for an element.
    pub fn of(element: &Element) -> Palette {
        let style = window().get_computed_style(element).ok().flatten();
        let color = |name: &str| {
            let value = style.as_ref().and_then(|style| style.get_property_value(name).ok());
            read(&value.unwrap_or_default())
        };
        let [rest, amber, full] = ["--hairline", "--amber", "--accent"].map(color);
        let muted = color("--muted");
        let low = mix(rest, muted, 0.18);
        let shade = |index: usize| {
            let share = index as f32 / (SHADES - 1) as f32;
            match share {
                share if share < 0.5 => mix(low, amber, share * 2.0),
                share => mix(amber, full, share * 2.0 - 1.0),
            }
        };
        Palette {
            shades: (0..SHADES).map(shade).collect(),
            plain: mix(rest, muted, 0.5),
            panel: color("--panel"),
            muted,
            ink: color("--ink"),
        }
    }
}

/// A color as the canvas takes it.
pub fn css(color: Rgb, alpha: f32) -> String {
    let [red, green, blue] = color.map(|part| part as u8);
    format!("rgb({red} {green} {blue} / {}%)", (alpha * 100.0) as u32)
}

/// Reads the whole numbers of `rgb(1, 2, 3)`.
fn read(text: &str) -> Rgb {
    let mut color = [0.0; 3];
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    for (part, number) in color.iter_mut().zip(numbers) {
        *part = number.parse::<u32>().unwrap_or(0) as f32;
    }
    color
}

fn mix(one: Rgb, other: Rgb, share: f32) -> Rgb {
    [0, 1, 2].map(|part| one[part] + (other[part] - one[part]) * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_colors_are_read_and_written() {
        assert_eq!(read("rgb(228, 225, 218)"), [228.0, 225.0, 218.0]);
        assert_eq!(read(""), [0.0; 3]);
        assert_eq!(css([1.4, 2.0, 255.0], 0.25), "rgb(1 2 255 / 25%)");
    }
}
