//! A timing wheel: events of the near future in slots of equal width, those of the farther future
//! in blocks of slots, the rest in a heap.
//!
//! Events lie in chunks of 128 bytes that are taken from a common pool, the one freed last first,
//! so that the memory in use is about what the pending events take. Within a slot they have no
//! order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Something pending. What the fields mean depends on the list; `time` is the wheel's own: the
/// picoseconds since the beginning of the block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    pub(super) time: u32,
    pub(super) buffer: u32,
    pub(super) packet: u32,
    pub(super) path: u32,
}

/// The events of a slot by what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum List {
    /// The head of `packet` reaches a switch over a channel and takes a place in `buffer`.
    Arrivals,
    /// The endpoint `packet` may have a packet ready.
    Sources,
    /// Credits, wake-ups, and times at which nothing has to be done.
    Others,
}

const LISTS: usize = 3;
const EVENTS: usize = 7;
/// Stands for no chunk.
const NONE: u32 = u32::MAX;

#[derive(Clone)]
#[repr(align(128))]
struct Chunk {
    events: [Event; EVENTS],
    count: u32,
    next: u32,
}

const SLOT_BITS: u32 = 16;
pub(super) const SLOTS: u64 = 1 << SLOT_BITS;
/// A quarter of the slots: at least three quarters of the ring are ahead of the current slot.
const BLOCK_BITS: u32 = SLOT_BITS - 2;
const BLOCKS: u64 = 1 << 10;

/// The last chunk of each list.
type Heads = [u32; LISTS];

/// Where the next events are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// In the slot that begins at this time, which is the current one now.
    Slot(u64),
    /// In no slot that begins before the time asked for.
    Later,
    /// Nowhere.
    Empty,
}

/// Events ordered by time.
pub(super) struct Wheel {
    /// A slot is `1 << shift` picoseconds wide.
    shift: u32,
    /// The slot being served.
    current: u64,
    /// The first slot that is not in the ring; begins a block.
    limit: u64,
    ring: Vec<Heads>,
    /// One bit per slot of the ring: whether it holds anything.
    occupied: Vec<u64>,
    blocks: Vec<Heads>,
    far: BinaryHeap<Reverse<(u64, List, Event)>>,
    chunks: Vec<Chunk>,
    /// The first of the unused chunks, which are linked.
    unused: u32,
}

impl Wheel {
    /// The widest slot: blocks are then as long as an event's time can tell.
    pub(super) const WIDEST: u32 = u32::BITS - BLOCK_BITS;

    /// An empty wheel with slots of `1 << shift` picoseconds.
    pub(super) fn new(shift: u32) -> Wheel {
        Wheel {
            shift,
            current: 0,
            limit: SLOTS,
            ring: vec![[NONE; LISTS]; SLOTS as usize],
            occupied: vec![0; (SLOTS / 64) as usize],
            blocks: vec![[NONE; LISTS]; BLOCKS as usize],
            far: BinaryHeap::new(),
            chunks: Vec::new(),
            unused: NONE,
        }
    }

    /// The time since the beginning of its block.
    fn within_block(&self, time: u64) -> u32 {
        (time & ((1 << (self.shift + BLOCK_BITS)) - 1)) as u32
    }

    /// The time of an event of the current slot.
    pub(super) fn time_of(&self, event: Event) -> u64 {
        let block = self.current >> BLOCK_BITS;
        (block << (self.shift + BLOCK_BITS)) + u64::from(event.time)
    }

    /// Adds an event at a time not before the current slot.
    #[inline]
    pub(super) fn push(&mut self, list: List, time: u64, event: Event) {
        let slot = time >> self.shift;
        debug_assert!(slot >= self.current);
        if slot >= self.limit {
            return self.push_far(list, time, event);
        }
        let event = Event { time: self.within_block(time), ..event };
        let place = (slot % SLOTS) as usize;
        let head = self.ring[place][list as usize];
        if let Some(chunk) = self.chunks.get_mut(head as usize)
            && let Some(free) = chunk.events.get_mut(chunk.count as usize)
        {
            *free = event;
            chunk.count += 1;
            return;
        }
        self.occupied[place / 64] |= 1 << (place % 64);
        self.ring[place][list as usize] = self.open(head, event);
    }

    /// A chunk with its first event.
    fn open(&mut self, next: u32, event: Event) -> u32 {
        let mut events = [Event::default(); EVENTS];
        events[0] = event;
        let chunk = Chunk { events, count: 1, next };
        match self.chunks.get_mut(self.unused as usize) {
            Some(unused) => {
                let place = self.unused;
                self.unused = unused.next;
                *unused = chunk;
                place
            }
            None => {
                self.chunks.push(chunk);
                self.chunks.len() as u32 - 1
            }
        }
    }

    #[cold]
    fn push_far(&mut self, list: List, time: u64, event: Event) {
        let block = time >> (self.shift + BLOCK_BITS);
        if block >= (self.limit >> BLOCK_BITS) + BLOCKS {
            self.far.push(Reverse((time, list, event)));
            return;
        }
        let event = Event { time: self.within_block(time), ..event };
        let place = (block % BLOCKS) as usize;
        let head = self.blocks[place][list as usize];
        match self.chunks.get_mut(head as usize) {
            Some(chunk) if (chunk.count as usize) < EVENTS => {
                chunk.events[chunk.count as usize] = event;
                chunk.count += 1;
            }
            _ => self.blocks[place][list as usize] = self.open(head, event),
        }
    }

    /// Moves on to the next slot with events, the current one included, if it begins before
    /// `until`.
    pub(super) fn turn(&mut self, until: u64) -> Turn {
        loop {
            let next = self.next_in_ring();
            let Some(slot) = next.or_else(|| self.next_beyond()) else { return Turn::Empty };
            let start = slot << self.shift;
            if start >= until {
                return Turn::Later;
            }
            self.advance(slot);
            if next.is_some() {
                return Turn::Slot(start);
            }
        }
    }

    /// The next slot of the ring that holds something.
    fn next_in_ring(&self) -> Option<u64> {
        let start = self.current % SLOTS;
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
                return Some(self.current + (place + SLOTS - start) % SLOTS);
            }
        }
        None
    }

    /// The first slot of the next block that holds something.
    fn next_beyond(&self) -> Option<u64> {
        let first = self.limit >> BLOCK_BITS;
        let holds = |block: &u64| self.blocks[(block % BLOCKS) as usize] != [NONE; LISTS];
        match (first..first + BLOCKS).find(holds) {
            Some(block) => Some(block << BLOCK_BITS),
            None => self.far.peek().map(|Reverse((time, ..))| time >> self.shift),
        }
    }

    /// Makes this slot the current one, and takes what has come near into the ring.
    fn advance(&mut self, slot: u64) {
        self.current = slot;
        let first = self.limit >> BLOCK_BITS;
        let last = (slot >> BLOCK_BITS) + SLOTS / (1 << BLOCK_BITS);
        if last <= first {
            return;
        }
        self.limit = last << BLOCK_BITS;
        for block in first..last.min(first + BLOCKS) {
            let heads =
                std::mem::replace(&mut self.blocks[(block % BLOCKS) as usize], [NONE; LISTS]);
            let start = block << (self.shift + BLOCK_BITS);
            for (head, list) in heads.into_iter().zip([List::Arrivals, List::Sources, List::Others])
            {
                let mut events = Vec::new();
                self.take(head, |event| events.push(event));
                for event in events {
                    self.push(list, start + u64::from(event.time), event);
                }
            }
        }
        let end = (last + BLOCKS) << (self.shift + BLOCK_BITS);
        while let Some(Reverse((time, list, event))) = self.far.peek().copied() {
            if time >= end {
                break;
            }
            self.far.pop();
            self.push(list, time, event);
        }
    }

    /// Shows the events of a chain of chunks and frees the chunks.
    #[inline]
    fn take(&mut self, mut head: u32, mut show: impl FnMut(Event)) {
        while let Some(chunk) = self.chunks.get_mut(head as usize) {
            chunk.events.iter().take(chunk.count as usize).for_each(|event| show(*event));
            let next = std::mem::replace(&mut chunk.next, self.unused);
            self.unused = std::mem::replace(&mut head, next);
        }
    }

    /// Takes a list of events out of the current slot.
    #[inline]
    pub(super) fn drain(&mut self, list: List, show: impl FnMut(Event)) {
        let place = (self.current % SLOTS) as usize;
        let head = std::mem::replace(&mut self.ring[place][list as usize], NONE);
        self.take(head, show);
        if self.ring[place] == [NONE; LISTS] {
            self.occupied[place / 64] &= !(1 << (place % 64));
        }
    }

    /// Shows every pending event of a list.
    #[cfg(debug_assertions)]
    pub(super) fn each(&self, list: List, show: &mut dyn FnMut(Event)) {
        for heads in self.ring.iter().chain(&self.blocks) {
            let mut head = heads[list as usize];
            while let Some(chunk) = self.chunks.get(head as usize) {
                chunk.events[..chunk.count as usize].iter().for_each(|event| show(*event));
                head = chunk.next;
            }
        }
        let far = self.far.iter().filter(|Reverse((_, other, _))| *other == list);
        far.for_each(|Reverse((.., event))| show(*event));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// Slots come in order and hold what a heap has before the slot's end.
    fn agrees_with_a_heap(shift: u32, reaches: [u32; 5]) {
        let mut stream = Stream::new(1, "test", u64::from(shift));
        let (mut wheel, mut heap) = (Wheel::new(shift), BinaryHeap::new());
        let mut now = 0_u64;
        let lists = [List::Arrivals, List::Sources, List::Others];
        let mut next_id = 0;
        loop {
            for _ in 0..stream.below(4) {
                let reach = u64::from(reaches[stream.below(5) as usize]);
                let time = now + u64::from(stream.below(1_000)) * reach;
                let list = lists[stream.below(3) as usize];
                if next_id < 30_000 {
                    wheel.push(list, time, Event { packet: next_id, ..Event::default() });
                    heap.push(Reverse((time, list, next_id)));
                    next_id += 1;
                }
            }
            let until = now + u64::from(stream.below(10_000)) * u64::from(reaches[1]);
            let next = heap.peek().map(|Reverse((time, ..))| time >> shift << shift);
            match wheel.turn(until) {
                Turn::Empty if next_id < 30_000 => continue,
                Turn::Empty => break,
                Turn::Later => {
                    assert!(next.is_some_and(|start| start >= until));
                    now = now.max(until);
                }
                Turn::Slot(start) => {
                    assert_eq!(Some(start), next);
                    let mut found = Vec::new();
                    for list in lists {
                        let mut events = Vec::new();
                        wheel.drain(list, |event| events.push(event));
                        found.extend(events.iter().map(|e| (wheel.time_of(*e), list, e.packet)));
                    }
                    found.sort_unstable();
                    for event in &found {
                        assert_eq!(heap.pop(), Some(Reverse(*event)));
                    }
                    now = now.max(start + (1 << shift));
                    assert!(heap.peek().is_none_or(|Reverse((time, ..))| *time >= now));
                }
            }
        }
        assert!(heap.is_empty());
    }

    #[test]
    fn events_come_out_in_the_order_of_a_plain_heap() {
        agrees_with_a_heap(6, [0, 1, 40, 3_000, 900_000]);
        agrees_with_a_heap(0, [0, 1, 1, 20, 100_000]);
        agrees_with_a_heap(Wheel::WIDEST, [0, 1 << 12, 1 << 20, 1 << 26, 1 << 30]);
    }
}
