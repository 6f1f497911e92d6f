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
        let buffer = u64::from(holds.channel.0) << 8 | u64::from(holds.vc);
        both(buffer, u64::from(source.0) << 32 | u64::from(*number))
    });
    let waits = Waits(waiting);
    let blockers: Vec<Range<usize>> =
        waits.0.iter().map(|each| waits.holders(each.needs)).collect();
    let movable = movable(&waits, &blockers, room);
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

/// Which packets can move sooner or later.
fn movable(waits: &Waits, blockers: &[Range<usize>], room: &dyn Fn(Buffer) -> Room) -> Vec<bool> {
    // Other builds have the fast engine only, which leaves out what can move.
    if !cfg!(feature = "complete") {
        return vec![false; waits.0.len()];
    }
    let mut movable: Vec<bool> = waits
        .0
        .iter()
        .zip(blockers)
        .map(|(each, holders)| {
            let room = room(each.needs);
            room.open || (holders.len() as u32) < room.occupied
        })
        .collect();
    // Packets of one buffer stand together, so whether any of a range can move is a difference
    // of running counts.
    loop {
        let mut moving = vec![0_u32];
        for each in &movable {
            moving.push(moving[moving.len() - 1] + u32::from(*each));
        }
        let freed = |index: &usize| {
            let holders = &blockers[*index];
            !movable[*index] && moving[holders.end] > moving[holders.start]
        };
        let newly: Vec<usize> = (0..movable.len()).filter(freed).collect();
        if newly.is_empty() {
            break;
        }
        newly.into_iter().for_each(|index| movable[index] = true);
    }
    movable
}
