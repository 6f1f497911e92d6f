//! The colors of the drawing, as the style sheet has them at the moment.

use leptos::prelude::window;
use web_sys::Element;

/// How many colors the scale of loads has.
pub const SHADES: usize = 16;

type Rgb = [f32; 3];

/// Colors as the canvas takes them.
#[derive(Clone, Debug, Default, PartialEq)]
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
pub fn css([red, green, blue]: Rgb, alpha: f32) -> String {
    format!("rgb({red:.0} {green:.0} {blue:.0} / {alpha:.3})")
}

/// Reads `rgb(1, 2, 3)`.
fn read(text: &str) -> Rgb {
    let digit = |c: char| c.is_ascii_digit() || c == '.';
    let mut numbers =
        text.split(|c| !digit(c)).filter(|part| !part.is_empty()).map(|part| part.parse::<f32>());
    [(); 3].map(|()| numbers.next().and_then(Result::ok).unwrap_or(128.0))
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
        assert_eq!(read("").len(), 3);
        assert_eq!(css([1.4, 2.0, 255.0], 0.25), "rgb(1 2 255 / 0.250)");
    }
}
