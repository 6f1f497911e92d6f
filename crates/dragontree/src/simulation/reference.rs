//! The plain engine: one event per thing that happens, in one queue. It knows every model of a switch
//! and wormhole switching, and is what the fast engine is compared with; it is itself compared with brute
//! force, in `tests/flits`.
//!
//! What moves whole is a packet, or a flit of one in wormhole switching: a packet that moves whole is
//! its own only flit. With virtual output queues, and with FIFO inputs, one that is allocated to an
//! output takes its credit there and then, so the output queue never blocks and the departure is
//! known at once.
//!
//! Who sends packets and takes them is an [`Ends`]: sources at an offered load, or the ranks of an
//! exchange.

use crate::network::{Node, PortId, SwitchId};
use crate::routing::{Header, Waypoints};

use super::engine::{Base, Served};

mod arbiter;
#[cfg(debug_assertions)]
mod check;
mod ends;
mod forecast;
mod inputs;
mod lengths;
mod outputs;
mod queue;
mod queued;
mod ranks;
mod sources;
mod tapped;
mod waits;

use ends::Ends;
use inputs::Inputs;
use outputs::{Downstream, Outputs, Owner, Worm};
use queue::{Kind, Queue};
use sources::Sources;

pub(super) use ranks::Senders;

/// A packet, or a flit of one, between injection and delivery.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    worm: Worm,
    /// Its place among the packet's flits, and whether it is the last of them.
    flit: u32,
    is_last: bool,
    bytes: u32,
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
pub(super) struct Reference<E = Sources> {
    base: Base,
    ends: E,
    queue: Queue,
    /// The events of one time; kept for its memory.
    batch: Vec<Kind>,
    outputs: Outputs,
    inputs: Option<Inputs>,
    packets: Vec<Packet>,
    unused: Vec<u32>,
    /// For each endpoint the way that was decided for its latest packet to reach its switch, where
    /// routes are adaptive.
    decided: Vec<Waypoints>,
    /// Packets of which some flit has been injected and some not delivered.
    inside: u64,
    /// Packets that were taken out because their way ended at a switch.
    lost: u64,
}

impl<E: Ends> Reference<E> {
    /// An empty network at time zero.
    fn empty(base: Base, ends: E) -> Reference<E> {
        let endpoints = base.setup.network.endpoint_count() as usize;
        Reference {
            ends,
            queue: Queue::new(base.setup.seed),
            batch: Vec::new(),
            outputs: Outputs::new(&base.setup),
            inputs: Inputs::new(&base.setup),
            packets: Vec::new(),
            unused: Vec::new(),
            decided: vec![Waypoints::default(); endpoints],
            inside: 0,
            lost: 0,
            base,
        }
    }

    /// Serves all events of the next time; what they bring about at the same time comes next.
    fn serve_next(&mut self, until: u64) -> Served {
        match self.queue.next_time() {
            None => {
                #[cfg(debug_assertions)]
                self.check();
                // It is over when the last channel has sent everything.
                let last = self.outputs.all().iter().map(|output| output.free).max();
                if last >= Some(until) {
                    return Served::All;
                }
                self.base.now = self.base.now.max(last.unwrap_or(0));
                return Served::Last;
            }
            Some(time) if time >= until => {
                #[cfg(debug_assertions)]
                self.check();
                return Served::All;
            }
            Some(time) => self.base.now = time,
        }
        let mut batch = std::mem::take(&mut self.batch);
        self.queue.take(&mut batch);
        batch.iter().for_each(|kind| self.serve(*kind));
        let served = batch.len() as u64;
        self.batch = batch;
        self.base.events += served;
        Served::Events(served)
    }

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
            Kind::Credit { channel, vc, bytes } => {
                self.outputs.give_credit(channel, vc, bytes);
                self.resume(channel);
            }
            Kind::Wake { port } => {
                self.outputs.awake(port);
                self.send_queued(port);
                self.release(port);
            }
            Kind::Read { channel, vc } => self.read_on(channel, vc),
            Kind::Sent { message, .. } => E::sent(self, message),
            Kind::Deliver { packet, .. } => self.deliver(packet),
            Kind::Generate { source } => E::generate(self, source),
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

    /// Sends a packet into the network over the channel that it names, or a flit.
    fn inject(&mut self, packet: Packet) {
        let Packet { over, vc, bytes, flit, .. } = packet;
        self.inside += u64::from(flit == 0);
        let departure = self.outputs.commit((over, vc), self.base.now, 0, bytes);
        let packet = self.store(packet);
        self.transmit(packet, over, departure);
    }

    /// A packet's head leaves over a channel: sets when it reaches the next allocator or, at the
    /// destination, when its last bit is through the adapter.
    fn transmit(&mut self, packet: u32, over: PortId, departure: u64) {
        let output = self.outputs.get(over);
        let serialization = output.time(self.packets[packet as usize].bytes);
        let latency = output.timing.latency;
        match output.downstream {
            Downstream::Switch(_) => {
                let head = departure + latency + self.base.setup.switch_latency.as_ps();
                self.packets[packet as usize].tail = head + serialization;
                self.queue.push(head, Kind::Arrive { packet, over });
            }
            Downstream::Endpoint => {
                let adapter = self.base.setup.adapter_latency.as_ps();
                let arrival = departure + serialization + latency + adapter;
                let owner = self.ends.orders_delivery(packet, over);
                self.queue.push(arrival, Kind::Deliver { packet, owner });
            }
        }
    }

    /// A packet has come in: it may move unless others stand before it.
    fn arrive(&mut self, packet: u32, over: PortId) {
        let Downstream::Switch(at) = self.outputs.get(over).downstream else { return };
        self.tap_behind(packet, over, at);
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
        self.tap_before(packet, port);
        let held = self.packets[packet as usize];
        if self.outputs.is_open((port, vc), &held, self.base.now) {
            self.outputs.count(port, vc, held.bytes);
            self.forward(packet, port, vc);
            if held.flit > 0 && held.is_last {
                self.release(port);
            }
        } else {
            self.outputs.park((port, vc), packet, &held, self.base.now);
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
                let gone = self.base.now + self.outputs.get(held.over).time(held.bytes);
                self.leave_input(packet, gone);
                self.lost += u64::from(self.remove(packet));
                None
            }
        }
    }

    /// Takes a packet out of the network, or a flit; whether that was the packet's last.
    fn remove(&mut self, packet: u32) -> bool {
        self.unused.push(packet);
        let is_last = self.packets[packet as usize].is_last;
        self.inside -= u64::from(is_last);
        is_last
    }

    /// A packet's last bit will have left its input buffer at `gone`: the room is free then, and the
    /// sender hears of it one link latency later.
    fn leave_input(&mut self, packet: u32, gone: u64) {
        let Packet { over: channel, vc, bytes, .. } = self.packets[packet as usize];
        let back = gone + self.outputs.get(channel).timing.latency;
        self.queue.push(back, Kind::Credit { channel, vc, bytes });
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
        let Packet { over, worm, flit, is_last, bytes, tail, .. } = self.packets[packet as usize];
        self.outputs.give(port, vc, (!is_last).then_some(Owner { worm, next: flit + 1 }));
        self.base.statistics.packet_hops += u64::from(flit == 0);
        let read = now + self.outputs.get(over).time(bytes);
        if let Some(queues) = &mut self.outputs.queues {
            queues.push(port, vc, packet, bytes);
            self.leave_input(packet, read);
            return self.send_queued(port);
        }
        let departure = self.outputs.commit((port, vc), now, tail, bytes);
        // An output queue is filled at the rate of the link that filled the input buffer; without
        // one the buffer is read as fast as the output sends.
        let gone = match self.base.setup.model.switch.has_output_queues() {
            true => read,
            false => departure + self.outputs.get(port).time(bytes),
        };
        self.leave_input(packet, gone);
        self.depart(packet, port, vc, departure);
    }

    /// Sends what is first in a port's queues, if its channel is free.
    fn send_queued(&mut self, port: PortId) {
        let Some((packet, vc)) = self.outputs.next_queued(port) else { return };
        let Packet { tail, bytes, .. } = self.packets[packet as usize];
        let departure = self.outputs.commit((port, vc), self.base.now, tail, bytes);
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
            Node::Endpoint(endpoint) => E::resume(self, endpoint, channel),
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
        let held = self.packets[packet as usize];
        if self.remove(packet) {
            E::deliver(self, &held);
        }
    }
}
