//! Records as comma-separated values.

use super::ShortBuffer;
use super::metric::MetricKind;
use super::record::{Abscissa, ExchangeMetrics, ManagementRecord, Metrics, Record};
use crate::analysis::Numbers;
use crate::interchange::csv::cell;

/// The columns of what is simulated.
const SIMULATED: &str = "offered,accepted,accepted_interval,saturated,latency_mean_ns,\
    latency_interval_ns,latency_p50_ns,latency_p99_ns,latency_max_ns,latency_zero_load_ns,bound,\
    fairness,worst_source,hops_mean,max_utilization,packets,settled,warmup_ns,window_ns,\
    packet_hops,busiest,why,deadlock,deadlock_ns,why_flows,why_sources,why_destinations,\
    measured_busiest,measured_busiest_utilization,below_bound,rounded,short_buffer,\
    short_buffer_bytes,short_buffer_needed,short_buffer_round_trip_ns";

/// The columns of what switches send one another, after that of [`MetricKind::Management`].
const MANAGED: &str = "management_offered,management_interval,management_saturated,\
    management_latency_mean_ns,management_latency_p50_ns,management_latency_p99_ns,\
    management_latency_max_ns";

/// The columns of a fabric that are no [`MetricKind`].
const SURVEYED: &str = "slots,unconnected_pairs,distances_sampled,diversity_sampled,\
    bisection_links,bisection_moved,bisection_half";

/// The columns of an exchange that are no [`MetricKind`].
const EXCHANGED: &str = "model_ns,model,busiest,why,messages,of_messages,bytes,\
    message_latency_p50,message_latency_p99,packets,packet_hops,max_utilization,rounded,\
    short_buffer,short_buffer_bytes,short_buffer_needed,short_buffer_round_trip_ns,\
    reordering_leaders,reordering_queries,reordering_delays,reordering_messages,\
    reordering_comparisons,stuck,deadlock,deadlock_ns";

/// Writes records as comma-separated values with a header line: all that their JSON form has, apart
/// from lists of several numbers and from `seconds`, so that the same runs give the same lines. There
/// are columns for what is simulated, for exchanges, for what switches send, and for the numbers of
/// fabric and routes where any record has them; a study has either traffic or exchanges.
pub fn csv(records: &[Record]) -> String {
    let simulated = records.iter().any(|record| record.metrics.is_some());
    let surveyed = records.iter().any(|record| record.fabric.is_some());
    let exchanged = records.iter().any(|record| record.exchange.is_some());
    let managed = records.iter().any(|record| management(record).is_some());
    let routed = records.iter().any(|record| record.routes.is_some());
    let wanted = |kind: &&MetricKind| match kind {
        MetricKind::Management => managed,
        kind if kind.is_of_fabric() => surveyed,
        kind if kind.is_of_exchange() => exchanged,
        kind => routed && kind.is_of_routes(),
    };
    let numbers: Vec<&MetricKind> = MetricKind::ALL.iter().filter(wanted).collect();
    let mut header = vec!["series", "x", "seed"];
    header.extend(simulated.then_some(SIMULATED));
    header.extend(numbers.iter().map(|kind| kind.name()));
    header.extend(managed.then_some(MANAGED));
    header.extend(exchanged.then_some(EXCHANGED));
    header.extend(surveyed.then_some(SURVEYED));
    header.extend(["engine_version", "certificate", "digest", "scenario"]);
    let mut text = format!("{}\n", header.join(","));
    for record in records {
        let place = match &record.x {
            Abscissa::Number(number) => number.to_string(),
            Abscissa::Word(word) => cell(word),
        };
        let mut cells = vec![cell(&record.series), place, record.seed.to_string()];
        let mut add = |asked: bool, columns: &str, found: Option<String>| {
            let empty = || ",".repeat(columns.matches(',').count());
            cells.extend(asked.then(|| found.unwrap_or_else(empty)));
        };
        add(simulated, SIMULATED, record.metrics.as_ref().map(of_metrics));
        for kind in &numbers {
            add(true, "", Some(optional(kind.value(record))));
        }
        add(managed, MANAGED, management(record).map(of_management));
        add(exchanged, EXCHANGED, record.exchange.as_deref().map(of_exchange));
        add(surveyed, SURVEYED, record.fabric.as_ref().map(of_fabric));
        let certificate = cell(record.certificate.as_deref().unwrap_or_default());
        let engine = record.engine_version.to_string();
        cells.extend([engine, certificate, record.digest.clone(), cell(&record.scenario)]);
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn optional(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn numbers(values: &[Option<f64>]) -> String {
    let texts: Vec<String> = values.iter().map(|value| optional(*value)).collect();
    texts.join(",")
}

fn truth(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

fn text(of: Option<&str>) -> String {
    cell(of.unwrap_or_default())
}

fn sentences(of: Option<&Vec<String>>) -> String {
    text(of.map(|sentences| sentences.join("; ")).as_deref())
}

fn management(record: &Record) -> Option<&ManagementRecord> {
    record.metrics.as_ref()?.management.as_ref()
}

/// The cells of a buffer that is too small: its channel, and three numbers.
fn of_buffer(short: Option<&ShortBuffer>) -> String {
    let of = |value: fn(&ShortBuffer) -> f64| short.map(value);
    let sizes = [of(|short| short.bytes as f64), of(|short| short.needed as f64)];
    let channel = text(short.map(|short| short.channel.as_str()));
    [channel, numbers(&sizes), numbers(&[of(|short| short.round_trip_ns)])].join(",")
}

/// The cells under [`SIMULATED`].
fn of_metrics(m: &Metrics) -> String {
    let (latency, why, measured) = (&m.latency_ns, &m.why, &m.measured_busiest);
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
    let ends = why.as_ref().map(|why| [why.flows, why.sources, why.destinations]);
    let ends: [Option<f64>; 3] = std::array::from_fn(|end| ends.map(|ends| ends[end] as f64));
    let cells: [&str; 15] = [
        &throughput,
        truth(m.saturated),
        &rest,
        truth(m.settled),
        &times,
        &text(m.busiest.as_deref()),
        &text(why.as_ref().map(|why| why.formula.as_str())),
        &sentences(m.deadlock.as_ref()),
        &optional(m.deadlock_ns),
        &numbers(&ends),
        &text(measured.as_ref().map(|measured| measured.channel.as_str())),
        &optional(measured.as_ref().map(|measured| measured.utilization)),
        &text(m.below_bound.as_deref()),
        truth(m.rounded),
        &of_buffer(m.short_buffer.as_ref()),
    ];
    cells.join(",")
}

/// The cells under [`MANAGED`].
fn of_management(m: &ManagementRecord) -> String {
    let throughput = numbers(&[Some(m.offered), m.interval]);
    let latency = &m.latency_ns;
    let latencies = numbers(&[latency.mean, latency.p50, latency.p99, latency.max]);
    [&throughput, truth(m.saturated), &latencies].join(",")
}

/// The cells under [`EXCHANGED`].
fn of_exchange(e: &ExchangeMetrics) -> String {
    let reordering = e
        .reordering
        .map(|r| [u64::from(r.leaders), r.queries, r.delays, r.messages, r.comparisons]);
    let counts: [Option<f64>; 5] =
        std::array::from_fn(|each| reordering.map(|counts| counts[each] as f64));
    let rest = numbers(&[
        Some(e.messages as f64),
        Some(e.of_messages as f64),
        Some(e.bytes as f64),
        e.latency_ns.p50,
        e.latency_ns.p99,
        Some(e.packets as f64),
        Some(e.packet_hops as f64),
        Some(e.max_utilization),
    ]);
    let cells: [&str; 11] = [
        &optional(e.model_ns),
        &text(e.model.as_deref()),
        &text(e.busiest.as_deref()),
        &text(e.why.as_deref()),
        &rest,
        truth(e.rounded),
        &of_buffer(e.short_buffer.as_ref()),
        &numbers(&counts),
        truth(e.stuck),
        &sentences(e.deadlock.as_ref()),
        &optional(e.deadlock_ns),
    ];
    cells.join(",")
}

/// The cells under [`SURVEYED`].
fn of_fabric(n: &Numbers) -> String {
    let cut = n.bisection.map(|cut| [cut.links, cut.moved, cut.half]);
    let cut: [Option<f64>; 3] = std::array::from_fn(|each| cut.map(|cut| f64::from(cut[each])));
    let counts =
        numbers(&[Some(f64::from(n.slots)), n.unconnected_pairs.map(|pairs| pairs as f64)]);
    let is_sampled = n.diversity.map_or("", |paths| truth(paths.sampled));
    [&counts, truth(n.distances_sampled), is_sampled, &numbers(&cut)].join(",")
}
