//! Packets that wait for each other for ever.

use std::ops::Range;

use crate::network::EndpointId;

use super::engine::Packet;
use super::switch::Outputs;
use super::{Buffer, Waiting};

/// The waiting packets, sorted by the buffer they hold.
struct Waits(Vec<Waiting>);

impl Waits {
    fn of(outputs: &Outputs, packets: &[Packet]) -> Waits {
        let waiting = outputs.waiting().map(|(packet, channel, vc)| {
            let held = &packets[packet as usize];
            Waiting {
                source: EndpointId(held.source),
                number: held.number,
                destination: held.header.destination,
                holds: Buffer { channel: held.over, vc: held.vc },
                needs: Buffer { channel, vc },
            }
        });
        let mut waiting: Vec<Waiting> = waiting.collect();
        waiting.sort_by_key(|each| (each.holds, each.source, each.number));
        Waits(waiting)
    }

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
pub(super) fn find(outputs: &Outputs, packets: &[Packet]) -> Option<Vec<Waiting>> {
    let waits = Waits::of(outputs, packets);
    let blockers: Vec<Range<usize>> =
        waits.0.iter().map(|each| waits.holders(each.needs)).collect();
    let mut movable: Vec<bool> = waits
        .0
        .iter()
        .zip(&blockers)
        .map(|(each, holders)| {
            let Buffer { channel: port, vc } = each.needs;
            outputs.has_credit(port, vc) || (holders.len() as u32) < outputs.occupied(port, vc)
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
