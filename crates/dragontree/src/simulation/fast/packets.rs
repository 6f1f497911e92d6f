//! The packets under way, and what is left of their ways.

use crate::routing::Word;

use super::bytes;
use super::paths::{Coding, END, Way, path_of};
use super::slots::Slots;
use super::wheel::{Event, find};

/// Stands for no more codes.
const NONE: u32 = u32::MAX;
/// Marks a place among the parts; a path has fewer bits.
const FAR: u32 = 1 << 31;

/// So many packets take about what the near caches hold besides all else.
const NEAR: usize = 1 << 14;

/// What is kept of a packet under way.
pub(super) trait Record: Copy {
    /// Whether it tells how many switches are on the packet's way.
    const TELLS_SWITCHES: bool;

    /// Notes that the packet's way leads over so many switches.
    fn cross(&mut self, switches: usize);
}

/// What has to be known of a packet when it is delivered. What has to be known at every switch is
/// in its events.
///
/// Two whole words, which stay in registers until they are written: narrower parts would be put together
/// in memory, and reading them as one there waits for every write before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) born: u64,
    /// From the lowest bits on the number of the packet at its source, the source, and how many switches are
    /// on the way, if that is known when the packet is kept.
    rest: u64,
}

/// Where in the rest of a packet the source begins, its bits, and what is above them.
const SOURCE: u32 = 32;
const SOURCE_BITS: u32 = 24;
const SWITCHES: u32 = SOURCE + SOURCE_BITS;

/// How many switches are on a way, as packets tell it: the most that can be told or more are one number.
fn told(switches: usize) -> u8 {
    switches.min(usize::from(u8::MAX)) as u8
}

impl Packet {
    /// A packet that knows no way yet.
    pub(super) fn new(born: u64, source: u32, number: u32) -> Packet {
        debug_assert!(source >> SOURCE_BITS == 0);
        Packet { born, rest: u64::from(number) | u64::from(source) << SOURCE }
    }

    pub(super) fn number(&self) -> u32 {
        self.rest as u32
    }

    pub(super) fn source(&self) -> u32 {
        (self.rest >> SOURCE) as u32 & ((1 << SOURCE_BITS) - 1)
    }
}

impl Record for Packet {
    const TELLS_SWITCHES: bool = true;

    #[inline(always)]
    fn cross(&mut self, switches: usize) {
        self.rest |= u64::from(told(switches)) << SWITCHES;
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
    packets: Slots<P>,
    /// For each packet how many switches are on its way where that is known only after it has been kept, as
    /// far as there ever was any. The packet is far away then, and this is nearer.
    switches: Vec<u8>,
    /// For each packet what is left after the part in its event, as in a [`Rest`]; as far as there
    /// ever was any.
    more: Vec<u32>,
    parts: Slots<Rest>,
}

impl<P: Record> Packets<P> {
    pub(super) fn new(coding: Coding) -> Packets<P> {
        let (packets, parts) = (Slots::new(), Slots::new());
        Packets { coding, packets, switches: Vec::new(), more: Vec::new(), parts }
    }

    /// Makes room for so many packets.
    pub(super) fn make_room(&mut self, packets: usize) {
        self.packets.make_room(packets);
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
        self.packets.add(packet)
    }

    /// Keeps the way of a packet; returns its beginning as a path.
    #[inline(always)]
    pub(super) fn set_way(&mut self, place: u32, way: &Way<'_>) -> u32 {
        self.note_switches(place, way.switches());
        self.begin(place, way)
    }

    /// Notes how many switches are on the way of a packet that has been kept.
    #[inline(always)]
    fn note_switches(&mut self, place: u32, switches: usize) {
        if !P::TELLS_SWITCHES {
            return;
        }
        if self.switches.len() <= place as usize {
            self.make_room_for_switches();
        }
        self.switches[place as usize] = told(switches);
    }

    #[cold]
    fn make_room_for_switches(&mut self) {
        self.switches.reserve_exact(self.packets.room() - self.switches.len());
        self.switches.resize(self.packets.places(), 0);
    }

    #[inline(always)]
    fn begin(&mut self, place: u32, way: &Way<'_>) -> u32 {
        match way {
            Way::Word(word) => self.shorten(place, self.coding.long(*word)),
            Way::Exits(way) => match way.split_at_checked(self.coding.codes) {
                Some((first, rest)) if !rest.is_empty() => {
                    let coding = self.coding;
                    self.keep(place, rest.chunks(coding.codes).map(|exits| coding.path(exits)));
                    coding.path(first)
                }
                _ => self.coding.path(way),
            },
        }
    }

    /// Notes how many switches are on a packet's way; returns all of it as a long path.
    #[inline(always)]
    pub(super) fn set_word(&mut self, place: u32, word: Word) -> u64 {
        self.note_switches(place, word.steps.get() as usize);
        self.coding.long(word)
    }

    /// The beginning of a long path, as a path; the rest is kept.
    #[inline(always)]
    pub(super) fn shorten(&mut self, place: u32, long: u64) -> u32 {
        if long >> self.coding.room <= u64::from(END) {
            long as u32
        } else {
            self.split(place, long)
        }
    }

    #[inline(never)]
    fn split(&mut self, place: u32, long: u64) -> u32 {
        let Coding { room, .. } = self.coding;
        let used = long.ilog2();
        let rest = (room..used).step_by(room as usize);
        self.keep(place, rest.map(|from| path_of(long >> from, room.min(used - from))));
        path_of(long, room)
    }

    /// Keeps the later parts of a packet's way.
    #[inline(never)]
    fn keep(&mut self, packet: u32, parts: impl DoubleEndedIterator<Item = u32>) {
        let more = parts.rev().fold(NONE, |next, path| match next {
            NONE => path,
            _ => FAR | self.parts.add(Rest { path, next }),
        });
        if self.more.len() < self.packets.places() {
            self.more.reserve_exact(self.packets.room() - self.more.len());
            self.more.resize(self.packets.places(), NONE);
        }
        self.more[packet as usize] = more;
    }

    /// Takes the next part of the way of every packet whose part is at its end. In one go, since these
    /// parts are anywhere in memory and waiting for one of them takes as long as for many. `places` is
    /// written over.
    pub(super) fn refill_all(&mut self, events: &mut [Event], places: &mut Vec<u32>) {
        if self.more.is_empty() {
            return;
        }
        for place in find(events, places, |event| event.path == END) {
            if let Some(event) = events.get_mut(*place as usize) {
                event.path = self.refill(event.packet);
            }
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
                self.parts.leave(std::iter::once(place ^ FAR));
                self.parts[place ^ FAR]
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
                place => self.parts[place ^ FAR],
            };
        }
    }

    pub(super) fn get(&self, packet: u32) -> &P {
        &self.packets[packet]
    }

    /// Forgets a packet and returns what was known of it.
    #[inline]
    pub(super) fn remove(&mut self, packet: u32) -> P {
        self.leave(std::iter::once(packet));
        self.packets[packet]
    }

    /// Forgets packets. What was known of them can be asked for until others are kept.
    pub(super) fn leave(&mut self, packets: impl ExactSizeIterator<Item = u32>) {
        self.packets.leave(packets);
    }

    /// The memory that the packets take.
    pub(super) fn memory(&self) -> u64 {
        self.packets.memory() + self.parts.memory() + bytes(&self.more) + bytes(&self.switches)
    }

    /// Whether those that there were at once take more memory than the near caches hold.
    pub(super) fn are_many(&self) -> bool {
        self.packets.places() > NEAR
    }

    /// How many packets are under way.
    pub(super) fn count(&self) -> u64 {
        self.packets.count() as u64
    }
}

impl Packets {
    /// Reads a little of a packet, so that it comes into the near caches. What it returns means nothing, but
    /// has to be used.
    #[inline]
    pub(super) fn touch(&self, packet: u32) -> u32 {
        let switches = self.switches.get(packet as usize).copied().unwrap_or(0);
        self.packets.get(packet).map_or(0, Packet::number) ^ u32::from(switches)
    }

    /// Over how many switches a packet's way leads, which is known.
    #[inline]
    pub(super) fn switches(&self, packet: u32) -> u8 {
        let kept = || (self.packets[packet].rest >> SWITCHES) as u8;
        self.switches.get(packet as usize).copied().unwrap_or_else(kept)
    }

    /// Whether some packet was generated before this time.
    pub(super) fn has_older_than(&self, time: u64) -> bool {
        self.packets.iter().any(|packet| packet.born < time)
    }
}
