//! How messages climb on routes of any kind.

use crate::analysis::path::PathFinder;
use crate::network::{Network, Node, PortId, SwitchId};
use crate::random::Stream;
use crate::routing::pattern_specific::TreePlaces;
use crate::routing::{Oblivious, Pair, Queues, Sent, Waypoints};
use crate::units::Bytes;

mod known;

use known::Known;

/// Why a message has no climb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It has no route.
    Unrouted,
    /// It has several ways, of which each of its like draws one.
    Several,
    /// Its way is not straight up the tree and then down.
    Crooked,
}

/// Follows messages from switch to switch, as their packets would go, to where they turn.
#[derive(Default)]
pub struct Climbing {
    finder: PathFinder,
    /// What has been followed, where several pairs share it.
    known: Option<Known>,
    /// The climb that was followed last.
    climb: Vec<u16>,
}

impl Climbing {
    /// Follows routes in a network; where these say that pairs share their ways, once for all of them.
    pub fn new(network: &Network, routes: &dyn Oblivious) -> Climbing {
        Climbing { known: Known::new(network, routes), ..Climbing::default() }
    }

    /// The climb of a message, on the routes and in the network that it began with, if it did with some.
    ///
    /// # Errors
    /// It has no way, one that is not straight up and then down, or several and nothing to `draw` one
    /// from.
    pub fn climb(
        &mut self,
        network: &Network,
        places: &TreePlaces,
        routes: &dyn Oblivious,
        sent: &Sent,
        draw: Option<&mut Stream>,
    ) -> Result<&[u16], Lost> {
        let known = self.known.as_ref().filter(|_| draw.is_none());
        let place = known.and_then(|known| known.place(sent.pair));
        if known.zip(place).is_some_and(|(known, place)| known.has(place)) {
            let known = self.known.as_ref().zip(place);
            return Ok(known.and_then(|(known, place)| known.climb(place)).unwrap_or_default());
        }
        let way = match draw {
            None => way(network, routes, &mut self.finder, sent)?,
            Some(stream) => {
                let known = routes.of_message(sent.pair, sent.label);
                let drawn = known.unwrap_or_else(|| routes.inject(sent.pair, stream, &Unqueued));
                follow(network, routes, sent.pair, drawn).ok_or(Lost::Unrouted)?
            }
        };
        let top = way.iter().copied().max_by_key(|switch| places.level(*switch));
        let climb = top.and_then(|top| places.climb_to(top));
        let is_straight = |climb: &Vec<u16>| way.len() + 1 == 2 * climb.len();
        self.climb = climb.filter(is_straight).ok_or(Lost::Crooked)?;
        if let Some((known, place)) = self.known.as_mut().zip(place) {
            known.keep(place, &self.climb);
        }
        Ok(&self.climb)
    }
}

/// The switches that a packet with these waypoints passes, where it comes to its end.
fn follow(
    network: &Network,
    routes: &dyn Oblivious,
    pair: Pair,
    waypoints: Waypoints,
) -> Option<Vec<SwitchId>> {
    let Some(Node::Switch(first)) = network.neighbor(routes.outlet(network, pair, waypoints)?)
    else {
        return None;
    };
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

/// The switches that a message passes, unless that depends on chance.
fn way(
    network: &Network,
    routes: &dyn Oblivious,
    finder: &mut PathFinder,
    sent: &Sent,
) -> Result<Vec<SwitchId>, Lost> {
    let pair = sent.pair;
    if let Some(waypoints) = routes.of_message(pair, sent.label) {
        return follow(network, routes, pair, waypoints).ok_or(Lost::Unrouted);
    }
    let (mut way, mut ways) = (Vec::new(), 0);
    let routed = finder.paths(network, routes, pair, &mut |steps, _| {
        ways += 1;
        way.clear();
        let next = steps.iter().filter_map(|step| network.neighbor(step.port));
        way.extend(next.filter_map(|node| match node {
            Node::Switch(next) => Some(next),
            Node::Endpoint(_) => None,
        }));
    });
    match routed {
        Err(_) => Err(Lost::Unrouted),
        Ok(_) if ways > 1 => Err(Lost::Several),
        Ok(_) => Ok(way),
    }
}
