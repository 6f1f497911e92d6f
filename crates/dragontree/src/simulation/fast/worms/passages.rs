//! Packets on their way through switches.

use super::super::paths::{Coding, END};
use super::super::slots::Slots;
use super::super::wheel::Event;
use super::{NONE, following};

/// A packet on its way through a switch, from its first flit's coming in to its last one's leaving.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Passage {
    /// The buffer that it is in, as an inlet, and the buffer that it is to be sent to, by its channel;
    /// none where its way has ended.
    pub(in super::super) from: u32,
    pub(in super::super) to: u32,
    pub(in super::super) packet: u32,
    /// What is left of its path then.
    path: u32,
    /// Flits of the packet, those of them that have come in, and those of these that have been sent on.
    flits: u32,
    pub(in super::super) arrived: u32,
    pub(in super::super) sent: u32,
    /// When the last bit of the latest flit is through to the allocator; those before it are.
    pub(in super::super) tail: u64,
}

impl Passage {
    /// That of a packet of so many flits of which the first comes in, to go on by this path; `first` is the
    /// first buffer behind the switch's outputs.
    #[inline(always)]
    pub(in super::super) fn new(
        event: Event,
        path: u32,
        first: u32,
        coding: Coding,
        flits: u32,
    ) -> Passage {
        let to = if path == END { NONE } else { first + (path & coding.mask) };
        let Event { buffer: from, packet, .. } = event;
        let path = path >> coding.code.bits;
        Passage { from, to, packet, path, flits, arrived: 0, sent: 0, tail: 0 }
    }

    /// Flits that wait.
    pub(in super::super) fn waiting(&self) -> u32 {
        self.arrived - self.sent
    }

    /// Whether all flits have come in.
    pub(in super::super) fn is_in(&self) -> bool {
        self.arrived == self.flits
    }

    /// Of the flit that was sent last, whether it was the first, and the last of all.
    pub(in super::super) fn has_begun(&self) -> bool {
        self.sent == 1
    }

    pub(in super::super) fn is_over(&self) -> bool {
        self.sent == self.flits
    }

    /// When the last bit of the flit that was sent last is through to the allocator, or some time before
    /// now: those before the latest are.
    pub(in super::super) fn tail_sent(&self) -> u64 {
        if self.waiting() == 0 { self.tail } else { 0 }
    }

    /// Packet and path of the event of its coming in at the next switch.
    pub(in super::super) fn next(&self) -> (u32, u32) {
        match self.has_begun() {
            true => (self.packet, self.path),
            false => following(self.packet),
        }
    }
}

/// All of them, by places.
pub(in super::super) type Passages = Slots<Passage>;

impl Passages {
    /// Writes one over, or adds it where it has no place; one that is over is not kept. Returns its place
    /// if it has one.
    #[inline(always)]
    pub(in super::super) fn keep(&mut self, place: u32, passage: Passage) -> u32 {
        match (self.get_mut(place), passage.is_over()) {
            (Some(kept), false) => {
                *kept = passage;
                place
            }
            (Some(_), true) => {
                self.leave(std::iter::once(place));
                NONE
            }
            (None, false) => self.add(passage),
            (None, true) => NONE,
        }
    }
}
