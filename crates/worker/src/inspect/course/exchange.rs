//! An exchange over time: how busy the links to its endpoints were, and how many messages had arrived.

use dragontree::scenario::{ExchangeMetrics, Record};
use dragontree::units::grouped;
use dragontree_plot::{Format, nice_ceiling};

use super::{Drawing, Seen, highest, latencies, packets, values};
use crate::inspect::escaped;

/// The exchange in a sentence and four drawings, until `end`, in nanoseconds.
pub fn markup(record: &Record, metrics: &ExchangeMetrics, seen: &Seen<'_>, end: f64) -> String {
    let throughput = metrics.effective_throughput;
    let all = metrics.of_messages.max(1) as f64;
    let key = |level: f64| {
        let level = Format::Percent.text(level);
        format!("<span class=\"key dashed\">effective throughput {level}</span>")
    };
    let busy = Drawing {
        title: "Links to endpoints, busy",
        lines: vec![("s0", values(seen, |frame| frame.accepted))],
        level: throughput,
        top: nice_ceiling(highest(seen, |frame| frame.accepted).max(0.01)).min(1.0),
        format: Format::Percent,
        key: throughput.map_or(String::new(), key),
    };
    let arrived = Drawing {
        title: "Messages",
        lines: vec![("s0", values(seen, |frame| frame.messages.unwrap_or(0) as f64 / all))],
        level: None,
        top: 1.0,
        format: Format::Percent,
        key: "<span class=\"key s0\">arrived</span>".to_owned(),
    };
    let mut text =
        format!("<p>{}</p><div class=\"courses\">", sentence(record, metrics, seen, end));
    for drawing in [busy, arrived, packets(seen, "messages at their sources")] {
        text.push_str(&drawing.markup(None, end));
    }
    let latency = &metrics.latency_ns;
    let known = [latency.p50, latency.p99, latency.max];
    text.push_str(&latencies(&seen.course.latencies, "messages", known));
    text + "</div>"
}

/// Which run it is, and how it went.
fn sentence(record: &Record, metrics: &ExchangeMetrics, seen: &Seen<'_>, end: f64) -> String {
    let time = |nanoseconds: f64| Format::Nanoseconds.text(nanoseconds);
    let series = match record.series.as_str() {
        "" => String::new(),
        series => format!("<b>{}</b>: ", escaped(series)),
    };
    let all = grouped(metrics.of_messages);
    if !seen.is_over {
        let arrived = grouped(metrics.messages);
        return format!("{series}{arrived} of {all} messages have arrived in {}.", time(end));
    }
    let ended = match metrics.completion_ns {
        Some(completion) if series.is_empty() => {
            format!("All {all} messages have arrived after {}", time(completion))
        }
        Some(completion) => format!("all {all} messages have arrived after {}", time(completion)),
        None => format!("{} of {all} messages have arrived", grouped(metrics.messages)),
    };
    let rest = match (metrics.deadlock_ns, metrics.stuck) {
        (Some(since), _) => {
            format!("; after {} packets wait for each other for good", time(since))
        }
        (None, true) => "; what the others wait for does not happen".to_owned(),
        (None, false) => String::new(),
    };
    format!("{series}{ended}{rest}.")
}
