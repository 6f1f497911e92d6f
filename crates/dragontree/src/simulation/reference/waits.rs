//! What waits for what.

use std::collections::BTreeMap;

use crate::network::{EndpointId, PortId};
use crate::units::Time;

use super::super::engine::Room;
use super::super::{Buffer, Waiting};
use super::Reference;
use super::ends::Ends;
use super::outputs::{Owner, Worm};

/// The places of all flits, by packet and number.
type Flits = BTreeMap<(Worm, u32), u32>;
/// The output and virtual channel that each waiting packet waits for.
type Wanted = BTreeMap<u32, Buffer>;

impl<E: Ends> Reference<E> {
    /// The packets that wait for an output's virtual channel that has taken none since before this
    /// time, with the buffers that they need room in.
    ///
    /// Where another packet has the output's virtual channel, that is the buffer that its next flit
    /// needs; who waits for flits that are on their way is left out. Those who stand behind the
    /// first of a FIFO do not wait for an output yet.
    pub(super) fn waits(&self, time: u64) -> Vec<Waiting> {
        let wanted: Wanted = self
            .outputs
            .waiting()
            .map(|(packet, channel, vc)| (packet, Buffer { channel, vc }))
            .collect();
        let flits: Flits = match self.base.setup.model.flit {
            None => Flits::new(),
            Some(_) => {
                self.in_flight().map(|(place, flit)| ((flit.worm, flit.flit), place)).collect()
            }
        };
        let waiting = wanted.iter().filter_map(|(packet, wants)| {
            let held = &self.packets[*packet as usize];
            let since = self.outputs.stuck_since(wants.channel, wants.vc);
            (since < time).then_some(())?;
            Some(Waiting {
                source: EndpointId(held.worm.source),
                number: self.ends.number(held.worm),
                destination: held.header.destination,
                holds: Buffer { channel: held.over, vc: held.vc },
                needs: self.needs(held.worm, *wants, &wanted, &flits)?,
                since: Time::ps(since),
            })
        });
        waiting.collect()
    }

    /// The buffer that must have room before a packet can go on over the channel that it wants; none
    /// when it waits for flits that are on their way.
    fn needs(&self, worm: Worm, wants: Buffer, wanted: &Wanted, flits: &Flits) -> Option<Buffer> {
        match self.outputs.owner(wants.channel, wants.vc) {
            Some(Owner { worm: other, next }) if other != worm => match flits.get(&(other, next)) {
                Some(flit) => wanted.get(flit).copied(),
                None => {
                    let injection = self.ends.injection(&self.base, other);
                    injection.map(|channel| Buffer { channel, vc: 0 })
                }
            },
            _ => Some(wants),
        }
    }

    /// The state of the buffer behind a channel. An output queue with room of its own counts as the
    /// front part of that buffer; who stands behind the first of a FIFO moves when that does.
    pub(super) fn room_in(&self, Buffer { channel, vc }: Buffer) -> Room {
        let behind = self.inputs.as_ref().map_or(0, |inputs| inputs.behind(channel, vc));
        let unit = self.base.setup.unit().0 as u32;
        let queue_has_room = |channel: PortId| {
            self.outputs.queues.as_ref().is_some_and(|queues| queues.has_room(channel, vc, unit))
        };
        Room {
            open: self.outputs.has_credit(channel, vc, unit) || queue_has_room(channel),
            occupied: self.outputs.occupied(channel, vc).saturating_sub(behind),
        }
    }
}
