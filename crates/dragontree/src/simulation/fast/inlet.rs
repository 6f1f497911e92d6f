//! Input buffers, and the credits on their way back from them.

/// How many returning credits an inlet keeps.
const RETURNS: usize = 8;

/// The buffer behind a channel, as seen from the switch that it is in. It is named after the port
/// of that switch, so that it lies near the switch's outputs.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Inlet {
    /// When the last credits are back at the sender: the low bits of the times, in a ring.
    due: [u32; RETURNS],
    /// Credits that have been noted, and those of them that the sender has counted.
    noted: u32,
    counted: u32,
    /// When the last of those credits is back that are events: the low bits of the time.
    last_event: u32,
    /// The first buffer behind the outputs of the switch.
    pub(super) first: u32,
    pub(super) kind: u16,
    /// Whether returning credits are events, because someone waits for them.
    watched: bool,
}

impl Inlet {
    pub(super) fn new(first: u32, kind: u16, watched: bool) -> Inlet {
        Inlet {
            due: [before(0); RETURNS],
            noted: 0,
            counted: 0,
            last_event: 0,
            first,
            kind,
            watched,
        }
    }

    pub(super) fn is_watched(&self) -> bool {
        self.watched
    }

    /// From now on returning credits are events. Those noted are taken for counted; where they are back
    /// after now, the caller makes events of them, at the times that are returned.
    pub(super) fn watch(&mut self, now: u64) -> impl Iterator<Item = u64> + use<> {
        let returns = self.returns(now);
        self.returns(now).for_each(|due| self.tell(due));
        self.due = [before(now); RETURNS];
        self.counted = self.noted;
        self.watched = true;
        returns
    }

    /// Remembers that a credit is an event.
    fn tell(&mut self, due: u64) {
        if !is_later(self.last_event, due) {
            self.last_event = due as u32;
        }
    }

    pub(super) fn unwatch(&mut self) {
        self.watched = false;
    }

    /// Credits that have been noted and not been counted, back or not.
    pub(super) fn pending(&self) -> u32 {
        self.noted.wrapping_sub(self.counted)
    }

    /// Credits noted so far; reading it brings the inlet into the caches.
    pub(super) fn noted(&self) -> u32 {
        self.noted
    }

    /// Notes when a credit is back; false where that has to be an event instead. A note that is
    /// overwritten must be of a credit that is back before `start`, when nothing happens any more.
    #[inline]
    pub(super) fn note(&mut self, due: u64, start: u64) -> bool {
        let place = &mut self.due[self.noted as usize % RETURNS];
        if self.watched || !is_before(*place, start) {
            self.tell(due);
            return false;
        }
        *place = due as u32;
        self.noted = self.noted.wrapping_add(1);
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
        self.noted.wrapping_sub(self.counted).wrapping_sub(late)
    }

    /// Whether credits are back at `start` or later of which events will tell.
    pub(super) fn has_events(&self, start: u64) -> bool {
        self.watched || !is_before(self.last_event, start)
    }

    /// Counts the credits that are back by now.
    pub(super) fn count(&mut self, now: u64) -> u32 {
        let count = self.uncounted(now);
        self.counted = self.counted.wrapping_add(count);
        count
    }

    /// Whether a credit that has been noted is back just now.
    pub(super) fn returns_at(&self, now: u64) -> bool {
        !self.watched && self.due.contains(&(now as u32))
    }

    /// Forgets when credits were back before now, noted or as events, so that no time is taken for another.
    /// `all`: all were.
    pub(super) fn forget(&mut self, now: u64, all: bool) {
        for due in self.due.iter_mut().chain([&mut self.last_event]) {
            if all || is_before(*due, now) {
                *due = before(now);
            }
        }
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
            let mut inlet = Inlet::new(0, 0, false);
            inlet.forget(first - 50, true);
            let last = first + RETURNS as u64 - 1;
            assert!((first..=last).all(|due| inlet.note(due, first - 50)));
            assert!(!inlet.note(first + 70, first), "something may still happen at `first`");
            assert!(inlet.returns_at(first));
            assert_eq!(inlet.returns(first).count(), RETURNS - 1);
            assert!(inlet.has_events(first + 70) && !inlet.has_events(first + 71));
            assert!(inlet.note(first + 71, first + 1));
            assert!(!inlet.returns_at(first) && inlet.returns_at(first + 71));
            assert_eq!((inlet.pending(), inlet.count(last)), (RETURNS as u32 + 1, RETURNS as u32));

            inlet.forget(first + 71, false);
            assert!(inlet.returns_at(first + 71), "it is back just now");
            let events: Vec<u64> = inlet.watch(first + 70).collect();
            assert_eq!(events, [first + 71]);
            assert!(inlet.has_events(first + 100) && !inlet.returns_at(first + 71));
            assert!(inlet.pending() == 0 && !inlet.note(first + 150, first + 71));
            inlet.unwatch();
            assert!(inlet.has_events(first + 150) && !inlet.has_events(first + 151));
            assert!(inlet.note(first + 151, first + 100));
        }
    }
}
