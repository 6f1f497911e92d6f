//! The event queue: earliest first, equal times together, in the order of [`Kind::order`].
//!
//! Time is cut into short slots, each sorted when its turn comes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::network::PortId;
use crate::random::mix;

/// A place among events of one time.
type Place = (u8, u64, u32);

/// Something that happens. At one time, the kinds are served in this order: what gives room comes
/// before what takes it, so that those who wait are not overtaken by those who just arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Room for one packet has come back for a channel's downstream buffer.
    Credit {
        /// The channel.
        channel: PortId,
        /// The virtual channel of the buffer.
        vc: u8,
        /// The packet's size.
        bytes: u32,
    },
    /// An output queue has drained far enough for another packet or, where it has room of its own,
    /// its channel is free.
    Wake {
        /// The output.
        port: PortId,
    },
    /// A packet's head has reached a switch's allocator, over the channel that it names.
    Arrive {
        /// The packet.
        packet: u32,
        /// The channel it came by.
        over: PortId,
    },
    /// The first packet of an input buffer has left it.
    Read {
        /// The channel that leads into the buffer.
        channel: PortId,
        /// The virtual channel.
        vc: u8,
    },
    /// A message's last bit has left its source, in an exchange.
    Sent {
        /// Its place among those under way.
        message: u32,
        /// What decides about the order of several.
        owner: u32,
    },
    /// A packet's last bit has reached its destination.
    Deliver {
        /// The packet.
        packet: u32,
        /// What decides about the order of several.
        owner: u32,
    },
    /// A source may have a packet ready.
    Generate {
        /// Its number: that of an endpoint or, in an exchange, of an outlet.
        source: u32,
    },
}

impl Kind {
    /// The place among events of one time: by kind, then by a hash of what it belongs to and of
    /// the time, so that over time no port comes first more often than another.
    fn order(&self, seed: u64, time: u64) -> Place {
        let (kind, owner) = match *self {
            Kind::Credit { channel, vc, .. } => (0, channel.0 ^ u32::from(vc) << 28),
            Kind::Wake { port } => (1, port.0),
            Kind::Arrive { over, .. } => (2, over.0),
            Kind::Read { channel, vc } => (2, channel.0 ^ u32::from(vc) << 28),
            Kind::Sent { owner, .. } => (3, owner),
            Kind::Deliver { owner, .. } => (4, owner),
            Kind::Generate { source } => (5, source),
        };
        (kind, mix(seed ^ time ^ u64::from(owner) << 32), owner)
    }
}

/// The length of a slot of time, as a power of two of picoseconds: about 2 ns.
const SHIFT: u32 = 11;
/// The slots of the ring, which reaches about 8 µs ahead.
const SLOTS: u64 = 4096;

/// An event and its time.
type Timed = (u64, Kind);

/// Events ordered by time: those of the present slot are sorted, later ones lie in a ring of slots, and
/// those beyond its reach, or that come up within the present slot, in heaps.
pub(super) struct Queue {
    seed: u64,
    /// The events of the present slot by time, and how many of them have been taken.
    present: Vec<Timed>,
    taken: usize,
    /// Those that came up since that was sorted.
    soon: BinaryHeap<Reverse<Timed>>,
    /// The number of the present slot, counted from time zero.
    slot: u64,
    ring: Vec<Vec<Timed>>,
    /// Empty lists, of which the last used is the first to be used again: it is still in the cache.
    spare: Vec<Vec<Timed>>,
    /// A bit for each slot of the ring: whether it holds something.
    filled: Vec<u64>,
    far: BinaryHeap<Reverse<Timed>>,
    count: usize,
    /// The events of one time with their places; kept for its memory.
    placed: Vec<(Place, Kind)>,
}

impl Queue {
    pub(super) fn new(seed: u64) -> Queue {
        Queue {
            seed,
            present: Vec::new(),
            taken: 0,
            soon: BinaryHeap::new(),
            slot: 0,
            ring: vec![Vec::new(); SLOTS as usize],
            spare: Vec::new(),
            filled: vec![0; SLOTS as usize / 64],
            far: BinaryHeap::new(),
            count: 0,
            placed: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, time: u64, kind: Kind) {
        self.count += 1;
        let slot = time >> SHIFT;
        let ahead = slot.saturating_sub(self.slot);
        if ahead == 0 {
            self.soon.push(Reverse((time, kind)));
        } else if ahead < SLOTS {
            let place = (slot % SLOTS) as usize;
            let list = &mut self.ring[place];
            if list.is_empty() {
                *list = self.spare.pop().unwrap_or_default();
                self.filled[place / 64] |= 1 << (place % 64);
            }
            list.push((time, kind));
        } else {
            self.far.push(Reverse((time, kind)));
        }
    }

    /// How many events wait.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Shows every event that waits.
    #[cfg(debug_assertions)]
    pub(super) fn each(&self, show: &mut impl FnMut(&Kind)) {
        let heaps = self.soon.iter().chain(&self.far).map(|Reverse(event)| event);
        let all = self.present[self.taken..].iter().chain(self.ring.iter().flatten()).chain(heaps);
        all.for_each(|(_, kind)| show(kind));
    }

    /// The time of the next event.
    pub(super) fn next_time(&mut self) -> Option<u64> {
        if self.taken == self.present.len() && self.soon.is_empty() {
            self.turn();
        }
        let sorted = self.present.get(self.taken).map(|(time, _)| *time);
        let soon = self.soon.peek().map(|Reverse((time, _))| *time);
        sorted.into_iter().chain(soon).min()
    }

    /// Goes on to the next slot that holds something.
    fn turn(&mut self) {
        self.present.clear();
        self.taken = 0;
        let near = self.next_in_ring();
        let far = self.far.peek().map(|Reverse((time, _))| *time >> SHIFT);
        let Some(slot) = near.into_iter().chain(far).min() else { return };
        self.slot = slot;
        if near == Some(slot) {
            let place = (slot % SLOTS) as usize;
            let list = std::mem::take(&mut self.ring[place]);
            self.spare.push(std::mem::replace(&mut self.present, list));
            self.filled[place / 64] &= !(1 << (place % 64));
        }
        while self.far.peek().is_some_and(|Reverse((time, _))| *time >> SHIFT == slot) {
            self.present.extend(self.far.pop().map(|Reverse(event)| event));
        }
        self.present.sort_unstable_by_key(|(time, _)| *time);
    }

    /// The next slot of the ring that holds something.
    fn next_in_ring(&self) -> Option<u64> {
        let first = self.slot % SLOTS;
        let words = SLOTS / 64;
        // The word of the present slot comes twice: first what is after it, in the end what is before.
        (0..=words).find_map(|step| {
            let index = (first / 64 + step) % words;
            let after = u64::MAX << (first % 64);
            let seen = match step {
                0 => after,
                _ if step == words => !after,
                _ => u64::MAX,
            };
            let word = self.filled[index as usize] & seen;
            let place = index * 64 + u64::from(word.trailing_zeros());
            (word != 0).then(|| self.slot + (place + SLOTS - first) % SLOTS)
        })
    }

    /// Takes out all events of the next time, in the order in which they are served.
    pub(super) fn take(&mut self, batch: &mut Vec<Kind>) {
        batch.clear();
        let Some(next) = self.next_time() else { return };
        let sorted = self.present[self.taken..].iter().take_while(|(time, _)| *time == next);
        batch.extend(sorted.map(|(_, kind)| *kind));
        self.taken += batch.len();
        while self.soon.peek().is_some_and(|Reverse((time, _))| *time == next) {
            batch.extend(self.soon.pop().map(|Reverse((_, kind))| kind));
        }
        self.count -= batch.len();
        if batch.len() > 1 {
            self.placed.clear();
            self.placed.extend(batch.iter().map(|kind| (kind.order(self.seed, next), *kind)));
            self.placed.sort_unstable();
            batch.clear();
            batch.extend(self.placed.iter().map(|(_, kind)| *kind));
        }
    }
}
