//! Why curves end where they do.

use dragontree::scenario::{MeasuredChannel, Why, WhyPortion};
use dragontree_plot::Format;

use super::{Curve, FULL, NO_BOUND, Seen, percent};

/// The most lines.
const LINES: usize = 6;

/// A line for each curve whose bound lies below full load, or that is known to saturate for another
/// reason, with the numbers; where there is none, one for all.
pub fn causes(seen: &Seen) -> Vec<String> {
    let alone = seen.curves.len() == 1;
    let mut lines: Vec<String> =
        seen.curves.iter().flat_map(|curve| of_curve(curve, alone)).collect();
    lines = capped(lines);
    let any = |is: fn(&Curve) -> bool| seen.curves.iter().any(is);
    let moves = any(|curve| curve.points.iter().all(|point| !point.deadlock));
    if lines.is_empty() && seen.by_load && moves {
        lines.push(match (any(|curve| curve.bound.is_some()), any(|curve| curve.has_no_bound)) {
            (true, _) => {
                let mut line = "No link between switches is asked to carry more than an endpoint \
                                injects, so the endpoints' own links are the limit."
                    .to_owned();
                if let [curve @ Curve { busiest: Some(busiest), why: Some(why), .. }] =
                    &seen.curves[..]
                {
                    let managed = left_out(curve);
                    line += &format!(" That from {busiest} fills first{managed}: {}.", why.formula);
                }
                line
            }
            (false, true) => no_bound(),
            (false, false) => return lines,
        });
    }
    lines
}

/// No more lines than can be read.
pub fn capped(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(LINES);
    if more > 0 {
        lines.truncate(LINES);
        lines.push(format!("The results as JSON have {more} more of these."));
    }
    lines
}

/// What is said of a curve, which may be the only one.
fn of_curve(curve: &Curve, alone: bool) -> impl Iterator<Item = String> {
    let the = match (&curve.place, alone) {
        (None, true) => "The".to_owned(),
        (Some(place), true) => format!("At {place}, the"),
        (None, false) => format!("With {}, the", curve.name),
        (Some(place), false) => format!("With {} at {place}, the", curve.name),
    };
    let measured = curve.measured.as_ref().map(|measured| found(measured, &the, alone));
    let below = curve.below.as_ref();
    let place = if curve.has_no_bound { "before any channel fills" } else { "below its bound" };
    let below = below.map(|below| format!("{} saturates {place}. {below}.", curve.name));
    [bounded(curve, &the, alone), below, measured].into_iter().flatten()
}

/// Why the busiest link limits a curve.
fn bounded(curve: &Curve, the: &str, alone: bool) -> Option<String> {
    let bound = curve.bound.filter(|bound| *bound < FULL)?;
    let busiest = curve.busiest.as_deref()?;
    let (load, managed) = (percent(bound), left_out(curve));
    let Some(why) = &curve.why else {
        let ratio = Format::Number.text(1.0 / bound);
        return Some(format!(
            "{the} link from {busiest} would have to carry {ratio} times its rate if every endpoint \
             sent at full rate{managed}. It is full at 1\u{a0}/\u{a0}{ratio} of that, {load} load, and what \
             needs it waits."
        ));
    };
    let fills = format!("{the} link from {busiest} fills first, at {load} load{managed}");
    let Why { sources, destinations, formula, .. } = why;
    let told = told(why, 1.0 / bound, alone);
    if !alone {
        return Some(format!("{fills}: {formula}{told}."));
    }
    let [from, to] = [*sources, *destinations].map(counted);
    Some(format!("{fills}. {formula}. They lead from {from} to {to}{told}."))
}

/// What the bound leaves out.
fn left_out(curve: &Curve) -> &'static str {
    if curve.managed { ", what switches send one another left out" } else { "" }
}

/// What was found to share the busiest link, where no bound is known.
fn found(measured: &MeasuredChannel, the: &str, alone: bool) -> String {
    let MeasuredChannel { channel, utilization, found, why, .. } = measured;
    let mut text = format!(
        "{the} busiest link, from {channel}, was busy {} of the time. ",
        percent(*utilization)
    );
    if let (Some(why), Some(found)) = (why, found) {
        let (formula, told) = (&why.formula, told(why, *utilization, alone));
        text += &format!("{found}: {formula}{told}. ");
    }
    text + &no_bound()
}

/// Why routes have no bound.
fn no_bound() -> String {
    format!("{NO_BOUND}: they follow the load, or are too many to be walked.")
}

/// The largest portions of what takes so much of a link's rate; where there are several curves, the
/// largest only.
fn told(why: &Why, all: f64, alone: bool) -> String {
    let portions = &why.largest[..why.largest.len().min(if alone { usize::MAX } else { 1 })];
    let list = portions.iter().map(portion).collect::<Vec<_>>().join("; ");
    match portions {
        [] => list,
        _ => format!("; {}: {list}", Why::told(portions, all)),
    }
}

/// A portion of the traffic with its numbers.
fn portion(portion: &WhyPortion) -> String {
    portion.words(&Format::Number.text(portion.utilization))
}

fn counted(endpoints: u64) -> String {
    match endpoints {
        1 => "one endpoint".to_owned(),
        _ => format!("{} endpoints", Format::Number.text(endpoints as f64)),
    }
}
