//! Input buffers, and the credits on their way back from them.

/// How many returning credits an inlet keeps.
const RETURNS: usize = 7;

/// The buffer behind a channel, as seen from the switch that it is in. It is named after the port
/// of that switch, so that it lies near the switch's outputs. Half a line of the caches, of which a large
/// fabric needs many.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Inlet {
    /// When the last credits are back at the sender: the low bits of the times, in a ring.
    due: [u32; RETURNS],
    state: State,
}

/// From the lowest bits on the place in the ring of the next note, whether returning credits are events
/// because someone waits for them, and how many credits have been noted that the sender has not counted.
#[derive(Clone, Copy, Debug)]
struct State(u32);

const NEXT: u32 = (1 << 3) - 1;
const WATCHED: u32 = 1 << 3;
const PENDING: u32 = 1 << 4;
/// The most credits that can be counted.
pub(super) const MOST_CREDITS: u32 = u32::MAX / PENDING;

impl State {
    #[inline]
    fn next(self) -> usize {
        (self.0 & NEXT) as usize
    }

    fn is_watched(self) -> bool {
        self.0 & WATCHED != 0
    }

    fn pending(self) -> u32 {
        self.0 / PENDING
    }

    /// One more has been noted.
    #[inline]
    fn step(&mut self) {
        let round = if self.next() == RETURNS - 1 { RETURNS as u32 - 1 } else { u32::MAX };
        self.0 = self.0.wrapping_add(PENDING).wrapping_sub(round);
    }
}

impl Inlet {
    pub(super) fn new(watched: bool) -> Inlet {
        Inlet { due: [before(0); RETURNS], state: State(if watched { WATCHED } else { 0 }) }
    }

    pub(super) fn is_watched(&self) -> bool {
        self.state.is_watched()
    }

    /// From now on returning credits are events. Those noted are taken for counted; where they are back
    /// after now, the caller makes events of them, at the times that are returned.
    pub(super) fn watch(&mut self, now: u64) -> impl Iterator<Item = u64> + use<> {
        let returns = self.returns(now);
        *self = Inlet::new(true);
        self.due = [before(now); RETURNS];
        returns
    }

    pub(super) fn unwatch(&mut self) {
        self.state.0 &= !WATCHED;
    }

    /// Credits that have been noted and not been counted, back or not.
    pub(super) fn pending(&self) -> u32 {
        self.state.pending()
    }

    /// Reads a little, which brings the inlet into the caches.
    pub(super) fn touch(&self) -> u32 {
        self.state.0
    }

    /// Notes when a credit is back; false where that has to be an event instead. A note that is
    /// overwritten must be of a credit that is back before `start`, when nothing happens any more.
    #[inline]
    pub(super) fn note(&mut self, due: u64, start: u64) -> bool {
        let Some(place) = self.due.get_mut(self.state.next()) else { return false };
        if self.state.is_watched() || !is_before(*place, start) {
            return false;
        }
        *place = due as u32;
        self.state.step();
        true
    }

    /// The times after `now` at which noted credits are back.
    pub(super) fn returns(&self, now: u64) -> impl Iterator<Item = u64> + use<> {
        let late = self.due.into_iter().filter(move |due| is_later(*due, now));
        late.map(move |due| now + u64::from(due.wrapping_sub(now as u32)))
    }

    /// The credits that are back by now and have not been counted.
    pub(super) fn uncounted(&self, now: u64) -> u32 {
        let late = self.due.iter().filter(|due| is_later(**due, now)).count() as u32;
        self.pending() - late
    }

    /// Counts the credits that are back by now.
    pub(super) fn count(&mut self, now: u64) -> u32 {
        let count = self.uncounted(now);
        self.state.0 -= count * PENDING;
        count
    }

    /// Whether a credit that has been noted is back just now.
    pub(super) fn returns_at(&self, now: u64) -> bool {
        !self.is_watched() && self.due.contains(&(now as u32))
    }

    /// Forgets when credits were back before now, so that no time is taken for another. `all`: all were.
    pub(super) fn forget(&mut self, now: u64, all: bool) {
        self.due.iter_mut().for_each(|due| forget(due, now, all));
    }
}

/// When the last of a buffer's credits is back that are events: the low bits of the time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastEvent(u32);

impl LastEvent {
    /// Notes that a credit is an event.
    pub(super) fn note(&mut self, due: u64) {
        if !is_later(self.0, due) {
            self.0 = due as u32;
        }
    }

    /// Whether it is at `start` or later.
    pub(super) fn is_to_come(self, start: u64) -> bool {
        !is_before(self.0, start)
    }

    /// As [`Inlet::forget`].
    pub(super) fn forget(&mut self, now: u64, all: bool) {
        forget(&mut self.0, now, all);
    }
}

fn forget(due: &mut u32, now: u64, all: bool) {
    if all || is_before(*due, now) {
        *due = before(now);
    }
}

/// The low bits of a time at which nothing happens any more.
fn before(now: u64) -> u32 {
    (now as u32).wrapping_sub(1)
}

/// Whether a time, of which the low bits are given, comes before `now`.
#[inline]
fn is_before(due: u32, now: u64) -> bool {
    (due.wrapping_sub(now as u32) as i32) < 0
}

/// Whether a time, of which the low bits are given, comes after `now`.
#[inline]
fn is_later(due: u32, now: u64) -> bool {
    due.wrapping_sub(now as u32) as i32 > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also where the low bits of times begin again meanwhile.
    #[test]
    fn a_note_stays_as_long_as_something_may_happen_at_its_time() {
        for first in [100, (1 << 32) - 5] {
            let mut inlet = Inlet::new(false);
            inlet.forget(first - 50, true);
            let last = first + RETURNS as u64 - 1;
            assert!((first..=last).all(|due| inlet.note(due, first - 50)));
            assert!(!inlet.note(first + 70, first), "something may still happen at `first`");
            assert!(inlet.returns_at(first));
            assert_eq!(inlet.returns(first).count(), RETURNS - 1);
            assert!(inlet.note(first + 71, first + 1));
            assert!(!inlet.returns_at(first) && inlet.returns_at(first + 71));
            assert_eq!((inlet.pending(), inlet.count(last)), (RETURNS as u32 + 1, RETURNS as u32));

            inlet.forget(first + 71, false);
            assert!(inlet.returns_at(first + 71), "it is back just now");
            let events: Vec<u64> = inlet.watch(first + 70).collect();
            assert_eq!(events, [first + 71]);
            assert!(inlet.is_watched() && !inlet.returns_at(first + 71));
            assert!(inlet.pending() == 0 && !inlet.note(first + 150, first + 71));
            inlet.unwatch();
            assert!(inlet.note(first + 151, first + 100));
        }
    }

    #[test]
    fn the_last_event_is_to_come_until_its_time_is_over() {
        for first in [100, (1 << 32) - 5] {
            let mut last = LastEvent::default();
            last.forget(first, true);
            assert!(!last.is_to_come(first));
            last.note(first + 70);
            last.note(first + 60);
            last.forget(first + 70, false);
            assert!(last.is_to_come(first + 70) && !last.is_to_come(first + 71));
        }
    }
}
