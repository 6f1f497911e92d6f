//! The ways that adaptive routing decides between, drawn ahead for all packets of a group whose way is
//! decided in a window: drawn one by one, each would be waited for.

use crate::network::{Node, PortId};
use crate::routing::{Asked, Fork, Weighing};

use super::super::Setup;
use super::super::engine::Base;
use super::bytes;
use super::packets::Packets;
use super::paths::{Coding, undecided_destination};
use super::ports::Ports;
use super::wheel::{Event, find};

/// The ways of a group's packets in a window, in the order in which they are decided.
#[derive(Default)]
pub(super) struct Forks {
    /// What decides, where ways are drawn ahead.
    weighing: Option<Weighing>,
    /// The packets, and the ways of each.
    packets: Vec<u32>,
    forks: Vec<Fork>,
    /// How many have been decided.
    next: usize,
    /// Kept for its memory.
    asked: Vec<Asked>,
}

impl Forks {
    /// Nothing drawn. `ahead`: whether every decision of a window is known when the window begins.
    pub(super) fn new(setup: &Setup, coding: Coding, ahead: bool) -> Forks {
        let routes = setup.routes.adaptive().filter(|_| ahead);
        debug_assert!(routes.is_none() || !setup.injection.keeps_ways());
        Forks {
            weighing: routes.and_then(|routes| routes.weighing(coding.code)),
            ..Forks::default()
        }
    }

    /// Draws the ways of these events' packets, as far as they are undecided. Where none are drawn ahead, a
    /// little of those packets is read instead, so that they come into the near caches; what that returns
    /// means nothing, but has to be used. `places` is written over.
    pub(super) fn draw(
        &mut self,
        base: &mut Base,
        ports: &Ports,
        packets: &Packets,
        (events, places): (&[Event], &mut Vec<u32>),
    ) -> u32 {
        let Base { setup, sources, .. } = base;
        let Some(routes) = setup.routes.adaptive() else { return 0 };
        self.packets.clear();
        self.forks.clear();
        self.asked.clear();
        self.next = 0;
        let is_undecided = |event: &Event| undecided_destination(event.path).is_some();
        let places = find(events, places, is_undecided).iter();
        let undecided = places.filter_map(|place| events.get(*place as usize));
        if self.weighing.is_none() {
            return undecided.fold(0, |sum, event| sum ^ packets.touch(event.packet));
        }
        for event in undecided {
            let Some(destination) = undecided_destination(event.path) else { continue };
            // Nearer than what is known of the packet.
            let port = ports.peer_of(ports.port_of(event.buffer));
            let Node::Endpoint(source) = setup.network.owner(PortId(port as u32)) else { continue };
            debug_assert!(source.0 == packets.get(event.packet).source());
            let Some(Some(source)) = sources.get_mut(source.index()) else { continue };
            let Some(from) = source.switch else { continue };
            self.packets.push(event.packet);
            self.asked.push(Asked { from, destination, draws: source.routes.split() });
        }
        routes.forks(&self.asked, packets.coding.code, &mut self.forks);
        0
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> u64 {
        bytes(&self.packets) + bytes(&self.forks) + bytes(&self.asked)
    }

    /// Whether every packet has been decided of which ways have been drawn. One that has not has drawn from
    /// its source's stream what it would not have drawn alone.
    pub(super) fn are_decided(&self) -> bool {
        self.next == self.packets.len()
    }

    /// The ways drawn for a packet, if it is the next, and what decides between them.
    #[inline(always)]
    pub(super) fn of(&mut self, packet: u32) -> Option<(&Weighing, &Fork)> {
        let weighing = self.weighing.as_ref()?;
        let next = self.packets.get(self.next);
        debug_assert!(next == Some(&packet), "packets are decided in the order of their events");
        if *next? != packet {
            return None;
        }
        let fork = self.forks.get(self.next)?;
        self.next += 1;
        Some((weighing, fork))
    }
}
