//! The sources: when each endpoint has its next packet.

use super::Setup;
use crate::network::{EndpointId, PortId, SwitchId};
use crate::random::{Geometric, Stream};
use crate::units::{Bandwidth, Rank, Time};

/// An endpoint that sends. Times in picoseconds.
pub(super) struct Source {
    /// A switch that sends has its own number.
    pub(super) rank: Rank,
    pub(super) is_switch: bool,
    pub(super) injection: PortId,
    /// The switch that this leads to.
    pub(super) switch: Option<SwitchId>,
    /// When the packet at the head of the source queue was, or will be, generated.
    pub(super) next_birth: u64,
    /// The time between possible generations: that of a packet on the link, or into a switch's own
    /// port.
    pub(super) slot: u64,
    /// What a packet takes into a switch's own port before it can leave it; of an endpoint nothing.
    entry: u64,
    /// When the next packet can leave at the earliest.
    pause: u64,
    /// Packets sent so far.
    pub(super) sent: u32,
    /// Whether the head of the queue waits for room in the switch.
    pub(super) blocked: bool,
    gaps: Stream,
    pub(super) destinations: Stream,
    pub(super) routes: Stream,
}

impl Source {
    /// When the head of the queue can leave, as far as that is up to the source and its adapter.
    #[inline]
    pub(super) fn ready(&self, adapter: Time) -> u64 {
        self.next_birth.saturating_add(adapter.as_ps() + self.entry).max(self.pause)
    }

    /// Moves on to the next packet when one leaves.
    pub(super) fn advance(&mut self, now: u64, spacing: &Gap) {
        self.sent += 1;
        if self.is_switch {
            self.pause = now + self.slot;
        }
        let gap = spacing.of(self.is_switch).gap(&mut self.gaps).saturating_mul(self.slot);
        self.next_birth = self.next_birth.saturating_add(gap);
    }
}

/// The spacing of packets.
pub(super) struct Gap {
    endpoints: Geometric,
    switches: Geometric,
}

impl Gap {
    pub(super) fn new(setup: &Setup) -> Gap {
        let of_switches = setup.management().map_or(1_000_000, |each| each.load.as_ppm());
        Gap {
            endpoints: Geometric::new(setup.load.as_ppm()),
            switches: Geometric::new(of_switches),
        }
    }

    #[inline]
    fn of(&self, is_switch: bool) -> &Geometric {
        if is_switch { &self.switches } else { &self.endpoints }
    }
}

/// The sources of a run, by endpoint; none where an endpoint is silent.
///
/// In every slot of a packet's time a source generates a packet with the probability of the
/// offered load; the slots of different sources are shifted against each other at random.
pub(super) fn sources(setup: &Setup, gap: &Gap) -> Vec<Option<Source>> {
    let mut sources: Vec<Option<Source>> = setup.network.endpoints().map(|_| None).collect();
    for (rank, endpoint) in (0..).map(Rank).zip(setup.placement.iter()) {
        if setup.destinations.sends(rank) {
            sources[endpoint.index()] = source(setup, gap, rank, *endpoint, None);
        }
    }
    if let Some(management) = setup.management() {
        for (switch, endpoint) in management.senders() {
            let rate = Some(management.bandwidth);
            sources[endpoint.index()] = source(setup, gap, Rank(switch), endpoint, rate);
        }
    }
    sources
}

/// A source; none without a link. `own`: the rate of a switch's own port.
fn source(
    setup: &Setup,
    gap: &Gap,
    rank: Rank,
    endpoint: EndpointId,
    own: Option<Bandwidth>,
) -> Option<Source> {
    let injection = setup.network.injection(endpoint)?;
    let link = setup.network.channel(injection);
    let on_link = link.map_or(1, |channel| channel.serialization(setup.packet).as_ps().max(1));
    let slot = own.map_or(on_link, |own| own.serialization(setup.packet).as_ps().max(1));
    let index = u64::from(rank.0);
    let names = match own {
        None => ["injection", "traffic", "routing"],
        Some(_) => ["management injection", "management traffic", "management routing"],
    };
    let [mut gaps, destinations, routes] = names.map(|name| Stream::new(setup.seed, name, index));
    let shift = gaps.bits() % slot;
    let first = gap.of(own.is_some()).gap(&mut gaps) - 1;
    Some(Source {
        rank,
        is_switch: own.is_some(),
        injection,
        switch: setup.network.switch_of(endpoint),
        next_birth: first.saturating_mul(slot).saturating_add(shift),
        slot,
        entry: slot - on_link,
        pause: 0,
        sent: 0,
        blocked: false,
        gaps,
        destinations,
        routes,
    })
}
