//! The sources: when each endpoint has its next packet.

use crate::network::{EndpointId, Network, PortId, SwitchId};
use crate::random::{Geometric, Stream};
use crate::traffic::Destinations;
use crate::units::{Bytes, Rank};

/// An endpoint that sends. Times in picoseconds.
pub(super) struct Source {
    pub(super) rank: Rank,
    pub(super) injection: PortId,
    /// The switch that this leads to.
    pub(super) switch: Option<SwitchId>,
    /// When the packet at the head of the source queue was, or will be, generated.
    pub(super) next_birth: u64,
    /// The time between possible generations: that of a packet on the link.
    pub(super) slot: u64,
    /// Packets sent so far.
    pub(super) sent: u32,
    /// Whether the head of the queue waits for room in the switch.
    pub(super) blocked: bool,
    gaps: Stream,
    pub(super) destinations: Stream,
    pub(super) routes: Stream,
}

impl Source {
    /// Moves on to the next packet.
    pub(super) fn advance(&mut self, spacing: &Geometric) {
        self.sent += 1;
        let gap = spacing.gap(&mut self.gaps).saturating_mul(self.slot);
        self.next_birth = self.next_birth.saturating_add(gap);
    }
}

/// The sources of a run, by endpoint; none where an endpoint is silent.
///
/// In every slot of a packet's time a source generates a packet with the probability of the
/// offered load; the slots of different sources are shifted against each other at random.
pub(super) fn sources(
    network: &Network,
    placement: &[EndpointId],
    destinations: &Destinations,
    gap: &Geometric,
    packet: Bytes,
    seed: u64,
) -> Vec<Option<Source>> {
    let mut sources: Vec<Option<Source>> = network.endpoints().map(|_| None).collect();
    for (rank, endpoint) in placement.iter().enumerate() {
        let rank = Rank(rank as u32);
        let Some(injection) = network.injection(*endpoint).filter(|_| destinations.sends(rank))
        else {
            continue;
        };
        let link = network.channel(injection);
        let slot = link.map_or(1, |channel| channel.serialization(packet).as_ps().max(1));
        let index = u64::from(rank.0);
        let mut gaps = Stream::new(seed, "injection", index);
        let shift = gaps.bits() % slot;
        let first = gap.gap(&mut gaps) - 1;
        sources[endpoint.index()] = Some(Source {
            rank,
            injection,
            switch: network.switch_of(*endpoint),
            next_birth: first.saturating_mul(slot).saturating_add(shift),
            slot,
            sent: 0,
            blocked: false,
            gaps,
            destinations: Stream::new(seed, "traffic", index),
            routes: Stream::new(seed, "routing", index),
        });
    }
    sources
}
