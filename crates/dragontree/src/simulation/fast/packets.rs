//! The packets under way, and their ways as codes.

use crate::network::{EndpointId, Node};
use crate::routing::Exit;

use super::super::Setup;
use super::wheel::Event;
use super::{bytes, make_room};

/// Stands for no more codes.
const NONE: u32 = u32::MAX;
/// Marks a place among the words; a word has fewer bits.
const FAR: u32 = 1 << 31;

/// What is kept of a packet under way.
pub(super) trait Record: Copy {
    /// Notes that the packet's way leads over so many switches more.
    fn cross(&mut self, switches: usize);
}

/// What has to be known of a packet when it is delivered. What has to be known at every switch is
/// in its events.
///
/// Two whole words, which stay in registers until they are written. Narrower parts would be put
/// together in memory, and reading them as one there waits for every write before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) born: u64,
    /// From the lowest bits on the number of the packet at its source, the source, and how many
    /// switches are on the way; as many as there are or more is the same number.
    rest: u64,
}

/// Where in the rest of a packet the source begins, and the number of switches.
const SOURCE: u32 = 32;
const SWITCHES: u32 = 56;

impl Packet {
    /// A packet that knows no way yet.
    pub(super) fn new(born: u64, source: u32, number: u32) -> Packet {
        debug_assert!(source >> (SWITCHES - SOURCE) == 0);
        Packet { born, rest: u64::from(number) | u64::from(source) << SOURCE }
    }

    pub(super) fn number(&self) -> u32 {
        self.rest as u32
    }

    pub(super) fn source(&self) -> u32 {
        (self.rest >> SOURCE) as u32 & ((1 << (SWITCHES - SOURCE)) - 1)
    }

    pub(super) fn switches(&self) -> u8 {
        (self.rest >> SWITCHES) as u8
    }
}

impl Record for Packet {
    #[inline(always)]
    fn cross(&mut self, switches: usize) {
        self.rest |= (switches.min(usize::from(u8::MAX)) as u64) << SWITCHES;
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

impl Coding {
    pub(super) fn new(setup: &Setup, lane_bits: u32) -> Coding {
        let network = &setup.network;
        let ports = |switch| network.ports(Node::Switch(switch)).len() as u32;
        let most = network.switches().map(ports).max().unwrap_or(0);
        let number_bits = u32::BITS - most.saturating_sub(1).leading_zeros();
        // One bit for the end, one for the mark of a path that is decided later.
        let room = u32::BITS - 2;
        let bits = (number_bits + lane_bits).clamp(1, room);
        let codes = (room / bits) as usize;
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

/// A part of a packet's way that did not fit into the event, and what is left after that: the last
/// part itself, [`FAR`] and a place among the others, or [`NONE`].
#[derive(Clone, Copy, Debug)]
struct Rest {
    path: u32,
    next: u32,
}

/// The packets under way.
pub(super) struct Packets<P = Packet> {
    pub(super) coding: Coding,
    packets: Vec<P>,
    unused: Vec<u32>,
    /// For each packet what is left after the part in its event, as in a [`Rest`]; as far as there
    /// ever was any.
    more: Vec<u32>,
    words: Vec<Rest>,
    unused_words: Vec<u32>,
}

impl<P: Record> Packets<P> {
    pub(super) fn new(coding: Coding) -> Packets<P> {
        Packets {
            coding,
            packets: Vec::new(),
            unused: Vec::new(),
            more: Vec::new(),
            words: Vec::new(),
            unused_words: Vec::new(),
        }
    }

    /// Makes room for so many packets.
    pub(super) fn make_room(&mut self, packets: usize) {
        self.packets.reserve_exact(packets);
    }

    /// Keeps a packet that leaves the switches on its way by these ports; returns where it is
    /// kept, and the beginning of its way as codes.
    #[inline(always)]
    pub(super) fn insert(&mut self, mut packet: P, way: &[Exit]) -> (u32, u32) {
        packet.cross(way.len());
        let place = self.add(packet);
        (place, self.begin(place, way))
    }

    /// Keeps a packet whose way is not known yet; returns where.
    #[inline(always)]
    pub(super) fn add(&mut self, packet: P) -> u32 {
        match self.unused.pop() {
            Some(place) => {
                self.packets[place as usize] = packet;
                place
            }
            None => self.add_another(packet),
        }
    }

    #[cold]
    fn add_another(&mut self, packet: P) -> u32 {
        make_room(&mut self.packets);
        self.packets.push(packet);
        self.packets.len() as u32 - 1
    }

    /// Keeps the ports by which a packet leaves the switches on its way; returns the beginning of the
    /// way as codes.
    #[inline(always)]
    pub(super) fn set_way(&mut self, place: u32, way: &[Exit]) -> u32 {
        self.packets[place as usize].cross(way.len());
        self.begin(place, way)
    }

    #[inline(always)]
    fn begin(&mut self, place: u32, way: &[Exit]) -> u32 {
        match way.split_at_checked(self.coding.codes) {
            Some((first, rest)) if !rest.is_empty() => {
                self.keep(place, rest);
                self.coding.word(first)
            }
            _ => self.coding.word(way),
        }
    }

    #[cold]
    fn keep(&mut self, packet: u32, way: &[Exit]) {
        let coding = self.coding;
        let rest = way.chunks(coding.codes).map(|exits| coding.word(exits)).rev();
        let more = rest.fold(NONE, |next, path| match next {
            NONE => path,
            _ => self.keep_word(Rest { path, next }),
        });
        if self.more.len() < self.packets.len() {
            self.more.reserve_exact(self.packets.capacity() - self.more.len());
            self.more.resize(self.packets.len(), NONE);
        }
        self.more[packet as usize] = more;
    }

    fn keep_word(&mut self, word: Rest) -> u32 {
        let place = match self.unused_words.pop() {
            Some(place) => {
                self.words[place as usize] = word;
                place
            }
            None => {
                make_room(&mut self.words);
                self.words.push(word);
                self.words.len() as u32 - 1
            }
        };
        FAR | place
    }

    /// Takes the next part of the way of every packet whose part is at its end. In one go, since these
    /// parts are anywhere in memory and waiting for one of them takes as long as for many.
    pub(super) fn refill_all(&mut self, events: &mut [Event]) {
        if self.more.is_empty() {
            return;
        }
        for event in events.iter_mut().filter(|event| event.path == END) {
            event.path = self.refill(event.packet);
        }
    }

    /// Takes the next part of a packet's way, when one part is at its end; [`END`] when the way is.
    #[inline]
    pub(super) fn refill(&mut self, packet: u32) -> u32 {
        let Some(more) = self.more.get_mut(packet as usize) else { return END };
        let Rest { path, next } = match *more {
            NONE => return END,
            path if path < FAR => Rest { path, next: NONE },
            place => {
                make_room(&mut self.unused_words);
                self.unused_words.push(place ^ FAR);
                self.words[(place ^ FAR) as usize]
            }
        };
        *more = next;
        path
    }

    /// What is left of a packet's way after `path`: the ports' numbers at their switches.
    pub(super) fn numbers(&self, packet: u32, path: u32) -> Vec<u32> {
        let mut numbers = Vec::new();
        let mut word = Rest { path, next: self.more.get(packet as usize).copied().unwrap_or(NONE) };
        loop {
            while word.path > END {
                numbers.push((word.path & self.coding.mask) >> self.coding.lane_bits);
                word.path >>= self.coding.bits;
            }
            word = match word.next {
                NONE => return numbers,
                path if path < FAR => Rest { path, next: NONE },
                place => self.words[(place ^ FAR) as usize],
            };
        }
    }

    pub(super) fn get(&self, packet: u32) -> &P {
        &self.packets[packet as usize]
    }

    /// Forgets a packet and returns what was known of it.
    #[inline]
    pub(super) fn remove(&mut self, packet: u32) -> P {
        make_room(&mut self.unused);
        self.unused.push(packet);
        self.packets[packet as usize]
    }

    /// The memory that the packets take.
    pub(super) fn memory(&self) -> u64 {
        let words = bytes(&self.words) + bytes(&self.unused_words) + bytes(&self.more);
        bytes(&self.packets) + bytes(&self.unused) + words
    }

    /// How many packets are under way.
    pub(super) fn count(&self) -> u64 {
        (self.packets.len() - self.unused.len()) as u64
    }
}

impl Packets {
    /// Reads a little of a packet, so that it comes into the near caches. What it returns means nothing, but
    /// has to be used.
    #[inline]
    pub(super) fn touch(&self, packet: u32) -> u32 {
        self.packets.get(packet as usize).map_or(0, Packet::number)
    }

    /// Reads a little of every packet whose way is decided now, so that all come into the near caches in
    /// one go: what is noted of each then would else be waited for. What it returns means nothing, but has
    /// to be used.
    pub(super) fn touch_undecided(&self, events: &[Event]) -> u32 {
        let undecided = events.iter().filter(|event| event.path >= UNDECIDED);
        let packets = undecided.filter_map(|event| self.packets.get(event.packet as usize));
        packets.fold(0, |sum, packet| sum ^ packet.number())
    }

    /// Whether some packet was generated before this time.
    pub(super) fn has_older_than(&self, time: u64) -> bool {
        let mut unused = vec![false; self.packets.len()];
        self.unused.iter().for_each(|place| unused[*place as usize] = true);
        let mut under_way = self.packets.iter().zip(&unused).filter(|(_, unused)| !**unused);
        under_way.any(|(packet, _)| packet.born < time)
    }
}
