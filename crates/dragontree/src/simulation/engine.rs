//! The events of a run: packets move from source to destination, one event per thing that
//! happens.
//!
//! A packet that is allocated to an output takes its credit there and then, so the output queue
//! never blocks and the packet's departure is known at once. One virtual channel's output queue,
//! flight and downstream buffer therefore share one credit budget.

use crate::network::{EndpointId, PortId, SwitchId};
use crate::random::Geometric;
use crate::routing::{Header, Pair, Queues};
use crate::units::Bytes;

use super::Setup;
use super::endpoint::{self, Source};
use super::queue::{Event, Kind, Queue};
use super::statistics::{Delivery, Statistics};
use super::switch::{Downstream, Outputs};

/// A packet between injection and delivery.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) source: u32,
    pub(super) number: u32,
    pub(super) header: Header,
    pub(super) born: u64,
    /// The channel it came by last, and the virtual channel of the buffer it holds.
    pub(super) over: PortId,
    pub(super) vc: u8,
    /// When its last bit is through to the switch's allocator.
    tail: u64,
    switches: u8,
}

/// The state of a run.
pub(super) struct Engine {
    pub(super) setup: Setup,
    pub(super) now: u64,
    queue: Queue,
    /// The events of the current time; kept for its memory.
    batch: Vec<Event>,
    pub(super) outputs: Outputs,
    pub(super) packets: Vec<Packet>,
    unused: Vec<u32>,
    pub(super) sources: Vec<Option<Source>>,
    gap: Geometric,
    pub(super) statistics: Statistics,
}

impl Engine {
    pub(super) fn new(setup: Setup, statistics: Statistics) -> Engine {
        let gap = endpoint::gap_law(setup.load);
        let sources = endpoint::sources(
            &setup.network,
            &setup.placement,
            &setup.destinations,
            &gap,
            setup.packet,
            setup.seed,
        );
        let outputs = Outputs::new(
            &setup.network,
            setup.packet,
            setup.buffer,
            setup.output_buffer,
            setup.virtual_channels,
        );
        let mut engine = Engine {
            setup,
            now: 0,
            queue: Queue::new(),
            batch: Vec::new(),
            outputs,
            packets: Vec::new(),
            unused: Vec::new(),
            sources,
            gap,
            statistics,
        };
        for index in 0..engine.sources.len() {
            engine.schedule_source(EndpointId(index as u32));
        }
        engine
    }

    /// The time of the next event; none when nothing will ever happen again.
    pub(super) fn next_time(&mut self) -> Option<u64> {
        self.queue.next_time()
    }

    /// Serves all events of the next time, and returns how many there were.
    pub(super) fn step(&mut self) -> u64 {
        let Some(time) = self.queue.next_time() else { return 0 };
        self.now = time;
        let mut batch = std::mem::take(&mut self.batch);
        self.queue.take(time, &mut batch);
        if batch.len() > 1 {
            let seed = self.setup.seed;
            batch.sort_unstable_by_key(|event| event.order(seed));
        }
        for event in &batch {
            self.serve(event.kind);
        }
        let count = batch.len() as u64;
        batch.clear();
        self.batch = batch;
        count
    }

    fn serve(&mut self, kind: Kind) {
        match kind {
            Kind::Arrive { packet, over } => self.arrive(packet, over),
            Kind::Credit { channel, vc } => {
                self.outputs.give_credit(channel, vc);
                self.resume(channel);
            }
            Kind::Wake { port } => {
                self.outputs.awake(port);
                self.release(port);
            }
            Kind::Deliver { packet } => self.deliver(packet),
            Kind::Generate { endpoint } => self.generate(endpoint),
        }
    }

    fn push(&mut self, time: u64, kind: Kind) {
        self.queue.push(Event { time, kind });
    }

    /// Asks for an event when the head of a source queue is through the adapter and the link is
    /// free.
    fn schedule_source(&mut self, endpoint: EndpointId) {
        let Some(source) = &self.sources[endpoint.index()] else { return };
        let ready = source.next_birth + self.setup.adapter_latency.as_ps();
        let time = ready.max(self.outputs.get(source.injection).free).max(self.now);
        self.push(time, Kind::Generate { endpoint });
    }

    /// Injects the packet at the head of a source queue, if the switch has room.
    fn generate(&mut self, endpoint: EndpointId) {
        let Some(source) = &mut self.sources[endpoint.index()] else { return };
        let over = source.injection;
        source.blocked = !self.outputs.has_credit(over, 0);
        if source.blocked {
            return;
        }
        let rank = self.setup.destinations.draw(source.rank, &mut source.destinations);
        let destination = self.setup.placement[rank.0 as usize];
        let pair = Pair { source: endpoint, destination };
        let load = Backlog { outputs: &self.outputs, now: self.now, packet: self.setup.packet };
        let route = self.setup.routes.route();
        let waypoints = route.inject(pair, &mut source.routes, &load);
        let packet = Packet {
            source: endpoint.0,
            number: source.sent,
            header: Header { destination, waypoints, stage: route.first_stage(pair) },
            born: source.next_birth,
            over,
            vc: 0,
            tail: 0,
            switches: 0,
        };
        source.advance(&self.gap);
        let packet = self.store(packet);
        let departure = self.outputs.commit(over, 0, self.now, 0);
        self.transmit(packet, over, departure);
        self.schedule_source(endpoint);
    }

    fn store(&mut self, packet: Packet) -> u32 {
        match self.unused.pop() {
            Some(place) => {
                self.packets[place as usize] = packet;
                place
            }
            None => {
                self.packets.push(packet);
                self.packets.len() as u32 - 1
            }
        }
    }

    /// A packet's head leaves over a channel: sets when it reaches the next allocator or, at the
    /// destination, when its last bit is through the adapter.
    fn transmit(&mut self, packet: u32, over: PortId, departure: u64) {
        let output = self.outputs.get(over);
        let (latency, serialization) = (output.latency, output.serialization);
        match output.downstream {
            Downstream::Switch(_) => {
                let head = departure + latency + self.setup.switch_latency.as_ps();
                self.packets[packet as usize].tail = head + serialization;
                self.push(head, Kind::Arrive { packet, over });
            }
            Downstream::Endpoint(_) => {
                let adapter = self.setup.adapter_latency.as_ps();
                self.push(departure + serialization + latency + adapter, Kind::Deliver { packet });
            }
        }
    }

    /// A packet is routed, and sent on if it can be.
    fn arrive(&mut self, packet: u32, over: PortId) {
        let Downstream::Switch(at) = self.outputs.get(over).downstream else { return };
        let Some((port, vc)) = self.route(packet, at) else { return };
        if self.outputs.is_open(port, vc, self.now) {
            self.forward(packet, port, vc);
        } else {
            self.outputs.park(port, vc, packet);
            self.ask_to_wake(port);
        }
    }

    /// The output and virtual channel for a packet. Analysis has walked every route before the
    /// run, so a packet without one is an error of the routing: it is taken out of the network.
    fn route(&mut self, packet: u32, at: SwitchId) -> Option<(PortId, u8)> {
        let held = &mut self.packets[packet as usize];
        match self.setup.routes.route().next(at, &mut held.header) {
            Ok(hop) => Some((hop.port, hop.vc.min(self.setup.virtual_channels - 1))),
            Err(_) => {
                let (over, vc) = (held.over, held.vc);
                self.unused.push(packet);
                let back = self.now + self.outputs.get(over).latency;
                self.push(back, Kind::Credit { channel: over, vc });
                None
            }
        }
    }

    /// Sends a packet over an output; its input buffer is free again when its last bit has gone,
    /// and the sender hears of that one link latency later.
    fn forward(&mut self, packet: u32, port: PortId, vc: u8) {
        let held = &mut self.packets[packet as usize];
        let (came_over, held_vc, tail) = (held.over, held.vc, held.tail);
        (held.over, held.vc) = (port, vc);
        held.switches = held.switches.saturating_add(1);
        self.statistics.packet_hops += 1;
        let incoming = self.outputs.get(came_over);
        let back = self.now + incoming.serialization + incoming.latency;
        self.push(back, Kind::Credit { channel: came_over, vc: held_vc });
        let departure = self.outputs.commit(port, vc, self.now, tail);
        self.transmit(packet, port, departure);
    }

    /// Room has come back behind a channel: its source or its waiting packets may go on.
    fn resume(&mut self, channel: PortId) {
        match self.setup.network.owner(channel) {
            crate::network::Node::Endpoint(endpoint) => {
                if let Some(source) = &self.sources[endpoint.index()]
                    && source.blocked
                {
                    self.schedule_source(endpoint);
                    if let Some(source) = &mut self.sources[endpoint.index()] {
                        source.blocked = false;
                    }
                }
            }
            crate::network::Node::Switch(_) => self.release(channel),
        }
    }

    /// Sends waiting packets as long as there is room.
    fn release(&mut self, port: PortId) {
        while let Some((packet, vc)) = self.outputs.unpark(port, self.now) {
            self.forward(packet, port, vc);
        }
        self.ask_to_wake(port);
    }

    fn ask_to_wake(&mut self, port: PortId) {
        if let Some(time) = self.outputs.ask_to_wake(port, self.now) {
            self.push(time.max(self.now), Kind::Wake { port });
        }
    }

    fn deliver(&mut self, packet: u32) {
        let Packet { source, number, born, switches, .. } = self.packets[packet as usize];
        self.unused.push(packet);
        self.statistics.deliver(self.now, &Delivery { source, number, born, switches });
    }

    /// About how many packets have been generated but not delivered: those in the network, and
    /// as many at the sources as the time behind them makes likely.
    pub(super) fn backlog(&self) -> u64 {
        let in_network = self.packets.len() - self.unused.len();
        let load = u64::from(self.setup.load.as_ppm());
        let sources = self.sources.iter().flatten();
        let queued = sources.map(|source| {
            let slots = self.now.saturating_sub(source.next_birth).div_ceil(source.slot);
            slots * load
        });
        in_network as u64 + queued.sum::<u64>() / 1_000_000
    }

    /// How long the longest-waiting packet at the head of any source queue has waited.
    pub(super) fn oldest_at_sources(&self) -> u64 {
        let sources = self.sources.iter().flatten();
        sources.map(|source| self.now.saturating_sub(source.next_birth)).max().unwrap_or(0)
    }

    /// Whether a packet generated before `end` is still waiting or under way.
    pub(super) fn has_older_than(&self, end: u64) -> bool {
        let mut unused = vec![false; self.packets.len()];
        self.unused.iter().for_each(|place| unused[*place as usize] = true);
        let in_flight = self.packets.iter().zip(&unused).filter(|(_, unused)| !**unused);
        self.sources.iter().flatten().any(|source| source.next_birth < end)
            || in_flight.map(|(packet, _)| packet).any(|packet| packet.born < end)
    }
}

/// The queues as adaptive routings see them.
struct Backlog<'a> {
    outputs: &'a Outputs,
    now: u64,
    packet: Bytes,
}

impl Queues for Backlog<'_> {
    fn queued(&self, port: PortId) -> Bytes {
        self.outputs.queued(port, self.now, self.packet)
    }
}
