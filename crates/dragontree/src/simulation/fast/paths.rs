//! The ways of packets as codes.
//!
//! A path is what an event holds of a way: as many codes as there is room for. A long path is a whole way in
//! 64 bits: of one that a packet is about to begin, the first code is used at once, and what is left is more
//! often short enough for a path.

use crate::network::{EndpointId, Node};
use crate::routing::{Code, Exit, Word};

use super::super::Setup;

/// How ways are written: for each switch a code of port number and virtual channel, the next in
/// the lowest bits; a one stands above the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coding {
    pub(super) code: Code,
    pub(super) mask: u32,
    /// Codes in a path, and their bits.
    pub(super) codes: usize,
    pub(super) room: u32,
}

/// The whole way of a packet from its source's switch.
pub(super) enum Way<'a> {
    Word(Word),
    Exits(&'a [Exit]),
}

/// A path without codes.
pub(super) const END: u32 = 1;
/// Marks a path that is decided later, at the source's switch; the bits below are the destination.
const UNDECIDED: u32 = 1 << 31;

/// The path of a packet to this endpoint whose way is decided later.
pub(super) fn undecided(destination: EndpointId) -> u32 {
    debug_assert!(destination.0 < UNDECIDED);
    UNDECIDED | destination.0
}

/// Where a packet goes whose way is to be decided now.
#[inline]
pub(super) fn undecided_destination(path: u32) -> Option<EndpointId> {
    let undecided = cfg!(feature = "complete") && path >= UNDECIDED;
    undecided.then_some(EndpointId(path & !UNDECIDED))
}

/// Whether the next code of a path is there.
#[inline(always)]
pub(super) fn has_code(path: u32) -> bool {
    path.wrapping_sub(END + 1) < UNDECIDED - END - 1
}

impl Way<'_> {
    /// The way in one word, where there is that, or by these exits.
    #[inline(always)]
    pub(super) fn of(word: Option<Word>, exits: &[Exit]) -> Way<'_> {
        word.map_or(Way::Exits(exits), Way::Word)
    }

    #[inline(always)]
    pub(super) fn switches(&self) -> usize {
        match self {
            Way::Word(word) => word.steps.get() as usize,
            Way::Exits(exits) => exits.len(),
        }
    }
}

impl Coding {
    pub(super) fn new(setup: &Setup, lane_bits: u32) -> Coding {
        let network = &setup.network;
        let ports = |switch| network.ports(Node::Switch(switch)).len() as u32;
        let most = network.switches().map(ports).max().unwrap_or(0);
        let number_bits = u32::BITS - most.saturating_sub(1).leading_zeros();
        // One bit for the end, one for the mark of a path that is decided later.
        let room = u32::BITS - 2;
        let bits = (number_bits + lane_bits).clamp(1, room);
        let code = Code { bits, lane_bits, last_lane: setup.virtual_channels.max(1) - 1 };
        let codes = room / bits;
        Coding { code, mask: (1 << bits) - 1, codes: codes as usize, room: codes * bits }
    }

    /// A way in one word as a long path.
    #[inline(always)]
    pub(super) fn long(&self, Word { bits, steps }: Word) -> u64 {
        bits | u64::from(END) << (steps.get() * self.code.bits)
    }

    pub(super) fn path(&self, exits: &[Exit]) -> u32 {
        exits.iter().rev().fold(END, |path, exit| path << self.code.bits | self.code.of(*exit))
    }
}

/// The path of codes in so many bits, as many as a path has room for.
#[inline(always)]
pub(super) fn path_of(codes: u64, bits: u32) -> u32 {
    codes as u32 & ((1 << bits) - 1) | END << bits
}
