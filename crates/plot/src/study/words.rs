//! What a study's charts say in words.

use dragontree::catalog::Unit;
use dragontree::scenario::{Metric, Plan};

use super::curve_name;
use crate::{Axis, Series};

/// The name of the horizontal axis.
pub(super) fn horizontal_label(plan: &Plan) -> String {
    let label = lowered(&plan.x.label);
    match plan.x.unit {
        Some(Unit::Bandwidth) => format!("{label}, Gbps"),
        _ => label,
    }
}

/// The name of the vertical axis.
pub(super) fn vertical_label(plan: &Plan, metric: &Metric) -> String {
    let name = metric.kind.label();
    match &metric.over {
        Some(over) => {
            let curve = plan.find_curve(over).map(|curve| curve_name(plan, curve));
            let ideal = (over == Metric::IDEAL).then(|| "the time without contention".to_owned());
            let curve = curve.or(ideal);
            format!("{name} relative to {}", curve.as_ref().unwrap_or(over))
        }
        None => name.to_owned(),
    }
}

/// The title that screen readers announce.
pub(super) fn title(vertical: &str, horizontal: &str) -> String {
    let mut title = vertical.to_owned();
    if let Some(first) = title.get(..1) {
        let first = first.to_ascii_uppercase();
        title.replace_range(..1, &first);
    }
    format!("{title} over {horizontal}")
}

fn lowered(label: &str) -> String {
    let mut lowered = label.to_owned();
    let acronym = label.chars().nth(1).is_some_and(|second| second.is_ascii_uppercase());
    if let Some(first) = label.get(..1).filter(|_| !acronym) {
        lowered.replace_range(..1, &first.to_ascii_lowercase());
    }
    lowered
}

/// One sentence for each curve: where it starts and where it ends.
pub(super) fn description(series: &[Series], x: &Axis, y: &Axis) -> String {
    let sentences: Vec<String> = series.iter().map(|series| sentence(series, x, y)).collect();
    sentences.join(" ")
}

fn sentence(series: &Series, x: &Axis, y: &Axis) -> String {
    let name = &series.name;
    let known: Vec<_> = series.points.iter().filter(|point| !point.y.is_nan()).collect();
    let at = |value: f64| x.text(value);
    let bounded: Vec<_> = known.iter().filter(|point| point.y.is_finite()).collect();
    let unbounded = known.iter().find(|point| point.y.is_infinite());
    let mut text = match bounded[..] {
        [] if unbounded.is_none() => return format!("{name}: no result yet."),
        [] => format!("{name}:"),
        [only] if at(only.x) == *name => format!("{name}: {}", y.text(only.y)),
        [only] => format!("{name}: {} at {}", y.text(only.y), at(only.x)),
        [first, .., last] => format!(
            "{name}: from {} at {} to {} at {}",
            y.text(first.y),
            at(first.x),
            y.text(last.y),
            at(last.x)
        ),
    };
    if let Some(point) = unbounded {
        let comma = if bounded.is_empty() { "" } else { "," };
        text.push_str(&format!("{comma} unbounded from {}", at(point.x)));
    }
    text.push('.');
    text
}
