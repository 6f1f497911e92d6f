//! Ways drawn from routes in place of walking all of them.

use crate::analysis::Report;
use crate::network::{EndpointId, LinkClass, Network, Node, PortId};
use crate::random::Stream;
use crate::routing::{Exit, Pair, Queues, Route};
use crate::traffic::{Destinations, Residents};
use crate::units::{Bytes, Rank};

/// About how many ways are drawn, and of how many ranks at most.
const WAYS: u32 = 1 << 15;
const MOST_RANKS: u32 = 1 << 17;
/// A channel is taken for as loaded as so many standard deviations below what was counted on it.
const DEVIATIONS: f64 = 3.5;

/// What ways are drawn from.
pub(super) struct Ways<'a> {
    pub network: &'a Network,
    pub placement: &'a [EndpointId],
    pub destinations: &'a Destinations,
    pub routes: &'a dyn Route,
    /// Whether what was counted on a channel is a matter of chance.
    pub mixes: bool,
    pub seed: u64,
}

/// What ways of some ranks were like.
pub(super) struct Sample(Vec<Flow>);

/// What the ways of a rank were like.
struct Flow {
    /// Its rate of injection, in bits per second.
    rate: f64,
    /// Switches on them, on average.
    hops: f64,
    /// The traffic on the busiest channel on them, as a multiple of its rate.
    utilization: f64,
}

/// What comes of flows at some load.
pub(super) struct Taken {
    /// The share that is accepted.
    pub accepted: f64,
    /// Mean number of switches on the way of what is accepted.
    pub hops: f64,
}

impl Sample {
    /// What comes of the flows at an offered load.
    pub fn at(&self, load: f64) -> Taken {
        let (mut offered, mut accepted, mut hops) = (0.0, 0.0, 0.0);
        for flow in &self.0 {
            let part = flow.rate * (1.0 / (load * flow.utilization).max(1e-9)).min(1.0);
            offered += flow.rate;
            accepted += part;
            hops += part * flow.hops;
        }
        let mean = |sum: f64, weight: f64| if weight > 0.0 { sum / weight } else { 0.0 };
        Taken { accepted: mean(accepted, offered), hops: mean(hops, accepted) }
    }
}

/// Nothing waits anywhere.
struct Empty;

impl Queues for Empty {
    fn queued(&self, _port: PortId) -> Bytes {
        Bytes(0)
    }

    fn capacity(&self) -> Bytes {
        Bytes(0)
    }
}

/// A rank whose ways are drawn.
struct Drawn {
    rank: Rank,
    /// Its rate of injection, in bits per second.
    rate: f64,
    /// How many ways are drawn of it, and how many ranks it stands for.
    times: u32,
    stride: u32,
}

impl Ways<'_> {
    /// Draws ways, the same ones each time, and shows each as the channels on it.
    fn each(&self, show: &mut dyn FnMut(&Drawn, &[PortId])) {
        let ranks = self.placement.len() as u32;
        let stride = ranks.div_ceil(MOST_RANKS).max(1);
        let times = if self.mixes { WAYS.div_ceil((ranks / stride).max(1)) } else { 1 };
        let residents = Residents::new(self.network.endpoint_count(), self.placement);
        let (mut way, mut ports) = (Vec::new(), Vec::new());
        for rank in (0..ranks).step_by(stride as usize).map(Rank) {
            let source = self.placement[rank.0 as usize];
            let injection =
                self.network.injection(source).filter(|_| self.destinations.sends(rank));
            let Some(injection) = injection else { continue };
            let rate = self.network.channel(injection);
            let rate = rate.map_or(0.0, |channel| channel.bandwidth.as_bps() as f64);
            let rate = rate / residents.of(source).len().max(1) as f64;
            let drawn = Drawn { rank, rate, times, stride };
            let mut stream = Stream::new(self.seed, "estimate", u64::from(rank.0));
            for _ in 0..times {
                let to = self.destinations.draw(rank, &mut stream);
                let pair = Pair { source, destination: self.placement[to.0 as usize] };
                if pair.source == pair.destination {
                    continue;
                }
                ports.clear();
                way.clear();
                self.follow((pair, injection), &mut stream, &mut way, &mut ports);
                show(&drawn, &ports);
            }
        }
    }

    /// Draws the way of a pair, which begins at its source's first port unless the routes name another.
    fn follow(
        &self,
        (pair, first): (Pair, PortId),
        stream: &mut Stream,
        way: &mut Vec<Exit>,
        ports: &mut Vec<PortId>,
    ) {
        let (network, routes) = (self.network, self.routes);
        let drawn = routes.names_outlets().then(|| routes.inject(pair, stream, &Empty));
        let named = drawn.and_then(|waypoints| routes.outlet(network, pair, waypoints));
        let over = named.unwrap_or(first);
        ports.push(over);
        let Some(Node::Switch(mut at)) = network.neighbor(over) else { return };
        match drawn {
            Some(waypoints) => routes.follow(network, at, pair, waypoints, way),
            None => routes.trace(network, at, pair, stream, &Empty, way),
        }
        for exit in way {
            let port = self.network.port(at, exit.number);
            ports.push(port);
            let Some(Node::Switch(next)) = self.network.neighbor(port) else { return };
            at = next;
        }
    }

    /// About what analysis says: the load of the channels and the mean number of switches.
    pub fn report(&self) -> Report {
        let count = self.network.port_count() as usize;
        let (mut bits, mut counts) = (vec![0.0; count], vec![0_u32; count]);
        let (mut hops, mut weight) = (0.0, 0_u64);
        self.each(&mut |drawn, ports| {
            let rate = drawn.rate * f64::from(drawn.stride) / f64::from(drawn.times);
            for port in ports {
                bits[port.index()] += rate;
                counts[port.index()] += 1;
            }
            hops += ports.len() as f64 - 1.0;
            weight += 1;
        });
        let means = self.means(&bits);
        let (mut busiest, mut largest) = (PortId(0), 0.0);
        for (port, channel) in self.network.channels() {
            let utilization = &mut bits[port.index()];
            *utilization /= channel.bandwidth.as_bps() as f64;
            if self.mixes && counts[port.index()] > 0 {
                let sure = 1.0 - DEVIATIONS / f64::from(counts[port.index()]).sqrt();
                let mean = means.iter().find(|mean| mean.class == channel.class);
                let mean = mean.map_or(0.0, |mean| mean.utilization());
                *utilization = (*utilization * sure).max(mean.min(*utilization));
            }
            if *utilization > largest {
                (busiest, largest) = (port, *utilization);
            }
        }
        Report {
            utilization: bits,
            busiest,
            bound: if largest > 0.0 { 1.0 / largest } else { f64::INFINITY },
            zero_load_ns: 0.0,
            zero_load_known: false,
            hops_mean: hops / (weight as f64).max(1.0),
            reason: None,
        }
    }

    /// What channels of each class carry on average: what chance does to single ones evens out.
    fn means(&self, bits: &[f64]) -> Vec<Mean> {
        let mut means: Vec<Mean> = Vec::new();
        for (port, channel) in self.network.channels() {
            let known = means.iter().position(|mean| mean.class == channel.class);
            let place = known.unwrap_or_else(|| {
                means.push(Mean { class: channel.class, bits: 0.0, rates: 0.0 });
                means.len() - 1
            });
            means[place].bits += bits[port.index()];
            means[place].rates += channel.bandwidth.as_bps() as f64;
        }
        means
    }

    /// What the ways are like on channels so busy.
    pub fn sample(&self, utilization: &[f64]) -> Sample {
        let mut flows: Vec<(Rank, Flow)> = Vec::new();
        self.each(&mut |drawn, ports| {
            let busiest = ports.iter().map(|port| utilization[port.index()]).fold(0.0, f64::max);
            let share = (ports.len() as f64 - 1.0) / f64::from(drawn.times);
            match flows.last_mut().filter(|(rank, _)| *rank == drawn.rank) {
                Some((_, flow)) => {
                    flow.hops += share;
                    flow.utilization = flow.utilization.max(busiest);
                }
                None => {
                    let flow = Flow { rate: drawn.rate, hops: share, utilization: busiest };
                    flows.push((drawn.rank, flow));
                }
            }
        });
        Sample(flows.into_iter().map(|(_, flow)| flow).collect())
    }
}

/// The traffic of a class of links.
struct Mean {
    class: LinkClass,
    bits: f64,
    rates: f64,
}

impl Mean {
    fn utilization(&self) -> f64 {
        self.bits / self.rates.max(1.0)
    }
}
