//! The queues as adaptive routings see them.

use crate::network::PortId;
use crate::routing::Queues;
use crate::units::Bytes;

use super::super::Setup;
use super::ports::{Kind, Port};

/// What queues are told in: the bytes of what crosses a switch on its own, and those that a queue holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    unit: Bytes,
    capacity: Bytes,
}

impl Sizes {
    pub(super) fn of(setup: &Setup) -> Sizes {
        Sizes { unit: setup.unit(), capacity: setup.output_buffer }
    }
}

/// The output queues at some time.
pub(super) struct Backlog<'a> {
    ports: &'a [Port],
    kinds: &'a [Kind],
    now: u64,
    sizes: Sizes,
}

impl<'a> Backlog<'a> {
    #[inline]
    pub(super) fn new(ports: &'a [Port], kinds: &'a [Kind], sizes: Sizes, now: u64) -> Backlog<'a> {
        Backlog { ports, kinds, now, sizes }
    }
}

/// How many packets, or flits, each of which takes `time`, a queue holds that takes `backlog` to be sent.
/// Most times fit into half a word, of which a division takes a fraction of the time.
#[inline]
fn packets_in(backlog: u64, time: u64) -> u64 {
    match (u32::try_from(backlog), u32::try_from(time)) {
        (Ok(backlog), Ok(time)) => u64::from(backlog.div_ceil(time)),
        _ => backlog.div_ceil(time),
    }
}

impl Queues for Backlog<'_> {
    #[inline(always)]
    fn queued(&self, port: PortId) -> Bytes {
        let Port { free, parked, kind, .. } = self.ports[port.index()];
        let time = self.kinds[usize::from(kind)].timing.serialization;
        let queued = packets_in(free.saturating_sub(self.now), time.max(1));
        Bytes((queued + u64::from(parked)) * self.sizes.unit.0)
    }

    fn capacity(&self) -> Bytes {
        self.sizes.capacity
    }
}
