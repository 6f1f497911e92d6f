//! The values at the selected place of the horizontal axis.

use dragontree_plot::{Chart, Point};
use leptos::prelude::*;

use super::Glyph;
use crate::store::Selected;

/// One line of a read-out.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The curve's slot.
    pub slot: usize,
    /// The curve's name.
    pub name: String,
    /// The value with its interval.
    pub value: String,
    /// Whether it is the selected curve.
    pub selected: bool,
}

/// Everything shown for a selected point.
#[derive(Clone, Debug, PartialEq)]
pub struct Readout {
    /// The place on the horizontal axis.
    pub place: String,
    /// A line for each curve that has a point there.
    pub lines: Vec<Line>,
}

impl Readout {
    /// The read-out of a chart; nothing when the point is not there.
    pub fn of(chart: &Chart, selected: Selected) -> Option<Readout> {
        let own = chart.series.iter().find(|series| series.slot == selected.curve)?;
        let x = own.points.get(selected.point)?.x;
        let lines = chart.series.iter().filter_map(|series| {
            let point = series.points.iter().find(|point| (point.x - x).abs() < 1e-9)?;
            Some(Line {
                slot: series.slot,
                name: series.name.clone(),
                value: value(chart, point),
                selected: series.slot == selected.curve,
            })
        });
        Some(Readout {
            place: format!("{} {}", chart.x.label, chart.x.format.text(x)),
            lines: lines.collect(),
        })
    }

    /// What is to be said of the selected point, with its curve where there are others.
    pub fn noted(&self, note: &str) -> String {
        match self.lines.iter().find(|line| line.selected) {
            Some(own) if self.lines.len() > 1 => format!("{}: {note}", own.name),
            _ => note.to_owned(),
        }
    }

    /// The selected point in a sentence.
    pub fn spoken(&self, metric: &str) -> String {
        let own = self.lines.iter().find(|line| line.selected);
        own.map_or(String::new(), |line| {
            format!("{}, {}: {metric} {}", line.name, self.place, line.value)
        })
    }
}

fn value(chart: &Chart, point: &Point) -> String {
    let format = chart.y.format;
    if point.y.is_nan() {
        return "not measured".to_owned();
    }
    if point.y.is_infinite() {
        return "unbounded".to_owned();
    }
    let text = format.text(point.y);
    let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
    // The same unit as the value, so that the two can be compared.
    let error = point.error / worth(unit);
    match point.open {
        Some(open) => format!("{text}, {}", open.words()),
        None if error > 0.0 && error.is_finite() => format!("{number} ± {} {unit}", short(error)),
        None => text,
    }
}

/// What a written unit stands for.
fn worth(unit: &str) -> f64 {
    match unit {
        "%" => 0.01,
        "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => 1.0,
    }
}

/// Two significant digits at most, none beyond the second decimal.
fn short(error: f64) -> String {
    let text = match error {
        large if large >= 10.0 => format!("{large:.0}"),
        medium if medium >= 0.095 => format!("{medium:.1}"),
        small => format!("{small:.2}"),
    };
    if text == "0.00" { "0.01".to_owned() } else { text }
}

/// The read-out beside the selected point.
#[component]
pub fn ReadoutBox(readout: Readout) -> impl IntoView {
    let lines = readout.lines.into_iter().map(|line| {
        view! {
            <tr class:selected=line.selected>
                <th scope="row"><Glyph curve=line.slot />{line.name}</th>
                <td>{line.value}</td>
            </tr>
        }
    });
    view! {
        <p>{readout.place}</p>
        <table><tbody>{lines.collect_view()}</tbody></table>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragontree_plot::{Axis, Open, Series};

    fn chart(points: &[Point]) -> Chart {
        Chart {
            title: String::new(),
            description: String::new(),
            x: Axis::percent("offered load"),
            y: Axis::latency("mean latency", 500.0),
            series: vec![Series {
                name: "Minimal".to_owned(),
                slot: 0,
                points: points.to_vec(),
                ghost: false,
            }],
            marks: Vec::new(),
        }
    }

    fn read(y: f64, error: f64, open: Option<Open>) -> String {
        let point = Point { x: 0.5, y, error, open };
        let selected = Selected { curve: 0, point: 0 };
        Readout::of(&chart(&[point]), selected).unwrap().lines[0].value.clone()
    }

    #[test]
    fn values_carry_their_interval_in_the_same_unit() {
        assert_eq!(read(1250.0, 30.0, None), "1.25 ± 0.03 µs");
        assert_eq!(read(700.0, 12.0, None), "700 ± 12 ns");
        assert_eq!(read(700.0, 0.0, None), "700 ns");
    }

    #[test]
    fn what_has_no_steady_value_says_so() {
        assert_eq!(read(f64::INFINITY, 0.0, Some(Open::Saturated)), "unbounded");
        assert_eq!(read(700.0, 12.0, Some(Open::Saturated)), "700 ns, saturated");
        assert_eq!(read(700.0, 12.0, Some(Open::NotSettled)), "700 ns, not settled");
        assert_eq!(read(f64::NAN, 0.0, None), "not measured");
    }

    #[test]
    fn the_spoken_form_is_a_sentence() {
        let point = Point { x: 0.5, y: 700.0, error: 12.0, open: None };
        let readout = Readout::of(&chart(&[point]), Selected { curve: 0, point: 0 }).unwrap();
        assert_eq!(
            readout.spoken("mean latency"),
            "Minimal, offered load 50 %: mean latency 700 ± 12 ns"
        );
    }
}
