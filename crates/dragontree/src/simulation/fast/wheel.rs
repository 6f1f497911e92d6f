//! What is pending, by window of time and, within a window, in lists.
//!
//! The windows of the near future form a ring; what is farther away waits in a heap. Lists lie in
//! chunks of a common pool, the one freed last taken first, so that the memory in use is about what the
//! pending events take. Within a list there is no order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{bytes, reserve};

/// Something pending. What `packet` and `path` mean is told in [`order`](super::order); `time` is
/// the wheel's own: the picoseconds since the beginning of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    pub(super) time: u32,
    pub(super) buffer: u32,
    pub(super) packet: u32,
    pub(super) path: u32,
}

/// The places of those of some events of which something is true, written into `places`. Where it is often
/// so and often not, a branch would often go wrong: this has none, as long as it is not inlined.
#[inline(never)]
pub(super) fn find<'a>(
    events: &[Event],
    places: &'a mut Vec<u32>,
    is_so: impl Fn(&Event) -> bool,
) -> &'a [u32] {
    if places.len() < events.len() {
        places.resize(events.len(), 0);
    }
    let mut count = 0;
    for (event, place) in events.iter().zip(0..) {
        if let Some(next) = places.get_mut(count) {
            *next = place;
        }
        count += usize::from(is_so(event));
    }
    places.get(..count).unwrap_or_default()
}

/// Events in a chunk.
pub(super) const CHUNK: usize = 32;
/// Stands for no chunk.
const NONE: u32 = u32::MAX;
/// The most lists in the ring.
const LISTS: u64 = 1 << 20;

/// Where the next events are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// In the window that begins at this time, which is the current one now.
    Window(u64),
    /// In no window that begins before the time asked for.
    Later,
    /// Nowhere.
    Empty,
}

/// The bits of a time that tell when in a window it is.
fn low(shift: u32) -> u32 {
    (1 << shift) - 1
}

/// The part of a [`Wheel`] in which most events find a place.
pub(super) struct Near<'a> {
    shift: u32,
    low: u32,
    lists: usize,
    mask: u64,
    current: u64,
    tails: &'a mut [u32],
    events: &'a mut [Event],
}

impl Near<'_> {
    /// Adds an event to a list. False where it needs a chunk of its own or belongs to the far future;
    /// then nothing has been done, and [`Wheel::push_slowly`] has to.
    #[inline(always)]
    pub(super) fn put(&mut self, list: usize, time: u64, event: Event) -> bool {
        let window = time >> self.shift;
        let place = (window & self.mask) as usize * self.lists + list;
        let Some(tail) = self.tails.get_mut(place) else { return false };
        let far = window.wrapping_sub(self.current) > self.mask;
        if far | (*tail as usize).is_multiple_of(CHUNK) {
            return false;
        }
        let Some(free) = self.events.get_mut(*tail as usize) else { return false };
        // One by one: put together first, they would have to be read again from the stack.
        free.time = time as u32 & self.low;
        free.buffer = event.buffer;
        free.packet = event.packet;
        free.path = event.path;
        *tail += 1;
        true
    }
}

/// Pending events.
pub(super) struct Wheel {
    /// A window is `1 << shift` picoseconds long.
    shift: u32,
    lists: usize,
    /// Windows in the ring, less one; a power of two is.
    mask: u64,
    /// The window being served: the first of the ring.
    current: u64,
    /// For each window and list, where its next event is to lie; at the beginning of a chunk where
    /// its last chunk is full or it has none.
    tails: Vec<u32>,
    /// One bit per window of the ring: whether it may hold anything.
    occupied: Vec<u64>,
    events: Vec<Event>,
    /// For each chunk the one before it in its list, or the next unused one.
    links: Vec<u32>,
    unused: u32,
    far: BinaryHeap<Reverse<(u64, u32, Event)>>,
}

impl Wheel {
    /// The longest windows: times in one must be told by their low bits.
    pub(super) const WIDEST: u32 = 28;

    /// An empty wheel of so many lists, with windows of `1 << shift` picoseconds and a ring that
    /// reaches so far, if possible.
    pub(super) fn new(shift: u32, lists: usize, reach: u64) -> Wheel {
        let most = (LISTS / lists as u64).clamp(64, 1 << 16);
        let windows = (reach >> shift).clamp(63, most - 1).saturating_add(1).next_power_of_two();
        Wheel {
            shift,
            lists,
            mask: windows - 1,
            current: 0,
            tails: vec![0; windows as usize * lists],
            occupied: vec![0; windows as usize / 64],
            // The first chunk stays unused: its beginning says that a list is empty.
            events: vec![Event::default(); CHUNK],
            links: vec![NONE],
            unused: NONE,
            far: BinaryHeap::new(),
        }
    }

    /// Makes room for so many events.
    pub(super) fn make_room(&mut self, events: usize) {
        self.links.reserve_exact(events.div_ceil(CHUNK));
        self.events.reserve_exact(events);
    }

    /// Adds an event to a list, at a time not before the current window. Where events are many, they are put
    /// into what is [near](Wheel::near) instead: copies of that everywhere would make the code long.
    #[inline(never)]
    pub(super) fn push(&mut self, list: usize, time: u64, event: Event) {
        debug_assert!(list < self.lists);
        if !self.near().put(list, time, event) {
            self.push_slowly(list, time, event);
        }
    }

    /// What is needed to add events where that takes no more than writing them.
    #[inline(always)]
    pub(super) fn near(&mut self) -> Near<'_> {
        let Wheel { shift, lists, mask, current, tails, events, .. } = self;
        Near {
            shift: *shift,
            low: low(*shift),
            lists: *lists,
            mask: *mask,
            current: *current,
            tails,
            events,
        }
    }

    /// Adds an event that [`Near::put`] has not taken.
    #[cold]
    #[inline(never)]
    pub(super) fn push_slowly(&mut self, list: usize, time: u64, event: Event) {
        let window = time >> self.shift;
        if window - self.current > self.mask {
            return self.far.push(Reverse((time, list as u32, event)));
        }
        let time = time as u32 & low(self.shift);
        self.open(window, list, Event { time, ..event });
    }

    /// Begins another chunk of a list.
    fn open(&mut self, window: u64, list: usize, event: Event) {
        let place = (window & self.mask) as usize;
        self.occupied[place / 64] |= 1 << (place % 64);
        let chunk = match self.links.get(self.unused as usize) {
            Some(next) => std::mem::replace(&mut self.unused, *next),
            None => {
                reserve(&mut self.events, CHUNK);
                let chunks = self.events.capacity().div_ceil(CHUNK);
                self.links.reserve_exact(chunks - self.links.len());
                self.links.push(NONE);
                self.events.resize(self.links.len() * CHUNK, Event::default());
                self.links.len() as u32 - 1
            }
        };
        let tail = &mut self.tails[place * self.lists + list];
        // A full last chunk is the one before the tail; an empty list has none.
        self.links[chunk as usize] = (*tail / CHUNK as u32).checked_sub(1).unwrap_or(NONE);
        self.events[chunk as usize * CHUNK] = event;
        *tail = chunk * CHUNK as u32 + 1;
    }

    /// Moves on to the next window with events, the current one included, if it begins before
    /// `until`.
    pub(super) fn turn(&mut self, until: u64) -> Turn {
        loop {
            let near = self.next_in_ring();
            let next =
                near.or_else(|| self.far.peek().map(|Reverse((time, ..))| time >> self.shift));
            let Some(window) = next else { return Turn::Empty };
            let start = window << self.shift;
            if start >= until {
                return Turn::Later;
            }
            self.current = window;
            while let Some(Reverse((time, list, event))) = self.far.peek().copied()
                && (time >> self.shift) - window <= self.mask
            {
                self.far.pop();
                self.push(list as usize, time, event);
            }
            if near.is_some() {
                let place = (window & self.mask) as usize;
                self.occupied[place / 64] &= !(1 << (place % 64));
                return Turn::Window(start);
            }
        }
    }

    /// The next window of the ring that may hold something.
    fn next_in_ring(&self) -> Option<u64> {
        let first = self.current & self.mask;
        let words = self.occupied.len() as u64;
        for step in 0..=words {
            let index = (first / 64 + step) % words;
            let mut word = self.occupied[index as usize];
            if step == 0 {
                word &= u64::MAX << (first % 64);
            } else if step == words {
                word &= !(u64::MAX << (first % 64));
            }
            if word != 0 {
                let place = index * 64 + u64::from(word.trailing_zeros());
                return Some(self.current + (place.wrapping_sub(first) & self.mask));
            }
        }
        None
    }

    /// Whether nothing is pending.
    pub(super) fn is_used_up(&self) -> bool {
        self.far.is_empty() && self.next_in_ring().is_none()
    }

    /// Whether a list has nothing in the current window.
    pub(super) fn is_empty(&self, list: usize) -> bool {
        self.tails[(self.current & self.mask) as usize * self.lists + list] == 0
    }

    /// Takes a list of events out of the current window and adds them to `events`.
    pub(super) fn drain(&mut self, list: usize, events: &mut Vec<Event>) {
        let list = (self.current & self.mask) as usize * self.lists + list;
        let tail = std::mem::replace(&mut self.tails[list], 0);
        let Some(last) = tail.checked_sub(1) else { return };
        let (mut chunk, mut count) = (last as usize / CHUNK, last as usize % CHUNK + 1);
        while let Some(link) = self.links.get_mut(chunk) {
            events.extend_from_slice(&self.events[chunk * CHUNK..chunk * CHUNK + count]);
            let before = std::mem::replace(link, self.unused);
            self.unused = chunk as u32;
            (chunk, count) = (before as usize, CHUNK);
        }
    }

    /// The memory that the wheel takes.
    pub(super) fn memory(&self) -> u64 {
        let far = self.far.capacity() * size_of::<(u64, u32, Event)>();
        bytes(&self.tails) + bytes(&self.events) + bytes(&self.links) + far as u64
    }

    /// Shows every pending event.
    #[cfg(debug_assertions)]
    pub(super) fn each(&self, show: &mut dyn FnMut(Event)) {
        for tail in self.tails.iter().filter(|tail| **tail > 0) {
            let mut last = *tail as usize - 1;
            loop {
                self.events[last / CHUNK * CHUNK..=last].iter().for_each(|event| show(*event));
                match self.links[last / CHUNK] {
                    NONE => break,
                    before => last = before as usize * CHUNK + CHUNK - 1,
                }
            }
        }
        self.far.iter().for_each(|Reverse((.., event))| show(*event));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// Windows come in order and hold what a heap has before the window's end.
    fn agrees_with_a_heap(shift: u32, groups: u32, reaches: [u32; 5]) {
        let mut stream = Stream::new(1, "test", u64::from(shift));
        let (mut wheel, mut heap) = (Wheel::new(shift, groups as usize, 0), BinaryHeap::new());
        let mut now = 0_u64;
        let mut next_id = 0;
        loop {
            for _ in 0..stream.below(40) {
                let reach = u64::from(reaches[stream.below(5) as usize]);
                let time = now + u64::from(stream.below(1_000)) * reach;
                let group = stream.below(groups);
                if next_id < 60_000 {
                    wheel.push(group as usize, time, Event { packet: next_id, ..Event::default() });
                    heap.push(Reverse((time, group, next_id)));
                    next_id += 1;
                }
            }
            let until = now + u64::from(stream.below(10_000)) * u64::from(reaches[1]);
            let next = heap.peek().map(|Reverse((time, ..))| time >> shift << shift);
            match wheel.turn(until) {
                Turn::Empty if next_id < 60_000 => continue,
                Turn::Empty => break,
                Turn::Later => {
                    assert!(next.is_some_and(|start| start >= until));
                    now = now.max(until);
                }
                Turn::Window(start) => {
                    assert_eq!(Some(start), next);
                    let mut found = Vec::new();
                    for group in 0..groups {
                        let mut events = Vec::new();
                        wheel.drain(group as usize, &mut events);
                        assert!(wheel.is_empty(group as usize));
                        let place = |e: &Event| (start + u64::from(e.time), group, e.packet);
                        found.extend(events.iter().map(place));
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
        agrees_with_a_heap(6, 3, [0, 1, 40, 3_000, 900_000]);
        agrees_with_a_heap(0, 1, [0, 1, 1, 20, 100_000]);
        agrees_with_a_heap(Wheel::WIDEST, 200, [0, 1 << 12, 1 << 20, 1 << 26, 1 << 30]);
    }
}
