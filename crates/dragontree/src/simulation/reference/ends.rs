//! Who sends packets and takes them.

use crate::network::EndpointId;
use crate::random::Stream;
use crate::routing::{AnyRoutes, Header, Pair, Queues, Waypoints};
use crate::units::Bytes;

use super::super::Setup;
use super::super::endpoint::Source;
use super::super::engine::Base;
use super::outputs::{Outputs, Worm};
use super::{Packet, PortId, Reference};

/// All endpoints, seen from the network.
pub(in crate::simulation) trait Ends: Sized {
    /// A source may have a packet ready, as it said it would.
    fn generate(engine: &mut Reference<Self>, source: u32);

    /// Room has come back behind a channel over which an endpoint injects.
    fn resume(engine: &mut Reference<Self>, endpoint: EndpointId, over: PortId);

    /// What decides about the order in which packets are delivered at one time: anything of their own,
    /// unless several may come to one endpoint.
    fn orders_delivery(&self, packet: u32, _over: PortId) -> u32 {
        packet
    }

    /// The channel over which the flits of a packet are injected.
    fn injection(&self, base: &Base, worm: Worm) -> Option<PortId>;

    /// A message's last bit has left its source.
    fn sent(_engine: &mut Reference<Self>, _message: u32) {}

    /// A packet's last bit has come through its destination's adapter.
    fn deliver(engine: &mut Reference<Self>, packet: &Packet);

    /// The stream that decides the ways of an endpoint's packets; `sources` are those of [`Base`].
    fn routes<'a>(
        &'a mut self,
        sources: &'a mut [Option<Source>],
        endpoint: EndpointId,
    ) -> Option<&'a mut Stream>;

    /// A packet's number among those of its source.
    fn number(&self, worm: Worm) -> u32;

    /// How many packets have been injected, at least in part, and how many delivered.
    #[cfg(debug_assertions)]
    fn counts(&self, base: &Base) -> (u64, u64);
}

impl<E: Ends> Reference<E> {
    /// What a packet carries for its routing when it is injected; its waypoints where they are known.
    pub(super) fn header(&mut self, pair: Pair, known: Option<Waypoints>) -> Header {
        let Base { setup, sources, now, .. } = &mut self.base;
        let route = setup.routes.route();
        let load = Backlog::of(&self.outputs, *now, setup);
        let waypoints = match (&setup.routes, self.ends.routes(sources, pair.source)) {
            (AnyRoutes::Fixed(_), Some(stream)) => {
                known.unwrap_or_else(|| route.inject(pair, stream, &load))
            }
            _ => Waypoints::default(),
        };
        Header { destination: pair.destination, waypoints, stage: route.first_stage(pair) }
    }

    /// Decides the way of a packet that is at its source's switch, if its routes are adaptive: when
    /// its first flit is, for all of them.
    pub(super) fn decide(&mut self, packet: u32) {
        let Base { setup, sources, now, .. } = &mut self.base;
        let AnyRoutes::Adaptive(routes) = &setup.routes else { return };
        let Packet { worm, flit, ref mut header, .. } = self.packets[packet as usize];
        let source = EndpointId(worm.source);
        if flit == 0
            && let Some(stream) = self.ends.routes(sources, source)
        {
            let pair = Pair { source, destination: header.destination };
            let load = Backlog::of(&self.outputs, *now, setup);
            self.decided[source.index()] = routes.inject(pair, stream, &load);
        }
        header.waypoints = self.decided[source.index()];
    }
}

/// The queues as adaptive routings see them.
struct Backlog<'a> {
    outputs: &'a Outputs,
    now: u64,
    capacity: Bytes,
}

impl Backlog<'_> {
    fn of<'a>(outputs: &'a Outputs, now: u64, setup: &Setup) -> Backlog<'a> {
        Backlog { outputs, now, capacity: setup.output_buffer }
    }
}

impl Queues for Backlog<'_> {
    fn queued(&self, port: PortId) -> Bytes {
        self.outputs.queued(port, self.now)
    }

    fn capacity(&self) -> Bytes {
        self.capacity
    }
}
