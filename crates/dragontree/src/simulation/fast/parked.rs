//! The packets that wait in their input buffers for an output, in lists: one for each virtual
//! channel of each output, oldest first.
//!
//! In saturation these are most packets of a network, more than caches hold. So a list is a chain of
//! chunks of a few packets, each a cache line: one of every few packets is waited for, instead of
//! every one.

/// Stands for no place.
const NONE: u32 = u32::MAX;
/// The chunks of a block: what grows block by block is never copied. Tests have few packets, and are
/// to need several blocks.
const BLOCK: usize = if cfg!(test) { 100 } else { 256 };
/// The packets of a chunk. A place is its chunk's number, and in the lowest bits which of these.
const PACKETS: usize = 3;
const BITS: u32 = 2;

/// A packet that waits for an output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parked {
    /// The buffer that it is in.
    pub(super) from: u32,
    /// Of a packet in flits the place of its passage, where all this is known, too.
    pub(super) packet: u32,
    pub(super) path: u32,
    /// When its last bit is through to the allocator.
    pub(super) tail: u64,
}

/// A few packets of a list, one after the other, and the next chunk of that list or of the unused
/// ones.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Chunk {
    tail: [u64; PACKETS],
    from: [u32; PACKETS],
    packet: [u32; PACKETS],
    path: [u32; PACKETS],
    next: u32,
}

impl Chunk {
    const EMPTY: Chunk = Chunk {
        tail: [0; PACKETS],
        from: [0; PACKETS],
        packet: [0; PACKETS],
        path: [0; PACKETS],
        next: NONE,
    };

    #[inline]
    fn get(&self, index: usize) -> Option<Parked> {
        Some(Parked {
            from: *self.from.get(index)?,
            packet: self.packet[index],
            path: self.path[index],
            tail: self.tail[index],
        })
    }

    #[inline]
    fn set(&mut self, index: usize, parked: Parked) {
        if index < PACKETS {
            self.from[index] = parked.from;
            self.packet[index] = parked.packet;
            self.path[index] = parked.path;
            self.tail[index] = parked.tail;
        }
    }
}

/// The chunk of a place, and which of its packets is meant.
#[inline]
fn split(place: u32) -> (usize, usize) {
    ((place >> BITS) as usize, (place & ((1 << BITS) - 1)) as usize)
}

/// Whether a place is the last of its chunk.
#[inline]
fn is_last(place: u32) -> bool {
    split(place).1 + 1 == PACKETS
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// The places of the first and the last packet.
    first: u32,
    last: u32,
    /// Since when the first has been the first.
    since: u64,
}

/// The memory that a list takes, and a packet in a full chunk of it.
#[cfg(feature = "complete")]
pub(super) const SIZES: (usize, usize) = (size_of::<Line>(), size_of::<Chunk>() / PACKETS);

/// The lists of a network, named by the buffer that the packets are to be sent to.
pub(super) struct Lines {
    lines: Vec<Line>,
    blocks: Vec<Box<[Chunk; BLOCK]>>,
    /// The first of the unused chunks, which are linked.
    unused: u32,
}

impl Lines {
    /// So many empty lists.
    pub(super) fn new(count: usize) -> Lines {
        let lines = vec![Line { first: NONE, last: NONE, since: 0 }; count];
        Lines { lines, blocks: Vec::new(), unused: NONE }
    }

    #[inline]
    fn chunk(&self, number: usize) -> Option<&Chunk> {
        Some(&self.blocks.get(number / BLOCK)?[number % BLOCK])
    }

    #[inline]
    fn chunk_mut(&mut self, number: usize) -> Option<&mut Chunk> {
        Some(&mut self.blocks.get_mut(number / BLOCK)?[number % BLOCK])
    }

    pub(super) fn is_empty(&self, to: u32) -> bool {
        self.lines[to as usize].first == NONE
    }

    /// The packet at a place.
    fn at(&self, place: u32) -> Option<Parked> {
        let (chunk, index) = split(place);
        self.chunk(chunk)?.get(index)
    }

    /// The first packet of a list.
    #[cfg(feature = "complete")]
    pub(super) fn first(&self, to: u32) -> Option<Parked> {
        self.at(self.lines[to as usize].first)
    }

    /// Whether a packet has ever waited.
    pub(super) fn are_used(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Reads a little of the first packets of a list, so that they come into the near caches. What it
    /// returns means nothing, but has to be used.
    pub(super) fn touch(&self, to: u32) -> u32 {
        let Some(Line { first, last, .. }) = self.lines.get(to as usize) else { return 0 };
        let (first, last) = (split(*first).0, split(*last).0);
        let next = self.chunk(first).map_or(0, |chunk| chunk.next);
        if first == last { next } else { self.chunk(next as usize).map_or(0, |chunk| chunk.next) }
    }

    /// The place that follows one within a list.
    fn after(&self, place: u32) -> Option<u32> {
        match is_last(place) {
            true => Some(self.chunk(split(place).0)?.next << BITS),
            false => Some(place + 1),
        }
    }

    /// The number of a chunk that is to be used.
    fn take_chunk(&mut self) -> u32 {
        if self.unused == NONE {
            self.add_block();
        }
        let number = self.unused;
        self.unused = self.chunk(number as usize).map_or(NONE, |chunk| chunk.next);
        number
    }

    #[cold]
    fn add_block(&mut self) {
        let first = (self.blocks.len() * BLOCK) as u32;
        let mut block = Box::new([Chunk::EMPTY; BLOCK]);
        block.iter_mut().zip(first + 1..).for_each(|(chunk, next)| chunk.next = next);
        block[BLOCK - 1].next = NONE;
        self.blocks.push(block);
        self.unused = first;
    }

    /// Adds a packet at the end of a list.
    pub(super) fn add(&mut self, to: u32, parked: Parked, now: u64) {
        let last = self.lines[to as usize].last;
        let place = match last {
            NONE => self.take_chunk() << BITS,
            _ if is_last(last) => {
                let next = self.take_chunk();
                if let Some(chunk) = self.chunk_mut(split(last).0) {
                    chunk.next = next;
                }
                next << BITS
            }
            _ => last + 1,
        };
        let line = &mut self.lines[to as usize];
        if last == NONE {
            (line.first, line.since) = (place, now);
        }
        line.last = place;
        let (number, index) = split(place);
        if let Some(chunk) = self.chunk_mut(number) {
            chunk.set(index, parked);
        }
    }

    /// Takes the first packet out of a list.
    pub(super) fn take_first(&mut self, to: u32, now: u64) -> Option<Parked> {
        let Line { first, last, .. } = self.lines[to as usize];
        let taken = self.at(first)?;
        let (next, last) = if first == last { (NONE, NONE) } else { (self.after(first)?, last) };
        if next == NONE || is_last(first) {
            self.leave_chunk(split(first).0);
        }
        self.lines[to as usize] = Line { first: next, last, since: now };
        Some(taken)
    }

    /// Adds a chunk to the unused ones.
    fn leave_chunk(&mut self, number: usize) {
        let unused = self.unused;
        if let Some(chunk) = self.chunk_mut(number) {
            chunk.next = unused;
            self.unused = number as u32;
        }
    }

    /// The memory that the lists take.
    pub(super) fn memory(&self) -> u64 {
        super::bytes(&self.lines) + (self.blocks.len() * size_of::<[Chunk; BLOCK]>()) as u64
    }

    /// Since when the first of a list has been the first.
    pub(super) fn since(&self, to: u32) -> u64 {
        self.lines[to as usize].since
    }

    /// The lists whose first has been so since before this time.
    pub(super) fn stalled_since(&self, time: u64) -> impl Iterator<Item = u32> + '_ {
        let lines = self.lines.iter().zip(0..);
        let stalled = lines.filter(move |(line, _)| line.first != NONE && line.since < time);
        stalled.map(|(_, to)| to)
    }

    /// The packets of a list.
    pub(super) fn line(&self, to: u32) -> impl Iterator<Item = Parked> + '_ {
        let Line { first, last, .. } = self.lines[to as usize];
        let first = (first != NONE).then_some(first);
        let next = move |place: &u32| if *place == last { None } else { self.after(*place) };
        std::iter::successors(first, next).filter_map(|place| self.at(place))
    }

    /// Every waiting packet with the buffer that it needs.
    #[cfg(any(feature = "complete", debug_assertions))]
    pub(super) fn all(&self) -> impl Iterator<Item = (Parked, u32)> + '_ {
        let lines = self.stalled_since(u64::MAX);
        lines.flat_map(|to| self.line(to).map(move |parked| (parked, to)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    const LISTS: u32 = 3;

    proptest! {
        #[test]
        fn lists_are_queues_that_share_the_memory_of_the_fullest_moment(
            steps in prop::collection::vec((0..LISTS, any::<bool>(), 1..40_u32), 0..200),
        ) {
            let mut lines = Lines::new(LISTS as usize);
            let mut queues = vec![VecDeque::new(); LISTS as usize];
            let (mut now, mut most) = (0, 0);
            for (to, adds, count) in steps {
                let queue = &mut queues[to as usize];
                for _ in 0..count {
                    now += 1;
                    if adds {
                        let number = now as u32;
                        lines.add(to, Parked { from: to, packet: number, path: !number, tail: now }, now);
                        queue.push_back(number);
                    } else {
                        let taken = lines.take_first(to, now).map(|parked| parked.packet);
                        prop_assert_eq!(taken, queue.pop_front());
                    }
                }
                let line: Vec<u32> = lines.line(to).map(|parked| parked.packet).collect();
                prop_assert_eq!(&line, &queue.iter().copied().collect::<Vec<u32>>());
                prop_assert_eq!(lines.first(to).map(|parked| !parked.path), queue.front().copied());
                prop_assert_eq!(lines.is_empty(to), queue.is_empty());
                most = most.max(queues.iter().map(VecDeque::len).sum());
            }
            let chunks = most.div_ceil(PACKETS) + 2 * LISTS as usize;
            prop_assert!(lines.blocks.len() <= chunks.div_ceil(BLOCK));
        }
    }
}
