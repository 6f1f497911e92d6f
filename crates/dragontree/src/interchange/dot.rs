//! Graphs for Graphviz.
//!
//! ```text
//! graph fabric {
//!   node [shape=box]
//!   s0 [label="switch 0", kind=switch, ports=4]
//!   e0 [label="endpoint 0", kind=endpoint, ports=1, shape=ellipse]
//!   e0 -- s0 [from_port=0, to_port=0, class=endpoint, bandwidth="100Gbps", latency="50ns"]
//! }
//! ```
//! Read are `graph` and `digraph` with nodes, edges and chains of edges between single nodes,
//! defaults (`node [kind=endpoint]`) and subgraphs, whose nodes and edges count as if they stood
//! outside. Of the attributes only those above have a meaning, and none is needed: without `kind`
//! a node is an endpoint when its name begins with `endpoint`, `host`, `node`, `h` or `e`. In a
//! `digraph` an edge and its opposite are one link.

use super::report::quoted;
use super::wiring::Wiring;
use super::{Delay, Fabric, Kind, Reading, Source, Unreadable, Writing, words};
use crate::network::Network;

mod graph;
mod token;

use token::{Token, Word, tokens};

/// Whether a graph may begin with this word.
pub(super) fn begins_with(word: &str) -> bool {
    ["strict", "graph", "digraph"].iter().any(|start| word.eq_ignore_ascii_case(start))
}

/// Reads a graph.
///
/// # Errors
/// The first place that cannot be read.
pub fn read(source: &Source<'_>) -> Result<Reading, Unreadable> {
    let sources = [*source];
    let wiring = Wiring::new(&sources);
    let tokens = tokens(source.text.trim_start_matches('\u{feff}'))
        .map_err(|line| wiring.error(line, "the end of a quotation or comment", "none"))?;
    graph::Parser::new(tokens, wiring).read()
}

/// Writes a network.
pub fn write(network: &Network) -> Writing {
    let Fabric { devices, cables } = Fabric::of(network);
    let mut text = String::from("graph fabric {\n  node [shape=box]\n");
    let id = |device: u32| {
        let switches = network.switch_count();
        match device.checked_sub(switches) {
            None => format!("s{device}"),
            Some(endpoint) => format!("e{endpoint}"),
        }
    };
    for (place, device) in (0..).zip(&devices) {
        let shape = if device.kind == Kind::Endpoint { ", shape=ellipse" } else { "" };
        text.push_str(&format!(
            "  {} [label=\"{}\", kind={}, ports={}{shape}]\n",
            id(place),
            escaped(&device.name),
            words::kind_word(device.kind),
            device.ports
        ));
    }
    for cable in &cables {
        let [(one, port), (other, peer)] = cable.ends;
        let mut attributes = format!("from_port={port}, to_port={peer}");
        if let Some(class) = cable.class {
            attributes.push_str(&format!(", class=\"{class}\""));
        }
        if let Some(bandwidth) = cable.bandwidth {
            attributes.push_str(&format!(", bandwidth=\"{bandwidth}\""));
        }
        if let Some(Delay::Time(latency)) = cable.latency {
            attributes.push_str(&format!(", latency=\"{latency}\""));
        }
        text.push_str(&format!("  {} -- {} [{attributes}]\n", id(one), id(other)));
    }
    text.push_str("}\n");
    Writing { text, losses: Vec::new() }
}

fn escaped(text: &str) -> String {
    text.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"")
}
