//! How ways are taken down: step by step, in one form or another.

use std::num::NonZeroU32;

/// How a packet leaves one of the switches on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The number of the output port on the switch.
    pub number: u32,
    /// The virtual channel of the buffer at the other end.
    pub vc: u8,
}

/// What takes down a way.
pub(super) trait Steps {
    /// Adds a step, if it is one, to those before it. Often it is one and often not, which a branch would
    /// often get wrong: what has to be quick takes none.
    fn add_if(&mut self, is_one: bool, exit: Exit);

    /// Adds a step to those before it.
    fn add(&mut self, exit: Exit) {
        self.add_if(true, exit);
    }
}

impl Steps for Vec<Exit> {
    #[inline]
    fn add_if(&mut self, is_one: bool, exit: Exit) {
        if is_one {
            self.push(exit);
        }
    }
}

/// How a step is written in a few bits.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// The bits of a step: the virtual channel in the lowest, above it the port's number.
    pub bits: u32,
    /// Those of the virtual channel.
    pub lane_bits: u32,
    /// The last virtual channel; those beyond are written as this one.
    pub last_lane: u8,
}

impl Code {
    /// A step in bits.
    #[inline(always)]
    pub fn of(&self, exit: Exit) -> u32 {
        debug_assert!(u64::from(exit.number) << self.lane_bits >> self.bits == 0);
        exit.number << self.lane_bits | u32::from(exit.vc.min(self.last_lane))
    }

    /// Writes ways of up to so many steps, if a [`Word`] has room for them and a bit.
    #[inline]
    pub(super) fn writer(self, steps: u32) -> Option<Writer> {
        let has_room = steps * self.bits < u64::BITS;
        has_room.then_some(Writer { code: self, bits: 0, used: 0, steps: 0 })
    }
}

/// A whole way in one word: a code for each step, the first in the lowest bits, and room for a bit above
/// them. There is a step at least, so that two registers hold an option of it.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The codes.
    pub bits: u64,
    /// How many.
    pub steps: NonZeroU32,
}

/// Takes down a way in one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writer {
    code: Code,
    bits: u64,
    used: u32,
    steps: u32,
}

impl Writer {
    /// The number of the port by which the way leaves its first switch; 0 where it does not.
    #[inline]
    pub(super) fn first(&self) -> u32 {
        (self.bits as u32 & ((1 << self.code.bits) - 1)) >> self.code.lane_bits
    }

    /// How many steps have been written.
    #[inline]
    pub(super) fn steps(&self) -> u32 {
        self.steps
    }

    /// What has been written, with a last step.
    #[inline(always)]
    pub(super) fn end(mut self, last: Exit) -> Word {
        let before = self.steps;
        self.add(last);
        Word { bits: self.bits, steps: NonZeroU32::MIN.saturating_add(before) }
    }

    /// What has been written; none where nothing has.
    #[inline(always)]
    pub(super) fn word(self) -> Option<Word> {
        Some(Word { bits: self.bits, steps: NonZeroU32::new(self.steps)? })
    }
}

impl Steps for Writer {
    #[inline(always)]
    fn add_if(&mut self, is_one: bool, exit: Exit) {
        let all = u32::from(is_one).wrapping_neg();
        // What is no step may stand beyond the last place.
        self.bits |= u64::from(self.code.of(exit) & all).wrapping_shl(self.used);
        self.used += self.code.bits & all;
        self.steps += u32::from(is_one);
    }
}
