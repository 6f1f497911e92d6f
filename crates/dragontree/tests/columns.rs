//! The CSV form of records has what their JSON form has.

use std::collections::{BTreeMap, BTreeSet};

use dragontree::scenario::{Record, Step, Study, csv};
use serde_json::Value;

fn records(text: &str) -> Vec<Record> {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let run = |job: &dragontree::scenario::Job| {
        let mut running = job.start(None).expect(text);
        while running.advance(1_000_000) != Ok(Step::Done) {}
        running.record(0.25).expect("results")
    };
    plan.jobs.iter().map(run).collect()
}

/// The cells of a line by their columns.
fn line<'a>(header: &'a str, line: &str) -> BTreeMap<&'a str, String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for sign in line.chars() {
        match sign {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            _ => cells.last_mut().expect("a cell").push(sign),
        }
    }
    let names: Vec<&str> = header.split(',').collect();
    assert_eq!(names.len(), cells.len(), "{header}\n{line}");
    let columns: BTreeMap<&str, String> = names.iter().copied().zip(cells).collect();
    assert_eq!(columns.len(), names.len(), "a column comes twice: {header}");
    columns
}

/// The name of the column of a key, by the keys that it lies within.
fn column(path: &[&str]) -> Option<String> {
    let name = match path {
        // It differs from time to time.
        ["seconds"] => return None,
        ["metrics", "why", "formula"] => "why".into(),
        ["metrics", "interval", "latency_ns"] => "latency_interval_ns".into(),
        ["metrics", "interval", of] => format!("{of}_interval"),
        ["metrics", "measured_busiest", "channel"] => "measured_busiest".into(),
        ["metrics", "measured_busiest", "why", "formula"] => "measured_busiest_why".into(),
        ["metrics", "management", "accepted"] => "management".into(),
        ["metrics" | "exchange", "short_buffer", "channel"] => "short_buffer".into(),
        ["metrics", "latency_ns", of] => format!("latency_{of}_ns"),
        ["metrics", "management", "latency_ns", of] => format!("management_latency_{of}_ns"),
        ["exchange", "completion_ns"] => "completion".into(),
        ["exchange", "ideal_ns"] => "ideal".into(),
        ["exchange", "bound_ns"] => "channel_time".into(),
        ["exchange", "latency_ns", "mean"] => "message_latency".into(),
        ["exchange", "latency_ns", of] => format!("message_latency_{of}"),
        ["exchange", "latency_min_ns"] => "message_latency_min".into(),
        ["exchange", "rank_bandwidth", "mean"] => "rank_bandwidth".into(),
        ["fabric", "diversity", "mean"] => "diversity".into(),
        ["fabric", "bisection_per_endpoint"] => "bisection".into(),
        ["metrics" | "exchange" | "fabric" | "routes", rest @ ..] | rest => rest.join("_"),
    };
    Some(name)
}

/// Looks for the column of everything in a value that is no list of objects; notes those that have
/// something in them.
fn look<'a>(
    path: &mut Vec<&'a str>,
    value: &'a Value,
    columns: &BTreeMap<&str, String>,
    filled: &mut BTreeSet<String>,
) {
    let cell = match value {
        Value::Object(keys) => {
            for (key, value) in keys {
                path.push(key);
                look(path, value, columns, filled);
                path.pop();
            }
            return;
        }
        Value::Array(values) => {
            let sentences: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            if sentences.len() < values.len().max(1) {
                return;
            }
            sentences.join("; ")
        }
        Value::Null => String::new(),
        Value::Bool(is) => is.to_string(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().expect("a number").to_string(),
    };
    let Some(name) = column(path) else { return };
    // What is null may be an object elsewhere.
    match columns.get(name.as_str()) {
        Some(text) => assert_eq!(*text, cell.replace('"', ""), "{name}"),
        None => assert!(value.is_null(), "there is no column {name} for {path:?}"),
    }
    if !value.is_null() {
        filled.insert(name);
    }
}

#[test]
fn every_key_has_its_column() {
    let small = "topology=dragonfly,p=1,a=2,h=1 warmup=1us window=10us";
    let tree = "topology=xgft,m=4.4,w=1.4 routing=d_mod_k";
    let mut filled = BTreeSet::new();
    for text in [
        &format!("{small} load=0.2/0.4 placement=contiguous placement=random"),
        &format!("{small} load=1 traffic=bit_complement buffer=1kB"),
        "topology=xgft,m=4.4,w=1.2 packet=2KiB routing=sftree load=0.2 management=0.1 window=50us",
        "topology=dragonfly,p=2,a=4,h=2 routing=ugal traffic=worst_case load=1 window=50us",
        "topology=torus,widths=6,p=1 routing=dimension_order virtual_channels=1 \
         traffic=shift,by=3 load=1 window=100us switch=fifo_inputs",
        &format!("{tree} exchange=all_to_all,order=lin bytes=1KiB/2KiB"),
        &format!("{tree} exchange=ring,order=random bytes=1KiB seeds=2 buffer=2KiB,per=vc"),
        &format!("{tree} exchange=broadcast,tree=k_nomial,order=breadth_first bytes=1KiB"),
        "topology=dragonfly,p=2,a=4,h=2 exchange=nearest_neighbor,elements=8.8.8,tasks=4.4.4",
        "topology=xgft,m=4.4,w=1.2 routing=pattern_specific exchange=all_to_all bytes=64B",
        "topology=torus,widths=6,p=1 routing=dimension_order virtual_channels=1 bytes=100kB \
         exchange=all_to_all,order=lin,shift=3 buffer=1KiB,per=vc output_buffer=1KiB",
        "topology=dragonfly,p=1/2,a=4,h=2 y=diameter y=bisection x=endpoints",
        &format!("{tree} routing=min_hop y=contention y=accepted load=0.3 window=10us warmup=1us"),
    ] {
        let records = records(text);
        let table = csv(&records);
        let (header, lines) = table.split_once('\n').expect("a header");
        assert_eq!(lines.lines().count(), records.len(), "{table}");
        for (record, cells) in records.iter().zip(lines.lines()) {
            let columns = line(header, cells);
            let json = record.json().expect("JSON");
            let value: Value = serde_json::from_str(&json).expect("JSON");
            look(&mut Vec::new(), &value, &columns, &mut filled);
        }
    }
    for name in [
        "accepted_interval",
        "below_bound",
        "bisection_half",
        "certificate",
        "contention",
        "deadlock",
        "deadlock_ns",
        "diversity_sampled",
        "management_offered",
        "measured_busiest_detours",
        "measured_busiest_why_flows",
        "message_latency_p99",
        "model",
        "rank_bandwidth_min",
        "reordering_leaders",
        "short_buffer_needed",
        "why_flows",
    ] {
        assert!(filled.contains(name), "no run has {name}");
    }
}
