//! What is conserved, looked at in debug builds.

use super::Fast;
use super::order::CREDIT;

impl Fast {
    /// Panics where a packet or a credit has been lost or made.
    pub(super) fn check(&self) {
        let sources = self.base.sources.iter().flatten();
        let generated: u64 = sources.map(|source| u64::from(source.sent)).sum();
        let delivered = self.base.delivered() + self.lost;
        let under_way = self.packets.count();
        assert_eq!(generated, delivered + under_way, "packets generated and delivered");

        // What each buffer holds, or is going to hold, or has just let go.
        let mut taken = vec![0_u32; self.ports.credits.len()];
        let mut packets = self.later.len() as u64;
        self.wheel.each(&mut |event| {
            if event.path != 0 {
                taken[self.ports.other_name(event.buffer) as usize] += 1;
                packets += 1;
            } else if event.packet == CREDIT {
                taken[event.buffer as usize] += 1;
            }
        });
        match &self.flits {
            None => {
                for (parked, _) in self.ports.lines.all() {
                    taken[self.ports.other_name(parked.from) as usize] += 1;
                    packets += 1;
                }
                assert_eq!(packets, under_way, "packets on links, waiting, and being delivered");
            }
            Some(flits) => flits.worms.each_waiting(|from, flits| {
                taken[self.ports.other_name(from) as usize] += flits;
            }),
        }
        for (buffer, taken) in taken.iter().enumerate() {
            let credits = self.ports.known_credits(buffer as u32);
            let takes = self.ports.kind_of(self.ports.port_of(buffer as u32)).takes;
            let sum = credits + taken * takes;
            assert_eq!(sum, if takes > 0 { self.ports.capacity } else { 1 }, "buffer {buffer}");
        }
    }
}
