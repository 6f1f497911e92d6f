//! The routes of a pair as markup.

use std::sync::Arc;

use dragontree::analysis::{Directory, PathOption, PathReport, PathStep, Tracer};
use dragontree::catalog::Problem;
use dragontree::network::{EndpointId, Network, Node, PortId, SwitchId};
use dragontree::routing::Routes;

use super::markup::{number, table};
use dragontree::units::grouped;

use super::words::escaped;

/// More paths than this are only counted.
const MOST: usize = 20;

/// Finds the routes from one node to another, each called by name, GUID or local id.
///
/// # Errors
/// No node, or several, are called so, or there is no route to tell of.
pub fn find(
    network: &Arc<Network>,
    routes: &Arc<Routes>,
    from: &str,
    to: &str,
) -> Result<PathReport, Vec<Problem>> {
    let directory = Directory::new(network);
    let end = |key: &str, text: &str| {
        let found = directory.find(text.trim());
        found.map_err(|unknown| Problem::new(key, "", unknown.to_string()))
    };
    let (source, destination) = match (end("from", from), end("to", to)) {
        (Ok(source), Ok(destination)) => (source, destination),
        (source, destination) => {
            return Err(source.err().into_iter().chain(destination.err()).collect());
        }
    };
    let traced = Tracer::new(network, routes).trace(source, destination);
    traced.map_err(|untold| vec![Problem::new("to", "", untold.to_string())])
}

/// The channels of the paths that are shown.
pub fn ways(network: &Network, report: &PathReport) -> Vec<Vec<PortId>> {
    let channel = |step: &PathStep| {
        let (id, port) = step.at;
        let node = match step.is_switch {
            true => Node::Switch(SwitchId(id)),
            false => Node::Endpoint(EndpointId(id)),
        };
        Some(PortId(network.ports(node).start + port?))
    };
    let way = |path: &PathOption| path.steps.iter().filter_map(channel).collect();
    report.paths.iter().take(MOST).map(way).collect()
}

/// The report.
pub fn paths(report: &PathReport) -> String {
    let all = report.paths.len() as u64 + report.omitted;
    let routes = if all == 1 { "route" } else { "routes" };
    let mut text = format!(
        "<p>{} {routes} from {} to {}</p>",
        grouped(all),
        escaped(&report.source.name),
        escaped(&report.destination.name)
    );
    for (path, index) in report.paths.iter().take(MOST).zip(0_u32..) {
        text.push_str(&of_path(path, index));
    }
    if all > MOST as u64 {
        text.push_str(&format!("<p>and {} more</p>", grouped(all - MOST as u64)));
    }
    text
}

fn of_path(path: &PathOption, index: u32) -> String {
    let links = if path.hops == 1 { "link" } else { "links" };
    let mut text = format!(
        "<h3>Route {}: {} {links} between switches, taken with probability {} \
         <button type=\"button\" class=\"link\" data-act=\"path {index}\">Show in the fabric</button></h3>",
        index + 1,
        path.hops,
        number(path.probability)
    );
    if let Some(problem) = &path.problem {
        text.push_str(&format!("<p class=\"wrong\">It does not arrive: {}.</p>", escaped(problem)));
    }
    let optional = |value: Option<u32>| value.map_or("–".to_owned(), |value| value.to_string());
    let row = |step: &PathStep| {
        [
            format!("<span title=\"{}\">{}</span>", step.node.guid, escaped(&step.node.name)),
            step.node.lid.to_string(),
            optional(step.in_port),
            optional(step.out_port),
            optional(step.virtual_channel.map(u32::from)),
            optional(step.entry),
        ]
    };
    let rows: Vec<[String; 6]> = path.steps.iter().map(row).collect();
    let headings = ["Node", "LID", "In by port", "Out by port", "Virtual channel", "Table entry"];
    let name = format!("Route {}", index + 1);
    text + &table(&name, &headings, rows.iter().map(|row| &row[..]))
}
