//! The report on routes as markup.

use dragontree::analysis::{
    AuditReport, Connectivity, CycleStep, Gap, Loss, Pairs, RailReport, Uplink, Uplinks, Weight,
};

use super::curves;
use super::markup::{button, flows, folded, number, table, unfolding};
use dragontree::units::grouped;

use super::words::escaped;

/// The whole report.
pub fn report(report: &AuditReport) -> String {
    let mut text = findings(report);
    let several = report.rails.len() > 1;
    for (rail, number) in report.rails.iter().zip(1_u32..) {
        if several {
            text.push_str(&format!(
                "<h2>Rail {number}: {} endpoints, {} switches</h2>",
                grouped(rail.endpoints),
                grouped(rail.switches)
            ));
        }
        text.push_str(&of_rail(rail));
    }
    text.push_str(&order(report));
    text.push_str(&buttons(report));
    text.push_str(&cycle(&report.cycle));
    text.push_str(&report.uplinks.as_ref().map(uplinks).unwrap_or_default());
    for tree in &report.trees {
        let items: Vec<String> =
            tree.deviations.iter().map(|deviation| escaped(&deviation.text)).collect();
        let summary = format!("Deviations from the tree of {}", escaped(&tree.first));
        text.push_str(&folded(&summary, &items, u64::from(tree.deviation_count)));
    }
    let notices: Vec<String> = report.notices.iter().map(|notice| escaped(notice)).collect();
    text.push_str(&folded("Remarks on the files of the routes", &notices, notices.len() as u64));
    text
}

fn findings(report: &AuditReport) -> String {
    let mut text = "<ul class=\"findings\">".to_owned();
    for remark in &report.findings {
        let (class, word) = match remark.weight {
            Weight::Fault => ("fault", "Fault"),
            Weight::Warning => ("warning", "Warning"),
            Weight::Note => ("note", "Note"),
            Weight::Good => ("good", "Good"),
        };
        text.push_str(&format!(
            "<li class=\"{class}\"><b>{word}</b> <span>{}</span>",
            escaped(&remark.text)
        ));
    }
    text.push_str("</ul>");
    text
}

fn order(report: &AuditReport) -> String {
    format!(
        "<p class=\"help\">In the shift all-to-all every endpoint sends to the one so many places \
         further, for every distance in turn. Which endpoints meet is decided by their order, and \
         with it the result; here it is <code>placement={}</code>.</p>",
        escaped(&report.order)
    )
}

fn buttons(report: &AuditReport) -> String {
    let mut text = "<p class=\"acts\">".to_owned();
    if report.contention.is_some() {
        text.push_str(&button("tint", "Color the fabric by flows"));
    }
    if !report.cycle.is_empty() {
        text.push_str(&button("cycle 0", "Show the cycle in the fabric"));
    }
    for (format, label) in
        [("csv", "Report as CSV"), ("json", "Report as JSON"), ("anonymized", "Copy anonymized")]
    {
        text.push_str(&button(&format!("file {format}"), label));
    }
    text + "</p>"
}

fn of_rail(rail: &RailReport) -> String {
    let mut text = String::new();
    if let Some(contention) = &rail.contention {
        text.push_str("<div class=\"contention\">");
        text.push_str(&curves::stages(contention));
        text.push_str(&curves::channels(&contention.histogram));
        text.push_str("</div>");
        text.push_str(&curves::worst_stages(&contention.per_stage));
        let rows: Vec<[String; 5]> = contention
            .per_level
            .iter()
            .map(|level| {
                let direction = level.direction.map_or("", |direction| direction.word());
                [
                    format!("{} {direction}", escaped(&level.level)),
                    grouped(level.channels),
                    number(level.worst),
                    number(level.mean),
                    number(level.flows),
                ]
            })
            .collect();
        let headings = ["Channels", "Number", "Most flows", "Mean of stages", "Flows together"];
        let levels = table("Contention by level", &headings, rows.iter().map(|row| &row[..]));
        text.push_str(&unfolding("Contention by level", &levels));
    }
    let items: Vec<String> = rail
        .most_loaded
        .iter()
        .map(|channel| {
            format!(
                "{}, port {}, to {}: {}",
                escaped(&channel.switch),
                channel.port,
                escaped(&channel.to),
                flows(channel.flows)
            )
        })
        .collect();
    let summary = format!("{} channels are shared", grouped(rail.overloaded));
    text.push_str(&folded(&summary, &items, u64::from(rail.overloaded)));
    text + &connectivity(&rail.connectivity)
}

fn connectivity(found: &Connectivity) -> String {
    let row = |name: &str, pairs: &Pairs| {
        [
            name.to_owned(),
            grouped(pairs.total),
            grouped(pairs.connected),
            grouped(pairs.routed),
            grouped(pairs.non_minimal),
            pairs.longest.to_string(),
        ]
    };
    let mut rows = vec![row("endpoint to endpoint", &found.endpoint_pairs)];
    let others = [
        ("switch to switch", &found.switch_pairs),
        ("endpoint to switch", &found.endpoint_to_switch),
        ("switch to endpoint", &found.switch_to_endpoint),
    ];
    for (name, pairs) in others {
        rows.extend(pairs.as_ref().map(|pairs| row(name, pairs)));
    }
    let headings = ["Pairs", "All", "Cabled", "Routed", "By a detour", "Longest route"];
    let pairs = table("Connectivity", &headings, rows.iter().map(|row| &row[..]));
    let gap = |gap: &Gap| {
        let how = match gap.loss {
            Loss::Ends => "is lost",
            Loss::Circles => "goes in a circle",
        };
        let nodes = if gap.sources == 1 { "node" } else { "nodes" };
        format!(
            "What {} {nodes} send to {} {how}: {}",
            grouped(gap.sources),
            escaped(&gap.to),
            escaped(&gap.detail)
        )
    };
    let gaps: Vec<String> = found.gaps.iter().map(gap).collect();
    let summary = format!("Where routes are lost: {} places", grouped(found.gap_count));
    unfolding("Connectivity", &pairs) + &folded(&summary, &gaps, found.gap_count)
}

fn cycle(steps: &[CycleStep]) -> String {
    let step = |step: &CycleStep| {
        format!(
            "{}, port {}, to {}, virtual channel {} (held from {} to {})",
            escaped(&step.switch),
            step.port,
            escaped(&step.to),
            step.virtual_channel,
            escaped(&step.source),
            escaped(&step.destination)
        )
    };
    let items: Vec<String> = steps.iter().map(step).collect();
    let summary = format!("The shortest cycle: {} channels, each waits for the next", steps.len());
    folded(&summary, &items, steps.len() as u64)
}

fn uplinks(uplinks: &Uplinks) -> String {
    let row = |uplink: &Uplink| {
        [
            escaped(&uplink.switch),
            uplink.ports.to_string(),
            uplink.destinations.to_string(),
            format!("{} (port {})", uplink.most, uplink.busiest),
            uplink.fewest.to_string(),
            format!("{:.0} %", uplink.usable * 100.0),
        ]
    };
    if uplinks.listed.is_empty() {
        return String::new();
    }
    let rows: Vec<[String; 6]> = uplinks.listed.iter().map(row).collect();
    let headings =
        ["Switch", "Ports up", "Destinations", "Most on a port", "Fewest", "Usable bandwidth"];
    let body = table("Uneven uplinks", &headings, rows.iter().map(|row| &row[..]));
    unfolding(&format!("{} switches use their uplinks unevenly", uplinks.uneven), &body)
}

/// The sentences of the report, to be passed on.
pub fn plain(report: &AuditReport) -> String {
    let mut text = format!(
        "{} endpoints, {} switches, {} links, routing {}, placement {}\n",
        grouped(report.endpoints),
        grouped(report.switches),
        grouped(report.links),
        report.engine,
        report.order
    );
    for remark in &report.findings {
        text.push_str(&remark.text);
        text.push('\n');
    }
    for tree in &report.trees {
        for deviation in &tree.deviations {
            text.push_str(&deviation.text);
            text.push('\n');
        }
    }
    for step in &report.cycle {
        text.push_str(&format!("cycle: {}, port {}, to {}\n", step.switch, step.port, step.to));
    }
    text
}
