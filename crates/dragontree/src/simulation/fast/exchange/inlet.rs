//! Input buffers, and the credits on their way back from them.

/// How many returning credits an inlet keeps.
const RETURNS: usize = 6;

/// The buffer behind a channel, as seen from the switch that it is in; it is named after the port
/// of that switch. Credits are bytes, and several come back at once: those of a packet.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Inlet {
    /// When the last credits are back at the sender, the low bits of the times, and how many bytes
    /// they are; in a ring.
    due: [u32; RETURNS],
    bytes: [u32; RETURNS],
    /// Bytes that have been noted, and those of them that the sender has counted.
    noted: u32,
    counted: u32,
    /// The first buffer behind the outputs of the switch.
    pub(super) first: u32,
    pub(super) kind: u16,
    /// The place in the ring of the next note.
    next: u8,
    /// Whether returning credits are events, because someone waits for them.
    watched: bool,
}

impl Inlet {
    pub(super) fn new(first: u32, kind: u16, watched: bool) -> Inlet {
        let (due, bytes) = ([0; RETURNS], [0; RETURNS]);
        Inlet { due, bytes, noted: 0, counted: 0, first, kind, next: 0, watched }
    }

    /// From now on returning credits are events; those noted are taken for counted.
    pub(super) fn watch(&mut self) {
        self.counted = self.noted;
        self.watched = true;
    }

    pub(super) fn unwatch(&mut self) {
        self.watched = false;
    }

    /// Notes when a packet's bytes are back; false where that has to be an event instead. A note
    /// that is overwritten must be of bytes that are back at `start`, before which nothing happens
    /// any more.
    #[inline]
    pub(super) fn note(&mut self, due: u64, bytes: u32, start: u64) -> bool {
        let place = usize::from(self.next) % RETURNS;
        if self.watched || is_later(self.due[place], start) {
            return false;
        }
        (self.due[place], self.bytes[place]) = (due as u32, bytes);
        self.noted = self.noted.wrapping_add(bytes);
        self.next = (place as u8 + 1) % RETURNS as u8;
        true
    }

    /// The times after `now` at which noted credits are back, and how many bytes each.
    pub(super) fn returns(&self, now: u64) -> impl Iterator<Item = (u64, u32)> + use<> {
        let notes = self.due.into_iter().zip(self.bytes);
        let late = notes.filter(move |(due, _)| is_later(*due, now));
        late.map(move |(due, bytes)| (now + u64::from(due.wrapping_sub(now as u32)), bytes))
    }

    /// Counts the bytes that are back by now and have not been counted.
    pub(super) fn count(&mut self, now: u64) -> u32 {
        let late: u32 = self.returns(now).map(|(_, bytes)| bytes).sum();
        let count = self.noted.wrapping_sub(self.counted).wrapping_sub(late);
        self.counted = self.counted.wrapping_add(count);
        count
    }

    /// Bytes that have been noted and not been counted, back or not.
    #[cfg(debug_assertions)]
    pub(super) fn pending(&self) -> u32 {
        self.noted.wrapping_sub(self.counted)
    }

    /// Forgets when credits were back, so that no time is taken for another.
    pub(super) fn forget(&mut self, now: u64, all: bool) {
        for due in &mut self.due {
            if all || !is_later(*due, now) {
                *due = now as u32;
            }
        }
    }
}

/// Whether a time, of which the low bits are given, comes after `now`.
#[inline]
fn is_later(due: u32, now: u64) -> bool {
    due.wrapping_sub(now as u32) as i32 > 0
}
