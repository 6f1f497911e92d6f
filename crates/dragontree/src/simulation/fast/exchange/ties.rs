//! The order of events of one time. Endpoints that begin together stay together for long, so that many
//! may be of one time.

use super::super::super::exchanging::Outlet;
use super::super::order::{Place, place};
use super::super::paths;
use super::super::wheel::Event;
use super::super::worms::is_following;
use super::FastExchange;
use super::window::{CREDIT, DELIVER, KIND_BITS, SENT, SOURCE, WAKE, read};

/// What sorts events of one time; kept for its memory.
#[derive(Default)]
pub(super) struct Ties {
    keys: Vec<(u64, Event)>,
    /// For each port, when it was last met: a number that grows.
    met: Vec<u32>,
    latest: u32,
    /// The ports of the events.
    ports: Vec<u32>,
}

impl Ties {
    /// For so many ports.
    pub(super) fn new(ports: usize) -> Ties {
        Ties { keys: Vec::new(), met: vec![0; ports], latest: 0, ports: Vec::new() }
    }

    /// The memory that it takes.
    pub(super) fn memory(&self) -> u64 {
        let keys = self.keys.capacity() * size_of::<(u64, Event)>();
        (keys + (self.met.len() + self.ports.capacity()) * size_of::<u32>()) as u64
    }

    /// Looks for events that have a port in common: puts the others, which stand in no relation to
    /// any, to the front. Returns how many these are.
    fn separate(&mut self, events: &mut [Event]) -> usize {
        let Ties { met, latest, ports, .. } = self;
        if *latest >= u32::MAX - 2 {
            met.fill(0);
            *latest = 0;
        }
        *latest += 2;
        let mut shared = false;
        for port in ports.iter() {
            if let Some(met) = met.get_mut(*port as usize) {
                let again = *met >= *latest;
                *met = *latest + u32::from(again);
                shared |= again;
            }
        }
        if !shared {
            return events.len();
        }
        let mut alone = 0;
        for index in 0..events.len() {
            let port = ports.get(index).and_then(|port| met.get(*port as usize));
            if port == Some(&*latest) {
                events.swap(alone, index);
                ports.swap(alone, index);
                alone += 1;
            }
        }
        alone
    }

    /// Brings events into the order of their places.
    fn sort(&mut self, events: &mut [Event], place: impl Fn(&Event) -> Place) {
        let keys = &mut self.keys;
        keys.clear();
        keys.extend(events.iter().map(|event| {
            let (kind, hash, _) = place(event);
            // So much of it nearly always tells.
            (u64::from(kind) << (u64::BITS - KIND_BITS) | hash >> KIND_BITS, *event)
        }));
        keys.sort_unstable_by(|(key, event), (other_key, other)| {
            key.cmp(other_key).then_with(|| place(event).cmp(&place(other)))
        });
        for (event, (_, sorted)) in events.iter_mut().zip(keys) {
            *event = *sorted;
        }
    }
}

impl FastExchange {
    /// Brings events of one time into their order.
    pub(super) fn arrange(&mut self, events: &mut [Event]) {
        let mut ties = std::mem::take(&mut self.ties);
        ties.sort(events, |event| self.place_of(self.start + u64::from(event.time), event));
        self.ties = ties;
    }

    /// Brings events of one time into their order, as far as it matters: what happens at one port
    /// changes nothing at another, unless an endpoint has several.
    pub(super) fn arrange_some(&mut self, events: &mut [Event]) {
        if self.ranks.has_several_outlets() {
            return self.arrange(events);
        }
        let mut ties = std::mem::take(&mut self.ties);
        ties.ports.clear();
        ties.ports.extend(events.iter().map_while(|event| self.port_met(event)));
        // The way that a packet is to take, for one, may depend on many ports.
        let alone = if ties.ports.len() < events.len() { 0 } else { ties.separate(events) };
        if let Some(others) = events.get_mut(alone..).filter(|others| others.len() > 1) {
            ties.sort(others, |event| self.place_of(self.start + u64::from(event.time), event));
        }
        self.ties = ties;
    }

    /// The output whose state an event reads and changes, that of an endpoint standing for the
    /// endpoint; none where that is not known, or not all.
    #[inline(always)]
    fn port_met(&self, event: &Event) -> Option<u32> {
        let lane_bits = self.ports.lane_bits;
        if paths::has_code(event.path) && is_following(event) {
            let to = self.flits.as_ref().and_then(|flits| flits.to(event.buffer));
            return to.map(|to| to >> lane_bits);
        }
        if paths::has_code(event.path) {
            let inlet = &self.ports.inlets[event.buffer as usize];
            return Some((inlet.first + (event.path & self.packets.coding.mask)) >> lane_bits);
        }
        if event.path != 0 {
            return None;
        }
        match read(event) {
            (CREDIT | WAKE, _) => Some(event.buffer >> lane_bits),
            // Without latency it may be delivered now, which comes later.
            (SENT, _) if self.is_instant => None,
            (DELIVER, _) => Some(self.ports.peer_of(self.ports.port_of(event.buffer)) as u32),
            _ => self.ranks.adapters[event.buffer as usize].injection.map(|port| port.0),
        }
    }

    /// The place of an event among those of its time.
    pub(super) fn place_of(&self, time: u64, event: &Event) -> Place {
        let lane_bits = self.ports.lane_bits;
        let port = event.buffer >> lane_bits;
        let (kind, owner) = match (event.path, read(event)) {
            (0, (CREDIT, bytes)) => {
                let lane = event.buffer & ((1 << lane_bits) - 1);
                let (kind, hash, _) = place(0, port ^ lane << 28, time, self.setup.seed);
                // Of several that come back together the shortest is first.
                return (kind, hash, bytes);
            }
            (0, (WAKE, _)) => (1, port),
            (0, (SENT, _)) => (3, self.ranks.orders_sent(Outlet(event.buffer))),
            (0, (DELIVER, _)) => (4, port),
            (0, (SOURCE, _)) => (5, event.buffer),
            _ => (2, self.ports.peer_of(port as usize) as u32),
        };
        place(kind, owner, time, self.setup.seed)
    }
}
