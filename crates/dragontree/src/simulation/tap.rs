//! What goes over one channel, packet by packet, after a run: analysis cannot tell it where routes
//! follow the load.

use super::engine::{Engine, Served};
use super::{Report, Run};
use crate::network::{EndpointId, Network, Node, PortId};
use crate::units::{Bytes, Time};

/// Packets that are looked at: enough to know a share of the traffic to one or two parts in a hundred, if
/// they come independently of one another.
const PACKETS: usize = 1_000;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crossings {
    /// How long that was; it began with a packet that is not among them.
    pub time: Time,
    /// The packets, in their order.
    pub packets: Vec<Crossing>,
}

/// A channel that is tapped. A packet is noted when its head has come to the switch behind it, or where
/// there is none, before it.
pub(super) struct Tap {
    pub(super) channel: PortId,
    /// The endpoint that it leads into, if it does.
    pub(super) into: Option<EndpointId>,
    until: u64,
    /// The packets, and when each was noted.
    seen: Vec<(u64, Crossing)>,
}

impl Tap {
    fn new(network: &Network, channel: PortId, until: u64) -> Tap {
        let into = match network.neighbor(channel) {
            Some(Node::Endpoint(endpoint)) => Some(endpoint),
            _ => None,
        };
        Tap { channel, into, until, seen: Vec::new() }
    }

    /// Notes a packet; within a window of events they need not come in order.
    pub(super) fn note(&mut self, now: u64, crossing: Crossing) {
        self.seen.push((now, crossing));
    }

    /// Whether there are enough, besides the first.
    fn has_enough(&self) -> bool {
        self.seen.len() > PACKETS
    }

    /// What has come after the first packet, until the last one or, where they are few, the end.
    fn crossings(mut self) -> Crossings {
        self.seen.sort_by_key(|(time, _)| *time);
        let end = self.seen.get(PACKETS).map_or(self.until, |(time, _)| *time);
        let mut seen = self.seen.into_iter().take(PACKETS + 1);
        let Some((first, _)) = seen.next() else { return Crossings::default() };
        Crossings {
            time: Time::ps(end.saturating_sub(first)),
            packets: seen.map(|(_, crossing)| crossing).collect(),
        }
    }
}

/// What is known of a run that is over, while it goes on.
pub(super) struct Over {
    report: Report,
    goes_on: bool,
}

impl<E: Engine> Run<E> {
    /// Goes on for about `budget` events with a run that is done, to see what goes over a channel that
    /// follows from its report; whether there is more to do.
    pub(super) fn tap(
        &mut self,
        channel: impl FnOnce(&Report) -> Option<PortId>,
        budget: u64,
    ) -> bool {
        let over = match &mut self.over {
            Some(over) => over,
            None => {
                let report = self.control.report(&self.engine);
                let base = self.engine.base_mut();
                let until = base.now.saturating_add(report.window.as_ps());
                let network = &base.setup.network;
                base.tap = channel(&report).map(|port| Box::new(Tap::new(network, port, until)));
                let goes_on = base.tap.is_some();
                self.over.insert(Box::new(Over { report, goes_on }))
            }
        };
        let mut served = 0;
        while over.goes_on && served <= budget {
            let Some(tap) = &self.engine.base().tap else { break };
            let until = tap.until;
            over.goes_on = !tap.has_enough();
            match self.engine.step(until) {
                Served::Events(count) => served += count.max(1),
                Served::All | Served::Last => over.goes_on = false,
            }
        }
        if !over.goes_on
            && let Some(tap) = self.engine.base_mut().tap.take()
        {
            over.report.crossings = Some(tap.crossings());
        }
        over.goes_on
    }

    /// What was measured; of a run that goes on with a tap, until it was done.
    pub(super) fn report(&self) -> Report {
        match &self.over {
            Some(over) => over.report.clone(),
            None => self.control.report(&self.engine),
        }
    }
}
