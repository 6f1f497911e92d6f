//! Follows routes that were made for messages.
//!
//! A packet's waypoint is the port by which it leaves the nearest common ancestor of its ends: that
//! switch's place in the tree tells the whole climb. Where the messages of a pair climb differently,
//! an exchange asks by message; whoever asks for the pair alone draws one of them. Where endpoints have
//! several links, that switch tells by which of them the message leaves its source, too.

use super::solved::Solved;
use super::{Shape, finding};
use crate::network::{Network, Node, PortId, SwitchId};
use crate::random::Stream;
use crate::routing::climb::{Climb, Ladder};
use crate::routing::{Exit, Header, Hop, Oblivious, Pair, Queues, Route, Unroutable, Waypoints};

/// How a message climbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub destination: u32,
    /// The message's label; there are fewer than can be told apart by that.
    pub label: u32,
    /// The digits of the climb as one number, the lowest first.
    pub code: u32,
    pub weight: u32,
}

/// The routes of messages.
pub(super) struct MessageRoutes {
    climb: Climb,
    ladder: Option<Ladder>,
    /// For each source its messages, by destinations and labels; a single one where all messages of
    /// a pair climb alike.
    rows: Vec<Vec<Kept>>,
    /// For each level, from 1, the switches by their places.
    switches: Vec<Vec<SwitchId>>,
    solved: Solved,
}

impl MessageRoutes {
    pub fn new(climb: Climb, rows: Vec<Vec<Kept>>, solved: Solved) -> MessageRoutes {
        let (network, tree) = (climb.network(), climb.tree());
        let widths = (1..=tree.levels()).map(|level| tree.width(level) as usize);
        let mut switches: Vec<Vec<SwitchId>> = widths.map(|w| vec![SwitchId(0); w]).collect();
        for switch in network.switches() {
            if let Some(site) = climb.site(switch) {
                switches[site.level as usize - 1][site.index as usize] = switch;
            }
        }
        // A ladder begins at the first link of an endpoint.
        let ladder = Ladder::new(&climb).filter(|_| solved.shape.parents(1) == 1);
        MessageRoutes { ladder, climb, rows, switches, solved }
    }

    fn shape(&self) -> &Shape {
        self.solved.shape()
    }

    /// The messages of a pair.
    fn messages(&self, pair: Pair) -> &[Kept] {
        let row = self.rows.get(pair.source.index()).map_or(&[][..], |row| &row[..]);
        let destination = pair.destination.0;
        // Of an exchange among all, a row has each endpoint once, but perhaps not its own: then a look
        // in the right place spares some twenty in others, most of them out of the cache.
        let to = |place: usize| row.get(place).map(|kept| kept.destination);
        let guess = pair.destination.index();
        for place in [guess, guess.wrapping_sub(1)] {
            let around = [place.wrapping_sub(1), place, place.wrapping_add(1)].map(to);
            if around.map(|to| to == Some(destination)) == [false, true, false] {
                return &row[place..=place];
            }
        }
        let first = row.partition_point(|kept| kept.destination < destination);
        let own = row[first..].partition_point(|kept| kept.destination == destination);
        &row[first..first + own]
    }

    /// The ways of a pair: those of its messages, else those of the messages back, which can be
    /// followed in both directions.
    fn known(&self, pair: Pair) -> &[Kept] {
        match self.messages(pair) {
            [] => self.messages(Pair { source: pair.destination, destination: pair.source }),
            messages => messages,
        }
    }

    /// The port by which a climb's nearest common ancestor is left towards the destination.
    fn waypoint(&self, pair: Pair, code: u32) -> Option<PortId> {
        let tree = self.climb.tree();
        let slots = finding::in_tree(&self.climb, pair);
        let level = self.climb.meeting_level(slots.source, slots.destination);
        let spread = self.shape().spread(level as usize);
        let index = tree.subtree(level, slots.destination) * spread + code;
        let switch = *self.switches[level as usize - 1].get(index as usize)?;
        let hop = self.climb.hop(switch, pair.destination, |_| 0).ok()?;
        Some(hop.port)
    }

    /// What a switch of a level takes of its links upward on a climb.
    fn choose(&self, code: u32) -> impl Fn(u32) -> u32 + '_ {
        move |level| {
            let shape = self.shape();
            let above = level as usize + 1;
            if above > shape.levels() {
                return 0;
            }
            code / shape.spread(level as usize) % shape.parents(above)
        }
    }

    fn waypoints(&self, pair: Pair, kept: &Kept) -> Waypoints {
        Waypoints::from([self.waypoint(pair, kept.code)])
    }

    /// The digits of the climb of a packet with these waypoints as one number.
    fn code(&self, waypoints: Waypoints) -> Option<u32> {
        let Node::Switch(top) = self.climb.network().owner(waypoints.0[0]?) else { return None };
        let site = self.climb.site(top)?;
        Some(site.index % self.shape().spread(site.level as usize))
    }
}

impl Route for MessageRoutes {
    fn virtual_channels(&self) -> u8 {
        1
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        match self.known(pair) {
            // What an endpoint sends to itself turns around at its switch.
            [] if pair.source == pair.destination => {
                let network = self.climb.network();
                Waypoints::from([network
                    .injection(pair.source)
                    .and_then(|port| network.peer(port))])
            }
            [] => Waypoints::default(),
            [only] => self.waypoints(pair, only),
            several => {
                let all: u64 = several.iter().map(|kept| u64::from(kept.weight)).sum();
                let mut drawn = stream.bits() % all.max(1);
                let found = several.iter().find(|kept| {
                    let is_own = drawn < u64::from(kept.weight);
                    drawn = drawn.saturating_sub(u64::from(kept.weight));
                    is_own
                });
                self.waypoints(pair, found.unwrap_or(&several[0]))
            }
        }
    }

    fn of_message(&self, pair: Pair, label: u64) -> Option<Waypoints> {
        match self.messages(pair) {
            [only] if self.names_outlets() => Some(self.waypoints(pair, only)),
            [] | [_] => None,
            several => {
                let place =
                    several.binary_search_by_key(&(label as u32), |kept| kept.label).ok()?;
                Some(self.waypoints(pair, &several[place]))
            }
        }
    }

    /// Back the way that the message came.
    fn of_answer(&self, pair: Pair, label: u64) -> Option<Waypoints> {
        let kept = match self.messages(Pair { source: pair.destination, destination: pair.source })
        {
            [] => return None,
            [only] => only,
            several => {
                let place = several.binary_search_by_key(&(label as u32), |kept| kept.label);
                &several[place.ok()?]
            }
        };
        Some(self.waypoints(pair, kept))
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let destination = header.destination;
        let code = self.code(header.waypoints).ok_or(Unroutable { at, destination })?;
        self.climb.hop(at, destination, self.choose(code))
    }

    fn names_outlets(&self) -> bool {
        self.shape().parents(1) > 1
    }

    /// An endpoint's ports are in the order of its parents.
    fn outlet(&self, network: &Network, pair: Pair, waypoints: Waypoints) -> Option<PortId> {
        let digit = self.code(waypoints).unwrap_or(0) % self.shape().parents(1);
        network.ports(Node::Endpoint(pair.source)).map(PortId).nth(digit as usize)
    }

    fn only_way(&self, _from: SwitchId, pair: Pair, way: &mut Vec<Exit>) -> bool {
        let (Some(ladder), [only]) = (&self.ladder, self.known(pair)) else { return false };
        let choose = self.choose(only.code);
        ladder.trace(pair, way, |level| ladder.link(level, choose(level as u32)));
        true
    }
}

impl Oblivious for MessageRoutes {
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        let known = self.known(pair);
        if known.is_empty() {
            return show(Waypoints::default(), 1.0);
        }
        let all: f64 = known.iter().map(|kept| f64::from(kept.weight)).sum();
        let mut by_code = known.to_vec();
        by_code.sort_by_key(|kept| kept.code);
        for same in by_code.chunk_by(|one, other| one.code == other.code) {
            let own: f64 = same.iter().map(|kept| f64::from(kept.weight)).sum();
            show(self.waypoints(pair, &same[0]), own / all);
        }
    }

    fn solved(&self) -> Option<&Solved> {
        Some(&self.solved)
    }
}
