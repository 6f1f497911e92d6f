//! Which flits wait, and for which buffers.

use std::collections::BTreeMap;

use crate::network::EndpointId;
use crate::units::Time;

use super::super::super::{Buffer, Waiting};
use super::super::parked::Lines;
use super::{NONE, Passage, Worms};

/// The passages of each packet.
type OfPackets<'a> = BTreeMap<u32, Vec<&'a Passage>>;

/// What an engine tells of its packets and buffers.
pub(in super::super) trait Whereabouts {
    /// Where a packet comes from, its number there, and where it goes.
    fn about(&self, packet: u32) -> (EndpointId, u32, EndpointId);

    /// The buffer of a number, which is that of an inlet or of a channel that leads into it.
    fn of_inlet(&self, inlet: u32) -> Buffer;
    fn of_channel(&self, buffer: u32) -> Buffer;

    /// The buffer by which a packet's source sends this flit, if that has not been sent.
    fn at_source(&self, packet: u32, flit: u32) -> Option<Buffer>;
}

impl Worms {
    /// The flits that wait for an output's virtual channel that has taken none since before this time,
    /// with the buffers that they need room in.
    ///
    /// Where another packet has the output's virtual channel, that is the buffer that its next flit
    /// needs; who waits for flits that are on their way is left out.
    pub(in super::super) fn waits(
        &self,
        time: u64,
        lines: &Lines,
        places: &impl Whereabouts,
    ) -> Vec<Waiting> {
        let outputs = self.outputs.iter().zip(0..);
        let stalled = outputs.filter(|(output, _)| output.waiting > 0 && output.since < time);
        let stalled: Vec<u32> = stalled.map(|(_, to)| to).collect();
        let mut passages = OfPackets::new();
        if !stalled.is_empty() {
            for passage in self.passages.iter() {
                passages.entry(passage.packet).or_default().push(passage);
            }
        }
        let mut waiting = Vec::new();
        for to in stalled {
            let owner = self.outputs[to as usize].owner;
            let firsts = lines.line(to).map(|first| first.packet);
            for place in firsts.chain((owner != NONE).then_some(owner)) {
                let Some(passage) = self.passages.get(place) else { continue };
                let needs = match self.passages.get(owner).filter(|_| owner != place) {
                    None => Some(places.of_channel(to)),
                    Some(owner) => next_needs(owner, &passages, places),
                };
                if let Some(needs) = needs {
                    let each = self.waiting(passage, needs, places);
                    waiting.extend(std::iter::repeat_n(each, passage.waiting() as usize));
                }
            }
        }
        waiting
    }

    /// A flit that waits in a passage and needs room in a buffer.
    fn waiting(&self, passage: &Passage, needs: Buffer, places: &impl Whereabouts) -> Waiting {
        let (source, number, destination) = places.about(passage.packet);
        Waiting {
            source,
            number,
            destination,
            holds: places.of_inlet(passage.from),
            needs,
            since: Time::ps(self.outputs[passage.to as usize].since),
        }
    }
}

/// The buffer that the next flit of a passage needs room in: at this switch, at one before it, or at
/// its source; none where it is on its way.
fn next_needs(owner: &Passage, all: &OfPackets<'_>, places: &impl Whereabouts) -> Option<Buffer> {
    let Passage { packet, sent: next, .. } = *owner;
    let mut all = all.get(&packet).into_iter().flatten();
    let waits = all.find(|each| (each.sent..each.arrived).contains(&next));
    waits.map_or_else(
        || places.at_source(packet, next),
        |passage| Some(places.of_channel(passage.to)),
    )
}
