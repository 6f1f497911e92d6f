//! Wormhole switching: what is known of packets that come in flits, one after the other.
//!
//! The event of a packet's first flit is that of a packet which moves whole. Those of the others tell
//! only that one more flit has come into a buffer: a packet keeps an output's virtual channel from its
//! first flit to its last, so that packets come into a buffer one after the other, and where the first
//! flit has gone is known there. The flits of a packet that wait at a switch are counted; the first of
//! them stands for all in the list of those that wait for the virtual channel.

use super::bytes;
use super::parked::{Lines, Parked};
use super::paths::END;
use super::wheel::Event;

mod passages;
#[cfg(feature = "complete")]
mod waits;

pub(super) use passages::{Passage, Passages};
#[cfg(feature = "complete")]
pub(super) use waits::Whereabouts;

/// Stands for no passage.
pub(super) const NONE: u32 = u32::MAX;
/// Marks the packet of an event as one of which another flit than the first has come in.
const FOLLOWING: u32 = 1 << 31;
/// The path of such an event.
const AFTER_THE_FIRST: u32 = END + 1;

/// Packet and path of the event of a flit's coming in that is not the first of its packet.
pub(super) fn following(packet: u32) -> (u32, u32) {
    (packet | FOLLOWING, AFTER_THE_FIRST)
}

/// Builds without the feature `complete` know no packets in flits.
#[cfg(feature = "complete")]
type Known = ();
#[cfg(not(feature = "complete"))]
type Known = std::convert::Infallible;

/// The virtual channel of an output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    /// The passage that it belongs to, of which some flits have been sent and some not.
    pub(super) owner: u32,
    /// Flits that wait for it, whosever turn it is.
    waiting: u32,
    /// Since when they have waited and none of them has been sent.
    since: u64,
}

/// The memory that a passage takes, and what is known of a buffer besides.
#[cfg(feature = "complete")]
pub(super) const SIZES: (usize, usize) =
    (size_of::<Passage>() + size_of::<u32>(), size_of::<u32>() + size_of::<Output>());

/// Whether the event of a coming in is of another flit than the first of its packet.
#[inline(always)]
pub(super) fn is_following(event: &Event) -> bool {
    event.packet & FOLLOWING != 0
}

/// The ways of packets in flits through switches.
pub(super) struct Worms {
    _known: Known,
    pub(super) passages: Passages,
    /// For each inlet the passage of which flits are still to come in.
    pub(super) incoming: Vec<u32>,
    /// For each buffer behind a switch's channel.
    pub(super) outputs: Vec<Output>,
    /// When the latest flit is delivered that is not its packet's last.
    pub(super) delivered_until: u64,
}

impl Worms {
    /// For so many buffers.
    #[cfg(feature = "complete")]
    pub(super) fn new(buffers: usize) -> Worms {
        Worms {
            _known: (),
            passages: Passages::new(),
            incoming: vec![NONE; buffers],
            outputs: vec![Output { owner: NONE, waiting: 0, since: 0 }; buffers],
            delivered_until: 0,
        }
    }

    /// Notes that a flit has come in, whose tail will have at `tail`: the first of this passage, or the
    /// next of the packet that comes in. Returns the place of its passage.
    pub(super) fn come_in(&mut self, inlet: u32, first: Option<Passage>, tail: u64) -> u32 {
        let incoming = &mut self.incoming[inlet as usize];
        let place = first.map_or(*incoming, |passage| self.passages.add(passage));
        if let Some(passage) = self.passages.get_mut(place) {
            passage.arrived += 1;
            passage.tail = tail;
            *incoming = if passage.is_in() { NONE } else { place };
        }
        place
    }

    /// Whether a virtual channel is free for the flits of a passage, or has been given to it.
    pub(super) fn has_turn(&self, to: u32, place: u32) -> bool {
        let owner = self.outputs[to as usize].owner;
        owner == NONE || owner == place
    }

    /// Lets the latest flit of a passage wait.
    pub(super) fn wait(&mut self, place: u32, lines: &mut Lines, now: u64) {
        let Some(passage) = self.passages.get(place) else { return };
        let Passage { from, to, sent, arrived, .. } = *passage;
        if sent == 0 && arrived == 1 {
            lines.add(to, Parked { from, packet: place, path: 0, tail: 0 }, now);
        }
        let output = &mut self.outputs[to as usize];
        if output.waiting == 0 {
            output.since = now;
        }
        output.waiting += 1;
    }

    /// Takes the passage out of those that wait for a virtual channel of which a flit is sent next.
    pub(super) fn take_next(&mut self, to: u32, lines: &mut Lines, now: u64) -> u32 {
        let output = &mut self.outputs[to as usize];
        output.waiting -= 1;
        output.since = now;
        match output.owner {
            NONE => lines.take_first(to, now).map_or(NONE, |first| first.packet),
            owner => owner,
        }
    }

    /// Whether a flit waits for a virtual channel whose turn it is.
    pub(super) fn has_next(&self, to: u32, lines: &Lines) -> bool {
        match self.outputs[to as usize].owner {
            NONE => !lines.is_empty(to),
            owner => self.passages.get(owner).is_some_and(|passage| passage.waiting() > 0),
        }
    }

    /// Sends the next flit of a passage on: the virtual channel is the passage's until its last.
    pub(super) fn send(&mut self, place: u32) -> Option<Passage> {
        let mut passage = *self.passages.get(place)?;
        passage.sent += 1;
        let owner = self.passages.keep(place, passage);
        if let Some(output) = self.outputs.get_mut(passage.to as usize) {
            output.owner = owner;
        }
        Some(passage)
    }

    /// Shows each buffer, as an inlet, with the flits that wait in it.
    #[cfg(debug_assertions)]
    pub(super) fn each_waiting(&self, mut show: impl FnMut(u32, u32)) {
        self.passages.iter().for_each(|passage| show(passage.from, passage.waiting()));
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> u64 {
        self.passages.memory() + bytes(&self.incoming) + bytes(&self.outputs)
    }
}
