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
        lines.push(match (any(|curve| curve.bound.is_some()), any(|curve| curve.is_adaptive)) {
            (true, _) => {
                "No link between switches is asked to carry more than an endpoint injects, so the \
                 endpoints' own links are the limit."
                    .to_owned()
            }
            (false, true) => format!("{NO_BOUND}."),
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
    let below = below.map(|below| format!("{} saturates below its bound. {below}.", curve.name));
    [bounded(curve, &the, alone), measured, below].into_iter().flatten()
}

/// Why the busiest link limits a curve.
fn bounded(curve: &Curve, the: &str, alone: bool) -> Option<String> {
    let bound = curve.bound.filter(|bound| *bound < FULL)?;
    let busiest = curve.busiest.as_deref()?;
    let load = percent(bound);
    let Some(Why { sources, destinations, formula, largest, .. }) = &curve.why else {
        let ratio = Format::Number.text(1.0 / bound);
        return Some(format!(
            "{the} link from {busiest} would have to carry {ratio} times its rate if every endpoint \
             sent at full rate. It is full at 1\u{a0}/\u{a0}{ratio} of that, {load} load, and what \
             needs it waits."
        ));
    };
    let told = portions(largest, alone);
    let fills = format!("{the} link from {busiest} fills first, at {load} load");
    Some(match alone {
        true => format!(
            "{fills}. {formula}. They lead from {} to {}; most of it: {told}.",
            counted(*sources),
            counted(*destinations)
        ),
        false => format!("{fills}: {formula}; most of it {told}."),
    })
}

/// What was found to share the busiest link, where no bound is known.
fn found(measured: &MeasuredChannel, the: &str, alone: bool) -> String {
    let MeasuredChannel { channel, utilization, detours, why, .. } = measured;
    let share = percent(*utilization);
    let busy = format!("{the} busiest link, from {channel}, was busy {share} of the time");
    let Some(Why { sources, destinations, formula, largest, .. }) = why else {
        return format!("{busy}. {NO_BOUND}.");
    };
    let told = portions(largest, alone);
    let minimal = percent(1.0 - detours);
    match alone {
        true => format!(
            "{busy}. {formula}. They lead from {} to {}, {minimal} of the packets on minimal ways; most \
             of it: {told}. {NO_BOUND}.",
            counted(*sources),
            counted(*destinations)
        ),
        false => format!("{busy}: {formula}, {minimal} of it on minimal ways; most of it {told}."),
    }
}

/// The largest portions, or the largest only where there are several curves.
fn portions(largest: &[WhyPortion], alone: bool) -> String {
    let told = largest.iter().take(if alone { largest.len() } else { 1 }).map(portion);
    told.collect::<Vec<_>>().join("; ")
}

/// A portion of the traffic with its numbers.
fn portion(WhyPortion { from, to, flows, utilization }: &WhyPortion) -> String {
    let noun = if *flows == 1 { "flow" } else { "flows" };
    let times = Format::Number.text(*utilization);
    format!("{flows} {noun} from {from} to {to}, {times} times its rate")
}

fn counted(endpoints: u64) -> String {
    match endpoints {
        1 => "one endpoint".to_owned(),
        _ => format!("{} endpoints", Format::Number.text(endpoints as f64)),
    }
}
