//! The packets that wait in their input buffers for an output, in lists: one for each virtual
//! channel of each output, oldest first.

/// Stands for no packet.
const NONE: u32 = u32::MAX;

/// A packet that waits for an output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parked {
    /// The buffer that it is in.
    pub(super) from: u32,
    pub(super) packet: u32,
    pub(super) path: u32,
    next: u32,
    /// When its last bit is through to the allocator.
    pub(super) tail: u64,
}

impl Parked {
    /// A packet that is to wait.
    pub(super) fn new(from: u32, packet: u32, path: u32, tail: u64) -> Parked {
        Parked { from, packet, path, next: NONE, tail }
    }
}

#[derive(Clone, Copy, Debug)]
struct Line {
    first: u32,
    last: u32,
    /// Since when the first has been the first.
    since: u64,
}

/// The memory that a list takes, and a packet in it.
#[cfg(feature = "complete")]
pub(super) const SIZES: (usize, usize) = (size_of::<Line>(), size_of::<Parked>());

/// The lists of a network, named by the buffer that the packets are to be sent to.
pub(super) struct Lines {
    lines: Vec<Line>,
    parked: Vec<Parked>,
    /// The first of the unused places, which are linked.
    unused: u32,
}

impl Lines {
    /// So many empty lists.
    pub(super) fn new(count: usize) -> Lines {
        let lines = vec![Line { first: NONE, last: NONE, since: 0 }; count];
        Lines { lines, parked: Vec::new(), unused: NONE }
    }

    pub(super) fn is_empty(&self, to: u32) -> bool {
        self.lines[to as usize].first == NONE
    }

    /// The first packet of a list.
    #[cfg(feature = "complete")]
    pub(super) fn first(&self, to: u32) -> Option<&Parked> {
        self.parked.get(self.lines[to as usize].first as usize)
    }

    /// Adds a packet at the end of a list.
    pub(super) fn add(&mut self, to: u32, parked: Parked, now: u64) {
        let place = match self.parked.get_mut(self.unused as usize) {
            Some(unused) => {
                let place = self.unused;
                self.unused = unused.next;
                *unused = parked;
                place
            }
            None => {
                self.parked.push(parked);
                self.parked.len() as u32 - 1
            }
        };
        let line = &mut self.lines[to as usize];
        match self.parked.get_mut(line.last as usize) {
            Some(last) => last.next = place,
            None => (line.first, line.since) = (place, now),
        }
        line.last = place;
    }

    /// Takes the first packet out of a list.
    pub(super) fn take_first(&mut self, to: u32, now: u64) -> Option<Parked> {
        let line = &mut self.lines[to as usize];
        let place = line.first;
        let parked = self.parked.get_mut(place as usize)?;
        (line.first, line.since) = (parked.next, now);
        if line.first == NONE {
            line.last = NONE;
        }
        let taken = *parked;
        parked.next = self.unused;
        self.unused = place;
        Some(taken)
    }

    /// The memory that the lists take.
    pub(super) fn memory(&self) -> u64 {
        super::bytes(&self.lines) + super::bytes(&self.parked)
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
    pub(super) fn line(&self, to: u32) -> impl Iterator<Item = &Parked> + '_ {
        let first = self.parked.get(self.lines[to as usize].first as usize);
        std::iter::successors(first, |each| self.parked.get(each.next as usize))
    }

    /// Every waiting packet with the buffer that it needs.
    #[cfg(any(feature = "complete", debug_assertions))]
    pub(super) fn all(&self) -> impl Iterator<Item = (Parked, u32)> + '_ {
        let lines = self.stalled_since(u64::MAX);
        lines.flat_map(|to| self.line(to).map(move |parked| (*parked, to)))
    }
}
