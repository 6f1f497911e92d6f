//! The sources: when each endpoint has its next packet.

use super::{Setup, Spacing};
use crate::network::{EndpointId, PortId, SwitchId};
use crate::random::{Geometric, Stream};
use crate::traffic::{Residents, SEVERAL};
use crate::units::{Bandwidth, Rank, Time};

/// An endpoint that sends, or a switch. Times in picoseconds.
#[repr(align(64))]
pub(super) struct Source {
    /// Its rank, or the lowest of those that share the endpoint, and how many these are. A switch
    /// that sends has its own number.
    pub(super) rank: Rank,
    ranks: u32,
    pub(super) is_switch: bool,
    /// Whether some of what is generated goes nowhere: it stays on the endpoint, or its rank sends less
    /// than the offered load.
    is_thinned: bool,
    /// The share of the offered load that leaves the endpoint.
    pub(super) leaving: f64,
    /// Where the packet at the head of the source queue goes.
    pub(super) next: EndpointId,
    pub(super) injection: PortId,
    /// The switch that this leads to.
    pub(super) switch: Option<SwitchId>,
    /// When the packet at the head of the source queue was, or will be, generated.
    pub(super) next_birth: u64,
    /// The time between possible generations: that of a packet on the link, or into a switch's own
    /// port.
    pub(super) slot: u64,
    /// The same for a message.
    message_slot: u64,
    /// Packets of the message at the head of the queue that have not been sent.
    left: u32,
    /// What is left over of a period that is no whole number, in millionths of the load.
    fraction: u32,
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

/// What a source's next packet depends on besides itself.
#[derive(Clone, Copy)]
pub(super) struct Law<'a> {
    pub(super) setup: &'a Setup,
    pub(super) residents: &'a Residents,
    pub(super) gap: &'a Gap,
}

/// Two cache lines, for [`Source::touch`].
const _: () = assert!(size_of::<Option<Source>>() <= 128);

impl Source {
    /// When the head of the queue can leave, as far as that is up to the source and its adapter.
    #[inline]
    pub(super) fn ready(&self, adapter: Time) -> u64 {
        self.next_birth.saturating_add(adapter.as_ps() + self.entry).max(self.pause)
    }

    /// Reads a little of each of the two cache lines that it takes, so that both come into the near
    /// caches. What it returns means nothing, but has to be used.
    #[inline]
    pub(super) fn touch(&self) -> u32 {
        self.next.0 ^ self.sent ^ self.next_birth as u32
    }

    /// Moves on to the next packet when one leaves; the source is that of this endpoint.
    #[inline(always)]
    pub(super) fn advance(&mut self, own: EndpointId, now: u64, law: Law<'_>) {
        self.sent += 1;
        if self.is_switch {
            self.pause = now + self.slot;
        }
        if cfg!(feature = "complete") {
            self.left -= 1;
            if self.left > 0 {
                return;
            }
            self.left = self.packets(law.gap);
        }
        self.wait(law.gap);
        self.choose(own, law);
    }

    /// The same where a message is of any number of packets, of which this may have been the last.
    #[cfg(feature = "complete")]
    pub(super) fn advance_within(
        &mut self,
        is_last: bool,
        own: EndpointId,
        now: u64,
        law: Law<'_>,
    ) {
        self.left = if is_last { 1 } else { 2 };
        self.advance(own, now, law);
    }

    /// How much of what is generated in a time leaves the endpoint.
    pub(super) fn leaving(&self, generated: u64) -> u64 {
        if self.is_thinned { (generated as f64 * self.leaving) as u64 } else { generated }
    }

    /// Moves on to the next time at which something is generated.
    #[inline]
    fn wait(&mut self, gap: &Gap) {
        let gap = match gap.is_periodic() && !self.is_switch {
            true => self.period(gap.load),
            false => product(gap.of(self.is_switch).gap(&mut self.gaps), self.message_slot),
        };
        self.next_birth = self.next_birth.saturating_add(gap);
    }

    /// The time until the next message at a load in millionths: exact in the long run.
    fn period(&mut self, load: u32) -> u64 {
        let load = u128::from(load.max(1));
        let sum = u128::from(self.message_slot) * 1_000_000 + u128::from(self.fraction);
        self.fraction = (sum % load) as u32;
        u64::try_from(sum / load).unwrap_or(u64::MAX)
    }

    /// Packets of a message.
    #[inline]
    fn packets(&self, gap: &Gap) -> u32 {
        if self.is_switch { 1 } else { gap.packets }
    }

    /// Before the way of a packet is chosen: the packets of a message make the same choices.
    #[inline]
    pub(super) fn keep_way(&mut self, setup: &Setup, number: u32) {
        if setup.injection.keeps_ways() && !self.is_switch {
            let message = number / setup.injection.together();
            self.routes = way_of_message(setup.seed, self.rank.0, message);
        }
    }

    /// Decides where what is generated goes.
    #[inline(always)]
    fn choose(&mut self, own: EndpointId, law: Law<'_>) {
        if SEVERAL && (self.is_switch | self.is_thinned) {
            return self.choose_among(own, law);
        }
        let Setup { placement, destinations, .. } = law.setup;
        let to = destinations.draw(self.rank, &mut self.destinations);
        self.next = law.residents.endpoint(placement, to);
    }

    /// The same of a switch and where not everything leaves the endpoint: of ranks that share it one has
    /// generated something; what stays there is passed over, up to what does not.
    #[inline(never)]
    fn choose_among(&mut self, own: EndpointId, law: Law<'_>) {
        let Setup { placement, destinations, .. } = law.setup;
        if self.is_switch {
            if let Some(management) = law.setup.management() {
                self.next = management.draw(self.rank, &mut self.destinations);
            }
            return;
        }
        let ranks = law.residents.of(own);
        loop {
            let rank = match ranks {
                [] => self.rank,
                ranks => ranks[self.destinations.below(self.ranks) as usize],
            };
            if let Some(to) = destinations.draw_or_pass(rank, &mut self.destinations) {
                self.next = law.residents.endpoint(placement, to);
                if self.next != own {
                    return;
                }
            }
            self.wait(law.gap);
        }
    }
}

/// A product, or the largest number where it is larger. Whether it is takes a call in wasm, so short
/// factors, whose product fits, are multiplied without asking.
#[inline(always)]
fn product(one: u64, other: u64) -> u64 {
    match (one | other) >> u32::BITS {
        0 => one * other,
        _ => one.saturating_mul(other),
    }
}

/// Where the choices of the way of a source's message come from.
pub(super) fn way_of_message(seed: u64, source: u32, message: u32) -> Stream {
    Stream::new(seed, "routing of messages", u64::from(source) << 32 | u64::from(message))
}

/// The spacing of packets.
pub(super) struct Gap {
    endpoints: Geometric,
    switches: Geometric,
    is_periodic: bool,
    /// The offered load in millionths.
    load: u32,
    /// Packets of an endpoint's message.
    packets: u32,
}

impl Gap {
    pub(super) fn new(setup: &Setup) -> Gap {
        let of_switches = setup.management().map_or(1_000_000, |each| each.load.as_ppm());
        Gap {
            endpoints: Geometric::new(setup.load.as_ppm()),
            switches: Geometric::new(of_switches),
            is_periodic: setup.injection.spacing == Spacing::Periodic,
            load: setup.load.as_ppm(),
            packets: setup.injection.together(),
        }
    }

    #[inline]
    fn is_periodic(&self) -> bool {
        cfg!(feature = "complete") && self.is_periodic
    }

    #[inline]
    fn of(&self, is_switch: bool) -> &Geometric {
        if is_switch { &self.switches } else { &self.endpoints }
    }
}

/// The sources of a run, by endpoint; none where an endpoint is silent.
///
/// In every slot of a message's time a source generates a message with the probability of the
/// offered load, or one in each period; the slots and periods of different sources are shifted
/// against each other at random.
pub(super) fn sources(law: Law<'_>) -> Vec<Option<Source>> {
    let Setup { network, placement, destinations, .. } = law.setup;
    let mut sources: Vec<Option<Source>> = network.endpoints().map(|_| None).collect();
    for (rank, own) in (0..).map(Rank).zip(placement.iter()) {
        // The lowest of the ranks that share an endpoint speaks for all.
        if sources[own.index()].is_some() {
            continue;
        }
        let together = law.residents.of(*own);
        let leaving = |rank| law.residents.leaving(destinations, placement, rank);
        let leaving = match together {
            [] => leaving(rank),
            together => together.iter().map(|rank| leaving(*rank)).sum(),
        };
        if leaving > 0.0 {
            let mut source = source(law, rank, *own, None);
            if let Some(source) = &mut source {
                (source.ranks, source.leaving) = ((together.len() as u32).max(1), leaving);
                source.is_thinned = source.ranks > 1 || destinations.thin();
                source.choose(*own, law);
            }
            sources[own.index()] = source;
        }
    }
    if let Some(management) = law.setup.management() {
        for (switch, endpoint) in management.senders() {
            let mut source = source(law, Rank(switch), endpoint, Some(management.bandwidth));
            source.iter_mut().for_each(|source| source.choose(endpoint, law));
            sources[endpoint.index()] = source;
        }
    }
    sources
}

/// A source that has not chosen where its first packet goes; none without a link. `own`: the rate
/// of a switch's own port.
fn source(
    Law { setup, gap, .. }: Law<'_>,
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
    let [gaps, destinations, routes] = names.map(|name| Stream::new(setup.seed, name, index));
    let together = if own.is_some() { 1 } else { gap.packets };
    let message_slot = slot.saturating_mul(u64::from(together));
    let mut source = Source {
        rank,
        ranks: 1,
        is_switch: own.is_some(),
        is_thinned: false,
        leaving: 1.0,
        next: endpoint,
        injection,
        switch: setup.network.switch_of(endpoint),
        next_birth: 0,
        slot,
        message_slot,
        left: together,
        fraction: 0,
        entry: slot - on_link,
        pause: 0,
        sent: 0,
        blocked: false,
        gaps,
        destinations,
        routes,
    };
    let shift = source.gaps.bits();
    source.next_birth = match gap.is_periodic() && own.is_none() {
        true => shift % source.period(gap.load).max(1),
        false => {
            let first = gap.of(own.is_some()).gap(&mut source.gaps) - 1;
            first.saturating_mul(message_slot).saturating_add(shift % message_slot)
        }
    };
    Some(source)
}

#[cfg(test)]
mod tests {
    use super::product;

    #[test]
    fn products_do_not_overflow() {
        let short = u64::from(u32::MAX);
        for (one, other, expected) in [
            (0, u64::MAX, 0),
            (short, short, 18_446_744_065_119_617_025),
            (short + 1, short, 18_446_744_069_414_584_320),
            (short + 1, short + 1, u64::MAX),
            (u64::MAX, 2, u64::MAX),
        ] {
            assert_eq!(product(one, other), expected);
            assert_eq!(product(other, one), expected);
        }
    }
}
