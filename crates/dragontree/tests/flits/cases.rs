//! Small fabrics with messages, for the simulator and for the slots.

use std::sync::Arc;

use dragontree::exchange::{After, List, Moment, Workload};
use dragontree::network::{
    Builder, EndpointId, Link, LinkClass, Links, Network, Node, PortId, Structure, SwitchId,
};
use dragontree::random::Stream;
use dragontree::routing::{
    Header, Hop, Oblivious, Pair, Queues, Route, Routes, Unroutable, Waypoints,
};
use dragontree::simulation::{Arbitration, ExchangeSetup, Model, SwitchModel, WaysFor};
use dragontree::units::{Bandwidth, Bytes, Rank, Time};

use super::slots::{Channel, Design, End, Lane, Letter, Lots, Output, World};

/// A flit on the fastest link: 64 B at 100 Gbit/s.
pub const SLOT: u64 = 5120;
const FLIT: u64 = 64;

/// How the virtual channel of a hop is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// One by the ends of the message.
    ByPair,
    /// The first hop takes the first, all others the second.
    ByHop,
}

/// A message of so many bytes, and what it waits for.
#[derive(Clone, Debug)]
pub struct Message {
    pub source: u32,
    pub destination: u32,
    pub bytes: u64,
    pub after: Vec<(usize, Moment)>,
}

/// A case; times in slots, sizes in flits.
#[derive(Clone, Debug)]
pub struct Case {
    pub switches: u32,
    /// The switch of each endpoint.
    pub places: Vec<u32>,
    /// The switch that its second port leads to, where it has one.
    pub second: Vec<Option<u32>>,
    /// Pairs of switches with the latency and the time of a flit of the link between them.
    pub links: Vec<(u32, u32, u64, u64)>,
    /// The same of the links to endpoints.
    pub edge: (u64, u64),
    /// Whether messages go around a ring in one direction only, else by the shortest way.
    pub one_way: bool,
    pub virtual_channels: u8,
    pub lanes: Lanes,
    pub traversal: u64,
    pub adapter: u64,
    pub buffer: u64,
    pub output_buffer: u64,
    pub switch: SwitchModel,
    pub worms: bool,
    /// Of what messages consist that do not move as worms; acknowledgements are a flit.
    pub packet: u64,
    pub messages: Vec<Message>,
    pub seed: u64,
}

/// One of some things.
pub fn pick<T: Copy>(stream: &mut Stream, things: &[T]) -> T {
    things[stream.below(things.len() as u32) as usize]
}

impl Case {
    /// A random case with switches of this kind, and worms or packets that move whole.
    pub fn random(seed: u64, switch: SwitchModel, worms: bool) -> Case {
        let mut stream = Stream::new(seed, "flits", 0);
        let stream = &mut stream;
        let switches = 1 + stream.below(5);
        let paces = pick(stream, &[&[1][..], &[1, 2]]);
        let latency = pick(stream, &[0, 1, 3, 9]);
        let link = |one: u32, other: u32, stream: &mut Stream| {
            (one, other, latency + u64::from(stream.below(2)), pick(stream, paces))
        };
        let shape = stream.below(4);
        let mut links: Vec<_> = (1..switches)
            .map(|own| {
                let other = match shape {
                    0 | 1 => own - 1,
                    2 => 0,
                    _ => stream.below(own),
                };
                link(other, own, stream)
            })
            .collect();
        let is_ring = shape == 0 && switches > 2;
        if is_ring {
            links.push(link(switches - 1, 0, stream));
        }
        let (_, _, edge_latency, edge_pace) = link(0, 0, stream);
        let each = 1 + stream.below(2);
        let mut places: Vec<u32> = (0..switches * each).map(|own| own / each).collect();
        while places.len() < 3 {
            places.push(0);
        }
        let traversal = pick(stream, &[0, 1, 2, 5]);
        let buffer = pick(stream, &[1, 2, 5, 16, 64]);
        let output_buffer = pick(stream, &[1, 2, 7, 64]);
        let count = 1 + stream.below(30);
        let mut messages = messages(stream, places.len() as u32, count);
        // Whole flits are packets, too.
        let whole = |message: &mut Message| message.bytes = message.bytes.next_multiple_of(FLIT);
        messages.iter_mut().filter(|_| !worms).for_each(whole);
        let packet = if worms { 1 } else { pick(stream, &[1, 1, 3, 8]) };
        Case {
            switches,
            second: vec![None; places.len()],
            places,
            links,
            edge: (edge_latency, edge_pace),
            one_way: is_ring && stream.below(2) == 0,
            virtual_channels: 1 + stream.below(2) as u8,
            lanes: pick(stream, &[Lanes::ByPair, Lanes::ByHop]),
            traversal,
            adapter: pick(stream, &[0, 1, 4]),
            buffer: buffer.max(packet),
            output_buffer: output_buffer.max(packet),
            switch,
            worms,
            packet,
            messages,
            seed,
        }
    }

    /// The same, most of whose endpoints have a second port.
    pub fn doubled(mut self) -> Case {
        let mut stream = Stream::new(self.seed, "second ports", 0);
        for second in &mut self.second {
            *second = (stream.below(4) > 0).then(|| stream.below(self.switches));
        }
        self
    }

    /// The port by which a message leaves its source, or comes to its destination, if it has two.
    fn ends(&self, source: u32, destination: u32, label: u64) -> [usize; 2] {
        let of = |end: u32, bit: u64| match self.second[end as usize] {
            Some(_) => (label >> bit & 1) as usize,
            None => 0,
        };
        [of(source, 0), of(destination, 1)]
    }

    /// For each switch and port of an endpoint, the port that leads there from the switch.
    fn table(&self, network: &Network) -> Vec<Vec<[PortId; 2]>> {
        let of_switch = |from: SwitchId| -> Vec<[PortId; 2]> {
            let ports: Vec<PortId> = network.ports(Node::Switch(from)).map(PortId).collect();
            let leads = |port: &PortId| network.neighbor(*port);
            let towards = |to: EndpointId, own: usize| {
                let last = match own {
                    0 => self.places[to.index()],
                    _ => self.second[to.index()].unwrap_or(self.places[to.index()]),
                };
                if last == from.0 {
                    let ports = network.ports(Node::Endpoint(to));
                    let own = PortId(ports.start + own.min(ports.len() - 1) as u32);
                    return network.peer(own).expect("a link");
                }
                let next = match self.one_way {
                    true => (from.0 + 1) % self.switches,
                    false => self.nearer(from.0, last),
                };
                let end = |port: &&PortId| leads(port) == Some(Node::Switch(SwitchId(next)));
                *ports.iter().find(end).expect("a link")
            };
            network.endpoints().map(|to| [0, 1].map(|own| towards(to, own))).collect()
        };
        network.switches().map(of_switch).collect()
    }

    /// The neighbor of a switch that is nearest to another one.
    fn nearer(&self, from: u32, to: u32) -> u32 {
        let mut distances = vec![u32::MAX; self.switches as usize];
        distances[to as usize] = 0;
        for distance in 0..self.switches {
            for (one, other, ..) in &self.links {
                for (near, far) in [(*one, *other), (*other, *one)] {
                    if distances[near as usize] == distance {
                        let far = &mut distances[far as usize];
                        *far = (*far).min(distance + 1);
                    }
                }
            }
        }
        let ends = self.links.iter().flat_map(|(one, other, ..)| [(*one, *other), (*other, *one)]);
        let neighbors = ends.filter(|(one, _)| *one == from).map(|(_, other)| other);
        neighbors.min_by_key(|other| distances[*other as usize]).expect("a neighbor")
    }

    fn network(&self) -> Network {
        let link = |latency: u64, pace: u64, class: LinkClass| Link {
            bandwidth: Bandwidth::bps(100_000_000_000 / pace),
            latency: Time::ps(latency * SLOT),
            class,
        };
        let mut builder = Builder::new(&Links::all(Bandwidth::gbps(100), Time::ZERO));
        let ports = 2 * (self.switches + self.places.len() as u32);
        (0..self.switches).for_each(|_| {
            builder.switch(ports);
        });
        let mut used = vec![0; self.switches as usize];
        let mut port = |switch: u32| {
            used[switch as usize] += 1;
            (Node::Switch(SwitchId(switch)), used[switch as usize] - 1)
        };
        for (place, second) in self.places.iter().zip(&self.second) {
            let switches: Vec<u32> = std::iter::once(*place).chain(*second).collect();
            let endpoint = builder.endpoint(switches.len() as u32);
            for (own, place) in (0..).zip(switches) {
                let link = link(self.edge.0, self.edge.1, LinkClass::Endpoint);
                builder.link_as(port(place), (Node::Endpoint(endpoint), own), link);
            }
        }
        for (one, other, latency, pace) in &self.links {
            let (one, other) = (port(*one), port(*other));
            builder.link_as(one, other, link(*latency, *pace, LinkClass::Switch));
        }
        builder.finish(Structure::Irregular).expect("well cabled")
    }

    /// The case for the simulator.
    pub fn setup(&self) -> ExchangeSetup {
        let network = self.network();
        let ways = Ways { table: self.table(&network), case: self.clone(), of: network.clone() };
        let listed: Vec<_> = self
            .messages
            .iter()
            .map(|each| (Rank(each.source), Rank(each.destination), Bytes(each.bytes)))
            .collect();
        let after = |each: &Message| {
            let waits = each.after.iter();
            waits.map(|(other, moment)| After { message: *other as u32, moment: *moment }).collect()
        };
        let after: Vec<Vec<After>> = self.messages.iter().map(after).collect();
        let list = List::new(self.places.len() as u32, &listed, &after).expect("messages");
        ExchangeSetup {
            routes: Routes::Oblivious(Box::new(ways)).into(),
            placement: network.endpoints().collect(),
            network: Arc::new(network),
            workload: Arc::new(Workload::List(list)),
            packet: Bytes(if self.worms { 40 * FLIT } else { self.packet * FLIT }),
            acknowledgement: ExchangeSetup::ACKNOWLEDGEMENT,
            model: Model {
                switch: self.switch,
                flit: self.worms.then_some(Bytes(FLIT)),
                arbitration: Arbitration::RoundRobin,
            },
            switch_latency: Time::ps(self.traversal * SLOT),
            adapter_latency: Time::ps(self.adapter * SLOT),
            buffer: Bytes(self.buffer * FLIT),
            output_buffer: Bytes(self.output_buffer * FLIT),
            virtual_channels: self.virtual_channels,
            ways: WaysFor::Packet,
            seed: self.seed,
        }
    }

    /// The case for the slots.
    pub fn world(&self, lots: Lots) -> World {
        let network = self.network();
        let table = self.table(&network);
        let channels = channels(&network, FLIT, SLOT);
        let ends = |label: usize, each: &Message| {
            let own = self.ends(each.source, each.destination, label as u64);
            [(each.source, own[0]), (each.destination, own[1])]
        };
        let way = |ends: [(u32, usize); 2]| self.way(&channels, &table, ends);
        let message = |(own, each): (usize, &Message)| Letter {
            source: each.source as usize,
            destination: each.destination as usize,
            flits: self.pieces(each),
            size: self.packet,
            last: each.bytes.div_ceil(FLIT).max(1) - (self.pieces(each) - 1) * self.packet,
            born: 0,
            after: each.after.clone(),
            way: way(ends(own, each)),
            answers: None,
        };
        let mut letters: Vec<Letter> = self.messages.iter().enumerate().map(message).collect();
        let mut waits = self.messages.iter().flat_map(|each| &each.after);
        if waits.any(|(_, moment)| *moment == Moment::Acknowledged) {
            let answer = |(own, each): (usize, &Message)| {
                let [source, destination] = ends(own, each);
                Letter {
                    source: each.destination as usize,
                    destination: each.source as usize,
                    flits: 1,
                    size: 1,
                    last: 1,
                    born: 0,
                    after: Vec::new(),
                    way: way([destination, source]),
                    answers: Some(own),
                }
            };
            letters.extend(self.messages.iter().enumerate().map(answer));
        }
        let lanes = usize::from(self.virtual_channels);
        let shared = self.output_buffer / self.packet * self.packet;
        let own = (self.output_buffer / lanes as u64).max(self.packet);
        World {
            channels,
            traversal: self.traversal,
            adapter: self.adapter,
            buffer: self.buffer,
            lanes,
            design: design(self.switch, shared, own),
            weighed: None,
            worms: self.worms,
            letters,
            seed: self.seed,
            slot: SLOT,
            lots,
        }
    }

    /// Into how many packets, or flits, a message is cut.
    fn pieces(&self, message: &Message) -> u64 {
        message.bytes.div_ceil(FLIT).max(1).div_ceil(self.packet)
    }

    /// The lanes from a source to a destination, each with the port that it uses.
    fn way(
        &self,
        channels: &[Channel],
        table: &[Vec<[PortId; 2]>],
        [(source, by), (to, into)]: [(u32, usize); 2],
    ) -> Vec<Lane> {
        let out = |channel: &Channel| channel.from == End::Endpoint(source as usize);
        let cabled = |channel: &Channel| matches!(channel.to, End::Switch(_));
        let mut links =
            (0..channels.len()).filter(|at| out(&channels[*at]) && cabled(&channels[*at]));
        let first = links.nth(by).expect("a link");
        let mut way = vec![(first, 0)];
        let last = usize::from(self.virtual_channels) - 1;
        let mut at = channels[first].to;
        while let End::Switch(switch) = at {
            let port = table[switch][to as usize][into].index();
            let lane = match self.lanes {
                Lanes::ByPair => (source + to) as usize % 2,
                Lanes::ByHop => way.len() - 1,
            };
            way.push((port, lane.min(last)));
            at = channels[port].to;
        }
        way
    }
}

/// The switches of a model, with so much room for an output, and for each of its virtual channels where
/// these have room of their own.
pub fn design(switch: SwitchModel, shared: u64, own: u64) -> Design {
    let (shared, own) = (Output::Shared(shared), Output::Own(own));
    let (fifo_inputs, outputs) = match switch {
        SwitchModel::VirtualOutputQueues => (false, shared),
        SwitchModel::FifoInputs => (true, Output::Nothing),
        SwitchModel::OutputBuffered => (true, own),
        SwitchModel::InputOutputBuffered => (false, own),
    };
    Design { fifo_inputs, outputs }
}

/// The channels of a network, with units of so many bytes and slots of so many picoseconds.
pub fn channels(network: &Network, unit: u64, slot: u64) -> Vec<Channel> {
    let end = |node: Node| match node {
        Node::Switch(switch) => End::Switch(switch.index()),
        Node::Endpoint(endpoint) => End::Endpoint(endpoint.index()),
    };
    // Ports without a cable lead nowhere and are not used.
    let channel = |port: PortId| match network.channel(port) {
        Some(channel) => Channel {
            from: end(network.owner(port)),
            to: end(network.owner(channel.peer)),
            latency: channel.latency.as_ps() / slot,
            pace: channel.serialization(Bytes(unit)).as_ps() / slot,
        },
        None => Channel { from: End::Endpoint(0), to: End::Endpoint(0), latency: 0, pace: 1 },
    };
    (0..network.port_count()).map(PortId).map(channel).collect()
}

/// Messages between so many endpoints, some of which wait for earlier ones.
fn messages(stream: &mut Stream, endpoints: u32, count: u32) -> Vec<Message> {
    let longest = pick(stream, &[1, 4, 12, 40]);
    let focus = stream.below(3);
    let acknowledged = stream.below(3) == 0;
    let mut messages: Vec<Message> = Vec::new();
    for own in 0..count as usize {
        let source = stream.below(endpoints);
        // Some cases send nearly everything to one endpoint.
        let wanted = if focus == 0 && stream.below(4) > 0 { 0 } else { stream.below(endpoints) };
        let destination = if wanted == source { (source + 1) % endpoints } else { wanted };
        let mut after = Vec::new();
        for _ in 0..stream.below(3).min(own as u32) {
            let other = stream.below(own as u32) as usize;
            let hears = if acknowledged { Moment::Acknowledged } else { Moment::Sent };
            match (&messages[other].source, &messages[other].destination) {
                (_, to) if *to == source => after.push((other, Moment::Delivered)),
                (from, _) if *from == source => after.push((other, hears)),
                _ => {}
            }
        }
        let bytes = 1 + u64::from(stream.below(longest * FLIT as u32));
        messages.push(Message { source, destination, bytes, after });
    }
    messages
}

/// Ways by a table, for the simulator. Waypoints are the ports that a message uses of its ends.
struct Ways {
    table: Vec<Vec<[PortId; 2]>>,
    case: Case,
    of: Network,
}

impl Ways {
    fn waypoints(&self, Pair { source, destination }: Pair, [by, into]: [usize; 2]) -> Waypoints {
        let port = |end: EndpointId, own: usize| {
            Some(PortId(self.of.ports(Node::Endpoint(end)).start + own as u32))
        };
        Waypoints::from([port(source, by), port(destination, into)])
    }
}

impl Route for Ways {
    fn virtual_channels(&self) -> u8 {
        8
    }

    fn inject(&self, _: Pair, _: &mut Stream, _: &dyn Queues) -> Waypoints {
        Waypoints::default()
    }

    fn first_stage(&self, pair: Pair) -> u8 {
        match self.case.lanes {
            Lanes::ByPair => ((pair.source.0 + pair.destination.0) % 2) as u8,
            Lanes::ByHop => 0,
        }
    }

    fn of_message(&self, pair: Pair, label: u64) -> Option<Waypoints> {
        let ends = self.case.ends(pair.source.0, pair.destination.0, label);
        self.names_outlets().then(|| self.waypoints(pair, ends))
    }

    fn of_answer(&self, pair: Pair, label: u64) -> Option<Waypoints> {
        let [into, by] = self.case.ends(pair.destination.0, pair.source.0, label);
        self.names_outlets().then(|| self.waypoints(pair, [by, into]))
    }

    fn names_outlets(&self) -> bool {
        self.case.second.iter().any(Option::is_some)
    }

    fn outlet(&self, network: &Network, pair: Pair, waypoints: Waypoints) -> Option<PortId> {
        waypoints.0[0].or(network.injection(pair.source))
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let vc = header.stage;
        header.stage += u8::from(self.case.lanes == Lanes::ByHop);
        let into = header.waypoints.0[1].map_or(0, |port| self.of.number(port) as usize);
        Ok(Hop { port: self.table[at.index()][header.destination.index()][into], vc })
    }
}

impl Oblivious for Ways {
    fn choices(&self, _: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints::default(), 1.0);
    }
}
