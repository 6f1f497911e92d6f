//! Sources at an offered load, for the simulator and for the slots.
//!
//! Everything is so fast that a byte on the fastest link takes a picosecond, which is a slot: then
//! packets of any bytes that are generated at any picosecond are on time in both. Of the routes only what
//! they are asked for is taken over: the way of each packet.

use dragontree::network::{EndpointId, Network, Node};
use dragontree::random::{Geometric, Stream};
use dragontree::routing::{AnyRoutes, Header, Pair, Queues, Route};
use dragontree::scenario::{Experiment, Study};
use dragontree::simulation::{
    Arbitration, Injection, LANES, Model, Setup, Spacing, SwitchModel, WaysFor, Weights,
};
use dragontree::units::{Bytes, Load, Rank, Time};

use super::cases::{channels, design, pick};
use super::slots::{Lane, Letter, Lots, Weighed, World};

/// How packets move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packets {
    /// In flits.
    Worms,
    /// Whole, all of one length.
    Whole,
    /// Whole, of random lengths.
    Lengths,
}

pub const PACKETS: [Packets; 3] = [Packets::Worms, Packets::Whole, Packets::Lengths];

const FABRICS: &[&str] = &[
    "topology=xgft,m=5,w=1 routing=d_mod_k",
    "topology=xgft,m=3.2,w=1.2 routing=d_mod_k",
    "topology=xgft,m=2.2.2,w=1.2.2 routing=s_mod_k",
    "topology=xgft,m=2.3,w=1.2,p=1.2 routing=dynamic_random",
    "topology=fat_tree,radix=4,levels=2 routing=static_random",
    "topology=fat_tree,radix=4,levels=2 routing=up_down",
    "topology=dragonfly,p=1,a=2,h=1 routing=minimal",
    "topology=dragonfly,p=2,a=2,h=1 routing=minimal",
    "topology=dragonfly,p=1,a=2,h=2 routing=valiant,via=group",
    "topology=dragonfly,p=1,a=2,h=1 routing=valiant,via=switch",
    "topology=torus,widths=5,p=1 routing=dimension_order",
    "topology=torus,widths=6,p=2 routing=dimension_order",
    "topology=torus,widths=3.3,p=1 routing=dimension_order",
    "topology=torus,widths=7,p=1 routing=min_hop",
    "topology=hyperx,widths=2.3,p=1 routing=dimension_order",
];
const LINKS: &[&str] = &[
    "latency=0ns switch_latency=0ns adapter_latency=0ns",
    "latency=3ps switch_latency=2ps",
    "latency=9ps,endpoint=1ps switch_latency=5ps adapter_latency=4ps",
    "latency=2ps switch_latency=0ns adapter_latency=1ps",
    "bandwidth=8Tbps,endpoint=4Tbps latency=5ps switch_latency=1ps",
    "bandwidth=4Tbps,endpoint=8Tbps latency=4ps,global=11ps switch_latency=7ps",
    "bandwidth=8Tbps,level2=4Tbps,local=2Tbps,dimension1=4Tbps latency=0ns switch_latency=3ps",
];
const TRAFFIC: &[&str] =
    &["uniform", "uniform", "uniform", "shift,by=1", "shift,by=3", "permutation"];
const LOADS: &[u32] = &[50_000, 200_000, 400_000, 700_000, 900_000, 1_000_000];

/// A random run with switches of this kind. Its measuring window is so long that nothing but packets
/// happens until `end`.
pub fn setup(seed: u64, switch: SwitchModel, packets: Packets, end: u64) -> (String, Setup) {
    let mut stream = Stream::new(seed, "open loop", 0);
    let stream = &mut stream;
    let parts = [pick(stream, FABRICS), pick(stream, LINKS), pick(stream, TRAFFIC)];
    let [fabric, links, traffic] = parts;
    let links =
        if links.contains("bandwidth") { links } else { &format!("bandwidth=8Tbps {links}") };
    let text = format!("{fabric} {links} traffic={traffic} seed={}", seed + 1);
    let plan = Study::parse(&text).expect(&text).plan().expect(&text);
    let setup = Experiment::build(plan.jobs[0].scenario(), None).expect(&text).setup();

    let flit = pick(stream, &[1, 2, 4]);
    let (packet, unit) = match packets {
        Packets::Worms => (flit * pick(stream, &[1, 2, 5, 10]), flit),
        Packets::Whole | Packets::Lengths => {
            let packet = pick(stream, &[2, 5, 12, 20]);
            (packet, packet)
        }
    };
    let shortest = 1 + u64::from(stream.below(packet as u32 - 1 + u32::from(packet == 1)));
    let injection = Injection {
        spacing: pick(stream, &[Spacing::Bernoulli, Spacing::Bernoulli, Spacing::Periodic]),
        packets: pick(stream, &[1, 1, 2, 5]),
        ways: pick(stream, &[WaysFor::Packet, WaysFor::Packet, WaysFor::Message]),
        shortest: (packets == Packets::Lengths).then_some(Bytes(shortest)),
    };
    let virtual_channels = match stream.below(3) {
        0 => 1 + stream.below(2) as u8,
        _ => setup.virtual_channels,
    };
    let arbitration = match stream.below(3) {
        0 => Arbitration::Weights(weights(stream)),
        _ => Arbitration::RoundRobin,
    };
    // No room is a whole number of packets on purpose.
    let room = |stream: &mut Stream| {
        unit * pick(stream, &[1, 2, 3, 8]) + u64::from(stream.below(unit as u32))
    };
    let setup = Setup {
        load: Load::ppm(pick(stream, LOADS)),
        packet: Bytes(packet),
        injection,
        model: Model {
            switch,
            flit: (packets == Packets::Worms).then_some(Bytes(flit)),
            arbitration,
        },
        buffer: Bytes(room(stream)),
        output_buffer: Bytes(room(stream)),
        virtual_channels,
        warmup: Some(Time::ZERO),
        window: Some(Time::ps(100 * end)),
        ..setup
    };
    (text, setup)
}

/// Weights that leave no virtual channel out.
fn weights(stream: &mut Stream) -> Weights {
    let [mut high, mut low] = [[0; LANES]; 2];
    high.fill_with(|| stream.below(3) as u8);
    low.fill_with(|| 1 + stream.below(3) as u8);
    Weights { high, low, limit: pick(stream, &[0, 0, 1, 255]) }
}

/// A packet, as its source counts it.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    pub source: u32,
    pub number: u32,
    /// The message that it belongs to, among those of its source.
    pub message: u32,
    pub bytes: u64,
    pub born: u64,
}

/// All packets that are generated up to a time, and everything else the slots need.
pub fn world(setup: &Setup, end: u64, lots: Lots) -> (Vec<Sent>, World) {
    let unit = setup.unit().0;
    let lanes = usize::from(setup.virtual_channels);
    let own = (setup.output_buffer.0 / lanes as u64).max(unit);
    let weighed = match setup.model.arbitration {
        Arbitration::RoundRobin => None,
        Arbitration::Weights(Weights { high, low, limit }) => Some(Weighed {
            high: high.map(u64::from).to_vec(),
            low: low.map(u64::from).to_vec(),
            // At least one packet, or flit.
            limit: (limit < u8::MAX).then_some((u64::from(limit) * 4096).max(1)),
        }),
    };
    // As long as so many of the longest packets, or flits; none where weights are to choose.
    let shared = if weighed.is_some() { 0 } else { setup.output_buffer.0 / unit * unit };
    let (mut sent, mut letters) = (Vec::new(), Vec::new());
    for (rank, source) in (0..).map(Rank).zip(setup.placement.iter().copied()) {
        if setup.destinations.sends(rank) {
            generate(setup, (rank, source), end, &mut sent, &mut letters);
        }
    }
    let world = World {
        channels: channels(&setup.network, 1, 1),
        traversal: setup.switch_latency.as_ps(),
        adapter: setup.adapter_latency.as_ps(),
        buffer: setup.buffer.0,
        lanes,
        design: design(setup.model.switch, shared, own),
        weighed,
        worms: setup.model.flit.is_some(),
        letters,
        seed: setup.seed,
        slot: 1,
        lots,
    };
    (sent, world)
}

/// What a source generates up to a time: messages at its moments, to its destinations, each cut into
/// packets that go their ways.
fn generate(
    setup: &Setup,
    (rank, source): (Rank, EndpointId),
    end: u64,
    sent: &mut Vec<Sent>,
    letters: &mut Vec<Letter>,
) {
    let Setup { placement, destinations, injection, seed, .. } = setup;
    let own = |purpose: &str| Stream::new(*seed, purpose, u64::from(rank.0));
    let [mut moments, mut targets, mut choices] = ["injection", "traffic", "routing"].map(own);
    let mut lengths = Stream::new(*seed, "packet lengths", u64::from(source.0));
    let message = setup.packet.0 * u64::from(injection.packets);
    let mut births = births(setup, source, &mut moments);
    let mut number = 0;
    for count in 0.. {
        let born = births();
        if born > end {
            return;
        }
        let destination = placement[destinations.draw(rank, &mut targets).0 as usize];
        let mut left = message;
        while left > 0 {
            let bytes = match injection.shortest {
                Some(Bytes(shortest)) if shortest < setup.packet.0 => {
                    let more = lengths.below((setup.packet.0 - shortest + 1) as u32);
                    left.min(shortest + u64::from(more))
                }
                _ => setup.packet.0,
            };
            if injection.ways == WaysFor::Message {
                let index = u64::from(rank.0) << 32 | count;
                choices = Stream::new(*seed, "routing of messages", index);
            }
            let way = way(setup, Pair { source, destination }, &mut choices);
            let (flits, size) = match setup.model.flit {
                Some(flit) => (bytes / flit.0, flit.0),
                None => (1, bytes),
            };
            let (from, to) = (source.index(), destination.index());
            letters.push(Letter {
                source: from,
                destination: to,
                flits,
                size,
                last: size,
                born,
                after: Vec::new(),
                way,
                answers: None,
            });
            sent.push(Sent { source: source.0, number, message: count as u32, bytes, born });
            left -= bytes;
            number += 1;
        }
    }
}

/// When a source generates its messages: with the load as probability in each slot of a message's time,
/// or at equal intervals; slots and intervals begin at a random time.
fn births<'a>(
    setup: &Setup,
    source: EndpointId,
    stream: &'a mut Stream,
) -> impl FnMut() -> u64 + 'a {
    let injection = setup.network.injection(source).expect("a link");
    let link = setup.network.channel(injection).expect("a link");
    let slot = link.serialization(setup.packet).as_ps() * u64::from(setup.injection.packets);
    let load = u64::from(setup.load.as_ppm());
    let is_periodic = setup.injection.spacing == Spacing::Periodic;
    let (mut left, mut count) = (0, 0);
    let geometric = Geometric::new(load as u32);
    let shift = stream.bits();
    let mut at = 0;
    move || {
        let time = |left: &mut u64| {
            let time = (slot * 1_000_000 + *left) / load;
            *left = (slot * 1_000_000 + *left) % load;
            time
        };
        at = match (is_periodic, count) {
            (true, 0) => shift % time(&mut left),
            (true, _) => at + time(&mut left),
            (false, 0) => (geometric.gap(stream) - 1) * slot + shift % slot,
            (false, _) => at + geometric.gap(stream) * slot,
        };
        count += 1;
        at
    }
}

/// The lanes of a packet.
fn way(setup: &Setup, pair: Pair, choices: &mut Stream) -> Vec<Lane> {
    let AnyRoutes::Fixed(routes) = &setup.routes else { panic!("routes that adapt") };
    let route: &dyn Route = routes.route();
    let network: &Network = &setup.network;
    let waypoints = route.inject(pair, choices, &Idle);
    let stage = route.first_stage(pair);
    let mut header = Header { destination: pair.destination, waypoints, stage };
    let mut over = network.injection(pair.source).expect("a link");
    let mut way = vec![(over.index(), 0)];
    loop {
        let at = match network.neighbor(over) {
            Some(Node::Switch(at)) => at,
            Some(Node::Endpoint(endpoint)) if endpoint == pair.destination => return way,
            other => panic!("{pair:?} ends at {other:?}"),
        };
        let hop = route.next(at, &mut header).expect("a route");
        over = hop.port;
        way.push((over.index(), usize::from(hop.vc.min(setup.virtual_channels - 1))));
    }
}

/// Queues that routes which do not adapt never look at.
struct Idle;

impl Queues for Idle {
    fn queued(&self, _: dragontree::network::PortId) -> Bytes {
        panic!("looked at")
    }

    fn capacity(&self) -> Bytes {
        panic!("looked at")
    }
}
