//! An audit in sentences.

use super::Question;
use super::examination::Scope;
use super::report::{AuditReport, RailReport, Remark, Subject, TreeReport, Weight};
use crate::units::grouped;

/// Adds what there is to say, the most important first.
pub(super) fn add(
    report: &mut AuditReport,
    question: &Question,
    cycle: Option<Scope>,
    left_out: Option<&str>,
) {
    let mut say = Say { remarks: std::mem::take(&mut report.findings) };
    connectivity(&mut say, report);
    deadlock(&mut say, report, cycle);
    contention(&mut say, report);
    uplinks(&mut say, report);
    report.trees.iter().for_each(|tree| cabling(&mut say, tree));
    if let Some(reason) = left_out {
        let text = format!("Pairs, cycles and shifts were not looked at: {reason}.");
        say.add(Weight::Note, Subject::Routes, text);
    }
    if !question.notices.is_empty() {
        let count = counted(question.notices.len() as u64, "thing is", "things are");
        say.add(Weight::Warning, Subject::Files, format!("{count} odd in the files."));
    }
    if question.engine == "imported" {
        let text = "Forwarding tables do not show adaptive routing: where switches choose among \
                    ports by their load, or take other ways around failed links, packets may \
                    leave these paths.";
        say.add(Weight::Note, Subject::Files, text.to_owned());
    }
    // In the order of their weights; of equals in the order in which they were said.
    let mut remarks = Vec::with_capacity(say.remarks.len());
    for weight in [Weight::Fault, Weight::Warning, Weight::Note, Weight::Good] {
        remarks.extend(say.remarks.iter().filter(|remark| remark.weight == weight).cloned());
    }
    report.findings = remarks;
}

struct Say {
    remarks: Vec<Remark>,
}

impl Say {
    fn add(&mut self, weight: Weight, subject: Subject, text: String) {
        self.remarks.push(Remark { weight, subject, text });
    }
}

fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { several })
}

/// The rail in words, where there are several.
fn on_rail(report: &AuditReport, rail: usize) -> String {
    match report.rails.len() {
        0 | 1 => String::new(),
        _ => format!("Rail {}: ", rail + 1),
    }
}

fn connectivity(say: &mut Say, report: &AuditReport) {
    for (number, rail) in report.rails.iter().enumerate() {
        let on = on_rail(report, number);
        if let [_, rest @ ..] = &rail.pieces[..]
            && !rest.is_empty()
        {
            let piece = |piece: &super::report::Piece| {
                let endpoints = counted(u64::from(piece.endpoints), "endpoint", "endpoints");
                format!("{endpoints} around {}", piece.first)
            };
            let pieces: Vec<String> = rail.pieces.iter().take(5).map(piece).collect();
            let text = format!(
                "{on}The fabric is in {} pieces that no cable joins: {}{}.",
                grouped(rail.pieces.len() as u64),
                pieces.join(", "),
                if rail.pieces.len() > 5 { ", …" } else { "" }
            );
            say.add(Weight::Fault, Subject::Connectivity, text);
        }
        if report.endpoint_pairs.is_some() {
            pairs(say, &on, rail);
        }
    }
}

fn pairs(say: &mut Say, on: &str, rail: &RailReport) {
    let found = &rail.connectivity;
    let pairs = found.endpoint_pairs;
    let lost = pairs.connected - pairs.routed.min(pairs.connected);
    let first = found.gaps.first().map(|gap| format!(" First: {}.", gap.detail));
    let first = first.unwrap_or_default();
    match lost {
        0 => {
            let text = format!(
                "{on}All {} pairs of endpoints that cables join have a route.",
                grouped(pairs.connected)
            );
            say.add(Weight::Good, Subject::Connectivity, text);
        }
        _ => {
            let text = format!(
                "{on}{} of {} pairs of endpoints have no route though cables join them.{first}",
                grouped(lost),
                grouped(pairs.connected)
            );
            say.add(Weight::Fault, Subject::Connectivity, text);
        }
    }
    if let Some(switches) = found.switch_pairs {
        let lost = switches.connected - switches.routed.min(switches.connected);
        if lost > 0 {
            let text = format!(
                "{on}{} of {} pairs of switches have no route: management and multicast \
                 between them may fail.",
                grouped(lost),
                grouped(switches.connected)
            );
            say.add(Weight::Note, Subject::Connectivity, text);
        }
    }
    if pairs.non_minimal > 0 {
        let text = format!(
            "{on}{} of {} routes of endpoints are longer than they must be, by up to {}.",
            grouped(pairs.non_minimal),
            grouped(pairs.routed),
            counted(u64::from(pairs.detour), "switch", "switches")
        );
        say.add(Weight::Note, Subject::Connectivity, text);
    }
}

fn deadlock(say: &mut Say, report: &AuditReport, cycle: Option<Scope>) {
    let acyclic = report.acyclic;
    let whose = match cycle {
        Some(Scope::Endpoints) => "Routes of endpoints",
        Some(Scope::Switches) => "Routes between switches",
        Some(Scope::Together) => "Routes of endpoints and switches together",
        None => "",
    };
    if !report.cycle.is_empty() {
        const LONGEST: usize = 12;
        let step = |step: &super::report::CycleStep| format!("{} port {}", step.switch, step.port);
        let mut steps: Vec<String> = report.cycle.iter().take(LONGEST).map(step).collect();
        match report.cycle.len() > LONGEST {
            true => steps.push("…".to_owned()),
            false => steps.extend(report.cycle.first().map(|step| step.switch.clone())),
        }
        let count = counted(report.cycle.len() as u64, "channel waits", "channels wait");
        let text = format!("{whose} can deadlock: {count} for each other: {}.", steps.join(" → "));
        let weight = match acyclic.endpoints {
            Some(false) => Weight::Fault,
            _ => Weight::Warning,
        };
        say.add(weight, Subject::Deadlock, text);
    }
    let free = match (acyclic.endpoints, acyclic.together) {
        (_, Some(true)) => "Routes cannot deadlock, those of switches included.",
        (Some(true), _) => "Routes of endpoints cannot deadlock.",
        _ => return,
    };
    say.add(Weight::Good, Subject::Deadlock, free.to_owned());
}

/// The order in which a tree's tables spread the shifts of an all-to-all (Zahavi 2009, §3.2).
const ALONG_THE_TREE: &str = "order=ftree";

fn contention(say: &mut Say, report: &AuditReport) {
    for (number, rail) in report.rails.iter().enumerate() {
        let on = on_rail(report, number);
        if let Some(reason) = rail.contention_unknown.as_ref().filter(|_| report.layers.is_some()) {
            let text = format!("{on}Contention is not known: {reason}.");
            say.add(Weight::Note, Subject::Contention, text);
        }
        let Some(contention) = &rail.contention else { continue };
        if contention.stages == 0 {
            continue;
        }
        let stages = counted(u64::from(contention.stages), "shift", "shifts");
        if contention.worst <= 1.0 {
            let text = format!("{on}In none of {stages} do two flows share a channel.");
            say.add(Weight::Good, Subject::Contention, text);
        } else {
            let text = format!(
                "{on}In {stages} up to {:.3} flows share a channel, {:.3} in the mean; {} between \
                 switches are shared.",
                contention.worst,
                contention.mean,
                counted(u64::from(rail.overloaded), "channel", "channels")
            );
            let mut text = text.replace(".000", "");
            let has_tree = report.trees.iter().any(|tree| tree.tree.is_some());
            if has_tree && !report.order.contains(ALONG_THE_TREE) {
                text.push_str(&format!(
                    " That may be due to the order of the endpoints, {}: along the tree it is \
                     placement=contiguous,{ALONG_THE_TREE},keepers=yes.",
                    report.order
                ));
            }
            say.add(Weight::Warning, Subject::Contention, text);
        }
    }
}

fn uplinks(say: &mut Say, report: &AuditReport) {
    let Some(uplinks) = &report.uplinks else { return };
    match uplinks.listed.first() {
        Some(first) => {
            let text = format!(
                "{} of {} switches use their ports that lead up unevenly: port {} of {} leads to \
                 {} of {} destinations, the least used of {} to {}; traffic to all alike can use \
                 {:.0} % of their bandwidth.",
                grouped(uplinks.uneven),
                grouped(uplinks.switches),
                first.busiest,
                first.switch,
                grouped(first.most),
                grouped(first.destinations),
                first.ports,
                grouped(first.fewest),
                first.usable * 100.0
            );
            say.add(Weight::Warning, Subject::Uplinks, text);
        }
        None => {
            let text = "All switches use their ports that lead up evenly.".to_owned();
            say.add(Weight::Good, Subject::Uplinks, text);
        }
    }
}

fn cabling(say: &mut Say, tree: &TreeReport) {
    let switches = counted(u64::from(tree.switches), "switch", "switches");
    match (&tree.tree, &tree.reason, tree.deviations.first()) {
        (Some(widths), _, None) => {
            let text = format!("{switches} form a fat tree without fault: {widths}.");
            say.add(Weight::Good, Subject::Cabling, text);
        }
        (Some(widths), _, Some(first)) => {
            let deviations = counted(u64::from(tree.deviation_count), "deviation", "deviations");
            let text = format!(
                "{switches} form a fat tree with {deviations}: {widths}. First: {}.",
                first.text
            );
            say.add(Weight::Warning, Subject::Cabling, text);
        }
        (None, reason, _) => {
            let reason = reason.as_deref().unwrap_or_default();
            let text = format!("{switches} from {} on form no fat tree: {reason}.", tree.first);
            say.add(Weight::Note, Subject::Cabling, text);
        }
    }
}
