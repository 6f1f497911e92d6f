//! What is conserved, looked at in debug builds.

use super::FastExchange;
use super::window::{CREDIT, DELIVER, read};

/// One of so many windows is looked at.
const SELDOM: u64 = 16;

impl FastExchange {
    /// Panics where a packet or a credit has been lost or made, between two windows.
    pub(super) fn check(&self) {
        assert!(self.order.is_empty(), "events of a window are served in it");
        let out = self.ranks.delivered + self.lost;
        let under_way = self.packets.count();
        assert_eq!(self.ranks.injected, out + under_way, "packets injected and delivered");

        // What each buffer holds, or is going to hold, or has just let go.
        let mut taken = vec![0; self.ports.credits.len()];
        let mut packets = 0;
        let bytes_of = |packet: u32| match &self.flits {
            None => self.ports.sizes.bytes(self.packets.get(packet).size),
            Some(flits) => self.ports.sizes.bytes(flits.size),
        };
        self.wheel.each(&mut |event| {
            if event.path != 0 {
                taken[self.ports.other_name(event.buffer) as usize] += bytes_of(event.packet);
                packets += 1;
                return;
            }
            match read(&event) {
                (CREDIT, bytes) => taken[event.buffer as usize] += bytes,
                (DELIVER, _) => packets += 1,
                _ => {}
            }
        });
        match &self.flits {
            None => {
                for (parked, _) in self.ports.lines.all() {
                    taken[self.ports.other_name(parked.from) as usize] += bytes_of(parked.packet);
                    packets += 1;
                }
                assert_eq!(packets, under_way, "packets on links, waiting, and being delivered");
            }
            Some(flits) => flits.worms.each_waiting(|from, waiting| {
                let bytes = waiting * self.ports.sizes.bytes(flits.size);
                taken[self.ports.other_name(from) as usize] += bytes;
            }),
        }
        for (buffer, taken) in taken.iter().enumerate() {
            if !self.ports.kind_of(self.ports.port_of(buffer as u32)).ends {
                let sum = self.ports.known_credits(buffer as u32) + taken;
                assert_eq!(sum, self.ports.capacity, "buffer {buffer}");
            }
        }
    }

    /// The same, if this window is one of some, before it begins.
    pub(super) fn check_sometimes(&self, window: u64) {
        if (window >> self.cut.shift).is_multiple_of(SELDOM) {
            self.check();
        }
    }
}
