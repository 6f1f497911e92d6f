//! What is said of exchanges.

use dragontree_plot::Format;

use super::{Curve, Point, Seen};

/// Who is fastest, at the place furthest right that all curves share.
pub fn sentence(begun: &[&Curve], seen: &Seen) -> String {
    let at = |curve: &&Curve, x: f64| curve.points.iter().copied().find(|point| point.x == x);
    let places = begun.iter().flat_map(|curve| curve.points.iter().map(|point| point.x));
    let shared = |x: &f64| begun.iter().all(|curve| at(curve, *x).is_some());
    let Some(x) = places.filter(shared).max_by(f64::total_cmp) else {
        return if seen.refused { "Ready to run" } else { "Simulating…" }.to_owned();
    };
    if let [curve] = begun {
        return alone(curve, seen);
    }
    let found = begun.iter().filter_map(|curve| Some((at(curve, x)?, *curve)));
    let order =
        |one: &(Point, &Curve), other: &(Point, &Curve)| one.0.value.total_cmp(&other.0.value);
    let (Some((fast, best)), Some((slow, worst))) =
        (found.clone().min_by(order), found.max_by(order))
    else {
        return String::new();
    };
    let place = match one_place(begun) {
        true => String::new(),
        false => format!(" at {} {}", seen.format.text(x), crate::words::lowered(&seen.axis)),
    };
    if time(fast.value) == time(slow.value) {
        return format!("All take {}{place}{}", time(fast.value), beyond(&fast));
    }
    let more = Format::Percent.text(((slow.value / fast.value - 1.0) * 100.0).round() / 100.0);
    format!(
        "{} takes {}{place}{}, {} {} ({more} longer)",
        best.name,
        time(fast.value),
        beyond(&fast),
        worst.name,
        time(slow.value)
    )
}

/// One curve: the only time, or the shortest and the longest.
fn alone(curve: &Curve, seen: &Seen) -> String {
    let order = |one: &&Point, other: &&Point| one.value.total_cmp(&other.value);
    let (Some(fast), Some(slow)) =
        (curve.points.iter().min_by(order), curve.points.iter().max_by(order))
    else {
        return String::new();
    };
    match time(fast.value) == time(slow.value) {
        true => format!("The exchange takes {}{}", time(fast.value), beyond(fast)),
        false => format!(
            "The exchange takes {} to {}, depending on the {}",
            time(fast.value),
            time(slow.value),
            crate::words::lowered(&seen.axis)
        ),
    }
}

fn one_place(curves: &[&Curve]) -> bool {
    curves.iter().all(|curve| curve.points.len() == 1)
}

fn time(nanoseconds: f64) -> String {
    Format::Nanoseconds.text(nanoseconds).replace(' ', "\u{a0}")
}

/// How much longer than without contention.
fn beyond(point: &Point) -> String {
    let Some(ideal) = point.ideal.filter(|ideal| *ideal > 0.0) else { return String::new() };
    let more = ((point.value / ideal - 1.0) * 1000.0).round() / 1000.0;
    match more <= 0.0 {
        true => ", as without contention".to_owned(),
        false => format!(", {} more than without contention", Format::Percent.text(more)),
    }
}

/// What no run can be faster than, and why.
pub fn limit(seen: &Seen) -> Option<String> {
    let known = seen.curves.iter().filter_map(|curve| Some((curve, curve.least.as_ref()?)));
    let (curve, (least, channel)) = known.max_by(|one, other| one.1.0.total_cmp(&other.1.0))?;
    let last = curve.points.last().filter(|point| point.value.is_finite())?;
    let share = Format::Percent.text((least / last.value * 100.0).round() / 100.0);
    let whose =
        if seen.curves.len() == 1 { String::new() } else { format!("With {}, ", curve.name) };
    let the = if whose.is_empty() { "The" } else { "the" };
    Some(format!(
        "{whose}{the} channel from {channel} has most to carry: {} if it were never idle, {share} of \
         the time that was measured.",
        time(*least)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, times: &[(f64, f64)]) -> Curve {
        let point = |(x, value): &(f64, f64)| Point {
            x: *x,
            value: *value,
            saturated: false,
            deadlock: false,
            ideal: Some(50_000.0),
        };
        Curve {
            name: name.to_owned(),
            points: times.iter().map(point).collect(),
            ..Curve::default()
        }
    }

    fn say(curves: Vec<Curve>) -> String {
        let seen = Seen {
            curves,
            exchanges: true,
            format: Format::Bytes,
            axis: "Message size".to_owned(),
            ..Seen::default()
        };
        super::super::sentence(&seen).replace('\u{a0}', " ")
    }

    #[test]
    fn orders_are_compared_where_all_have_a_point() {
        assert_eq!(
            say(vec![
                curve("XOR", &[(1024.0, 55_000.0), (8192.0, 60_000.0)]),
                curve("LIN", &[(1024.0, 56_000.0), (8192.0, 75_000.0)]),
            ]),
            "XOR takes 60 µs at 8 KiB message size, 20 % more than without contention, LIN 75 µs (25 % \
             longer)"
        );
    }

    #[test]
    fn one_run_is_compared_with_the_time_without_contention() {
        let ideal = curve("OPT", &[(8192.0, 50_000.0)]);
        assert_eq!(say(vec![ideal]), "The exchange takes 50 µs, as without contention");
        assert_eq!(say(vec![curve("OPT", &[])]), "Simulating…");
    }

    #[test]
    fn the_busiest_channel_says_what_cannot_be_beaten() {
        let mut curve = curve("XOR", &[(8192.0, 60_000.0)]);
        curve.least = Some((45_000.0, "switch 1 to switch 2".to_owned()));
        let seen = Seen { curves: vec![curve], exchanges: true, ..Seen::default() };
        assert_eq!(
            limit(&seen).unwrap_or_default().replace('\u{a0}', " "),
            "The channel from switch 1 to switch 2 has most to carry: 45 µs if it were never idle, 75 % \
             of the time that was measured."
        );
    }
}
