//! The SVG text being written, in tenths of a pixel.

use std::fmt::Write;

use crate::chart::Size;
use crate::theme::{Theme, Token};

/// Tenths of a pixel per pixel: plotters knows only whole coordinates.
pub(crate) const TENTHS: i32 = 10;

pub(crate) fn tenths(pixels: f64) -> i32 {
    (pixels * f64::from(TENTHS)).round() as i32
}

/// The size of ordinary text in pixels; nothing is smaller.
pub(crate) const SMALL: u32 = 12;

/// What elements inherit from the group around them.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct Ink {
    pub fill: Option<Token>,
    pub stroke: Option<Token>,
    /// In tenths of a pixel.
    pub width: u32,
}

/// Which end of a text its position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text with its baseline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub x: i32,
    pub baseline: i32,
    pub anchor: Anchor,
    /// In pixels.
    pub size: u32,
    pub token: Token,
    pub text: &'a str,
}

#[derive(Debug)]
pub(crate) struct Sheet {
    out: String,
    theme: Option<Theme>,
    groups: Vec<Ink>,
    /// Attributes of the next element.
    pending: String,
}

impl Sheet {
    /// Opens the document. `margin` is the free space around the given size.
    pub fn new(
        size: Size,
        margin: u32,
        theme: Option<Theme>,
        title: &str,
        description: &str,
    ) -> Self {
        let mut out = String::new();
        let (width, height) = (size.width + 2 * margin, size.height + 2 * margin);
        let start = if margin == 0 { "0".to_owned() } else { format!("-{margin}") };
        let font = theme.map_or("", |_| " font-family=\"system-ui, Helvetica, Arial, sans-serif\"");
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"{start} {start} {width} {height}\" role=\"img\"\
             {font} font-size=\"{SMALL}\" fill=\"none\">\n<title>{}</title>\n<desc>{}</desc>\n",
            escaped(title),
            escaped(description),
        );
        Self { out, theme, groups: vec![Ink::default()], pending: String::new() }
    }

    /// Writes ready-made markup.
    pub fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    /// Opens a group; `attributes` are ready-made, with a leading space.
    pub fn open(&mut self, class: &str, attributes: &str, ink: Ink) {
        let differences = self.differences(ink);
        let _ = writeln!(self.out, "<g class=\"{class}\"{attributes}{differences}>");
        self.groups.push(ink);
    }

    pub fn close(&mut self) {
        self.groups.pop();
        self.out.push_str("</g>\n");
    }

    /// Adds an attribute to the next element.
    pub fn tag(&mut self, attribute: &str, value: usize) {
        let _ = write!(self.pending, " {attribute}=\"{value}\"");
    }

    pub fn path(&mut self, points: &[(i32, i32)], stroke: Token, width: u32) {
        let ink = Ink { fill: None, stroke: Some(stroke), width };
        self.element("path", &format!(" d=\"{}\"", outline(points)), ink);
    }

    /// A filled polygon; its stroke is the group's.
    pub fn polygon(&mut self, points: &[(i32, i32)], fill: Token) {
        let ink = Ink { fill: Some(fill), ..self.group() };
        self.element("path", &format!(" d=\"{}Z\"", outline(points)), ink);
    }

    pub fn rectangle(&mut self, from: (i32, i32), to: (i32, i32), fill: Token) {
        let attributes = format!(
            " x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            number(from.0),
            number(from.1),
            number((to.0 - from.0).max(0)),
            number((to.1 - from.1).max(0)),
        );
        let ink = Ink { fill: Some(fill), ..self.group() };
        self.element("rect", &attributes, ink);
    }

    /// A filled circle; its stroke is the group's.
    pub fn circle(&mut self, center: (i32, i32), radius: i32, fill: Token) {
        let (x, y, r) = (number(center.0), number(center.1), number(radius));
        let ink = Ink { fill: Some(fill), ..self.group() };
        self.element("circle", &format!(" cx=\"{x}\" cy=\"{y}\" r=\"{r}\""), ink);
    }

    pub fn text(&mut self, line: Line) {
        if line.text.is_empty() {
            return;
        }
        let anchor = match line.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let size = line.size.max(SMALL);
        let size = if size == SMALL { String::new() } else { format!(" font-size=\"{size}\"") };
        let differences = self.differences(Ink { fill: Some(line.token), ..self.group() });
        let (x, y) = (number(line.x), number(line.baseline));
        let pending = std::mem::take(&mut self.pending);
        let text = escaped(line.text);
        let _ = writeln!(
            self.out,
            "<text{pending} x=\"{x}\" y=\"{y}\"{anchor}{size}{differences}>{text}</text>"
        );
    }

    /// Closes the document and hands it over.
    pub fn finish(&mut self) -> String {
        self.out.push_str("</svg>\n");
        std::mem::take(&mut self.out)
    }

    fn element(&mut self, name: &str, attributes: &str, ink: Ink) {
        let differences = self.differences(ink);
        let pending = std::mem::take(&mut self.pending);
        let _ = writeln!(self.out, "<{name}{pending}{attributes}{differences}/>");
    }

    fn group(&self) -> Ink {
        self.groups.last().copied().unwrap_or_default()
    }

    /// The attributes by which an ink differs from the group's.
    fn differences(&self, ink: Ink) -> String {
        let group = self.group();
        let paint = |token: Option<Token>| match token {
            Some(token) => token.paint(self.theme),
            None => "none".to_owned(),
        };
        let mut text = String::new();
        if ink.fill != group.fill {
            let _ = write!(text, " fill=\"{}\"", paint(ink.fill));
        }
        if ink.stroke != group.stroke {
            let _ = write!(text, " stroke=\"{}\"", paint(ink.stroke));
        }
        if ink.stroke.is_some() && ink.width != group.width {
            let _ = write!(text, " stroke-width=\"{}\"", number(ink.width as i32));
        }
        text
    }
}

fn outline(points: &[(i32, i32)]) -> String {
    let mut text = String::new();
    for (index, &(x, y)) in points.iter().enumerate() {
        let lead = ["M", "L", " "][index.min(2)];
        let _ = write!(text, "{lead}{} {}", number(x), number(y));
    }
    text
}

/// Tenths as a decimal number without trailing zeros.
fn number(tenths: i32) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    let magnitude = tenths.unsigned_abs();
    let (whole, rest) = (magnitude / TENTHS as u32, magnitude % TENTHS as u32);
    if rest == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

/// Text as XML content or attribute value; characters that XML forbids are replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ if u32::from(character) < 0x20 => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_trimmed() {
        assert_eq!([0, 5, -5, 120, -123].map(number), ["0", "0.5", "-0.5", "12", "-12.3"]);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot;\u{fffd}");
    }
}
