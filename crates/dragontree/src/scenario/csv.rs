//! Records as comma-separated values.

use super::metric::MetricKind;
use super::record::{Abscissa, Metrics, Record};
use crate::interchange::csv::cell;

/// The columns of what is simulated.
const SIMULATED: &[&str] = &[
    "offered",
    "accepted",
    "accepted_interval",
    "saturated",
    "latency_mean_ns",
    "latency_interval_ns",
    "latency_p50_ns",
    "latency_p99_ns",
    "latency_max_ns",
    "latency_zero_load_ns",
    "bound",
    "fairness",
    "worst_source",
    "hops_mean",
    "max_utilization",
    "packets",
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
    header.extend(SIMULATED.iter().filter(|_| simulated));
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
            Some(metrics) => cells.extend(metric_cells(metrics)),
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

/// The cells under [`SIMULATED`].
fn metric_cells(m: &Metrics) -> [String; 16] {
    let latency = &m.latency_ns;
    [
        m.offered.to_string(),
        m.accepted.to_string(),
        optional(m.interval.accepted),
        m.saturated.to_string(),
        optional(latency.mean),
        optional(m.interval.latency_ns),
        optional(latency.p50),
        optional(latency.p99),
        optional(latency.max),
        latency.zero_load.to_string(),
        optional(m.bound),
        m.fairness.to_string(),
        m.worst_source.to_string(),
        m.hops_mean.to_string(),
        m.max_utilization.to_string(),
        m.packets.to_string(),
    ]
}

fn optional(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
