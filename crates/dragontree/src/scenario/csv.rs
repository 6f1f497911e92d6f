//! Records as comma-separated values.

use super::metric::MetricKind;
use super::record::{Abscissa, Metrics, Record};
use crate::interchange::csv::cell;

/// A column of what is simulated: its name, and what is in a cell.
type Column = (&'static str, fn(&Metrics) -> String);

const SIMULATED: &[Column] = &[
    ("offered", |m| m.offered.to_string()),
    ("accepted", |m| m.accepted.to_string()),
    ("accepted_interval", |m| optional(m.interval.accepted)),
    ("saturated", |m| m.saturated.to_string()),
    ("latency_mean_ns", |m| optional(m.latency_ns.mean)),
    ("latency_interval_ns", |m| optional(m.interval.latency_ns)),
    ("latency_p50_ns", |m| optional(m.latency_ns.p50)),
    ("latency_p99_ns", |m| optional(m.latency_ns.p99)),
    ("latency_max_ns", |m| optional(m.latency_ns.max)),
    ("latency_zero_load_ns", |m| m.latency_ns.zero_load.to_string()),
    ("bound", |m| optional(m.bound)),
    ("fairness", |m| optional(m.fairness)),
    ("worst_source", |m| m.worst_source.to_string()),
    ("hops_mean", |m| m.hops_mean.to_string()),
    ("max_utilization", |m| m.max_utilization.to_string()),
    ("packets", |m| m.packets.to_string()),
    ("settled", |m| m.settled.to_string()),
    ("warmup_ns", |m| m.warmup_ns.to_string()),
    ("window_ns", |m| m.window_ns.to_string()),
    ("packet_hops", |m| m.packet_hops.to_string()),
    ("busiest", |m| cell(m.busiest.as_deref().unwrap_or_default())),
    ("why", |m| m.why.as_ref().map(|why| cell(&why.formula)).unwrap_or_default()),
    ("deadlock", |m| m.deadlock.as_ref().map(|cycle| cell(&cycle.join("; "))).unwrap_or_default()),
    ("deadlock_ns", |m| optional(m.deadlock_ns)),
];

/// Writes records as comma-separated values with a header line. There are columns for what is
/// simulated and for the numbers of fabric and routes where any record has them; a study has either
/// traffic or exchanges.
pub fn csv(records: &[Record]) -> String {
    let simulated = records.iter().any(|record| record.metrics.is_some());
    let surveyed = records.iter().any(|record| record.fabric.is_some());
    let exchanged = records.iter().any(|record| record.exchange.is_some());
    let wanted =
        |kind: &MetricKind| surveyed && kind.is_of_fabric() || exchanged && kind.is_of_exchange();
    let of_fabric: Vec<MetricKind> = MetricKind::ALL.iter().copied().filter(wanted).collect();
    let managed = records.iter().any(|record| MetricKind::Management.value(record).is_some());
    let of_switches = managed.then_some(&MetricKind::Management);
    let routed = records.iter().any(|record| record.routes.is_some());
    let of_routes: Vec<MetricKind> =
        MetricKind::ALL.iter().copied().filter(|kind| routed && kind.is_of_routes()).collect();
    let mut header = vec!["series", "x", "seed"];
    header.extend(SIMULATED.iter().filter(|_| simulated).map(|(name, _)| *name));
    let numbers = || of_switches.into_iter().chain(&of_fabric).chain(&of_routes);
    header.extend(numbers().map(|kind| kind.name()));
    header.extend(["digest", "scenario"]);
    let mut text = format!("{}\n", header.join(","));
    for record in records {
        let place = match &record.x {
            Abscissa::Number(number) => number.to_string(),
            Abscissa::Word(word) => cell(word),
        };
        let mut cells = vec![cell(&record.series), place, record.seed.to_string()];
        match &record.metrics {
            Some(metrics) => cells.extend(SIMULATED.iter().map(|(_, text)| text(metrics))),
            None if simulated => cells.extend(SIMULATED.iter().map(|_| String::new())),
            None => {}
        }
        cells.extend(numbers().map(|kind| optional(kind.value(record))));
        cells.extend([record.digest.clone(), cell(&record.scenario)]);
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn optional(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
