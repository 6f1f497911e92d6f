//! A network as a file for BookSim.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::interchange::Writing;
use crate::network::{EndpointId, Network, Node, PortId};

/// Writes a network: every switch with its endpoints and its neighbors, both ways. Latencies are
/// multiples of the longest time of which all of them are multiples.
pub fn write(network: &Network) -> Writing {
    let mut writing = Writing::default();
    let numbers = numbers(network, &mut writing);
    let unit = network
        .channels()
        .fold(0, |unit, (_, channel)| greatest_common_divisor(unit, channel.latency.as_ps()));
    let (mut parallel, mut several) = (0, 0);
    for switch in network.switches() {
        let mut line = format!("router {}", switch.0);
        let mut neighbors = BTreeSet::new();
        for port in network.ports(Node::Switch(switch)).map(PortId) {
            let Some(channel) = network.channel(port) else {
                continue;
            };
            let member = match network.owner(channel.peer) {
                Node::Endpoint(endpoint) if network.injection(endpoint) != Some(channel.peer) => {
                    several += 1;
                    continue;
                }
                Node::Endpoint(endpoint) => ("node", numbers[endpoint.index()]),
                Node::Switch(other) => ("router", other.0),
            };
            if !neighbors.insert(member) {
                parallel += 1;
                continue;
            }
            // Writing to a string cannot fail.
            let _ = write!(line, " {} {}", member.0, member.1);
            let latency = channel.latency.as_ps().checked_div(unit).unwrap_or(1);
            if latency != 1 {
                let _ = write!(line, " {latency}");
            }
        }
        writing.text.push_str(&line);
        writing.text.push('\n');
    }
    if parallel > 0 {
        let text =
            format!("parallel links between two switches are written once: {}", parallel / 2);
        writing.losses.push(text);
    }
    if several > 0 {
        let text = format!("only the first link of every endpoint is written: {several} are not");
        writing.losses.push(text);
    }
    writing
}

/// The number of each endpoint: BookSim wants them without gaps.
fn numbers(network: &Network, writing: &mut Writing) -> Vec<u32> {
    let mut next = 0;
    let number = |endpoint: EndpointId| {
        let number = next;
        next += u32::from(network.injection(endpoint).is_some());
        number
    };
    let numbers = network.endpoints().map(number).collect();
    let empty = network.endpoint_count() - next;
    if empty > 0 {
        let text = format!("endpoints without a link: {empty}; the others are numbered anew");
        writing.losses.push(text);
    }
    numbers
}

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}
