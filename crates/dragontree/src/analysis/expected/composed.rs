//! The load of routes that are two halves one after the other, without walking every combination of
//! them.
//!
//! With n switches there are about n³ ways over a random one, but only n² halves. So the traffic
//! between switches is first dealt out to the halves that it takes, and then every half is walked
//! once. Latencies add up only where all links between switches have one rate, and the endpoints'
//! links have one; elsewhere every way is walked.

use std::sync::Arc;

use super::super::bundles::Leg;
use super::super::path::Step;
use super::super::zero_load::Latencies;
use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::routing::{Halves, Routes};
use crate::units::{Bandwidth, Time};

/// The most switches: the two tables take 16 bytes for every two of them.
const MOST_SWITCHES: usize = 1 << 12;

/// What is kept for each half: for one that leads from a source's switch, and for one that leads to
/// a destination's.
pub(in crate::analysis) struct Composed {
    network: Arc<Network>,
    routes: Arc<Routes>,
    switches: usize,
    /// At `from · switches + middle`.
    first: Vec<f64>,
    /// At `to · switches + middle`.
    second: Vec<f64>,
    around: Around,
    /// Some channel between switches.
    between: PortId,
    /// The rate at which endpoints inject, in bits per second.
    rate: f64,
}

/// A switch at which the first half of a way may end, and how probable that is when its place is
/// drawn.
#[derive(Clone, Copy)]
struct Middle {
    switch: usize,
    chance: f64,
}

/// The middles of the ways to one switch: two runs of those from another, and how probable each
/// place is.
struct OnTheWay<'a> {
    runs: [&'a [Middle]; 2],
    share: f64,
}

/// The middles of the ways from one switch.
#[derive(Default)]
struct Around {
    from: Option<SwitchId>,
    /// One place after the other, that of the switch left out.
    middles: Vec<Middle>,
    /// For each place, where its middles end.
    ends: Vec<usize>,
}

impl Around {
    fn turn_to(&mut self, halves: &dyn Halves, from: SwitchId) {
        if self.from == Some(from) {
            return;
        }
        self.from = Some(from);
        self.middles.clear();
        self.ends.clear();
        let own = halves.place(from);
        for place in 0..halves.places() {
            if place != own {
                let middles = &mut self.middles;
                halves.middles(from, place, &mut |switch, chance| {
                    middles.push(Middle { switch: switch.index(), chance });
                });
            }
            self.ends.push(self.middles.len());
        }
    }

    /// The middles of the ways to a switch; none where these are no two halves.
    fn on_the_way(&self, halves: &dyn Halves, to: SwitchId) -> Option<OnTheWay<'_>> {
        let [own, other] = [self.from?, to].map(|switch| halves.place(switch));
        let count = halves.places().saturating_sub(1 + u32::from(own != other));
        let is_whole = own == other && !halves.splits_within();
        if count == 0 || is_whole || self.from == Some(to) {
            return None;
        }
        let end = self.ends[other as usize];
        let start = if other == 0 { 0 } else { self.ends[other as usize - 1] };
        let runs = [&self.middles[..start], &self.middles[end..]];
        Some(OnTheWay { runs, share: 1.0 / f64::from(count) })
    }
}

/// What a half carries.
pub(super) struct Load<'a> {
    pub ports: &'a [PortId],
    /// In bits per second.
    pub rate: f64,
}

impl Composed {
    /// For routes that are two halves, where latencies add up.
    pub fn new(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        placement: &[EndpointId],
    ) -> Option<Composed> {
        routes.oblivious().halves()?;
        let mut between: Option<(PortId, Bandwidth)> = None;
        for (port, channel) in network.channels() {
            let ends = [network.owner(port), network.owner(channel.peer)];
            if let [Node::Switch(_), Node::Switch(_)] = ends
                && between.get_or_insert((port, channel.bandwidth)).1 != channel.bandwidth
            {
                return None;
            }
        }
        let mut rate = None;
        for endpoint in placement {
            let injection = network.injection(*endpoint)?;
            for port in [injection, network.peer(injection)?] {
                let bandwidth = network.channel(port)?.bandwidth;
                if *rate.get_or_insert(bandwidth) != bandwidth {
                    return None;
                }
            }
        }
        let switches = network.switch_count() as usize;
        (switches <= MOST_SWITCHES).then_some(())?;
        Some(Composed {
            network: network.clone(),
            routes: routes.clone(),
            switches,
            first: vec![0.0; switches * switches],
            second: vec![0.0; switches * switches],
            around: Around::default(),
            between: between?.0,
            rate: rate?.as_bps() as f64,
        })
    }

    /// Deals out a leg's traffic to its halves; none, when its way has no two halves, else how long
    /// a message takes besides what the channels between switches take.
    pub fn add(
        &mut self,
        leg: &Leg,
        latencies: &Latencies,
        serialization: impl Fn(PortId) -> Option<Time>,
    ) -> Option<Ends> {
        let [from, to] = self.switches_of(leg)?;
        let Composed { routes, first, second, switches, around, .. } = self;
        let halves = routes.oblivious().halves()?;
        around.turn_to(halves, from);
        let OnTheWay { runs, share } = around.on_the_way(halves, to)?;
        let first = row(first, *switches, from);
        let second = row(second, *switches, to);
        for Middle { switch, chance } in runs.into_iter().flatten() {
            let rate = leg.between * share * chance;
            first[*switch] += rate;
            second[*switch] += rate;
        }
        let injection = self.network.injection(leg.pair.source)?;
        let ejection = self.network.peer(self.network.injection(leg.pair.destination)?)?;
        let path = [injection, self.between, ejection].map(|port| Step { port, vc: 0 });
        let with_one = latencies.along(&self.network, &path, serialization);
        let time = with_one.as_ns() - self.own(self.between, latencies);
        Some(Ends { injection, ejection, time })
    }

    fn switches_of(&self, leg: &Leg) -> Option<[SwitchId; 2]> {
        let of = |endpoint| self.network.switch_of(endpoint);
        Some([of(leg.pair.source)?, of(leg.pair.destination)?])
    }

    /// Whether channels between switches are slower than those of the endpoints.
    pub fn slows(&self) -> bool {
        let between = self.network.channel(self.between);
        between.is_some_and(|channel| (channel.bandwidth.as_bps() as f64) < self.rate)
    }

    /// What a channel between switches adds to a message's time, in nanoseconds.
    pub fn own(&self, port: PortId, latencies: &Latencies) -> f64 {
        let latency = self.network.channel(port).map_or(Time::ZERO, |channel| channel.latency);
        (latency + latencies.switch).as_ns()
    }

    /// Shows what the halves from a source's switch carry, and those to it as a destination's.
    pub fn settle(&self, switch: SwitchId, show: &mut dyn FnMut(Load<'_>)) {
        let Some(halves) = self.routes.oblivious().halves() else { return };
        for (middle, [first, second]) in self.of(switch) {
            if first > 0.0 {
                halves.first(switch, middle, &mut |ports, share| {
                    show(Load { ports, rate: first * share });
                });
            }
            if second > 0.0 {
                halves.second(middle, switch, &mut |ports, share| {
                    show(Load { ports, rate: second * share });
                });
            }
        }
    }

    /// What the halves from and to a switch carry, by their middles.
    fn of(&self, switch: SwitchId) -> impl Iterator<Item = (SwitchId, [f64; 2])> + use<> {
        let places = switch.index() * self.switches..(switch.index() + 1) * self.switches;
        let [first, second] = [&self.first, &self.second].map(|all| all[places.clone()].to_vec());
        (0..)
            .map(SwitchId)
            .zip(first.into_iter().zip(second).map(|(first, second)| [first, second]))
    }

    /// Puts in the place of what these halves carry which part of that goes over a channel.
    pub fn look(&mut self, switch: SwitchId, channel: PortId) {
        let Some(halves) = self.routes.oblivious().halves() else { return };
        for (middle, [first, second]) in self.of(switch) {
            let mut parts = [0.0; 2];
            let mut count = |half: usize, ports: &[PortId], share: f64| {
                if ports.contains(&channel) {
                    parts[half] += share;
                }
            };
            if first > 0.0 {
                halves.first(switch, middle, &mut |ports, share| count(0, ports, share));
            }
            if second > 0.0 {
                halves.second(middle, switch, &mut |ports, share| count(1, ports, share));
            }
            let place = switch.index() * self.switches + middle.index();
            [self.first[place], self.second[place]] = parts;
        }
    }

    /// Which part of a leg's traffic goes over the channel that was looked for; none when its way
    /// has no two halves.
    pub fn share(&mut self, leg: &Leg) -> Option<f64> {
        let [from, to] = self.switches_of(leg)?;
        let Composed { routes, first, second, switches, around, .. } = self;
        let halves = routes.oblivious().halves()?;
        around.turn_to(halves, from);
        let OnTheWay { runs, share } = around.on_the_way(halves, to)?;
        let (first, second) = (row(first, *switches, from), row(second, *switches, to));
        let part = |Middle { switch, chance }: &Middle| chance * (first[*switch] + second[*switch]);
        let parts = runs.into_iter().flatten().map(part);
        Some(share * parts.sum::<f64>())
    }
}

/// What stands for a switch in a table.
fn row(table: &mut [f64], switches: usize, switch: SwitchId) -> &mut [f64] {
    &mut table[switch.index() * switches..][..switches]
}

/// The links of a pair's endpoints, and its time in nanoseconds but for the channels between
/// switches.
pub(super) struct Ends {
    pub injection: PortId,
    pub ejection: PortId,
    pub time: f64,
}
