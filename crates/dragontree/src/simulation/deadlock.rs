//! Packets that wait for each other for ever.

use std::ops::Range;

use super::engine::Room;
use super::{Buffer, Waiting};
use crate::sorting::{both, sort_by_number};

/// The waiting packets, sorted by the buffer they hold.
struct Waits(Vec<Waiting>);

impl Waits {
    /// The places of the packets in a buffer.
    fn holders(&self, buffer: Buffer) -> Range<usize> {
        let start = self.0.partition_point(|each| each.holds < buffer);
        let end = self.0.partition_point(|each| each.holds <= buffer);
        start..end
    }

    /// Marks all that can move once those marked have: whoever needs a buffer that one of them holds.
    fn free(&self, movable: &mut [bool]) {
        let mut needing: Vec<(Buffer, usize)> =
            self.0.iter().map(|each| each.needs).zip(0..).collect();
        sort_by_number(&mut needing, |(buffer, index)| both(number_of(*buffer), *index as u64));
        let mut freed = vec![false; movable.len()];
        let mut moving: Vec<usize> = movable
            .iter()
            .zip(0..)
            .filter(|(movable, _)| **movable)
            .map(|(_, index)| index)
            .collect();
        while let Some(index) = moving.pop() {
            let buffer = self.0[index].holds;
            // A buffer is freed once, by the first of its packets that moves.
            if std::mem::replace(&mut freed[self.holders(buffer).start], true) {
                continue;
            }
            let start = needing.partition_point(|(needs, _)| *needs < buffer);
            let waiting = needing[start..].iter().take_while(|(needs, _)| *needs == buffer);
            for (_, waiting) in waiting {
                if !std::mem::replace(&mut movable[*waiting], true) {
                    moving.push(*waiting);
                }
            }
        }
    }
}

/// A buffer as a number, in the order of buffers.
fn number_of(buffer: Buffer) -> u64 {
    u64::from(buffer.channel.0) << 8 | u64::from(buffer.vc)
}

/// A cycle of packets each of which needs the buffer that the next one holds; none when every
/// waiting packet can move sooner or later.
///
/// A packet can move when the buffer that it needs has room, when something is on its way to or
/// from that buffer, or when some packet in that buffer can move.
pub(super) fn find(
    mut waiting: Vec<Waiting>,
    room: &dyn Fn(Buffer) -> Room,
) -> Option<Vec<Waiting>> {
    sort_by_number(&mut waiting, |Waiting { holds, source, number, .. }| {
        both(number_of(*holds), u64::from(source.0) << 32 | u64::from(*number))
    });
    let waits = Waits(waiting);
    let blockers: Vec<Range<usize>> =
        waits.0.iter().map(|each| waits.holders(each.needs)).collect();
    let mut movable: Vec<bool> = waits
        .0
        .iter()
        .zip(&blockers)
        .map(|(each, holders)| {
            let room = room(each.needs);
            room.open || (holders.len() as u32) < room.occupied
        })
        .collect();
    waits.free(&mut movable);
    // Every stuck packet needs a buffer full of stuck ones, so following them closes a cycle.
    let mut trail = vec![movable.iter().position(|movable| !movable)?];
    loop {
        let next = blockers[*trail.last()?].start;
        if let Some(start) = trail.iter().position(|index| *index == next) {
            return Some(trail[start..].iter().map(|index| waits.0[*index]).collect());
        }
        trail.push(next);
    }
}
