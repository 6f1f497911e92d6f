//! How messages climb on routes of any kind.

use crate::analysis::path::PathFinder;
use crate::network::{Network, Node, PortId, SwitchId, Tree};
use crate::random::Stream;
use crate::routing::pattern_specific::Climbs;
use crate::routing::{Oblivious, Pair, Queues, Sent, Waypoints};
use crate::units::Bytes;

/// Follows each message from switch to switch, as its packets would go, to where it turns. None where
/// one has no way, one that is not straight up and then down, or several and nothing to `draw` one
/// from.
pub fn climbs(
    network: &Network,
    tree: &Tree,
    routes: &dyn Oblivious,
    sent: &[Sent],
    mut draw: Option<&mut Stream>,
) -> Option<Climbs> {
    let mut finder = PathFinder::default();
    let climb = |sent: &Sent| {
        let way = match draw.as_deref_mut() {
            None => way(network, routes, &mut finder, sent)?,
            Some(stream) => {
                let known = routes.of_message(sent.pair, sent.label);
                let drawn = known.unwrap_or_else(|| routes.inject(sent.pair, stream, &Unqueued));
                follow(network, routes, sent.pair, drawn)?
            }
        };
        let top = way.iter().copied().max_by_key(|switch| tree.level(*switch))?;
        let (level, mut index) = (tree.level(top), tree.index(top));
        let digits = (1..=level).map(|above| {
            let digit = index % tree.parents(above);
            index /= tree.parents(above);
            digit as u16
        });
        let digits: Vec<u16> = digits.collect();
        (way.len() as u32 == 2 * level - 1).then_some(digits)
    };
    let climbs: Option<Vec<Vec<u16>>> = sent.iter().map(climb).collect();
    climbs.map(|climbs| Climbs::new(&climbs))
}

/// The switches that a packet with these waypoints passes, where it comes to its end.
fn follow(
    network: &Network,
    routes: &dyn Oblivious,
    pair: Pair,
    waypoints: Waypoints,
) -> Option<Vec<SwitchId>> {
    let first = network.switch_of(pair.source)?;
    let (mut way, mut exits) = (vec![first], Vec::new());
    routes.follow(network, first, pair, waypoints, &mut exits);
    for exit in exits {
        let port = network.port(*way.last()?, exit.number);
        match network.neighbor(port)? {
            Node::Switch(next) => way.push(next),
            Node::Endpoint(end) => return (end == pair.destination).then_some(way),
        }
    }
    None
}

/// Nothing waits anywhere.
struct Unqueued;

impl Queues for Unqueued {
    fn queued(&self, _port: PortId) -> Bytes {
        Bytes(0)
    }

    fn capacity(&self) -> Bytes {
        Bytes(0)
    }
}

/// The switches that a message passes; none where that depends on chance.
fn way(
    network: &Network,
    routes: &dyn Oblivious,
    finder: &mut PathFinder,
    sent: &Sent,
) -> Option<Vec<SwitchId>> {
    let pair = sent.pair;
    let first = network.switch_of(pair.source)?;
    if let Some(waypoints) = routes.of_message(pair, sent.label) {
        return follow(network, routes, pair, waypoints);
    }
    let mut way = vec![first];
    let mut ways = 0;
    let routed = finder.paths(network, routes, pair, &mut |steps, _| {
        ways += 1;
        way.truncate(1);
        let next = steps.iter().skip(1).filter_map(|step| network.neighbor(step.port));
        way.extend(next.filter_map(|node| match node {
            Node::Switch(next) => Some(next),
            Node::Endpoint(_) => None,
        }));
    });
    (routed.is_ok() && ways == 1).then_some(way)
}
