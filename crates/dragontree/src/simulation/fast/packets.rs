//! The packets under way, and their ways as codes.

use crate::network::{EndpointId, Node};
use crate::routing::{Code, Exit, Word};

use super::super::Setup;
use super::wheel::Event;
use super::{bytes, make_room, reserve};

/// Stands for no more codes.
const NONE: u32 = u32::MAX;
/// Marks a place among the parts; a path has fewer bits.
const FAR: u32 = 1 << 31;

/// So many packets take about what the near caches hold besides all else.
const NEAR: usize = 1 << 14;

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
    pub(super) code: Code,
    pub(super) mask: u32,
    /// Codes in a path, and their bits.
    codes: usize,
    room: u32,
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
    fn switches(&self) -> usize {
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

    fn path(&self, exits: &[Exit]) -> u32 {
        exits.iter().rev().fold(END, |path, exit| path << self.code.bits | self.code.of(*exit))
    }
}

/// The path of codes in so many bits, as many as a path has room for.
#[inline(always)]
fn path_of(codes: u64, bits: u32) -> u32 {
    codes as u32 & ((1 << bits) - 1) | END << bits
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
    parts: Vec<Rest>,
    unused_parts: Vec<u32>,
}

impl<P: Record> Packets<P> {
    pub(super) fn new(coding: Coding) -> Packets<P> {
        Packets {
            coding,
            packets: Vec::new(),
            unused: Vec::new(),
            more: Vec::new(),
            parts: Vec::new(),
            unused_parts: Vec::new(),
        }
    }

    /// Makes room for so many packets.
    pub(super) fn make_room(&mut self, packets: usize) {
        self.packets.reserve_exact(packets);
    }

    /// Keeps a packet that goes this way; returns where it is kept, and the beginning of its way as a
    /// path.
    #[inline(always)]
    pub(super) fn insert(&mut self, mut packet: P, way: &Way<'_>) -> (u32, u32) {
        packet.cross(way.switches());
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

    /// Keeps the way of a packet; returns its beginning as a path.
    #[inline(always)]
    pub(super) fn set_way(&mut self, place: u32, way: &Way<'_>) -> u32 {
        self.packets[place as usize].cross(way.switches());
        self.begin(place, way)
    }

    #[inline(always)]
    fn begin(&mut self, place: u32, way: &Way<'_>) -> u32 {
        let Coding { codes, room, .. } = self.coding;
        match way {
            Way::Word(Word { bits, steps }) => {
                let used = steps.get() * self.coding.code.bits;
                if used <= room {
                    return path_of(*bits, used);
                }
                let rest = (room..used).step_by(room as usize);
                self.keep(place, rest.map(|from| path_of(bits >> from, room.min(used - from))));
                path_of(*bits, room)
            }
            Way::Exits(way) => match way.split_at_checked(codes) {
                Some((first, rest)) if !rest.is_empty() => {
                    let coding = self.coding;
                    self.keep(place, rest.chunks(codes).map(|exits| coding.path(exits)));
                    coding.path(first)
                }
                _ => self.coding.path(way),
            },
        }
    }

    /// Keeps the later parts of a packet's way.
    #[inline(never)]
    fn keep(&mut self, packet: u32, parts: impl DoubleEndedIterator<Item = u32>) {
        let more = parts.rev().fold(NONE, |next, path| match next {
            NONE => path,
            _ => self.keep_part(Rest { path, next }),
        });
        if self.more.len() < self.packets.len() {
            self.more.reserve_exact(self.packets.capacity() - self.more.len());
            self.more.resize(self.packets.len(), NONE);
        }
        self.more[packet as usize] = more;
    }

    fn keep_part(&mut self, part: Rest) -> u32 {
        let place = match self.unused_parts.pop() {
            Some(place) => {
                self.parts[place as usize] = part;
                place
            }
            None => {
                make_room(&mut self.parts);
                self.parts.push(part);
                self.parts.len() as u32 - 1
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
                make_room(&mut self.unused_parts);
                self.unused_parts.push(place ^ FAR);
                self.parts[(place ^ FAR) as usize]
            }
        };
        *more = next;
        path
    }

    /// What is left of a packet's way after `path`: the ports' numbers at their switches.
    pub(super) fn numbers(&self, packet: u32, path: u32) -> Vec<u32> {
        let mut numbers = Vec::new();
        let mut part = Rest { path, next: self.more.get(packet as usize).copied().unwrap_or(NONE) };
        loop {
            while part.path > END {
                numbers.push((part.path & self.coding.mask) >> self.coding.code.lane_bits);
                part.path >>= self.coding.code.bits;
            }
            part = match part.next {
                NONE => return numbers,
                path if path < FAR => Rest { path, next: NONE },
                place => self.parts[(place ^ FAR) as usize],
            };
        }
    }

    pub(super) fn get(&self, packet: u32) -> &P {
        &self.packets[packet as usize]
    }

    /// Forgets a packet and returns what was known of it.
    #[inline]
    pub(super) fn remove(&mut self, packet: u32) -> P {
        self.leave(std::iter::once(packet));
        self.packets[packet as usize]
    }

    /// Forgets packets. What was known of them can be asked for until others are kept.
    pub(super) fn leave(&mut self, packets: impl ExactSizeIterator<Item = u32>) {
        reserve(&mut self.unused, packets.len());
        self.unused.extend(packets);
    }

    /// The memory that the packets take.
    pub(super) fn memory(&self) -> u64 {
        let parts = bytes(&self.parts) + bytes(&self.unused_parts) + bytes(&self.more);
        bytes(&self.packets) + bytes(&self.unused) + parts
    }

    /// Whether those that there were at once take more memory than the near caches hold.
    pub(super) fn are_many(&self) -> bool {
        self.packets.len() > NEAR
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
