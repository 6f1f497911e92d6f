//! How many links there are between the switches of leaders: on the ways that messages take, which is
//! what the document's service of routes tells (Subramoni et al. 2011, §IV-A), and on the shortest ones
//! where a pair may take several, or none is known.

use std::collections::BTreeMap;

use super::super::{Forwarding, Refused, Site};
use super::delays::{Delays, Kinds};
use crate::network::{EndpointId, Graph, Network, Node, SwitchId};

/// Stands for what is not (yet) known.
const UNKNOWN: u32 = u32::MAX;

/// Stands for where no way leads from.
const NOWHERE: u32 = u32::MAX - 1;

/// A leader by its switch, whose place among those of all leaders it is, and by the links to it from
/// each of these.
type Leader = (Option<usize>, Vec<u32>);

/// The links between leaders on these endpoints.
///
/// # Errors
/// There are too many different ones to write down.
pub(super) fn between(site: Site<'_>, leaders: &[EndpointId]) -> Result<Delays, Refused> {
    let network = site.network;
    let mut switches: Vec<SwitchId> =
        leaders.iter().filter_map(|leader| network.switch_of(*leader)).collect();
    switches.sort_unstable();
    switches.dedup();
    let mut ways = Ways::new(site);
    // By what is on a way's other end: an endpoint where those of a switch may be told apart.
    let mut known: BTreeMap<u32, u32> = BTreeMap::new();
    let mut found: Kinds<Leader> = Kinds::new("hops", ["are at", "places"]);
    for leader in leaders {
        let switch = network.switch_of(*leader);
        let end = match ways {
            Ways::Known(forwarding, _) if !forwarding.is_by_switch() => leader.0,
            _ => switch.map_or(UNKNOWN, |switch| switch.0),
        };
        if let Some(kind) = known.get(&end) {
            found.again(*kind);
            continue;
        }
        let from = ways.to(network, *leader);
        let links = switches.iter().map(|from_there| from[from_there.index()]).collect();
        let place = switch.and_then(|switch| switches.binary_search(&switch).ok());
        known.insert(end, found.add((place, links))?);
    }
    let delay = |from: &Leader, to: &Leader| match from.0 {
        Some(place) => u64::from(to.1[place]),
        None => u64::MAX,
    };
    Ok(found.delays(leaders, delay))
}

/// The ways that messages take between switches.
enum Ways<'a> {
    Shortest(Graph),
    /// Those that messages take, and room for the switches on one.
    Known(&'a dyn Forwarding, Vec<SwitchId>),
}

impl<'a> Ways<'a> {
    fn new(site: Site<'a>) -> Ways<'a> {
        match site.forwarding {
            Some(forwarding) => Ways::Known(forwarding, Vec::new()),
            None => Ways::Shortest(Graph::of(site.network)),
        }
    }

    /// For each switch the links from there to the switch of an endpoint.
    fn to(&mut self, network: &Network, endpoint: EndpointId) -> Vec<u32> {
        let none = || vec![UNKNOWN; network.switch_count() as usize];
        match self {
            Ways::Shortest(graph) => {
                network.switch_of(endpoint).map_or_else(none, |switch| graph.distances(switch.0))
            }
            Ways::Known(forwarding, way) => {
                let mut links = none();
                for switch in network.switches() {
                    follow(network, *forwarding, switch, endpoint, way, &mut links);
                }
                links
            }
        }
    }
}

/// Follows a way from a switch until one from where the rest is known, and writes down how far it is
/// from each on the way.
fn follow(
    network: &Network,
    forwarding: &dyn Forwarding,
    from: SwitchId,
    to: EndpointId,
    way: &mut Vec<SwitchId>,
    links: &mut [u32],
) {
    way.clear();
    let mut at = from;
    let last = loop {
        match links[at.index()] {
            UNKNOWN => way.push(at),
            NOWHERE => break NOWHERE,
            rest => break rest + 1,
        }
        match forwarding.port(at, to).and_then(|port| network.neighbor(port)) {
            Some(Node::Switch(next)) if way.len() <= links.len() => at = next,
            Some(Node::Endpoint(end)) if end == to => break 0,
            _ => break NOWHERE,
        }
    };
    for (far, switch) in (0..).zip(way.iter().rev()) {
        links[switch.index()] = if last == NOWHERE { NOWHERE } else { last + far };
    }
}
