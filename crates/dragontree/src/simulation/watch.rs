//! What goes over one channel, packet by packet, after a run: analysis cannot tell it where routes
//! follow the load.

use super::engine::{Engine, Served};
use super::{Report, Run};
use crate::network::{EndpointId, Network, Node, PortId};
use crate::units::{Bytes, Time};

/// Packets that are looked at: enough to know a share of the traffic to about one part in a hundred.
const PACKETS: usize = 2_000;

/// A packet that has gone over a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Its source.
    pub source: EndpointId,
    /// Where it is to be delivered.
    pub destination: EndpointId,
    /// How many switches are on its way.
    pub switches: u32,
    /// Its length.
    pub bytes: Bytes,
}

/// The packets that have gone over a channel in some time after the measuring window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossings {
    /// The time from its beginning to the last of them.
    pub time: Time,
    /// The packets, in their order.
    pub packets: Vec<Crossing>,
}

/// A channel that is watched. A packet is noted when its head has come to the switch behind it, or where
/// there is none, before it.
pub(super) struct Watch {
    pub(super) channel: PortId,
    /// The endpoint that it leads into, if it does.
    pub(super) into: Option<EndpointId>,
    since: u64,
    until: u64,
    seen: Crossings,
}

impl Watch {
    fn new(network: &Network, channel: PortId, since: u64, length: Time) -> Watch {
        let into = match network.neighbor(channel) {
            Some(Node::Endpoint(endpoint)) => Some(endpoint),
            _ => None,
        };
        let until = since.saturating_add(length.as_ps());
        let seen = Crossings { time: Time::ZERO, packets: Vec::new() };
        Watch { channel, into, since, until, seen }
    }

    fn has_enough(&self) -> bool {
        self.seen.packets.len() >= PACKETS
    }

    /// Notes a packet.
    pub(super) fn note(&mut self, now: u64, crossing: Crossing) {
        if !self.has_enough() {
            self.seen.packets.push(crossing);
            self.seen.time = Time::ps(now - self.since);
        }
    }
}

/// What is known of a run that is over, while it goes on.
pub(super) struct Over {
    report: Report,
    watches: bool,
}

impl<E: Engine> Run<E> {
    /// Goes on for about `budget` events with a run that is done, to watch a channel that follows from its
    /// report; whether there is more to do.
    pub(super) fn watch(
        &mut self,
        channel: impl FnOnce(&Report) -> Option<PortId>,
        budget: u64,
    ) -> bool {
        let over = match &mut self.over {
            Some(over) => over,
            None => {
                let report = self.control.report(self.engine.base());
                let base = self.engine.base_mut();
                base.watch = channel(&report).map(|channel| {
                    let network = &base.setup.network;
                    Box::new(Watch::new(network, channel, base.now, report.window))
                });
                let watches = base.watch.is_some();
                self.over.insert(Box::new(Over { report, watches }))
            }
        };
        let mut served = 0;
        while over.watches && served <= budget {
            let Some(watch) = &self.engine.base().watch else { break };
            let until = watch.until;
            over.watches = !watch.has_enough();
            match self.engine.step(until) {
                Served::Events(count) => served += count.max(1),
                Served::All | Served::Last => over.watches = false,
            }
        }
        if !over.watches
            && let Some(watch) = self.engine.base_mut().watch.take()
        {
            over.report.crossings = Some(watch.seen);
        }
        over.watches
    }

    /// What was measured; of a run that goes on to be watched, until it was done.
    pub(super) fn report(&self) -> Report {
        match &self.over {
            Some(over) => over.report.clone(),
            None => self.control.report(self.engine.base()),
        }
    }
}
