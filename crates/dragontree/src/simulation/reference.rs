//! The plain engine: one event per thing that happens, in a heap. It knows every model of a switch
//! and wormhole switching, and is what the fast engine is compared with.
//!
//! What moves whole is a packet, or a flit of one in wormhole switching: a packet that moves whole is
//! its own only flit. With virtual output queues, and with FIFO inputs, one that is allocated to an
//! output takes its credit there and then, so the output queue never blocks and the departure is
//! known at once.

use crate::network::{EndpointId, Node, PortId, SwitchId};
use crate::routing::{Header, Waypoints};

use super::engine::{Base, Engine, Room, Served};
use super::statistics::{Delivery, Statistics};
use super::{Buffer, Setup, Waiting};

mod arbiter;
#[cfg(debug_assertions)]
mod check;
mod forecast;
mod inputs;
mod outputs;
mod queue;
mod queued;
mod sources;
mod waits;

use inputs::Inputs;
use outputs::{Downstream, Outputs, Owner, Worm};
use queue::{Kind, Queue};
use sources::Sending;

/// A packet, or a flit of one, between injection and delivery.
#[derive(Clone, Copy, Debug)]
struct Packet {
    worm: Worm,
    /// Its place among the packet's flits.
    flit: u32,
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
    inputs: Option<Inputs>,
    packets: Vec<Packet>,
    unused: Vec<u32>,
    /// Flits of a packet.
    flits: u32,
    /// What each source has sent a part of, by endpoint.
    sending: Vec<Option<Sending>>,
    /// For each endpoint the way that was decided for its latest packet to reach its switch, where
    /// routes are adaptive.
    decided: Vec<Waypoints>,
    /// Packets of which some flit has been injected and some not delivered.
    inside: u64,
    /// Packets that were taken out because their way ended at a switch.
    lost: u64,
}

impl Engine for Reference {
    fn new(setup: Setup, statistics: Statistics) -> Reference {
        let outputs = Outputs::new(&setup);
        let inputs = Inputs::new(&setup);
        let queue = Queue::new(setup.seed);
        let flits = setup.model.flits(setup.packet) as u32;
        let base = Base::new(setup, statistics);
        let sending = vec![None; base.sources.len()];
        let decided = vec![Waypoints::default(); base.sources.len()];
        let (packets, unused) = (Vec::new(), Vec::new());
        let mut engine = Reference {
            base,
            queue,
            outputs,
            inputs,
            packets,
            unused,
            flits,
            sending,
            decided,
            inside: 0,
            lost: 0,
        };
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
            Some(time) if time >= until => {
                #[cfg(debug_assertions)]
                self.check();
                return Served::All;
            }
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
        self.inside
    }

    fn holds_older_than(&self, time: u64) -> bool {
        let sending = self.sending.iter().flatten().any(|sending| sending.born < time);
        sending || self.in_flight().any(|(_, packet)| packet.born < time)
    }

    fn busy(&self, now: u64) -> Vec<u64> {
        self.outputs.all().iter().map(|output| output.busy_until(now)).collect()
    }

    fn stalled_since(&self, time: u64) -> bool {
        self.outputs.stalled_since(time)
    }

    fn waiting(&self) -> Vec<Waiting> {
        self.waits()
    }

    fn room(&self, buffer: Buffer) -> Room {
        self.room_in(buffer)
    }
}

impl Reference {
    /// What is in the network, by place.
    fn in_flight(&self) -> impl Iterator<Item = (u32, &Packet)> {
        let mut unused = vec![false; self.packets.len()];
        self.unused.iter().for_each(|place| unused[*place as usize] = true);
        let places = (0..).zip(&self.packets).zip(unused);
        places.filter(|(_, unused)| !unused).map(|(place, _)| place)
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
                self.send_queued(port);
                self.release(port);
            }
            Kind::Read { channel, vc } => self.read_on(channel, vc),
            Kind::Deliver { packet } => self.deliver(packet),
            Kind::Generate { endpoint } => self.generate(endpoint),
        }
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

    /// A packet has come in: it may move unless others stand before it.
    fn arrive(&mut self, packet: u32, over: PortId) {
        let Downstream::Switch(at) = self.outputs.get(over).downstream else { return };
        let vc = self.packets[packet as usize].vc;
        if self.inputs.as_mut().is_none_or(|inputs| inputs.push(over, vc, packet)) {
            self.compete(packet, at);
        }
    }

    /// The first packet of an input buffer has left it: the next may move.
    fn read_on(&mut self, channel: PortId, vc: u8) {
        let next = self.inputs.as_mut().and_then(|inputs| inputs.pop(channel, vc));
        if let (Some(packet), Downstream::Switch(at)) = (next, self.outputs.get(channel).downstream)
        {
            self.compete(packet, at);
        }
    }

    /// A packet is routed, and sent on if it can be.
    fn compete(&mut self, packet: u32, at: SwitchId) {
        let Some((port, vc)) = self.route(packet, at) else { return };
        let worm = self.packets[packet as usize].worm;
        if self.outputs.is_open(port, vc, worm, self.base.now) {
            self.outputs.count(port, vc);
            self.forward(packet, port, vc);
            if self.flits > 1 && self.outputs.owner(port, vc).is_none() {
                self.release(port);
            }
        } else {
            self.outputs.park(port, vc, packet, worm, self.base.now);
            self.ask_to_wake(port);
        }
    }

    /// The output and virtual channel for a packet. Analysis has walked every route before the
    /// run, so a packet without one is an error of the routing: it is taken out of the network.
    fn route(&mut self, packet: u32, at: SwitchId) -> Option<(PortId, u8)> {
        if self.packets[packet as usize].switches == 0 {
            self.decide(packet);
        }
        let held = &mut self.packets[packet as usize];
        match self.base.setup.routes.route().next(at, &mut held.header) {
            Ok(hop) => Some((hop.port, hop.vc.min(self.base.setup.virtual_channels - 1))),
            Err(_) => {
                let timing = self.outputs.get(held.over).timing;
                let gone = self.base.now + timing.serialization;
                self.leave_input(packet, gone);
                self.lost += u64::from(self.remove(packet));
                None
            }
        }
    }

    /// Takes a packet out of the network, or a flit; whether that was the packet's last.
    fn remove(&mut self, packet: u32) -> bool {
        self.unused.push(packet);
        let is_last = self.packets[packet as usize].flit + 1 == self.flits;
        self.inside -= u64::from(is_last);
        is_last
    }

    /// A packet's last bit will have left its input buffer at `gone`: the room is free then, and the
    /// sender hears of it one link latency later.
    fn leave_input(&mut self, packet: u32, gone: u64) {
        let Packet { over: channel, vc, .. } = self.packets[packet as usize];
        let back = gone + self.outputs.get(channel).timing.latency;
        self.queue.push(back, Kind::Credit { channel, vc });
        if self.inputs.is_some() {
            let next = match self.base.setup.model.switch.has_output_queues() {
                true => self.base.now,
                false => gone,
            };
            self.queue.push(next, Kind::Read { channel, vc });
        }
    }

    /// Sends a packet to an output: over its channel, or into its queue where that has room of its
    /// own.
    fn forward(&mut self, packet: u32, port: PortId, vc: u8) {
        let now = self.base.now;
        let Packet { over, worm, flit, tail, .. } = self.packets[packet as usize];
        let is_last = flit + 1 == self.flits;
        self.outputs.give(port, vc, (!is_last).then_some(Owner { worm, next: flit + 1 }));
        self.base.statistics.packet_hops += u64::from(flit == 0);
        let read = now + self.outputs.get(over).timing.serialization;
        if let Some(queues) = &mut self.outputs.queues {
            queues.push(port, vc, packet);
            self.leave_input(packet, read);
            return self.send_queued(port);
        }
        let departure = self.outputs.commit(port, vc, now, tail);
        // An output queue is filled at the rate of the link that filled the input buffer; without
        // one the buffer is read as fast as the output sends.
        let gone = match self.base.setup.model.switch.has_output_queues() {
            true => read,
            false => departure + self.outputs.get(port).timing.serialization,
        };
        self.leave_input(packet, gone);
        self.depart(packet, port, vc, departure);
    }

    /// Sends what is first in a port's queues, if its channel is free.
    fn send_queued(&mut self, port: PortId) {
        let Some((packet, vc)) = self.outputs.next_queued(port) else { return };
        let tail = self.packets[packet as usize].tail;
        let departure = self.outputs.commit(port, vc, self.base.now, tail);
        self.queue.push(self.outputs.get(port).free, Kind::Wake { port });
        self.depart(packet, port, vc, departure);
    }

    /// A packet leaves a switch.
    fn depart(&mut self, packet: u32, port: PortId, vc: u8, departure: u64) {
        let held = &mut self.packets[packet as usize];
        (held.over, held.vc) = (port, vc);
        held.switches = held.switches.saturating_add(1);
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
            Node::Switch(_) => {
                self.send_queued(channel);
                self.release(channel);
            }
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
        let Packet { worm, born, switches, .. } = self.packets[packet as usize];
        if self.remove(packet) {
            let delivery = Delivery { source: worm.source, number: worm.number, born, switches };
            self.base.deliver(self.base.now, &delivery);
        }
    }
}
