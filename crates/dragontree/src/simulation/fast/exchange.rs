//! The fast engine of exchanges: one event per hop, for packets of any length.
//!
//! It moves packets as the engine around it does, in windows and groups, with credits that are noted
//! as long as nobody waits for them. But credits and queues count bytes, and endpoints answer to what
//! is delivered to them, so that a delivery is an event, and so is a message's leaving its source.
//! Whoever is at an endpoint, its ranks included, belongs to the group of its switch: what follows a
//! message happens at one of its ends. Where endpoints send by several ports, they belong to several
//! switches: there is one group, and events of one time are all put in order.
//!
//! Ranks that begin together keep step for long, so that many events are of one time; their stated
//! order is worked out only for those that meet at a port.

use crate::exchange::Workload;
use crate::network::{Node, SwitchId};
use crate::routing::Exit;
use crate::units::{Bytes, Time};

use super::super::exchanging::{ExchangeSetup, Outlet, Ranks, Tally};
use super::super::{Setup, Waiting};
use super::bytes;
use super::order::Order;
use super::packets::{Packets, Record};
use super::paths::Coding;
use super::wheel::Wheel;
use super::window::{Batch, Cut};

#[cfg(debug_assertions)]
mod check;
mod ends;
mod flits;
mod inlet;
mod moves;
mod ports;
mod sizes;
mod ties;
mod waiting;
mod window;

use flits::Flits;
use ports::Ports;
use ties::Ties;

/// A packet of a letter: what has to be known of it besides its way.
#[derive(Clone, Copy, Debug)]
struct Parcel {
    letter: u32,
    /// The place of its length.
    size: u32,
}

impl Record for Parcel {
    const TELLS_SWITCHES: bool = false;

    fn cross(&mut self, _switches: usize) {}
}

/// The packets under way.
type Parcels = Packets<Parcel>;

/// More bytes than packets and buffers may have here.
const BYTES: u64 = 1 << 28;

/// Whether some message has no length.
fn has_empty(workload: &Workload) -> bool {
    match workload {
        Workload::List(list) => list.messages().iter().any(|message| message.bytes.0 == 0),
        // All are of one length.
        Workload::Phased(_) => workload.bytes().0 == 0,
    }
}

/// The state of a run.
pub(in crate::simulation) struct FastExchange {
    setup: Setup,
    ranks: Ranks,
    /// For each outlet the switch that it leads to.
    switches: Vec<Option<SwitchId>>,
    /// For each outlet, whether what it has to send waits for room in the switch.
    blocked: Vec<bool>,
    /// Outlets that have something to send since something has happened; kept for its memory.
    asking: Vec<Outlet>,
    wheel: Wheel,
    ports: Ports,
    packets: Parcels,
    /// Where messages are in flits.
    flits: Option<Flits>,
    /// Events of the window that others of the window have brought about.
    order: Order,
    /// Whether a message may be delivered at the time at which its last bit leaves.
    is_instant: bool,
    /// Kept for its memory, and what sorts it.
    batch: Batch,
    ties: Ties,
    /// The way of the packet that is being injected, where it is not in one word; kept for its memory.
    exits: Vec<Exit>,
    cut: Cut,
    /// When the window began, and ends.
    start: u64,
    end: u64,
    /// The next group to be served in it.
    group: usize,
    /// How often time has stood still.
    turn: u32,
    /// When the credits were last looked through.
    refreshed: u64,
    /// The time of the latest event.
    now: u64,
    events: u64,
    packet_hops: u64,
    /// Packets that were taken out because their way ended at a switch.
    lost: u64,
}

impl FastExchange {
    /// Whether it simulates this: packets that take time, whole or in flits, through virtual output
    /// queues, between endpoints with one cable each, or with several by which routes lead.
    pub(in crate::simulation) fn knows(setup: &ExchangeSetup) -> bool {
        let ExchangeSetup { network, workload, packet, buffer, acknowledgement, .. } = setup;
        let acknowledged = !workload.is_acknowledged() || acknowledgement.0 > 0;
        setup.model.is_default_switch()
            && packet.0.max(buffer.0) < BYTES
            && acknowledged
            && !has_empty(workload)
            && (setup.routes.route().names_outlets()
                || network.endpoints().all(|endpoint| network.cabled_ports(endpoint) <= 1))
    }

    /// An exchange at time zero: what its ranks may send at once is posted.
    pub(in crate::simulation) fn new(exchange: &ExchangeSetup) -> FastExchange {
        let setup = exchange.fabric();
        let mut ports = Ports::new(&setup);
        let cut = window::cut(&setup, &ports);
        ports.group(&setup.network, cut.groups);
        let groups = usize::from(cut.groups);
        let ranks = Ranks::new(exchange);
        let flits = Flits::new(exchange, &mut ports, ranks.adapters.len());
        let switch = |port| match setup.network.neighbor(port)? {
            Node::Switch(switch) => Some(switch),
            Node::Endpoint(_) => None,
        };
        let mut engine = FastExchange {
            switches: ranks.adapters.iter().map(|each| each.injection.and_then(switch)).collect(),
            blocked: vec![false; ranks.adapters.len()],
            ranks,
            asking: Vec::new(),
            wheel: Wheel::new(cut.shift, groups, cut.reach),
            is_instant: setup.switch_latency + setup.adapter_latency == Time::ZERO,
            ties: Ties::new(ports.ports.len()),
            packets: Packets::new(Coding::new(&setup, ports.lane_bits)),
            ports,
            flits,
            order: Order::new(),
            batch: Batch::default(),
            exits: Vec::new(),
            cut,
            start: 0,
            end: 0,
            group: groups,
            turn: 0,
            refreshed: 0,
            now: 0,
            events: 0,
            packet_hops: 0,
            lost: 0,
            setup,
        };
        engine.ranks.begin(&mut engine.asking);
        engine.ask_all(0);
        engine
    }

    pub(in crate::simulation) fn now(&self) -> u64 {
        self.now
    }

    pub(in crate::simulation) fn events(&self) -> u64 {
        self.events
    }

    pub(in crate::simulation) fn packet_hops(&self) -> u64 {
        self.packet_hops
    }

    pub(in crate::simulation) fn tally(&self) -> &Tally {
        &self.ranks.tally
    }

    /// For each channel, how long it has been busy until now.
    pub(in crate::simulation) fn busy(&self, now: u64) -> Vec<u64> {
        self.ports.busy(now)
    }

    /// About how much memory the state takes.
    pub(in crate::simulation) fn memory(&self) -> Bytes {
        let own = self.batch.memory()
            + self.ties.memory()
            + bytes(&self.asking)
            + self.flits.as_ref().map_or(0, Flits::memory)
            + self.ranks.memory() as u64;
        Bytes(own + self.wheel.memory() + self.ports.memory() + self.packets.memory())
    }

    /// How many packets are in the network.
    pub(in crate::simulation) fn in_network(&self) -> u64 {
        self.packets.count()
    }

    /// How many messages and acknowledgements have not left their sources.
    pub(in crate::simulation) fn at_sources(&self) -> u64 {
        self.ranks.at_sources()
    }

    /// The packets that wait for an output.
    pub(in crate::simulation) fn waiting(&self) -> Vec<Waiting> {
        if let Some(flits) = &self.flits {
            return self.waiting_flits(flits);
        }
        let place = |buffer| self.ports.named(buffer);
        let waiting = self.ports.lines.all().map(|(parked, to)| {
            let letter = self.ranks.letter(self.packets.get(parked.packet).letter);
            Waiting {
                source: letter.pair.source,
                number: letter.number,
                destination: letter.pair.destination,
                holds: place(self.ports.other_name(parked.from)),
                needs: place(to),
                since: Time::ps(self.ports.lines.since(to)),
            }
        });
        waiting.collect()
    }
}
