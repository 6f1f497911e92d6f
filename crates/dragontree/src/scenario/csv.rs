//! Records as comma-separated values.

use super::ShortBuffer;
use super::metric::MetricKind;
use super::record::{Abscissa, ExchangeMetrics, ManagementRecord, Metrics, Record, Why};
use crate::analysis::Numbers;
use crate::interchange::csv::cell;

/// The columns of what is simulated.
const SIMULATED: &str = "offered,accepted,accepted_interval,saturated,latency_mean_ns,\
    latency_interval_ns,latency_p50_ns,latency_p99_ns,latency_max_ns,latency_zero_load_ns,bound,\
    fairness,worst_source,hops_mean,max_utilization,packets,settled,warmup_ns,window_ns,\
    packet_hops,busiest,why,deadlock,deadlock_ns,why_flows,why_sources,why_destinations,\
    measured_busiest,measured_busiest_utilization,measured_busiest_packets,\
    measured_busiest_detours,measured_busiest_found,measured_busiest_why,measured_busiest_why_flows,\
    measured_busiest_why_sources,measured_busiest_why_destinations,below_bound,rounded,short_buffer,\
    short_buffer_bytes,short_buffer_needed,short_buffer_round_trip_ns,offered_mean";

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
    let mut row = Row(header.join(","));
    row.0.push('\n');
    for record in records {
        row.text(&record.series);
        match &record.x {
            Abscissa::Number(number) => row.number(*number),
            Abscissa::Word(word) => row.text(word),
        }
        row.count(record.seed);
        if simulated {
            row.metrics(record.metrics.as_ref());
        }
        numbers.iter().for_each(|kind| row.optional(kind.value(record)));
        if managed {
            row.management(management(record));
        }
        if exchanged {
            row.exchange(record.exchange.as_deref());
        }
        if surveyed {
            row.fabric(record.fabric.as_ref());
        }
        row.count(record.engine_version.into());
        row.text(record.certificate.as_deref().unwrap_or_default());
        row.cell(&record.digest);
        row.0.push_str(&cell(&record.scenario));
        row.0.push('\n');
    }
    row.0
}

fn management(record: &Record) -> Option<&ManagementRecord> {
    record.metrics.as_ref()?.management.as_ref()
}

/// The table as far as it is written, and how cells are added to it: one function for each kind of
/// cells, as these are many and the page brings them along.
struct Row(String);

impl Row {
    #[inline(never)]
    fn cell(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push(',');
    }

    fn blank(&mut self, columns: usize) {
        (0..columns).for_each(|_| self.0.push(','));
    }

    fn blanks(&mut self, columns: &str) {
        self.blank(columns.matches(',').count() + 1);
    }

    #[inline(never)]
    fn text(&mut self, text: &str) {
        self.cell(&cell(text));
    }

    #[inline(never)]
    fn sentences(&mut self, sentences: Option<&Vec<String>>) {
        self.text(&sentences.map(|each| each.join("; ")).unwrap_or_default());
    }

    #[inline(never)]
    fn number(&mut self, value: f64) {
        self.cell(&value.to_string());
    }

    #[inline(never)]
    fn count(&mut self, value: u64) {
        self.cell(&value.to_string());
    }

    #[inline(never)]
    fn optional(&mut self, value: Option<f64>) {
        match value {
            Some(value) => self.number(value),
            None => self.blank(1),
        }
    }

    #[inline(never)]
    fn truth(&mut self, is: bool) {
        self.cell(if is { "true" } else { "false" });
    }

    /// A buffer that is too small: its channel, and three numbers.
    fn buffer(&mut self, short: Option<&ShortBuffer>) {
        let Some(short) = short else { return self.blank(4) };
        self.text(&short.channel);
        self.count(short.bytes);
        self.count(short.needed);
        self.number(short.round_trip_ns);
    }

    /// The cells under [`SIMULATED`].
    fn metrics(&mut self, m: Option<&Metrics>) {
        let Some(m) = m else { return self.blanks(SIMULATED) };
        let latency = &m.latency_ns;
        self.number(m.offered);
        self.number(m.accepted);
        self.optional(m.interval.accepted);
        self.truth(m.saturated);
        let latencies =
            [latency.mean, m.interval.latency_ns, latency.p50, latency.p99, latency.max];
        latencies.into_iter().for_each(|each| self.optional(each));
        self.optional(latency.zero_load);
        self.optional(m.bound);
        self.optional(m.fairness);
        self.number(m.worst_source);
        self.number(m.hops_mean);
        self.number(m.max_utilization);
        self.count(m.packets);
        self.truth(m.settled);
        self.number(m.warmup_ns);
        self.number(m.window_ns);
        self.count(m.packet_hops);
        self.text(m.busiest.as_deref().unwrap_or_default());
        self.text(m.why.as_ref().map_or("", |why| &why.formula));
        self.sentences(m.deadlock.as_ref());
        self.optional(m.deadlock_ns);
        self.shares(m.why.as_ref());
        match &m.measured_busiest {
            Some(measured) => {
                self.text(&measured.channel);
                self.number(measured.utilization);
                self.count(measured.packets);
                self.optional(measured.detours);
                self.text(measured.found.as_deref().unwrap_or_default());
                self.text(measured.why.as_ref().map_or("", |why| &why.formula));
                self.shares(measured.why.as_ref());
            }
            None => self.blank(9),
        }
        self.text(m.below_bound.as_deref().unwrap_or_default());
        self.truth(m.rounded);
        self.buffer(m.short_buffer.as_ref());
        self.optional(m.offered_mean);
    }

    /// How many flows share a channel, of how many sources and destinations.
    fn shares(&mut self, why: Option<&Why>) {
        let Some(Why { flows, sources, destinations, .. }) = why else { return self.blank(3) };
        [*flows, *sources, *destinations].into_iter().for_each(|each| self.count(each));
    }

    /// The cells under [`MANAGED`].
    fn management(&mut self, m: Option<&ManagementRecord>) {
        let Some(m) = m else { return self.blanks(MANAGED) };
        let latency = &m.latency_ns;
        self.number(m.offered);
        self.optional(m.interval);
        self.truth(m.saturated);
        let latencies = [latency.mean, latency.p50, latency.p99, latency.max];
        latencies.into_iter().for_each(|each| self.optional(each));
    }

    /// The cells under [`EXCHANGED`].
    fn exchange(&mut self, e: Option<&ExchangeMetrics>) {
        let Some(e) = e else { return self.blanks(EXCHANGED) };
        self.optional(e.model_ns);
        for words in [&e.model, &e.busiest, &e.why] {
            self.text(words.as_deref().unwrap_or_default());
        }
        [e.messages, e.of_messages, e.bytes].into_iter().for_each(|each| self.count(each));
        self.optional(e.latency_ns.p50);
        self.optional(e.latency_ns.p99);
        [e.packets, e.packet_hops].into_iter().for_each(|each| self.count(each));
        self.number(e.max_utilization);
        self.truth(e.rounded);
        self.buffer(e.short_buffer.as_ref());
        match &e.reordering {
            Some(r) => {
                let counts = [r.leaders.into(), r.queries, r.delays, r.messages, r.comparisons];
                counts.into_iter().for_each(|each| self.count(each));
            }
            None => self.blank(5),
        }
        self.truth(e.stuck);
        self.sentences(e.deadlock.as_ref());
        self.optional(e.deadlock_ns);
    }

    /// The cells under [`SURVEYED`].
    fn fabric(&mut self, n: Option<&Numbers>) {
        let Some(n) = n else { return self.blanks(SURVEYED) };
        self.count(n.slots.into());
        self.optional(n.unconnected_pairs.map(|pairs| pairs as f64));
        self.truth(n.distances_sampled);
        match n.diversity {
            Some(paths) => self.truth(paths.sampled),
            None => self.blank(1),
        }
        match n.bisection {
            Some(cut) => {
                [cut.links, cut.moved, cut.half]
                    .into_iter()
                    .for_each(|each| self.count(each.into()));
            }
            None => self.blank(3),
        }
    }
}
