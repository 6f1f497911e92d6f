//! Latency in an otherwise empty network.

use super::path::Step;
use crate::network::{Network, PortId};
use crate::units::Time;

/// What the time of a packet alone in the network depends on besides the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latencies {
    /// Through a switch.
    pub switch: Time,
    /// Through an adapter, once at either end.
    pub adapter: Time,
    /// What moves whole of a message: its packets, or their flits in wormhole switching.
    pub flits: u64,
    /// Whether each of several packets of a message chooses a way of its own.
    pub apart: bool,
}

impl Latencies {
    /// Whether some channel of a path takes longer than its first one, so that packets wait for each other
    /// on the way unless they go different ones.
    pub fn is_slowed(path: &[Step], serialization: impl Fn(PortId) -> Option<Time>) -> bool {
        let times = || path.iter().map(|step| serialization(step.port));
        times().max() > times().next()
    }

    /// The time that a packet alone in the network takes along a path: the head crosses links and
    /// switches, the tail follows. With equal rates over n switches this is
    /// `2·adapter + n·(switch + link) + link + serialization`; onto a faster link what moves whole
    /// starts no earlier than its tail allows. `serialization` gives the time of a packet, or of
    /// one of its flits, on a channel; further flits follow as fast as the slowest channel lets
    /// them.
    pub fn along(
        &self,
        network: &Network,
        path: &[Step],
        serialization: impl Fn(PortId) -> Option<Time>,
    ) -> Time {
        let mut head = self.adapter;
        let mut slowest = Time::ZERO;
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
            slowest = slowest.max(serialization);
            tail = head + serialization + channel.latency;
            head += channel.latency;
        }
        tail + slowest * (self.flits - 1) + self.adapter
    }
}
