//! Ways that are walked once and then looked up, for pairs that share them.

use super::loads::{Loads, Place};
use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::routing::Sharing;

/// Ways by what their sources and their destinations have in common.
pub(super) struct Ways {
    /// For each slot the row and the column of its ways.
    rows: Vec<u32>,
    columns: Vec<u32>,
    width: usize,
    /// For each row and column where its ways begin and end, or [`UNKNOWN`].
    places: Vec<(u32, u32)>,
    channels: Vec<Place>,
    /// The probabilities that belong to `channels`; empty while all of them are 1.
    shares: Vec<f64>,
}

const UNKNOWN: (u32, u32) = (u32::MAX, 0);

/// The most pairs of rows and columns, and the most channels on all ways together.
const MOST_PAIRS: usize = 1 << 23;
const MOST_CHANNELS: usize = 1 << 25;

impl Ways {
    /// Nothing where pairs share too little for it to help, or there are too many of them.
    pub fn new(network: &Network, sharing: Sharing, slots: &[Option<PortId>]) -> Option<Ways> {
        let switch = |slot: &Option<PortId>| match network.neighbor((*slot)?)? {
            Node::Switch(SwitchId(switch)) => Some(switch),
            Node::Endpoint(EndpointId(_)) => None,
        };
        let switches: Vec<u32> =
            slots.iter().map(|slot| switch(slot).unwrap_or(u32::MAX)).collect();
        let mut known: Vec<u32> = switches.iter().copied().filter(|id| *id != u32::MAX).collect();
        known.sort_unstable();
        known.dedup();
        let place = |switch: &u32| known.binary_search(switch).map_or(0, |place| place as u32);
        let by_switch: Vec<u32> = switches.iter().map(place).collect();
        let alone: Vec<u32> = (0..slots.len() as u32).collect();
        let (rows, columns) = match sharing {
            Sharing::Nothing => return None,
            Sharing::Sources => (by_switch, alone),
            Sharing::Destinations => (alone, by_switch),
            Sharing::Switches => (by_switch.clone(), by_switch),
        };
        let count = |places: &[u32]| places.iter().max().map_or(0, |last| *last as usize + 1);
        let (height, width) = (count(&rows), count(&columns));
        let pairs = height.checked_mul(width).filter(|pairs| *pairs <= MOST_PAIRS)?;
        let places = vec![UNKNOWN; pairs];
        Some(Ways { rows, columns, width, places, channels: Vec::new(), shares: Vec::new() })
    }

    fn place(&self, source: usize, destination: usize) -> usize {
        self.rows[source] as usize * self.width + self.columns[destination] as usize
    }

    /// Puts a flow on the channels of a pair whose ways are known; whether they are.
    pub fn load(&self, source: usize, destination: usize, loads: &mut Loads) -> bool {
        let (first, end) = self.places[self.place(source, destination)];
        if first == UNKNOWN.0 {
            return false;
        }
        let range = first as usize..end as usize;
        let channels = &self.channels[range.clone()];
        match self.shares.get(range) {
            None => channels.iter().for_each(|channel| loads.add(*channel)),
            Some(shares) => {
                let parts = channels.iter().zip(shares);
                parts.for_each(|(channel, share)| loads.add_share(*channel, *share));
            }
        }
        true
    }

    /// Keeps the ways of a pair, its channels with their probabilities, while there is room.
    pub fn keep(
        &mut self,
        source: usize,
        destination: usize,
        ways: &[(PortId, f64)],
        loads: &Loads,
    ) {
        if self.channels.len() + ways.len() > MOST_CHANNELS {
            return;
        }
        let place = self.place(source, destination);
        let first = self.channels.len();
        if self.shares.is_empty() && ways.iter().any(|(_, share)| *share != 1.0) {
            self.shares = vec![1.0; first];
        }
        let parted = !self.shares.is_empty();
        self.channels.extend(ways.iter().map(|(port, _)| loads.place(*port)));
        if parted || ways.iter().any(|(_, share)| *share != 1.0) {
            self.shares.extend(ways.iter().map(|(_, share)| *share));
        }
        self.places[place] = (first as u32, self.channels.len() as u32);
    }
}
