//! Buffers that are too small to keep their channel busy.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::network::{Channel, Network, Node, PortId};
use crate::simulation::Setup;
use crate::units::{Bandwidth, Bytes, Time};

/// An input buffer below one round trip plus a packet: a credit that comes back so late leaves the
/// channel idle, so that one virtual channel alone cannot fill it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShortBuffer {
    /// The channel that needs most, in words.
    pub channel: String,
    /// What the buffer behind it takes per virtual channel, in whole packets or flits.
    pub bytes: u64,
    /// What it would have to take: a round trip of the channel's rate, and a packet or flit.
    pub needed: u64,
    /// The way of the head to the next switch and through it, and that of the credit back.
    pub round_trip_ns: f64,
}

impl ShortBuffer {
    /// Of all channels into switches whose buffers are too small, the one that needs most.
    pub(super) fn find(setup: &Setup) -> Option<ShortBuffer> {
        let unit = setup.unit();
        let bytes = setup.buffer.0 / unit.0 * unit.0;
        let network: &Network = &setup.network;
        let into_switches = network
            .channels()
            .filter(|(port, _)| matches!(network.neighbor(*port), Some(Node::Switch(_))))
            .filter(|(port, _)| !setup.is_of_management(*port));
        let needs = |(port, channel): (PortId, Channel)| {
            let round_trip = channel.latency * 2 + setup.switch_latency;
            (carried(channel.bandwidth, round_trip).saturating_add(unit.0), round_trip, port)
        };
        let (needed, round_trip, port) = into_switches
            .map(needs)
            .reduce(|one, other| if other.0 > one.0 { other } else { one })?;
        (bytes < needed).then(|| ShortBuffer {
            channel: network.channel_name(port),
            bytes,
            needed,
            round_trip_ns: round_trip.as_ns(),
        })
    }
}

/// The bytes that pass at a rate in some time, rounded up.
fn carried(bandwidth: Bandwidth, time: Time) -> u64 {
    let bits = u128::from(bandwidth.as_bps()) * u128::from(time.as_ps());
    u64::try_from(bits.div_ceil(8 * 1_000_000_000_000)).unwrap_or(u64::MAX)
}

impl fmt::Display for ShortBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ShortBuffer { channel, bytes, needed, round_trip_ns } = self;
        let (bytes, needed) = (Bytes(*bytes), Bytes(*needed));
        write!(
            f,
            "a virtual channel's input buffer takes {bytes} in whole packets (or flits), less than one \
             round trip plus a packet, {needed} on {channel} ({round_trip_ns} ns): alone it cannot fill \
             the channel, for which bound and latency at zero load make no allowance"
        )
    }
}
