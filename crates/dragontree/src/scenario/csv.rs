//! Records as comma-separated values.

use super::record::{Abscissa, Record};

/// Writes records as comma-separated values with a header line.
pub fn csv(records: &[Record]) -> String {
    let mut text = String::from("series,x,seed,offered,accepted,accepted_interval,saturated,");
    text.push_str("latency_mean_ns,latency_interval_ns,latency_p50_ns,latency_p99_ns,");
    text.push_str("latency_max_ns,latency_zero_load_ns,bound,fairness,worst_source,hops_mean,");
    text.push_str("max_utilization,packets,digest,scenario\n");
    for record in records {
        let Some(m) = &record.metrics else { continue };
        let place = match &record.x {
            Abscissa::Number(number) => number.to_string(),
            Abscissa::Word(word) => quoted(word),
        };
        let optional = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
        let latency = &m.latency_ns;
        let cells = [
            quoted(&record.series),
            place,
            record.seed.to_string(),
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
            m.bound.to_string(),
            m.fairness.to_string(),
            m.worst_source.to_string(),
            m.hops_mean.to_string(),
            m.max_utilization.to_string(),
            m.packets.to_string(),
            record.digest.clone(),
            quoted(&record.scenario),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
