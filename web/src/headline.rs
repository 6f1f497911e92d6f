//! The sentence that says what is seen, made from the results.

use dragontree::scenario::{MeasuredChannel, Why};
use dragontree_plot::Format;

mod cause;
mod exchange;
mod knee;

pub use cause::{capped, causes};
use knee::{Knee, percent};

/// What is known about one curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its points in ascending order of the horizontal axis.
    pub points: Vec<Point>,
    /// The offered load at which the busiest channel fills.
    pub bound: Option<f64>,
    /// Whether it is not known, rather than not yet.
    pub has_no_bound: bool,
    /// Whether switches send packets of their own, which it leaves out.
    pub managed: bool,
    /// That channel, from where to where.
    pub busiest: Option<String>,
    /// What shares it, where it limits the throughput.
    pub why: Option<Why>,
    /// Where on another axis than the load that is so.
    pub place: Option<String>,
    /// Where runs saturate and the bound is not known, the channel that was busiest.
    pub measured: Option<MeasuredChannel>,
    /// Why runs saturate clearly below the bound, where that is known.
    pub below: Option<String>,
}

/// One finished point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Where it lies on the horizontal axis.
    pub x: f64,
    /// Accepted throughput, completion time in nanoseconds, or the number of the fabric that is shown.
    pub value: f64,
    /// Whether sources fell behind.
    pub saturated: bool,
    /// Whether its throughput or latency had not settled when the run ended.
    pub open: bool,
    /// Whether packets blocked each other for good.
    pub deadlock: bool,
    /// Of an exchange, the time without contention in nanoseconds, where it is known.
    pub ideal: Option<f64>,
}

/// Everything the sentence is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
    /// Whether the horizontal axis is the offered load.
    pub by_load: bool,
    /// Whether the runs are exchanges.
    pub exchanges: bool,
    /// How the places on the horizontal axis are written.
    pub format: Format,
    /// What is shown of the fabrics, where nothing is simulated.
    pub fabric: Option<&'static str>,
    /// The name of the horizontal axis; empty where nothing varies along a curve.
    pub axis: String,
    /// Whether every point is there.
    pub complete: bool,
    /// Whether points are being simulated.
    pub running: bool,
    /// Whether the analysis was refused, so that no bound is to come.
    pub refused: bool,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen {
            curves: Vec::new(),
            by_load: false,
            exchanges: false,
            format: Format::Number,
            fabric: None,
            axis: String::new(),
            complete: false,
            running: false,
            refused: false,
        }
    }
}

/// From here on a load counts as the full one.
const FULL: f64 = 0.995;

/// Why there is no bound.
const NO_BOUND: &str = "The bound of these routes is not known";

/// One sentence: what a reader should see in the figure.
pub fn sentence(seen: &Seen) -> String {
    if let Some(text) = deadlock(seen) {
        return text;
    }
    let begun: Vec<&Curve> = seen.curves.iter().filter(|curve| !curve.points.is_empty()).collect();
    if let Some(label) = seen.fabric {
        return fabrics(&begun, label, &seen.axis);
    }
    if seen.exchanges {
        return exchange::sentence(&begun, seen);
    }
    match (&begun[..], seen.by_load) {
        ([], _) => forecast(seen),
        ([curve], true) => alone(curve, seen.complete),
        (curves, true) => together(curves, seen),
        (curves, false) => extremes(curves, seen),
    }
}

fn deadlock(seen: &Seen) -> Option<String> {
    let stuck = |curve: &Curve| {
        let point = curve.points.iter().find(|point| point.deadlock)?;
        let place = match seen.by_load {
            true => format!(" at {} load", percent(point.x)),
            false => String::new(),
        };
        Some(format!("{} deadlocks{place}: packets wait for each other in a circle", curve.name))
    };
    seen.curves.iter().find_map(stuck)
}

/// What analysis says when nothing is simulated yet.
fn forecast(seen: &Seen) -> String {
    let bounds = seen.curves.iter().filter_map(|curve| Some((curve, curve.bound?)));
    let lowest = bounds.min_by(|one, other| one.1.total_cmp(&other.1));
    match lowest {
        Some((curve, bound)) if bound < 1.0 => {
            let only = seen.curves.len() == 1;
            let whose = match only {
                true => String::new(),
                false => format!(" with {}", curve.name),
            };
            format!("In theory, the first link fills at {} load{whose}", percent(bound))
        }
        Some(_) => "In theory, no link fills before the endpoints' own".to_owned(),
        None if !seen.curves.is_empty() && seen.curves.iter().all(|curve| curve.has_no_bound) => {
            NO_BOUND.to_owned()
        }
        None if seen.refused => "This experiment cannot run as it stands".to_owned(),
        None => "Computing the bound…".to_owned(),
    }
}

fn alone(curve: &Curve, complete: bool) -> String {
    let Some(knee) = Knee::of(curve) else {
        return String::new();
    };
    match knee {
        Knee::None { last } if complete && last >= 1.0 => {
            format!("{} carries the full load", curve.name)
        }
        Knee::None { last } => {
            let so_far = so_far(complete);
            format!("{} carries every load up to {}{so_far}", curve.name, percent(last))
        }
        _ if let Some(low) = unhindered(curve, knee) => format!(
            "{} follows the load to {}; only at full load do the endpoints' own links fill",
            curve.name,
            percent(low)
        ),
        _ => {
            let place = knee.words(curve.bound);
            let reason = reason(curve, knee);
            format!("{} saturates {place}{reason}", curve.name)
        }
    }
}

/// Names the limiting channel where theory and simulation agree on it.
fn reason(curve: &Curve, knee: Knee) -> String {
    let reached = match knee {
        Knee::Between { high, .. } => high,
        Knee::Below { first } => first,
        Knee::None { .. } => return String::new(),
    };
    match (&curve.busiest, curve.bound) {
        (Some(channel), Some(bound)) if bound <= reached => {
            format!(": the first link to fill leads from {channel}")
        }
        (_, Some(bound)) if bound <= 1.0 => {
            format!(", before the first link fills at {}", percent(bound))
        }
        _ if curve.has_no_bound => String::new(),
        _ => ", though no link is full in theory".to_owned(),
    }
}

/// Whether nothing but the endpoints' own links is in the way.
fn unhindered(curve: &Curve, knee: Knee) -> Option<f64> {
    let own = curve.bound.is_some_and(|bound| bound >= FULL);
    match knee {
        Knee::Between { low, high } if own && high >= FULL => Some(low),
        _ => None,
    }
}

fn together(curves: &[&Curve], seen: &Seen) -> String {
    let knees = curves.iter().filter_map(|curve| Some((Knee::of(curve)?, *curve)));
    let place = |one: &(Knee, &Curve), other: &(Knee, &Curve)| one.0.at().total_cmp(&other.0.at());
    let (Some((worst, poor)), Some((best, good))) =
        (knees.clone().min_by(place), knees.max_by(place))
    else {
        return String::new();
    };
    let so_far = so_far(seen.complete);
    let all = || all(curves.len(), seen.curves.len());
    match (worst, best) {
        (Knee::None { .. }, _) => {
            // As far as every one of them has been followed.
            let lasts = curves.iter().filter_map(|curve| Some(curve.points.last()?.x));
            let last = lasts.fold(f64::INFINITY, f64::min);
            format!("{} follow the load up to {}{so_far}", all(), percent(last))
        }
        (_, Knee::None { last }) => {
            // Whether it is better is not known before it has been followed as far.
            let does = match seen.complete || last > worst.at() {
                true => "carries every load",
                false => "is simulated",
            };
            let place = worst.words(poor.bound);
            let last = percent(last);
            format!("{} saturates {place}, {} {does} up to {last}{so_far}", poor.name, good.name)
        }
        (worst, best) if worst.at() == best.at() => {
            // Between the same points, but theory may know better of some.
            let words = worst.words(poor.bound);
            let alike = curves.iter().all(|curve| worst.words(curve.bound) == words);
            let words = if alike { words } else { worst.words(None) };
            format!("{} saturate {words}", all())
        }
        (worst, best) => format!(
            "{} saturates {}, {} only {}",
            poor.name,
            worst.words(poor.bound),
            good.name,
            best.words(good.bound)
        ),
    }
}

/// What keeps a sentence from telling of points that are missing.
fn so_far(complete: bool) -> &'static str {
    if complete { "" } else { " so far" }
}

/// Several curves as the subject of a sentence, of which some may have no point.
fn all(begun: usize, of: usize) -> String {
    match (begun, of) {
        (2, 2) => "Both curves".to_owned(),
        (begun, of) if begun < of => format!("{begun} of {of} curves"),
        (count, _) => format!("All {count} curves"),
    }
}

/// Where the horizontal axis is not the load: the range of the throughput.
fn extremes(curves: &[&Curve], seen: &Seen) -> String {
    let points =
        curves.iter().flat_map(|curve| curve.points.iter().map(|point| (point.value, *curve)));
    let by_value = |one: &(f64, &Curve), other: &(f64, &Curve)| one.0.total_cmp(&other.0);
    let (Some(low), Some(high)) = (points.clone().min_by(by_value), points.max_by(by_value)) else {
        return String::new();
    };
    let axis = crate::words::lowered(&seen.axis);
    let so_far = so_far(seen.complete);
    let [least, most] = [low, high].map(|(value, _)| percent(value));
    // Of several, only one may have begun.
    let subject = match curves {
        [only] if seen.curves.len() > 1 => format!("{}: throughput", only.name),
        _ => "Throughput".to_owned(),
    };
    let along = |words: &str| match axis.is_empty() {
        true => String::new(),
        false => format!("{words} the {axis}"),
    };
    if least == most {
        let all = if seen.complete { along(", whatever") } else { so_far.to_owned() };
        return format!("{subject} is {least}{all}");
    }
    if low.1.name == high.1.name {
        return format!("{subject} runs from {least} to {most}{}{so_far}", along(" over"));
    }
    format!("{} reaches {most} throughput, {} falls to {least}{so_far}", high.1.name, low.1.name)
}

/// Where nothing is simulated: who has most of it, at the place furthest right that all share.
fn fabrics(curves: &[&Curve], label: &str, axis: &str) -> String {
    let number = |value: f64| Format::Number.text(value);
    let at = |curve: &&Curve, x: f64| curve.points.iter().find(|p| p.x == x).map(|p| p.value);
    let places = curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.x));
    let shared = |x: &f64| curves.iter().all(|curve| at(curve, *x).is_some());
    let axis = crate::words::lowered(axis);
    let Some(x) = places.filter(shared).max_by(f64::total_cmp) else {
        return last_points(curves, label, &axis);
    };
    let values = curves.iter().filter_map(|curve| Some((at(curve, x)?, *curve)));
    let order = |one: &(f64, &Curve), other: &(f64, &Curve)| one.0.total_cmp(&other.0);
    let (Some(low), Some(high)) = (values.clone().min_by(order), values.max_by(order)) else {
        return String::new();
    };
    let place = match axis.as_str() {
        "" => String::new(),
        _ => format!(" at {} {axis}", number(x)),
    };
    match low.1.name == high.1.name {
        true => format!("{}: {} {label}{place}", high.1.name, number(high.0)),
        false => format!(
            "{} has {} {label}{place}, {} has {}",
            high.1.name,
            number(high.0),
            low.1.name,
            number(low.0)
        ),
    }
}

/// The largest and the smallest of the curves' last points, which lie at different places.
fn last_points(curves: &[&Curve], label: &str, axis: &str) -> String {
    let number = |value: f64| Format::Number.text(value);
    let lasts = curves.iter().filter_map(|curve| Some((*curve, *curve.points.last()?)));
    let order =
        |one: &(&Curve, Point), other: &(&Curve, Point)| one.1.value.total_cmp(&other.1.value);
    match (lasts.clone().min_by(order), lasts.max_by(order)) {
        (Some((poor, low)), Some((rich, high))) => format!(
            "{} has {} {label} at {} {axis}, {} has {} at {}",
            rich.name,
            number(high.value),
            number(high.x),
            poor.name,
            number(low.value),
            number(low.x)
        ),
        _ => "Ready to run".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use dragontree::scenario::WhyPortion;

    use super::*;

    /// What is said about why, with ordinary spaces.
    fn lines(seen: &Seen) -> Vec<String> {
        causes(seen).iter().map(|line| line.replace('\u{a0}', " ")).collect()
    }

    /// The sentence with ordinary spaces.
    fn plain(seen: &Seen) -> String {
        sentence(seen).replace('\u{a0}', " ")
    }

    /// A curve at loads 0.1, 0.2, … that follows the load up to `knee`.
    fn curve(name: &str, knee: f64, bound: f64) -> Curve {
        let point = |step: u32| {
            let x = f64::from(step) / 10.0;
            Point { x, value: x.min(knee), saturated: x > knee, ..Point::default() }
        };
        Curve {
            name: name.to_owned(),
            points: (1..=10).map(point).collect(),
            bound: Some(bound),
            busiest: Some("switch 1 of group 0 to switch 2 of group 7".to_owned()),
            ..Curve::default()
        }
    }

    const WHY: &str = ": they follow the load, or are too many to be walked.";

    #[test]
    fn no_bound_of_an_adaptive_routing_is_told() {
        let mut adaptive = Curve { bound: None, busiest: None, ..curve("UGAL", 0.45, 0.5) };
        adaptive.has_no_bound = true;
        let seen = |curve| Seen { curves: vec![curve], by_load: true, ..Seen::default() };
        let found = sentence(&seen(adaptive.clone()));
        assert!(found.starts_with("UGAL saturates ") && !found.contains("theory"), "{found}");
        assert_eq!(causes(&seen(adaptive.clone())), [format!("{NO_BOUND}{WHY}")]);
        let channel = "switch 3 to switch 4".to_owned();
        let nothing = MeasuredChannel {
            channel,
            utilization: 0.97,
            packets: 0,
            detours: None,
            found: None,
            why: None,
        };
        adaptive.measured = Some(nothing.clone());
        assert_eq!(
            lines(&seen(adaptive.clone())),
            [format!(
                "The busiest link, from switch 3 to switch 4, was busy 97 % of the time. {NO_BOUND}{WHY}"
            )]
        );
        let portion = |flows: u64, part: f64| {
            let (from, to) = ("switch 3".to_owned(), "switch 9".to_owned());
            WhyPortion { from, to, flows, utilization: part }
        };
        let formula = "8 flows took 0.12 of its rate each on average: 8 × 0.12 = 0.96".to_owned();
        let largest = vec![portion(4, 0.5), portion(1, 0.25)];
        let why = Why { flows: 8, sources: 7, destinations: 1, formula, largest };
        let (found, why) = (Some("The next 1000 packets went this way".to_owned()), Some(why));
        adaptive.measured = Some(MeasuredChannel { packets: 1000, found, why, ..nothing });
        assert_eq!(
            lines(&seen(adaptive.clone())),
            [format!(
                "The busiest link, from switch 3 to switch 4, was busy 97 % of the time. The next 1000 \
                 packets went this way: 8 flows took 0.12 of its rate each on average: 8 × 0.12 = 0.96; \
                 most of it: 4 flows from switch 3 to switch 9, 0.5 times its rate; 1 flow from switch 3 \
                 to switch 9, 0.25 times its rate. {NO_BOUND}{WHY}"
            )]
        );
        adaptive.points.clear();
        assert_eq!(sentence(&seen(adaptive)), NO_BOUND);
    }

    #[test]
    fn curves_between_the_same_points_have_their_own_bounds() {
        let pair = |bounds: [Option<f64>; 2]| {
            let curves = bounds.map(|bound| Curve { bound, ..curve("Minimal", 0.4, 0.42) });
            sentence(&Seen { curves: curves.to_vec(), by_load: true, ..Seen::default() })
                .replace('\u{a0}', " ")
        };
        assert_eq!(pair([Some(0.42); 2]), "Both curves saturate at 42 % load");
        let coarse = "Both curves saturate between 40 % and 50 % load";
        assert_eq!(pair([Some(0.42), Some(0.48)]), coarse);
        assert_eq!(pair([Some(0.42), None]), coarse);
    }

    #[test]
    fn a_run_that_has_not_settled_is_not_carried_beyond_the_bound() {
        let mut slow = curve("Minimal", 0.7, 0.65);
        let seen =
            |curve: &Curve| Seen { curves: vec![curve.clone()], by_load: true, ..Seen::default() };
        let found = |curve: &Curve| plain(&seen(curve));
        assert!(found(&slow).starts_with("Minimal saturates between 70 % and 80 % load"));
        slow.points[6].open = true;
        assert!(found(&slow).starts_with("Minimal saturates at 65 % load"), "{}", found(&slow));
        // Below the bound it is only slow to settle.
        slow.points[5].open = true;
        assert!(found(&slow).starts_with("Minimal saturates at 65 % load"));
    }

    #[test]
    fn the_cause_tells_what_shares_the_link() {
        let name = |number: u32| format!("switch {number}");
        let portion =
            |from| WhyPortion { from: name(from), to: name(9), flows: 4, utilization: 4.0 };
        let why = Why {
            flows: 32,
            sources: 32,
            destinations: 32,
            formula: "32 flows of full rate share it: 1 / 32 = 0.03125".to_owned(),
            largest: vec![portion(4), portion(5)],
        };
        let poor = Curve { why: Some(why.clone()), ..curve("Minimal", 0.03, 0.03125) };
        let seen = |curves| Seen { curves, by_load: true, ..Seen::default() };
        let fills = "link from switch 1 of group 0 to switch 2 of group 7 fills first, at";
        let formula = "32 flows of full rate share it: 1 / 32 = 0.03125";
        assert_eq!(
            lines(&seen(vec![poor.clone()])),
            [format!(
                "The {fills} 3.1 % load. {formula}. They lead from 32 endpoints to 32 endpoints; the \
                 largest: 4 flows from switch 4 to switch 9, 4 times its rate; 4 flows from switch 5 to \
                 switch 9, 4 times its rate."
            )]
        );
        // A line for each curve that has a bound.
        let better = Curve { why: Some(why), ..curve("Valiant", 0.5, 0.5) };
        let full = curve("Optimal", 1.0, 1.0);
        let most = "4 flows from switch 4 to switch 9, 4 times its rate.";
        assert_eq!(
            lines(&seen(vec![poor.clone(), full, better.clone()])),
            [
                format!("With Minimal, the {fills} 3.1 % load: {formula}; the largest: {most}"),
                format!("With Valiant, the {fills} 50 % load: {formula}; most of it: {most}"),
            ]
        );
        let many = lines(&seen(vec![better; 9]));
        assert_eq!(
            (many.len(), many[6].as_str()),
            (7, "The results as JSON have 3 more of these.")
        );
        let managed = Curve { managed: true, ..poor.clone() };
        let told = lines(&seen(vec![managed])).concat();
        let left_out = " at 3.1 % load, what switches send one another left out. ";
        assert!(told.contains(left_out), "{told}");
        let own = Curve { bound: Some(1.0), managed: true, ..poor.clone() };
        let left_out =
            "2 of group 7 fills first, what switches send one another left out: 32 flows";
        assert!(lines(&seen(vec![own])).concat().contains(left_out));
        let elsewhere = Curve { place: Some("4 KiB".to_owned()), ..poor };
        assert!(lines(&seen(vec![elsewhere]))[0].starts_with("At 4 KiB, the link from switch 1"));
    }

    #[test]
    fn saturation_below_the_bound_is_explained() {
        let below = Some("Inputs block".to_owned());
        let seen = Seen {
            curves: vec![Curve { below, ..curve("FIFO", 0.58, 1.0) }],
            by_load: true,
            ..Seen::default()
        };
        assert_eq!(lines(&seen), ["FIFO saturates below its bound. Inputs block."]);
    }

    fn say(curves: Vec<Curve>) -> String {
        plain(&Seen { curves, by_load: true, complete: true, ..Seen::default() })
    }

    #[test]
    fn one_curve_names_its_knee_and_the_link() {
        assert_eq!(
            say(vec![curve("Minimal", 0.47, 0.47)]),
            "Minimal saturates at 47 % load: the first link to fill leads from switch 1 of group 0 \
             to switch 2 of group 7"
        );
        assert_eq!(
            say(vec![curve("Minimal", 0.03, 0.031)]),
            "Minimal saturates at 3.1 % load: the first link to fill leads from switch 1 of group 0 \
             to switch 2 of group 7"
        );
        assert_eq!(
            say(vec![curve("Minimal", 0.55, 0.9)]),
            "Minimal saturates between 50 % and 60 % load, before the first link fills at 90 %"
        );
        assert_eq!(say(vec![curve("D-mod-K", 1.0, 1.0)]), "D-mod-K carries the full load");
    }

    #[test]
    fn the_endpoints_own_links_are_no_bottleneck() {
        assert_eq!(
            say(vec![curve("Minimal", 0.98, 1.0)]),
            "Minimal follows the load to 90 %; only at full load do the endpoints' own links fill"
        );
    }

    #[test]
    fn the_cause_has_the_numbers() {
        let seen = Seen {
            curves: vec![curve("Minimal", 0.03, 0.03125)],
            by_load: true,
            ..Seen::default()
        };
        let text = lines(&seen).concat();
        assert!(text.starts_with("The link from switch 1 of group 0 to switch 2"), "{text}");
        assert!(text.contains("32 times its rate"), "{text}");
        assert!(text.contains("1 / 32 of that, 3.1 % load"), "{text}");
    }

    #[test]
    fn several_curves_are_compared() {
        let (poor, good) = (curve("Minimal", 0.03, 0.031), curve("Valiant", 0.47, 0.47));
        assert_eq!(
            say(vec![good.clone(), poor.clone()]),
            "Minimal saturates at 3.1 % load, Valiant only at 47 % load"
        );
        assert_eq!(
            say(vec![poor, curve("Optimal", 1.0, 1.0)]),
            "Minimal saturates at 3.1 % load, Optimal carries every load up to 100 %"
        );
        assert_eq!(say(vec![good.clone(), good]), "Both curves saturate at 47 % load");
    }

    #[test]
    fn theory_speaks_before_the_first_point() {
        let mut waiting = curve("Minimal", 0.5, 0.5);
        waiting.points.clear();
        assert_eq!(say(vec![waiting.clone()]), "In theory, the first link fills at 50 % load");
        waiting.bound = None;
        assert_eq!(say(vec![waiting.clone()]), "Computing the bound…");
        let seen = Seen { curves: vec![waiting], by_load: true, refused: true, ..Seen::default() };
        assert_eq!(sentence(&seen), "This experiment cannot run as it stands");
    }

    #[test]
    fn nothing_final_is_said_of_an_unfinished_run() {
        let mut begun = curve("Minimal", 0.9, 0.9);
        begun.points.truncate(3);
        let seen = Seen { curves: vec![begun], by_load: true, ..Seen::default() };
        assert_eq!(plain(&seen), "Minimal carries every load up to 30 % so far");
    }

    #[test]
    fn nothing_is_said_of_points_that_a_cancelled_study_leaves_out() {
        let upto = |name: &str, points: usize| {
            let mut curve = curve(name, 1.0, 1.0);
            curve.points.truncate(points);
            curve
        };
        let seen = |curves| Seen { curves, by_load: true, ..Seen::default() };
        let two = vec![upto("Minimal", 5), upto("Valiant", 4)];
        assert_eq!(plain(&seen(two.clone())), "Both curves follow the load up to 40 % so far");
        let three = [two, vec![upto("UGAL", 0)]].concat();
        let late = vec![curve("Minimal", 0.85, 1.0), upto("Valiant", 4)];
        assert_eq!(
            plain(&seen(late)),
            "Minimal saturates between 80 % and 90 % load, Valiant is simulated up to 40 % so far"
        );
        assert_eq!(plain(&seen(three)), "2 of 3 curves follow the load up to 40 % so far");
        // Another axis than the load.
        let over = |points| Seen {
            curves: vec![upto("Minimal", points)],
            axis: "Packet".to_owned(),
            ..Seen::default()
        };
        assert_eq!(plain(&over(1)), "Throughput is 10 % so far");
        let mut begun = over(1);
        begun.curves.push(upto("Valiant", 0));
        assert_eq!(plain(&begun), "Minimal: throughput is 10 % so far");
        assert_eq!(plain(&over(2)), "Throughput runs from 10 % to 20 % over the packet so far");
        let whole = |points| Seen { complete: true, ..over(points) };
        assert_eq!(plain(&whole(1)), "Throughput is 10 %, whatever the packet");
        let names = |points| Seen { axis: String::new(), ..whole(points) };
        assert_eq!(plain(&names(1)), "Throughput is 10 %");
        assert_eq!(plain(&names(2)), "Throughput runs from 10 % to 20 %");
    }

    #[test]
    fn a_deadlock_comes_before_everything() {
        let mut stuck = curve("Minimal", 0.5, 0.5);
        stuck.points[3].deadlock = true;
        assert_eq!(
            say(vec![stuck]),
            "Minimal deadlocks at 40 % load: packets wait for each other in a circle"
        );
    }

    #[test]
    fn fabrics_are_compared_where_all_of_them_have_a_point() {
        let family = |name: &str, values: &[f64]| Curve {
            name: name.to_owned(),
            points: (1..)
                .zip(values)
                .map(|(step, value)| Point {
                    x: f64::from(step) * 16.0,
                    value: *value,
                    ..Point::default()
                })
                .collect(),
            ..Curve::default()
        };
        let seen = Seen {
            curves: vec![family("oft", &[1.0, 2.0, 63552.0]), family("mlfm", &[1.0, 2.0, 33792.0])],
            fabric: Some("endpoints"),
            axis: "Ports per switch".to_owned(),
            ..Seen::default()
        };
        assert_eq!(
            plain(&seen).replace('\u{202f}', ","),
            "oft has 63,552 endpoints at 48 ports per switch, mlfm has 33,792"
        );
    }

    #[test]
    fn fabrics_along_which_nothing_varies_are_compared_without_a_place() {
        let case = |name: &str, value: f64| Curve {
            name: name.to_owned(),
            points: vec![Point { value, ..Point::default() }],
            ..Curve::default()
        };
        let seen = |curves| Seen { curves, fabric: Some("contention"), ..Seen::default() };
        let one = seen(vec![case("OPT", 1.0)]);
        assert_eq!(plain(&one), "OPT: 1 contention");
        let two = seen(vec![case("OPT", 1.0), case("LIN", 2.0)]);
        assert_eq!(plain(&two), "LIN has 2 contention, OPT has 1");
    }

    #[test]
    fn fabrics_without_a_common_place_are_compared_where_they_end() {
        let family = |name: &str, x: f64, value: f64| Curve {
            name: name.to_owned(),
            points: vec![Point { x, value, ..Point::default() }],
            ..Curve::default()
        };
        let seen = Seen {
            curves: vec![family("OFT", 64.0, 63552.0), family("HyperX", 63.0, 10164.0)],
            fabric: Some("endpoints"),
            axis: "ports per switch".to_owned(),
            ..Seen::default()
        };
        assert_eq!(
            plain(&seen),
            "OFT has 63,552 endpoints at 64 ports per switch, HyperX has 10,164 at 63"
        );
    }

    #[test]
    fn other_axes_give_the_range() {
        let seen = Seen {
            curves: vec![curve("Minimal", 0.5, 0.5)],
            axis: "Packet".to_owned(),
            complete: true,
            ..Seen::default()
        };
        assert_eq!(plain(&seen), "Throughput runs from 10 % to 50 % over the packet");
    }
}
