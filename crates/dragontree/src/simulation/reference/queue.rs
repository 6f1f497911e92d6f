//! The event queue: earliest first, equal times together, in the order of [`Kind::order`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::network::{EndpointId, PortId};
use crate::random::mix;

/// Something that happens. At one time, the kinds are served in this order: what gives room comes
/// before what takes it, so that those who wait are not overtaken by those who just arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Room for one packet has come back for a channel's downstream buffer.
    Credit {
        /// The channel.
        channel: PortId,
        /// The virtual channel of the buffer.
        vc: u8,
        /// The packet's size.
        bytes: u32,
    },
    /// An output queue has drained far enough for another packet or, where it has room of its own,
    /// its channel is free.
    Wake {
        /// The output.
        port: PortId,
    },
    /// A packet's head has reached a switch's allocator, over the channel that it names.
    Arrive {
        /// The packet.
        packet: u32,
        /// The channel it came by.
        over: PortId,
    },
    /// The first packet of an input buffer has left it.
    Read {
        /// The channel that leads into the buffer.
        channel: PortId,
        /// The virtual channel.
        vc: u8,
    },
    /// A message's last bit has left its source, in an exchange.
    Sent {
        /// Its place among those under way.
        message: u32,
    },
    /// A packet's last bit has reached its destination.
    Deliver {
        /// The packet.
        packet: u32,
    },
    /// A source may have a packet ready.
    Generate {
        /// The source.
        endpoint: EndpointId,
    },
}

impl Kind {
    /// The place among events of one time: by kind, then by a hash of what it belongs to and of
    /// the time, so that over time no port comes first more often than another.
    fn order(&self, seed: u64, time: u64) -> (u8, u64, u32) {
        let (kind, owner) = match *self {
            Kind::Credit { channel, vc, .. } => (0, channel.0 ^ u32::from(vc) << 28),
            Kind::Wake { port } => (1, port.0),
            Kind::Arrive { over, .. } => (2, over.0),
            Kind::Read { channel, vc } => (2, channel.0 ^ u32::from(vc) << 28),
            Kind::Sent { message } => (3, message),
            Kind::Deliver { packet } => (4, packet),
            Kind::Generate { endpoint } => (5, endpoint.0),
        };
        (kind, mix(seed ^ time ^ u64::from(owner) << 32), owner)
    }
}

/// Events ordered by time.
pub(super) struct Queue {
    seed: u64,
    heap: BinaryHeap<Reverse<(u64, Kind)>>,
}

impl Queue {
    pub(super) fn new(seed: u64) -> Queue {
        Queue { seed, heap: BinaryHeap::new() }
    }

    pub(super) fn push(&mut self, time: u64, kind: Kind) {
        self.heap.push(Reverse((time, kind)));
    }

    /// How many events wait.
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Shows every event that waits.
    #[cfg(debug_assertions)]
    pub(super) fn each(&self, show: &mut impl FnMut(&Kind)) {
        self.heap.iter().for_each(|Reverse((_, kind))| show(kind));
    }

    /// The time of the next event.
    pub(super) fn next_time(&self) -> Option<u64> {
        self.heap.peek().map(|Reverse((time, _))| *time)
    }

    /// Takes out all events of the next time, in the order in which they are served.
    pub(super) fn take(&mut self) -> Vec<Kind> {
        let Some(next) = self.next_time() else { return Vec::new() };
        let mut batch = Vec::new();
        while self.next_time() == Some(next) {
            batch.extend(self.heap.pop().map(|Reverse((_, kind))| kind));
        }
        batch.sort_by_cached_key(|kind| kind.order(self.seed, next));
        batch
    }
}
