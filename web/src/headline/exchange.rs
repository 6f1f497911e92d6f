//! What is said of exchanges.

use dragontree_plot::Format;

use super::{Curve, Point, Seen, so_far};

/// A point and its curve.
type Extreme<'a> = Option<(&'a Curve, &'a Point)>;

/// Who is fastest and who slowest, at the place furthest right that all curves share; of one curve, over
/// all its places.
pub fn sentence(begun: &[&Curve], seen: &Seen) -> String {
    let axis = crate::words::lowered(&seen.axis);
    let is_at = |point: &Point, x: f64| point.x == x;
    let places = begun.iter().flat_map(|curve| curve.points.iter().map(|point| point.x));
    let shared =
        |x: &f64| begun.iter().all(|curve| curve.points.iter().any(|point| is_at(point, *x)));
    let last = places.filter(shared).fold(f64::NEG_INFINITY, f64::max);
    let alone = begun.len() == 1;
    let (mut fast, mut slow): (Extreme<'_>, Extreme<'_>) = (None, None);
    for curve in begun {
        for point in curve.points.iter().filter(|point| alone || is_at(point, last)) {
            if fast.is_none_or(|(_, other)| point.value < other.value) {
                fast = Some((curve, point));
            }
            if slow.is_none_or(|(_, other)| point.value > other.value) {
                slow = Some((curve, point));
            }
        }
    }
    let (Some((best, fast)), Some((worst, slow))) = (fast, slow) else {
        return if seen.running { "Simulating…" } else { "Ready to run" }.to_owned();
    };
    let [least, most] = [fast, slow].map(|point| time(point.value));
    let beyond = beyond(fast);
    // The exchange alone is no place, and names are none in a sentence.
    let place = match axis.as_str() {
        "" | "exchange" => String::new(),
        _ => format!(" at {} {axis}", seen.format.text(fast.x)),
    };
    // Of several, only one may have begun.
    let subject = match alone && seen.curves.len() > 1 {
        true => best.name.as_str(),
        false => "The exchange",
    };
    if least == most {
        // Where others are missing, it takes so long there only.
        let place = if seen.complete { "" } else { &place };
        return format!("{subject} takes {least}{place}{beyond}");
    }
    if alone {
        let so_far = so_far(seen.complete);
        let depending = match axis.as_str() {
            "" => String::new(),
            _ => format!(", depending on the {axis}"),
        };
        return format!("{subject} takes {least} to {most}{so_far}{depending}");
    }
    let more = ((slow.value / fast.value - 1.0) * 100.0).round() / 100.0;
    let longer = match more > 0.0 {
        true => format!(" ({} longer)", Format::Percent.text(more)),
        false => String::new(),
    };
    let [best, worst] = [best, worst].map(|curve| &curve.name);
    format!("{best} takes {least}{place}{beyond}, {worst} {most}{longer}")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, times: &[(f64, f64)]) -> Curve {
        let point = |(x, value): &(f64, f64)| Point {
            x: *x,
            value: *value,
            ideal: Some(50_000.0),
            ..Point::default()
        };
        Curve {
            name: name.to_owned(),
            points: times.iter().map(point).collect(),
            ..Curve::default()
        }
    }

    fn say(curves: Vec<Curve>) -> String {
        say_over("Message size", curves)
    }

    fn say_over(axis: &str, curves: Vec<Curve>) -> String {
        let seen = Seen {
            curves,
            exchanges: true,
            format: Format::Bytes,
            axis: axis.to_owned(),
            running: true,
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
    fn next_to_nothing_is_no_share() {
        let curves = vec![curve("A", &[(0.0, 50_100.0)]), curve("B", &[(0.0, 50_200.0)])];
        let said = say_over("Exchange", curves);
        assert_eq!(said, "A takes 50.1 µs, 0.2 % more than without contention, B 50.2 µs");
    }

    #[test]
    fn messages_with_lengths_of_their_own_stand_at_no_size() {
        let curves = vec![curve("Blocks", &[(0.0, 50_000.0)]), curve("Random", &[(0.0, 75_000.0)])];
        assert_eq!(
            say_over("Exchange", curves),
            "Blocks takes 50 µs, as without contention, Random 75 µs (50 % longer)"
        );
    }

    #[test]
    fn one_run_is_compared_with_the_time_without_contention() {
        let ideal = curve("OPT", &[(8192.0, 50_000.0)]);
        let of = |curves: Vec<Curve>, complete| {
            let axis = "Message size".to_owned();
            let format = Format::Bytes;
            let seen = Seen { curves, exchanges: true, format, axis, complete, ..Seen::default() };
            super::super::sentence(&seen).replace('\u{a0}', " ")
        };
        assert_eq!(
            of(vec![ideal.clone()], true),
            "The exchange takes 50 µs, as without contention"
        );
        // Of several sizes, of which the others are missing.
        assert_eq!(
            of(vec![ideal], false),
            "The exchange takes 50 µs at 8 KiB message size, as without contention"
        );
        let two = curve("OPT", &[(4096.0, 30_000.0), (8192.0, 50_000.0)]);
        assert_eq!(
            of(vec![two], false),
            "The exchange takes 30 µs to 50 µs so far, depending on the message size"
        );
        assert_eq!(
            of(vec![curve("OPT", &[(4096.0, 60_000.0)]), curve("LIN", &[])], false),
            "OPT takes 60 µs at 4 KiB message size, 20 % more than without contention"
        );
        assert_eq!(say(vec![curve("OPT", &[])]), "Simulating…");
        let stopped = Seen { exchanges: true, curves: vec![curve("OPT", &[])], ..Seen::default() };
        assert_eq!(super::super::sentence(&stopped), "Ready to run");
    }
}
