//! The charts of a study as one file.

use std::fs;
use std::path::Path;

use dragontree::scenario::Detail;
use dragontree_plot::{Size, Theme, standalone, study};

use super::{Results, provenance};
use crate::error::Failure;

const SIZE: Size = Size { width: 720, height: 400 };

/// Draws the charts one above the other, with the experiment's text as the caption.
pub fn write(results: &Results<'_>, path: &Path) -> Result<(), Failure> {
    let (finished, forecasts) = (results.finished(), results.forecasts());
    let charts = study::charts(results.study, results.plan, &finished, &forecasts);
    let caption = format!("{}\n{}", results.study.text(Detail::Everything), provenance(results));
    let mut drawings = Vec::new();
    for (index, chart) in charts.iter().enumerate() {
        let last = index + 1 == charts.len();
        let caption = if last { caption.as_str() } else { "" };
        drawings.push(standalone(chart, SIZE, Theme::Light, caption)?);
    }
    let failed = |source| Failure::Writing { path: path.to_owned(), source };
    fs::write(path, stacked(&drawings)).map_err(failed)
}

/// Several drawings in one.
fn stacked(drawings: &[String]) -> String {
    if let [drawing] = drawings {
        return drawing.clone();
    }
    let mut inner = String::new();
    let (mut width, mut height) = (0, 0);
    for drawing in drawings {
        let placed = format!("<svg y=\"{height}\"");
        inner.push_str(&drawing.replacen("<svg", &placed, 1));
        width = width.max(attribute(drawing, "width"));
        height += attribute(drawing, "height");
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n{inner}</svg>\n"
    )
}

/// A number among the attributes of a drawing's first element.
fn attribute(drawing: &str, name: &str) -> u32 {
    let head = drawing.split('>').next().unwrap_or_default();
    let value = head.split_once(&format!(" {name}=\""));
    let digits = value.and_then(|(_, rest)| rest.split('"').next());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_stand_one_above_the_other() {
        let one = "<svg xmlns=\"…\" width=\"30\" height=\"20\"></svg>\n".to_owned();
        let two = one.replace("\"20\"", "\"25\"");
        let both = stacked(&[one.clone(), two]);
        assert!(both.contains("viewBox=\"0 0 30 45\""));
        assert!(both.contains("<svg y=\"20\" xmlns"));
        assert_eq!(stacked(std::slice::from_ref(&one)), one);
    }
}
