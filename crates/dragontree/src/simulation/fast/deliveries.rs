//! What has been delivered, and is counted later.

use std::ops::RangeInclusive;

use super::super::statistics::Delivery;
use super::{Fast, make_room};

/// A packet that has left its last switch, and when its last bit is delivered.
///
/// The time in two parts, as a whole one would take a third more memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delivered {
    low: u32,
    high: u32,
    packet: u32,
}

impl Delivered {
    #[inline(always)]
    pub(super) fn new(time: u64, packet: u32) -> Delivered {
        Delivered { low: time as u32, high: (time >> 32) as u32, packet }
    }

    #[inline(always)]
    pub(super) fn time(&self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }
}

/// How many deliveries are counted at once: the packets are anywhere in memory, and waiting for one takes
/// as long as for many.
const AT_ONCE: usize = 512;

impl Fast {
    /// Counts the deliveries in the log, but leaves for later what comes later.
    pub(super) fn settle_deliveries(&mut self) {
        let Fast { log, later, until, settled, .. } = self;
        let (first, last) = span(log);
        let times = first..=last.min(until.saturating_sub(1));
        *settled = last.max(*settled);
        if last >= *until {
            let mut place = 0;
            while let Some(each) = log.get(place) {
                if each.time() < *until {
                    place += 1;
                } else {
                    make_room(later);
                    later.push(log.swap_remove(place));
                }
            }
        }
        self.count_deliveries(&times);
    }

    /// Counts what has been left for later and comes now, a few deliveries at a time: in a log of all they
    /// would take their memory twice.
    pub(super) fn settle_later(&mut self) {
        let (mut place, until) = (0, self.until);
        while let Some(each) = self.later.get(place) {
            if each.time() >= until {
                place += 1;
                continue;
            }
            self.log.push(self.later.swap_remove(place));
            if self.log.len() >= AT_ONCE {
                self.settle_deliveries();
            }
        }
        self.settle_deliveries();
    }

    /// Counts the deliveries in the log, which are in a range of times.
    fn count_deliveries(&mut self, times: &RangeInclusive<u64>) {
        let Fast { log, packets, base, touched, .. } = self;
        for some in log.chunks(AT_ONCE) {
            if packets.are_many() {
                let numbers = some.iter().map(|each| packets.touch(each.packet));
                *touched = numbers.fold(*touched, u32::wrapping_add);
                let sources = some.iter().map(|each| packets.get(each.packet).source());
                let counts = sources.map(|source| base.statistics.touch(source));
                *touched = counts.fold(*touched, u32::wrapping_add);
            }
            packets.leave(some.iter().map(|each| each.packet));
            let deliveries = some.iter().map(|each| {
                let packet = packets.get(each.packet);
                let (source, number) = (packet.source(), packet.number());
                let (born, switches) = (packet.born, packets.switches(each.packet));
                (each.time(), Delivery { source, number, born, switches })
            });
            base.deliver_all(times.clone(), deliveries);
        }
        log.clear();
    }
}

/// From when to when deliveries are; from the end of time to its beginning where there are none.
fn span(log: &[Delivered]) -> (u64, u64) {
    let widen = |(first, last): (u64, u64), each: &Delivered| {
        let time = each.time();
        (first.min(time), last.max(time))
    };
    log.iter().fold((u64::MAX, 0), widen)
}
