//! Which lists of waiting packets stand still for good, as far as buffers tell.

use super::ports::Ports;

impl Ports {
    /// The lists in which nothing has moved since before this time and never will: their packets need
    /// a buffer that is full of packets in such lists.
    ///
    /// `all`: all credits are back.
    ///
    /// In saturation many lists stall and still move in the end, so packets are only counted here.
    pub(super) fn stuck_since(&self, time: u64, now: u64, all: bool) -> Vec<u32> {
        let stalled: Vec<u32> = self.lines.stalled_since(time).collect();
        if stalled.is_empty() {
            return stalled;
        }
        let mut holders = vec![0_u32; self.credits.len()];
        // Who holds a buffer while it waits for another, about once for all packets that do.
        let mut waits: Vec<(u32, u32)> = Vec::new();
        for to in &stalled {
            for parked in self.lines.line(*to) {
                let from = self.other_name(parked.from);
                holders[from as usize] += 1;
                if waits.last() != Some(&(from, *to)) {
                    waits.push((from, *to));
                }
            }
        }
        let mut moves = vec![true; self.credits.len()];
        for to in &stalled {
            let room = self.room(*to, now, all);
            moves[*to as usize] = room.open || holders[*to as usize] < room.occupied;
        }
        // A buffer moves when one of its packets does.
        loop {
            let mut freed = false;
            waits.retain(|(from, to)| {
                freed |= moves[*to as usize] && !moves[*from as usize];
                moves[*from as usize] |= moves[*to as usize];
                !moves[*from as usize]
            });
            if !freed {
                return stalled.into_iter().filter(|to| !moves[*to as usize]).collect();
            }
        }
    }
}
