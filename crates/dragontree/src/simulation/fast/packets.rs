//! The packets under way, and their ways as codes.

use crate::network::Node;
use crate::routing::Exit;

use super::super::Setup;
use super::bytes;

/// Stands for no more codes.
const NONE: u32 = u32::MAX;

/// What has to be known of a packet when it is delivered. What has to be known at every switch is
/// in its events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) born: u64,
    pub(super) source: u32,
    pub(super) number: u32,
    pub(super) destination: u32,
    /// The rest of the way, in `words`, that did not fit into the event.
    more: u32,
    pub(super) switches: u32,
}

impl Packet {
    /// A packet that knows no way yet.
    pub(super) fn new(born: u64, source: u32, number: u32, destination: u32) -> Packet {
        Packet { born, source, number, destination, more: NONE, switches: 0 }
    }
}

/// How ways are written: for each switch a code of port number and virtual channel, the next in
/// the lowest bits; a one stands above the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coding {
    pub(super) bits: u32,
    pub(super) mask: u32,
    lane_bits: u32,
    lanes: u8,
    /// Codes in a word.
    codes: usize,
}

/// A path without codes.
pub(super) const END: u32 = 1;

impl Coding {
    pub(super) fn new(setup: &Setup, lane_bits: u32) -> Coding {
        let network = &setup.network;
        let ports = |switch| network.ports(Node::Switch(switch)).len() as u32;
        let most = network.switches().map(ports).max().unwrap_or(0);
        let number_bits = u32::BITS - most.saturating_sub(1).leading_zeros();
        let bits = (number_bits + lane_bits).clamp(1, u32::BITS - 1);
        let codes = ((u32::BITS - 1) / bits) as usize;
        let lanes = setup.virtual_channels.max(1);
        Coding { bits, mask: (1 << bits) - 1, lane_bits, lanes, codes }
    }

    fn code(&self, exit: &Exit) -> u32 {
        let lane = exit.vc.min(self.lanes - 1);
        (exit.number << self.lane_bits | u32::from(lane)) & self.mask
    }

    fn word(&self, exits: &[Exit]) -> u32 {
        exits.iter().rev().fold(END, |word, exit| word << self.bits | self.code(exit))
    }
}

#[derive(Clone, Copy, Debug)]
struct Word {
    path: u32,
    next: u32,
}

/// The packets under way.
pub(super) struct Packets {
    pub(super) coding: Coding,
    packets: Vec<Packet>,
    unused: Vec<u32>,
    words: Vec<Word>,
    unused_words: Vec<u32>,
}

impl Packets {
    pub(super) fn new(coding: Coding) -> Packets {
        Packets {
            coding,
            packets: Vec::new(),
            unused: Vec::new(),
            words: Vec::new(),
            unused_words: Vec::new(),
        }
    }

    /// Keeps a packet that leaves the switches on its way by these ports; returns where it is
    /// kept, and the beginning of its way as codes.
    #[inline]
    pub(super) fn insert(&mut self, packet: Packet, way: &[Exit]) -> (u32, u32) {
        let (first, rest) = way.split_at(way.len().min(self.coding.codes));
        let more = if rest.is_empty() { NONE } else { self.keep(rest) };
        let packet = Packet { more, switches: way.len() as u32, ..packet };
        let path = self.coding.word(first);
        match self.unused.pop() {
            Some(place) => {
                self.packets[place as usize] = packet;
                (place, path)
            }
            None => {
                self.packets.push(packet);
                (self.packets.len() as u32 - 1, path)
            }
        }
    }

    #[cold]
    fn keep(&mut self, way: &[Exit]) -> u32 {
        way.chunks(self.coding.codes).rev().fold(NONE, |next, exits| {
            let word = Word { path: self.coding.word(exits), next };
            match self.unused_words.pop() {
                Some(place) => {
                    self.words[place as usize] = word;
                    place
                }
                None => {
                    self.words.push(word);
                    self.words.len() as u32 - 1
                }
            }
        })
    }

    /// The next part of a packet's way, when one part is at its end; [`END`] when the way is.
    #[cold]
    pub(super) fn refill(&mut self, packet: u32) -> u32 {
        let more = &mut self.packets[packet as usize].more;
        let Some(word) = self.words.get(*more as usize) else { return END };
        self.unused_words.push(*more);
        *more = word.next;
        word.path
    }

    pub(super) fn get(&self, packet: u32) -> &Packet {
        &self.packets[packet as usize]
    }

    /// Forgets a packet and returns what was known of it.
    #[inline]
    pub(super) fn remove(&mut self, packet: u32) -> Packet {
        self.unused.push(packet);
        self.packets[packet as usize]
    }

    /// The memory that the packets take.
    pub(super) fn memory(&self) -> u64 {
        bytes(&self.packets) + bytes(&self.unused) + bytes(&self.words) + bytes(&self.unused_words)
    }

    /// How many packets are under way.
    pub(super) fn count(&self) -> u64 {
        (self.packets.len() - self.unused.len()) as u64
    }

    /// Whether some packet was generated before this time.
    pub(super) fn has_older_than(&self, time: u64) -> bool {
        let mut unused = vec![false; self.packets.len()];
        self.unused.iter().for_each(|place| unused[*place as usize] = true);
        let mut under_way = self.packets.iter().zip(&unused).filter(|(_, unused)| !**unused);
        under_way.any(|(packet, _)| packet.born < time)
    }
}
