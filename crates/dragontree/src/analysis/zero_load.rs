//! Latency in an otherwise empty network.

use super::path::Step;
use crate::network::{Network, PortId};
use crate::units::Time;

/// Latencies of the parts that are not links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latencies {
    /// Through a switch.
    pub switch: Time,
    /// Through an adapter, once at either end.
    pub adapter: Time,
}

impl Latencies {
    /// The time that a packet alone in the network takes along a path: the head crosses links and
    /// switches, the tail follows. With equal rates over n switches this is
    /// `2·adapter + n·(switch + link) + link + serialization`; onto a faster link the packet
    /// starts no earlier than its tail allows. `serialization` gives the packet's time on a
    /// channel.
    pub fn along(
        &self,
        network: &Network,
        path: &[Step],
        serialization: impl Fn(PortId) -> Option<Time>,
    ) -> Time {
        let mut head = self.adapter;
        let mut tail = head;
        for (index, step) in path.iter().enumerate() {
            let channel = network.channel(step.port);
            let (Some(channel), Some(serialization)) = (channel, serialization(step.port)) else {
                return Time::MAX;
            };
            if index > 0 {
                head += self.switch;
                tail += self.switch;
                head = head.max(tail.saturating_sub(serialization));
            }
            tail = head + serialization + channel.latency;
            head += channel.latency;
        }
        tail + self.adapter
    }
}
