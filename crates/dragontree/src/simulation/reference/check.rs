//! What is conserved, looked at in debug builds.

use super::ends::Ends;
use super::queue::Kind;
use super::{Downstream, Reference};
use crate::network::PortId;

impl<E: Ends> Reference<E> {
    /// Panics where a packet or a credit has been lost or made.
    pub(super) fn check(&self) {
        let (begun, delivered) = self.ends.counts(&self.base);
        assert_eq!(begun, delivered + self.lost + self.inside, "packets generated and delivered");

        // What each buffer holds, or is going to hold, or has just let go.
        let lanes = usize::from(self.base.setup.virtual_channels);
        let place = |port: PortId, vc: u8| port.index() * lanes + usize::from(vc);
        let mut taken = vec![(0_u32, 0_u64); self.outputs.all().len() * lanes];
        let queues = &self.outputs.queues;
        let queued: Vec<u32> = queues.iter().flat_map(|queues| queues.packets()).collect();
        let mut gone = vec![false; self.packets.len()];
        queued.iter().for_each(|packet| gone[*packet as usize] = true);
        let mut take = |channel: PortId, vc: u8, bytes: u32| {
            let taken = &mut taken[place(channel, vc)];
            *taken = (taken.0 + 1, taken.1 + u64::from(bytes));
        };
        let holders = self.in_flight().filter(|(packet, _)| !gone[*packet as usize]);
        holders.for_each(|(_, packet)| take(packet.over, packet.vc, packet.bytes));
        self.queue.each(&mut |kind| {
            if let Kind::Credit { channel, vc, bytes } = kind {
                take(*channel, *vc, *bytes);
            }
        });
        for (port, output) in (0..).map(PortId).zip(self.outputs.all()) {
            for vc in 0..self.base.setup.virtual_channels {
                let found = taken[place(port, vc)];
                if let Downstream::Switch(_) = output.downstream {
                    let counted =
                        (self.outputs.occupied(port, vc), self.outputs.occupied_bytes(port, vc));
                    assert_eq!(found, counted, "buffer {vc} of {port:?}");
                }
            }
        }
        assert!(queues.as_ref().is_none_or(|queues| queues.is_within_capacity()));
    }
}
