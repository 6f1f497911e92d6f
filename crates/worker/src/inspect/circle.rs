//! The circle of packets that wait for one another in a run, found in the drawing.

use dragontree::network::{Network, Node, PortId};
use dragontree::scenario::HeldBuffer;

use super::Finding;
use crate::fabric;

/// The way around the circle, with words and a button; `network` is the one before anything failed.
pub fn circle(network: &Network, held: &[HeldBuffer], open: Option<u32>) -> Finding {
    let (trails, bundles) = fabric::trails(network, &[channels(network, held)], open);
    let count = held.len();
    let markup = format!(
        "In the selected run {count} packets wait for one another along a circle of links. <button \
         type=\"button\" class=\"quiet\" data-act=\"circle 0\">Show the circle</button>"
    );
    Finding { markup, trails, bundles, ..Finding::default() }
}

/// The channels that lead into buffers.
fn channels(network: &Network, held: &[HeldBuffer]) -> Vec<PortId> {
    let mut found: Vec<Option<PortId>> = vec![None; held.len()];
    for node in network.nodes() {
        let name = network.name(node);
        for (buffer, place) in held.iter().zip(&mut found).filter(|(each, _)| each.from == name) {
            let is_it = |port: &PortId| network.shown_number(*port) == buffer.port;
            *place = network.ports(node).map(PortId).find(is_it);
        }
    }
    // A circle leads from switch to switch.
    let inner = |port: &PortId| matches!(network.neighbor(*port), Some(Node::Switch(_)));
    found.into_iter().flatten().filter(inner).collect()
}
