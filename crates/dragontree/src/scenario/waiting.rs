//! Packets of a deadlock, in words and in machine-readable form.

use serde::{Deserialize, Serialize};

use super::Experiment;
use crate::network::{EndpointId, Network, Node};
use crate::simulation::{Buffer, Waiting};
use crate::units::Time;

/// A packet that waits for ever.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitingPacket {
    /// The name of its source.
    pub source: String,
    /// Its number among the packets of its source.
    pub number: u32,
    /// The name of its destination.
    pub destination: String,
    /// The buffer that it is in.
    pub holds: HeldBuffer,
    /// The buffer that it must have room in to go on: the next packet of the circle is in it.
    pub needs: HeldBuffer,
    /// Simulated time since which nothing has been sent where it waits, in nanoseconds.
    pub since_ns: f64,
}

/// The buffer at the end of a channel, for one virtual channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldBuffer {
    /// The name of the node that the channel leaves.
    pub from: String,
    /// The port that it leaves there, as reports number it.
    pub port: u32,
    /// The name of the node that it leads to.
    pub to: String,
    /// The virtual channel.
    pub vc: u8,
}

impl HeldBuffer {
    fn of(network: &Network, Buffer { channel, vc }: Buffer) -> HeldBuffer {
        HeldBuffer {
            from: network.name(network.owner(channel)),
            port: network.shown_number(channel),
            to: network.neighbor(channel).map(|node| network.name(node)).unwrap_or_default(),
            vc,
        }
    }
}

impl Experiment {
    /// Waiting packets in words.
    pub(super) fn in_words(&self, cycle: &[Waiting]) -> Vec<String> {
        let (network, _, _) = self.simulated();
        let endpoints = self.network.endpoint_count();
        cycle.iter().map(|waiting| in_words(waiting, &network, endpoints)).collect()
    }

    /// Waiting packets with all that is known of them.
    pub(super) fn packets(&self, cycle: &[Waiting]) -> Vec<WaitingPacket> {
        let (network, _, _) = self.simulated();
        let packet = |waiting: &Waiting| WaitingPacket {
            source: network.name(Node::Endpoint(waiting.source)),
            number: waiting.number,
            destination: network.name(Node::Endpoint(waiting.destination)),
            holds: HeldBuffer::of(&network, waiting.holds),
            needs: HeldBuffer::of(&network, waiting.needs),
            since_ns: waiting.since.as_ns(),
        };
        cycle.iter().map(packet).collect()
    }
}

/// When the last packet of a deadlock stopped moving.
pub(super) fn stopped(deadlock: Option<&[Waiting]>) -> Option<f64> {
    deadlock?.iter().map(|waiting| waiting.since).max().map(Time::as_ns)
}

/// A waiting packet in words; `endpoints` is the number of endpoints that are no switches.
fn in_words(waiting: &Waiting, network: &Network, endpoints: u32) -> String {
    let packet = match (waiting.source, waiting.number) {
        (EndpointId(id), number) if id < endpoints => format!("{id}.{number}"),
        (source, number) => format!("{number} of {}", network.name(Node::Endpoint(source))),
    };
    format!(
        "packet {packet} to {}, on virtual channel {} of {}, waits for virtual channel {} of {}",
        network.name(Node::Endpoint(waiting.destination)),
        waiting.holds.vc,
        network.channel_name(waiting.holds.channel),
        waiting.needs.vc,
        network.channel_name(waiting.needs.channel),
    )
}
