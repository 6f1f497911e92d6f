//! The sources: when each endpoint has its next packet.

use crate::network::{EndpointId, Network, PortId, SwitchId};
use crate::random::{Geometric, Stream};
use crate::traffic::{Destinations, Residents, SEVERAL};
use crate::units::{Bytes, Rank};

/// An endpoint that sends. Times in picoseconds.
pub(super) struct Source {
    /// Its rank, or the lowest of those that share the endpoint, and how many these are.
    rank: Rank,
    ranks: u32,
    /// The share of the offered load that leaves the endpoint.
    leaving: f64,
    /// Where the packet at the head of the source queue goes.
    pub(super) next: EndpointId,
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

/// What a source's next packet depends on besides itself.
#[derive(Clone, Copy)]
pub(super) struct Law<'a> {
    pub(super) placement: &'a [EndpointId],
    pub(super) destinations: &'a Destinations,
    pub(super) residents: &'a Residents,
    pub(super) gap: &'a Geometric,
}

impl Source {
    /// Moves on to the next packet; the source is that of this endpoint.
    #[inline]
    pub(super) fn advance(&mut self, own: EndpointId, law: Law<'_>) {
        self.sent += 1;
        self.wait(law.gap);
        self.choose(own, law);
    }

    /// How much of what is generated in a time leaves the endpoint.
    pub(super) fn leaving(&self, generated: u64) -> u64 {
        if self.ranks == 1 { generated } else { (generated as f64 * self.leaving) as u64 }
    }

    /// Moves on to the next time at which something is generated.
    #[inline]
    fn wait(&mut self, gap: &Geometric) {
        let gap = gap.gap(&mut self.gaps).saturating_mul(self.slot);
        self.next_birth = self.next_birth.saturating_add(gap);
    }

    /// Decides where what is generated goes. Of ranks that share the endpoint one has generated it;
    /// what stays there is passed over, up to what does not.
    #[inline]
    fn choose(&mut self, own: EndpointId, law: Law<'_>) {
        if !SEVERAL || self.ranks == 1 {
            let to = law.destinations.draw(self.rank, &mut self.destinations);
            self.next = law.placement[to.0 as usize];
            return;
        }
        let ranks = law.residents.of(own);
        loop {
            let rank = ranks[self.destinations.below(self.ranks) as usize];
            if law.destinations.sends(rank) {
                let to = law.destinations.draw(rank, &mut self.destinations);
                self.next = law.placement[to.0 as usize];
                if self.next != own {
                    return;
                }
            }
            self.wait(law.gap);
        }
    }
}

/// The sources of a run, by endpoint; none where an endpoint is silent.
///
/// In every slot of a packet's time a source generates a packet with the probability of the
/// offered load; the slots of different sources are shifted against each other at random.
pub(super) fn sources(
    network: &Network,
    law: Law<'_>,
    packet: Bytes,
    seed: u64,
) -> Vec<Option<Source>> {
    let mut sources: Vec<Option<Source>> = network.endpoints().map(|_| None).collect();
    for (rank, own) in law.placement.iter().enumerate() {
        let rank = Rank(rank as u32);
        let together = law.residents.of(*own);
        // The lowest of the ranks that share an endpoint speaks for all.
        let Some(injection) = network.injection(*own).filter(|_| sources[own.index()].is_none())
        else {
            continue;
        };
        let leaving = |rank| law.residents.leaving(law.destinations, law.placement, rank);
        let leaving = match together {
            [] => f64::from(u8::from(law.destinations.sends(rank))),
            together => together.iter().map(|rank| leaving(*rank)).sum(),
        };
        if leaving <= 0.0 {
            continue;
        }
        let link = network.channel(injection);
        let slot = link.map_or(1, |channel| channel.serialization(packet).as_ps().max(1));
        let index = u64::from(rank.0);
        let mut gaps = Stream::new(seed, "injection", index);
        let shift = gaps.bits() % slot;
        let first = law.gap.gap(&mut gaps) - 1;
        let mut source = Source {
            rank,
            ranks: (together.len() as u32).max(1),
            leaving,
            next: *own,
            injection,
            switch: network.switch_of(*own),
            next_birth: first.saturating_mul(slot).saturating_add(shift),
            slot,
            sent: 0,
            blocked: false,
            gaps,
            destinations: Stream::new(seed, "traffic", index),
            routes: Stream::new(seed, "routing", index),
        };
        source.choose(*own, law);
        sources[own.index()] = Some(source);
    }
    sources
}
