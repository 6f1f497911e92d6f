//! What is conserved, looked at in debug builds.

use super::queue::Kind;
use super::{Downstream, Reference};
use crate::network::PortId;

impl Reference {
    /// Panics where a packet or a credit has been lost or made.
    pub(super) fn check(&self) {
        let sources = self.base.sources.iter().flatten();
        let begun: u64 = sources.map(|source| u64::from(source.sent)).sum();
        let delivered = self.base.delivered() + self.lost;
        assert_eq!(begun, delivered + self.inside, "packets generated and delivered");

        // What each buffer holds, or is going to hold, or has just let go.
        let lanes = usize::from(self.base.setup.virtual_channels);
        let place = |port: PortId, vc: u8| port.index() * lanes + usize::from(vc);
        let mut taken = vec![0_u32; self.outputs.all().len() * lanes];
        let queues = &self.outputs.queues;
        let queued: Vec<u32> = queues.iter().flat_map(|queues| queues.packets()).collect();
        let mut gone = vec![false; self.packets.len()];
        queued.iter().for_each(|packet| gone[*packet as usize] = true);
        let holders = self.in_flight().filter(|(packet, _)| !gone[*packet as usize]);
        holders.for_each(|(_, packet)| taken[place(packet.over, packet.vc)] += 1);
        self.queue.each(&mut |kind| {
            if let Kind::Credit { channel, vc } = kind {
                taken[place(*channel, *vc)] += 1;
            }
        });
        for (port, output) in (0..).map(PortId).zip(self.outputs.all()) {
            for vc in 0..self.base.setup.virtual_channels {
                let found = taken[place(port, vc)];
                if let Downstream::Switch(_) = output.downstream {
                    assert_eq!(found, self.outputs.occupied(port, vc), "buffer {vc} of {port:?}");
                }
            }
        }
        assert!(queues.as_ref().is_none_or(|queues| queues.is_within_capacity()));
    }
}
