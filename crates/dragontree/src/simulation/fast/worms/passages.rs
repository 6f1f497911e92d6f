//! Packets on their way through switches.

use super::super::{bytes, make_room};
use super::NONE;

/// A packet on its way through a switch, from its first flit's coming in to its last one's leaving.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Passage {
    /// The buffer that it is in, as an inlet, and the buffer that it is to be sent to, by its channel;
    /// none where its way has ended.
    pub(in super::super) from: u32,
    pub(in super::super) to: u32,
    /// None where nothing passes.
    pub(in super::super) packet: u32,
    /// What is left of its path then.
    pub(in super::super) path: u32,
    /// Flits of the packet, those of them that have come in, and those of these that have been sent on.
    pub(in super::super) flits: u32,
    pub(in super::super) arrived: u32,
    pub(in super::super) sent: u32,
    /// When the last bit of the latest flit is through to the allocator; those before it are.
    pub(in super::super) tail: u64,
}

impl Passage {
    /// Flits that wait.
    pub(in super::super) fn waiting(&self) -> u32 {
        self.arrived - self.sent
    }
}

/// All of them, by places.
#[derive(Default)]
pub(in super::super) struct Passages {
    all: Vec<Passage>,
    unused: Vec<u32>,
}

impl Passages {
    pub(in super::super) fn get(&self, place: u32) -> Option<&Passage> {
        self.all.get(place as usize)
    }

    pub(in super::super) fn get_mut(&mut self, place: u32) -> Option<&mut Passage> {
        self.all.get_mut(place as usize)
    }

    /// Adds one; returns its place.
    pub(in super::super) fn add(&mut self, passage: Passage) -> u32 {
        match self.unused.pop() {
            Some(place) => {
                self.all[place as usize] = passage;
                place
            }
            None => self.add_another(passage),
        }
    }

    #[cold]
    fn add_another(&mut self, passage: Passage) -> u32 {
        make_room(&mut self.all);
        self.all.push(passage);
        self.all.len() as u32 - 1
    }

    /// Writes one over, or adds it where it has no place. Returns its place; none where it is over, and
    /// is not kept.
    #[inline(always)]
    pub(in super::super) fn keep(&mut self, place: u32, passage: Passage, is_over: bool) -> u32 {
        match (self.all.get_mut(place as usize), is_over) {
            (Some(kept), false) => {
                *kept = passage;
                place
            }
            (Some(_), true) => {
                self.end(place);
                NONE
            }
            (None, false) => self.add(passage),
            (None, true) => NONE,
        }
    }

    /// Forgets one.
    pub(in super::super) fn end(&mut self, place: u32) {
        if let Some(passage) = self.get_mut(place) {
            passage.packet = NONE;
            make_room(&mut self.unused);
            self.unused.push(place);
        }
    }

    /// Those that there are.
    #[cfg(any(feature = "complete", debug_assertions))]
    pub(in super::super) fn iter(&self) -> impl Iterator<Item = &Passage> {
        self.all.iter().filter(|passage| passage.packet != NONE)
    }

    /// The memory that they take.
    pub(in super::super) fn memory(&self) -> u64 {
        bytes(&self.all) + bytes(&self.unused)
    }
}
