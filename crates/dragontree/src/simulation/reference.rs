//! The plain engine: one event per thing that happens, in a heap.
//!
//! A packet that is allocated to an output takes its credit there and then, so the output queue
//! never blocks and the packet's departure is known at once. One virtual channel's output queue,
//! flight and downstream buffer therefore share one credit budget.

use crate::network::{EndpointId, Node, PortId, SwitchId};
use crate::routing::{Header, Pair, Queues};
use crate::units::Bytes;

use super::engine::{Base, Engine, Room, Served};
use super::statistics::{Delivery, Statistics};
use super::{Buffer, Setup, Waiting};

mod outputs;
mod queue;

use outputs::{Downstream, Outputs};
use queue::{Kind, Queue};

/// A packet between injection and delivery.
#[derive(Clone, Copy, Debug)]
struct Packet {
    source: u32,
    number: u32,
    header: Header,
    born: u64,
    /// The channel it came by last, and the virtual channel of the buffer it holds.
    over: PortId,
    vc: u8,
    /// When its last bit is through to the switch's allocator.
    tail: u64,
    switches: u8,
}

/// The state of a run.
pub(super) struct Reference {
    base: Base,
    queue: Queue,
    outputs: Outputs,
    packets: Vec<Packet>,
    unused: Vec<u32>,
}

impl Engine for Reference {
    fn new(setup: Setup, statistics: Statistics) -> Reference {
        let outputs = Outputs::new(&setup);
        let queue = Queue::new(setup.seed);
        let base = Base::new(setup, statistics);
        let (packets, unused) = (Vec::new(), Vec::new());
        let mut engine = Reference { base, queue, outputs, packets, unused };
        for index in 0..engine.base.sources.len() {
            engine.schedule_source(EndpointId(index as u32));
        }
        engine
    }

    fn base(&self) -> &Base {
        &self.base
    }

    fn base_mut(&mut self) -> &mut Base {
        &mut self.base
    }

    /// Serves all events of the next time; what they bring about at the same time comes next.
    fn step(&mut self, until: u64) -> Served {
        match self.queue.next_time() {
            None => return Served::Last,
            Some(time) if time >= until => return Served::All,
            Some(time) => self.base.now = time,
        }
        let batch = self.queue.take();
        for kind in &batch {
            self.serve(*kind);
        }
        self.base.events += batch.len() as u64;
        Served::Events(batch.len() as u64)
    }

    fn in_network(&self) -> u64 {
        (self.packets.len() - self.unused.len()) as u64
    }

    fn holds_older_than(&self, time: u64) -> bool {
        let mut unused = vec![false; self.packets.len()];
        self.unused.iter().for_each(|place| unused[*place as usize] = true);
        let in_flight = self.packets.iter().zip(&unused).filter(|(_, unused)| !**unused);
        in_flight.map(|(packet, _)| packet).any(|packet| packet.born < time)
    }

    fn busy(&self, now: u64) -> Vec<u64> {
        self.outputs.all().iter().map(|output| output.busy_until(now)).collect()
    }

    fn stalled_since(&self, time: u64) -> bool {
        self.outputs.stalled_since(time)
    }

    fn waiting(&self) -> Vec<Waiting> {
        let waiting = self.outputs.waiting().map(|(packet, channel, vc)| {
            let held = &self.packets[packet as usize];
            Waiting {
                source: EndpointId(held.source),
                number: held.number,
                destination: held.header.destination,
                holds: Buffer { channel: held.over, vc: held.vc },
                needs: Buffer { channel, vc },
            }
        });
        waiting.collect()
    }

    fn room(&self, buffer: Buffer) -> Room {
        Room {
            open: self.outputs.has_credit(buffer.channel, buffer.vc),
            occupied: self.outputs.occupied(buffer.channel, buffer.vc),
        }
    }
}

impl Reference {
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

    /// Asks for an event when the head of a source queue is through the adapter and the link is
    /// free.
    fn schedule_source(&mut self, endpoint: EndpointId) {
        let Some(source) = &self.base.sources[endpoint.index()] else { return };
        let ready = source.next_birth.saturating_add(self.base.setup.adapter_latency.as_ps());
        let time = ready.max(self.outputs.get(source.injection).free).max(self.base.now);
        self.queue.push(time, Kind::Generate { endpoint });
    }

    /// Injects the packet at the head of a source queue, if the switch has room.
    fn generate(&mut self, endpoint: EndpointId) {
        let Base { setup, sources, gap, now, .. } = &mut self.base;
        let Some(source) = &mut sources[endpoint.index()] else { return };
        let over = source.injection;
        source.blocked = !self.outputs.has_credit(over, 0);
        if source.blocked {
            return;
        }
        let rank = setup.destinations.draw(source.rank, &mut source.destinations);
        let destination = setup.placement[rank.0 as usize];
        let pair = Pair { source: endpoint, destination };
        let load = Backlog { outputs: &self.outputs, now: *now, packet: setup.packet };
        let route = setup.routes.route();
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
        source.advance(gap);
        let departure = self.outputs.commit(over, 0, *now, 0);
        let packet = self.store(packet);
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
        let (latency, serialization) = (output.timing.latency, output.timing.serialization);
        match output.downstream {
            Downstream::Switch(_) => {
                let head = departure + latency + self.base.setup.switch_latency.as_ps();
                self.packets[packet as usize].tail = head + serialization;
                self.queue.push(head, Kind::Arrive { packet, over });
            }
            Downstream::Endpoint => {
                let adapter = self.base.setup.adapter_latency.as_ps();
                let arrival = departure + serialization + latency + adapter;
                self.queue.push(arrival, Kind::Deliver { packet });
            }
        }
    }

    /// A packet is routed, and sent on if it can be.
    fn arrive(&mut self, packet: u32, over: PortId) {
        let Downstream::Switch(at) = self.outputs.get(over).downstream else { return };
        let Some((port, vc)) = self.route(packet, at) else { return };
        if self.outputs.is_open(port, vc, self.base.now) {
            self.forward(packet, port, vc);
        } else {
            self.outputs.park(port, vc, packet, self.base.now);
            self.ask_to_wake(port);
        }
    }

    /// The output and virtual channel for a packet. Analysis has walked every route before the
    /// run, so a packet without one is an error of the routing: it is taken out of the network.
    fn route(&mut self, packet: u32, at: SwitchId) -> Option<(PortId, u8)> {
        let held = &mut self.packets[packet as usize];
        match self.base.setup.routes.route().next(at, &mut held.header) {
            Ok(hop) => Some((hop.port, hop.vc.min(self.base.setup.virtual_channels - 1))),
            Err(_) => {
                let (over, vc) = (held.over, held.vc);
                self.unused.push(packet);
                self.return_credit(over, vc);
                None
            }
        }
    }

    /// A packet leaves its input buffer: that is free again when its last bit has gone, and the
    /// sender hears of it one link latency later.
    fn return_credit(&mut self, channel: PortId, vc: u8) {
        let timing = self.outputs.get(channel).timing;
        let back = self.base.now + timing.serialization + timing.latency;
        self.queue.push(back, Kind::Credit { channel, vc });
    }

    /// Sends a packet over an output.
    fn forward(&mut self, packet: u32, port: PortId, vc: u8) {
        let held = &mut self.packets[packet as usize];
        let (came_over, held_vc, tail) = (held.over, held.vc, held.tail);
        (held.over, held.vc) = (port, vc);
        held.switches = held.switches.saturating_add(1);
        self.base.statistics.packet_hops += 1;
        self.return_credit(came_over, held_vc);
        let departure = self.outputs.commit(port, vc, self.base.now, tail);
        self.transmit(packet, port, departure);
    }

    /// Room has come back behind a channel: its source or its waiting packets may go on.
    fn resume(&mut self, channel: PortId) {
        match self.base.setup.network.owner(channel) {
            Node::Endpoint(endpoint) => {
                if let Some(source) = &mut self.base.sources[endpoint.index()]
                    && source.blocked
                {
                    source.blocked = false;
                    self.schedule_source(endpoint);
                }
            }
            Node::Switch(_) => self.release(channel),
        }
    }

    /// Sends waiting packets as long as there is room.
    fn release(&mut self, port: PortId) {
        while let Some((packet, vc)) = self.outputs.unpark(port, self.base.now) {
            self.forward(packet, port, vc);
        }
        self.ask_to_wake(port);
    }

    fn ask_to_wake(&mut self, port: PortId) {
        if let Some(time) = self.outputs.ask_to_wake(port, self.base.now) {
            self.queue.push(time, Kind::Wake { port });
        }
    }

    fn deliver(&mut self, packet: u32) {
        let Packet { source, number, born, switches, .. } = self.packets[packet as usize];
        self.unused.push(packet);
        self.base.statistics.deliver(self.base.now, &Delivery { source, number, born, switches });
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
