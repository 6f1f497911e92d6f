//! How packets leave their sources.

use crate::network::{EndpointId, PortId};
use crate::routing::{AnyRoutes, Header, Pair, Queues, Waypoints};
use crate::units::Bytes;

use super::super::Setup;
use super::super::endpoint::Law;
use super::super::engine::Base;
use super::outputs::{Outputs, Worm};
use super::queue::Kind;
use super::{Packet, Reference};

/// What a source sends: all flits of a packet, one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sending {
    worm: Worm,
    header: Header,
    pub(super) born: u64,
    /// The flit to be sent next.
    flit: u32,
}

impl Reference {
    /// Asks for an event when the head of a source queue is through the adapter and the link is
    /// free.
    pub(super) fn schedule_source(&mut self, endpoint: EndpointId) {
        let Some(source) = &self.base.sources[endpoint.index()] else { return };
        let ready = match self.sending[endpoint.index()] {
            Some(_) => self.base.now,
            None => source.ready(self.base.setup.adapter_latency),
        };
        let time = ready.max(self.outputs.get(source.injection).free).max(self.base.now);
        self.queue.push(time, Kind::Generate { endpoint });
    }

    /// Injects the packet at the head of a source queue, or a flit of it, if the switch has room.
    pub(super) fn generate(&mut self, endpoint: EndpointId) {
        let Some(source) = &mut self.base.sources[endpoint.index()] else { return };
        let over = source.injection;
        source.blocked = !self.outputs.has_credit(over, 0);
        if source.blocked {
            return;
        }
        let begun = self.sending[endpoint.index()];
        let Some(sending) = begun.or_else(|| self.begin(endpoint)) else { return };
        let Sending { worm, header, born, flit } = sending;
        let next = Sending { flit: flit + 1, ..sending };
        self.sending[endpoint.index()] = (next.flit < self.flits).then_some(next);
        self.inside += u64::from(flit == 0);
        let departure = self.outputs.commit(over, 0, self.base.now, 0);
        let packet =
            self.store(Packet { worm, flit, header, born, over, vc: 0, tail: 0, switches: 0 });
        self.transmit(packet, over, departure);
        self.schedule_source(endpoint);
    }

    /// Takes the packet at the head of a source queue and decides its route.
    fn begin(&mut self, endpoint: EndpointId) -> Option<Sending> {
        let Base { setup, sources, gap, residents, now, .. } = &mut self.base;
        let source = sources[endpoint.index()].as_mut()?;
        let destination = source.next;
        let pair = Pair { source: endpoint, destination };
        let load = Backlog::of(&self.outputs, *now, setup);
        let route = setup.routes.route();
        let waypoints = match &setup.routes {
            AnyRoutes::Fixed(_) => route.inject(pair, &mut source.routes, &load),
            AnyRoutes::Adaptive(_) => Waypoints::default(),
        };
        let worm = Worm { source: endpoint.0, number: source.sent };
        let header = Header { destination, waypoints, stage: route.first_stage(pair) };
        let born = source.next_birth;
        source.advance(endpoint, *now, Law { setup, residents, gap });
        Some(Sending { worm, header, born, flit: 0 })
    }
}

impl Reference {
    /// Decides the way of a packet that is at its source's switch, if its routes are adaptive: when
    /// its first flit is, for all of them.
    pub(super) fn decide(&mut self, packet: u32) {
        let Base { setup, sources, now, .. } = &mut self.base;
        let AnyRoutes::Adaptive(routes) = &setup.routes else { return };
        let Packet { worm, flit, ref mut header, .. } = self.packets[packet as usize];
        let source = EndpointId(worm.source);
        if flit == 0
            && let Some(sending) = &mut sources[source.index()]
        {
            let pair = Pair { source, destination: header.destination };
            let load = Backlog::of(&self.outputs, *now, setup);
            self.decided[source.index()] = routes.inject(pair, &mut sending.routes, &load);
        }
        header.waypoints = self.decided[source.index()];
    }
}

/// The queues as adaptive routings see them.
struct Backlog<'a> {
    outputs: &'a Outputs,
    now: u64,
    unit: Bytes,
    capacity: Bytes,
}

impl Backlog<'_> {
    fn of<'a>(outputs: &'a Outputs, now: u64, setup: &Setup) -> Backlog<'a> {
        Backlog { outputs, now, unit: setup.unit(), capacity: setup.output_buffer }
    }
}

impl Queues for Backlog<'_> {
    fn queued(&self, port: PortId) -> Bytes {
        self.outputs.queued(port, self.now, self.unit)
    }

    fn capacity(&self) -> Bytes {
        self.capacity
    }
}
