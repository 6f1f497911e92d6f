//! Records as comma-separated values.

use super::metric::MetricKind;
use super::record::{Abscissa, Metrics, Record};
use crate::interchange::csv::cell;

/// The columns of what is simulated.
const SIMULATED: &str = "offered,accepted,accepted_interval,saturated,latency_mean_ns,\
    latency_interval_ns,latency_p50_ns,latency_p99_ns,latency_max_ns,latency_zero_load_ns,bound,\
    fairness,worst_source,hops_mean,max_utilization,packets,settled,warmup_ns,window_ns,\
    packet_hops,busiest,why,deadlock,deadlock_ns";

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
    header.extend(simulated.then_some(SIMULATED));
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
            Some(metrics) => cells.push(cells_of(metrics)),
            None if simulated => cells.push(",".repeat(SIMULATED.matches(',').count())),
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

/// The cells under [`SIMULATED`].
fn cells_of(m: &Metrics) -> String {
    let (latency, truth) = (&m.latency_ns, |is: bool| if is { "true" } else { "false" });
    let numbers = |values: &[Option<f64>]| {
        let texts: Vec<String> = values.iter().map(|value| optional(*value)).collect();
        texts.join(",")
    };
    let throughput = numbers(&[Some(m.offered), Some(m.accepted), m.interval.accepted]);
    let rest = numbers(&[
        latency.mean,
        m.interval.latency_ns,
        latency.p50,
        latency.p99,
        latency.max,
        Some(latency.zero_load),
        m.bound,
        m.fairness,
        Some(m.worst_source),
        Some(m.hops_mean),
        Some(m.max_utilization),
        Some(m.packets as f64),
    ]);
    let times = numbers(&[Some(m.warmup_ns), Some(m.window_ns), Some(m.packet_hops as f64)]);
    let busiest = cell(m.busiest.as_deref().unwrap_or_default());
    let why = cell(m.why.as_ref().map_or("", |why| &why.formula));
    let deadlock = cell(&m.deadlock.as_deref().unwrap_or_default().join("; "));
    let stopped = numbers(&[m.deadlock_ns]);
    let (saturated, settled) = (truth(m.saturated), truth(m.settled));
    [&throughput, saturated, &rest, settled, &times, &busiest, &why, &deadlock, &stopped].join(",")
}
