//! The event queue: earliest first, equal times together.
//!
//! A ring of short time slots holds the near future, a heap the rest; the slot being served is
//! sorted when its turn comes. Only the order of times matters here: the order of events at one time
//! is settled by [`Event::order`], so it does not depend on how the queue works inside.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::network::{EndpointId, PortId};
use crate::random::mix;

/// Something that happens. At one time, the kinds are served in this order: what gives room comes
/// before what takes it, so that those who wait are not overtaken by those who just arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Room for one packet has come back for a channel's downstream buffer.
    Credit {
        /// The channel.
        channel: PortId,
        /// The virtual channel of the buffer.
        vc: u8,
    },
    /// An output queue has drained far enough for another packet.
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
    /// A packet's last bit has reached its destination.
    Deliver {
        /// The packet.
        packet: u32,
    },
    /// A source may have a packet ready.
    Generate {
        /// The source.
        endpoint: EndpointId,
    },
}

/// An event and its time in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) time: u64,
    pub(super) kind: Kind,
}

impl Event {
    /// The place among events of one time: by kind, then by a hash of what it belongs to and of
    /// the time, so that over time no port comes first more often than another.
    pub(super) fn order(&self, seed: u64) -> (u8, u64, u32) {
        let (kind, owner) = match self.kind {
            Kind::Credit { channel, vc } => (0, channel.0 ^ u32::from(vc) << 28),
            Kind::Wake { port } => (1, port.0),
            Kind::Arrive { over, .. } => (2, over.0),
            Kind::Deliver { packet } => (3, packet),
            Kind::Generate { endpoint } => (4, endpoint.0),
        };
        (kind, mix(seed ^ self.time ^ u64::from(owner) << 32), owner)
    }
}

/// Later events are smaller, so that a heap serves the earliest first.
impl Ord for Event {
    fn cmp(&self, other: &Event) -> Ordering {
        other.time.cmp(&self.time)
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Event) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Slots are 128 ps wide: about the time between events of a thousand endpoints.
const SLOT_BITS: u32 = 7;
const SLOTS: u64 = 1 << 14;

/// Events ordered by time.
pub(super) struct Queue {
    /// The slot being served, as a multiple of the slot's width.
    slot: u64,
    /// Its events, latest first.
    current: Vec<Event>,
    ring: Vec<Vec<Event>>,
    /// One bit per slot of the ring: whether it holds anything.
    occupied: Vec<u64>,
    far: BinaryHeap<Event>,
}

impl Queue {
    pub(super) fn new() -> Queue {
        Queue {
            slot: 0,
            current: Vec::new(),
            ring: vec![Vec::new(); SLOTS as usize],
            occupied: vec![0; (SLOTS / 64) as usize],
            far: BinaryHeap::new(),
        }
    }

    /// Adds an event, no earlier than the one served last.
    pub(super) fn push(&mut self, event: Event) {
        let slot = event.time >> SLOT_BITS;
        if slot <= self.slot {
            let place = self.current.partition_point(|other| other.time > event.time);
            self.current.insert(place, event);
        } else if slot < self.slot + SLOTS {
            let place = slot % SLOTS;
            self.ring[place as usize].push(event);
            self.occupied[(place / 64) as usize] |= 1 << (place % 64);
        } else {
            self.far.push(event);
        }
    }

    /// The time of the next event.
    pub(super) fn next_time(&mut self) -> Option<u64> {
        while self.current.is_empty() {
            self.turn()?;
        }
        self.current.last().map(|event| event.time)
    }

    /// Takes out all events of this time, which is the next.
    pub(super) fn take(&mut self, time: u64, into: &mut Vec<Event>) {
        while self.current.last().is_some_and(|event| event.time == time) {
            into.extend(self.current.pop());
        }
    }

    /// Moves on to the next slot that holds something.
    fn turn(&mut self) -> Option<()> {
        let near = self.next_occupied();
        let far = self.far.peek().map(|event| event.time >> SLOT_BITS);
        self.slot = match (near, far) {
            (Some(near), Some(far)) => near.min(far),
            (near, far) => near.or(far)?,
        };
        let place = self.slot % SLOTS;
        self.occupied[(place / 64) as usize] &= !(1 << (place % 64));
        std::mem::swap(&mut self.current, &mut self.ring[place as usize]);
        self.current.sort_unstable_by_key(|event| Reverse(event.time));
        while let Some(event) = self.far.peek().copied() {
            if event.time >> SLOT_BITS >= self.slot + SLOTS {
                break;
            }
            self.far.pop();
            self.push(event);
        }
        Some(())
    }

    /// The next slot after the current one that holds something.
    fn next_occupied(&self) -> Option<u64> {
        let start = (self.slot + 1) % SLOTS;
        let words = self.occupied.len() as u64;
        for step in 0..=words {
            let index = (start / 64 + step) % words;
            let mut word = self.occupied[index as usize];
            if step == 0 {
                word &= u64::MAX << (start % 64);
            } else if step == words {
                word &= !(u64::MAX << (start % 64));
            }
            if word != 0 {
                let place = index * 64 + u64::from(word.trailing_zeros());
                return Some(self.slot + 1 + (place + SLOTS - start) % SLOTS);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    #[test]
    fn events_come_out_in_the_order_of_a_plain_heap() {
        let mut stream = Stream::new(1, "test", 0);
        let (mut queue, mut heap) = (Queue::new(), BinaryHeap::new());
        let mut now = 0;
        let event = |time, id| Event { time, kind: Kind::Deliver { packet: id } };
        for id in 0..20_000 {
            let reach = [0, 100, 3_000, 200_000, 9_000_000][stream.below(5) as usize];
            let later = now + u64::from(stream.below(reach + 1));
            queue.push(event(later, id));
            heap.push(event(later, id));
            if stream.below(3) > 0 {
                let time = queue.next_time().expect("an event");
                assert_eq!(Some(time), heap.peek().map(|event| event.time));
                let mut taken = Vec::new();
                queue.take(time, &mut taken);
                for _ in &taken {
                    assert_eq!(heap.pop().map(|event| event.time), Some(time));
                }
                now = time;
            }
        }
        while let Some(time) = queue.next_time() {
            let mut taken = Vec::new();
            queue.take(time, &mut taken);
            for _ in &taken {
                assert_eq!(heap.pop().map(|event| event.time), Some(time));
            }
        }
        assert!(heap.is_empty());
    }
}
