//! Deliveries of packets whose lengths vary.

use fnv::FnvHashMap;

use super::{Delivery, Statistics};

/// The lengths of a packet, of the longest one, and of its message, in bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulation) struct Part {
    pub(in crate::simulation) bytes: u64,
    pub(in crate::simulation) longest: u64,
    pub(in crate::simulation) message: u64,
}

/// What has been delivered in part.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// By source, bytes that are not yet a packet of the longest.
    carried: Vec<u64>,
    /// Of the messages, by source and generation: how many bytes, and when the last came.
    messages: FnvHashMap<(u32, u64), (u64, u64)>,
}

impl Statistics {
    /// Counts a packet of any length, as one of the longest whenever so many bytes of its source have
    /// come together, and its message with the last of its bytes.
    pub(in crate::simulation) fn deliver_bytes(
        &mut self,
        now: u64,
        delivery: &Delivery,
        part: Part,
    ) {
        let Delivery { source, born, switches, .. } = *delivery;
        let carried = &mut self.parts.carried;
        carried.resize(self.per_source.len(), 0);
        let sum = carried[source as usize] + part.bytes;
        carried[source as usize] = sum % part.longest;
        let packets = sum / part.longest;
        self.per_source[source as usize] += packets as u32;
        self.delivered += packets;
        self.deliveries = self.deliveries.wrapping_add(delivery.hash(now));
        if let Some(batch) = self.batch_again(0, now) {
            batch.delivered += packets;
            batch.switches += u64::from(switches) * packets;
        }
        let message = self.parts.messages.entry((source, born)).or_default();
        *message = (message.0 + part.bytes, message.1.max(now));
        let (bytes, last) = *message;
        if bytes == part.message {
            self.parts.messages.remove(&(source, born));
            self.complete(last, born);
        }
    }
}
