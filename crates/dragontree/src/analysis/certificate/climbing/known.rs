//! Climbs that are followed once and then looked up, for pairs that share them.

use crate::network::{Network, Node, PortId};
use crate::routing::{Oblivious, Pair, Sharing};

/// Climbs by what their sources and their destinations have in common.
pub(super) struct Known {
    /// For each endpoint the row and the column of its climbs; [`NONE`] where it has several links.
    rows: Vec<u32>,
    columns: Vec<u32>,
    width: usize,
    /// For each row and column where its climb begins among the digits, or [`NONE`].
    places: Vec<u32>,
    /// Each climb with its length before it.
    digits: Vec<u16>,
}

const NONE: u32 = u32::MAX;

/// The most pairs of rows and columns, and the most digits of all climbs together.
const MOST_PAIRS: usize = 1 << 22;
const MOST_DIGITS: usize = 1 << 24;

impl Known {
    /// Nothing where pairs share no climbs, or messages have ways of their own, or there are too many
    /// pairs.
    pub fn new(network: &Network, routes: &dyn Oblivious) -> Option<Known> {
        let sharing = match routes.lfts() {
            Some(_) => Sharing::Sources,
            None => routes.sharing(),
        };
        let ends = || network.endpoints();
        let switch = |end| {
            let mut ports = network.ports(Node::Endpoint(end));
            match (network.neighbor(PortId(ports.next()?))?, ports.next()) {
                (Node::Switch(switch), None) => Some(switch.0),
                _ => None,
            }
        };
        let by_switch: Vec<u32> = ends().map(|end| switch(end).unwrap_or(NONE)).collect();
        let has_one = |end| if switch(end).is_some() { end.0 } else { NONE };
        let alone: Vec<u32> = ends().map(has_one).collect();
        let (rows, columns) = match sharing {
            _ if routes.solved().is_some() => return None,
            Sharing::Nothing => return None,
            Sharing::Sources => (by_switch, alone),
            Sharing::Destinations => (alone, by_switch),
            Sharing::Switches => (by_switch.clone(), by_switch),
        };
        let count = |places: &[u32]| {
            let known = places.iter().filter(|place| **place != NONE);
            known.max().map_or(0, |last| *last as usize + 1)
        };
        let (height, width) = (count(&rows), count(&columns));
        let pairs = height.checked_mul(width).filter(|pairs| *pairs <= MOST_PAIRS)?;
        Some(Known { rows, columns, width, places: vec![NONE; pairs], digits: Vec::new() })
    }

    /// The place of what a pair shares with others.
    pub fn place(&self, pair: Pair) -> Option<usize> {
        let row = *self.rows.get(pair.source.index())?;
        let column = *self.columns.get(pair.destination.index())?;
        let shares = row != NONE && column != NONE;
        shares.then_some(row as usize * self.width + column as usize)
    }

    /// Whether the climb there is known.
    pub fn has(&self, place: usize) -> bool {
        self.places[place] != NONE
    }

    /// The climb there, where it is known.
    pub fn climb(&self, place: usize) -> Option<&[u16]> {
        let (length, climb) = self.digits.get(self.places[place] as usize..)?.split_first()?;
        climb.get(..usize::from(*length))
    }

    /// Keeps a climb, while there is room.
    pub fn keep(&mut self, place: usize, climb: &[u16]) {
        if self.digits.len() + climb.len() < MOST_DIGITS {
            self.places[place] = self.digits.len() as u32;
            self.digits.push(climb.len() as u16);
            self.digits.extend_from_slice(climb);
        }
    }
}
