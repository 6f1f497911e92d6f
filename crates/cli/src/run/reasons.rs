//! Why curves end where they do, in lines below their tables.

use dragontree::scenario::{CLEARLY, MeasuredChannel, Metrics, Why, WhyPortion, most_telling};
use dragontree_plot::Format;

/// Places on the axis that are named one by one.
const NAMED: usize = 4;

/// The bound of a curve over the load, whose routes may follow that, what shares the channel, and what its
/// runs say besides.
pub fn of_curve<'a>(
    first: &Metrics,
    follows_load: bool,
    runs: impl Iterator<Item = &'a Metrics> + Clone,
) -> String {
    let mut text = bound(first, follows_load);
    let zero_load = match first.latency_ns.zero_load {
        Some(time) => Format::Nanoseconds.text(time),
        None if first.bound.is_none() && !follows_load => "latency not known either".to_owned(),
        None => "latency not known: packets of a message go several ways".to_owned(),
    };
    text.push_str(&format!("  zero load {zero_load}\n"));
    let shared = |why| shared(why, first.bound.unwrap_or(1.0));
    let limited = runs.clone().any(is_limited);
    text.push_str(&first.why.as_ref().filter(|_| limited).map(shared).unwrap_or_default());
    text.extend(below(runs.clone()).map(|below| format!("  {below}\n")));
    let measured = runs.filter_map(|run| run.measured_busiest.as_ref());
    // Loads ascend, so the last is the fullest.
    if let Some(measured) = measured.last() {
        text.push_str(&format!("  why: saturated, {}\n", busiest(measured)));
        text.push_str(&measured.why.as_ref().map(|why| found(measured, why)).unwrap_or_default());
    }
    text
}

/// The bound, or why it is not known.
fn bound(first: &Metrics, follows_load: bool) -> String {
    let left_out = left_out(first);
    match (first.bound, &first.busiest) {
        (Some(bound), Some(busiest)) => {
            let bound = Format::Percent.text(bound);
            format!("  bound {bound}: where the busiest channel ({busiest}) fills{left_out}\n")
        }
        _ if follows_load => {
            "  the bound of these routes is not known: they follow the load\n".to_owned()
        }
        _ => {
            "  the bound of these routes is not known: they are too many to be walked\n".to_owned()
        }
    }
}

/// What the bound leaves out.
fn left_out(run: &Metrics) -> &'static str {
    match run.management {
        Some(_) => ", what switches send one another left out",
        None => "",
    }
}

/// Whether the busiest channel lets through less than the endpoints' links, or is full or nearly.
fn is_limited(run: &Metrics) -> bool {
    let Some(bound) = run.bound else { return false };
    bound < 1.0 || (run.saturated && run.below_bound.is_none() && run.offered > CLEARLY * bound)
}

/// What holds a run back besides its bound, or where that is not known instead of a channel that fills.
fn below<'a>(runs: impl Iterator<Item = &'a Metrics>) -> Option<String> {
    let run = most_telling(runs)?;
    let label = if run.bound.is_some() { "below the bound" } else { "no channel fills" };
    Some(format!("{label}: {}", run.below_bound.as_ref()?))
}

/// What shares the busiest channel, which fills at this load.
fn shared(why: &Why, bound: f64) -> String {
    let Why { sources, destinations, formula, largest, .. } = why;
    let told = Why::told(largest, 1.0 / bound);
    let noun = if *sources == 1 { "endpoint" } else { "endpoints" };
    let between = format!("    from {sources} {noun} to {destinations}; {told}:\n");
    format!("  why: {formula}\n{between}{}", portions(largest))
}

/// What was found to share it.
fn found(measured: &MeasuredChannel, why: &Why) -> String {
    let Why { formula, largest, .. } = why;
    let found = measured.found.as_deref().unwrap_or_default();
    let told = match largest.is_empty() {
        true => String::new(),
        false => format!("; {}:", Why::told(largest, measured.utilization)),
    };
    format!("    {found}:\n    {formula}{told}\n{}", portions(largest))
}

fn portions(largest: &[WhyPortion]) -> String {
    largest.iter().map(|each| format!("    {}\n", portion(each))).collect()
}

fn portion(portion: &WhyPortion) -> String {
    let WhyPortion { from, to, flows, utilization } = portion;
    let noun = if *flows == 1 { "flow" } else { "flows" };
    let times = Format::Number.text(*utilization);
    format!("{from} to {to}: {flows} {noun}, {times} times the channel's rate")
}

fn busiest(measured: &MeasuredChannel) -> String {
    let share = Format::Percent.text(measured.utilization);
    format!("and the channel that was busiest ({}) was so {share} of the time", measured.channel)
}

/// The reasons of one place on another axis, where its runs have any: those of the seed that fills
/// a channel first.
pub fn of_place<'a>(runs: impl Iterator<Item = &'a Metrics> + Clone) -> Option<String> {
    let bound = |run: &&Metrics| run.bound.unwrap_or(f64::INFINITY);
    let limited = runs.clone().filter(|run| run.why.is_some() && is_limited(run));
    let limited = limited.min_by(|one, other| bound(one).total_cmp(&bound(other)));
    let bounded = limited.and_then(|run| {
        let (why, channel) = (run.why.as_ref()?, run.busiest.as_ref()?);
        let told = Why::told(why.largest.get(..1)?, 1.0 / run.bound?);
        let bound = Format::Percent.text(run.bound?);
        let most = why.largest.first().map(portion);
        let most = most.map_or(String::new(), |most| format!("; {told}: {most}"));
        let left_out = left_out(run);
        Some(format!("{channel} fills at {bound}{left_out}: {}{most}", why.formula))
    });
    let measured = runs.clone().find_map(|run| run.measured_busiest.as_ref());
    let measured = measured.map(|measured| {
        let formula = measured.why.as_ref().map(|why| format!(": {}", why.formula));
        format!("bound not known, {}{}", busiest(measured), formula.unwrap_or_default())
    });
    let said: Vec<String> = [bounded, below(runs), measured].into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// A line for each reason, with the places on the axis that it holds at; of none of these nothing is
/// said where it holds at all.
pub fn by_place(label: &str, places: &[(String, Option<String>)]) -> String {
    let mut told: Vec<(&str, Vec<&str>)> = Vec::new();
    for (place, reason) in places {
        let Some(reason) = reason else { continue };
        match told.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, at)) => at.push(place),
            None => told.push((reason, vec![place])),
        }
    }
    let line = |(reason, at): &(&str, Vec<&str>)| {
        let place = match at.len() {
            all if all == places.len() => String::new(),
            few if few <= NAMED => format!(" at {}", at.join(", ")),
            many => format!(" at {} and {} more", at[..NAMED].join(", "), many - NAMED),
        };
        format!("  {label}{place}: {reason}\n")
    };
    told.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_told_once_with_its_places() {
        let places = |reasons: &[Option<&str>]| {
            let place = |(at, reason): (usize, &Option<&str>)| {
                (format!("{at} B"), reason.map(str::to_owned))
            };
            by_place("why", &reasons.iter().enumerate().map(place).collect::<Vec<_>>())
        };
        assert_eq!(places(&[Some("a"), Some("a")]), "  why: a\n");
        let mixed = places(&[Some("a"), None, Some("b"), Some("a")]);
        assert_eq!(mixed, "  why at 0 B, 3 B: a\n  why at 2 B: b\n");
        let many = [vec![None], vec![Some("a"); 6]].concat();
        assert_eq!(places(&many), "  why at 1 B, 2 B, 3 B, 4 B and 2 more: a\n");
        assert_eq!(places(&[None]), "");
    }
}
