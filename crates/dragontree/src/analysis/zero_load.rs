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
    /// Whether they choose by what waits for channels, of which those before them are part.
    pub adapts: bool,
}

impl Latencies {
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

/// The ways of a pair on which the packets of a message go apart.
#[derive(Default)]
pub(super) struct Apart {
    /// How long the message takes on each so far, as long as that is the same.
    time: Option<Time>,
    /// The slowest channels of all of them, if slower than the first.
    slowest: Vec<PortId>,
}

impl Apart {
    /// Adds a way that takes so long; whether a message may take another time than on any of them. It does
    /// not if they take the same time and its packets follow one another as fast as the first channel lets
    /// them, or as one channel does that all of them go over.
    pub fn add(
        &mut self,
        latencies: &Latencies,
        path: &[Step],
        time: Time,
        serialization: impl Fn(PortId) -> Option<Time>,
    ) -> bool {
        let times = || path.iter().filter_map(|step| serialization(step.port));
        let slowest = times().max();
        let slows = slowest > times().next();
        let is_slowest = |port: &PortId| serialization(*port) == slowest;
        let is_first = self.time.is_none();
        if is_first {
            let ports = path.iter().map(|step| step.port);
            self.slowest = ports.filter(|port| slows && is_slowest(port)).collect();
        } else {
            self.slowest.retain(|port| path.iter().any(|step| step.port == *port));
        }
        let differs = self.time.replace(time).is_some_and(|other| other != time);
        differs || slows && (latencies.adapts || !is_first && self.slowest.is_empty())
    }
}
