//! Reports as comma-separated values.

use super::compare::Engine;
use super::report::{AuditReport, RailReport};
use crate::analysis::connectivity::Pairs;
use crate::interchange::csv::cell;

/// A line `section,rail,item,value`.
struct Lines(String);

impl Lines {
    fn add(&mut self, section: &str, rail: usize, item: &str, value: &dyn ToString) {
        let rail = if rail == 0 { String::new() } else { rail.to_string() };
        let cells = [section, &rail, &cell(item), &cell(&value.to_string())];
        self.0.push_str(&cells.join(","));
        self.0.push('\n');
    }

    fn pairs(&mut self, section: &str, rail: usize, pairs: &Pairs) {
        let numbers = [
            ("total", pairs.total),
            ("connected", pairs.connected),
            ("routed", pairs.routed),
            ("non_minimal", pairs.non_minimal),
            ("longest", u64::from(pairs.longest)),
            ("detour", u64::from(pairs.detour)),
        ];
        numbers.iter().for_each(|(item, number)| self.add(section, rail, item, number));
    }
}

impl AuditReport {
    /// The report as comma-separated values: a header, and lines `section,rail,item,value`; the
    /// rail (from 1) is empty where a line is about the whole.
    pub fn csv(&self) -> String {
        let mut lines = Lines("section,rail,item,value\n".to_owned());
        lines.add("fabric", 0, "engine", &self.engine);
        for (item, number) in
            [("endpoints", self.endpoints), ("switches", self.switches), ("links", self.links)]
        {
            lines.add("fabric", 0, item, &number);
        }
        for remark in &self.findings {
            let weight = format!("{:?}", remark.weight).to_lowercase();
            lines.add("finding", 0, &weight, &remark.text);
        }
        if let Some(layers) = self.layers {
            lines.add("routes", 0, "layers", &layers);
        }
        let acyclic = [
            ("endpoints", self.acyclic.endpoints),
            ("switches", self.acyclic.switches),
            ("together", self.acyclic.together),
        ];
        for (item, free) in acyclic {
            if let Some(free) = free {
                lines.add("acyclic", 0, item, &free);
            }
        }
        for step in &self.cycle {
            let port = format!("{} port {}", step.switch, step.port);
            lines.add("cycle", 0, &port, &step.to);
        }
        lines.add("contention", 0, "order", &self.order);
        self.rails.iter().zip(1..).for_each(|(rail, number)| of_rail(&mut lines, rail, number));
        for uplink in self.uplinks.iter().flat_map(|uplinks| &uplinks.listed) {
            let value = format!(
                "{} destinations, {} ports, {} to {} each, busiest port {}",
                uplink.destinations, uplink.ports, uplink.fewest, uplink.most, uplink.busiest
            );
            lines.add("uplinks", 0, &uplink.switch, &value);
        }
        for tree in &self.trees {
            let widths = tree.tree.as_deref().or(tree.reason.as_deref()).unwrap_or_default();
            lines.add("tree", 0, &tree.first, &widths);
            for deviation in &tree.deviations {
                lines.add("deviation", 0, &deviation.kind, &deviation.text);
            }
        }
        self.notices.iter().for_each(|notice| lines.add("file", 0, "notice", notice));
        lines.0
    }
}

fn of_rail(lines: &mut Lines, rail: &RailReport, number: usize) {
    for (item, count) in
        [("endpoints", rail.endpoints), ("switches", rail.switches), ("places", rail.places)]
    {
        lines.add("rail", number, item, &count);
    }
    for piece in &rail.pieces {
        lines.add("piece", number, &piece.first, &piece.endpoints);
    }
    lines.pairs("endpoint_pairs", number, &rail.connectivity.endpoint_pairs);
    if let Some(pairs) = &rail.connectivity.switch_pairs {
        lines.pairs("switch_pairs", number, pairs);
    }
    for gap in &rail.connectivity.gaps {
        lines.add("gap", number, &gap.to, &gap.detail);
    }
    if let Some(reason) = &rail.contention_unknown {
        lines.add("contention", number, "unknown", reason);
    }
    if let Some(contention) = &rail.contention {
        lines.add("contention", number, "stages", &contention.stages);
        lines.add("contention", number, "worst", &contention.worst);
        lines.add("contention", number, "mean", &contention.mean);
        for level in &contention.per_level {
            let direction = level.direction.map_or("", |direction| direction.word());
            let item = format!("{} {direction}", level.level);
            lines.add("worst_of_level", number, item.trim_end(), &level.worst);
        }
        for (flows, stage) in contention.per_stage.iter().zip(1..) {
            lines.add("stage", number, &u32::to_string(&stage), flows);
        }
    }
    for channel in &rail.most_loaded {
        let port = format!("{} port {}", channel.switch, channel.port);
        lines.add("flows", number, &port, &channel.flows);
    }
}

/// The comparison of engines as comma-separated values, a line each.
pub fn comparison_csv(engines: &[Engine]) -> String {
    let mut text = "engine,worst,mean,endpoint_pairs,endpoint_routed,switch_pairs,switch_routed,\
                    layers,acyclic_endpoints,acyclic_switches,acyclic_together,seconds,refused\n"
        .to_owned();
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let count = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    let free = |value: Option<bool>| value.map_or_else(String::new, |value| value.to_string());
    for engine in engines {
        let cells = [
            engine.engine.clone(),
            number(engine.contention.map(|found| found.worst)),
            number(engine.contention.map(|found| found.mean)),
            count(engine.endpoint_pairs.map(|pairs| pairs.total)),
            count(engine.endpoint_pairs.map(|pairs| pairs.routed)),
            count(engine.switch_pairs.map(|pairs| pairs.total)),
            count(engine.switch_pairs.map(|pairs| pairs.routed)),
            count(engine.layers.map(u64::from)),
            free(engine.acyclic.endpoints),
            free(engine.acyclic.switches),
            free(engine.acyclic.together),
            number(engine.seconds),
            cell(engine.refused.as_deref().unwrap_or_default()),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}
