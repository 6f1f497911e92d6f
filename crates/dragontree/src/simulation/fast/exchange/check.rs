//! What is conserved, looked at in debug builds.

use super::FastExchange;

impl FastExchange {
    /// Panics where a packet or a credit has been lost or made, once nothing is left to happen.
    pub(super) fn check(&self) {
        let out = self.ranks.delivered + self.lost;
        let under_way = self.packets.count();
        assert_eq!(self.ranks.injected, out + under_way, "packets injected and delivered");

        let mut taken = vec![0; self.ports.credits.len()];
        let waiting = || self.ports.lines.all();
        assert_eq!(waiting().count() as u64, under_way, "packets that wait");
        for (parked, _) in waiting() {
            let bytes = self.ports.sizes.bytes(self.packets.get(parked.packet).size);
            taken[self.ports.other_name(parked.from) as usize] += bytes;
        }
        for (buffer, taken) in taken.iter().enumerate() {
            if !self.ports.kind_of(self.ports.port_of(buffer as u32)).ends {
                let sum = self.ports.known_credits(buffer as u32) + taken;
                assert_eq!(sum, self.ports.capacity, "buffer {buffer}");
            }
        }
    }
}
