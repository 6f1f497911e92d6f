//! A run over time as markup: throughput, packets, latencies.

use dragontree::scenario::{Metrics, Record};
use dragontree::simulation::{Course, Frame, LatencyBar};
use dragontree::units::grouped;
use dragontree_plot::{Format, nice_ceiling};

use super::escaped;

mod exchange;

/// The height of a drawing in its own units.
const HEIGHT: f64 = 100.0;
/// The width of a drawing over time.
const WIDTH: f64 = 1000.0;
/// The most bars of a histogram.
const BARS: usize = 40;
/// The logarithm of the widest ratio that latencies are counted in: narrower bars would have gaps.
const FINEST: f64 = 0.031;

/// What is known of a run.
pub struct Seen<'a> {
    /// The run, batch by batch.
    pub course: &'a Course,
    /// The run, frame by frame.
    pub frames: &'a [Frame],
    /// Whether it has ended.
    pub is_over: bool,
}

/// A run in a sentence and some drawings; nothing before there is anything to be seen.
pub fn markup(record: &Record, seen: &Seen<'_>) -> String {
    let Some(last) = seen.frames.last() else { return String::new() };
    let end = last.end.as_ns();
    match (&record.metrics, &record.exchange) {
        (Some(metrics), _) => of_traffic(record, metrics, seen, end),
        (None, Some(metrics)) => exchange::markup(record, metrics, seen, end),
        (None, None) => String::new(),
    }
}

fn of_traffic(record: &Record, metrics: &Metrics, seen: &Seen<'_>, end: f64) -> String {
    let offered = metrics.offered;
    let throughput = Drawing {
        title: "Accepted throughput",
        lines: vec![("s0", values(seen, |frame| frame.accepted))],
        level: Some(offered),
        top: nice_ceiling(highest(seen, |frame| frame.accepted).max(offered)),
        format: Format::Percent,
        key: format!("<span class=\"key dashed\">offered {}</span>", Format::Percent.text(offered)),
    };
    let packets = packets(seen, "at the sources (estimated)");
    let window = seen.course.window_ns.map(|ends| ends.map(|at| (at / end).min(1.0)));
    let mut text = format!("<p>{}</p><div class=\"courses\">", sentence(record, metrics, seen));
    for drawing in [throughput, packets] {
        text.push_str(&drawing.markup(window, end));
    }
    let latency = &metrics.latency_ns;
    let known = [latency.p50, latency.p99, latency.max];
    text.push_str(&latencies(&seen.course.latencies, "packets", known));
    text + "</div>"
}

/// How many packets are in the network, and how many wait at their sources, which is said in words.
fn packets(seen: &Seen<'_>, at_sources: &str) -> Drawing {
    let inside = values(seen, |frame| frame.in_network as f64);
    let queued = values(seen, |frame| frame.at_sources as f64);
    let most = highest(seen, |frame| frame.in_network.max(frame.at_sources) as f64);
    Drawing {
        title: "Packets",
        lines: vec![("s0", inside), ("s1", queued)],
        level: None,
        top: nice_ceiling(most.max(1.0)),
        format: Format::Number,
        key: format!(
            "<span class=\"key s0\">in the network</span> <span class=\"key s1\">{at_sources}</span>"
        ),
    }
}

fn values(seen: &Seen<'_>, of: impl Fn(&Frame) -> f64) -> Vec<f64> {
    seen.frames.iter().map(of).collect()
}

fn highest(seen: &Seen<'_>, of: impl Fn(&Frame) -> f64) -> f64 {
    seen.frames.iter().map(of).fold(0.0, f64::max)
}

/// Which run it is, and how it went.
fn sentence(record: &Record, metrics: &Metrics, seen: &Seen<'_>) -> String {
    let percent = |share: f64| Format::Percent.text(share);
    let time = |nanoseconds: f64| Format::Nanoseconds.text(nanoseconds);
    let mut text = match record.series.as_str() {
        "" => "A".to_owned(),
        series => format!("<b>{}</b>, a", escaped(series)),
    };
    text.push_str(&format!("t {} offered load", percent(metrics.offered)));
    let end = seen.frames.last().map_or(0.0, |frame| frame.end.as_ns());
    if !seen.is_over {
        return text + &format!(": {} simulated so far.", time(end));
    }
    text.push_str(&format!(" {} is accepted", percent(metrics.accepted)));
    if let Some([from, to]) = seen.course.window_ns {
        text.push_str(&format!(", measured from {} to {} (shaded)", time(from), time(to)));
    }
    match metrics.deadlock_ns {
        Some(since) => {
            text.push_str(&format!("; after {} packets wait for each other for good", time(since)))
        }
        None if metrics.saturated => text.push_str("; the sources fall behind for good"),
        None => {}
    }
    text + "."
}

/// Values over time.
struct Drawing {
    title: &'static str,
    /// Each with its class.
    lines: Vec<(&'static str, Vec<f64>)>,
    /// A value to compare with.
    level: Option<f64>,
    /// The highest value that is shown.
    top: f64,
    format: Format,
    /// What the lines are, as markup.
    key: String,
}

impl Drawing {
    /// With the measuring window, as shares of the time until `end`, in nanoseconds.
    fn markup(&self, window: Option<[f64; 2]>, end: f64) -> String {
        let Drawing { title, lines, level, top, format, key } = self;
        let height = |value: f64| HEIGHT - value / top * HEIGHT;
        let mut body = String::new();
        if let Some([from, to]) = window {
            let (x, width) = (from * WIDTH, (to - from) * WIDTH);
            body.push_str(&format!(
                "<rect class=\"measured\" x=\"{x:.1}\" width=\"{width:.1}\" height=\"100\"/>"
            ));
        }
        if let Some(level) = level {
            body.push_str(&format!("<path class=\"level\" d=\"M0 {:.1}h1000\"/>", height(*level)));
        }
        for (class, values) in lines {
            body.push_str(&format!("<path class=\"line {class}\" d=\"M0 100"));
            for (place, value) in (1_u32..).zip(values) {
                let x = f64::from(place) / values.len() as f64 * WIDTH;
                body.push_str(&format!("L{x:.0} {:.1}", height(*value)));
            }
            body.push_str("\"/>");
        }
        let last = lines.iter().filter_map(|(_, values)| values.last());
        let last: Vec<String> = last.map(|value| format.text(*value)).collect();
        figure(&Sketch {
            title,
            key,
            label: &format!("{title} over time, at the end {}", last.join(" and ")),
            width: WIDTH,
            body: &body,
            high: &format.text(*top),
            ends: [&Format::Nanoseconds.text(0.0), &Format::Nanoseconds.text(end)],
            is_over_time: true,
        })
    }
}

/// How the latencies of `what` are spread, in columns of equal ratios, with their median, what 99 % are
/// below, and the longest.
fn latencies(bars: &[LatencyBar], what: &str, known: [Option<f64>; 3]) -> String {
    let (Some(first), Some(last)) = (bars.first(), bars.last()) else { return String::new() };
    let (low, high) = (first.from_ns.max(1.0), last.to_ns.max(2.0));
    let columns = ((libm::log(high / low) / FINEST) as usize).clamp(1, BARS);
    let width = libm::log(high / low) / columns as f64;
    let mut counts = vec![0_u64; columns];
    for bar in bars {
        let middle = (bar.from_ns.max(1.0) * bar.to_ns).sqrt();
        let column = (libm::log(middle / low) / width) as usize;
        counts[column.min(columns - 1)] += bar.packets;
    }
    let total: u64 = counts.iter().sum();
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let mut path = String::from("M0 100");
    for (place, count) in (1_u32..).zip(&counts) {
        path.push_str(&format!("V{:.1}H{place}", HEIGHT - *count as f64 / most as f64 * HEIGHT));
    }
    let time = |nanoseconds: f64| Format::Nanoseconds.text(nanoseconds);
    let words = ["median", "99 % below", "longest"].into_iter().zip(known);
    let key: Vec<String> =
        words.filter_map(|(words, value)| Some(format!("{words} {}", time(value?)))).collect();
    figure(&Sketch {
        title: "Latencies",
        key: &key.join(", "),
        label: &format!(
            "Latencies of {} {what}, from {} to {}",
            grouped(total),
            time(first.from_ns),
            time(last.to_ns)
        ),
        width: columns as f64,
        body: &format!("<path class=\"most\" d=\"{path}V100Z\"/>"),
        high: &Format::Percent.text(most as f64 / total.max(1) as f64),
        ends: [&time(first.from_ns), &time(last.to_ns)],
        is_over_time: false,
    })
}

/// A small drawing with its words.
struct Sketch<'a> {
    title: &'a str,
    key: &'a str,
    /// What it says, for those who cannot see it.
    label: &'a str,
    width: f64,
    body: &'a str,
    high: &'a str,
    ends: [&'a str; 2],
    /// Whether a time can be marked in it.
    is_over_time: bool,
}

fn figure(drawing: &Sketch<'_>) -> String {
    let Sketch { title, key, label, width, body, high, ends: [first, last], is_over_time } =
        drawing;
    let now = if *is_over_time { "<i class=\"now\"></i>" } else { "" };
    format!(
        "<figure class=\"stages\"><figcaption><b>{title}</b> {key}</figcaption>\
         <span class=\"high\">{high}</span>\
         <svg role=\"img\" aria-label=\"{label}\" viewBox=\"0 0 {width} 100\" \
         preserveAspectRatio=\"none\">{body}</svg>{now}\
         <span class=\"low\">0</span><span class=\"first\">{first}</span>\
         <span class=\"last\">{last}</span></figure>"
    )
}

#[cfg(test)]
mod tests {
    use dragontree::scenario::{Step, Study};
    use dragontree::simulation::Film;

    use super::*;

    /// A run that is filmed to its end, and what is said about it.
    fn run(text: &str) -> String {
        let plan = Study::parse(text).unwrap().plan().unwrap();
        let mut running = plan.jobs[0].start(None).unwrap();
        let mut film = Film::default();
        while running.advance_filmed(&mut film, 10_000).unwrap() != Step::Done {}
        let (record, course) = (running.record(0.0).unwrap(), running.course(&film).unwrap());
        let seen = Seen { course: &course, frames: film.frames(), is_over: true };
        markup(&record, &seen)
    }

    #[test]
    fn a_run_is_told_with_its_window_its_packets_and_its_latencies() {
        let text = run("topology=dragonfly,p=2,a=4,h=2 load=0.3 routing=minimal");
        assert!(text.starts_with("<p>At 30 % offered load 30"), "{text}");
        for part in [
            "class=\"measured\"",
            "offered 30 %",
            "at the sources (estimated)",
            "median ",
            "(shaded)",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        assert_eq!(text.matches("class=\"now\"").count(), 2);
    }

    #[test]
    fn an_exchange_is_told_with_its_messages_and_how_busy_the_links_to_its_endpoints_were() {
        let text = run("topology=xgft,m=4.4,w=1.4 routing=d_mod_k exchange=all_to_all,order=xor");
        assert!(text.starts_with("<p>All 240 messages have arrived after "), "{text}");
        for part in ["Messages", "Links to endpoints", "effective throughput", "Latencies of 240"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        assert_eq!(text.matches("class=\"now\"").count(), 3);
    }

    #[test]
    fn a_run_whose_sources_fall_behind_says_so() {
        let text = run("topology=dragonfly,p=2,a=4,h=2 load=0.5 traffic=bit_complement");
        assert!(text.contains("fall behind for good"), "{text}");
    }
}
